//! The apps whose controls are hidden: behind short names, in menus, in an accordion, behind an
//! icon, under tabs.
//!
//! On its own because each is a row of controls and what opens the rest of it.

use super::{Responsive, id_of};
use capuchin_sim::Page;
use capuchin_ui::{Rect, State};

const LABELS: [(&str, [&str; 2]); 2] = [
    ("Share", ["Share by mail", "Share by link"]),
    ("Export", ["Export as PDF", "Export as text"]),
];
const MENUS: [(&str, [&str; 2]); 3] = [
    ("File", ["New", "Save"]),
    ("Insert", ["Table", "Picture"]),
    ("Format", ["Paragraph", "Margins"]),
];
const TOOLS: [&str; 5] = ["Save", "Share", "Print", "Rename", "Delete"];
const TABS: [&str; 3] = ["Home", "Insert", "Layout"];

/// What a control that opens something says of itself.
fn expandable(is_open: bool) -> State {
    if is_open { State::EXPANDABLE | State::EXPANDED } else { State::EXPANDABLE }
}

fn tools_of(tab: &str) -> &'static [&'static str] {
    match tab {
        "Insert" => &["Table", "Picture"],
        "Layout" => &["Margins", "Columns"],
        _ => &["Bold", "Italic"],
    }
}

impl Responsive {
    pub(super) fn labels(&self, page: &mut Page<'_>, is_wide: bool) {
        page.heading("", "Annual report");
        page.row(|page| {
            for (label, choices) in LABELS {
                let is_open = self.is_open(&label.to_lowercase());
                if !is_wide {
                    let id = format!("toggle-{}", label.to_lowercase());
                    page.button(id, label).also(expandable(is_open));
                }
                if is_wide || is_open {
                    for choice in choices {
                        page.button(id_of(choice), choice).size(130, 36);
                    }
                }
            }
        });
        page.label("", "Sales went up in every quarter");
    }

    pub(super) fn ribbon(&self, page: &mut Page<'_>, is_wide: bool) {
        page.row(|page| {
            for (menu, tools) in MENUS {
                if !is_wide {
                    let name = menu.to_lowercase();
                    let state = expandable(self.is_open(&name));
                    page.button(format!("toggle-{name}"), menu).size(90, 36).also(state);
                    continue;
                }
                page.column(130, |page| {
                    page.named_group("", menu, |page| {
                        tools.iter().for_each(|tool| _ = page.button(id_of(tool), *tool));
                    });
                });
            }
        });
        page.space(60);
        page.heading("", "Letter to the editor");
        page.label("", "Dear editor, the article was a pleasure to read");
        let is_open = |(menu, _): &&(&str, _)| self.is_open(&menu.to_lowercase());
        if let Some((_, tools)) = MENUS.iter().find(is_open) {
            page.window("menu", "", Rect::new(110, 50, 200, 100), |page| {
                for tool in tools {
                    page.command(id_of(tool), *tool);
                }
            });
        }
    }

    pub(super) fn accordion(&self, page: &mut Page<'_>, is_wide: bool) {
        for (group, tools) in [("Colours", ["Red", "Blue"]), ("Shapes", ["Circle", "Square"])] {
            page.group(format!("{}-part", group.to_lowercase()), |page| {
                let is_open = is_wide || self.is_open(group);
                if is_wide {
                    page.heading("", group);
                } else {
                    page.button(format!("toggle-{group}"), group).also(expandable(is_open));
                }
                if is_open {
                    for tool in tools {
                        page.button(id_of(tool), tool);
                    }
                }
            });
        }
    }

    pub(super) fn search(&self, page: &mut Page<'_>, is_wide: bool) {
        page.row(|page| {
            page.heading("", "Library").size(150, 36);
            if is_wide || self.is_open("search") {
                page.field("query", "Search", self.typed.clone());
                page.button("do-go", "Go");
            } else {
                page.button("toggle-search", "Search").size(40, 36);
            }
        });
        page.label("", "Books and papers");
    }

    pub(super) fn overflow(&self, page: &mut Page<'_>, is_wide: bool) {
        let shown = if is_wide { TOOLS.len() } else { 2 };
        page.row(|page| {
            for tool in &TOOLS[..shown] {
                page.button(id_of(tool), *tool);
            }
            if !is_wide {
                page.button("toggle-more", "More options").size(48, 36);
            }
        });
        page.label("", "A document with some text in it");
        if self.is_open("more") {
            page.window("menu", "", Rect::new(150, 50, 200, 240), |page| {
                for tool in &TOOLS[shown..] {
                    page.command(id_of(tool), *tool);
                }
            });
        }
    }

    pub(super) fn tab_list(&self, page: &mut Page<'_>, is_wide: bool) {
        page.group("ribbon", |page| {
            page.row(|page| {
                for tab in TABS.iter().filter(|tab| is_wide || **tab == self.tab) {
                    let more = if is_wide { State::empty() } else { State::EXPANDABLE };
                    let id = if is_wide { format!("tab-{tab}") } else { "toggle-tabs".into() };
                    page.tab(id, *tab).selected(*tab == self.tab).also(more);
                }
            });
            for tool in tools_of(&self.tab) {
                page.button(id_of(tool), *tool);
            }
        });
        if self.is_open("tabs") {
            page.window("choose", "", Rect::new(100, 100, 200, 200), |page| {
                for tab in TABS {
                    page.command(format!("tab-{tab}"), tab);
                }
            });
        }
    }

    pub(super) fn panels(&self, page: &mut Page<'_>, is_wide: bool) {
        if !is_wide {
            page.row(|page| {
                for tab in TABS {
                    page.tab(format!("tab-{tab}"), tab).selected(tab == self.tab);
                }
            });
        }
        for tab in TABS.iter().filter(|tab| is_wide || **tab == self.tab) {
            page.group(format!("{}-panel", tab.to_lowercase()), |page| {
                if is_wide {
                    page.heading("", *tab);
                }
                for tool in tools_of(tab) {
                    page.button(id_of(tool), *tool);
                }
            });
        }
    }
}
