//! A recorder of a person's events is a pilot, and this is all of it: it chooses what the person is
//! about to do. Everything else (samples, monitors, verdicts, shrinking) is that of any other run.

use capuchin::prelude::*;
use capuchin::steering::{Choice, Effect, NamedTrace, Pilot, PilotPool, Pilots};
use capuchin::trace::{Auto, Trace};
use capuchin::ui::{DeviceError, DeviceInfo, Event, Recorded, Rng, Screen, Target};
use capuchin::{Execution, Monitors, Probe, Rules, each_step, execute};
use capuchin_apps::Wrapped;
use capuchin_apps::music::Music;
use capuchin_sim::SimDevice;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Chooses what a person does, until they have ended.
struct Recording;

impl Pilots for Recording {
    fn pilot(&self, _: &Auto, _: &DeviceInfo, _: u64) -> Option<Box<dyn Pilot>> {
        Some(Box::new(Recording))
    }
}

impl Pilot for Recording {
    fn take_over(&mut self, _: &mut Probe<'_>, _: u32) {}

    fn choose(&mut self, app: &mut Probe<'_>, _: &[NamedTrace]) -> Result<Choice, DeviceError> {
        loop {
            match app.recorded(Duration::from_secs(1))? {
                Recorded::Event(event, _) => return Ok(Choice::Run(event.into())),
                Recorded::End => return Ok(Choice::Stop),
                _ => {}
            }
        }
    }

    fn saw(&mut self, _: Effect<'_>, _: Option<u32>, _: &mut Probe<'_>) {}

    fn hand_back(&mut self) {}
}

fn recording() -> Gen {
    auto("recording", u32::MAX)
}

fn music() -> SimDevice<Music> {
    SimDevice::new("sim:music", Music::new(true))
}

fn click_on(id: &str) -> Event {
    Event::Click(Target::id(id))
}

fn type_into(id: &str, text: &str) -> Event {
    Event::Type(Target::id(id), text.into())
}

/// Runs a trace, and gives the screen after every step as well.
fn watched(trace: &Trace, device: &mut dyn Device) -> (Execution, Vec<Screen>) {
    let screens = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&screens);
    let monitor: Arc<dyn Monitors> = Arc::new(each_step("screens", move |step, _| {
        seen.lock().unwrap().push(Screen::clone(&step.after.screen));
        Ok(None)
    }));
    let pilots = PilotPool::new(Arc::new(Recording));
    let mut rules = Rules::seed(1);
    (rules.pilots, rules.monitors) = (Some(&pilots), std::slice::from_ref(&monitor));
    let execution = execute(trace, device, &rules).unwrap();
    let screens = screens.lock().unwrap().clone();
    (execution, screens)
}

#[test]
fn a_recorded_session_is_a_trace_that_shows_the_same_screens_again() {
    let person = music().person([
        click_on("enter"),
        type_into("username", "test"),
        type_into("password", "1234"),
        click_on("signin"),
        click_on("play"),
    ]);
    let mut device = Wrapped::new(Box::new(person), 0, |performed, inner, call| {
        *performed += u32::from(call.event().is_some());
        call.on(inner)
    });
    let sample = recording().sample(Rng::new(1));
    let (execution, screens) = watched(&sample.to_trace(), &mut device);
    assert!(execution.verdict.is_success());
    assert_eq!((device.state, screens.len()), (5, 6), "each event is performed once, and watched");
    let recorded = sample.settled(&execution.executed, &execution.moves).to_trace();
    assert_eq!(
        recorded.to_string(),
        "Click(#enter) :>> Type(#username, \"test\") :>> Type(#password, \"1234\") :>> \
         Click(#signin) :>> Click(#play)"
    );
    let (again, same) = watched(&recorded, &mut music());
    assert!(again.verdict.is_success());
    assert_eq!(same, screens);
}

#[test]
fn a_crash_that_a_person_causes_is_a_verdict_that_shrinks() {
    let mut device = music().person([
        Event::Rotate,
        Event::Sleep(300),
        click_on("enter"),
        Event::Sleep(200),
        Event::ClickHome,
        type_into("username", "never typed"),
    ]);
    let check = Check::new("recorded", recording()).pilots(Recording).cases(1);
    let outcome = check.run(&mut device).unwrap();
    let [failure] = &outcome.failures[..] else { panic!("{outcome:?}") };
    assert_eq!(failure.after(), "Click(#enter) :>> ClickHome");
}

#[test]
fn a_device_without_a_recorder_says_so() {
    let check = Check::new("recorded", recording()).pilots(Recording).cases(1);
    let error = check.run(&mut music()).unwrap_err();
    assert!(error.is_request());
    assert_eq!(error.to_string(), "sim:music has no recorder");
}
