//! What controls are called that undo, cancel and close: the one place that knows such words.

use capuchin::ui::{Element, Role, Screen, State, Target};

/// What gives up what a dialog was opened for.
const CANCEL: &[&str] =
    &["cancel", "abort", "abbrechen", "annuler", "cancelar", "annulla", "annuleren", "discard"];
/// What closes something, and may keep what was done in it.
const CLOSE: &[&str] = &[
    "close",
    "dismiss",
    "no",
    "not now",
    "no thanks",
    "×",
    "✕",
    "✖",
    "⨯",
    "x",
    "schließen",
    "fermer",
    "cerrar",
    "nein",
];
const UNDO: &[&str] = &["undo", "rückgängig", "annuler la frappe", "deshacer"];

/// Whether a control is there to cancel.
pub(crate) fn cancels(element: &Element) -> bool {
    says(element, CANCEL)
}

/// Whether a control is there to close something.
pub(crate) fn closes(element: &Element) -> bool {
    says(element, CLOSE)
}

/// The control that undoes the last edit, if it is there: its index.
pub(crate) fn undo_control(screen: &Screen) -> Option<usize> {
    let takes = State::DISPLAYED | State::CLICKABLE;
    screen.elements.iter().position(|element| element.is(takes) && is_undo(element))
}

/// Whether a control is there to undo. `Undo (Ctrl+Z)` and `Undo delete` are.
pub(crate) fn is_undo(element: &Element) -> bool {
    let begins = |text: &str| {
        let text = text.trim().to_lowercase();
        UNDO.iter().any(|word| {
            text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
        })
    };
    !element.is(State::EDITABLE)
        && [&element.text, &element.hint, &element.id].iter().any(|text| begins(text))
}

fn says(element: &Element, words: &[&str]) -> bool {
    let is_one = |text: &str| {
        let text = text.trim().trim_matches('.').to_lowercase();
        words.contains(&text.as_str())
    };
    is_one(&element.text) || (element.text.trim().is_empty() && is_one(&element.hint))
}

/// The element that an event goes to on a screen: its index.
pub(crate) fn aim(screen: &Screen, target: &Target) -> Option<usize> {
    match target {
        Target::One(selector) => screen.find(selector).next().map(|(index, _)| index),
        Target::Place(capuchin::ui::Place::At(point)) => screen.hit(*point, State::CLICKABLE),
        _ => None,
    }
}

/// Whether a place says which page it is: an address does, the name of an activity or of a window
/// does not.
pub(crate) fn is_address(place: &str) -> bool {
    place.contains("://")
}

/// The displayed dialogs of a screen: their indices.
pub(crate) fn dialogs(screen: &Screen) -> impl Iterator<Item = usize> + '_ {
    let all = screen.elements.iter().enumerate();
    all.filter(|(_, element)| element.role == Role::Dialog && element.is(State::DISPLAYED))
        .map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn button(text: &str) -> Element {
        Element {
            role: Role::Button,
            text: text.into(),
            state: State::DISPLAYED | State::CLICKABLE,
            ..Element::default()
        }
    }

    #[test]
    fn controls_are_known_by_what_they_say() {
        for (text, cancel, close, undo) in [
            ("Cancel", true, false, false),
            ("Close", false, true, false),
            ("×", false, true, false),
            ("Undo", false, false, true),
            ("Undo (Ctrl+Z)", false, false, true),
            ("Undone tasks", false, false, false),
            ("Cancel order", false, false, false),
        ] {
            let button = button(text);
            assert_eq!(
                (cancels(&button), closes(&button), is_undo(&button)),
                (cancel, close, undo),
                "{text}"
            );
        }
    }
}
