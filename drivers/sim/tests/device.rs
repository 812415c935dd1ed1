//! What the simulated device adds to the contract: time, storage, panics, scrolling, memory.

#![allow(clippy::unwrap_used)]

use capuchin_sim::{App, Away, Input, Os, Page, SimDevice, numbered};
use capuchin_ui::{
    Blocked, Crash, Device, DeviceError, Direction, Environment, Event, Observation, Point,
    Selector, State, Target, Toward, Value,
};
use std::sync::Arc;

/// An app that writes down what it is told.
#[derive(Clone, Default)]
struct Diary {
    lines: Vec<String>,
    long: bool,
    fails: bool,
}

impl App for Diary {
    const ENVIRONMENT: &'static [&'static str] = &["network"];

    fn view(&self, page: &mut Page<'_>) {
        assert!(!self.fails, "the view fails");
        for id in ["timers", "loop", "work", "panic", "fail", "store", "long"] {
            page.button(id, id).size(80, 20);
        }
        page.label("last", self.lines.last().cloned().unwrap_or_default());
        page.field("field", "Field", "");
        page.group("outer", |page| {
            page.label("inner", "Inner");
        });
        if self.long {
            page.scroll("scroll", 100, |page| {
                for number in 1..=20 {
                    page.group(numbered("group-", number), |page| {
                        page.label("", numbered("Part ", number)).clickable();
                    });
                }
            });
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Launch => {
                let runs = os.storage.get("runs").map_or(0, |runs| runs.parse().unwrap_or(0)) + 1;
                os.storage.insert("runs".into(), numbered("", runs));
                self.lines.push(format!("launch {runs}"));
            }
            Input::Click("timers") => {
                os.timer(500, "late");
                os.timer(150, "early");
                os.timer(150, "second");
                os.every(200, "tick");
            }
            Input::Click("loop") | Input::Timer("again") => os.timer(0, "again"),
            Input::Click("work") => os.background(100, 5000, "work"),
            Input::Click("panic") => panic!("the app is in a panic"),
            Input::Click("fail") => self.fails = true,
            Input::Click("long") => self.long = !self.long,
            Input::Timer("late") => {
                os.cancel("tick");
                self.lines.push(format!("{} late", os.now()));
            }
            Input::Timer(name) => self.lines.push(format!("{} {name}", os.now())),
            Input::Background(task) => self.lines.push(format!("{} {task}", os.now())),
            Input::Suspend(away) => self.lines.push(format!("suspend {away:?}")),
            Input::Resume(Away::Settings) => self.lines.push("from settings".into()),
            Input::Environment(happening) => self.lines.push(happening.name.to_string()),
            Input::Back => os.leave(),
            Input::Click(id) => self.lines.push(format!("click {id}")),
            Input::DoubleClick(id) => self.lines.push(format!("twice {id}")),
            _ => {}
        }
        Ok(())
    }
}

fn diary() -> SimDevice<Diary> {
    let mut device = SimDevice::new("sim:diary", Diary::default());
    device.reset(1).unwrap();
    device
}

fn click(id: &str) -> Event {
    Event::Click(Target::id(id))
}

fn go(device: &mut SimDevice<Diary>, event: &Event) -> Observation {
    let seen = device.perform(event).unwrap();
    assert_eq!(seen.blocked, None, "{event}");
    seen
}

#[test]
fn timers_run_out_in_order() {
    let mut device = diary();
    go(&mut device, &click("timers"));
    assert_eq!(device.app().lines.len(), 1, "100 ms, and nothing is due");
    go(&mut device, &Event::Skip);
    assert_eq!(device.app().lines.len(), 1, "Skip takes no time");
    go(&mut device, &Event::Sleep(1000));
    let lines = &device.app().lines[1..];
    assert_eq!(lines, ["150 early", "150 second", "200 tick", "400 tick", "500 late"]);
}

#[test]
fn a_double_click_comes_after_its_two_clicks() {
    let mut device = diary();
    go(&mut device, &Event::DoubleClick(Target::id("store")));
    assert_eq!(device.app().lines[1..], ["click store", "click store", "twice store"]);
}

#[test]
fn a_loop_of_timers_is_reported_and_does_not_hang() {
    let mut device = diary();
    let seen = go(&mut device, &click("loop"));
    assert_eq!(seen.unsettled.as_deref(), Some("again"));
    let seen = go(&mut device, &Event::Sleep(u64::MAX));
    assert_eq!(seen.unsettled.as_deref(), Some("again"));
    assert_eq!(device.reset(1).unwrap().unsettled, None);
}

#[test]
fn how_long_background_work_takes_is_a_function_of_the_seed() {
    let mut device = diary();
    let mut done = |seed| {
        device.reset(seed).unwrap();
        go(&mut device, &click("work"));
        go(&mut device, &Event::Sleep(6000));
        device.app().lines[1].clone()
    };
    let times: Vec<String> = (0..5).map(&mut done).collect();
    assert_eq!(times, (0..5).map(&mut done).collect::<Vec<_>>());
    assert!(times.windows(2).any(|pair| pair[0] != pair[1]), "{times:?}");
}

#[test]
fn a_panic_is_a_crash_in_a_handler_and_in_a_view() {
    let mut device = diary();
    let before = go(&mut device, &Event::Skip).screen;
    for (button, message) in [("panic", "the app is in a panic"), ("fail", "the view fails")] {
        let seen = device.perform(&click(button)).unwrap();
        let crash = seen.crash.unwrap();
        assert_eq!(crash.message, message);
        assert!(crash.place.contains("device.rs"), "{}", crash.place);
        assert_eq!(seen.screen, before, "the last screen that was drawn");
        assert!(device.reset(1).unwrap().crash.is_none());
    }
}

#[test]
fn leaving_keeps_what_is_stored_and_a_reset_does_not() {
    let mut device = diary();
    go(&mut device, &click("timers"));
    go(&mut device, &Event::ClickBack);
    assert_eq!(device.app().lines, ["launch 2"]);
    go(&mut device, &Event::Sleep(1000));
    assert_eq!(device.app().lines, ["launch 2"], "its timers died with it");
    device.reset(1).unwrap();
    assert_eq!(device.app().lines, ["launch 1"]);
}

#[test]
fn interrupts_and_surroundings_are_told_apart() {
    let mut device = diary();
    go(&mut device, &Event::ClickHome);
    go(&mut device, &Event::Settings);
    let network = |name: &str| {
        Event::Environment(Environment { name: name.into(), args: vec![Value::Number(0.0)] })
    };
    go(&mut device, &network("network"));
    let lines = ["launch 1", "suspend Home", "suspend Settings", "from settings", "network"];
    assert_eq!(device.app().lines, lines);
    let error = device.perform(&network("weather")).unwrap_err();
    assert!(matches!(error, DeviceError::Unsupported { .. }), "{error}");
}

#[test]
fn a_container_shows_only_what_is_in_view() {
    let mut device = diary();
    let seen = go(&mut device, &click("long"));
    let part = |n: u32| Selector::text(format!("Part {n}"));
    assert_eq!(seen.screen.count(&part(1)), 1);
    assert_eq!(seen.screen.count(&part(20)), 0);
    let container = seen.screen.first(&Selector::id("scroll")).unwrap().bounds;
    let swipe = |to: Toward| Event::Swipe(Target::id("scroll"), to);
    let seen = go(&mut device, &swipe(Toward::Direction(Direction::Up)));
    assert_eq!(seen.screen.count(&part(1)), 0);
    for _ in 0..10 {
        go(&mut device, &swipe(Toward::Direction(Direction::Up)));
    }
    let seen = go(&mut device, &Event::Skip);
    let last = seen.screen.first(&part(20)).unwrap();
    assert_eq!(last.bounds.y + last.bounds.height, container.y + container.height);
    for (index, element) in seen.screen.elements.iter().enumerate() {
        assert!(element.parent.is_none_or(|parent| (parent as usize) < index));
    }
    let inside = part(20).inside(Selector::id("group-20").inside(Selector::id("scroll")));
    assert_eq!(seen.screen.count(&inside), 1, "{}", seen.screen);
    // A finger that moves down by 28 pixels moves the content down by 28.
    let from = container.center();
    let to = Toward::Place(capuchin_ui::Place::At(Point::new(from.x, from.y + 28)));
    let moved = go(&mut device, &swipe(to));
    assert_eq!(moved.screen.count(&part(20)), 0);
    assert!(go(&mut device, &Event::Click(Target::One(part(19)))).crash.is_none());
    go(&mut device, &click("long"));
    let again = go(&mut device, &click("long"));
    assert_eq!(again.screen.count(&part(1)), 1, "a container that was gone starts at its top");
}

#[test]
fn a_click_goes_to_what_is_clickable() {
    let mut device = diary();
    go(&mut device, &click("inner"));
    assert_eq!(device.app().lines.len(), 1, "nobody there takes it");
    go(&mut device, &click("long"));
    go(&mut device, &click("store"));
    assert_eq!(device.app().lines[1], "click store");
    go(&mut device, &Event::Click(Target::One(Selector::text("Part 2"))));
    assert_eq!(device.app().lines[2], "click Part 2", "without an id it is named by its text");
}

#[test]
fn what_is_typed_into_has_the_focus() {
    let mut device = diary();
    let field = Selector::id("field");
    let seen = go(&mut device, &Event::Type(Target::One(field.clone()), "x".into()));
    assert!(seen.screen.first(&field).unwrap().is(State::FOCUSED));
    assert!(!device.reset(1).unwrap().screen.first(&field).unwrap().is(State::FOCUSED));
}

#[test]
fn a_blocked_event_takes_no_time() {
    let mut device = diary();
    go(&mut device, &click("timers"));
    for _ in 0..10 {
        let seen = device.perform(&click("nowhere")).unwrap();
        assert_eq!(seen.blocked, Some(Blocked::Absent));
    }
    assert_eq!(device.app().lines.len(), 1);
}

#[test]
fn screens_are_shared_while_nothing_changes_and_reused_when_nobody_looks() {
    let mut device = diary();
    let first = go(&mut device, &Event::Skip).screen;
    let second = go(&mut device, &Event::Sleep(5)).screen;
    assert!(Arc::ptr_eq(&first, &second));
    drop((first, second));
    let memory = |seen: &Observation| Arc::as_ptr(&seen.screen);
    let mut last = go(&mut device, &click("store"));
    let mut seen = vec![memory(&last)];
    for _ in 0..10 {
        last = go(&mut device, &click("store"));
        seen.push(memory(&last));
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 2, "two screens are used in turn while the last one is held");
}
