//! A fleet gives what one device gives, and a driver that breaks does not break the run.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use capuchin::trace::Gen;
use capuchin::ui::{Device, DeviceError, DeviceInfo, Event, Observation, Screen, Size};
use capuchin::{Check, Config, Outcome, Plan, RunEvent, VerdictKind};
use capuchin_mission::Fleet;
use std::sync::Arc;

fn plan(generator: Gen, change: impl FnOnce(&mut Config)) -> Plan {
    let mut config = Config::default();
    change(&mut config);
    Plan { name: "plan".into(), generator, invariants: Vec::new(), config }
}

fn apps(name: &str, how_many: usize) -> Vec<Box<dyn Device>> {
    (0..how_many).map(|_| capuchin_apps::open(name).unwrap()).collect()
}

fn run(plan: &Plan, devices: Vec<Box<dyn Device>>) -> (Outcome, Vec<RunEvent>) {
    let mut events = Vec::new();
    let mut fleet = Fleet::new(devices).unwrap();
    let outcome = fleet.run(plan, 1, &mut |event: &RunEvent| events.push(event.clone()));
    (outcome, events)
}

#[test]
fn a_fleet_reports_what_the_plain_loop_reports() {
    let plan = plan(Gen::RelevantMonkey(300), |config| config.cases = 40);
    let mut expected = Vec::new();
    let mut device = capuchin_apps::open("score").unwrap();
    let check = Check::new("plan", plan.generator.clone()).cases(40).seed(0);
    let _ = check.run_with(device.as_mut(), &mut |event: &RunEvent| expected.push(event.clone()));
    for jobs in [1, 2, 7] {
        let (_, events) = run(&plan, apps("score", jobs));
        assert_eq!(events, expected, "with {jobs} devices");
    }
}

#[test]
fn stopping_at_the_first_failure_reports_nothing_after_it() {
    let plan = plan(Gen::RelevantMonkey(300), |config| {
        config.cases = 1000;
        config.stop_at_first = true;
    });
    let (one, events) = run(&plan, apps("score", 1));
    let (_, same) = run(&plan, apps("score", 4));
    assert_eq!(events, same);
    assert_eq!(one.failures.len(), 1);
}

/// A driver that is broken in one way or another.
struct Broken {
    info: DeviceInfo,
    panics: bool,
    performed: u32,
}

impl Broken {
    fn boxed(panics: bool) -> Box<dyn Device> {
        let info = DeviceInfo::new("broken", Size::new(10, 10));
        Box::new(Broken { info, panics, performed: 0 })
    }
}

impl Device for Broken {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn reset(&mut self, _: u64) -> Result<Observation, DeviceError> {
        Ok(Observation::of(Arc::new(Screen::default())))
    }

    fn perform(&mut self, _: &Event) -> Result<Observation, DeviceError> {
        self.performed += 1;
        assert!(!(self.panics && self.performed > 3), "out of luck");
        if self.performed > 3 {
            let reason = "unplugged".into();
            return Err(DeviceError::Lost { device: "broken".into(), reason });
        }
        self.reset(0)
    }
}

#[test]
fn a_device_that_is_lost_or_panics_ends_the_check_and_keeps_what_was_found() {
    for (panics, reason) in [(false, "unplugged"), (true, "out of luck")] {
        let plan = plan(Gen::from(Event::Rotate), |config| config.cases = 10);
        let (outcome, events) = run(&plan, vec![Broken::boxed(panics)]);
        assert_eq!(outcome.held, 3);
        let error = outcome.device_error.expect("the device failed").to_string();
        assert!(error.contains(reason), "{error}");
        let finished = |event: &&RunEvent| {
            matches!(event, RunEvent::CaseFinished { verdict: VerdictKind::Succeeded, .. })
        };
        assert_eq!(events.iter().filter(finished).count(), 3);
        assert!(matches!(events.last(), Some(RunEvent::CheckFinished { held: 3, .. })));
    }
}
