//! The sample apps by name.

use crate::calculator::Calculator;
use crate::clock::Clock;
use crate::contract::Contract;
use crate::courses::Courses;
use crate::editor::Editor;
use crate::feed::Feed;
use crate::mileage::Mileage;
use crate::music::Music;
use crate::nearby::Nearby;
use crate::notes::Notes;
use crate::picker::Picker;
use crate::preferences::Preferences;
use crate::reply::Reply;
use crate::sanity::Sanity;
use crate::score::Score;
use crate::shop::Shop;
use crate::wizard::Wizard;
use capuchin_sim::{App, SimDevice, VIEWPORT};
use capuchin_ui::{Device, Size};

/// With the planted bugs or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// As it was when the bugs were found.
    Buggy,
    /// The same without the bugs.
    Fixed,
}

/// A sample app.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Its name; the fixed variant is called the same with `-fixed` after it.
    pub name: &'static str,
    /// What it is and what is wrong with it, in one line.
    pub about: &'static str,
    /// Whether there is a fixed variant.
    pub has_bugs: bool,
    /// Whether it is there to be explored. The others have an example that finds their bugs, and a
    /// web page.
    pub for_exploration: bool,
    /// Opens it on a device of its own with a screen of this size.
    pub open: fn(Variant, Size) -> Box<dyn Device>,
}

impl Sample {
    /// The name of a variant.
    pub fn name_of(&self, variant: Variant) -> String {
        match variant {
            Variant::Buggy => self.name.to_owned(),
            Variant::Fixed => format!("{}-fixed", self.name),
        }
    }
}

fn device<A: App>(name: &str, variant: Variant, size: Size, app: A) -> Box<dyn Device> {
    let suffix = if variant == Variant::Fixed { "-fixed" } else { "" };
    Box::new(SimDevice::new(format!("sim:{name}{suffix}"), app).viewport(size))
}

/// All sample apps.
pub fn all() -> &'static [Sample] {
    SAMPLES
}

const SAMPLES: &[Sample] = &[
    Sample {
        name: "music",
        about: "a music service behind a sign-in that interrupts disturb (figures 1 to 4)",
        has_bugs: true,
        for_exploration: false,
        open: |variant, size| device("music", variant, size, Music::new(variant == Variant::Buggy)),
    },
    Sample {
        name: "reply",
        about: "a social network whose composer forgets the text when turned (section 5.2)",
        has_bugs: true,
        for_exploration: false,
        open: |variant, size| device("reply", variant, size, Reply::new(variant == Variant::Buggy)),
    },
    Sample {
        name: "picker",
        about: "a file store whose folder picker crashes when turned (section 5.1)",
        has_bugs: true,
        for_exploration: false,
        open: |variant, size| {
            device("picker", variant, size, Picker::new(variant == Variant::Buggy))
        },
    },
    Sample {
        name: "score",
        about: "a score tracker whose timer crashes on another page (table 1)",
        has_bugs: true,
        for_exploration: false,
        open: |variant, size| device("score", variant, size, Score::new(variant == Variant::Buggy)),
    },
    Sample {
        name: "courses",
        about: "courses behind a login and a long page that monkeys get stuck on (figure 16)",
        has_bugs: true,
        for_exploration: false,
        open: |variant, size| {
            device("courses", variant, size, Courses::new(variant == Variant::Buggy))
        },
    },
    Sample {
        name: "nearby",
        about: "a guide that a location crashes at the wrong moment (section 7.2)",
        has_bugs: true,
        for_exploration: false,
        open: |variant, size| {
            device("nearby", variant, size, Nearby::new(variant == Variant::Buggy))
        },
    },
    Sample {
        name: "contract",
        about: "the app on which every driver is tested",
        has_bugs: false,
        for_exploration: false,
        open: |_, size| device("contract", Variant::Buggy, size, Contract::default()),
    },
    Sample {
        name: "sanity",
        about: "three screens of terms, two of which take the same, and an app behind them",
        has_bugs: false,
        for_exploration: true,
        open: |_, size| device("sanity", Variant::Buggy, size, Sanity::default()),
    },
    Sample {
        name: "editor",
        about: "an editor of two files that opens one when nobody asked for it",
        has_bugs: true,
        for_exploration: true,
        open: |variant, size| {
            device("editor", variant, size, Editor::new(variant == Variant::Buggy))
        },
    },
    Sample {
        name: "wizard",
        about: "an account in eight steps, each of which wants something before it goes on",
        has_bugs: true,
        for_exploration: true,
        open: |variant, size| {
            device("wizard", variant, size, Wizard::new(variant == Variant::Buggy))
        },
    },
    Sample {
        name: "notes",
        about: "notes in folders, with a search, an archive and an undo",
        has_bugs: true,
        for_exploration: true,
        open: |variant, size| device("notes", variant, size, Notes::new(variant == Variant::Buggy)),
    },
    Sample {
        name: "mileage",
        about: "five tabs that keep their pages, so that their states multiply",
        has_bugs: true,
        for_exploration: true,
        open: |variant, size| {
            device("mileage", variant, size, Mileage::new(variant == Variant::Buggy))
        },
    },
    Sample {
        name: "clock",
        about: "alarms, a stopwatch and a timer that rings, on screens that change with time",
        has_bugs: true,
        for_exploration: true,
        open: |variant, size| device("clock", variant, size, Clock::new(variant == Variant::Buggy)),
    },
    Sample {
        name: "feed",
        about: "an endless stream of posts, and pages that lead to one another in circles",
        has_bugs: true,
        for_exploration: true,
        open: |variant, size| device("feed", variant, size, Feed::new(variant == Variant::Buggy)),
    },
    Sample {
        name: "shop",
        about: "a catalogue, a basket and a checkout that wants a form filled in",
        has_bugs: true,
        for_exploration: true,
        open: |variant, size| device("shop", variant, size, Shop::new(variant == Variant::Buggy)),
    },
    Sample {
        name: "preferences",
        about: "menus in menus, some of which a switch elsewhere brings",
        has_bugs: true,
        for_exploration: true,
        open: |variant, size| {
            device("preferences", variant, size, Preferences::new(variant == Variant::Buggy))
        },
    },
    Sample {
        name: "calculator",
        about: "a calculator whose keys can all be pressed at all times: hidden state only",
        has_bugs: true,
        for_exploration: true,
        open: |variant, size| {
            device("calculator", variant, size, Calculator::new(variant == Variant::Buggy))
        },
    },
];

/// Opens a sample app by name, on a screen of 360 by 640 pixels.
pub fn open(name: &str) -> Option<Box<dyn Device>> {
    open_with(name, VIEWPORT)
}

/// Opens a sample app by name, on a screen of this size.
pub fn open_with(name: &str, size: Size) -> Option<Box<dyn Device>> {
    if let Some(device) = crate::responsive::open(name, size) {
        return Some(device);
    }
    let (plain, variant) = match name.strip_suffix("-fixed") {
        Some(plain) => (plain, Variant::Fixed),
        None => (name, Variant::Buggy),
    };
    let sample = all().iter().find(|sample| sample.name == plain)?;
    if variant == Variant::Fixed && !sample.has_bugs {
        return None;
    }
    Some((sample.open)(variant, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_called_as_it_is_opened() {
        for sample in all() {
            for variant in [Variant::Buggy, Variant::Fixed] {
                let name = sample.name_of(variant);
                let device = open(&name);
                assert_eq!(
                    device.is_some(),
                    variant == Variant::Buggy || sample.has_bugs,
                    "{name}"
                );
                if let Some(device) = device {
                    assert_eq!(device.info().name, format!("sim:{name}"));
                    assert_eq!(device.info().viewport, VIEWPORT);
                }
            }
        }
        assert!(open("nothing").is_none());
    }
}
