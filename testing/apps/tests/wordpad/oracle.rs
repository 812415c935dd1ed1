//! The oracle: which level detects which fault, figure 3 in a browser, and a monkey that is
//! watched.
//!
//! On its own because it needs the mapping, and the rest of the tests only the model.

use super::directory;
use capuchin::trace::Trace;
use capuchin::trace::prelude::relevant_monkey;
use capuchin::ui::Device;
use capuchin::{Check, Monitors, Rules, Verdict, execute};
use capuchin_apps::wordpad::{Level as Least, MUTANTS, figure_3};
use capuchin_oracle::{Oracle, load};
use capuchin_spec::{Level, parse};
use capuchin_web::{Opener, Options};
use std::path::Path;
use std::sync::Arc;

fn oracle(level: Level) -> Oracle {
    let path = directory().join("wordpad.capu");
    let parsed = parse("wordpad.capu", &std::fs::read_to_string(&path).unwrap());
    let spec = parsed.spec.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let read = |path: &Path| std::fs::read_to_string(path);
    let loaded = load(&spec, &path, &read).unwrap_or_else(|it| panic!("{it:?}"));
    loaded.unwrap().oracle.verifying([(level, 1)])
}

/// The events of steps of the model.
fn trace(oracle: &Oracle, steps: &str) -> Trace {
    let steps = oracle.model().steps(steps).unwrap();
    Trace::seq(steps.iter().map(|step| oracle.trace(step).unwrap()))
}

fn run(trace: &Trace, device: &mut dyn Device, oracle: &Arc<dyn Monitors>) -> Verdict {
    let monitors = [Arc::clone(oracle)];
    let mut rules = Rules::seed(1);
    rules.monitors = &monitors;
    execute(trace, device, &rules).unwrap().verdict
}

/// The table: a fault is missed by the levels below the one that it needs, and detected by that one
/// and those above it. Without the fault, no level says anything about the same trace.
#[test]
fn every_level_detects_its_faults_and_misses_those_of_the_next() {
    let mut wrong = Vec::new();
    for (number, level) in Level::ALL.into_iter().enumerate() {
        let oracle = oracle(level);
        let traces: Vec<Trace> = MUTANTS.iter().map(|it| trace(&oracle, it.case)).collect();
        let oracle: Arc<dyn Monitors> = Arc::new(oracle);
        for (mutant, trace) in MUTANTS.iter().zip(&traces) {
            let least = [Least::Changed, Least::Relevant, Least::Complete]
                .iter()
                .position(|level| *level == mutant.level)
                .unwrap();
            let mut faulty = capuchin_apps::open(&format!("wordpad-{}", mutant.name)).unwrap();
            let verdict = run(trace, &mut *faulty, &oracle);
            let is_detected = matches!(verdict, Verdict::Failed { .. });
            if is_detected != (number >= least) || matches!(verdict, Verdict::Blocked { .. }) {
                wrong.push(format!("{} at {level}: {verdict:?}", mutant.name));
            }
            let verdict = run(trace, &mut *capuchin_apps::open("wordpad").unwrap(), &oracle);
            if !matches!(verdict, Verdict::Succeeded) {
                wrong.push(format!("no fault, {}, at {level}: {verdict:?}", mutant.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Figure 3 from the state of figure 5 to that of figure 4(b), verified after every action.
#[test]
fn figure_3_holds_at_every_level_on_the_app_and_in_a_browser() {
    let page = capuchin_apps::web_dir().join("wordpad/index.html");
    let options = Options::parse(&format!("{} viewport=360x640", page.display())).unwrap();
    let mut page = Opener::new("web:wordpad", options).open().unwrap();
    for level in Level::ALL {
        let oracle = oracle(level);
        let trace = trace(&oracle, &figure_3().join(" "));
        let oracle: Arc<dyn Monitors> = Arc::new(oracle);
        let verdict = run(&trace, &mut *capuchin_apps::open("wordpad").unwrap(), &oracle);
        assert!(matches!(verdict, Verdict::Succeeded), "{level}: {verdict:?}");
        let verdict = run(&trace, &mut page, &oracle);
        assert!(matches!(verdict, Verdict::Succeeded), "{level} in a browser: {verdict:?}");
    }
}

/// Nothing crashes, and the monkey knows nothing: the oracle catches it at the first wrong effect.
#[test]
fn a_monkey_on_a_faulty_app_is_caught_and_its_trace_shrinks() {
    let check = |name: &str| {
        let check = Check::new("monkey", relevant_monkey(60)).monitor(oracle(Level::Relevant));
        check.seed(1).cases(20).run(&mut *capuchin_apps::open(name).unwrap()).unwrap()
    };
    let outcome = check("wordpad-hide-ruler-hides-status");
    assert_eq!(outcome.failures.len(), 1, "{outcome}");
    assert_eq!(outcome.failures[0].minimal, "Click(#m-view) :>> Click(#k-ruler)");
    let right = check("wordpad");
    assert!(right.failures.is_empty(), "{right}");
}
