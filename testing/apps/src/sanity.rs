//! The running example of the paper on SwiftHand (section 2, figures 1 and 2): three screens of
//! terms to accept, and the app behind them.
//!
//! What is hard about it: the first and the third screen of terms take exactly the same inputs, so
//! who tells screens apart by what can be done on them takes one for the other, and finds out only
//! later. Whoever says No once has to start again.

use crate::Wrapped;
use capuchin_sim::{App, Input, Os, Page, numbered};
use capuchin_ui::{Crash, Device, Screen};
use std::sync::Arc;

const PARAGRAPHS: i64 = 12;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Eula1,
    Eula2,
    Eula3,
    Main,
    Calls,
    Messages,
    Profile,
    /// Somebody said No: the app is over.
    End,
}

/// A device with this app, as far as figure 2 of the paper shows it: what lies behind Main takes no
/// input.
pub fn up_to_main(device: Box<dyn Device>) -> Box<dyn Device> {
    Box::new(Wrapped::new(device, (), |(), inner, call| {
        let mut seen = call.on(inner)?;
        if seen.screen.place.starts_with("Action") {
            let (viewport, place) = (seen.screen.viewport, seen.screen.place.clone());
            seen.screen = Arc::new(Screen { viewport, place, elements: Vec::new() });
        }
        Ok(seen)
    }))
}

/// The app behind three screens of terms.
#[derive(Clone, Debug, Default)]
pub struct Sanity {
    at: At,
    recording: bool,
    profile: &'static str,
}

impl Sanity {
    fn view_terms(page: &mut Page<'_>, title: &'static str, scrolls: bool) {
        page.heading("title", title);
        let height = (page.viewport().height - 100).clamp(40, 320);
        if scrolls {
            page.scroll("terms", height, |page| {
                for number in 1..=PARAGRAPHS {
                    page.label("", numbered("Paragraph ", number)).size(0, 80);
                }
            });
        } else {
            page.label("short", "You agree that nobody is liable for anything").size(0, height);
        }
        page.row(|page| {
            page.button("yes", "Yes");
            page.button("no", "No");
        });
    }

    fn view_main(page: &mut Page<'_>) {
        page.heading("title", "Sanity");
        page.button("action1", "Calls");
        page.button("action2", "Messages");
        page.button("action3", "Profile");
    }
}

impl App for Sanity {
    fn view(&self, page: &mut Page<'_>) {
        page.place(match self.at {
            At::Eula1 => "EULA1",
            At::Eula2 => "EULA2",
            At::Eula3 => "EULA3",
            At::Main => "Main",
            At::Calls => "Action1",
            At::Messages => "Action2",
            At::Profile => "Action3",
            At::End => "End",
        });
        match self.at {
            At::Eula1 => Self::view_terms(page, "Terms of use", true),
            At::Eula2 => Self::view_terms(page, "No warranty", false),
            At::Eula3 => Self::view_terms(page, "Privacy", true),
            At::Main => Self::view_main(page),
            At::Calls => {
                page.heading("title", "Calls");
                if self.recording {
                    page.button("stop", "Stop");
                } else {
                    page.button("record", "Record");
                }
                page.button("main", "Done");
            }
            At::Messages => {
                page.heading("title", "Messages");
                page.button("read", "Read aloud");
                page.button("block", "Block");
                page.button("main", "Done");
            }
            At::Profile => {
                page.heading("title", "Profile");
                page.label("profile", self.profile);
                page.button("loud", "Loud");
                page.button("silent", "Silent");
                page.button("main", "Done");
            }
            At::End => {
                page.label("over", "You have declined the terms");
            }
        }
    }

    fn handle(&mut self, input: Input<'_>, _: &mut Os) -> Result<(), Crash> {
        self.at = match (self.at, input) {
            (At::Eula1, Input::Click("yes")) => At::Eula2,
            (At::Eula2, Input::Click("yes")) => At::Eula3,
            (At::Eula3, Input::Click("yes"))
            | (At::Calls | At::Messages | At::Profile, Input::Click("main")) => At::Main,
            (At::Eula1 | At::Eula2 | At::Eula3, Input::Click("no")) => At::End,
            (At::Main, Input::Click("action1")) => At::Calls,
            (At::Main, Input::Click("action2")) => At::Messages,
            (At::Main, Input::Click("action3")) => At::Profile,
            (at, _) => at,
        };
        match input {
            Input::Click("record") => self.recording = true,
            Input::Click("stop") => self.recording = false,
            Input::Click("loud") => self.profile = "Loud",
            Input::Click("silent") => self.profile = "Silent",
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::Walk;
    use capuchin_ui::{Direction, Event};

    #[test]
    fn three_times_yes_leads_to_the_app_and_one_no_to_the_end() {
        let main = Walk::on("sanity").at("EULA1").clicks("yes yes yes").at("Main");
        let calls = main.clicks("action1 record").at("Action1").clicks("stop main");
        let messages = calls.clicks("action2").at("Action2").clicks("read main");
        let profile = messages.clicks("action3 silent").at("Action3");
        assert_eq!(profile.text("profile"), Some("Silent"));
        profile.clicks("main").at("Main");
        for yes in ["", "yes", "yes yes"] {
            let end = Walk::on("sanity").clicks(yes).clicks("no").at("End");
            assert!(end.enabled().is_empty());
            assert!(end.back(1).go(&Event::ClickMenu).at("End").enabled().is_empty());
        }
    }

    #[test]
    fn the_first_terms_and_the_third_take_the_same() {
        let first = Walk::on("sanity");
        let taken = first.enabled();
        assert_eq!(taken.len(), 3, "{taken:?}");
        let scrolled = first.swipes("terms", Direction::Up, 1).back(1).go(&Event::ClickMenu);
        assert_eq!(scrolled.at("EULA1").enabled(), taken, "scrolled");
        let second = Walk::on("sanity").clicks("yes").at("EULA2");
        assert_eq!(second.enabled().len(), 2);
        let third = second.clicks("yes").at("EULA3");
        assert_eq!(third.enabled(), taken);
        assert_eq!(third.swipes("terms", Direction::Down, 1).enabled(), taken);
    }
}
