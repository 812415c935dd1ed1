//! A fleet gives what one device gives, and a driver that breaks does not break the run.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use capuchin::log::{RunEvent, VerdictKind};
use capuchin::steering::{Choice, Effect, NamedTrace, Pilot, PilotPool, Pilots};
use capuchin::trace::prelude::auto;
use capuchin::trace::{Auto, Gen, Prop};
use capuchin::ui::{
    CodeCoverage, Coverage, Crash, Device, DeviceError, DeviceInfo, Event, FileCoverage,
    Observation, Powers, Stop, Stoppable, Target,
};
use capuchin::{Always, Check, Conclusion, Config, Outcome, Plan, Probe, each_step};
use capuchin_apps::Wrapped;
use capuchin_mission::{Fleet, Open};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

fn plan(generator: Gen, change: impl FnOnce(&mut Config)) -> Plan {
    let mut config = Config::default();
    change(&mut config);
    Plan::new("plan", generator, config)
}

fn run(plan: &Plan, jobs: u32, open: &Open<'_>) -> (Outcome, Vec<RunEvent>) {
    let mut events = Vec::new();
    let devices = (0..jobs).map(|_| open(&Stop::default()).unwrap()).collect();
    let mut fleet = Fleet::new(devices, open);
    let outcome = fleet.run(plan, 1, &mut |event: &RunEvent| events.push(event.clone()));
    (outcome, events)
}

fn score(_: &Stop) -> Result<Box<dyn Device>, DeviceError> {
    Ok(capuchin_apps::open("score").unwrap())
}

#[test]
fn a_fleet_reports_what_the_plain_loop_reports() {
    let plan = plan(Gen::RelevantMonkey(300), |config| config.cases = 40);
    let mut expected = Vec::new();
    let mut device = capuchin_apps::open("score").unwrap();
    let check = Check::new("plan", plan.generator.clone()).cases(40).seed(0);
    let _ = check.run_with(device.as_mut(), &mut |event: &RunEvent| expected.push(event.clone()));
    for jobs in [1, 2, 7] {
        let (_, events) = run(&plan, jobs, &score);
        assert_eq!(events, expected, "with {jobs} devices");
    }
}

#[test]
fn stopping_at_the_first_failure_reports_nothing_after_it() {
    let plan = plan(Gen::RelevantMonkey(300), |config| {
        config.cases = 1000;
        config.stop_at_first = true;
    });
    let (one, events) = run(&plan, 1, &score);
    let (_, same) = run(&plan, 4, &score);
    assert_eq!(events, same);
    assert_eq!(one.failures.len(), 1);
}

/// What is wrong with a driver, or with the app on it.
#[derive(Clone, Copy, PartialEq)]
enum Breaks {
    /// The device is lost.
    IsLost,
    /// The driver panics.
    Panics,
    /// The app crashes at every event, and then the device is lost.
    Crashes,
}

/// A driver that is broken in one way or another once it has performed so many events.
fn broken(breaks: Breaks, lasts: u32) -> Wrapped<Counted> {
    Wrapped::new(
        score(&Stop::default()).unwrap(),
        Counted::default(),
        move |counted, inner, call| {
            if call.event().is_none() {
                return call.on(inner);
            }
            if counted.events >= lasts {
                assert!(breaks != Breaks::Panics, "out of luck");
                return Err(DeviceError::Lost {
                    device: "broken".into(),
                    reason: "unplugged".into(),
                });
            }
            counted.events += 1;
            let crash = (breaks == Breaks::Crashes).then(|| Arc::new(Crash::new("at once")));
            Ok(call.on(inner)?.crashed(crash))
        },
    )
}

/// The events that a device has performed: each is the same line of the app.
#[derive(Default)]
struct Counted {
    events: u32,
}

impl Powers for Counted {
    fn coverage(&mut self) -> Option<&mut dyn Coverage> {
        Some(self)
    }
}

impl Coverage for Counted {
    fn fresh(&mut self) -> Result<u32, DeviceError> {
        Ok(0)
    }

    fn so_far(&mut self) -> Result<CodeCoverage, DeviceError> {
        Ok(lines(self.events.into()))
    }
}

/// So many lines of an app.
fn lines(count: u64) -> CodeCoverage {
    let mut file = FileCoverage::default();
    file.lines.insert(1, count);
    let mut all = CodeCoverage::default();
    all.files.insert("app".into(), file);
    all
}

#[test]
fn a_device_that_is_lost_or_panics_ends_the_check_and_keeps_what_was_found() {
    for (breaks, reason) in [(Breaks::IsLost, "unplugged"), (Breaks::Panics, "out of luck")] {
        let plan = plan(Gen::from(Event::Rotate), |config| config.cases = 10);
        // It can be opened once; then it is gone for good.
        let opened = AtomicU32::new(0);
        let open = |_: &Stop| match opened.fetch_add(1, Ordering::Relaxed) {
            0 => Ok(Box::new(broken(breaks, 3)) as Box<dyn Device>),
            _ => Err(DeviceError::Start { device: "broken".into(), reason: "gone".into() }),
        };
        let (outcome, events) = run(&plan, 1, &open);
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

#[test]
fn a_device_that_is_lost_is_opened_again_and_nothing_shows() {
    let plan = plan(Gen::from(Event::Rotate), |config| config.cases = 10);
    for jobs in [1, 2] {
        let (outcome, events) =
            run(&plan, jobs, &|_| Ok(Box::new(broken(Breaks::Panics, 3)) as Box<dyn Device>));
        assert!(outcome.holds(), "{outcome}");
        assert_eq!(outcome.held, 10);
        let (_, well) =
            run(&plan, 1, &|_| Ok(Box::new(broken(Breaks::IsLost, 1000)) as Box<dyn Device>));
        assert_eq!(events, well);
    }
}

/// A policy that panics at its first move.
struct Clueless;

impl Pilots for Clueless {
    fn pilot(&self, _: &Auto, _: &DeviceInfo, _: u64) -> Option<Box<dyn Pilot>> {
        Some(Box::new(Clueless))
    }
}

impl Pilot for Clueless {
    fn take_over(&mut self, _: &mut Probe<'_>, _: u32) {}

    fn choose(&mut self, _: &mut Probe<'_>, _: &[NamedTrace]) -> Result<Choice, DeviceError> {
        panic!("out of ideas")
    }

    fn saw(&mut self, _: Effect<'_>, _: Option<u32>, _: &mut Probe<'_>) {}

    fn hand_back(&mut self) {}

    fn is_done(&self) -> bool {
        panic!("a pilot that has panicked is asked")
    }
}

#[test]
fn a_panic_of_a_monitor_a_property_or_a_policy_is_a_wrong_request() {
    let rotate = || plan(Gen::from(Event::Rotate), |config| config.cases = 10);
    let (mut monitor, mut property) = (rotate(), rotate());
    monitor.monitors.push(Arc::new(each_step("mine", |_, _| panic!("out of ideas"))));
    let prop = Prop::screen("mine", |_| panic!("out of ideas"));
    property.monitors.push(Arc::new(Always::new(None, prop)));
    let mut policy = plan(auto("swifthand", 5), |config| config.cases = 10);
    policy.pilots = PilotPool::new(Arc::new(Clueless));
    let mut exploration = policy.clone();
    exploration.exploration = Some(capuchin::Exploration::default());
    for plan in [monitor, property, policy, exploration] {
        let opened = AtomicU32::new(0);
        let open = |_: &Stop| {
            opened.fetch_add(1, Ordering::Relaxed);
            score(&Stop::default())
        };
        let (outcome, _) = run(&plan, 1, &open);
        assert_eq!(opened.into_inner(), 1, "the device is not at fault");
        let error = outcome.device_error.as_ref().unwrap().to_string();
        assert!(error.contains("a policy panicked: out of ideas"), "{error}");
        assert_eq!(Conclusion::of(&[outcome], false), Conclusion::WrongRequest);
    }
}

#[test]
fn a_driver_that_panics_over_a_question_is_lost() {
    struct Broken;
    impl Powers for Broken {
        fn coverage(&mut self) -> Option<&mut dyn Coverage> {
            panic!("out of luck")
        }
    }
    let mut plan = plan(auto("swifthand", 5), |config| config.cases = 10);
    plan.pilots = PilotPool::new(Arc::new(Tourists));
    let open = |_: &Stop| -> Result<Box<dyn Device>, DeviceError> {
        let device =
            Wrapped::new(score(&Stop::default())?, Broken, |_, inner, call| call.on(inner));
        Ok(Box::new(device.with_powers(|broken| Some(broken))))
    };
    let (outcome, _) = run(&plan, 1, &open);
    let error = outcome.device_error.as_ref().unwrap().to_string();
    assert!(error.contains("its driver panicked: out of luck"), "{error}");
    assert_eq!(Conclusion::of(&[outcome], false), Conclusion::DeviceFailed);
}

#[test]
fn a_device_that_is_lost_every_time_ends_the_check() {
    let plan = plan(Gen::from(Event::Rotate), |config| config.cases = 10);
    let (outcome, _) =
        run(&plan, 2, &|_| Ok(Box::new(broken(Breaks::IsLost, 0)) as Box<dyn Device>));
    assert_eq!(outcome.held, 0);
    assert!(outcome.device_error.is_some());
}

#[test]
fn a_failure_stays_when_every_device_dies_over_it() {
    for jobs in [1, 2, 3] {
        let opened = AtomicU32::new(0);
        let open = |_: &Stop| match opened.fetch_add(1, Ordering::Relaxed) {
            // It crashes at once, and is lost right after: nothing but the failing case is ever
            // run.
            number if number < jobs => Ok(Box::new(broken(Breaks::Crashes, 1)) as Box<dyn Device>),
            _ => Err(DeviceError::Start { device: "broken".into(), reason: "gone".into() }),
        };
        let plan = plan(Gen::from(Event::Rotate), |config| config.cases = 50);
        let (outcome, events) = run(&plan, jobs, &open);
        assert_eq!(outcome.failures.len(), 1, "{jobs}: {outcome}");
        assert_eq!(outcome.failures[0].minimal, "Rotate");
        assert!(outcome.device_error.is_some() && !outcome.holds());
        assert!(events.iter().any(|event| matches!(event, RunEvent::DeviceFailed { .. })));
    }
}

#[test]
fn what_ran_on_a_device_that_was_lost_is_not_lost() {
    let plan = plan(Gen::from(Event::Rotate), |config| config.cases = 10);
    let open = |_: &Stop| -> Result<Box<dyn Device>, DeviceError> {
        Ok(Box::new(broken(Breaks::IsLost, 4).with_powers(|counted| Some(counted))))
    };
    for jobs in [1, 2] {
        let devices = (0..jobs).map(|_| open(&Stop::default()).unwrap()).collect();
        let mut fleet = Fleet::new(devices, &open);
        let outcome = fleet.run(&plan, 1, &mut |_: &RunEvent| {});
        assert_eq!(outcome.held, 10);
        // Each case is one event.
        assert_eq!(fleet.coverage().unwrap().files["app"].lines[&1], 10, "with {jobs} devices");
    }
    // And devices that do not count say nothing.
    assert_eq!(Fleet::new(vec![score(&Stop::default()).unwrap()], &score).coverage(), None);
}

/// Pilots that go from one element to the next, over all cases, and stay where something new ran.
#[derive(Clone)]
struct Tourists;

#[derive(Default)]
struct Tourist {
    next: usize,
}

impl Pilots for Tourists {
    fn pilot(&self, _: &Auto, _: &DeviceInfo, seed: u64) -> Option<Box<dyn Pilot>> {
        Some(Box::new(Tourist { next: seed as usize % 7 }))
    }
}

impl Pilot for Tourist {
    fn take_over(&mut self, _: &mut Probe<'_>, _: u32) {}

    fn choose(&mut self, app: &mut Probe<'_>, _: &[NamedTrace]) -> Result<Choice, DeviceError> {
        let screen = app.screen();
        let click = Event::Click(Target::any());
        let candidates: Vec<usize> = screen.candidates(&click).map(|(index, _)| index).collect();
        if candidates.is_empty() || self.next.is_multiple_of(11) {
            self.next += 1;
            return Ok(Choice::event(Event::Rotate));
        }
        let element = candidates[self.next % candidates.len()];
        Ok(Choice::event(Event::Click(Target::One(screen.name_of(element)))))
    }

    fn saw(&mut self, _: Effect<'_>, fresh: Option<u32>, _: &mut Probe<'_>) {
        self.next += usize::from(fresh.is_none_or(|fresh| fresh == 0));
    }

    fn hand_back(&mut self) {
        self.next += 1;
    }
}

#[test]
fn what_a_pilot_learns_does_not_depend_on_the_number_of_devices() {
    let generator = auto("swifthand", 60);
    let mut plan = plan(generator.clone(), |config| config.cases = 40);
    plan.pilots = PilotPool::new(Arc::new(Tourists));
    let mut expected = Vec::new();
    let mut device = capuchin_apps::open("score").unwrap();
    let check = Check::new("plan", generator).cases(40).seed(0).pilots(Tourists);
    let outcome =
        check.run_with(device.as_mut(), &mut |event: &RunEvent| expected.push(event.clone()));
    assert!(!outcome.failures.is_empty(), "{outcome}");
    for jobs in [1, 2, 7] {
        let (_, events) = run(&plan, jobs, &score);
        assert_eq!(events, expected, "with {jobs} devices");
    }
}

/// What a device counts: each event that it has not seen before after the one before it is new
/// code. So is much of what is run to make a failure smaller.
#[derive(Default)]
struct Curious {
    last: String,
    seen: Vec<String>,
    fresh: u32,
}

impl Powers for Curious {
    fn coverage(&mut self) -> Option<&mut dyn Coverage> {
        Some(self)
    }
}

impl Coverage for Curious {
    fn fresh(&mut self) -> Result<u32, DeviceError> {
        Ok(std::mem::take(&mut self.fresh))
    }

    fn so_far(&mut self) -> Result<CodeCoverage, DeviceError> {
        Ok(lines(self.seen.len() as u64))
    }
}

#[test]
fn what_ran_in_earlier_checks_is_new_to_a_pilot_whoever_ran_it() {
    let open = |_: &Stop| -> Result<Box<dyn Device>, DeviceError> {
        let device =
            Wrapped::new(score(&Stop::default())?, Curious::default(), |curious, inner, call| {
                let event = call.event().map(ToString::to_string).unwrap_or_default();
                let name = format!("{} {event}", curious.last);
                if call.event().is_some() && !curious.seen.contains(&name) {
                    curious.seen.push(name);
                    curious.fresh += 1;
                }
                curious.last = event;
                call.on(inner)
            });
        Ok(Box::new(device.with_powers(|curious| Some(curious))))
    };
    let before = plan(Gen::RelevantMonkey(30), |config| config.cases = 9);
    let mut steered = plan(auto("swifthand", 40), |config| config.cases = 9);
    steered.pilots = PilotPool::new(Arc::new(Tourists));
    let run = |plans: &[Plan], jobs: u32| {
        let mut events = Vec::new();
        let devices = (0..jobs).map(|_| open(&Stop::default()).unwrap()).collect();
        let mut fleet = Fleet::new(devices, &open);
        fleet.run_all(plans, &mut |event: &RunEvent| events.push(event.clone()));
        (events, fleet.coverage().unwrap().files["app"].lines[&1])
    };
    let plans = [before, steered.clone()];
    let (expected, ran) = run(&plans, 1);
    assert!(ran > 0);
    for jobs in [2, 5] {
        assert_eq!(run(&plans, jobs).0, expected, "with {jobs} devices");
    }
    // And it is what the check gives by itself, in the plain loop.
    let mut alone = Vec::new();
    let check = Check::new("plan", steered.generator).cases(9).seed(0).pilots(Tourists);
    let mut device = open(&Stop::default()).unwrap();
    let outcome =
        check.run_with(device.as_mut(), &mut |event: &RunEvent| alone.push(event.clone()));
    assert!(outcome.failures[0].shrink_runs > 0, "something else was run in between");
    let steps = |events: &[RunEvent]| -> Vec<u32> {
        let steps = events.iter().filter_map(|event| match event {
            RunEvent::CaseFinished { steps, .. } => Some(*steps),
            _ => None,
        });
        steps.collect()
    };
    assert_eq!(steps(&alone)[..], steps(&expected)[9..]);
}

/// A device whose resets and events take for ever, until it is told to stop.
#[derive(Default)]
struct Endless {
    stop: Stop,
}

impl Powers for Endless {
    fn stoppable(&mut self) -> Option<&mut dyn Stoppable> {
        Some(self)
    }
}

impl Stoppable for Endless {
    fn stop_when(&mut self, stop: &Stop) {
        self.stop = stop.clone();
    }
}

impl Endless {
    fn wait(&self) -> DeviceError {
        let began = Instant::now();
        while !self.stop.is_set() && began.elapsed() < A_WHILE {
            std::thread::park_timeout(Duration::from_millis(5));
        }
        DeviceError::Stopped { device: "endless".into() }
    }
}

/// Longer than anything takes that is told to stop.
const A_WHILE: Duration = Duration::from_secs(60);

/// Hangs at every event; or at every reset as well.
fn endless(at_reset: bool) -> Box<dyn Device> {
    let device =
        Wrapped::new(score(&Stop::default()).unwrap(), Endless::default(), move |it, on, call| {
            if call.event().is_some() || at_reset { Err(it.wait()) } else { call.on(on) }
        });
    Box::new(device.with_powers(|it| Some(it)))
}

#[test]
fn what_the_end_of_the_time_cuts_short_is_no_failure_and_ends_at_once() {
    for (at_reset, jobs) in [(false, 1), (true, 1), (false, 3)] {
        let plan = plan(Gen::from(Event::Rotate), |config| {
            (config.cases, config.time) = (10, Some(Duration::from_millis(200)));
        });
        let began = Instant::now();
        let (outcome, _) = run(&plan, jobs, &|_| Ok(endless(at_reset)));
        assert!(began.elapsed() < A_WHILE / 2, "{:?}", began.elapsed());
        assert_eq!((outcome.failures.len(), outcome.held), (0, 0), "{outcome}");
        assert_eq!((outcome.device_error, outcome.interrupted), (None, false));
    }
}

#[test]
fn an_interruption_cuts_short_what_is_under_way() {
    let flag = Arc::new(AtomicBool::new(false));
    let plan = plan(Gen::from(Event::Rotate), |config| config.interrupt = Some(Arc::clone(&flag)));
    let began = Instant::now();
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::park_timeout(Duration::from_millis(100));
            flag.store(true, Ordering::Relaxed);
        });
        run(&plan, 2, &|_| Ok(endless(false))).0
    });
    assert!(began.elapsed() < A_WHILE / 2, "{:?}", began.elapsed());
    assert!(outcome.interrupted && outcome.failures.is_empty(), "{outcome}");
    assert_eq!(outcome.device_error, None);
}

#[test]
fn a_device_that_is_opened_again_is_not_waited_for_when_the_time_is_up() {
    let plan = plan(Gen::from(Event::Rotate), |config| {
        (config.cases, config.time) = (10, Some(Duration::from_millis(200)));
    });
    let opened = AtomicU32::new(0);
    let open = |stop: &Stop| match opened.fetch_add(1, Ordering::Relaxed) {
        0 => Ok(Box::new(broken(Breaks::IsLost, 3)) as Box<dyn Device>),
        _ => Err(Endless { stop: stop.clone() }.wait()),
    };
    let began = Instant::now();
    let (outcome, _) = run(&plan, 1, &open);
    assert!(began.elapsed() < A_WHILE / 2, "{:?}", began.elapsed());
    assert_eq!((outcome.device_error, outcome.held), (None, 3));
}

#[test]
fn the_time_of_the_first_check_begins_when_its_devices_are_opened() {
    let plan = plan(Gen::from(Event::Rotate), |config| {
        (config.cases, config.time) = (10, Some(Duration::from_secs(1)));
    });
    let device = score(&Stop::default()).unwrap();
    let began = Instant::now().checked_sub(Duration::from_secs(2)).unwrap();
    let mut fleet = Fleet::new(vec![device], &score).began(began);
    let outcomes = fleet.run_all(&[plan.clone(), plan], &mut |_: &RunEvent| {});
    let held: Vec<u32> = outcomes.iter().map(|outcome| outcome.held).collect();
    assert_eq!(held, [0, 10], "two seconds were gone, and the next check has its own");
}

/// A driver that panics where nothing is expected of it.
struct Careless {
    inner: Box<dyn Device>,
    /// After so many events: over what it is, or only when it ends.
    over_info: bool,
    events: u32,
}

impl Device for Careless {
    fn info(&self) -> &DeviceInfo {
        assert!(!self.over_info || self.events < 3, "out of names");
        self.inner.info()
    }

    fn reset(&mut self, seed: u64) -> Result<Observation, DeviceError> {
        self.inner.reset(seed)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.events += 1;
        if !self.over_info && self.events == 3 {
            return Err(DeviceError::Lost { device: "careless".into(), reason: "gone".into() });
        }
        self.inner.perform(event)
    }
}

impl Drop for Careless {
    fn drop(&mut self) {
        assert!(self.over_info || std::thread::panicking(), "cannot end");
    }
}

#[test]
fn a_driver_that_panics_where_nobody_expects_it_keeps_nobody_waiting() {
    for (over_info, jobs) in [(true, 1), (true, 3), (false, 1), (false, 3)] {
        let plan = plan(Gen::from(Event::Rotate), |config| config.cases = 12);
        let open = |stop: &Stop| {
            let inner = score(stop)?;
            Ok(Box::new(Careless { inner, over_info, events: 0 }) as Box<dyn Device>)
        };
        let (outcome, _) = run(&plan, jobs, &open);
        assert_eq!(outcome.held, 12, "the next device is opened: {outcome}");
    }
}
