//! The apps whose ways between their parts are hidden: a drawer, a list and its detail, sections a
//! level up.
//!
//! On its own because in each of them a part of the app takes the place of another.

use super::{Responsive, ResponsiveApp, id_of};
use capuchin_sim::Page;
use capuchin_ui::Rect;

const SECTIONS: [&str; 4] = ["Inbox", "Archive", "Calendar", "Contacts"];
const MAILS: [&str; 4] = ["Invoice", "Holiday plans", "Newsletter", "Minutes"];

impl Responsive {
    pub(super) fn drawer(&self, page: &mut Page<'_>, is_wide: bool, is_named: bool) {
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

    /// The mail that is chosen: by somebody, or as the first.
    pub(super) fn chosen_mail(&self) -> Option<&str> {
        let first = (self.app == ResponsiveApp::Preview).then_some(MAILS[0]);
        self.chosen.as_deref().or(first)
    }

    pub(super) fn split(&self, page: &mut Page<'_>, is_wide: bool) {
        // Where only one of both is shown, somebody has to choose.
        let chosen = if is_wide { self.chosen_mail() } else { self.chosen.as_deref() };
        let list = |page: &mut Page<'_>| {
            page.list("mails", 400, 50, MAILS.len(), |page, row| {
                let name = MAILS[row];
                let is_chosen = chosen == Some(name);
                page.item(format!("row-{name}"), name).size(0, 48).selected(is_chosen);
            });
        };
        let detail = |page: &mut Page<'_>| {
            if let Some(mail) = chosen {
                page.heading("", mail);
                page.label("", format!("Dear reader, this is {mail}"));
                page.button("do-reply", "Reply");
                page.button("do-forward", "Forward");
            } else {
                page.label("", "Nothing is chosen");
            }
        };
        if is_wide {
            page.row(|page| {
                page.column(page.viewport().width.min(600) / 2 - 40, list);
                page.column(0, detail);
            });
        } else if chosen.is_some() {
            page.place("detail");
            detail(page);
        } else {
            page.place("list");
            list(page);
        }
    }

    pub(super) fn sections(&self, page: &mut Page<'_>, is_wide: bool) {
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
            page.button("up", "Back to sections").size(48, 36);
            content(page);
        }
    }
}
