//! The inputs that exercise relations: a few of each kind, so that a page with a thousand switches
//! does not spend an exploration on them.

use capuchin::trace::Trace;
use capuchin::ui::{Element, Event, Screen, State};
use std::collections::BTreeSet;

/// How many exercises of one relation a screen offers at most.
const MOST: usize = 4;

/// Events as one input. That one of them is blocked ends the input and nothing else.
pub(crate) fn trace(events: impl IntoIterator<Item = Event>) -> Trace {
    Trace::Try(Box::new(Trace::seq(events.into_iter().map(Trace::from))))
}

/// Elements that can be reached and that `wants` takes, the first of each kind: of the rows of a
/// list, one.
pub(crate) fn one_of_each_kind(screen: &Screen, wants: impl Fn(&Element) -> bool) -> Vec<usize> {
    let mut kinds = BTreeSet::new();
    let mut found = Vec::new();
    for (index, element) in screen.elements.iter().enumerate() {
        if found.len() == MOST {
            break;
        }
        let is_ready =
            element.is(State::DISPLAYED | State::ENABLED) && screen.is_reachable(element);
        if is_ready && wants(element) && kinds.insert(kind(screen, index)) {
            found.push(index);
        }
    }
    found
}

/// What an element is and what it is part of, without what it says.
fn kind(screen: &Screen, index: usize) -> String {
    let mut kind =
        format!("{} {}", screen.elements[index].role.name(), screen.elements[index].classes);
    for above in screen.ancestors(index).take(4) {
        let element = &screen.elements[above];
        kind.push_str(element.role.name());
        kind.extend(element.id.chars().filter(|letter| !letter.is_ascii_digit()));
    }
    kind
}
