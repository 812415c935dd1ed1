//! What a recording says of its app: proposals, which somebody who knows the app edits.
//!
//! On its own because these are guesses. What was the same on every screen may be so by chance, and
//! what an event changed may be what it is for.

use super::trace::one_line;
use crate::{Recording, merged};
use capuchin::ui::{Element, Quoted, Role, Screen, Selector, State};
use std::collections::BTreeMap;

/// How many elements are proposed of those that are always there, and how many changes of an event.
const MOST_ALWAYS: usize = 20;
const MOST_CHANGES: usize = 8;

/// What a screen says of each element that has an id: its role, text and value.
type Texts<'a> = BTreeMap<&'a str, &'a Element>;

/// A `.capu` file.
pub(super) fn capu(recording: &Recording) -> String {
    let events = merged(&recording.events);
    let screens: Vec<&Screen> =
        events.iter().map(|event| &*event.screen).chain(recording.last_screen.as_deref()).collect();
    let mut text = format!(
        "// Proposed from a recording on {}. Keep what must be so, and remove what is so by chance.\n",
        one_line(&recording.origin.app)
    );
    if !recording.origin.device.is_empty() {
        text.push_str(&format!("device {}\n", Quoted(&recording.origin.device)));
    }
    text.push_str("\n// On every screen of the recording:\n");
    for selector in always(&screens) {
        text.push_str(&format!("always isDisplayed({selector})\n"));
    }
    if screens.iter().all(|screen| screen.count(&Selector::role(Role::Dialog)) <= 1) {
        text.push_str("always \"one question at a time\": count(dialog) <= 1\n");
    }
    let mut parts = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let after = screens.get(index + 1);
        let changes = after.map(|after| changes(&event.screen, after)).unwrap_or_default();
        parts.push(event.event.to_string());
        parts.extend(changes.into_iter().map(|change| format!("assert {change}")));
    }
    if parts.is_empty() {
        parts.push("•".to_owned());
    }
    text.push_str(&format!("\n// What each event changed:\n{}\n", parts.join(" :>>\n")));
    text
}

/// The elements with a name of their own that are displayed on every screen.
fn always(screens: &[&Screen]) -> Vec<Selector> {
    let Some((first, others)) = screens.split_first() else { return Vec::new() };
    let names = first.names();
    let mut found = Vec::new();
    for (index, element) in first.elements.iter().enumerate() {
        let has_name = !element.id.is_empty() || !element.text.is_empty();
        let is_plain = matches!(element.role, Role::Group) && element.id.is_empty();
        if !element.is(State::DISPLAYED) || !has_name || is_plain {
            continue;
        }
        let selector = names.of(index);
        let is_everywhere = others
            .iter()
            .all(|screen| screen.first(&selector).is_some_and(|found| found.is(State::DISPLAYED)));
        if is_everywhere && selector.nth.is_none() {
            found.push(selector);
        }
        if found.len() == MOST_ALWAYS {
            break;
        }
    }
    found
}

fn by_id(screen: &Screen) -> Texts<'_> {
    let named = screen.elements.iter().filter(|element| !element.id.is_empty());
    let displayed = named.filter(|element| element.is(State::DISPLAYED));
    displayed.map(|element| (element.id.as_str(), element)).collect()
}

/// What is said otherwise after an event, comes or goes.
fn changes(before: &Screen, after: &Screen) -> Vec<String> {
    let (was, is) = (by_id(before), by_id(after));
    let mut changes = Vec::new();
    for (id, now) in &is {
        let selector = Selector::id(*id);
        match was.get(id) {
            None => changes.push(format!("isDisplayed({selector})")),
            Some(then) if then.text != now.text && now.value.is_empty() => {
                changes.push(format!("hasText({selector}, {})", Quoted(&now.text)));
            }
            Some(_) => {}
        }
    }
    let gone = was.keys().filter(|id| !is.contains_key(*id));
    changes.extend(gone.map(|id| format!("!isDisplayed({})", Selector::id(*id))));
    changes.truncate(MOST_CHANGES);
    changes
}
