//! A walk through an app, step by step: what the tests of the apps are written with.
//!
//! On its own because every app's tests need it, and nobody else does.

use capuchin_ui::{Device, Direction, Event, Observation, Selector, State, Target, Toward};

/// An app on its way. A step that is blocked is an error in the test.
pub(crate) struct Walk {
    device: Box<dyn Device>,
    seen: Observation,
}

impl Walk {
    /// Opens an app at its start.
    pub(crate) fn on(name: &str) -> Self {
        let mut device = crate::open(name).unwrap();
        let seen = device.reset(1).unwrap();
        Walk { device, seen }
    }

    /// Performs any event.
    pub(crate) fn go(mut self, event: &Event) -> Self {
        self.seen = self.device.perform(event).unwrap();
        assert_eq!(self.seen.blocked, None, "{event} at {}", self.seen.screen.place);
        self
    }

    /// Clicks one after the other; the ids are parted by spaces.
    pub(crate) fn clicks(self, ids: &str) -> Self {
        ids.split_whitespace().fold(self, |walk, id| walk.go(&Event::Click(Target::id(id))))
    }

    /// Types into a field.
    pub(crate) fn types(self, id: &str, text: &str) -> Self {
        self.go(&Event::Type(Target::id(id), text.into()))
    }

    /// Presses Back so many times.
    pub(crate) fn back(self, times: usize) -> Self {
        (0..times).fold(self, |walk, _| walk.go(&Event::ClickBack))
    }

    /// Swipes up or down so many times.
    pub(crate) fn swipes(self, id: &str, direction: Direction, times: usize) -> Self {
        let swipe = Event::Swipe(Target::id(id), Toward::Direction(direction));
        (0..times).fold(self, |walk, _| walk.go(&swipe))
    }

    /// Says where the app is and must be.
    pub(crate) fn at(self, place: &str) -> Self {
        assert_eq!(self.seen.crash, None);
        assert_eq!(self.seen.screen.place, place);
        self
    }

    /// What an element says.
    pub(crate) fn text(&self, id: &str) -> Option<&str> {
        self.seen.screen.text(&Selector::id(id))
    }

    /// The elements that take something, with the kinds of what they take and where they are.
    pub(crate) fn enabled(&self) -> Vec<String> {
        let takes = State::CLICKABLE | State::LONG_CLICKABLE | State::EDITABLE | State::SCROLLABLE;
        let screen = &self.seen.screen;
        let can = |state: State| state.intersects(takes) && state.contains(State::ENABLED);
        let reachable = screen.elements.iter().filter(|one| screen.is_reachable(one));
        let enabled = reachable.filter(|one| can(one.state));
        enabled.map(|one| format!("{} {:?} {:?}", one.id, one.state & takes, one.bounds)).collect()
    }

    /// The message of the crash, if there was one.
    pub(crate) fn crash(&self) -> Option<&str> {
        self.seen.crash.as_ref().map(|crash| crash.message.as_str())
    }
}

/// The same walk crashes the app with its bug, and ends at this place in the fixed one.
pub(crate) fn crashes_unless_fixed(name: &str, place: &str, walk: fn(Walk) -> Walk) {
    let crashed = walk(Walk::on(name));
    assert!(crashed.crash().is_some(), "{name} at {}", crashed.seen.screen.place);
    walk(Walk::on(&format!("{name}-fixed"))).at(place);
}
