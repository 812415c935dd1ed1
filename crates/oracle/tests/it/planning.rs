//! Plans: for goals, by coverage, as files, and as a policy.

use crate::{device, examples, loaded, spec};
use capuchin::Check;
use capuchin::steering::{Pilot, Pilots};
use capuchin::trace::Auto;
use capuchin::ui::DeviceInfo;
use capuchin_apps::editor::Fault;
use capuchin_oracle::{Coverage, PlanPilots, load};
use capuchin_spec::parse;
use std::path::Path;
use std::sync::Arc;

struct Nobody;

impl Pilots for Nobody {
    fn pilot(&self, _: &Auto, _: &DeviceInfo, _: u64) -> Option<Box<dyn Pilot>> {
        None
    }
}

#[test]
fn plans_for_a_goal_grow_and_run() {
    let oracle = loaded(&spec("")).unwrap().oracle;
    let goal = oracle.goal("the letter says milk").unwrap();
    let cases = oracle.plans(&goal, 5).unwrap();
    assert_eq!(cases.len(), 5);
    assert!(cases.is_sorted_by_key(|case| case.steps.len()));
    let file = oracle.written("editor.capu", &cases);
    let parsed = parse("plans.capu", &file);
    let plans = parsed.spec.unwrap_or_else(|| panic!("{:?}\n{file}", parsed.diagnostics));
    let read = |path: &Path| std::fs::read_to_string(path);
    let again = load(&plans, &examples().join("plans.capu"), &read).unwrap().unwrap();
    assert!(again.checks.is_empty(), "each case has its check");
    let oracle = Arc::new(again.oracle);
    for check in plans.checks {
        let mut plan = capuchin::Plan::new(&check.name, check.generator, capuchin::Config::once(1));
        plan.monitors.push(oracle.clone());
        let (report, _) = plan.case(0, &mut device(None), None).unwrap();
        assert_eq!(report.verdict, capuchin::log::VerdictKind::Succeeded, "{}", check.name);
    }
}

#[test]
fn coverage_leaves_nothing_out() {
    let oracle = loaded(&spec("")).unwrap().oracle;
    let (cases, unreached) = oracle.covering(Coverage::Steps);
    let all: Vec<String> = cases
        .iter()
        .flat_map(|case| case.steps.iter().map(|step| oracle.model().step_text(step)))
        .collect();
    for step in ["(cancel)", "(close-menu)", "(paste letter milk)", "(paste shopping dear)"] {
        assert!(all.iter().any(|known| known == step), "{step}");
    }
    assert_eq!(unreached, 0);
    for coverage in [Coverage::Pairs, Coverage::Facts] {
        assert!(oracle.covering(coverage).0.len() > 1, "{coverage:?}");
    }
}

#[test]
fn a_script_says_where_to_go_and_not_how() {
    let spec = spec(
        "check go = auto plan \"the letter says milk\" 20 :>> assert text(#text) == \"Milk\"\n",
    );
    let loaded = loaded(&spec).unwrap();
    let oracle = Arc::new(loaded.oracle);
    let go = spec.checks.iter().find(|check| check.name == "go").unwrap();
    let run = |fault| {
        let pilots = PlanPilots::new(Arc::clone(&oracle), Arc::new(Nobody));
        let check = Check::new("go", go.generator.clone()).pilots(pilots).cases(1);
        check.run(&mut device(fault)).unwrap()
    };
    assert!(run(None).failures.is_empty());
    // It plans again where the app is elsewhere than expected.
    let outcome = run(Some(Fault::CutLeavesText));
    assert_eq!(outcome.failures.len(), 1, "there is no way then");
}

#[test]
fn a_case_whose_precondition_fails_is_invalid_and_says_nothing_of_the_app() {
    let valid = spec("case \"a\": \"(choose-file) (open-file shopping)\"\n");
    let checks = loaded(&valid).unwrap().checks;
    let trace = "Click(\"Open\") :>> Click(item(\"List\") in #files)";
    assert_eq!(checks[0].generator.to_string(), trace);
    let invalid = spec("case \"a\": \"(choose-file) (cut letter dear)\"\n");
    let wrong = loaded(&invalid).unwrap_err();
    let message = "the test case `a` is invalid: the precondition of `(cut letter dear)` fails: \
                   it needs (menu)";
    assert_eq!(wrong[0].to_string(), message);
}
