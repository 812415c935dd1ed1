//! The layers of a screen: dialogs, drawers and bars that lie in front of the rest.
//!
//! On its own because cuts cannot part what overlaps: views in front of others are set apart first,
//! by the order in which they are drawn.

use crate::outline::Outline;
use capuchin::ui::{Rect, Role, State};

/// Of each element, the number of its layer; 0 is the layer at the back.
pub(crate) fn layers(outline: &Outline<'_>) -> Vec<u32> {
    let elements = &outline.screen.elements;
    let mut layers = vec![0; elements.len()];
    let mut last = 0;
    for index in 0..elements.len() {
        let above = elements[index].parent.map_or(0, |parent| layers[parent as usize]);
        layers[index] = if begins_layer(outline, index, &layers, above) {
            last += 1;
            last
        } else {
            above
        };
    }
    layers
}

/// Whether an element lies in front of others with all that is in it.
fn begins_layer(outline: &Outline<'_>, index: usize, layers: &[u32], layer: u32) -> bool {
    let element = outline.element(index);
    if !outline.is_displayed(index) {
        return false;
    }
    if element.role == Role::Dialog || element.is(State::OPAQUE) {
        return true;
    }
    // A part of the screen, and no single control, that lies over controls of the same layer which
    // cannot be reached for it. What is covered is no layer itself.
    let holds_some = outline.children[index].len() > 1 || element.role == Role::Menu;
    if !holds_some || element.is(State::COVERED) {
        return false;
    }
    let reaches = |other: usize| outline.views[other].is_reachable;
    let lies_behind = |other: usize| {
        layers[other] == layer
            && outline.element(other).is(State::COVERED)
            && outline.element(other).is(State::DISPLAYED)
            && contains(element.bounds, outline.element(other).bounds)
            && !outline.are_nested(other, index)
    };
    (0..index).any(lies_behind) && outline.descendants(index).into_iter().any(reaches)
}

fn contains(outer: Rect, inner: Rect) -> bool {
    !outer.is_empty() && outer.contains(inner.center())
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin::ui::{Element, Screen, Size};

    fn at(role: Role, y: i32, height: i32, parent: Option<u32>, more: State) -> Element {
        Element {
            role,
            text: "x".into(),
            bounds: Rect::new(0, y, 100, height),
            state: State::DISPLAYED | State::ENABLED | State::CLICKABLE | more,
            parent,
            ..Element::default()
        }
    }

    fn check(elements: Vec<Element>, expected: &[u32]) {
        let screen = Screen { viewport: Size::new(100, 100), elements, ..Screen::default() };
        assert_eq!(layers(&Outline::new(&screen)), expected);
    }

    #[test]
    fn a_dialog_is_a_layer_with_all_that_is_in_it() {
        let none = State::empty();
        check(
            vec![
                at(Role::Group, 0, 100, None, none),
                at(Role::Button, 0, 10, Some(0), State::COVERED),
                at(Role::Dialog, 0, 50, Some(0), State::OPAQUE),
                at(Role::Button, 5, 10, Some(2), none),
                at(Role::Button, 80, 10, Some(0), none),
            ],
            &[0, 0, 1, 1, 0],
        );
    }

    #[test]
    fn what_covers_controls_is_a_layer_even_if_it_does_not_say_so() {
        let none = State::empty();
        check(
            vec![
                at(Role::Group, 0, 100, None, none),
                at(Role::Button, 10, 10, Some(0), State::COVERED),
                at(Role::Group, 0, 30, Some(0), none),
                at(Role::Link, 5, 10, Some(2), none),
                at(Role::Link, 15, 10, Some(2), none),
                at(Role::Button, 60, 10, Some(0), none),
            ],
            &[0, 0, 1, 1, 1, 0],
        );
    }
}
