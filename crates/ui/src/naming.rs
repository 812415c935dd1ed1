//! The name by which an element is found again, and the names nearest to one that is not there.
//!
//! On its own because naming is a matter of taste that will grow: a trace is read by people.

use crate::{Element, Role, Screen, Selector, State, TextMatch};

impl Screen {
    /// A selector that finds this element and no other: its id, else its text, else its role and
    /// text, else a class that no other has, else its number among its likes.
    pub fn name_of(&self, index: usize) -> Selector {
        let element = &self.elements[index];
        if !element.id.is_empty() {
            return self.numbered(Selector::id(element.id.clone()), index);
        }
        let text = if element.text.is_empty() { &element.hint } else { &element.text };
        if !text.is_empty() {
            let by_text = Selector::text(text.clone());
            if self.is_only(&by_text) {
                return by_text;
            }
            return self.numbered(Selector::role(element.role).saying(text.clone()), index);
        }
        let mut classes = element.classes.split_ascii_whitespace().map(Selector::class);
        match classes.find(|class| self.is_only(class)) {
            Some(class) => class,
            None => self.numbered(Selector::role(element.role), index),
        }
    }

    fn is_only(&self, selector: &Selector) -> bool {
        let mut found = self.find(selector);
        found.next().is_some() && found.next().is_none()
    }

    fn numbered(&self, selector: Selector, index: usize) -> Selector {
        let mut number = 0;
        let mut others = false;
        for (found, _) in self.find(&selector) {
            if found <= index {
                number += 1;
            }
            others |= found != index;
        }
        if others { selector.nth(number) } else { selector }
    }

    /// What lies on top of the first element that the selector fits.
    pub fn covering(&self, selector: &Selector) -> Option<Selector> {
        let point = self.first(selector)?.bounds.center();
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
