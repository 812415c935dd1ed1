//! What changed on a screen beside what the model explains: the complete level of verification.
//!
//! On its own because it needs no model: it compares all that a device tells of every element with
//! what it told before, but for the elements that somebody else is to judge.
//!
//! Where the focus is and what lies behind a window follow from what was done, and are no property
//! of their own. What moves because something explained came, went or changed its size is not
//! compared by its place.

use capuchin::ui::{Element, Quoted, Rect, Role, Screen, Selector, State};
use std::collections::BTreeMap;

/// States that follow from others.
const DERIVED: State = State::FOCUSED.union(State::COVERED).union(State::REVEALS);
/// The most differences that are told.
const MOST_TOLD: usize = 5;

/// One thing that differs: what was there, and what is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) expected: String,
    pub(crate) seen: String,
}

/// What differs between two screens, outside of the elements that the selectors fit on either.
pub(crate) fn differences(
    before: &Screen,
    after: &Screen,
    explained: &[&Selector],
) -> Vec<Difference> {
    let (old_parts, new_parts) = (parts(before, explained), parts(after, explained));
    let bounds = |screen: &Screen, parts: &[bool]| -> Vec<Rect> {
        let explained = screen.elements.iter().zip(parts).filter(|(_, explained)| **explained);
        explained.map(|(element, _)| element.bounds).collect()
    };
    let moves = bounds(before, &old_parts) != bounds(after, &new_parts)
        || before.viewport != after.viewport;
    let (mut old, new) = (named(before, &old_parts), named(after, &new_parts));
    let mut all = Vec::new();
    for (name, element) in new {
        match old.remove(&name) {
            None => all.push(Difference { expected: "nothing".into(), seen: told(element) }),
            Some(known) => compare(known, element, moves, &mut all),
        }
    }
    let gone = old.into_values();
    all.extend(gone.map(|it| Difference { expected: told(it), seen: "nothing".into() }));
    all.truncate(MOST_TOLD);
    all
}

/// Which elements are explained: those that a selector fits, with everything inside of them.
fn parts(screen: &Screen, explained: &[&Selector]) -> Vec<bool> {
    let mut parts = vec![false; screen.elements.len()];
    for selector in explained {
        for (index, _) in screen.find(selector) {
            parts[index] = true;
        }
    }
    for (index, element) in screen.elements.iter().enumerate() {
        let above = element.parent.map(|parent| parent as usize).filter(|parent| *parent < index);
        parts[index] |= above.is_some_and(|above| parts[above]);
    }
    parts
}

/// What an element is recognized by: its role and its id, or else what it says; and its number
/// among those of the same name.
type Name<'a> = (Role, &'a str, &'a str, usize);

fn named<'a>(screen: &'a Screen, explained: &[bool]) -> BTreeMap<Name<'a>, &'a Element> {
    let mut named: BTreeMap<Name<'a>, &'a Element> = BTreeMap::new();
    let mut count: BTreeMap<(Role, &str, &str), usize> = BTreeMap::new();
    let displayed = screen.elements.iter().zip(explained);
    let watched = displayed
        .filter(|(it, explained)| it.is(State::DISPLAYED) && !**explained && !is_scaffolding(it));
    for (element, _) in watched {
        let text = if element.id.is_empty() { element.text.as_str() } else { "" };
        let id = element.id.as_str();
        let number = count.entry((element.role, id, text)).or_default();
        *number += 1;
        named.insert((element.role, id, text, *number), element);
    }
    named
}

/// Whether it only groups others: nobody sees it come or go.
fn is_scaffolding(element: &Element) -> bool {
    let says = [&element.id, &element.text, &element.value, &element.hint];
    element.role == Role::Group && says.iter().all(|text| text.is_empty())
}

fn compare(old: &Element, new: &Element, moves: bool, all: &mut Vec<Difference>) {
    let mut differs = |what: &str, old_value: String, new_value: String| {
        let name = called(old);
        all.push(Difference {
            expected: format!("{name}: {what} {old_value}"),
            seen: format!("{name}: {what} {new_value}"),
        });
    };
    let texts = [
        ("text", &old.text, &new.text),
        ("value", &old.value, &new.value),
        ("hint", &old.hint, &new.hint),
        ("classes", &old.classes, &new.classes),
        ("kind", &old.native, &new.native),
        ("address", &old.leads_to, &new.leads_to),
    ];
    for (what, old, new) in texts {
        if old != new {
            let quoted = |text: &str| Quoted(text).to_string();
            differs(what, quoted(old), quoted(new));
        }
    }
    if (old.state ^ new.state) - DERIVED != State::empty() {
        let names = |state: State| {
            format!("{:?}", (state - DERIVED).iter_names().map(|it| it.0).collect::<Vec<_>>())
        };
        differs("state", names(old.state), names(new.state));
    }
    if !moves && old.bounds != new.bounds {
        let place = |it: Rect| format!("({}, {}) {} × {}", it.x, it.y, it.width, it.height);
        differs("place", place(old.bounds), place(new.bounds));
    }
}

fn called(element: &Element) -> String {
    let role = element.role.name();
    match (element.id.as_str(), element.shown().as_str()) {
        ("", "") => role.to_owned(),
        ("", text) => format!("{role} {}", Quoted(text)),
        (id, _) => format!("{role} #{id}"),
    }
}

fn told(element: &Element) -> String {
    let shown = element.shown();
    match (element.id.is_empty(), shown.is_empty()) {
        (false, false) => format!("{} {}", called(element), Quoted(shown)),
        _ => called(element),
    }
}
