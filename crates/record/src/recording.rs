//! A recording: what somebody did to an app, event by event, each with the screen that it happened
//! on.
//!
//! On its own because it is what recorders make, replays read and reports show: plain values, which
//! know neither a device nor a file.

use capuchin::ui::{DeviceInfo, Element, Event, Screen, Size, Str};
use std::sync::Arc;

/// Where and on what a recording was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The app: where it was when the recording began, as the device said it (an address, an
    /// activity), or what the user called it.
    pub app: Str,
    /// The device, as a user would pass it to `--device`.
    pub device: Str,
    /// The size of its screen after the reset.
    pub viewport: Size,
    /// The seed of the reset.
    pub seed: u64,
    /// The release that recorded it.
    pub release: Str,
}

impl Origin {
    /// What is known before the first event.
    pub fn new(device: &DeviceInfo, first: &Screen, seed: u64) -> Self {
        Origin {
            app: first.place.clone(),
            device: device.name.clone(),
            viewport: first.viewport,
            seed,
            release: env!("CARGO_PKG_VERSION").into(),
        }
    }
}

/// One event of a recording, as it was before the app consumed it.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedEvent {
    /// What was done; it is concrete.
    pub event: Event,
    /// To which element of the screen, by its index; `None` where it went to no element.
    pub receiver: Option<usize>,
    /// What was displayed.
    pub screen: Arc<Screen>,
    /// Whether somebody marked it as a key event: one that must happen on every device.
    pub is_key: bool,
}

impl RecordedEvent {
    /// An event on a screen; its receiver is the element to which a device would send it.
    pub fn new(event: Event, screen: Arc<Screen>) -> Self {
        let receiver = screen.locate(&event).ok().flatten();
        RecordedEvent { event, receiver, screen, is_key: false }
    }

    /// The same, marked as a key event.
    #[must_use]
    pub fn key(mut self) -> Self {
        self.is_key = true;
        self
    }

    /// The element that it was done to.
    pub fn receiver(&self) -> Option<&Element> {
        self.screen.elements.get(self.receiver?)
    }
}

/// Something that somebody wants to hold at one moment of the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// After how many events.
    pub after: usize,
    /// The property, as it is written in the trace language.
    pub property: Str,
}

/// How a recording ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Whoever recorded it ended it.
    #[default]
    Complete,
    /// It stops without an end: the process was killed, or the file was cut.
    Cut,
    /// What follows cannot be read: the file was changed.
    Damaged,
    /// What follows is not read: no recording of ours is so large.
    TooLarge,
}

/// What somebody did to an app.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Where and on what it was made.
    pub origin: Origin,
    /// The events, in order.
    pub events: Vec<RecordedEvent>,
    /// What is to hold, and when.
    pub assertions: Vec<Assertion>,
    /// What was displayed after the last event, if that was seen.
    pub last_screen: Option<Arc<Screen>>,
    /// How it ends.
    pub ending: Ending,
}

impl Recording {
    /// Nothing yet, of this origin.
    pub fn new(origin: Origin) -> Self {
        Recording { origin, ending: Ending::Cut, ..Recording::default() }
    }

    /// Whether somebody marked key events in it.
    pub fn has_marked_keys(&self) -> bool {
        self.events.iter().any(|event| event.is_key)
    }
}
