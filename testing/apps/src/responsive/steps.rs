//! What a person does with each app, on the compact layout and on the spacious one, and what has
//! been done then.
//!
//! On its own because it is a table, and the same for the simulated app and for its web page: a
//! control is named by its id there, and by its `data-key` here.

use super::ResponsiveApp as Kind;
use Step::{Back, Choose, Click, NextPage, Scroll, Type};
use capuchin_ui::{Direction, Event, Selector, Target, Toward};

/// Something that a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Clicks a control.
    Click(&'static str),
    /// Chooses a control that is there twice: by its text as well.
    Choose(&'static str, &'static str),
    /// Types into a field.
    Type(&'static str, &'static str),
    /// Scrolls a list down.
    Scroll(&'static str),
    /// Turns to the next page of a pager.
    NextPage(&'static str),
    /// Goes back.
    Back,
}

impl Step {
    /// The event on the simulated app.
    pub fn event(self) -> Event {
        let swipe = |id: &str, direction: Direction| {
            Event::Swipe(Target::id(id), Toward::Direction(direction))
        };
        match self {
            Click(id) => Event::Click(Target::id(id)),
            Choose(id, text) => {
                let selector = Selector { id: Some(id.into()), ..Selector::text(text) };
                Event::Click(Target::One(selector))
            }
            Type(id, text) => Event::Type(Target::id(id), text.into()),
            Scroll(id) => swipe(id, Direction::Up),
            NextPage(id) => swipe(id, Direction::Left),
            Back => Event::ClickBack,
        }
    }
}

impl Kind {
    /// What a person does on one of its layouts.
    pub fn steps(self, is_compact: bool) -> &'static [Step] {
        let (compact, spacious) = both(self);
        if is_compact { compact } else { spacious }
    }

    /// What has been done then.
    pub fn done(self) -> &'static [&'static str] {
        match self {
            Kind::Labels => &["share-by-link", "export-as-text"],
            Kind::Ribbon => &["save", "picture", "margins"],
            Kind::Accordion => &["square", "red"],
            Kind::SearchIcon => &["typed rust", "go"],
            Kind::LongList => &["city17"],
            Kind::Overflow => &["save", "rename", "share"],
            Kind::Drawer | Kind::UnnamedDrawer | Kind::StuckDrawer => &["compose", "archive"],
            Kind::TabList => &["bold", "table"],
            Kind::Panels => &["italic", "columns"],
            Kind::Pager => &["two", "sine"],
            Kind::Calculator => &["1", "+", "cos", "="],
            Kind::Split => &["reply Invoice", "forward Minutes"],
            Kind::Preview => &["forward Invoice"],
            Kind::Sections => &["print Home", "print Archive"],
        }
    }
}

/// The steps of the compact layout, and those of the spacious one.
fn both(app: Kind) -> (&'static [Step], &'static [Step]) {
    match app {
        Kind::Labels => (
            &[
                Click("toggle-share"),
                Click("do-share-by-link"),
                Click("toggle-export"),
                Click("do-export-as-text"),
            ],
            &[Click("do-share-by-link"), Click("do-export-as-text")],
        ),
        Kind::Ribbon => (
            &[
                Click("toggle-file"),
                Click("do-save"),
                Click("toggle-insert"),
                Click("do-picture"),
                Click("toggle-format"),
                Click("do-margins"),
            ],
            &[Click("do-save"), Click("do-picture"), Click("do-margins")],
        ),
        Kind::Accordion => (
            &[Click("toggle-Shapes"), Click("do-square"), Click("toggle-Colours"), Click("do-red")],
            &[Click("do-square"), Click("do-red")],
        ),
        Kind::SearchIcon => (
            &[Click("toggle-search"), Type("query", "rust"), Click("do-go")],
            &[Type("query", "rust"), Click("do-go")],
        ),
        Kind::LongList => (&[Scroll("cities"), Click("do-city17")], &[Click("do-city17")]),
        Kind::Overflow => (
            &[Click("do-save"), Click("toggle-more"), Click("do-rename"), Click("do-share")],
            &[Click("do-save"), Click("do-rename"), Click("do-share")],
        ),
        Kind::UnnamedDrawer => (
            &[Click("do-compose"), Click("b2"), Click("do-archive")],
            &[Click("do-compose"), Click("do-archive")],
        ),
        Kind::Drawer | Kind::StuckDrawer => (
            &[Click("do-compose"), Click("toggle-drawer"), Click("do-archive")],
            &[Click("do-compose"), Click("do-archive")],
        ),
        Kind::TabList => (
            &[
                Click("do-bold"),
                Click("toggle-tabs"),
                Choose("tab-Insert", "Insert"),
                Click("do-table"),
            ],
            &[Click("do-bold"), Click("tab-Insert"), Click("do-table")],
        ),
        Kind::Panels => (
            &[Click("do-italic"), Click("tab-Layout"), Click("do-columns")],
            &[Click("do-italic"), Click("do-columns")],
        ),
        Kind::Pager => (
            &[Click("do-two"), NextPage("pages"), Click("do-sine")],
            &[Click("do-two"), Click("do-sine")],
        ),
        Kind::Calculator => (
            &[Click("do-1"), Click("do-+"), Click("advanced"), Click("do-cos"), Click("do-=")],
            &[Click("do-1"), Click("do-+"), Click("do-cos"), Click("do-=")],
        ),
        Kind::Split => (
            &[
                Click("row-Invoice"),
                Click("do-reply"),
                Back,
                Click("row-Minutes"),
                Click("do-forward"),
            ],
            &[Click("row-Invoice"), Click("do-reply"), Click("row-Minutes"), Click("do-forward")],
        ),
        Kind::Preview => (&[Click("row-Invoice"), Click("do-forward")], &[Click("do-forward")]),
        Kind::Sections => (
            &[Click("do-print"), Click("up"), Click("section-Archive"), Click("do-print")],
            &[Click("do-print"), Click("section-Archive"), Click("do-print")],
        ),
    }
}
