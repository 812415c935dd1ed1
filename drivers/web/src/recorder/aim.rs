//! Which element somebody means who presses at a point: the button, and not the picture in it.
//!
//! On its own because it is a rule about screens. A press is performed at the middle of the element
//! that is named, so what is named must be what is there.

use capuchin_ui::{Event, Point, Role, Screen, State, Target, Toward};

/// Roles of what is pressed as a whole, wherever it is pressed.
const WHOLE: [Role; 11] = [
    Role::Button,
    Role::Checkbox,
    Role::Field,
    Role::Link,
    Role::Radio,
    Role::Switch,
    Role::Slider,
    Role::Combobox,
    Role::Choice,
    Role::Tab,
    Role::Command,
];

/// A press of the innermost of these elements, or of what it is a part of; at the point, if none of
/// them would be hit.
pub(super) fn pressed(
    screen: &Screen,
    chain: &[usize],
    at: Point,
    press: impl Fn(Target) -> Event,
) -> Event {
    let at_point = press(Target::from(at));
    let is_displayed = |index: &&usize| screen.elements[**index].is(State::DISPLAYED);
    let Some(inner) = chain.iter().find(is_displayed) else { return at_point };
    // Where on it matters.
    if screen.elements[*inner].native == "canvas" {
        return at_point;
    }
    let is_whole = |index: &&usize| WHOLE.contains(&screen.elements[**index].role);
    let whole = chain.iter().find(is_whole);
    // A cross in a link removes it: what listens by itself is not a part of what is around it.
    let listens = |index: &&usize| {
        let element = &screen.elements[**index];
        element.is(State::DISPLAYED) && element.is(State::CLICKABLE)
    };
    let within = chain.iter().take_while(|index| !is_whole(index)).find(listens);
    let within = within.filter(|_| whole.is_some());
    let inner_bounds = screen.elements[*inner].bounds;
    let others = chain.iter().filter(|index| {
        !is_ground(screen, **index)
            && inner_bounds.contains(screen.elements[**index].touch_point())
            && is_open_at_touch(screen, **index)
    });
    let named = |index: &usize| {
        let event = press(Target::One(screen.name_of(*index)));
        (screen.locate(&event) == Ok(Some(*index))).then_some(event)
    };
    within.into_iter().chain(whole).chain(others).find_map(named).unwrap_or(at_point)
}

/// A press that moves from there: of what can be moved, else as [`pressed`].
pub(super) fn dragged(screen: &Screen, chain: &[usize], at: Point, toward: &Toward) -> Event {
    let movable = chain.iter().find(|index| screen.elements[**index].is(State::SCROLLABLE));
    let is_page = |index: &&usize| screen.elements[**index].native == "html";
    let swipe = |target: Target| Event::Swipe(target, toward.clone());
    if let Some(index) = movable.filter(|index| !is_page(index)) {
        let event = swipe(Target::One(screen.name_of(*index)));
        if screen.locate(&event) == Ok(Some(*index)) {
            return event;
        }
    }
    pressed(screen, chain, at, swipe)
}

/// The innermost of these elements that says something.
pub(super) fn said(screen: &Screen, chain: &[usize]) -> Option<usize> {
    let says = |index: &&usize| {
        let element = &screen.elements[**index];
        element.is(State::DISPLAYED) && !(element.text.is_empty() && element.value.is_empty())
    };
    chain.iter().find(says).or(chain.first()).copied()
}

/// Whether it is empty ground: it has no name, does nothing when it is pressed, and other elements
/// stand on it.
fn is_ground(screen: &Screen, index: usize) -> bool {
    let element = &screen.elements[index];
    let is_unnamed = element.role == Role::Group
        && [&element.id, &element.text, &element.hint].iter().all(|said| said.is_empty())
        && !element.is(State::CLICKABLE);
    let mut others = screen.elements.iter();
    is_unnamed
        && others.any(|other| other.parent == Some(index as u32) && other.is(State::DISPLAYED))
}

/// Whether nothing that is in an element lies where it would be touched.
fn is_open_at_touch(screen: &Screen, index: usize) -> bool {
    let at = screen.elements[index].touch_point();
    let is_inside = |mut other: usize| {
        while let Some(parent) = screen.elements[other].parent {
            if parent as usize == index {
                return true;
            }
            other = parent as usize;
        }
        false
    };
    let after = screen.elements.iter().enumerate().skip(index + 1);
    !after
        .filter(|(_, element)| element.is(State::DISPLAYED) && element.bounds.contains(at))
        .any(|(other, _)| is_inside(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin_ui::{Element, Rect, Size};

    fn element(role: Role, id: &str, parent: Option<u32>, bounds: Rect) -> Element {
        let state = State::DISPLAYED | State::ENABLED;
        Element { role, id: id.into(), parent, bounds, state, ..Element::default() }
    }

    fn screen(elements: Vec<Element>) -> Screen {
        Screen { viewport: Size::new(100, 100), elements, ..Screen::default() }
    }

    fn click(screen: &Screen, chain: &[usize]) -> String {
        pressed(screen, chain, Point::new(3, 3), Event::Click).to_string()
    }

    #[test]
    fn a_button_is_pressed_and_not_the_picture_in_it() {
        let screen = screen(vec![
            element(Role::Group, "page", None, Rect::new(0, 0, 100, 100)),
            element(Role::Button, "save", Some(0), Rect::new(0, 0, 40, 20)),
            element(Role::Image, "icon", Some(1), Rect::new(0, 0, 10, 10)),
        ]);
        assert_eq!(click(&screen, &[2, 1, 0]), "Click(#save)");
    }

    #[test]
    fn what_listens_in_a_link_is_pressed_and_not_the_link() {
        let mut cross = element(Role::Label, "cross", Some(0), Rect::new(0, 0, 10, 10));
        let link = element(Role::Link, "mail", None, Rect::new(0, 0, 100, 20));
        let icon = element(Role::Image, "icon", Some(1), Rect::new(0, 0, 10, 10));
        let deaf = screen(vec![link.clone(), cross.clone(), icon.clone()]);
        assert_eq!(click(&deaf, &[2, 1, 0]), "Click(#mail)");
        cross.state |= State::CLICKABLE;
        let listening = screen(vec![link, cross, icon]);
        assert_eq!(click(&listening, &[2, 1, 0]), "Click(#cross)");
        assert_eq!(click(&listening, &[0]), "Click(#mail)");
    }

    #[test]
    fn an_entry_is_pressed_and_not_the_list_that_listens() {
        let screen = screen(vec![
            element(Role::List, "list", None, Rect::new(0, 0, 100, 90)),
            element(Role::Item, "one", Some(0), Rect::new(0, 0, 100, 30)),
            element(Role::Item, "two", Some(0), Rect::new(0, 30, 100, 30)),
        ]);
        assert_eq!(click(&screen, &[1, 0]), "Click(#one)");
    }

    #[test]
    fn ground_without_a_name_is_pressed_at_its_point_and_a_leaf_is_not() {
        let ground = |id| {
            screen(vec![
                element(Role::Group, id, None, Rect::new(0, 0, 100, 100)),
                element(Role::Button, "save", Some(0), Rect::new(0, 0, 20, 20)),
            ])
        };
        assert_eq!(click(&ground(""), &[0]), "Click((3, 3))");
        assert_eq!(click(&ground("canvas"), &[0]), "Click(#canvas)");
        let leaf = screen(vec![element(Role::Group, "", None, Rect::new(0, 0, 100, 100))]);
        assert_eq!(click(&leaf, &[0]), "Click(group)");
    }

    #[test]
    fn empty_ground_is_pressed_at_its_point() {
        let screen = screen(vec![
            element(Role::Group, "page", None, Rect::new(0, 0, 100, 100)),
            element(Role::Button, "middle", Some(0), Rect::new(40, 40, 20, 20)),
        ]);
        assert_eq!(click(&screen, &[0]), "Click((3, 3))");
        assert_eq!(click(&screen, &[]), "Click((3, 3))");
    }
}
