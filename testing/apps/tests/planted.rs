//! The planted bugs show where they should, and nowhere else.
//!
//! Figure 2 and its like are played with random interrupts here, by hand; the specifications under
//! `examples/` do the same with the tool.

#![allow(clippy::unwrap_used)]

mod play;

use capuchin_ui::{Device, Event, Observation, Rng, Selector, Size, State};
use play::{id, interrupts, says, start};
use std::collections::BTreeSet;

fn typed(field: &str, text: &str) -> Event {
    Event::Type(id(field), text.into())
}

fn click(target: &str) -> Event {
    Event::Click(id(target))
}

/// Performs the events; what stopped it, in words, or the last observation.
fn run(device: &mut dyn Device, events: &[Event]) -> Result<Observation, String> {
    let mut last = device.reset(1).unwrap();
    for (index, event) in events.iter().enumerate() {
        last = device.perform(event).unwrap();
        let so_far = || {
            let done: Vec<String> = events[..=index].iter().map(ToString::to_string).collect();
            done.join(" :>> ")
        };
        if let Some(crash) = &last.crash {
            return Err(format!("crashed: {} in {}", crash.message, so_far()));
        }
        if last.blocked.is_some() {
            return Err(format!("blocked: {event}"));
        }
    }
    Ok(last)
}

fn shows(seen: &Observation, text: &str) -> bool {
    seen.screen.count(&Selector::text(text)) > 0
}

/// The events with up to three interrupts after each.
fn interrupted(events: &[Event], rng: &mut Rng) -> Vec<Event> {
    let mut all = Vec::new();
    for event in events {
        all.push(event.clone());
        for _ in 0..rng.below(4) {
            all.push(interrupts()[rng.below(4) as usize].clone());
        }
    }
    all
}

fn figure_2(name: &str) -> BTreeSet<String> {
    let mut device = capuchin_apps::open(name).unwrap();
    let mut rng = Rng::new(2);
    let mut verdicts = BTreeSet::new();
    for case in 0..2000 {
        let (password, expected) =
            if case % 2 == 0 { ("1234", "Welcome") } else { ("bad", "Invalid Password") };
        let script = [
            click("enter"),
            typed("username", "test"),
            typed("password", password),
            click("signin"),
        ];
        match run(&mut device, &interrupted(&script, &mut rng)) {
            Ok(seen) if shows(&seen, expected) => {}
            Ok(_) => {
                verdicts.insert(format!("failed: {expected}"));
            }
            Err(verdict) => {
                verdicts.insert(verdict.split(" in ").next().unwrap().to_owned());
            }
        }
    }
    verdicts
}

#[test]
fn figure_2_finds_three_bugs_and_no_other() {
    let expected = [
        "blocked: Type(#username, \"test\")",
        "crashed: java.lang.RuntimeException: Unable to start activity",
        "failed: Welcome",
    ];
    assert_eq!(figure_2("music"), expected.map(String::from).into());
    assert_eq!(figure_2("music-fixed"), BTreeSet::new());
}

#[test]
fn the_three_bugs_have_the_minimal_traces_of_figure_3() {
    let (mut device, _) = start("music", 1);
    let crash = run(&mut device, &[click("enter"), Event::ClickHome]).unwrap_err();
    assert!(crash.starts_with("crashed"), "{crash}");
    let rotated = [click("enter"), Event::Rotate, typed("username", "test")];
    assert!(run(&mut device, &rotated).unwrap_err().starts_with("blocked"));
    let mut sign_in = vec![
        click("enter"),
        typed("username", "test"),
        Event::Rotate,
        typed("password", "1234"),
        click("signin"),
    ];
    let seen = run(&mut device, &sign_in).unwrap();
    assert!(shows(&seen, "Unknown User") && !shows(&seen, "Welcome"));
    // Anywhere else, a turn does no harm, so the trace of figure 3 is the only smallest one.
    for place in [3, 4, 5] {
        sign_in.retain(|event| *event != Event::Rotate);
        sign_in.insert(place.min(sign_in.len()), Event::Rotate);
        assert!(shows(&run(&mut device, &sign_in).unwrap(), "Welcome"), "{place}");
    }
    let veiled_home = [click("enter"), Event::Rotate, Event::ClickHome];
    assert!(run(&mut device, &veiled_home).is_ok(), "Home under the veil does no harm");
}

fn signed_in(more: &[Event]) -> Vec<Event> {
    let mut events =
        vec![click("enter"), typed("username", "test"), typed("password", "1234"), click("signin")];
    events.extend_from_slice(more);
    events
}

/// The property of figure 4.
fn buttons_agree(device: &mut dyn Device, seen: &Observation) -> bool {
    let predicates = device.powers().predicates.unwrap();
    let playing = predicates.holds("mediaPlayerIsPlaying", &[]).unwrap();
    let clickable =
        |name: &str| seen.screen.first(&Selector::id(name)).is_some_and(|e| e.is(State::CLICKABLE));
    assert_ne!(clickable("play"), clickable("stop"), "exactly one is there");
    (!clickable("play") || !playing) && (!clickable("stop") || playing)
}

#[test]
fn figure_4_finds_that_buttons_and_player_disagree() {
    for (name, fixed) in [("music", false), ("music-fixed", true)] {
        let (mut device, _) = start(name, 1);
        for (more, agree) in [
            (vec![], true),
            (vec![click("play")], true),
            (vec![click("play"), Event::ClickHome, Event::Settings, Event::ClickMenu], true),
            (vec![click("play"), click("stop")], true),
            (vec![click("play"), Event::Sleep(3999)], true),
            (vec![click("play"), Event::Sleep(4000)], fixed),
            (vec![click("play"), Event::Rotate], fixed),
        ] {
            let seen = run(&mut device, &signed_in(&more)).unwrap();
            assert_eq!(buttons_agree(&mut device, &seen), agree, "{name}: {more:?}");
        }
    }
    let (mut device, _) = start("music-fixed", 1);
    for (sleep, turns) in [(0, 0), (4500, 1), (5000, 3)] {
        let mut more = vec![click("play"), Event::Sleep(sleep)];
        more.extend(std::iter::repeat_n(Event::Rotate, turns));
        more.push(click("stop"));
        let seen = run(&mut device, &signed_in(&more)).unwrap();
        assert!(buttons_agree(&mut device, &seen));
    }
}

#[test]
fn a_predicate_that_the_app_does_not_have_is_an_error() {
    let (mut device, _) = start("music", 1);
    assert!(device.powers().predicates.unwrap().holds("isHappy", &[]).is_err());
    assert!(start("reply", 1).0.powers().predicates.is_none());
}

#[test]
fn wrong_users_are_not_let_in() {
    let (mut device, _) = start("music-fixed", 1);
    let sign_in = |user: &str, password: &str| {
        [click("enter"), typed("username", user), typed("password", password), click("signin")]
    };
    for (user, password, says) in [
        ("test", "bad", "Invalid Password"),
        ("who", "bad", "Invalid Password"),
        ("who", "1234", "Unknown User"),
        ("", "1234", "Unknown User"),
        ("test", "1234", "Welcome"),
    ] {
        let seen = run(&mut device, &sign_in(user, password)).unwrap();
        assert!(shows(&seen, says), "{user} {password}");
    }
}

#[test]
fn the_composer_forgets_what_was_written() {
    for (name, kept) in [("reply", ""), ("reply-fixed", "Hi")] {
        let (mut device, _) = start(name, 1);
        let write = [click("reply"), typed("edit_area", "Hi"), Event::ClickHome, Event::Settings];
        let seen = run(&mut device, &write).unwrap();
        assert_eq!(seen.screen.text(&Selector::id("edit_area")), Some("Hi"));
        let seen = device.perform(&Event::Rotate).unwrap();
        assert_eq!(seen.screen.text(&Selector::id("edit_area")), Some(kept));
    }
}

#[test]
fn the_folder_picker_crashes_when_turned() {
    let script = [
        typed("username", "test"),
        typed("password", "1234"),
        click("login"),
        Event::LongClick(id("linearlayout")),
        Event::Click(says("Move")),
    ];
    let mut rng = Rng::new(448);
    for _ in 0..500 {
        let events = interrupted(&script, &mut rng);
        let moved = events.iter().rposition(|event| *event == script[4]).unwrap();
        let turned = events[moved..].contains(&Event::Rotate);
        let (mut device, _) = start("picker", 1);
        let crashed =
            run(&mut device, &events).is_err_and(|verdict| verdict.starts_with("crashed"));
        assert_eq!(crashed, turned, "{events:?}");
        let (mut device, _) = start("picker-fixed", 1);
        assert!(run(&mut device, &events).is_ok(), "{events:?}");
    }
}

#[test]
fn the_clock_crashes_on_another_page() {
    let script = [click("clock"), click("drawer"), click("nav-about")];
    let (mut device, _) = start("score", 1);
    assert!(run(&mut device, &script).unwrap_err().starts_with("crashed"));
    assert!(run(&mut device, &script[1..]).is_ok());
    let (mut device, _) = start("score-fixed", 1);
    assert!(run(&mut device, &script).is_ok());
}

#[test]
fn everything_stays_within_the_screen_upright_and_turned() {
    let sizes = [Size::new(360, 640), Size::new(412, 915), Size::new(1280, 800)];
    for (sample, size) in capuchin_apps::all().iter().flat_map(|s| sizes.map(|size| (s, size))) {
        let mut device = capuchin_apps::open_with(sample.name, size).unwrap();
        let mut seen = device.reset(1).unwrap();
        let mut rng = Rng::new(5);
        for step in 0..500 {
            let size = seen.screen.viewport;
            for element in &seen.screen.elements {
                let bounds = element.bounds;
                let inside = bounds.x >= 0
                    && bounds.y >= 0
                    && bounds.x + bounds.width <= size.width
                    && bounds.y + bounds.height <= size.height;
                assert!(inside || element.id == "outside", "{}: {element:?}", sample.name);
            }
            if let Some(event) = play::monkey_move(&seen.screen, true, &mut rng) {
                seen = device.perform(&event).unwrap();
            }
            if seen.crash.is_some() {
                seen = device.reset(step).unwrap();
            }
        }
    }
}
