//! Somebody else who uses the page of a device, and what its recorder hands over.
//!
//! On its own because all tests of the recorder ask it the same questions.

use crate::visit::Visit;
pub(crate) use capuchin_devtools::Client as Somebody;
use capuchin_ui::{Device, Event, Lack, Powers, Recorded, Screen};
use std::sync::Arc;
use std::time::Duration;

/// How long a recorder is asked to wait, and how often before nobody is expected any more.
const TIMEOUT: Duration = Duration::from_millis(250);
const TRIES: u32 = 40;

/// Somebody at the page that this device shows.
pub(crate) fn somebody_at(visit: &mut Visit) -> Somebody {
    let recorder = visit.device.powers().and_then(Powers::recorder).unwrap();
    Somebody::at(&recorder.endpoint().unwrap(), "http")
}

/// What a recorder handed over next.
pub(crate) fn recorded(visit: &mut Visit) -> Recorded {
    for _ in 0..TRIES {
        let recorder = visit.device.powers().and_then(Powers::recorder).unwrap();
        match recorder.recorded(TIMEOUT).unwrap() {
            Recorded::Nothing => {}
            recorded => return recorded,
        }
    }
    panic!("nobody did anything on\n{}", visit.seen.screen)
}

/// The event that it handed over next.
pub(crate) fn recorded_event(visit: &mut Visit) -> (Event, Arc<Screen>) {
    match recorded(visit) {
        Recorded::Event(event, screen) => (event, screen),
        other => panic!("{other:?} and no event"),
    }
}

/// What it says that no event stands for.
pub(crate) fn recorded_lack(visit: &mut Visit) -> Lack {
    match recorded(visit) {
        Recorded::Lack(lack) => lack,
        other => panic!("{other:?} and no lack"),
    }
}

/// Whether nobody does anything now.
pub(crate) fn is_nothing(visit: &mut Visit) -> bool {
    let recorder = visit.device.powers().and_then(Powers::recorder).unwrap();
    recorder.recorded(TIMEOUT).unwrap() == Recorded::Nothing
}

/// Performs what was recorded next, and says what it was.
pub(crate) fn goes_on(visit: &mut Visit) -> String {
    let (event, _) = recorded_event(visit);
    visit.does(&event);
    event.to_string()
}
