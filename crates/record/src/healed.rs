//! A recording as it was replayed: what was performed, on the screens where it was, aimed at the
//! elements that got it.
//!
//! On its own because it is a function of what was sent to the device. What was tried in vain and
//! undone is not a part of it.

use crate::decision::{ReplayedEvent, UndoOutcome};
use crate::recording::{Assertion, Ending, Origin, RecordedEvent, Recording};
use crate::replays::Done;
use capuchin::trace::Trace;
use capuchin::ui::{Event, Screen};
use std::sync::Arc;

/// An event that was sent to the device.
#[derive(Clone)]
pub(crate) struct Performed {
    event: Event,
    screen: Arc<Screen>,
    /// The event of the recording that it was sent for.
    pub(crate) event_index: usize,
    /// Whether it is that event, and not one that reveals its receiver or undoes that.
    pub(crate) is_recorded: bool,
}

impl Performed {
    pub(crate) fn new(chosen: &Trace, screen: &Screen, event_index: usize) -> Option<Self> {
        let inner = if let Trace::Try(inner) = chosen { inner } else { chosen };
        let Trace::Event(_, event) = inner else { return None };
        let (event, screen) = (event.clone(), Arc::new(screen.clone()));
        Some(Performed { event, screen, event_index, is_recorded: false })
    }
}

/// What was replayed, as a recording on the device of this name.
pub(crate) fn recording(recorded: &Recording, done: &Done, device: &str) -> Recording {
    let first = done.performed.first().map(|first| &first.screen);
    let mut healed = Recording::new(Origin {
        app: first.map_or_else(|| recorded.origin.app.clone(), |screen| screen.place.clone()),
        device: device.into(),
        viewport: first.map_or(recorded.origin.viewport, |screen| screen.viewport),
        release: env!("CARGO_PKG_VERSION").into(),
        ..recorded.origin.clone()
    });
    let has_marks = recorded.has_marked_keys();
    let mut assertions = recorded.assertions.iter().zip(&done.assertions).peekable();
    let mut assert_until = |index: usize, healed: &mut Recording| {
        while let Some((assertion, held)) = assertions.next_if(|(it, _)| it.after <= index) {
            if *held == Some(true) {
                let property = assertion.property.clone();
                healed.assertions.push(Assertion { after: healed.events.len(), property });
            }
        }
    };
    for index in 0..recorded.events.len() {
        assert_until(index, &mut healed);
        let sent: Vec<&Performed> =
            done.performed.iter().filter(|sent| sent.event_index == index).collect();
        if sent.last().is_some_and(|last| last.is_recorded) {
            for sent in without_detours(&sent, done.report.events.get(index)) {
                let mut event = RecordedEvent::new(sent.event.clone(), Arc::clone(&sent.screen));
                event.is_key = has_marks && sent.is_recorded && recorded.events[index].is_key;
                healed.events.push(event);
            }
        }
    }
    assert_until(usize::MAX, &mut healed);
    healed.last_screen.clone_from(&done.report.last_screen);
    healed.ending = Ending::Complete;
    healed
}

/// Leaves out what was tried in vain and undone. Where it could not be undone, it is what led here.
fn without_detours<'a>(
    sent: &[&'a Performed],
    replayed: Option<&ReplayedEvent>,
) -> Vec<&'a Performed> {
    let Some(replayed) = replayed.filter(|event| event.undo != UndoOutcome::Failed) else {
        return sent.to_vec();
    };
    // What the device could not do was sent and is none of them.
    let mut extra = replayed.extra.iter().peekable();
    let is_kept = |sent: &&&Performed| {
        sent.is_recorded
            || extra.next_if(|extra| extra.event == sent.event).is_some_and(|extra| extra.is_kept)
    };
    sent.iter().filter(is_kept).copied().collect()
}
