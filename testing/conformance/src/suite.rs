//! The clauses of the contract, each a function that panics if the device breaks it.
//!
//! Every function resets the device first, so they can be called in any order. Those about what not
//! every device has are in `claims`.

mod claims;

pub use claims::*;

use crate::shorthands::{
    assert_blocked, assert_same, claims, click, element, go, go_if_claimed, is_inside, perform,
    reset, text,
};
use capuchin_ui::{
    Blocked, Device, Direction, Event, Observation, Place, Point, Rng, Role, Screen, Selector,
    State, Target, Toward,
};

/// What a device says of itself never changes, and its viewport is that of the first screen.
pub fn info_is_stable(device: &mut dyn Device) {
    let before = device.info().clone();
    let seen = reset(device, 1);
    assert_eq!(seen.screen.viewport, before.viewport);
    go_if_claimed(device, Event::Rotate);
    go(device, click("increment"));
    assert_eq!(*device.info(), before);
    assert!(!before.name.is_empty());
}

/// A reset shows the initial screen.
pub fn reset_gives_the_initial_screen(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    for (id, says) in [
        ("title", "Contract"),
        ("count", "0"),
        ("name", ""),
        ("echo", ""),
        ("status", "idle"),
        ("resumed", "0"),
    ] {
        assert_eq!(text(&screen, id), says, "#{id} after a reset");
    }
    assert!(!element(&screen, "tick").is(State::CHECKED));
    let orientation = if screen.viewport.is_landscape() { "landscape" } else { "portrait" };
    assert_eq!(text(&screen, "orientation"), orientation);
}

/// Whatever was done before, a reset with the same seed shows the same screen.
pub fn reset_undoes_everything(device: &mut dyn Device) {
    let first = reset(device, 7).screen;
    assert_same(&first, &reset(device, 7).screen, "a second reset");
    for event in [
        click("increment"),
        click("tick"),
        Event::Type(Target::id("name"), "left over".into()),
        Event::Swipe(Target::id("list"), Toward::Direction(Direction::Up)),
        click("cover"),
        click("slow"),
        Event::ClickHome,
        Event::Rotate,
    ] {
        go_if_claimed(device, event);
    }
    assert_same(&first, &reset(device, 7).screen, "a reset after a long run");
}

/// The same seed gives the same number, and different seeds give different ones.
pub fn the_seed_is_the_only_chance(device: &mut dyn Device) {
    let mut numbers = Vec::new();
    for seed in 0..8 {
        let number = text(&reset(device, seed).screen, "random").to_owned();
        assert_eq!(number, text(&reset(device, seed).screen, "random"), "seed {seed}");
        numbers.push(number);
    }
    numbers.sort();
    numbers.dedup();
    assert!(numbers.len() > 1, "eight seeds, and always {numbers:?}");
}

/// What an event does is on the screen that it returns.
pub fn an_event_is_seen_at_once(device: &mut dyn Device) {
    reset(device, 1);
    for count in 1..=5 {
        let screen = go(device, click("increment")).screen;
        assert_eq!(text(&screen, "count"), count.to_string());
    }
}

/// A click at a point goes to the element that is displayed there.
pub fn a_click_at_a_point_goes_to_what_is_there(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    let middle = element(&screen, "increment").bounds.center();
    let screen = go(device, Event::Click(middle.into())).screen;
    assert_eq!(text(&screen, "count"), "1");
}

/// A click on what takes no click is performed, and changes nothing.
pub fn a_click_on_a_label_changes_nothing(device: &mut dyn Device) {
    let before = reset(device, 1).screen;
    let after = go(device, click("count")).screen;
    assert_eq!(text(&before, "count"), text(&after, "count"));
}

/// An element that is not there.
pub fn an_absent_element_is_blocked(device: &mut dyn Device) {
    reset(device, 1);
    for target in [Target::id("nowhere"), Target::One(Selector::text("No such text"))] {
        assert_blocked(device, &Event::Click(target.clone()), &[Blocked::Absent]);
        assert_blocked(device, &Event::LongClick(target.clone()), &[Blocked::Absent]);
        assert_blocked(device, &Event::Type(target, "text".into()), &[Blocked::Absent]);
    }
}

/// An element that is there and not displayed. A platform that keeps quiet about such elements
/// says that it is absent.
pub fn a_hidden_element_is_blocked(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    let is_told = screen.elements.iter().any(|element| element.id == "hidden");
    let reason = if is_told { Blocked::Hidden } else { Blocked::Absent };
    assert_blocked(device, &click("hidden"), &[reason]);
}

/// An element that is greyed out.
pub fn a_disabled_element_is_blocked(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    assert!(!element(&screen, "disabled").is(State::ENABLED));
    assert_blocked(device, &click("disabled"), &[Blocked::Disabled]);
}

/// An element that something is on top of, until it is not any more.
pub fn a_covered_element_is_blocked(device: &mut dyn Device) {
    reset(device, 1);
    assert_eq!(text(&go(device, click("behind")).screen, "count"), "1");
    let screen = go(device, click("cover")).screen;
    assert!(element(&screen, "behind").is(State::COVERED));
    assert_blocked(device, &click("behind"), &[Blocked::Covered]);
    let middle = element(&screen, "behind").bounds.center();
    assert_eq!(text(&go(device, Event::Click(middle.into())).screen, "count"), "1");
    go(device, click("uncover"));
    assert_eq!(text(&go(device, click("behind")).screen, "count"), "2");
}

/// An element that is displayed where the screen is not.
pub fn an_element_outside_is_blocked(device: &mut dyn Device) {
    reset(device, 1);
    assert_blocked(device, &click("outside"), &[Blocked::OutOfReach]);
}

/// A point that is not on the screen.
pub fn a_point_outside_is_blocked(device: &mut dyn Device) {
    let size = reset(device, 1).screen.viewport;
    for (x, y) in [(-1, 5), (5, -1), (size.width, 5), (5, size.height)] {
        let target = Target::from(Point::new(x, y));
        assert_blocked(device, &Event::Click(target.clone()), &[Blocked::OutOfReach]);
        assert_blocked(device, &Event::LongClick(target), &[Blocked::OutOfReach]);
    }
}

/// Text goes after what is already in the field, as a person would type it.
pub fn what_is_typed_is_appended(device: &mut dyn Device) {
    reset(device, 1);
    for (typed, then) in [("Ada", "Ada"), (" Lovelace", "Ada Lovelace"), ("", "Ada Lovelace")] {
        let screen = go(device, Event::Type(Target::id("name"), typed.into())).screen;
        assert_eq!(text(&screen, "name"), then);
        assert_eq!(text(&screen, "echo"), then);
    }
    let by_hint = Target::One(Selector::text("Name"));
    let screen = go(device, Event::Type(by_hint, "!".into())).screen;
    assert_eq!(text(&screen, "echo"), "Ada Lovelace!");
}

/// What takes no text takes none.
pub fn typing_into_a_label_is_blocked(device: &mut dyn Device) {
    reset(device, 1);
    for id in ["count", "increment"] {
        let event = Event::Type(Target::id(id), "text".into());
        assert_blocked(device, &event, &[Blocked::NotEditable]);
    }
}

/// A field that is emptied is empty, for the app too, and can be typed into again.
pub fn clearing_empties_a_field(device: &mut dyn Device) {
    reset(device, 1);
    let clear = |id: &str| Event::Clear(Target::id(id));
    for typed in ["Ada Lovelace", "Grace"] {
        let screen = go(device, Event::Type(Target::id("name"), typed.into())).screen;
        assert_eq!(text(&screen, "echo"), typed);
        let screen = go(device, clear("name")).screen;
        assert_eq!((text(&screen, "name"), text(&screen, "echo")), ("", ""));
    }
    assert_eq!(text(&go(device, clear("name")).screen, "name"), "", "an empty field");
    assert_blocked(device, &clear("count"), &[Blocked::NotEditable]);
    assert_blocked(device, &clear("nowhere"), &[Blocked::Absent]);
}

/// A double click does what two clicks do.
pub fn a_double_click_is_two_clicks(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    let middle = element(&screen, "increment").bounds.center();
    let twice = |target: Target| Event::DoubleClick(target);
    assert_eq!(text(&go(device, twice(Target::id("increment"))).screen, "count"), "2");
    assert_eq!(text(&go(device, twice(middle.into())).screen, "count"), "4");
    assert_blocked(device, &twice(Target::id("disabled")), &[Blocked::Disabled]);
}

/// The pointer alone does nothing.
pub fn hovering_changes_nothing(device: &mut dyn Device) {
    let before = reset(device, 1).screen;
    for id in ["increment", "count", "tick"] {
        let after = go(device, Event::Hover(Target::id(id))).screen;
        assert_same(&before, &after, &format!("hovering over #{id}"));
    }
    assert_blocked(device, &Event::Hover(Target::id("nowhere")), &[Blocked::Absent]);
}

/// A click on a checkbox sets its tick, another takes it away.
pub fn a_tick_is_set_and_taken_away(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    assert!(element(&screen, "tick").is(State::CHECKABLE));
    let screen = go(device, click("tick")).screen;
    assert!(element(&screen, "tick").is(State::CHECKED));
    let screen = go(device, click("tick")).screen;
    assert!(!element(&screen, "tick").is(State::CHECKED));
}

/// While a modal dialog is open, nothing else can be clicked.
pub fn a_dialog_covers_everything_else(device: &mut dyn Device) {
    reset(device, 1);
    let screen = go(device, click("dialog")).screen;
    assert_eq!(text(&screen, "ok"), "OK");
    let reasons = [Blocked::Covered, Blocked::Absent, Blocked::Hidden];
    assert_blocked(device, &click("increment"), &reasons);
    let screen = go(device, Event::Click(Target::One(Selector::text("OK")))).screen;
    assert_eq!(screen.count(&Selector::id("ok")), 0);
    assert_eq!(text(&go(device, click("increment")).screen, "count"), "1");
}

/// Whether an item of the list lies in view.
fn is_in_view(screen: &Screen, item: u32) -> bool {
    let list = element(screen, "list").bounds;
    let named = Selector::text(format!("Item {item}")).inside(Selector::id("list"));
    screen.first(&named).is_some_and(|found| list.contains(found.bounds.center()))
}

/// What is far down in a list comes into view when somebody scrolls there. Until then it is out of
/// reach, unless the device brings it into view itself: then the screen says so, and an event goes
/// through.
pub fn a_list_scrolls_to_its_end_and_back(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    let item = |n: u32| Selector::text(format!("Item {n}"));
    let click = |n: u32| Event::Click(Target::One(item(n)));
    let swipe = |direction| Event::Swipe(Target::id("list"), Toward::Direction(direction));
    go(device, click(1));
    assert!(is_in_view(&screen, 1) && !is_in_view(&screen, 100));
    if screen.first(&item(100)).is_some_and(|item| item.is(State::REVEALS)) {
        go(device, click(100));
        assert!(is_in_view(&go(device, Event::Skip).screen, 100), "item 100 was not revealed");
        reset(device, 1);
    } else {
        let away = [Blocked::Absent, Blocked::Hidden, Blocked::Covered, Blocked::OutOfReach];
        assert_blocked(device, &click(100), &away);
    }
    let mut reach = |direction, wanted: u32| {
        (0..60).any(|_| is_in_view(&go(device, swipe(direction)).screen, wanted))
    };
    assert!(reach(Direction::Up, 100), "sixty swipes up do not reach item 100");
    assert!(reach(Direction::Down, 1), "sixty swipes down do not reach item 1");
    go(device, click(1));
}

/// A swipe to a point moves a list by the way of the finger.
pub fn a_swipe_to_a_point_moves_as_far(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    let bounds = element(&screen, "list").bounds;
    let (middle, up) = (bounds.center(), bounds.height / 3);
    let above = Toward::Place(Place::At(Point::new(middle.x, middle.y - up)));
    assert_eq!(first_item(&screen), 1);
    let screen = go(device, Event::Swipe(Target::id("list"), above)).screen;
    let below = Toward::Place(Place::At(Point::new(middle.x, middle.y + up)));
    assert!(first_item(&screen) > 1, "nothing moved:\n{screen}");
    let screen = go(device, Event::Swipe(Target::id("list"), below)).screen;
    assert_eq!(first_item(&screen), 1, "it did not move back as far");
}

/// The number of the first item that is in view.
fn first_item(screen: &Screen) -> u32 {
    (1..=100).find(|item| is_in_view(screen, *item)).unwrap_or(0)
}

/// A swipe to an element is one to the point in its middle, and blocked where it is not there.
pub fn a_swipe_to_an_element_goes_to_its_middle(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    let second = Selector::text("Item 2");
    let Some(end) = screen.first(&second) else { panic!("no item 2 on\n{screen}") };
    let swipe = |toward| Event::Swipe(Target::id("list"), toward);
    let to_point = go(device, swipe(Toward::Place(Place::At(end.bounds.center())))).screen;
    assert!(first_item(&to_point) > 1, "nothing moved:\n{to_point}");
    reset(device, 1);
    let to_element = go(device, swipe(Toward::Element(second))).screen;
    assert_same(&to_point, &to_element, "to an element instead of a point");
    let nowhere = swipe(Toward::Element(Selector::id("nowhere")));
    assert_blocked(device, &nowhere, &[Blocked::Absent]);
}

/// A long press and a short one are told apart.
pub fn a_long_press_is_not_a_short_one(device: &mut dyn Device) {
    reset(device, 1);
    assert_eq!(text(&go(device, click("hold")).screen, "count"), "0");
    let held = Event::LongClick(Target::id("hold"));
    assert_eq!(text(&go(device, held).screen, "count"), "10");
}

/// The observation of the event that crashes the app has the crash. Until the next reset, every
/// further observation has it too, and nothing is performed.
pub fn a_crash_is_seen_at_once_and_stays(device: &mut dyn Device) {
    reset(device, 1);
    let crashed = perform(device, &click("crash"));
    let Some(crash) = &crashed.crash else { panic!("#crash does not crash") };
    assert!(!crash.message.is_empty());
    assert_eq!(crashed.blocked, None);
    for event in [click("increment"), Event::Sleep(10), Event::Rotate, click("nowhere")] {
        if !claims(device, &event) {
            continue;
        }
        let seen = perform(device, &event);
        assert_eq!(seen.crash.as_ref(), Some(crash), "{event} after the crash");
        assert_eq!(seen.blocked, None, "{event} after the crash");
    }
    let screen = reset(device, 1).screen;
    assert_eq!(text(&screen, "count"), "0");
    assert_eq!(text(&go(device, click("increment")).screen, "count"), "1");
}

/// Every element is what it looks like.
pub fn roles_and_texts_are_right(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    for (id, role, says) in [
        ("title", Role::Heading, Some("Contract")),
        ("increment", Role::Button, Some("Increment")),
        ("count", Role::Label, Some("0")),
        ("name", Role::Field, None),
        ("disabled", Role::Button, Some("Disabled")),
        ("behind", Role::Button, Some("Behind")),
        ("tick", Role::Checkbox, Some("Tick")),
        ("list", Role::List, None),
    ] {
        let element = element(&screen, id);
        assert_eq!(element.role, role, "#{id}");
        if let Some(says) = says {
            assert_eq!(element.text, says, "#{id}");
        }
    }
    assert_eq!(element(&screen, "name").hint, "Name");
    for (id, takes) in [
        ("increment", State::CLICKABLE),
        ("name", State::EDITABLE),
        ("tick", State::CLICKABLE | State::CHECKABLE),
        ("list", State::SCROLLABLE),
    ] {
        assert!(element(&screen, id).is(takes | State::ENABLED), "#{id} takes {takes:?}");
    }
    assert!(!element(&screen, "count").is(State::EDITABLE));
}

/// Parents stand before their children, and what is displayed lies on the screen: upright, turned,
/// and with a dialog.
pub fn elements_are_in_order_and_on_the_screen(device: &mut dyn Device) {
    let mut screens = vec![reset(device, 1).screen];
    screens.extend(go_if_claimed(device, Event::Rotate).map(|seen| seen.screen));
    screens.push(go(device, click("dialog")).screen);
    for screen in screens {
        for (index, element) in screen.elements.iter().enumerate() {
            if let Some(parent) = element.parent {
                assert!((parent as usize) < index, "a child before its parent in\n{screen}");
            }
        }
        for id in ["title", "increment", "count", "name", "tick", "list", "dialog", "random"] {
            let bounds = element(&screen, id).bounds;
            assert!(!bounds.is_empty(), "#{id} has the bounds {bounds:?}");
            assert!(is_inside(element(&screen, id), screen.viewport), "#{id} at {bounds:?}");
        }
        let items = Selector::role(Role::Item).inside(Selector::id("list"));
        assert!(screen.count(&items) > 0, "no item in the list of\n{screen}");
    }
}

/// The name that a screen gives to an element finds that element.
pub fn every_element_is_found_by_its_name(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    for (index, element) in screen.elements.iter().enumerate() {
        if element.is(State::DISPLAYED) {
            let name = screen.name_of(index);
            let found: Vec<usize> = screen.find(&name).map(|(index, _)| index).collect();
            assert_eq!(found, [index], "{name} on\n{screen}");
        }
    }
    let increment = position(&screen, "increment");
    let event = Event::Click(Target::One(screen.name_of(increment)));
    assert_eq!(text(&go(device, event).screen, "count"), "1");
}

fn position(screen: &Screen, id: &str) -> usize {
    screen.find(&Selector::id(id)).next().map_or(0, |(index, _)| index)
}

/// Work in the background goes on while the device sleeps, and is not waited for without.
pub fn sleep_lets_time_pass(device: &mut dyn Device) {
    reset(device, 1);
    let screen = go(device, click("slow")).screen;
    assert!(["busy", "done"].contains(&text(&screen, "status")), "#status after #slow");
    assert_eq!(text(&go(device, Event::Sleep(1000)).screen, "status"), "done");
}

/// `Skip` changes nothing.
pub fn skip_is_nothing(device: &mut dyn Device) {
    let before = reset(device, 1).screen;
    assert_same(&before, &go(device, Event::Skip).screen, "Skip");
}

/// Same seed, same events: same observations.
pub fn the_same_events_give_the_same_observations(device: &mut dyn Device) {
    let mut first = vec![reset(device, 3)];
    let mut events = Vec::new();
    let mut rng = Rng::new(99);
    while events.len() < 200 {
        let event = random_event(&first[first.len() - 1].screen, &mut rng);
        if !claims(device, &event) {
            continue;
        }
        first.push(perform(device, &event));
        events.push(event);
    }
    let again = reset(device, 3);
    assert_equal(&first[0], &again, "reset");
    for (event, before) in events.iter().zip(&first[1..]) {
        assert_equal(before, &perform(device, event), &event.to_string());
    }
}

fn assert_equal(first: &Observation, second: &Observation, what: &str) {
    assert_same(&first.screen, &second.screen, &format!("{what} in the second run"));
    assert_eq!(first.blocked, second.blocked, "{what}");
    assert_eq!(first.crash, second.crash, "{what}");
    assert_eq!(first.lacked, second.lacked, "{what}");
}

/// Any event but the one that ends the run. `#slow` is left out too: on a real clock, nobody knows
/// at which event its work is done.
fn random_event(screen: &Screen, rng: &mut Rng) -> Event {
    let size = screen.viewport;
    let elements: Vec<usize> = (0..screen.elements.len())
        .filter(|index| !["crash", "slow"].contains(&screen.elements[*index].id.as_str()))
        .collect();
    let index = elements[rng.below(elements.len() as u64) as usize];
    let target = Target::One(screen.name_of(index));
    let direction = Direction::ALL[rng.below(4) as usize];
    match rng.below(12) {
        0..=2 => Event::Click(target),
        3 => Event::LongClick(target),
        4 => Event::Type(target, "x".into()),
        5 => Event::Swipe(target, Toward::Direction(direction)),
        6 => [Event::ClickMenu, Event::Settings, Event::Rotate][rng.below(3) as usize].clone(),
        7 => {
            let x = rng.between(0, i64::from(size.width) - 1) as i32;
            // The upper edge, where nothing is that crashes.
            Event::LongClick(Point::new(x, 0).into())
        }
        8 => Event::DoubleClick(target),
        9 => Event::Hover(target),
        10 => Event::Clear(target),
        _ => Event::ClickHome,
    }
}
