//! Shorthands of the suite: do something, and see what is there.
//!
//! On their own because every clause uses them, and none of them is a clause.

use capuchin_ui::{
    Blocked, Device, DeviceError, Element, Event, Observation, Screen, Selector, Size, Target,
};

pub(crate) fn reset(device: &mut dyn Device, seed: u64) -> Observation {
    let seen = device.reset(seed).unwrap_or_else(|error| panic!("reset: {error}"));
    assert!(seen.blocked.is_none(), "a reset is never blocked");
    assert!(seen.crash.is_none(), "the contract app crashed at its start: {:?}", seen.crash);
    assert_settled(&seen, "reset");
    seen
}

pub(crate) fn perform(device: &mut dyn Device, event: &Event) -> Observation {
    let seen = device.perform(event).unwrap_or_else(|error| panic!("{event}: {error}"));
    assert_settled(&seen, &event.to_string());
    seen
}

/// Performs an event that must go through.
#[expect(clippy::needless_pass_by_value, reason = "every caller makes the event on the spot")]
pub(crate) fn go(device: &mut dyn Device, event: Event) -> Observation {
    let seen = perform(device, &event);
    assert_eq!(seen.blocked, None, "{event} is blocked on\n{}", seen.screen);
    assert_eq!(seen.crash, None, "{event}");
    seen
}

/// Performs an event that must go through, if the device claims it.
pub(crate) fn go_if_claimed(device: &mut dyn Device, event: Event) -> Option<Observation> {
    claims(device, &event).then(|| go(device, event))
}

pub(crate) fn claims(device: &dyn Device, event: &Event) -> bool {
    device.info().performs(event)
}

/// The device says that it does not know the event, and nothing changes.
pub(crate) fn assert_unknown(device: &mut dyn Device, event: &Event) {
    let before = go(device, Event::Skip).screen;
    match device.perform(event) {
        Err(DeviceError::Unsupported { device: name, what }) => {
            assert_eq!(name, device.info().name);
            assert!(what.contains(event.name()), "{what}");
        }
        other => panic!("{event} gives {other:?}"),
    }
    assert_same(&before, &go(device, Event::Skip).screen, "an unknown event");
}

fn assert_settled(seen: &Observation, what: &str) {
    assert_eq!(seen.unsettled, None, "{what} does not come to rest");
}

pub(crate) fn click(id: &str) -> Event {
    Event::Click(Target::id(id))
}

pub(crate) fn element<'s>(screen: &'s Screen, id: &str) -> &'s Element {
    screen
        .first(&Selector::id(id))
        .unwrap_or_else(|| panic!("there is no #{id} on this screen:\n{screen}"))
}

/// What the element says.
pub(crate) fn text<'s>(screen: &'s Screen, id: &str) -> &'s str {
    element(screen, id).shown()
}

pub(crate) fn is_inside(element: &Element, viewport: Size) -> bool {
    let bounds = element.bounds;
    bounds.x >= 0
        && bounds.y >= 0
        && bounds.x + bounds.width <= viewport.width
        && bounds.y + bounds.height <= viewport.height
}

/// The event is blocked for one of these reasons, and nothing changes.
pub(crate) fn assert_blocked(device: &mut dyn Device, event: &Event, reasons: &[Blocked]) {
    let before = go(device, Event::Skip);
    let seen = perform(device, event);
    match &seen.blocked {
        Some(reason) => {
            assert!(reasons.contains(reason), "{event} is blocked by {reason:?}, not {reasons:?}");
        }
        None => panic!("{event} is not blocked on\n{}", before.screen),
    }
    assert_eq!(seen.crash, None, "{event}");
    assert_same(&before.screen, &seen.screen, &format!("a blocked {event}"));
    let after = go(device, Event::Skip);
    assert_same(&before.screen, &after.screen, &format!("what follows a blocked {event}"));
}

pub(crate) fn assert_same(before: &Screen, after: &Screen, what: &str) {
    assert!(before == after, "{what} changed the screen from\n{before}\nto\n{after}");
}
