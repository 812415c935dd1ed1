//! The quality of generation and shrinking, on the table of planted bugs: every bug is found by the
//! example that is meant for it, soon enough, and shrunk to the trace in the table; without the bug
//! the same example holds. A change that finds less, or later, or larger, fails here.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod table;

use capuchin::cases::CaseReport;
use capuchin::log::{RunEvent, VerdictKind};
use capuchin::trace::Gen;
use capuchin::ui::Device;
use capuchin::{Check, Outcome, Plan, Rules};
use capuchin_apps::{BUGS, Bug, open};
use capuchin_spec::Spec;
use table::example;

const SEEDS: std::ops::RangeInclusive<u64> = 1..=10;

/// Runs the one check of an example, and says after how many events each failure was found.
fn check(spec: &Spec, app: &str, seed: u64) -> (Outcome, Vec<u32>) {
    let mut device = open(app).unwrap();
    let mut events = 0;
    let mut found_after = Vec::new();
    let outcome = Check::new(&spec.checks[0].name, spec.checks[0].generator.clone())
        .seed(seed)
        .cases(spec.cases.unwrap_or(200))
        .run_with(device.as_mut(), &mut |event: &RunEvent| {
            if let RunEvent::CaseFinished { steps, failure, .. } = event {
                events += steps;
                // The first case that shows a failure is the one that found it.
                if failure.is_some_and(|number| number as usize > found_after.len()) {
                    found_after.push(events);
                }
            }
        });
    (outcome, found_after)
}

#[test]
fn every_planted_bug_is_found_and_shrunk_and_nothing_else_is_reported() {
    let mut specs: Vec<(&str, &str)> = BUGS.iter().map(|bug| (bug.spec, bug.app)).collect();
    specs.dedup();
    for (name, app) in specs {
        let spec = example(name);
        let planted: Vec<&Bug> = BUGS.iter().filter(|bug| bug.spec == name).collect();
        for seed in SEEDS {
            let (outcome, found_after) = check(&spec, app, seed);
            for bug in &planted {
                let found = outcome.failures.iter().position(|failure| table::is(failure, bug));
                let Some(found) = found else {
                    panic!("{name}, seed {seed}: not found: {:?}\n{outcome}", bug.minimal)
                };
                let events = found_after[found];
                assert!(events <= bug.within, "{name}, seed {seed}: {} in {events}", bug.bug);
                assert!(!outcome.failures[found].is_flaky());
            }
            assert_eq!(outcome.failures.len(), planted.len(), "{name}, seed {seed}: {outcome}");

            let (fixed, _) = check(&spec, &format!("{app}-fixed"), seed);
            assert!(fixed.holds(), "{name}, seed {seed}: {fixed}");
        }
    }
}

#[test]
fn the_relevant_monkey_needs_a_tenth_of_the_monkeys_events() {
    let attempts = 60;
    let events = |generator: Gen| -> Vec<u32> {
        let plan = plan(generator);
        let mut device = open("score").unwrap();
        let cases = (0..attempts).map(|index| run(&plan, index, device.as_mut()));
        let crashed = |case: &CaseReport| case.verdict == VerdictKind::Crashed;
        cases.filter(crashed).map(|case| case.steps).collect()
    };
    let mean = |events: &[u32]| f64::from(events.iter().sum::<u32>()) / events.len() as f64;
    let (relevant, monkey) = (events(Gen::RelevantMonkey(5000)), events(Gen::Monkey(5000)));
    assert_eq!(relevant.len(), attempts as usize, "the relevant monkey always finds it");
    assert!((15..=45).contains(&monkey.len()), "the monkey finds it in {} of 60", monkey.len());
    assert!(mean(&relevant) * 10.0 <= mean(&monkey), "{} {}", mean(&relevant), mean(&monkey));
}

#[test]
fn the_gorilla_gets_where_the_monkey_gets_stuck() {
    let with_directives = example("courses.capu").checks[0].generator.clone();
    let crashes = |generator: Gen| -> usize {
        let plan = plan(generator);
        let mut device: Box<dyn Device> = open("courses").unwrap();
        let cases = (0..100).map(|index| run(&plan, index, device.as_mut()));
        cases.filter(|case| case.verdict == VerdictKind::Crashed).count()
    };
    let (gorilla, monkey) = (crashes(with_directives), crashes(Gen::RelevantMonkey(50)));
    assert!(gorilla >= 50, "{gorilla} of 100");
    assert!(monkey <= 2, "{monkey} of 100");
}

#[test]
fn chance_hardly_finds_the_bugs_that_are_there_for_exploration() {
    let plan = plan(Gen::RelevantMonkey(500));
    for sample in capuchin_apps::all().iter().filter(|sample| sample.for_exploration) {
        let mut device = open(sample.name).unwrap();
        let cases = (0..20).map(|index| run(&plan, index, device.as_mut()));
        let crashed = |case: &CaseReport| case.verdict == VerdictKind::Crashed;
        let crashes = cases.filter(crashed).count();
        assert!(crashes <= 2, "{}: {crashes} of 20", sample.name);
    }
}

fn run(plan: &Plan, index: u32, device: &mut dyn Device) -> CaseReport {
    plan.case(index, device, None).unwrap().0
}

fn plan(generator: Gen) -> Plan {
    Plan::new("calibration", generator, capuchin::Config::default())
}

#[test]
fn everything_stays_within_the_screen_upright_and_turned() {
    for sample in capuchin_apps::all() {
        let mut device = open(sample.name).unwrap();
        for seed in 0..10 {
            let trace = Gen::RelevantMonkey(60).sample(capuchin::ui::Rng::new(seed)).to_trace();
            let run = capuchin::execute(&trace, device.as_mut(), &Rules::seed(seed)).unwrap();
            for element in &run.screen.elements {
                let right = element.bounds.x + element.bounds.width;
                assert!(right <= run.screen.viewport.width, "{}: {element:?}", sample.name);
            }
        }
    }
}
