//! What apps do to their pages from one layout to another, one kind a test: the replay finds the
//! right element, or says that it does not.

use crate::pages::{DESK, PHONE, Pages, click, element, hidden, link, page};
use capuchin::ui::{Element, Event, Place, Point, Rect, Role, Screen, State, Target, Toward};
use capuchin_record::{
    Decision, Matched, RecordedEvent, RefusalReason, ReplayOptions, counterpart,
};
use std::sync::Arc;

/// A page with a navigation and a text that has a link to the same page.
fn with_text(width: i32, is_open: bool) -> Screen {
    let shown = |one: Element| if is_open { one } else { hidden(one) };
    let classes = |classes: &str, one: Element| Element { classes: classes.into(), ..one };
    page(
        width,
        "",
        vec![
            classes("menu-toggle", element(Role::Button, "button", "", None)),
            shown(element(Role::Group, "nav", "", None)),
            shown(link("Reference", "reference/", Some(1))),
            shown(link("Guide", "guide/", Some(1))),
            element(Role::Group, "main", "", None),
            element(Role::Heading, "h1", "Manual", Some(4)),
            link("Reference", "reference/", Some(4)),
        ],
    )
}

#[test]
fn the_entry_of_a_closed_menu_is_meant_and_not_the_link_in_a_text() {
    let recorded = vec![click(&with_text(DESK, true), 2)];
    let mut phone =
        Pages::new(vec![with_text(PHONE, false), with_text(PHONE, true)]).press(0, 0, 1);
    let report = phone.replay(recorded);
    assert_eq!(phone.done, [(0, 0), (1, 2)], "{:?}", report.events);
}

#[test]
fn a_menu_button_that_would_hide_what_is_shown_is_left_out() {
    let phone = [with_text(PHONE, false), with_text(PHONE, true)];
    let recorded = vec![click(&phone[0], 0), click(&phone[1], 2)];
    let mut desk = Pages::new(vec![with_text(DESK, true), with_text(DESK, false)]).press(0, 0, 1);
    let report = desk.replay(recorded);
    assert_eq!(desk.done, [(0, 2)], "{:?}", report.events);
}

/// A bar with two links to the first page, of which a phone has the second, in its menu.
fn with_brand(width: i32, is_open: bool) -> Screen {
    let is_wide = width == DESK;
    let shown = |is_shown: bool, one: Element| if is_shown { one } else { hidden(one) };
    page(
        width,
        "mail.html",
        vec![
            element(Role::Group, "nav", "", None),
            element(Role::Button, "button", "☰", Some(0)),
            shown(is_wide, link("Home", "start.html", Some(0))),
            element(Role::Group, "nav", "", None),
            shown(is_wide || is_open, link("Acme Mail 3", "start.html", Some(3))),
            shown(is_wide || is_open, link("Trash", "trash.html", Some(3))),
        ],
    )
}

#[test]
fn a_link_to_the_same_page_is_the_last_resort() {
    let recorded = vec![click(&with_brand(DESK, true), 2)];
    let phone = || Pages::new(vec![with_brand(PHONE, false), with_brand(PHONE, true)]);
    let mut phone = phone().press(0, 1, 1).press(1, 1, 0);
    let report = phone.replay(recorded.clone());
    assert_eq!(phone.done.last(), Some(&(1, 4)), "{:?}", report.events);
    // Where no link leads there, there is none.
    let mut other = with_brand(PHONE, true);
    other.elements[4].leads_to = "about.html".into();
    let mut phone = Pages::new(vec![other]);
    let report = phone.replay(recorded);
    assert!(matches!(report.events[0].decision, Decision::Refused { .. }), "{:?}", report.events);
}

#[test]
fn another_field_of_the_same_name_is_no_reason_to_leave_out_what_opens_the_right_one() {
    let field = |classes: &str, parent| Element {
        hint: "Search".into(),
        classes: classes.into(),
        state: State::DISPLAYED | State::ENABLED | State::CLICKABLE | State::EDITABLE,
        ..element(Role::Field, "input", "Search", parent)
    };
    let screen = |width: i32, is_open: bool| {
        let shown = |is_shown: bool, one: Element| if is_shown { one } else { hidden(one) };
        let classes = |classes: &str, one: Element| Element { classes: classes.into(), ..one };
        page(
            width,
            "",
            vec![
                element(Role::Group, "nav", "", None),
                classes("search-icon", element(Role::Button, "a", "\u{f002}", Some(0))),
                shown(is_open, classes("search-block", element(Role::Group, "div", "", Some(0)))),
                shown(is_open, field("form-control navbar-search", Some(2))),
                classes("side-tools", element(Role::Group, "aside", "", None)),
                shown(width == DESK, field("form-control sidebar-search", Some(4))),
            ],
        )
    };
    let phone = [screen(PHONE, false), screen(PHONE, true)];
    let mut typed = click(&phone[1], 3);
    typed.event = Event::Type(Target::One(phone[1].name_of(3)), "orders".into());
    let recorded = vec![click(&phone[0], 1), typed];
    let mut desk = Pages::new(vec![screen(DESK, false), screen(DESK, true)]).press(0, 1, 1);
    let report = desk.replay(recorded);
    assert_eq!(desk.done, [(0, 1), (1, 3)], "{:?}", report.events);
}

/// A list of contents that stands open on a desktop, and is behind a label on a phone.
fn with_contents(width: i32, is_open: bool) -> Screen {
    let shown = |one: Element| if is_open { one } else { hidden(one) };
    let label = Element {
        leads_to: "#contents-switch".into(),
        ..element(Role::Label, "label", "Chapter one", Some(0))
    };
    page(
        width,
        "one",
        vec![
            element(Role::Group, "aside", "", None),
            label,
            shown(element(Role::Group, "div", "", Some(0))),
            shown(link("First steps", "#first", Some(2))),
            shown(link("Next steps", "#next", Some(2))),
            element(Role::Button, "button", "Print", None),
        ],
    )
}

#[test]
fn a_part_that_is_hidden_is_opened_by_the_label_beside_it() {
    let recorded = vec![click(&with_contents(DESK, true), 3)];
    let screens = vec![with_contents(PHONE, false), with_contents(PHONE, true)];
    let mut phone = Pages::new(screens).press(0, 1, 1);
    let report = phone.replay(recorded);
    assert_eq!(phone.done, [(0, 1), (1, 3)], "{:?}", report.events);
}

#[test]
fn a_button_that_does_something_is_not_pressed_to_open_what_stands_beside_it() {
    let mut phone = with_contents(PHONE, false);
    phone.elements[1] = element(Role::Button, "button", "Delete all", Some(0));
    let mut phone = Pages::new(vec![phone]);
    let report = phone.replay(vec![click(&with_contents(DESK, true), 3)]);
    assert_eq!(phone.done, [], "{:?}", report.events);
    assert!(matches!(report.events[0].decision, Decision::Refused { .. }));
}

#[test]
fn a_text_that_came_too_early_is_typed_again() {
    let screen = |value: &str, has_result: bool| {
        let mut field = element(Role::Field, "input", "Find", None);
        field.state |= State::CLICKABLE | State::EDITABLE | State::FOCUSED;
        field.value = value.into();
        let result = link("Hooks and plugins", "hooks", None);
        page(PHONE, "", vec![field, if has_result { result } else { hidden(result) }])
    };
    let (before, after) = (screen("", false), screen("hooks", true));
    let mut typed = click(&before, 0);
    typed.event = Event::Type(Target::One(before.name_of(0)), "hooks".into());
    let recorded = vec![typed, click(&after, 1)];
    let screens = vec![before, screen("hooks", false), screen("", false), after];
    let mut app = Pages::new(screens).text(0, 0, 1).text(1, 0, 2).text(2, 0, 3);
    let report = app.replay(recorded);
    assert_eq!(app.done, [(0, 0), (1, 0), (2, 0), (3, 1)], "{:?}", report.events);
}

#[test]
fn a_picture_is_pressed_with_its_button() {
    let screen = |width: i32, names: [&str; 2]| {
        let mut elements = Vec::new();
        for name in names {
            let button = elements.len() as u32;
            elements.push(element(Role::Button, "button", name, None));
            elements.push(Element {
                classes: "icon".into(),
                ..element(Role::Group, "span", "", Some(button))
            });
        }
        page(width, "", elements)
    };
    let recorded = click(&screen(DESK, ["Save", "Print"]), 3);
    let present = screen(PHONE, ["Print", "Save"]);
    let matched = counterpart(&recorded, &present, &ReplayOptions::default());
    let Some(Matched::Found { candidate, .. }) = matched else { panic!("{matched:?}") };
    assert_eq!(candidate.index, 0);
}

#[test]
fn of_as_many_of_one_name_the_same_number_is_meant_and_else_none() {
    let screen = |width: i32, count: usize| {
        let labels = (0..count).map(|_| element(Role::Button, "label", "Off", None));
        page(width, "", labels.collect())
    };
    let recorded = click(&screen(DESK, 6), 4);
    let options = ReplayOptions::default();
    let matched = counterpart(&recorded, &screen(PHONE, 6), &options);
    let Some(Matched::Found { candidate, .. }) = matched else { panic!("{matched:?}") };
    assert_eq!(candidate.index, 4);
    let matched = counterpart(&recorded, &screen(PHONE, 5), &options);
    assert!(matches!(matched, Some(Matched::Ambiguous(_))), "{matched:?}");
}

#[test]
fn nothing_is_revealed_on_another_site() {
    let recorded: Vec<RecordedEvent> = vec![click(&with_text(DESK, true), 3)];
    let menu = Element {
        leads_to: "https://elsewhere.test/menu".into(),
        ..element(Role::Link, "a", "Menu", None)
    };
    let mut phone = Pages::new(vec![page(PHONE, "", vec![menu])]);
    let report = phone.replay(recorded);
    assert_eq!(phone.done, [], "{:?}", report.events);
    let _: Arc<Screen> = report.last_screen.expect("the run has ended");
}

/// A board with a card and two columns to which it can be dragged.
fn board(width: i32, columns: [&str; 2]) -> Screen {
    let button = |text| element(Role::Button, "button", text, None);
    page(width, "", vec![button("Card"), button(columns[0]), button(columns[1])])
}

#[test]
fn what_is_dragged_to_something_that_is_not_there_stays() {
    let screen = board(DESK, ["Doing", "Done"]);
    let names = [screen.name_of(0), screen.name_of(1)];
    let [card, column] = names;
    let event = Event::Swipe(Target::One(card), Toward::Element(column));
    let mut recorded = RecordedEvent::new(event, Arc::new(screen));
    recorded.receiver = Some(0);
    let decided = |columns| {
        let mut phone = Pages::new(vec![board(PHONE, columns)]);
        phone.replay(vec![recorded.clone()]).events[0].clone()
    };
    let there = decided(["Done", "Doing"]);
    assert!(there.is_performed(), "{there:?}");
    let not_there = decided(["Later", "Never"]);
    let why = RefusalReason::NoEnd;
    assert!(
        matches!(&not_there.decision, Decision::Refused { why: said, .. } if *said == why),
        "{not_there:?}"
    );
}

#[test]
fn keys_after_a_refused_event_go_nowhere() {
    let form = |field: &str| {
        let button = element(Role::Button, "button", field, None);
        page(DESK, "", vec![button, element(Role::Button, "button", "Pay now", None)])
    };
    let screen = form("Recipient");
    let key = |name: &str| RecordedEvent::new(Event::Press(name.into()), Arc::new(screen.clone()));
    let recorded = vec![click(&screen, 0), key("ArrowDown"), key("Enter")];
    let mut other = Pages::new(vec![form("Weather")]);
    let report = other.replay(recorded);
    assert!(report.events.iter().all(|event| !event.is_performed()), "{:?}", report.events);
    assert!(other.done.is_empty(), "{:?}", other.done);
}

#[test]
fn a_switch_is_not_a_button_whose_name_begins_like_it() {
    let screen = page(DESK, "", vec![element(Role::Button, "button", "Notifications sound", None)]);
    let mut switch = element(Role::Switch, "button", "Notifications", None);
    switch.state |= State::CLICKABLE | State::CHECKABLE;
    let mut phone = Pages::new(vec![page(PHONE, "", vec![switch])]);
    let report = phone.replay(vec![click(&screen, 0)]);
    assert!(phone.done.is_empty(), "{:?}", report.events);
}

/// A bar whose entries are rows, and a list of folders with their letters.
fn mail(width: i32, is_open: bool) -> Screen {
    let shown = |one: Element| if is_open { one } else { hidden(one) };
    let row = |parent| element(Role::Item, "li", "", Some(parent));
    let button = |text, parent| element(Role::Button, "a", text, Some(parent));
    page(
        width,
        "",
        vec![
            element(Role::List, "ul", "", None),
            row(0),
            button("\u{f0c9}", 1),
            row(0),
            button("Help", 3),
            element(Role::List, "ul", "", None),
            shown(row(5)),
            shown(button("Inbox", 6)),
            shown(row(5)),
            shown(button("Drafts", 8)),
            element(Role::Button, "button", "Print", None),
        ],
    )
}

#[test]
fn a_row_is_chosen_again_and_a_sign_in_a_row_is_not() {
    let [closed, open] = [false, true].map(|is_open| mail(PHONE, is_open));
    let mut bare = open.clone();
    bare.elements.truncate(10);
    // The menu opens the folders, and a folder shows the button that prints it.
    let recorded = vec![click(&closed, 2), click(&bare, 9), click(&open, 10)];
    let mut desk = Pages::new(vec![mail(DESK, true), mail(DESK, false)]).press(0, 2, 1);
    let report = desk.replay(recorded);
    assert_eq!(desk.done, [(0, 9), (0, 10)], "{:?}", report.events);
}

/// A page with a navigation; in a redesign, what it led to stands in parts that are closed. The
/// first says that it is open, as pages do that nobody looked at closely.
fn redesigned(open: Option<usize>) -> Screen {
    let head = |text: &str, id: &str, state: State| {
        let mut head = link(text, id, Some(0));
        head.state |= State::EXPANDABLE | state;
        head
    };
    let part = |id: &str| Element { id: id.into(), ..element(Role::Group, "div", "", Some(0)) };
    let mut elements = vec![
        element(Role::Group, "nav", "", None),
        head("Components", "#components", State::EXPANDED),
        hidden(part("components")),
        head("Utilities", "#utilities", State::empty()),
        hidden(part("utilities")),
        element(Role::Group, "main", "", None),
    ];
    let entries =
        [link("Buttons", "buttons.html", Some(2)), link("Colours", "colours.html", Some(4))];
    if let Some(open) = open {
        elements[2 + 2 * open].state |= State::DISPLAYED;
        elements.push(entries[open].clone());
    }
    page(DESK, "", elements)
}

#[test]
fn an_entry_is_found_in_a_closed_part_of_the_navigation() {
    let old = page(
        DESK,
        "",
        vec![
            element(Role::Group, "nav", "", None),
            link("Colours", "colours.html", Some(0)),
            element(Role::Group, "main", "", None),
        ],
    );
    let screens = vec![redesigned(None), redesigned(Some(0)), redesigned(Some(1))];
    let mut new = Pages::new(screens).press(0, 1, 1).press(0, 3, 2).press(1, 1, 0).press(2, 3, 0);
    let report = new.replay(vec![click(&old, 1)]);
    assert_eq!(new.done, [(0, 1), (1, 1), (0, 3), (2, 6)], "{:?}", report.events);
}

#[test]
fn the_text_in_a_covered_control_is_covered() {
    let menu = |is_covered: bool| {
        let mut entry = element(Role::Label, "label", "Reference", None);
        entry.state |= State::CLICKABLE;
        entry.state.set(State::COVERED, is_covered);
        page(PHONE, "", vec![entry, element(Role::Label, "span", "Reference", Some(0))])
    };
    let recorded = click(&page(DESK, "", vec![link("Reference", "reference/", None)]), 0);
    let options = ReplayOptions::default();
    for is_covered in [false, true] {
        let matched = counterpart(&recorded, &menu(is_covered), &options);
        let is_found = matches!(matched, Some(Matched::Found { .. }));
        assert_eq!(is_found, !is_covered, "{matched:?}");
    }
}

#[test]
fn the_only_field_is_known_by_what_it_stands_in_under_another_name() {
    let search = |names: &[&str]| {
        let classes = "search-box".into();
        let mut all = vec![Element { classes, ..element(Role::Group, "div", "", None) }];
        all.extend(names.iter().map(|name| {
            let mut field = element(Role::Field, "input", name, Some(0));
            field.state |= State::EDITABLE;
            field
        }));
        page(DESK, "", all)
    };
    let typed = |old: &[&str], new: &[&str]| {
        let event = Event::Type(Target::any(), "flour".into());
        let recorded = RecordedEvent { event, ..click(&search(old), 1) };
        match counterpart(&recorded, &search(new), &ReplayOptions::default()) {
            Some(Matched::Found { candidate, .. }) => Some(candidate.index),
            _ => None,
        }
    };
    assert_eq!(typed(&["Type to search"], &["Search the manual"]), Some(1));
    assert_eq!(typed(&["Type to search"], &["Your name"]), None);
    assert_eq!(typed(&["Type to search"], &["Search the manual", "Search the shop"]), None);
    assert_eq!(typed(&[""], &["Search the manual"]), Some(1));
}

#[test]
fn gestures_on_empty_ground_go_to_the_same_share_of_another_screen() {
    let ground = |width| page(width, "", vec![element(Role::Heading, "h1", "Map", None)]);
    let at = |x, y| Place::At(Point::new(x, y));
    let swipe = |from, to| Event::Swipe(Target::Place(from), Toward::Place(to));
    for (old, new) in [
        (Event::Pinch(at(960, 400), at(640, 400)), Event::Pinch(at(308, 400), at(205, 400))),
        (swipe(at(640, 700), at(960, 100)), swipe(at(205, 700), at(308, 100))),
    ] {
        let recorded = RecordedEvent::new(old, Arc::new(ground(DESK)));
        let report = Pages::new(vec![ground(PHONE)]).replay(vec![recorded]);
        assert_eq!(report.events[0].performed, Some(new), "{:?}", report.events);
    }
}

#[test]
fn a_gesture_that_the_device_cannot_do_is_sent_once() {
    let ground = |width| page(width, "", vec![element(Role::Heading, "h1", "Map", None)]);
    let outside = Place::At(Point::new(DESK + 9, 9));
    let event = Event::Pinch(outside, outside);
    let recorded = RecordedEvent::new(event, Arc::new(ground(DESK)));
    let report = Pages::new(vec![ground(PHONE)]).replay(vec![recorded]);
    let decision = &report.events[0].decision;
    let why = matches!(decision, Decision::Refused { why: RefusalReason::Blocked(_), .. });
    assert!(why, "{decision:?}");
}

#[test]
fn a_link_to_the_same_page_will_do_though_its_own_counterpart_is_there() {
    let with_panel = |width: i32, is_open: bool| {
        let mut all = vec![
            element(Role::Group, "nav", "", None),
            link("Notifications", "notifications.html", Some(0)),
            element(Role::Label, "span", "Notifications", Some(1)),
            element(Role::Group, "main", "", None),
        ];
        if is_open {
            all.push(element(Role::Dialog, "div", "", None));
            all.push(link("View all notifications", "notifications.html", Some(4)));
        }
        page(width, "", all)
    };
    let mut phone = Pages::new(vec![with_panel(PHONE, false)]);
    let report = phone.replay(vec![click(&with_panel(DESK, true), 5)]);
    assert_eq!(phone.done, [(0, 1)], "{:?}", report.events);
}

#[test]
fn a_row_is_behind_the_way_back_and_not_in_the_menu() {
    let mail = |width: i32, is_list: bool, is_detail: bool| {
        let classes = "menu-toggle".into();
        let mut all = vec![
            Element { classes, ..element(Role::Button, "button", "", None) },
            element(Role::Group, "main", "", None),
        ];
        if is_list {
            all.push(element(Role::List, "ul", "", Some(1)));
            all.push(element(Role::Item, "li", "Your invoice is ready", Some(2)));
            all[3].state |= State::CLICKABLE;
        }
        if is_detail {
            all.push(element(Role::Button, "button", "Back", Some(1)));
            all.push(element(Role::Heading, "h1", "Ready for review", Some(1)));
        }
        page(width, "", all)
    };
    let screens = vec![mail(PHONE, false, true), mail(PHONE, true, false)];
    let mut phone = Pages::new(screens).press(0, 2, 1);
    let report = phone.replay(vec![click(&mail(DESK, true, true), 3)]);
    assert_eq!(phone.done, [(0, 2), (1, 3)], "{:?}", report.events);
}

#[test]
fn what_opens_a_menu_is_known_in_many_forms() {
    let toggles = [
        // A link that leads nowhere and is called so, and a sign that floats over the page.
        Element { leads_to: "#".into(), ..link("Menu", "", None) },
        element(Role::Group, "div", "", None),
    ];
    for mut toggle in toggles {
        toggle.state |= State::CLICKABLE;
        toggle.bounds = Rect::new(331, 4, 40, 40);
        let with_menu = |is_open: bool| {
            let mut nav = element(Role::Group, "nav", "", None);
            if !is_open {
                nav = hidden(nav);
            }
            let mut all = vec![toggle.clone(), nav];
            if is_open {
                all.push(link("Orders", "orders.html", Some(1)));
            }
            page(PHONE, "", all)
        };
        let desk = page(
            DESK,
            "",
            vec![element(Role::Group, "nav", "", None), link("Orders", "orders.html", Some(0))],
        );
        let mut phone = Pages::new(vec![with_menu(false), with_menu(true)]).press(0, 0, 1);
        let report = phone.replay(vec![click(&desk, 1)]);
        assert_eq!(phone.done, [(0, 0), (1, 2)], "{:?}", report.events);
    }
}

#[test]
fn an_entry_of_a_table_of_contents_is_no_page_of_that_name() {
    let phone = page(
        PHONE,
        "",
        vec![element(Role::Group, "nav", "", None), link("Logging", "logging.html", Some(0))],
    );
    let contents = page(DESK, "", vec![link("Logging", "#logging", None)]);
    let matched = counterpart(&click(&phone, 1), &contents, &ReplayOptions::default());
    assert!(!matches!(matched, Some(Matched::Found { .. })), "{matched:?}");
}
