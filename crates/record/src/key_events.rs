//! Which events of a recording are key events, and which only open the way to the next.
//!
//! On its own because it is a function of the recording: where nobody marked key events, they are
//! found as the paper describes them. A triggering event changes nothing but what can be reached.

use crate::matching::{Matched, SURE};
use crate::options::ReplayOptions;
use crate::recording::{RecordedEvent, Recording};
use crate::situation::Situation;
use crate::words::{CLOSING_SIGNS, CLOSING_WORDS, words_of_text};
use capuchin::ui::{Event, State, Toward};

/// Of each event, whether it is a key event: as marked, or, where none is marked, every event that
/// is not a triggering one.
pub fn key_events(recording: &Recording, options: &ReplayOptions) -> Vec<bool> {
    let is_marked = recording.has_marked_keys();
    let mark = |(index, event): (usize, &RecordedEvent)| {
        if is_marked { event.is_key } else { !is_trigger(recording, index, options) }
    };
    recording.events.iter().enumerate().map(mark).collect()
}

/// Whether an event only opens the way to the next: the receiver of the next event could not be
/// reached before it, on the same place of the app, and it has no content of its own.
fn is_trigger(recording: &Recording, index: usize, options: &ReplayOptions) -> bool {
    let event = &recording.events[index];
    let Some(next) = recording.events.get(index + 1) else { return false };
    match &event.event {
        Event::Skip | Event::Sleep(_) | Event::Hover(_) => return true,
        _ if is_scroll(&event.event) => return true,
        Event::Press(key) if key == "Escape" => return true,
        Event::Click(_) | Event::LongClick(_) | Event::ClickBack | Event::ClickMenu => {}
        _ => return false,
    }
    event.screen.place == next.screen.place && !was_there(event, next, options)
}

/// Whether the receiver of the next event was on the screen of this one: to be reached, or behind
/// something that this one does not just close.
fn was_there(event: &RecordedEvent, next: &RecordedEvent, options: &ReplayOptions) -> bool {
    let Some(situation) = Situation::new(options, next, &event.screen) else { return true };
    if let Matched::Found { candidate, .. } = situation.matched()
        && !situation.is_elsewhere(&candidate)
    {
        return true;
    }
    let is_covered = situation
        .out_of_reach()
        .is_some_and(|index| event.screen.elements[index].is(State::COVERED | State::DISPLAYED));
    is_covered && !closes(event)
}

/// Whether an event is one that closes what lies in front.
fn closes(event: &RecordedEvent) -> bool {
    let Some(receiver) = event.receiver() else { return true };
    let closing = words_of_text(CLOSING_WORDS);
    let says = words_of_text(&receiver.text).iter().any(|word| closing.contains(word));
    says || receiver.is(State::EXPANDED) || CLOSING_SIGNS.contains(&receiver.text.as_str())
}

/// Whether it only scrolls.
pub(crate) fn is_scroll(event: &Event) -> bool {
    matches!(event, Event::Swipe(_, Toward::Direction(_)))
}

/// Whether the receiver of an event is clearly on a screen; if `is_sure`, the same element without
/// any doubt.
pub(crate) fn is_there(
    event: &RecordedEvent,
    screen: &capuchin::ui::Screen,
    options: &ReplayOptions,
    is_sure: bool,
) -> bool {
    let Some(situation) = Situation::new(options, event, screen) else { return false };
    match situation.matched() {
        Matched::Found { candidate, is_same, .. } => {
            let is_certain = is_same && candidate.score >= SURE;
            is_certain || (!is_sure && !situation.is_elsewhere(&candidate))
        }
        _ => false,
    }
}
