//! What was done in vain is undone, by whichever way the app has, and pagers are turned to their
//! end: on simulated apps that the other tests do not need.

use capuchin::Rules;
use capuchin::ui::{Crash, Element, Event, Rect, Role, Screen, Selector, Size, State, Target};
use capuchin_record::{
    Decision, Ending, FailureCause, RecordedEvent, Recording, Replay, ReplayReport, UndoOutcome,
};
use capuchin_sim::{App, Input, Os, Page, SimDevice};
use std::sync::Arc;

const PHONE: Size = Size::new(411, 731);

/// The app of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A menu whose opener goes away when it is clicked again, and which only Escape closes.
    Escape,
    /// A menu that leads to another place on the second click, from where only Back leads back.
    Elsewhere,
    /// A switch whose name begins that of the receiver, among many controls.
    Switch,
    /// Tabs, each with one control.
    Tabs,
    /// Four pages that are swiped, with two numbered rows each.
    Swiped,
    /// Four pages with a control for the next one and, from the second on, the one before.
    Clicked,
}

#[derive(Clone)]
struct Small {
    kind: Kind,
    state: usize,
    is_on: bool,
    done: Vec<String>,
}

fn device(kind: Kind) -> SimDevice<Small> {
    let app = Small { kind, state: 0, is_on: false, done: Vec::new() };
    SimDevice::new("sim:small", app).viewport(PHONE)
}

const PAGES: usize = 4;

impl App for Small {
    fn view(&self, page: &mut Page<'_>) {
        page.place("app");
        match self.kind {
            Kind::Escape | Kind::Elsewhere => {
                let is_elsewhere = self.kind == Kind::Elsewhere && self.state == 2;
                if is_elsewhere {
                    page.place("elsewhere");
                    page.button("about", "About us");
                } else {
                    if self.state < 2 {
                        page.button("more", "More options").size(48, 36);
                    }
                    page.button("compose", "Compose");
                }
                if self.state > 0 && !is_elsewhere {
                    page.command("print", "Print");
                    page.command("share", "Share");
                }
            }
            Kind::Switch => {
                page.switch("notify", "Notifications", self.is_on);
                for name in ["Red", "Green", "Blue", "Cyan", "Black", "White", "Grey", "Pink"] {
                    page.button(name.to_lowercase(), name);
                }
                for name in ["Circle", "Square", "Star", "Line"] {
                    page.button(name.to_lowercase(), name);
                }
            }
            Kind::Tabs => {
                page.row(|page| {
                    for (number, name) in ["Home", "Insert"].into_iter().enumerate() {
                        page.tab(format!("tab{number}"), name).selected(self.state == number);
                    }
                });
                let tools = [["Bold", "Italic"], ["Table", "Picture"]];
                for tool in tools[self.state] {
                    page.button(tool.to_lowercase(), tool);
                }
            }
            Kind::Swiped => {
                page.add(Role::Group, Size::new(0, 60), State::SCROLLABLE)
                    .id("pages")
                    .text("Pages");
                for row in 0..2 {
                    page.button("", format!("Row {}", 2 * self.state + row + 1));
                }
            }
            Kind::Clicked => {
                page.row(|page| {
                    if self.state > 0 {
                        page.button("prev", "Previous page").size(60, 36);
                    }
                    page.label("", format!("Slide {}", self.state + 1)).size(100, 36);
                    if self.state + 1 < PAGES {
                        page.button("next", "Next page").size(60, 36);
                    }
                });
                page.button("open", "Open the slide");
                if self.state + 1 == PAGES {
                    page.button("send", "Send the answers");
                }
            }
        }
    }

    fn handle(&mut self, input: Input<'_>, _: &mut Os) -> Result<(), Crash> {
        match (self.kind, input) {
            (Kind::Escape, Input::Key("Escape")) | (_, Input::Click("tab0")) => self.state = 0,
            (_, Input::Click("more" | "next")) => self.state += 1,
            (Kind::Elsewhere, Input::Back) if self.state == 2 => self.state = 0,
            (_, Input::Click("notify")) => self.is_on = !self.is_on,
            (_, Input::Click("tab1")) => self.state = 1,
            (_, Input::Click("prev")) => self.state -= 1,
            (_, Input::Swipe { id: "pages", dx, .. }) if dx < 0 => {
                self.state = (self.state + 1).min(PAGES - 1);
            }
            (_, Input::Swipe { id: "pages", dx, .. }) if dx > 0 => {
                self.state = self.state.saturating_sub(1);
            }
            (_, Input::Click(id)) => self.done.push(id.to_owned()),
            _ => {}
        }
        Ok(())
    }
}

/// A click on the last of these controls, which were recorded on a wide screen.
fn recording(controls: &[(Role, &str, &str)]) -> Recording {
    let element = |(index, (role, id, text)): (usize, &(Role, &str, &str))| Element {
        role: *role,
        id: (*id).into(),
        text: (*text).into(),
        bounds: Rect::new(20, 20 + 40 * index as i32, 200, 36),
        state: match role {
            Role::Group => State::DISPLAYED | State::ENABLED | State::SCROLLABLE,
            _ => State::DISPLAYED | State::ENABLED | State::CLICKABLE,
        },
        ..Element::default()
    };
    let elements: Vec<Element> = controls.iter().enumerate().map(element).collect();
    let receiver = elements.len().checked_sub(1);
    let screen = Screen { viewport: Size::new(1280, 900), place: "app".into(), elements };
    let (screen, text) = (Arc::new(screen), controls.last().map_or("", |last| last.2));
    let event = Event::Click(Target::One(Selector::text(text)));
    let events = vec![RecordedEvent { event, receiver, screen, is_key: true }];
    Recording { events, ending: Ending::Complete, ..Recording::default() }
}

fn replayed(recording: &Recording, device: &mut SimDevice<Small>) -> ReplayReport {
    Replay::new(recording.clone()).run(device, &Rules::seed(1)).expect("sim works")
}

/// What was sent beside the recorded event, waiting aside.
fn extra(report: &ReplayReport) -> Vec<String> {
    let extra = report.events[0].extra.iter().filter(|extra| extra.pattern != "wait");
    extra.map(|extra| format!("{} {}", extra.pattern, extra.event)).collect()
}

const PLAIN: &[(Role, &str, &str)] =
    &[(Role::Button, "compose", "Compose"), (Role::Button, "frob", "Frobnicate")];

#[test]
fn each_way_to_undo_is_tried_whatever_the_ways_before_it_changed() {
    // After the opener was tried, it is no longer among the ways.
    let mut escape = device(Kind::Escape);
    let report = replayed(&recording(PLAIN), &mut escape);
    let told = extra(&report);
    let sent = ["options Click(#more)", "options Click(#more)", "options Press(\"Escape\")"];
    assert_eq!(
        (&told[..], report.events[0].undo),
        (&sent.map(String::from)[..], UndoOutcome::CameBack)
    );
    assert_eq!(escape.app().state, 0, "{told:?}");
    // Whatever is tried in vain, Back is tried at the other place.
    let mut elsewhere = device(Kind::Elsewhere);
    let report = replayed(&recording(PLAIN), &mut elsewhere);
    let told = extra(&report);
    assert_eq!(report.events[0].undo, UndoOutcome::CameBack, "{told:?}");
    assert_eq!(elsewhere.app().state, 0, "{told:?}");
    assert!(report.events[0].extra.iter().any(|extra| extra.event == Event::ClickBack), "{told:?}");
}

#[test]
fn a_switch_is_not_set_to_look_for_something() {
    let mut switch = device(Kind::Switch);
    let wanted = recording(&[
        (Role::Button, "red", "Red"),
        (Role::Switch, "notify", "Notifications"),
        (Role::Button, "sound", "Notifications sound"),
    ]);
    let report = replayed(&wanted, &mut switch);
    assert!(!switch.app().is_on, "{:?}", extra(&report));
    assert!(extra(&report).iter().all(|event| !event.contains("notify")), "{:?}", extra(&report));
}

#[test]
fn the_tab_that_was_chosen_is_chosen_again() {
    let mut tabs = device(Kind::Tabs);
    let wanted = recording(&[
        (Role::Button, "bold", "Bold"),
        (Role::Tab, "tab1", "Insert"),
        (Role::Tab, "tab9", "Insert chart"),
    ]);
    let report = replayed(&wanted, &mut tabs);
    let told = extra(&report);
    assert!(told.iter().any(|event| event.contains("#tab1")), "it was looked for there: {told:?}");
    assert_eq!((report.events[0].undo, tabs.app().state), (UndoOutcome::CameBack, 0), "{told:?}");
}

#[test]
fn a_pager_is_turned_to_its_last_page() {
    let mut swiped = device(Kind::Swiped);
    let wanted = recording(&[
        (Role::Group, "pages", "Pages"),
        (Role::Button, "", "Row 1"),
        (Role::Button, "", "Row 8"),
    ]);
    let report = replayed(&wanted, &mut swiped);
    let told = extra(&report);
    let revealed = Decision::Revealed { patterns: vec!["pager"] };
    assert_eq!((&report.events[0].decision, told.len()), (&revealed, 3), "{told:?}");
    assert_eq!(swiped.app().state, 3);
}

#[test]
fn a_pager_that_is_turned_by_a_control_is_turned_to_its_last_page() {
    let mut clicked = device(Kind::Clicked);
    let wanted = recording(&[
        (Role::Button, "open", "Open the slide"),
        (Role::Button, "send", "Send the answers"),
    ]);
    let report = replayed(&wanted, &mut clicked);
    let told = extra(&report);
    assert_eq!(clicked.app().done, ["send"], "{told:?}");
    assert_eq!(told.len(), 3, "{told:?}");
}

#[test]
fn a_pager_that_was_turned_in_vain_is_turned_back_to_its_first_page() {
    for kind in [Kind::Swiped, Kind::Clicked] {
        let mut pager = device(kind);
        let wanted = recording(&[
            (Role::Group, "pages", "Pages"),
            (Role::Button, "open", "Open the slide"),
            (Role::Button, "", "Row 1"),
            (Role::Button, "", "Frobnicate"),
        ]);
        let report = replayed(&wanted, &mut pager);
        let told = extra(&report);
        assert!(matches!(report.events[0].decision, Decision::Refused { .. }), "{told:?}");
        assert!(told.len() >= 6, "all pages were looked at: {told:?}");
        assert_eq!(report.events[0].undo, UndoOutcome::CameBack, "{told:?}");
        assert_eq!((pager.app().state, &pager.app().done[..]), (0, &[][..]), "{told:?}");
    }
}

#[test]
fn a_recording_without_events_has_not_succeeded() {
    let empty = Recording { ending: Ending::Cut, ..Recording::default() };
    let report = replayed(&empty, &mut device(Kind::Tabs));
    assert!(!report.succeeded());
    assert_eq!(report.cause(&empty), Some(FailureCause::Tool));
}
