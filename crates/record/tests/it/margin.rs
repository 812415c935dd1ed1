//! Matches have a margin: what is clear is found under another name, role or id; what is not is
//! refused with the candidates.

use capuchin::ui::{Element, Event, Rect, Role, Screen, Size, State, Target};
use capuchin_record::{Matched, RecordedEvent, ReplayOptions, counterpart};
use std::sync::Arc;

const CLICK: State = State::CLICKABLE;

fn element(role: Role, text: &str, more: State) -> Element {
    Element {
        role,
        text: text.into(),
        state: State::DISPLAYED | State::ENABLED | more,
        ..Element::default()
    }
}

fn button(text: &str) -> Element {
    element(Role::Button, text, CLICK)
}

fn screen(width: i32, elements: Vec<Element>) -> Screen {
    let mut screen = Screen { viewport: Size::new(width, 800), elements, ..Screen::default() };
    for (index, element) in screen.elements.iter_mut().enumerate() {
        let y = index as i32 * 40;
        if element.bounds.is_empty() {
            element.bounds = Rect::new(0, y, width / 2, 36);
        }
    }
    screen
}

/// The counterpart of the first element of the one list in the other.
fn matched(event: Event, recorded: Vec<Element>, present: Vec<Element>) -> Matched {
    let mut recorded = RecordedEvent {
        receiver: Some(0),
        ..RecordedEvent::new(event, Arc::new(screen(1280, recorded)))
    };
    recorded.receiver = Some(0);
    counterpart(&recorded, &screen(411, present), &ReplayOptions::default()).expect("it has one")
}

fn clicked(recorded: Vec<Element>, present: Vec<Element>) -> Matched {
    matched(Event::Click(Target::any()), recorded, present)
}

fn found(matched: &Matched) -> Option<usize> {
    match matched {
        Matched::Found { candidate, .. } => Some(candidate.index),
        _ => None,
    }
}

#[test]
fn the_same_name_is_found_in_another_role() {
    let present = vec![button("Cancel"), element(Role::Command, "Save", CLICK)];
    assert_eq!(found(&clicked(vec![button("Save"), button("Cancel")], present)), Some(1));
}

#[test]
fn of_two_of_one_name_the_role_that_was_described_is_meant() {
    let link = || element(Role::Link, "Home", State::CLICKABLE);
    let both = || vec![button("Home"), link()];
    assert_eq!(found(&clicked(vec![link()], both())), Some(1));
    assert_eq!(found(&clicked(vec![button("Home")], both())), Some(0));
    // Of what was seen, more is known than the role: a heading may have become a link.
    let seen = vec![link(), button("Store")];
    assert_eq!(found(&clicked(seen, vec![button("Home")])), Some(0));
}

#[test]
fn another_name_with_the_same_id_is_found() {
    let id = |id: &str, element: Element| Element { id: id.into(), ..element };
    let recorded = vec![id("user-menu", button("Ada Lovelace")), button("Cancel")];
    let present = vec![button("Cancel"), id("user-menu", element(Role::Image, "", CLICK))];
    assert_eq!(found(&clicked(recorded, present)), Some(1));
}

#[test]
fn a_field_is_no_button_and_takes_text() {
    let field = element(Role::Field, "Search", CLICK | State::EDITABLE);
    let recorded = vec![field.clone(), button("Go")];
    let typed = || Event::Type(Target::any(), "x".into());
    let present = vec![button("Search"), button("Go")];
    assert!(matches!(matched(typed(), recorded.clone(), present), Matched::Absent(_)));
    let present = vec![button("Search"), field, button("Go")];
    assert_eq!(found(&matched(typed(), recorded, present)), Some(1));
}

#[test]
fn two_that_fit_equally_well_are_refused_with_both() {
    let present = vec![button("Delete"), button("Delete"), button("Keep")];
    let matched = clicked(vec![button("Delete"), button("Keep")], present);
    let Matched::Ambiguous(candidates) = matched else { panic!("{matched:?}") };
    let names: Vec<String> = candidates.iter().take(2).map(|one| one.name.to_string()).collect();
    assert_eq!(names.len(), 2);
    assert!(names.iter().all(|name| name.starts_with("button(\"Delete\")")), "{names:?}");
}

#[test]
fn of_as_many_of_one_name_the_one_at_the_same_place_among_them_is_meant() {
    let rows = || vec![button("Edit"), button("Edit"), button("Edit")];
    assert_eq!(found(&clicked(rows(), rows())), Some(0));
}

#[test]
fn what_is_hidden_or_covered_does_not_count() {
    let mut copy = button("Save");
    copy.state.remove(State::DISPLAYED);
    let covered = element(Role::Button, "Save", CLICK | State::COVERED);
    let present = vec![copy.clone(), button("Save"), covered.clone()];
    assert_eq!(found(&clicked(vec![button("Save")], present)), Some(1));
    assert!(matches!(clicked(vec![button("Save")], vec![copy, covered]), Matched::Absent(_)));
}

#[test]
fn what_is_the_counterpart_of_something_else_is_not_taken() {
    // "Settings" is gone, and "Account settings" was there before, too.
    let recorded = vec![button("Settings"), button("Account settings"), button("Help")];
    let present = vec![button("Account settings"), button("Help")];
    assert!(matches!(clicked(recorded, present), Matched::Absent(_)));
}

#[test]
fn links_of_one_name_are_told_apart_by_where_they_lead() {
    let link = |leads_to: &str| Element {
        leads_to: leads_to.into(),
        ..element(Role::Link, "Read more", CLICK)
    };
    let recorded = vec![link("news/2"), link("news/1"), link("news/3")];
    let present = vec![link("../news/1/"), link("../news/2/")];
    assert_eq!(found(&clicked(recorded, present)), Some(1));
}

#[test]
fn a_button_of_a_row_is_that_of_the_row_with_the_same_content() {
    let rows = |names: &[&str]| {
        let mut elements = Vec::new();
        for name in names {
            let row = elements.len() as u32;
            elements.push(element(Role::Item, "", State::empty()));
            elements
                .push(Element { parent: Some(row), ..element(Role::Label, name, State::empty()) });
            elements.push(Element { parent: Some(row), ..button("Edit") });
        }
        elements
    };
    let recorded = screen(1280, rows(&["Milk", "Bread", "Butter"]));
    let event = Event::Click(Target::any());
    let mut event = RecordedEvent::new(event, Arc::new(recorded));
    event.receiver = Some(5);
    let present = screen(411, rows(&["Bread", "Butter", "Milk", "Eggs"]));
    let matched = counterpart(&event, &present, &ReplayOptions::default()).expect("it has one");
    assert_eq!(found(&matched), Some(2));
}

#[test]
fn a_link_and_the_label_in_it_are_one() {
    let present = vec![
        element(Role::Item, "Inbox", State::empty()),
        Element { parent: Some(0), ..element(Role::Link, "Inbox", CLICK) },
        Element { parent: Some(1), ..element(Role::Label, "Inbox", State::empty()) },
    ];
    assert_eq!(found(&clicked(vec![element(Role::Link, "Inbox", CLICK)], present)), Some(1));
}

#[test]
fn an_element_without_anything_is_refused_unless_it_is_at_the_same_spot() {
    let icon = || element(Role::Button, "", CLICK);
    let recorded = vec![icon(), button("Save")];
    assert!(!matches!(
        clicked(recorded.clone(), vec![button("Save"), icon()]),
        Matched::Found { .. }
    ));
    let mut same = RecordedEvent::new(Event::Click(Target::any()), Arc::new(screen(411, recorded)));
    same.receiver = Some(0);
    let present = screen(411, vec![icon(), button("Save")]);
    let matched = counterpart(&same, &present, &ReplayOptions::default()).expect("it has one");
    assert_eq!(found(&matched), Some(0));
}

#[test]
fn a_control_and_its_label_are_one() {
    let checkbox = |id: &str| Element {
        id: id.into(),
        ..element(Role::Checkbox, "Remember me", CLICK | State::CHECKABLE)
    };
    let label = |leads_to: &str| Element {
        leads_to: leads_to.into(),
        native: "label".into(),
        ..element(Role::Label, "Remember me", CLICK)
    };
    for (leads_to, is_found) in [("#remember", true), ("#another", false)] {
        let present = vec![label(leads_to), checkbox("remember")];
        let matched = clicked(vec![checkbox(""), button("Store")], present);
        assert_eq!(found(&matched).is_some(), is_found, "{leads_to}: {matched:?}");
    }
}
