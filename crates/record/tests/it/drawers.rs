//! What opens over a page and does not go away by the control that opened it, on fake pages.
//!
//! On its own because the pages are phones' alone: a desktop has no veil.

use crate::pages::{DESK, PHONE, Pages, click, element, link, page};
use capuchin::ui::{Element, Rect, Role, Screen, State};
use capuchin_record::{Decision, DropReason, UndoOutcome};

/// A page of a phone with two buttons that may open the navigation.
fn phone(open: Option<usize>, has_veil: bool) -> Screen {
    let button = |classes: &str, text: &str| Element {
        classes: classes.into(),
        ..element(Role::Button, "button", text, Some(0))
    };
    let mut elements = vec![
        element(Role::Group, "header", "", None),
        button("hamburger", ""),
        button("", "Toggle sidebar"),
        link("Welcome", "welcome.html", None),
    ];
    for (at, element) in elements.iter_mut().enumerate().skip(1) {
        element.bounds = Rect::new(300, 40 * at as i32, 60, 30);
    }
    if let Some(open) = open {
        if has_veil {
            elements[1..].iter_mut().for_each(|element| element.state |= State::COVERED);
            let mut veil = element(Role::Group, "div", "", None);
            veil.state |= State::CLICKABLE;
            veil.bounds = Rect::new(0, 0, PHONE, 800);
            elements.push(veil);
        }
        let nav = elements.len() as u32;
        elements.push(element(Role::Group, "nav", "", None));
        elements.push(match open {
            0 => link("Pictures", "pictures.html", Some(nav)),
            _ => link("Colours", "colours.html", Some(nav)),
        });
        elements[nav as usize].bounds = Rect::new(0, 0, 200, 800);
    }
    page(PHONE, "", elements)
}

/// The navigation of a desktop, with what is behind the second button of the phone.
fn desk() -> Screen {
    let elements = vec![
        element(Role::Group, "nav", "", None),
        link("Colours", "colours.html", Some(0)),
        link("Welcome", "welcome.html", None),
    ];
    page(DESK, "", elements)
}

#[test]
fn a_drawer_is_closed_by_a_click_on_its_veil() {
    let screens = vec![phone(None, true), phone(Some(0), true), phone(Some(1), true)];
    let mut app = Pages::new(screens).press(0, 1, 1).press(0, 2, 2).press(1, 4, 0);
    let report = app.replay(vec![click(&desk(), 1)]);
    assert_eq!(app.done, [(0, 1), (1, 4), (0, 2), (2, 6)], "{:?}", report.events);
    assert_eq!(report.events[0].undo, UndoOutcome::CameBack);
}

#[test]
fn what_cannot_be_closed_is_no_reason_to_give_up() {
    let mut both = phone(Some(0), false);
    both.elements.push(link("Colours", "colours.html", Some(4)));
    both.elements[6].bounds = Rect::new(0, 300, 120, 28);
    let screens = vec![phone(None, false), phone(Some(0), false), both];
    let mut app = Pages::new(screens).press(0, 1, 1).press(1, 2, 2);
    let report = app.replay(vec![click(&desk(), 1)]);
    assert_eq!(app.done.last(), Some(&(2, 6)), "{:?} {:?}", app.done, report.events);
    // That something stayed open is told all the same.
    assert_eq!(report.events[0].undo, UndoOutcome::Failed);
}

/// The menu of a user: a button with a name on a desktop, with a picture on a phone.
fn user(width: i32, is_open: bool) -> Screen {
    let mut button = element(Role::Button, "a", if width == DESK { "John Doe" } else { "" }, None);
    button.state |= State::EXPANDABLE;
    button.classes = if width == DESK { "profile-name" } else { "avatar" }.into();
    button.bounds = Rect::new(width - 100, 0, 60, 30);
    let mut elements = vec![element(Role::Group, "main", "", None), button];
    if is_open {
        elements[1].state |= State::EXPANDED;
        elements.push(link("Logout", "login.html", None));
    }
    page(width, "", elements)
}

#[test]
fn a_control_that_lost_its_name_opens_the_way_all_the_same() {
    let mut app = Pages::new(vec![user(PHONE, false), user(PHONE, true)]).press(0, 1, 1);
    app = app.press(1, 1, 0);
    let report = app.replay(vec![click(&user(DESK, false), 1), click(&user(DESK, true), 2)]);
    assert_eq!(app.done, [(0, 1), (1, 2)], "{:?}", report.events);
    let [trigger, key] = [0, 1].map(|index| report.events[index].decision.clone());
    assert_eq!(trigger, Decision::Dropped(DropReason::NotNeeded));
    assert_eq!(key, Decision::Performed);
}
