//! What the tests have in common: an exploration that relations watch, and what must come of it.

use capuchin::log::{PropertyTally, RunEvent};
use capuchin::steering::PilotPool;
use capuchin::trace::prelude::auto;
use capuchin::ui::{Device, Rng};
use capuchin::{Config, Exploration, Monitors, Outcome, Plan, Rules, execute};
use capuchin_explore::{Exercises, Explorers, Inputs};
use capuchin_relations::Relation;
use std::sync::Arc;

/// An exploration of an app that these relations watch.
pub(crate) fn explore(
    device: &mut dyn Device,
    relations: &[Relation],
    (events, stop_at_first): (u64, bool),
) -> (Outcome, Vec<PropertyTally>) {
    let monitors: Vec<Arc<dyn Monitors>> =
        relations.iter().map(|it| Arc::new(*it) as Arc<dyn Monitors>).collect();
    let mut config = Config::default();
    (config.seed, config.events, config.shrink_budget) = (1, Some(events), 200);
    config.stop_at_first = stop_at_first;
    let generator = auto("capuchin", u32::MAX);
    let mut plan = Plan::exploration("explore", generator, Exploration::default(), config);
    let mut explorers = Explorers::default();
    (explorers.may_restart, explorers.exercises) = (true, Exercises(monitors.clone()));
    explorers.inputs = Inputs::default();
    explorers.inputs.texts = vec!["hello".into()];
    (plan.pilots, plan.monitors) = (PilotPool::new(Arc::new(explorers)), monitors);
    let mut properties = Vec::new();
    let mut observer = |event: &RunEvent| {
        if let RunEvent::CheckFinished { properties: all, .. } = event {
            properties.clone_from(all);
        }
    };
    let mut tally = capuchin::cases::Tally::begin(&plan, 1, &mut observer);
    for place in 0..plan.runs() {
        if tally.is_over() {
            break;
        }
        match plan.case(place, device, None).unwrap() {
            (report, Some(evidence)) if tally.case(&report) => {
                let examined = plan.examine(&evidence, device).unwrap();
                tally.examined(&report, Ok(Some(examined.failure)));
            }
            (report, None) => _ = tally.case(&report),
            _ => {}
        }
    }
    let outcome = tally.finish();
    (outcome, properties)
}

/// The relation finds its bug before anything else, shrinks it to one of these traces, and finds it
/// again in what is saved.
pub(crate) fn finds(device: &mut dyn Device, name: &str, minimal: &[&str], events: u64) {
    let relation = *Relation::named(name).unwrap();
    let (outcome, _) = explore(device, &[relation], (events, true));
    let [failure] = outcome.failures.as_slice() else { panic!("{name}: {outcome}") };
    assert!(minimal.contains(&failure.minimal.as_str()), "{name}: {failure}");
    assert_eq!(failure.monitor.as_deref(), Some(name));
    let text = format!("monitor {name:?}\ncheck again = {}", failure.minimal);
    let text = if failure.needs.is_empty() { text } else { format!("environment reload\n{text}") };
    let parsed = capuchin_spec::parse("saved", &text);
    let spec = parsed.spec.unwrap_or_else(|| panic!("{text}"));
    assert_eq!(spec.monitors, [name]);
    let monitors = Relation::monitors();
    let watching = spec.watching(&[], &monitors).unwrap();
    let mut rules = Rules::seed(failure.seed);
    rules.monitors = &watching;
    let trace = spec.checks[0].generator.sample(Rng::new(0)).to_trace();
    let again = execute(&trace, device, &rules).unwrap();
    assert_eq!(again.verdict.to_string(), failure.summary);
}

/// No relation finds anything, and these were judged.
pub(crate) fn finds_nothing(device: &mut dyn Device, judged: &[&str], events: u64) {
    let (outcome, properties) = explore(device, Relation::all(), (events, false));
    assert!(outcome.failures.is_empty(), "{outcome}");
    for name in judged {
        let property = format!("monitor {name}");
        let tally = properties.iter().find(|tally| tally.property == property).unwrap();
        assert!(tally.alive > 0, "{name} was never judged: {properties:?}");
    }
}
