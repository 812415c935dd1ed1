//! The name by which an element is found again, and the names nearest to one that is not there.
//!
//! On its own because naming is a matter of taste that will grow: a trace is read by people.

use crate::{Element, Role, Screen, Selector, State, TextMatch};
use std::collections::BTreeMap;

impl Screen {
    /// A selector that finds this element and no other: its id, else its text, else its role and
    /// text, else a class that no other has, else its number among its likes.
    pub fn name_of(&self, index: usize) -> Selector {
        self.names().of(index)
    }

    /// The names of all elements. For many of them, this is much faster than asking for each.
    pub fn names(&self) -> Names<'_> {
        let mut names = Names::of_nothing(self);
        let displayed = |(_, element): &(usize, &Element)| element.is(State::DISPLAYED);
        for (index, element) in self.elements.iter().enumerate().filter(displayed) {
            let role = element.role.name();
            names.roles.entry(role).or_default().push(index);
            if !element.id.is_empty() {
                names.ids.entry(&element.id).or_default().push(index);
            }
            // A field that says what it hints at says it once.
            let hint = (element.hint != element.text).then_some(&element.hint);
            for text in [Some(&element.text), hint].into_iter().flatten() {
                names.texts.entry(text).or_default().push(index);
                names.sayings.entry((role, text)).or_default().push(index);
            }
            for class in element.classes.split_ascii_whitespace() {
                let of_class = names.classes.entry(class).or_default();
                if of_class.last() != Some(&index) {
                    of_class.push(index);
                }
            }
        }
        names
    }

    /// What lies on top of the first element that the selector fits.
    pub fn covering(&self, selector: &Selector) -> Option<Selector> {
        let point = self.first(selector)?.touch_point();
        let veil = self.hit(point, State::OPAQUE)?;
        // The veil of a dialog has no name of its own; the dialog has.
        let dialog = || self.elements.iter().rposition(|element| element.role == Role::Dialog);
        let named = has_a_name(&self.elements[veil]);
        let index = if named { veil } else { dialog().unwrap_or(veil) };
        Some(self.name_of(index))
    }

    /// The displayed elements whose names are nearest to the one that was asked for.
    pub fn nearest(&self, wanted: &Selector, how_many: usize) -> Vec<Selector> {
        let wanted = wanted.any_of.first().unwrap_or(wanted);
        if let (Some(class), None) = (&wanted.class, &wanted.id) {
            return self.nearest_classes(class, how_many);
        }
        let goal = match (&wanted.id, &wanted.text) {
            (Some(id), _) => id.as_str(),
            (None, Some(TextMatch::Is(text) | TextMatch::Contains(text))) => text.as_str(),
            (None, None) => "",
        };
        let mut ranked: Vec<(usize, usize)> = self
            .elements
            .iter()
            .enumerate()
            .filter(|(_, element)| element.is(State::DISPLAYED) && has_a_name(element))
            .map(|(index, element)| {
                let role_differs = wanted.role.is_some_and(|role| role != element.role);
                let distance = [&element.id, &element.text, &element.hint]
                    .into_iter()
                    .filter(|name| !name.is_empty())
                    .map(|name| edit_distance(&goal.to_lowercase(), &name.to_lowercase()))
                    .min()
                    .unwrap_or(usize::MAX / 2);
                (distance + 2 * usize::from(role_differs), index)
            })
            .collect();
        ranked.sort_unstable();
        ranked.into_iter().take(how_many).map(|(_, index)| self.name_of(index)).collect()
    }

    /// The classes of displayed elements that are nearest to the one that was asked for.
    fn nearest_classes(&self, goal: &str, how_many: usize) -> Vec<Selector> {
        let displayed = self.elements.iter().filter(|element| element.is(State::DISPLAYED));
        let mut classes: Vec<(usize, &str)> = displayed
            .flat_map(|element| element.classes.split_ascii_whitespace())
            .map(|class| (edit_distance(&goal.to_lowercase(), &class.to_lowercase()), class))
            .collect();
        classes.sort_unstable();
        classes.dedup();
        classes.into_iter().take(how_many).map(|(_, class)| Selector::class(class)).collect()
    }
}

/// The names of the elements of a screen: which of them are displayed under each id, text, role and
/// class.
pub struct Names<'s> {
    screen: &'s Screen,
    ids: BTreeMap<&'s str, Vec<usize>>,
    texts: BTreeMap<&'s str, Vec<usize>>,
    sayings: BTreeMap<(&'static str, &'s str), Vec<usize>>,
    roles: BTreeMap<&'static str, Vec<usize>>,
    classes: BTreeMap<&'s str, Vec<usize>>,
}

impl<'s> Names<'s> {
    fn of_nothing(screen: &'s Screen) -> Self {
        Names {
            screen,
            ids: BTreeMap::new(),
            texts: BTreeMap::new(),
            sayings: BTreeMap::new(),
            roles: BTreeMap::new(),
            classes: BTreeMap::new(),
        }
    }

    /// The name of one of them; see [`Screen::name_of`].
    pub fn of(&self, index: usize) -> Selector {
        let element = &self.screen.elements[index];
        let role = element.role.name();
        if !element.id.is_empty() {
            let selector = Selector::id(element.id.clone());
            return numbered(selector, self.ids.get(element.id.as_str()), index);
        }
        let text = if element.text.is_empty() { &element.hint } else { &element.text };
        if !text.is_empty() {
            if is_one(self.texts.get(text.as_str())) {
                return Selector::text(text.clone());
            }
            let selector = Selector::role(element.role).saying(text.clone());
            return numbered(selector, self.sayings.get(&(role, text.as_str())), index);
        }
        let mut classes = element.classes.split_ascii_whitespace();
        match classes.find(|class| is_one(self.classes.get(class))) {
            Some(class) => Selector::class(class),
            None => numbered(Selector::role(element.role), self.roles.get(role), index),
        }
    }
}

fn is_one(found: Option<&Vec<usize>>) -> bool {
    found.is_some_and(|found| found.len() == 1)
}

/// With the number of an element among those that the selector finds, if it finds others too.
fn numbered(selector: Selector, found: Option<&Vec<usize>>, index: usize) -> Selector {
    let found = found.map_or(&[][..], Vec::as_slice);
    let number = found.partition_point(|other| *other <= index);
    if found.iter().any(|other| *other != index) { selector.nth(number as u32) } else { selector }
}

fn has_a_name(element: &Element) -> bool {
    !(element.id.is_empty() && element.text.is_empty() && element.hint.is_empty())
}

/// The name among `names` that somebody most likely meant who wrote `goal`, if one is near enough.
pub fn suggest<'a>(goal: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let goal = goal.to_lowercase();
    names
        .into_iter()
        .map(|name| (edit_distance(&goal, &name.to_lowercase()), name))
        .min()
        .filter(|(distance, name)| *distance <= 1 + goal.len().max(name.len()) / 4)
        .map(|(_, name)| name)
}

/// How many letters must be changed, added or dropped to make one of the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let change = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn button(id: &str, text: &str) -> Element {
        Element {
            role: Role::Button,
            id: id.into(),
            text: text.into(),
            state: State::DISPLAYED | State::ENABLED,
            ..Element::default()
        }
    }

    #[test]
    fn every_element_is_found_again_by_its_name() {
        let elements = vec![
            button("save", "Save"),
            button("", "Cancel"),
            button("", "Delete"),
            button("", "Delete"),
            button("row", "1"),
            button("row", "2"),
            button("", ""),
        ];
        let screen = Screen { elements, ..Screen::default() };
        let names: Vec<String> = (0..7).map(|i| screen.name_of(i).to_string()).collect();
        assert_eq!(
            names,
            [
                "#save",
                "\"Cancel\"",
                "button(\"Delete\")[1]",
                "button(\"Delete\")[2]",
                "#row[1]",
                "#row[2]",
                "button[7]"
            ]
        );
        for index in 0..7 {
            let found: Vec<usize> = screen.find(&screen.name_of(index)).map(|(i, _)| i).collect();
            assert_eq!(found, [index]);
        }
    }

    #[test]
    fn on_any_screen_a_name_finds_its_element_and_no_other() {
        let mut rng = Rng::new(1);
        for _ in 0..300 {
            let mut one = |of: &[&'static str]| of[rng.below(of.len() as u64) as usize].to_owned();
            let elements = (0..12)
                .map(|_| Element {
                    id: one(&["", "", "a", "b"]).into(),
                    text: one(&["", "x", "y"]).into(),
                    hint: one(&["", "x", "z"]).into(),
                    classes: one(&["", "k", "k k", "k l", "m"]).into(),
                    role: if one(&["r", "b"]) == "r" { Role::Button } else { Role::Field },
                    state: if one(&["", "d", "d"]) == "d" {
                        State::DISPLAYED
                    } else {
                        State::default()
                    },
                    ..Element::default()
                })
                .collect();
            let screen = Screen { elements, ..Screen::default() };
            let names = screen.names();
            for (index, element) in screen.elements.iter().enumerate() {
                let found: Vec<usize> = screen.find(&names.of(index)).map(|(i, _)| i).collect();
                if element.is(State::DISPLAYED) {
                    assert_eq!(found, [index], "{} on {screen:?}", names.of(index));
                }
            }
        }
    }

    #[test]
    fn what_has_neither_id_nor_text_is_named_by_a_class_of_its_own() {
        let classes = |classes: &str| Element { classes: classes.into(), ..button("", "") };
        let screen = Screen {
            elements: vec![classes("row"), classes("row destroy"), classes("row")],
            ..Screen::default()
        };
        let names: Vec<String> = (0..3).map(|i| screen.name_of(i).to_string()).collect();
        assert_eq!(names, ["button[1]", ".destroy", "button[3]"]);
        let nearest = screen.nearest(&Selector::class("destory").or(Selector::id("x")), 2);
        assert_eq!(nearest[0], Selector::class("destroy"));
    }

    #[test]
    fn the_nearest_names_come_first() {
        let screen = Screen {
            elements: vec![button("", "Sign out"), button("signin", "Sign in"), button("help", "")],
            ..Screen::default()
        };
        let nearest = screen.nearest(&Selector::id("sigin"), 2);
        assert_eq!(nearest[0].to_string(), "#signin");
        assert_eq!(nearest.len(), 2);
    }
}
