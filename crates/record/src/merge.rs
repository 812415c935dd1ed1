//! Fewer events that do the same: what was typed key by key is one text.
//!
//! On its own because it is a function of recorded events. A recorder hands over what a person did
//! when they did it; nobody wants to read, or to match, each letter by itself.

use crate::recording::{Assertion, RecordedEvent, Recording};
use capuchin::ui::{Element, Event, Str};

/// The same events with fewer of them: texts typed one after the other into one field are one text,
/// and so are sleeps; events that do nothing are left out.
///
/// An event that is merged into the one before happened on a screen of its own, which is dropped:
/// what remains has the screen on which the first of them happened.
pub fn merged(events: &[RecordedEvent]) -> Vec<RecordedEvent> {
    let mut result: Vec<RecordedEvent> = Vec::with_capacity(events.len());
    for next in events {
        if does_nothing(next) {
            continue;
        }
        let Some(last) = result.last_mut() else {
            result.push(next.clone());
            continue;
        };
        match together(last, next) {
            Some(event) => {
                last.event = event;
                last.is_key |= next.is_key;
            }
            // The pointer goes to an element before it is pressed there.
            None if is_hover_before(last, next) => {
                let is_key = last.is_key || next.is_key;
                *last = RecordedEvent { is_key, ..next.clone() };
            }
            None => result.push(next.clone()),
        }
    }
    result
}

impl Recording {
    /// The same with fewer events, as [`merged`]. What is asserted in between is not merged away.
    #[must_use]
    pub fn merged(&self) -> Recording {
        let mut stops: Vec<usize> = self.assertions.iter().map(|one| one.after).collect();
        stops.push(self.events.len());
        stops.sort_unstable();
        stops.dedup();
        let (mut events, mut assertions, mut begin) = (Vec::new(), Vec::new(), 0);
        for stop in stops {
            let end = stop.min(self.events.len());
            events.extend(merged(&self.events[begin..end]));
            let here = self.assertions.iter().filter(|one| one.after == stop);
            assertions.extend(here.map(|one| Assertion { after: events.len(), ..one.clone() }));
            begin = end;
        }
        let (origin, last_screen) = (self.origin.clone(), self.last_screen.clone());
        Recording { origin, events, assertions, last_screen, ending: self.ending }
    }
}

fn does_nothing(recorded: &RecordedEvent) -> bool {
    match &recorded.event {
        Event::Skip | Event::Sleep(0) => true,
        Event::Type(_, text) => text.is_empty(),
        _ => false,
    }
}

/// The one event that does what these two do, if there is one.
fn together(last: &RecordedEvent, next: &RecordedEvent) -> Option<Event> {
    match (&last.event, &next.event) {
        (Event::Type(target, first), Event::Type(_, second)) if is_same_receiver(last, next) => {
            Some(Event::Type(target.clone(), Str::from(format!("{first}{second}"))))
        }
        (Event::Type(target, typed), Event::Press(key))
            if key == "Backspace" && is_focused(next, last) =>
        {
            let mut text = typed.to_string();
            text.pop();
            Some(Event::Type(target.clone(), text.into()))
        }
        (Event::Clear(_), Event::Clear(_)) if is_same_receiver(last, next) => {
            Some(last.event.clone())
        }
        (Event::Sleep(first), Event::Sleep(second)) => {
            Some(Event::Sleep(first.saturating_add(*second)))
        }
        _ => None,
    }
}

fn is_hover_before(last: &RecordedEvent, next: &RecordedEvent) -> bool {
    let presses = matches!(next.event, Event::Click(_) | Event::DoubleClick(_) | Event::Hover(_));
    matches!(last.event, Event::Hover(_)) && presses && is_same_receiver(last, next)
}

/// Whether a key goes to the field that was typed into before.
fn is_focused(key: &RecordedEvent, typed: &RecordedEvent) -> bool {
    key.receiver.is_some() && is_same_receiver(typed, key)
}

/// Whether both went to one element, which may have moved, and may show what was typed.
fn is_same_receiver(last: &RecordedEvent, next: &RecordedEvent) -> bool {
    let (Some(one), Some(other)) = (last.receiver(), next.receiver()) else {
        return last.event.target().is_some() && last.event.target() == next.event.target();
    };
    let key = |element: &Element| {
        let Element { role, id, classes: _, native, hint, .. } = element.clone();
        (role, id, native, hint)
    };
    key(one) == key(other)
        && (last.event.target() == next.event.target() || one.bounds == other.bounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin::ui::{Rect, Role, Screen, Size, State, Target};
    use std::sync::Arc;

    fn on(event: Event) -> RecordedEvent {
        let field = |id: &str, y| Element {
            role: Role::Field,
            id: id.into(),
            bounds: Rect::new(0, y, 50, 20),
            state: State::DISPLAYED | State::ENABLED | State::EDITABLE | State::CLICKABLE,
            ..Element::default()
        };
        let elements = vec![field("name", 0), field("city", 20)];
        let viewport = Size::new(100, 100);
        RecordedEvent::new(event, Arc::new(Screen { viewport, elements, ..Screen::default() }))
    }

    fn typed(id: &str, text: &str) -> Event {
        Event::Type(Target::id(id), text.into())
    }

    fn check(events: &[Event], expected: &[&str]) {
        let recorded: Vec<RecordedEvent> = events.iter().cloned().map(on).collect();
        let merged: Vec<String> = merged(&recorded).iter().map(|e| e.event.to_string()).collect();
        assert_eq!(merged, expected);
    }

    #[test]
    fn what_is_typed_into_one_field_is_one_text() {
        check(
            &[typed("name", "A"), typed("name", "d"), Event::Skip, typed("name", "a")],
            &["Type(#name, \"Ada\")"],
        );
        check(
            &[typed("name", "A"), typed("city", "B"), typed("city", "C")],
            &["Type(#name, \"A\")", "Type(#city, \"BC\")"],
        );
        check(
            &[typed("name", "A"), Event::Press("Enter".into()), typed("name", "B")],
            &["Type(#name, \"A\")", "Press(\"Enter\")", "Type(#name, \"B\")"],
        );
    }

    #[test]
    fn a_pointer_that_goes_to_what_is_clicked_is_no_event() {
        let hover = |id: &str| Event::Hover(Target::id(id));
        let click = |id: &str| Event::Click(Target::id(id));
        check(&[hover("name"), hover("name"), click("name")], &["Click(#name)"]);
        check(&[hover("city"), click("name")], &["Hover(#city)", "Click(#name)"]);
        check(&[Event::Sleep(5), Event::Sleep(0), Event::Sleep(6)], &["Sleep(11)"]);
    }

    #[test]
    fn what_is_asserted_in_between_is_not_merged_away() {
        let events = ["a", "b", "c"].map(|text| on(typed("name", text)));
        let assertion = |after| Assertion { after, property: "true".into() };
        let assertions = vec![assertion(2), assertion(9), assertion(0)];
        let events = events.to_vec();
        let merged = Recording { events, assertions, ..Recording::default() }.merged();
        let told: Vec<String> = merged.events.iter().map(|it| it.event.to_string()).collect();
        assert_eq!(told, ["Type(#name, \"ab\")", "Type(#name, \"c\")"]);
        let after: Vec<usize> = merged.assertions.iter().map(|one| one.after).collect();
        assert_eq!(after, [0, 1, 2]);
    }

    #[test]
    fn a_mark_stays() {
        let events = [on(typed("name", "a")), on(typed("name", "b")).key()];
        assert!(merged(&events)[0].is_key);
    }
}
