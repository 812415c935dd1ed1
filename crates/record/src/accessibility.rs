//! Controls that cost the replay something because they have no name, or a wrong one.
//!
//! On its own because these are findings about the app, and not about the replay: whoever cannot
//! see the screen pays the same price.

use crate::decision::{AccessibilityFinding, AccessibilityProblem, Decision, ReplayedEvent};
use crate::recording::RecordedEvent;
use capuchin::ui::{Element, Selector, State, Str};

/// What an event cost for want of names.
pub(crate) fn findings(
    recorded: &RecordedEvent,
    replayed: &ReplayedEvent,
    misleading: &[Selector],
) -> Vec<AccessibilityFinding> {
    let finding = |is_recorded, control: &Selector, what| AccessibilityFinding {
        event: replayed.index,
        is_recorded,
        control: Str::from(control.to_string()),
        what,
    };
    let mut found = Vec::new();
    let is_costly = match &replayed.decision {
        Decision::Performed | Decision::NotReached => false,
        Decision::Dropped(_) => !replayed.extra.is_empty(),
        _ => true,
    };
    let receiver = recorded.receiver().filter(|receiver| is_costly && is_unnamed(receiver));
    if let (Some(index), Some(_)) = (recorded.receiver, receiver) {
        let name = recorded.screen.name_of(index);
        found.push(finding(true, &name, AccessibilityProblem::Unnamed));
    }
    for control in misleading {
        found.push(finding(false, control, AccessibilityProblem::Misleading));
    }
    found
}

/// Whether nothing tells a person who cannot see it what a control is.
fn is_unnamed(element: &Element) -> bool {
    element.is(State::CLICKABLE) && element.text.is_empty() && element.hint.is_empty()
}
