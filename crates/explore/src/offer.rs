//! What a screen offers: the inputs that are enabled on it (section 4.1 of the SwiftHand paper).
//!
//! An input has a name, by which it is the same one on another screen, and belongs to a group of
//! inputs that differ only in what they say: the rows of one list, the moments of one clock. Groups
//! are what folds an endless list (see [`crate::knowledge`]).

use crate::abstraction_kind::{AbstractionKind, Detail};
use capuchin::steering::NamedTrace;
use capuchin::ui::{
    DeviceInfo, Direction, Element, Event, Rect, Role, Screen, State, Str, Target, Toward,
};
use std::fmt::Write;

/// One input that is enabled on a screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// What it is called.
    pub name: Str,
    /// What it is one of.
    pub group: Str,
    /// How it is done, on this screen.
    pub event: Event,
}

/// Which inputs are offered beyond those of the elements.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Inputs {
    /// What is typed into a field that says nothing of what it wants.
    pub texts: Vec<Str>,
    /// Events that every screen takes on which anything can be done.
    pub everywhere: Vec<Event>,
    /// Inputs of several events, such as "open the drawer, then click": offered on every screen on
    /// which anything can be done and, if the trace is `P then g`, its guard holds.
    pub named: Vec<NamedTrace>,
}

impl Default for Inputs {
    fn default() -> Self {
        Inputs {
            // A word, and four digits, as codes have them, that are no large number where they are
            // to be one: a page with 4,711 rows takes a while.
            texts: vec!["hello".into(), "0042".into()],
            everywhere: vec![Event::ClickBack, Event::ClickMenu],
            named: Vec::new(),
        }
    }
}

impl Inputs {
    /// Only what the elements take.
    pub fn of_elements() -> Self {
        Inputs { everywhere: Vec::new(), ..Inputs::default() }
    }

    /// Without the events that a device does not perform.
    #[must_use]
    pub fn performed_by(mut self, info: &DeviceInfo) -> Self {
        self.everywhere.retain(|event| info.performs(event));
        self
    }

    /// What is enabled on a screen, in the order of the screen. Inputs are told from one another by
    /// what they are called; for [`AbstractionKind::BOUNDS`] by where they are, as in the paper.
    pub fn on(&self, screen: &Screen, kind: &AbstractionKind) -> Vec<Offer> {
        let (mut offers, names) = (Vec::new(), screen.names());
        for (index, element) in screen.elements.iter().enumerate() {
            let takes = element.state
                & (State::CLICKABLE | State::LONG_CLICKABLE | State::EDITABLE | State::SCROLLABLE);
            if takes.is_empty() || !element.is(State::ENABLED) || !screen.is_reachable(element) {
                continue;
            }
            let name = names.of(index);
            let target = || Target::from(name.clone());
            let mut offer = |event: Event| {
                let name: Str = match kind.detail {
                    Detail::Bounds => at_bounds(&event, element),
                    _ => event.to_string().into(),
                };
                let group = group(screen, index, &event);
                offers.push(Offer { name, group, event });
            };
            if takes.contains(State::EDITABLE) {
                // What is in a field is one of the texts, or what the app has put there: so there
                // are few states of it.
                if element.value.is_empty() {
                    for text in self.texts_for(element) {
                        offer(Event::Type(target(), text));
                    }
                } else {
                    offer(Event::Clear(target()));
                }
                if element.is(State::FOCUSED) {
                    offer(Event::Press("Enter".into()));
                }
            } else if takes.contains(State::CLICKABLE) {
                offer(Event::Click(target()));
            }
            if takes.contains(State::LONG_CLICKABLE) {
                offer(Event::LongClick(target()));
            }
            if takes.contains(State::SCROLLABLE) {
                for direction in [Direction::Up, Direction::Down] {
                    offer(Event::Swipe(target(), Toward::Direction(direction)));
                }
            }
        }
        if !offers.is_empty() {
            offers.extend(self.everywhere.iter().map(|event| {
                let name: Str = event.to_string().into();
                Offer { group: name.clone(), name, event: event.clone() }
            }));
        }
        offers
    }

    /// What is worth typing into a field.
    fn texts_for(&self, field: &Element) -> Vec<Str> {
        let said = [&field.id, &field.text, &field.hint, &field.native, &field.classes];
        let says = |words: &[&str]| {
            said.iter().any(|text| {
                let text = text.to_lowercase();
                words.iter().any(|word| text.contains(word))
            })
        };
        if says(&["mail"]) {
            vec!["user@example.org".into()]
        } else if says(&["number", "amount", "quantity", "price"]) {
            vec!["7".into()]
        } else {
            self.texts.clone()
        }
    }
}

/// An input by its kind and its bounding box.
fn at_bounds(event: &Event, element: &Element) -> Str {
    let Rect { x, y, width, height } = element.bounds;
    format!("{}{} at {x},{y} {width}x{height}", event.name(), argument(event)).into()
}

/// What an event does beside where it does it: the text, the direction.
fn argument(event: &Event) -> String {
    match event {
        Event::Type(_, text) => format!(" {text}"),
        Event::Swipe(_, Toward::Direction(direction)) => format!(" {}", direction.name()),
        _ => String::new(),
    }
}

/// The kind of event, the role, and what the element is part of; without what it says.
fn group(screen: &Screen, index: usize, event: &Event) -> Str {
    let (Element { role, native, .. }, argument) = (&screen.elements[index], argument(event));
    let mut group = format!("{} {}{argument} {native}", event.name(), role.name());
    for above in screen.ancestors(index).take(3) {
        let element = &screen.elements[above];
        let _ = write!(group, " in {}", element.role.name());
        if !element.id.is_empty() {
            let _ = write!(group, " #{}", masked(&element.id));
        }
        if element.role == Role::List {
            break;
        }
    }
    group.into()
}

/// A text with one `#` in the place of each number in it.
pub(crate) fn masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut in_number = false;
    for c in text.chars() {
        let is_digit = c.is_ascii_digit();
        if !is_digit {
            masked.push(c);
        } else if !in_number {
            masked.push('#');
        }
        in_number = is_digit;
    }
    masked
}

/// What is ticked, chosen, filled in and greyed out: what two screens with the same inputs may
/// differ in.
pub(crate) fn details(screen: &Screen) -> Str {
    let (mut details, names) = (String::new(), screen.names());
    for (index, element) in screen.elements.iter().enumerate() {
        let marks = element.state & (State::CHECKED | State::SELECTED);
        let value = if element.is(State::EDITABLE) { element.value.as_str() } else { "" };
        let greyed = element.is(State::DISPLAYED | State::CLICKABLE) && !element.is(State::ENABLED);
        if element.is(State::DISPLAYED) && (!marks.is_empty() || !value.is_empty() || greyed) {
            let name = masked(&names.of(index).to_string());
            let _ = write!(details, "{name} {} {value} {greyed};", marks.bits());
        }
    }
    details.into()
}

/// Which page it is, as far as a person sees it at a glance: where the app says it is, and the
/// headings.
pub(crate) fn title(screen: &Screen) -> Str {
    let shown = screen.elements.iter().filter(|element| element.is(State::DISPLAYED));
    let headings = shown.filter(|element| matches!(element.role, Role::Heading | Role::Dialog));
    let mut title = masked(path(&screen.place));
    for heading in headings {
        title.push('\n');
        title.push_str(&masked(&heading.text));
    }
    title.into()
}

/// An address without the server that it is on: that may be another one the next time.
fn path(place: &str) -> &str {
    match place.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |slash| &rest[slash..]),
        None => place,
    }
}

/// All that can be read, with numbers masked.
pub(crate) fn texts(screen: &Screen) -> Str {
    let shown = screen.elements.iter().filter(|element| element.is(State::DISPLAYED));
    let texts: Vec<String> = shown.map(|element| masked(element.shown())).collect();
    texts.join("\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(app: &str) -> Vec<String> {
        let mut device = capuchin_apps::open(app).unwrap();
        let seen = device.reset(1).unwrap();
        let offers = Inputs::of_elements().on(&seen.screen, &AbstractionKind::STRUCTURE);
        offers.iter().map(|offer| offer.name.to_string()).collect()
    }

    #[test]
    fn what_an_element_takes_is_offered_by_name() {
        assert_eq!(offered("music"), ["Click(#enter)"]);
    }

    #[test]
    fn the_server_of_an_address_does_not_matter() {
        assert_eq!(path("http://127.0.0.1:4711/a/b#c"), "/a/b#c");
        assert_eq!(path("PlayerActivity"), "PlayerActivity");
    }

    #[test]
    fn numbers_are_masked() {
        assert_eq!(masked("row-12 of 345"), "row-# of #");
    }
}
