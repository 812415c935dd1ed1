//! Monitors: what they are shown, and what becomes of what they find.

use crate::fake::{Fake, click_on};
use capuchin::log::{RunEvent, VerdictKind};
use capuchin::prelude::*;
use capuchin::trace::Trace;
use capuchin::ui::{DeviceError, Event, Lack};
use capuchin::{Action, Finding, Monitor, Monitors, Probe, Rules, Step, each_step, execute};
use capuchin_apps::Wrapped;
use std::sync::{Arc, Mutex};

/// Keeps a line for each step that it is shown, and one for the end.
#[derive(Clone, Default)]
struct Recorder {
    lines: Arc<Mutex<Vec<String>>>,
    wants_before: bool,
}

impl Monitors for Recorder {
    fn name(&self) -> &'static str {
        "recorder"
    }

    fn monitor(&self) -> Box<dyn Monitor + '_> {
        Box::new(self.clone())
    }
}

impl Monitor for Recorder {
    fn wants_before(&self) -> bool {
        self.wants_before
    }

    fn watch(
        &mut self,
        step: &Step<'_>,
        app: &mut Probe<'_>,
    ) -> Result<Option<Finding>, DeviceError> {
        let what = match step.action {
            Action::Reset(seed) => format!("reset {seed}"),
            Action::Perform(event) => event.to_string(),
        };
        let before = step.before.map(|screen| screen.number(&id("count")).unwrap_or(-1.0));
        let after = app.screen().number(&id("count")).unwrap_or(-1.0);
        let blocked = if step.is_blocked() { ", blocked" } else { "" };
        let crashed = if step.after.crash.is_some() { ", crashed" } else { "" };
        let line = format!("{what}: {before:?} to {after}{blocked}{crashed}");
        self.lines.lock().unwrap().push(line);
        Ok(None)
    }

    fn end(&mut self, _: &mut Probe<'_>) -> Result<Option<Finding>, DeviceError> {
        self.lines.lock().unwrap().push("end".to_owned());
        Ok(None)
    }
}

fn lines(wants_before: bool, events: &[Event]) -> Vec<String> {
    let recorder = Recorder { wants_before, ..Recorder::default() };
    let monitors: [Arc<dyn Monitors>; 1] = [Arc::new(recorder.clone())];
    let mut rules = Rules::seed(7);
    rules.monitors = &monitors;
    let tries = events.iter().cloned().map(|event| Trace::Try(Box::new(event.into())));
    execute(&Trace::seq(tries), &mut Fake::new(), &rules).unwrap();
    let lines = recorder.lines.lock().unwrap();
    lines.clone()
}

#[test]
fn a_monitor_is_shown_the_reset_every_event_and_the_end() {
    let [a, off, crash] = ["a", "off", "crash"].map(click_on);
    assert_eq!(
        lines(true, &[a.clone(), off, a.clone()]),
        [
            "reset 7: None to 0",
            "Click(#a): Some(0.0) to 1",
            "Click(#off): Some(1.0) to 1, blocked",
            "Click(#a): Some(1.0) to 2",
            "end"
        ]
    );
    let crashed = lines(true, &[a.clone(), crash, a]);
    assert!(crashed[2].ends_with(", crashed") && crashed.len() == 3, "{crashed:?}");
}

#[test]
fn without_a_monitor_that_wants_it_the_screen_before_is_not_kept() {
    assert_eq!(lines(false, &[click_on("a")])[1], "Click(#a): None to 1");
}

/// A click never adds more than one: the fault is in what an event does, not in any screen.
fn one_at_a_time() -> impl Monitors {
    each_step("one-at-a-time", |step: &Step<'_>, app: &mut Probe<'_>| {
        let count = |screen: &capuchin::ui::Screen| screen.number(&id("count")).unwrap_or(0.0);
        let (Some(before), after) = (step.before.map(count), count(app.screen())) else {
            return Ok(None);
        };
        let finding = Finding::new("one click counts as several");
        Ok((after > before + 1.0).then(|| finding.detail(format!("{before} became {after}"))))
    })
}

/// A device that performs every second click twice.
fn stutters() -> Wrapped<u32> {
    Wrapped::new(Box::new(Fake::new()), 0, |clicks, inner, call| {
        let Some(event) = call.event().filter(|event| **event == click_on("a")) else {
            *clicks = 0;
            return call.on(inner);
        };
        *clicks += 1;
        if clicks.is_multiple_of(2) {
            inner.perform(event)?;
        }
        call.on(inner)
    })
}

#[test]
fn what_a_monitor_finds_is_told_apart_shrunk_and_says_who_found_it() {
    let noise = click(id("a")) | click(id("b")) | click(id("toggle"));
    let check = Check::new("monkey", noise.repeat(0..=30)).monitor(one_at_a_time());
    let outcome = check.run(&mut stutters()).unwrap();
    let [failure] = outcome.failures.as_slice() else { panic!("{outcome}") };
    assert_eq!(failure.kind, VerdictKind::Failed);
    assert_eq!(failure.summary, "Failed monitor one-at-a-time: one click counts as several");
    assert_eq!(failure.detail, "1 became 3");
    assert_eq!(failure.minimal, "Click(#a) :>> Click(#a)");
    assert_eq!(failure.monitor.as_deref(), Some("one-at-a-time"));
    assert_eq!((failure.again, failure.same), (2, 2));
}

/// `eventually P`: at some point of the run, the property held.
struct Eventually(Prop);

struct EventuallyMonitor<'a> {
    prop: &'a Prop,
    held: bool,
}

impl Monitors for Eventually {
    fn name(&self) -> &'static str {
        "eventually"
    }

    fn monitor(&self) -> Box<dyn Monitor + '_> {
        Box::new(EventuallyMonitor { prop: &self.0, held: false })
    }
}

impl Monitor for EventuallyMonitor<'_> {
    fn watch(&mut self, _: &Step<'_>, app: &mut Probe<'_>) -> Result<Option<Finding>, DeviceError> {
        self.held |= app.holds(self.prop)?;
        Ok(None)
    }

    fn end(&mut self, _: &mut Probe<'_>) -> Result<Option<Finding>, DeviceError> {
        Ok((!self.held).then(|| Finding::new(format!("never {}", self.prop))))
    }
}

#[test]
fn a_monitor_may_wait_for_the_end() {
    let eventually = || Eventually(is_displayed(id("extra")));
    let held = Check::new("held", click(id("toggle")) >> click(id("toggle")));
    held.monitor(eventually()).run(&mut Fake::new()).unwrap().assert();
    let never = Check::new("never", click(id("a")).repeat(0..=5)).monitor(eventually());
    let outcome = never.run(&mut Fake::new()).unwrap();
    let [failure] = outcome.failures.as_slice() else { panic!("{outcome}") };
    assert_eq!(failure.summary, "Failed monitor eventually: never isDisplayed(#extra)");
    // What is found at the end depends on the whole trace: the script of the generator stays.
    let script = Check::new("script", click(id("b")) >> click(id("a")).repeat(0..=5));
    let outcome = script.monitor(eventually()).run(&mut Fake::new()).unwrap();
    assert_eq!(outcome.failures[0].minimal, "Click(#b)");
}

#[test]
fn what_a_device_lacks_is_counted_and_told_once_and_is_no_verdict() {
    let mut device = Wrapped::new(Box::new(Fake::new()), (), |(), inner, call| {
        let mut seen = call.on(inner)?;
        if call.event().is_some() {
            seen.lacked.push(Lack { what: "camera".into(), reason: "there is none".into() });
        }
        Ok(seen)
    });
    let mut told = Vec::new();
    let check = Check::new("photo", click(id("a")).repeat(0..=3)).cases(20);
    let outcome = check.run_with(&mut device, &mut |event: &RunEvent| {
        if let RunEvent::DeviceLacked { what, reason, cases } = event {
            told.push((what.clone(), reason.clone(), *cases));
        }
    });
    outcome.assert();
    let [(what, reason, cases)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((what.as_str(), reason.as_str()), ("camera", "there is none"));
    assert!((1..20).contains(cases), "not in the cases of no events: {cases}");
}
