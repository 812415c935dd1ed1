//! The table of bugs is true: every smallest trace in it runs, ends as it says, and does no harm to
//! the fixed app.

#![allow(clippy::unwrap_used)]

mod play;

use capuchin_apps::{BUGS, Verdict};
use capuchin_ui::{Direction, Event, Selector, Target, Toward};
use play::start;

fn target(text: &str) -> Target {
    match text.strip_prefix('#') {
        Some(id) => Target::id(id),
        None => Target::One(Selector::text(text.trim_matches('"'))),
    }
}

/// Reads the few kinds of events that stand in the table.
fn event(text: &str) -> Event {
    let Some((name, rest)) = text.split_once('(') else {
        return match text {
            "Rotate" => Event::Rotate,
            "ClickHome" => Event::ClickHome,
            other => panic!("{other}"),
        };
    };
    let args: Vec<&str> = rest.strip_suffix(')').unwrap().split(", ").collect();
    match name {
        "Click" => Event::Click(target(args[0])),
        "LongClick" => Event::LongClick(target(args[0])),
        "Type" => Event::Type(target(args[0]), args[1].trim_matches('"').into()),
        "Swipe" => Event::Swipe(target(args[0]), Toward::Direction(Direction::Up)),
        "Sleep" => Event::Sleep(args[0].parse().unwrap()),
        other => panic!("{other}"),
    }
}

/// Whether the app crashes. A blocked event is one that was not needed.
fn crashes(app: &str, events: &[Event], may_block: bool) -> bool {
    let (mut device, _) = start(app, 1);
    events.iter().any(|event| {
        let seen = device.perform(event).unwrap();
        assert!(may_block || seen.blocked.is_none(), "{app}: {event} on\n{}", seen.screen);
        seen.crash.is_some()
    })
}

#[test]
fn the_smallest_traces_do_what_the_table_says() {
    for bug in BUGS {
        let events: Vec<Event> = bug.minimal.split(" :>> ").map(event).collect();
        let printed: Vec<String> = events.iter().map(ToString::to_string).collect();
        assert_eq!(printed.join(" :>> "), bug.minimal);
        let crashed = bug.verdict == Verdict::Crashed;
        assert_eq!(crashes(bug.app, &events, false), crashed, "{}", bug.bug);
        assert!(!crashes(&format!("{}-fixed", bug.app), &events, false), "{}", bug.bug);
        if !crashed {
            continue;
        }
        for left_out in 0..events.len() {
            // How often one must swipe is a matter of the screen's size.
            if !matches!(events[left_out], Event::Swipe(..)) {
                let mut fewer = events.clone();
                fewer.remove(left_out);
                assert!(!crashes(bug.app, &fewer, true), "{} without {left_out}", bug.bug);
            }
        }
    }
}
