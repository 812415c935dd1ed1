//! How the dialogs of a browser (`alert`, `confirm`, `prompt`) were answered.
//!
//! On its own because other tools have no elements for these dialogs: an answer must be known
//! before the event that opens the dialog.

use crate::RecordedEvent;
use capuchin::ui::{Element, Event, Role, Str};

/// An answer to a dialog.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    /// Accepted; with a text, if there was a field.
    Accept(Option<Str>),
    Dismiss,
}

/// Whether an event was done while a dialog of the browser was open.
pub(super) fn is_in_dialog(recorded: &RecordedEvent) -> bool {
    recorded.screen.elements.iter().any(|element| element.role == Role::Dialog && is_of(element))
}

/// The answers to the dialogs that are open from the first of these events on.
pub(super) fn answers<'a>(events: impl Iterator<Item = &'a RecordedEvent>) -> Vec<Answer> {
    let (mut answers, mut text) = (Vec::new(), None::<Str>);
    for recorded in events.take_while(|event| is_in_dialog(event)) {
        let mut elements = recorded.screen.elements.iter();
        let field = elements.find(|it| it.role == Role::Field && is_of(it));
        let shown = text.clone().or(field.map(|field| field.value.clone()));
        let button = recorded.receiver().filter(|it| it.role == Role::Button && is_of(it));
        let is_accepted = match &recorded.event {
            Event::Click(_) => match button {
                Some(button) => button.text == "OK" || button.text == "Leave",
                None => continue,
            },
            Event::Press(key) if key == "Enter" => true,
            Event::Press(key) if key == "Escape" => false,
            Event::ClickBack => false,
            Event::Type(_, typed) => {
                text = Some(format!("{}{typed}", shown.unwrap_or_default()).into());
                continue;
            }
            Event::Clear(_) => {
                text = Some(Str::default());
                continue;
            }
            _ => continue,
        };
        answers.push(if is_accepted { Answer::Accept(shown) } else { Answer::Dismiss });
        text = None;
    }
    answers
}

/// Whether an element is a part of such a dialog: no page has elements that are called so.
fn is_of(element: &Element) -> bool {
    matches!(element.native.as_str(), "alert" | "confirm" | "prompt" | "beforeunload")
}
