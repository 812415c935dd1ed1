//! How far two views are apart: the measures of which the naturalness of a cut is made, each from 0
//! (together) to 1 (apart).
//!
//! On its own because each is an opinion about screens that stands and falls by itself. Which six
//! the paper used is not printed; these do what it describes.

use capuchin::ui::{Rect, Role};

/// What the measures look at of a view.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) bounds: Rect,
    pub(crate) role: Role,
    pub(crate) native: u64,
    /// The elements that it is in, from the root down, as far as they count.
    pub(crate) path: Vec<u32>,
    pub(crate) scroller: Option<u32>,
    pub(crate) has_text: bool,
}

/// How many measures there are.
pub(crate) const MEASURES: f32 = 6.0;

/// The sum of all measures: they have the same weight.
pub(crate) fn apart(one: &Measured, other: &Measured, diagonal: f32) -> f32 {
    distance(one, other, diagonal)
        + class(one, other)
        + tree(one, other)
        + scrolling(one, other)
        + text(one, other)
        + area(one, other)
}

/// How wide the gap between their edges is: a third of the screen's diagonal is as far as can be.
pub(crate) fn distance(one: &Measured, other: &Measured, diagonal: f32) -> f32 {
    let gap = |start: i32, length: i32, other_start: i32, other_length: i32| {
        let after = other_start.saturating_sub(start).saturating_sub(length);
        let before = start.saturating_sub(other_start).saturating_sub(other_length);
        after.max(before).max(0) as f32
    };
    let (a, b) = (one.bounds, other.bounds);
    let across = gap(a.x, a.width, b.x, b.width);
    let down = gap(a.y, a.height, b.y, b.height);
    (3.0 * (across * across + down * down).sqrt() / diagonal.max(1.0)).min(1.0)
}

/// Whether they are of different classes.
pub(crate) fn class(one: &Measured, other: &Measured) -> f32 {
    f32::from(u8::from(one.native != other.native || one.role != other.role))
}

/// How far down from the root their last common element is.
pub(crate) fn tree(one: &Measured, other: &Measured) -> f32 {
    let longest = one.path.len().max(other.path.len());
    if longest == 0 {
        return 0.0;
    }
    let common = one.path.iter().zip(&other.path).take_while(|(a, b)| a == b).count();
    1.0 - common as f32 / longest as f32
}

/// Whether they scroll with different things.
pub(crate) fn scrolling(one: &Measured, other: &Measured) -> f32 {
    f32::from(u8::from(one.scroller != other.scroller))
}

/// Whether one says something and the other does not.
pub(crate) fn text(one: &Measured, other: &Measured) -> f32 {
    f32::from(u8::from(one.has_text != other.has_text))
}

/// How different their sizes are.
pub(crate) fn area(one: &Measured, other: &Measured) -> f32 {
    let area = |rect: Rect| rect.width as f32 * rect.height as f32;
    let (a, b) = (area(one.bounds).max(1.0), area(other.bounds).max(1.0));
    1.0 - a.min(b) / a.max(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(x: i32, width: i32) -> Measured {
        Measured {
            bounds: Rect::new(x, 0, width, 10),
            role: Role::Button,
            native: 1,
            path: vec![0, 1, 2],
            scroller: Some(1),
            has_text: true,
        }
    }

    #[test]
    fn the_distance_is_that_of_the_edges() {
        assert_eq!(distance(&view(0, 10), &view(10, 10), 300.0), 0.0);
        assert_eq!(distance(&view(0, 10), &view(40, 10), 300.0), 0.3);
        assert_eq!(distance(&view(0, 10), &view(400, 10), 300.0), 1.0);
    }

    #[test]
    fn classes_differ_by_role_or_by_native_class() {
        assert_eq!(class(&view(0, 1), &view(0, 1)), 0.0);
        assert_eq!(class(&view(0, 1), &Measured { native: 2, ..view(0, 1) }), 1.0);
        assert_eq!(class(&view(0, 1), &Measured { role: Role::Link, ..view(0, 1) }), 1.0);
    }

    #[test]
    fn in_the_tree_what_parts_late_is_near() {
        let other = |path: &[u32]| Measured { path: path.to_vec(), ..view(0, 1) };
        assert_eq!(tree(&view(0, 1), &view(0, 1)), 0.0);
        assert!((tree(&view(0, 1), &other(&[0, 1, 9])) - 1.0 / 3.0).abs() < 1e-6);
        assert_eq!(tree(&view(0, 1), &other(&[9])), 1.0);
        assert_eq!(tree(&other(&[]), &other(&[])), 0.0);
    }

    #[test]
    fn scrolling_text_and_area() {
        assert_eq!(scrolling(&view(0, 1), &Measured { scroller: None, ..view(0, 1) }), 1.0);
        assert_eq!(text(&view(0, 1), &Measured { has_text: false, ..view(0, 1) }), 1.0);
        assert_eq!(area(&view(0, 10), &view(0, 40)), 0.75);
        assert_eq!(area(&view(0, 0), &view(0, 0)), 0.0);
    }

    #[test]
    fn the_sum_of_all_is_at_most_their_number() {
        let other = Measured {
            bounds: Rect::new(9999, 9999, 1, 1),
            role: Role::Link,
            native: 9,
            path: vec![7],
            scroller: None,
            has_text: false,
        };
        assert!(apart(&view(0, 100), &other, 100.0) <= MEASURES);
        assert_eq!(apart(&view(0, 10), &view(0, 10), 100.0), 0.0);
    }
}
