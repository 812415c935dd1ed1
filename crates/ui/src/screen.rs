//! What is displayed: the elements of a screen in the order in which they are drawn.
//!
//! On its own because drivers fill it in and everybody else only searches it. A flat vector with
//! parent indices instead of a tree of boxes: it is built in one pass, searched in one pass, and
//! its memory is used again for the next screen.

use crate::{Element, Point, Selector, Size, State};
use std::fmt;

/// What is displayed, from the back to the front; a parent stands before its children.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// The size of the screen as it is held now.
    pub viewport: Size,
    /// Where the app is: an address, an activity, a window title. For people.
    pub place: crate::Str,
    /// The elements.
    pub elements: Vec<Element>,
}

impl Screen {
    /// The displayed elements that the selector fits, with their indices, in drawing order.
    pub fn find<'s, 'q>(
        &'s self,
        selector: &'q Selector,
    ) -> impl Iterator<Item = (usize, &'s Element)> + use<'s, 'q> {
        let skip = selector.nth.map_or(0, |n| n.saturating_sub(1) as usize);
        let take = if selector.nth.is_some() { 1 } else { usize::MAX };
        self.find_any(selector).skip(skip).take(take)
    }

    /// The same, whatever number the selector has.
    pub(crate) fn find_any<'s, 'q>(
        &'s self,
        selector: &'q Selector,
    ) -> impl Iterator<Item = (usize, &'s Element)> + use<'s, 'q> {
        // One round for each of several descriptions: what the first fits comes first.
        (0..selector.any_of.len().max(1)).flat_map(move |round| {
            self.elements
                .iter()
                .enumerate()
                .filter(move |(_, element)| element.is(State::DISPLAYED))
                .filter(move |(index, _)| self.rank(*index, selector) == Some(round))
        })
    }

    /// Which of several descriptions fits the element first; 0 if there is just the one. Nothing if
    /// the selector does not fit, whatever number it has.
    fn rank(&self, index: usize, selector: &Selector) -> Option<usize> {
        if !selector.fits_but_for_choice(&self.elements[index]) {
            return None;
        }
        let rank = match &selector.any_of[..] {
            [] => 0,
            several => several.iter().position(|one| self.is_one(index, one))?,
        };
        self.lies_in(index, selector).then_some(rank)
    }

    /// Whether the selector finds this element, its number included.
    fn is_one(&self, index: usize, selector: &Selector) -> bool {
        match selector.nth {
            Some(_) => self.find(selector).any(|(found, _)| found == index),
            None => self.rank(index, selector).is_some(),
        }
    }

    /// The first displayed element that the selector fits.
    pub fn first(&self, selector: &Selector) -> Option<&Element> {
        self.find(selector).next().map(|(_, element)| element)
    }

    /// How many displayed elements the selector fits.
    pub fn count(&self, selector: &Selector) -> usize {
        self.find(selector).count()
    }

    /// What the first displayed element that the selector fits says.
    pub fn text(&self, selector: &Selector) -> Option<&str> {
        self.first(selector).map(|element| element.shown().as_str())
    }

    /// What all displayed elements say that the selector fits, each on a line.
    pub fn texts(&self, selector: &Selector) -> String {
        let texts: Vec<&str> =
            self.find(selector).map(|(_, element)| element.shown().as_str()).collect();
        texts.join("\n")
    }

    /// The first number in what that element says.
    pub fn number(&self, selector: &Selector) -> Option<f64> {
        self.text(selector).and_then(first_number).filter(|number| number.is_finite())
    }

    fn lies_in(&self, index: usize, selector: &Selector) -> bool {
        let Some(outer) = &selector.within else { return true };
        match outer.nth {
            // The n-th of the outer ones is one element: find it, then look whether it is above.
            Some(_) => self
                .find(outer)
                .next()
                .is_some_and(|(found, _)| self.ancestors(index).any(|above| above == found)),
            None => self.ancestors(index).any(|above| self.rank(above, outer).is_some()),
        }
    }

    /// The indices of what the element is part of, from the inside out.
    pub fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let parent = move |index: usize| {
            self.elements[index]
                .parent
                .map(|parent| parent as usize)
                // A driver that gets this wrong must not send us round in circles.
                .filter(|parent| *parent < index)
        };
        std::iter::successors(parent(index), move |index| parent(*index))
    }

    /// The topmost displayed element at a point that takes `wanted`; nothing behind an opaque one.
    pub fn hit(&self, point: Point, wanted: State) -> Option<usize> {
        for (index, element) in self.elements.iter().enumerate().rev() {
            if element.is(State::DISPLAYED) && element.bounds.contains(point) {
                if element.is(wanted) {
                    return Some(index);
                }
                if element.is(State::OPAQUE) {
                    return None;
                }
            }
        }
        None
    }

    /// Marks what lies behind something opaque as covered. For drivers whose platform does not
    /// say so itself.
    pub fn mark_covered(&mut self) {
        for front in 0..self.elements.len() {
            let element = &self.elements[front];
            if !element.is(State::OPAQUE | State::DISPLAYED) {
                continue;
            }
            let bounds = element.bounds;
            for behind in 0..front {
                let inside = self.elements[behind].touch_point();
                if bounds.contains(inside) && !self.ancestors(front).any(|above| above == behind) {
                    self.elements[behind].state |= State::COVERED;
                }
            }
        }
    }
}

/// The first number that stands in a text: `"3 items left"` has 3, `"-1.5 °C"` has -1.5.
fn first_number(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let start = bytes.iter().position(u8::is_ascii_digit)?;
    let mut end = start;
    let mut dots = 0;
    while end < bytes.len()
        && (bytes[end].is_ascii_digit()
            || (bytes[end] == b'.'
                && dots == 0
                && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)))
    {
        dots += usize::from(bytes[end] == b'.');
        end += 1;
    }
    let number: f64 = text[start..end].parse().ok()?;
    let negative = start > 0 && bytes[start - 1] == b'-';
    Some(if negative { -number } else { number })
}

impl fmt::Display for Screen {
    /// The tree, indented, one element a line: for error messages and for the curious.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, element) in self.elements.iter().enumerate() {
            let depth = self.ancestors(index).count();
            write!(f, "{:depth$}{}", "", element.role.name(), depth = depth * 2)?;
            if !element.id.is_empty() {
                write!(f, " #{}", crate::Visible(&element.id))?;
            }
            for class in element.classes.split_ascii_whitespace() {
                write!(f, " .{}", crate::Visible(class))?;
            }
            // A placeholder is the name of a field that has no other.
            let hint = if element.hint == element.text { "" } else { element.hint.as_str() };
            for text in [element.text.as_str(), &element.value, hint] {
                if !text.is_empty() {
                    write!(f, " {}", crate::Quoted(text))?;
                }
            }
            for (state, word) in [
                (State::CHECKED, " checked"),
                (State::SELECTED, " selected"),
                (State::COVERED, " covered"),
            ] {
                if element.is(state) {
                    f.write_str(word)?;
                }
            }
            for (state, word) in [(State::DISPLAYED, " hidden"), (State::ENABLED, " disabled")] {
                if !element.is(state) {
                    f.write_str(word)?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rect, Role};

    fn element(id: &str, parent: Option<u32>, bounds: Rect) -> Element {
        Element {
            id: id.into(),
            parent,
            bounds,
            role: Role::Item,
            state: State::DISPLAYED | State::ENABLED,
            ..Element::default()
        }
    }

    fn screen() -> Screen {
        let mut screen = Screen { viewport: Size::new(100, 100), ..Screen::default() };
        screen.elements = vec![
            element("list", None, Rect::new(0, 0, 100, 100)),
            element("a", Some(0), Rect::new(0, 0, 100, 10)),
            element("b", Some(0), Rect::new(0, 10, 100, 10)),
            element("c", Some(2), Rect::new(0, 10, 50, 10)),
        ];
        screen
    }

    #[test]
    fn an_element_is_found_inside_another() {
        let screen = screen();
        let inside = |outer| Selector::role(Role::Item).inside(Selector::id(outer));
        assert_eq!(screen.count(&inside("list")), 3);
        assert_eq!(screen.count(&inside("b")), 1);
        assert_eq!(screen.find(&inside("list").nth(3)).map(|(i, _)| i).collect::<Vec<_>>(), [3]);
        let second_of_list = Selector::role(Role::Item).nth(3);
        assert_eq!(screen.count(&Selector::id("c").inside(second_of_list)), 1);
    }

    #[test]
    fn one_of_several_descriptions_is_enough_and_the_first_comes_first() {
        let mut screen = screen();
        screen.elements[1].classes = "row first".into();
        screen.elements[2].classes = "row".into();
        let found = |selector: Selector| {
            screen.find(&selector).map(|(_, e)| e.id.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(found(Selector::class("row")), ["a", "b"]);
        assert_eq!(found(Selector::class("ro")), Vec::<String>::new());
        let either = || Selector::id("b").or(Selector::class("row"));
        assert_eq!(found(either()), ["b", "a"], "each once");
        assert_eq!(found(either().nth(2)), ["a"]);
        assert_eq!(found(Selector::id("none").or(Selector::class("row").nth(2))), ["b"]);
        let inside = Selector::role(Role::Item).inside(Selector::id("none").or(Selector::id("b")));
        assert_eq!(found(inside), ["c"]);
        assert_eq!(found(either().inside(Selector::id("b"))), Vec::<String>::new());
    }

    #[test]
    fn what_is_behind_something_opaque_is_covered_and_not_hit() {
        let mut screen = screen();
        let mut veil = element("veil", None, Rect::new(0, 0, 100, 15));
        veil.state |= State::OPAQUE;
        screen.elements.push(veil);
        screen.mark_covered();
        assert!(screen.elements[1].is(State::COVERED));
        assert!(!screen.elements[0].is(State::COVERED), "its centre is not under the veil");
        assert_eq!(screen.hit(Point::new(5, 5), State::CLICKABLE), None);
    }

    #[test]
    fn the_first_number_of_a_text() {
        for (text, number) in [
            ("3 items left", Some(3.0)),
            ("-1.5 C", Some(-1.5)),
            ("no. 7.", Some(7.0)),
            ("v1.2.3", Some(1.2)),
            ("none", None),
        ] {
            assert_eq!(first_number(text), number, "{text}");
        }
    }
}
