//! Clauses about what not every device has: it does what it claims, and says of everything else
//! that it does not know it.
//!
//! On their own because each of them begins with what the device says of itself.

use crate::shorthands::{
    assert_blocked, assert_same, assert_unknown, claims, click, element, go, perform, reset, text,
};
use capuchin_ui::{
    Blocked, Device, DeviceError, Environment, Event, Place, Point, Powers, Recorded, Screen,
    Selector, Stop, Str, Target, Value,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a recorder is asked to wait, and how often.
const RECORDER_TIMEOUT: Duration = Duration::from_secs(1);
const RECORDER_TRIES: u32 = 30;

fn ask(device: &mut dyn Device, name: &str, args: &[Value]) -> Result<bool, DeviceError> {
    match device.powers().and_then(Powers::predicates) {
        Some(predicates) => predicates.holds(name, args),
        None => panic!("the device claims predicates, and answers none"),
    }
}

/// What somebody does next, unless they have ended.
fn recorded(device: &mut dyn Device) -> Option<(Event, Arc<Screen>)> {
    for _ in 0..RECORDER_TRIES {
        let recorder = device.powers().and_then(Powers::recorder)?;
        match recorder.recorded(RECORDER_TIMEOUT) {
            Ok(Recorded::Event(event, screen)) => return Some((event, screen)),
            Ok(Recorded::End) => return None,
            Ok(_) => {}
            Err(error) => panic!("the recorder: {error}"),
        }
    }
    panic!("the recorder: nobody does anything, and nobody ends")
}

fn environment(name: &str, args: &[&str]) -> Event {
    let args = args.iter().copied().map(Value::from).collect();
    Event::Environment(Environment { name: name.into(), args })
}

/// The events that not every device has.
fn device_events() -> [Event; 6] {
    let corner = Place::At(Point::new(0, 0));
    [
        Event::ClickBack,
        Event::ClickHome,
        Event::ClickMenu,
        Event::Settings,
        Event::Rotate,
        Event::Pinch(corner, corner),
    ]
}

/// A predicate is about the app as it is now.
pub fn a_predicate_is_answered_from_the_live_app(device: &mut dyn Device) {
    reset(device, 1);
    if !device.info().predicates.iter().any(|name| name == "countIs") {
        return;
    }
    let mut count_is = |count: f64| ask(device, "countIs", &[Value::Number(count)]);
    assert_eq!(count_is(0.0), Ok(true));
    go(device, click("increment"));
    let mut count_is = |count: f64| ask(device, "countIs", &[Value::Number(count)]);
    assert_eq!(count_is(0.0), Ok(false));
    assert_eq!(count_is(1.0), Ok(true));
}

/// A predicate that the app does not have is an error, neither true nor false.
pub fn an_unknown_predicate_is_an_error(device: &mut dyn Device) {
    reset(device, 1);
    if device.info().predicates.is_empty() {
        return;
    }
    match ask(device, "noSuchPredicate", &[]) {
        Err(DeviceError::Unsupported { what, .. }) => {
            assert!(what.contains("noSuchPredicate"), "{what}");
        }
        other => panic!("noSuchPredicate gives {other:?}"),
    }
}

/// An environment event that the device says it knows reaches the app.
pub fn a_known_environment_event_reaches_the_app(device: &mut dyn Device) {
    assert_eq!(text(&reset(device, 1).screen, "network"), "online");
    for (state, says) in [("off", "offline"), ("on", "online")] {
        let event = environment("network", &[state]);
        if claims(device, &event) {
            assert_eq!(text(&go(device, event).screen, "network"), says);
        }
    }
}

/// An environment event that the device does not know is an error, neither a verdict nor a panic.
pub fn an_unknown_environment_event_is_an_error(device: &mut dyn Device) {
    reset(device, 1);
    assert_unknown(device, &environment("noSuchDomain", &[]));
}

/// Whatever the device claims, it knows: it may say that an argument is missing, and not that it
/// has never heard of it.
pub fn whatever_is_claimed_is_known(device: &mut dyn Device) {
    let info = device.info().clone();
    let named = |name: &Str| environment(name, &[]);
    for event in device_events().into_iter().chain(info.environment.iter().map(named)) {
        reset(device, 1);
        if claims(device, &event) {
            assert_eq!(perform(device, &event).crash, None, "{event}");
        }
    }
    reset(device, 1);
    for name in &info.predicates {
        if let Err(error @ DeviceError::Unsupported { .. }) = ask(device, name, &[]) {
            panic!("it claims the predicate {name}: {error}");
        }
    }
}

/// A device event that the device does not claim is an error like any other that it does not know.
pub fn what_is_not_claimed_is_an_error(device: &mut dyn Device) {
    reset(device, 1);
    for event in device_events() {
        if !claims(device, &event) {
            assert_unknown(device, &event);
        }
    }
}

/// What the app asks for and the device does not have is told once. Nothing is blocked or crashes
/// over it, and the app goes on.
pub fn what_the_device_lacks_ends_nothing(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    if screen.first(&Selector::id("lacking")).is_none() {
        return;
    }
    let seen = go(device, click("lacking"));
    assert!(!seen.lacked.is_empty(), "nothing is lacked after #lacking");
    for lack in &seen.lacked {
        assert!(!lack.what.is_empty() && !lack.reason.is_empty(), "{lack:?}");
    }
    let seen = go(device, click("increment"));
    assert_eq!((seen.lacked, text(&seen.screen, "count")), (Vec::new(), "1"));
}

/// A key goes to the app, by its name.
pub fn a_key_reaches_the_app(device: &mut dyn Device) {
    assert_eq!(text(&reset(device, 1).screen, "pressed"), "");
    go(device, Event::Type(Target::id("name"), "x".into()));
    assert_eq!(text(&go(device, Event::Press("Enter".into())).screen, "pressed"), "Enter");
    assert_eq!(text(&go(device, Event::Press("Escape".into())).screen, "pressed"), "Escape");
}

/// A key that the device does not have is an event that it does not know. Where keys are no more
/// than names, the app is given any.
pub fn an_unknown_key_is_an_error_or_reaches_the_app(device: &mut dyn Device) {
    reset(device, 1);
    let event = Event::Press("NoSuchKey".into());
    match device.perform(&event) {
        Err(error) => assert_eq!(error, device.info().unknown(&event)),
        Ok(seen) => assert_eq!(text(&seen.screen, "pressed"), "NoSuchKey"),
    }
    assert_eq!(text(&go(device, click("increment")).screen, "count"), "1");
}

/// A recorder hands an event over, and the app sees it when it is performed. What was done before a
/// reset is dropped.
pub fn what_a_person_does_waits_for_its_turn(device: &mut dyn Device) {
    reset(device, 1);
    if device.powers().and_then(Powers::recorder).is_none() {
        return;
    }
    reset(device, 1);
    let Some((event, screen)) = recorded(device) else { panic!("nobody clicked #increment") };
    assert!(event.is_concrete() && claims(device, &event), "{event} cannot be performed");
    assert!(screen.locate(&event).is_ok(), "{event} is not on its own screen");
    assert_eq!(text(&screen, "count"), "0", "the screen of {event} is the one before it");
    assert_eq!(text(&go(device, Event::Skip).screen, "count"), "0", "{event} was passed on");
    assert_eq!(text(&go(device, event).screen, "count"), "1");
    assert_eq!(recorded(device), None, "after a single click");
}

/// A device that can be stopped says that it was, or what it saw if it was done by then; never that
/// the app crashed. The next reset brings it to the initial state.
pub fn what_was_cut_short_says_nothing_of_the_app(device: &mut dyn Device) {
    let first = reset(device, 1).screen;
    let flag = Arc::new(AtomicBool::new(false));
    if !stop_when(device, &Stop::when([Arc::clone(&flag)])) {
        return;
    }
    go(device, click("increment"));
    flag.store(true, Ordering::Relaxed);
    let increment = click("increment");
    for result in [device.perform(&increment), device.reset(2), device.perform(&increment)] {
        match result {
            Ok(seen) => assert_eq!(seen.crash, None, "it was told to stop"),
            Err(DeviceError::Stopped { .. }) => {}
            Err(error) => panic!("it was told to stop: {error}"),
        }
    }
    stop_when(device, &Stop::default());
    assert_same(&first, &reset(device, 1).screen, "a reset after a stop");
    assert_eq!(text(&go(device, click("increment")).screen, "count"), "1");
}

/// Whether the device can be stopped; it will be when this is set.
fn stop_when(device: &mut dyn Device, stop: &Stop) -> bool {
    let stoppable = device.powers().and_then(Powers::stoppable);
    stoppable.map(|stoppable| stoppable.stop_when(stop)).is_some()
}

/// A quarter turn swaps the sides of the screen, a second one swaps them back; the app goes on.
pub fn rotation_turns_the_screen_and_turns_it_back(device: &mut dyn Device) {
    reset(device, 1);
    if !claims(device, &Event::Rotate) {
        return;
    }
    let upright = go(device, click("increment")).screen;
    let turned = go(device, Event::Rotate).screen;
    assert_eq!(turned.viewport, upright.viewport.rotated());
    assert_ne!(text(&turned, "orientation"), text(&upright, "orientation"));
    assert_eq!(text(&turned, "count"), "1");
    let again = go(device, Event::Rotate).screen;
    assert_same(&upright, &again, "a turn there and back");
}

/// Two fingers move on the screen and nowhere else, and the app goes on.
pub fn a_pinch_is_performed_on_the_screen(device: &mut dyn Device) {
    let screen = reset(device, 1).screen;
    let middle = element(&screen, "title").bounds.center();
    let pinch = |x: i32| {
        let place = |x: i32| Place::At(Point::new(x, middle.y));
        Event::Pinch(place(middle.x), place(x))
    };
    if !claims(device, &pinch(0)) {
        return;
    }
    go(device, pinch(middle.x + 10));
    assert_blocked(device, &pinch(screen.viewport.width), &[Blocked::OutOfReach]);
    assert_eq!(text(&go(device, Event::Skip).screen, "count"), "0");
}

/// Home, Menu and Settings come back to the app as it was.
pub fn interrupts_come_back_to_the_app(device: &mut dyn Device) {
    reset(device, 1);
    go(device, click("increment"));
    for times in ["1", "2"] {
        if claims(device, &Event::ClickHome) {
            assert_eq!(text(&go(device, Event::ClickHome).screen, "resumed"), times);
        }
    }
    for event in [Event::ClickMenu, Event::Settings] {
        if claims(device, &event) {
            assert_eq!(text(&go(device, event).screen, "count"), "1");
        }
    }
    assert_eq!(text(&go(device, click("increment")).screen, "count"), "2");
}

/// Back may leave the app; the device brings it back.
pub fn back_comes_back_to_the_app(device: &mut dyn Device) {
    reset(device, 1);
    if !claims(device, &Event::ClickBack) {
        return;
    }
    let screen = go(device, Event::ClickBack).screen;
    assert_eq!(text(&screen, "title"), "Contract");
    go(device, click("increment"));
}
