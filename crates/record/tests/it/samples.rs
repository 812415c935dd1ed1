//! Small apps that restructure: for each responsive pattern one whose layout needs it on one
//! viewport and not on the other.

use capuchin::ui::{Crash, Direction, Event, Rect, Role, Selector, Size, State, Target, Toward};
use capuchin_sim::{App, Input, Os, Page, SimDevice};

pub(crate) const PHONE: Size = Size::new(411, 731);
pub(crate) const DESK: Size = Size::new(1280, 900);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sample {
    /// A sidebar that is a drawer.
    Drawer,
    /// The same, with nothing to say what opens it.
    UnnamedDrawer,
    /// The same, which nothing closes again.
    StuckDrawer,
    /// A toolbar whose rest is in an overflow menu.
    Overflow,
    /// Groups that are an accordion.
    Accordion,
    /// A field behind an icon.
    SearchIcon,
    /// A long list.
    LongList,
    /// Tabs that are a drop-down list.
    TabList,
    /// Panels that are tabs.
    Panels,
    /// Two pages beside one another that are a pager.
    Pager,
    /// A calculator with a panel that is pulled out.
    Calculator,
    /// A list and its detail.
    Split,
    /// Sections and a page; on the phone the way up is an arrow.
    Sections,
}

/// The state of all of them.
#[derive(Clone)]
pub(crate) struct Restructuring {
    sample: Sample,
    open: Option<String>,
    tab: String,
    chosen: Option<String>,
    typed: String,
    page: i32,
    pub(crate) done: Vec<String>,
}

pub(crate) fn device(sample: Sample, viewport: Size) -> SimDevice<Restructuring> {
    let app = Restructuring {
        sample,
        open: None,
        tab: "Home".into(),
        chosen: None,
        typed: String::new(),
        page: 0,
        done: Vec::new(),
    };
    SimDevice::new("sim:restructuring", app).viewport(viewport)
}

const SECTIONS: [&str; 4] = ["Inbox", "Archive", "Calendar", "Contacts"];
const TOOLS: [&str; 5] = ["Save", "Share", "Print", "Rename", "Delete"];
const TABS: [&str; 3] = ["Home", "Insert", "Layout"];

fn id_of(text: &str) -> String {
    format!("do-{}", text.to_lowercase().replace(' ', "-"))
}

impl Restructuring {
    fn is_open(&self, what: &str) -> bool {
        self.open.as_deref() == Some(what)
    }

    fn drawer(&self, page: &mut Page<'_>, is_wide: bool, is_named: bool) {
        if is_wide {
            page.row(|page| {
                page.column(240, |page| {
                    for section in SECTIONS {
                        page.link(id_of(section), section).size(220, 30);
                    }
                });
                page.column(0, |page| {
                    page.heading("", "Messages");
                    page.button("do-compose", "Compose");
                });
            });
            return;
        }
        page.row(|page| {
            if is_named {
                page.button("toggle-drawer", "Open navigation drawer").size(40, 40);
            } else {
                page.button("b2", "").size(40, 40);
            }
            page.heading("", "Messages").size(200, 40);
        });
        page.button("do-compose", "Compose");
        if self.is_open("drawer") {
            page.window("drawer", "", Rect::new(0, 0, 260, 700), |page| {
                for section in SECTIONS {
                    page.link(id_of(section), section).size(220, 30);
                }
            });
        }
    }

    fn overflow(&self, page: &mut Page<'_>, is_wide: bool) {
        let shown = if is_wide { 5 } else { 2 };
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

    fn accordion(&self, page: &mut Page<'_>, is_wide: bool) {
        for (group, tools) in [("Colours", ["Red", "Blue"]), ("Shapes", ["Circle", "Square"])] {
            page.group(format!("{}-part", group.to_lowercase()), |page| {
                let is_open = is_wide || self.is_open(group);
                if is_wide {
                    page.heading("", group);
                } else {
                    let state = if is_open {
                        State::EXPANDABLE | State::EXPANDED
                    } else {
                        State::EXPANDABLE
                    };
                    page.button(format!("toggle-{group}"), group).also(state);
                }
                if is_open {
                    for tool in tools {
                        page.button(id_of(tool), tool);
                    }
                }
            });
        }
    }

    fn search(&self, page: &mut Page<'_>, is_wide: bool) {
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

    fn long_list(page: &mut Page<'_>) {
        page.heading("", "Cities");
        let height = page.viewport().height - 100;
        page.list("cities", height, 40, 20, |page, row| {
            page.item(format!("do-city{row}"), format!("City of {}", CITIES[row])).size(0, 38);
        });
    }

    fn tab_list(&self, page: &mut Page<'_>, is_wide: bool) {
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

    fn panels(&self, page: &mut Page<'_>, is_wide: bool) {
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

    fn pager(&self, page: &mut Page<'_>, is_wide: bool) {
        page.heading("", "Keys");
        page.add(Role::Group, Size::new(0, 60), State::SCROLLABLE).id("pages").text("Pages");
        let keys = [["One", "Two"], ["Sine", "Cosine"]];
        for (number, keys) in keys.iter().enumerate() {
            if is_wide || number as i32 == self.page {
                page.row(|page| {
                    for key in keys {
                        page.button(id_of(key), *key);
                    }
                });
            }
        }
    }

    fn calculator(&self, page: &mut Page<'_>, is_wide: bool) {
        page.label("display", self.done.join(" "));
        page.row(|page| {
            for key in ["1", "2", "+", "="] {
                page.button(id_of(key), key).size(60, 60);
            }
        });
        let is_open = is_wide || self.is_open("advanced");
        let width = page.viewport().width;
        if !is_open {
            // A bar at the edge, without a name.
            page.add(Role::Group, Size::new(20, 200), State::CLICKABLE).id("advanced").at(
                width - 20,
                100,
                20,
                200,
            );
            return;
        }
        page.group("advanced", |page| {
            page.row(|page| {
                for key in ["sin", "cos", "ln"] {
                    page.button(id_of(key), key).size(60, 60);
                }
            });
        });
    }

    fn split(&self, page: &mut Page<'_>, is_wide: bool) {
        let list = |page: &mut Page<'_>| {
            page.list("mails", 400, 50, 4, |page, row| {
                let name = MAILS[row];
                let is_chosen = self.chosen.as_deref() == Some(name);
                page.item(format!("row-{name}"), name).size(0, 48).selected(is_chosen);
            });
        };
        let detail = |page: &mut Page<'_>| {
            if let Some(mail) = &self.chosen {
                page.heading("", mail.as_str());
                page.label("", format!("Dear reader, this is {mail}"));
                page.button("do-reply", "Reply");
                page.button("do-forward", "Forward");
            } else {
                page.label("", "Nothing is chosen");
            }
        };
        if is_wide {
            page.row(|page| {
                page.column(300, list);
                page.column(0, detail);
            });
        } else if self.chosen.is_some() {
            page.place("detail");
            detail(page);
        } else {
            page.place("list");
            list(page);
        }
    }

    fn sections(&self, page: &mut Page<'_>, is_wide: bool) {
        let list = |page: &mut Page<'_>| {
            for section in SECTIONS {
                page.link(format!("section-{section}"), section);
            }
        };
        let content = |page: &mut Page<'_>| {
            page.heading("", format!("{} page", self.tab));
            page.button("do-print", "Print");
        };
        if is_wide {
            page.row(|page| {
                page.column(200, list);
                page.column(0, content);
            });
        } else if self.is_open("sections") {
            list(page);
        } else {
            page.button("up", "Navigate up").size(48, 36);
            content(page);
        }
    }
}

const CITIES: [&str; 20] = [
    "Athens", "Berlin", "Cairo", "Dublin", "Essen", "Faro", "Geneva", "Hanoi", "Izmir", "Jakarta",
    "Kyoto", "Lima", "Madrid", "Nairobi", "Oslo", "Paris", "Quito", "Rome", "Seoul", "Tokyo",
];
const MAILS: [&str; 4] = ["Invoice", "Holiday plans", "Newsletter", "Minutes"];

fn tools_of(tab: &str) -> &'static [&'static str] {
    match tab {
        "Insert" => &["Table", "Picture"],
        "Layout" => &["Margins", "Columns"],
        _ => &["Bold", "Italic"],
    }
}

impl App for Restructuring {
    fn view(&self, page: &mut Page<'_>) {
        let is_wide = page.viewport().width >= 600;
        page.place("app");
        match self.sample {
            Sample::Drawer | Sample::StuckDrawer => self.drawer(page, is_wide, true),
            Sample::UnnamedDrawer => self.drawer(page, is_wide, false),
            Sample::Overflow => self.overflow(page, is_wide),
            Sample::Accordion => self.accordion(page, is_wide),
            Sample::SearchIcon => self.search(page, is_wide),
            Sample::LongList => Restructuring::long_list(page),
            Sample::TabList => self.tab_list(page, is_wide),
            Sample::Panels => self.panels(page, is_wide),
            Sample::Pager => self.pager(page, is_wide),
            Sample::Calculator => self.calculator(page, is_wide),
            Sample::Split => self.split(page, is_wide),
            Sample::Sections => self.sections(page, is_wide),
        }
    }

    fn handle(&mut self, input: Input<'_>, _: &mut Os) -> Result<(), Crash> {
        let is_stuck = self.sample == Sample::StuckDrawer && self.open.is_some();
        match input {
            Input::Click("toggle-drawer") | Input::Back if is_stuck => {}
            Input::Click(id) => {
                if let Some(what) = id.strip_prefix("toggle-") {
                    let is_open = self.is_open(what);
                    self.open = (!is_open).then(|| what.to_owned());
                } else if let Some(tab) = id.strip_prefix("tab-") {
                    (self.tab, self.open) = (tab.to_owned(), None);
                } else if let Some(row) = id.strip_prefix("row-") {
                    self.chosen = Some(row.to_owned());
                } else if let Some(section) = id.strip_prefix("section-") {
                    (self.tab, self.open) = (section.to_owned(), None);
                } else if id == "b2" {
                    self.open = (!self.is_open("drawer")).then(|| "drawer".to_owned());
                } else if id == "advanced" {
                    self.open = Some("advanced".into());
                } else if id == "up" {
                    self.open = Some("sections".into());
                } else if let Some(what) = id.strip_prefix("do-") {
                    self.done.push(what.to_owned());
                    let stays = matches!(self.sample, Sample::Accordion | Sample::Calculator);
                    if !stays {
                        self.open = None;
                    }
                }
            }
            Input::Text { id: "query", text } => {
                self.typed.push_str(text);
                self.done.push(format!("typed {}", self.typed));
            }
            Input::Swipe { id: "pages", dx, .. } => self.page = i32::from(dx < 0),
            Input::Back if self.open.is_some() => self.open = None,
            Input::Back => self.chosen = None,
            _ => {}
        }
        Ok(())
    }
}

pub(crate) fn click(id: &str) -> Event {
    Event::Click(Target::id(id))
}

fn swipe(id: &str, direction: Direction) -> Event {
    Event::Swipe(Target::id(id), Toward::Direction(direction))
}

/// What a person does on a phone or on a desktop, and what has been done then.
pub(crate) fn scenario(sample: Sample, viewport: Size) -> (Vec<Event>, Vec<&'static str>) {
    let is_wide = viewport.width >= 600;
    let on = |phone: &[Event], desk: &[Event]| if is_wide { desk.to_vec() } else { phone.to_vec() };
    match sample {
        Sample::Drawer | Sample::UnnamedDrawer | Sample::StuckDrawer => (
            on(
                &[
                    click("do-compose"),
                    click(if sample == Sample::UnnamedDrawer { "b2" } else { "toggle-drawer" }),
                    click("do-archive"),
                ],
                &[click("do-compose"), click("do-archive")],
            ),
            vec!["compose", "archive"],
        ),
        Sample::Overflow => (
            on(
                &[click("do-save"), click("toggle-more"), click("do-rename"), click("do-share")],
                &[click("do-save"), click("do-rename"), click("do-share")],
            ),
            vec!["save", "rename", "share"],
        ),
        Sample::Accordion => (
            on(
                &[
                    click("toggle-Shapes"),
                    click("do-square"),
                    click("toggle-Colours"),
                    click("do-red"),
                ],
                &[click("do-square"), click("do-red")],
            ),
            vec!["square", "red"],
        ),
        Sample::SearchIcon => {
            let typed = Event::Type(Target::id("query"), "rust".into());
            (
                on(
                    &[click("toggle-search"), typed.clone(), click("do-go")],
                    &[typed, click("do-go")],
                ),
                vec!["typed rust", "go"],
            )
        }
        Sample::LongList => (
            on(&[swipe("cities", Direction::Up), click("do-city17")], &[click("do-city17")]),
            vec!["city17"],
        ),
        _ => rebuilt(sample, on),
    }
}

/// The same for what changes more than what is shown.
fn rebuilt(
    sample: Sample,
    on: impl Fn(&[Event], &[Event]) -> Vec<Event>,
) -> (Vec<Event>, Vec<&'static str>) {
    let of = |text: &str, id: &str| {
        Event::Click(Target::One(Selector { id: Some(id.into()), ..Selector::text(text) }))
    };
    match sample {
        Sample::TabList => (
            on(
                &[
                    click("do-bold"),
                    click("toggle-tabs"),
                    of("Insert", "tab-Insert"),
                    click("do-table"),
                ],
                &[click("do-bold"), click("tab-Insert"), click("do-table")],
            ),
            vec!["bold", "table"],
        ),
        Sample::Panels => (
            on(
                &[click("do-italic"), click("tab-Layout"), click("do-columns")],
                &[click("do-italic"), click("do-columns")],
            ),
            vec!["italic", "columns"],
        ),
        Sample::Pager => (
            on(
                &[click("do-two"), swipe("pages", Direction::Left), click("do-sine")],
                &[click("do-two"), click("do-sine")],
            ),
            vec!["two", "sine"],
        ),
        Sample::Calculator => (
            on(
                &[click("do-1"), click("do-+"), click("advanced"), click("do-cos"), click("do-=")],
                &[click("do-1"), click("do-+"), click("do-cos"), click("do-=")],
            ),
            vec!["1", "+", "cos", "="],
        ),
        Sample::Split => (
            on(
                &[
                    click("row-Invoice"),
                    click("do-reply"),
                    Event::ClickBack,
                    click("row-Minutes"),
                    click("do-forward"),
                ],
                &[
                    click("row-Invoice"),
                    click("do-reply"),
                    click("row-Minutes"),
                    click("do-forward"),
                ],
            ),
            vec!["reply", "forward"],
        ),
        Sample::Sections => (
            on(
                &[click("do-print"), click("up"), click("section-Archive"), click("do-print")],
                &[click("do-print"), click("section-Archive"), click("do-print")],
            ),
            vec!["print", "print"],
        ),
        _ => unreachable!("it is above"),
    }
}
