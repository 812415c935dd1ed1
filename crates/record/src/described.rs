//! Receivers that were described and not seen: a recording of another tool has selectors, and no
//! screens.
//!
//! On its own because such a receiver is told from its neighbours by nothing but its name. An
//! element whose name is merely like it may be another one, so only the same name, id or hint will
//! do.

use crate::recording::{RecordedEvent, Recording};
use capuchin::ui::Element;

impl Recording {
    /// Whether nobody saw its screens: each has at most the element that an event went to.
    pub fn is_described(&self) -> bool {
        self.events.iter().all(|event| event.screen.elements.len() <= 1)
    }
}

/// Whether an element is the one that was described.
pub(crate) fn is_it(recorded: &RecordedEvent, element: &Element) -> bool {
    let Some(wanted) = recorded.receiver() else { return true };
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let is_same = |one: &str, other: &str| !one.is_empty() && plain(one) == plain(other);
    let has_name = !(wanted.id.is_empty() && wanted.text.is_empty() && wanted.hint.is_empty());
    !has_name
        || is_same(&wanted.id, &element.id)
        || [&element.text, &element.hint, &element.value]
            .iter()
            .any(|said| is_same(&wanted.text, said))
        || is_same(&wanted.hint, &element.hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin::ui::{Event, Screen, Target};
    use std::sync::Arc;

    fn element(id: &str, text: &str) -> Element {
        Element { id: id.into(), text: text.into(), ..Element::default() }
    }

    fn check(wanted: Element, found: &Element, expected: bool) {
        let screen = Arc::new(Screen { elements: vec![wanted], ..Screen::default() });
        let event = Event::Click(Target::any());
        let recorded = RecordedEvent { event, receiver: Some(0), screen, is_key: true };
        assert_eq!(is_it(&recorded, found), expected, "{:?} {found:?}", recorded.screen);
    }

    #[test]
    fn a_name_that_is_merely_like_it_will_not_do() {
        check(element("", "Archive"), &element("", "Archive all"), false);
        check(element("", "Archive"), &element("", " archive\n"), true);
        check(element("a", "Archive"), &element("b", "Archive"), true);
        check(element("a", "Archive"), &element("a", "Store"), true);
        check(element("a", ""), &element("b", ""), false);
        check(element("", ""), &element("b", "x"), true);
    }
}
