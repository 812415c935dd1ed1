//! Type again: the receiver came up when a text was typed, and has not come: the app was not ready
//! for the text. What is in the field is deleted, and the text is typed once more.
//!
//! Not in the table of the paper: apps that load what they search through are younger than it.

use crate::situation::{ResponsivePattern, Reveal, Situation, Undo};
use capuchin::ui::{Event, State, Target};

pub(super) struct TypeAgain;

impl ResponsivePattern for TypeAgain {
    fn name(&self) -> &'static str {
        "type again"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let Some(previous) = situation.previous else { return Vec::new() };
        let Event::Type(_, text) = &previous.event else { return Vec::new() };
        let receiver = situation.receiver();
        let was_there = previous.screen.elements.iter().any(|element| {
            (&element.text, &element.id, element.role)
                == (&receiver.text, &receiver.id, receiver.role)
                && previous.screen.is_reachable(element)
        });
        if was_there || text.is_empty() || receiver.is(State::EDITABLE) {
            return Vec::new();
        }
        let field = situation.controls().find(|(_, element)| {
            let has_text = element.value == *text || element.value.is_empty();
            element.is(State::EDITABLE | State::FOCUSED) && has_text
        });
        let Some((view, element)) = field else { return Vec::new() };
        let target = Target::One(situation.selector(view));
        let event = match element.value.is_empty() {
            true => Event::Type(target, text.clone()),
            false => Event::Clear(target),
        };
        vec![Reveal { view, event, undo: Undo::Nothing }]
    }
}
