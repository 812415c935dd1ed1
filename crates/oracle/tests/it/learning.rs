//! Operators learned from runs of the small editor, and what was learned as an oracle.

use crate::{device, loaded, spec};
use capuchin::Check;
use capuchin_apps::editor::Fault;
use capuchin_oracle::OperatorLearning;
use capuchin_plan::learn::{LearnOptions, compare};
use capuchin_spec::parse_gen;
use std::sync::Arc;

fn learned_from(cases: u32) -> OperatorLearning {
    let oracle = Arc::new(loaded(&spec("")).unwrap().oracle);
    let learning = OperatorLearning::new(oracle, LearnOptions::default()).unwrap();
    let monkey = parse_gen("relevantMonkey 30").unwrap();
    let check = Check::new("monkey", monkey).monitor(learning.clone()).cases(cases);
    let outcome = check.run(&mut device(None)).unwrap();
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
    learning
}

#[test]
fn a_monkey_teaches_operators() {
    let learning = learned_from(20);
    let learned = learning.learned();
    let report = learned.report();
    let oracle = loaded(&spec("")).unwrap().oracle;
    let scores = compare(&learned.proposed(), oracle.model().domain());
    // What is said to be surely needed is right as far as the screen tells it.
    let named = |name: &str| learned.actions.iter().find(|it| it.name == name).unwrap();
    let needs = |name: &str| -> Vec<String> {
        let action = named(name);
        let text = |it: &capuchin_plan::learn::Evidence| {
            oracle.model().domain().formula_text(&it.formula, &action.parameters)
        };
        action.needed.iter().map(text).collect()
    };
    assert_eq!(needs("cancel"), ["(choosing)"], "{report}");
    assert_eq!(needs("open-file"), ["(choosing)"], "{report}");
    assert!(scores.effects.recall() > 0.5, "{report}");
    assert!(report.contains("the only reason in"), "{report}");
}

#[test]
fn what_was_learned_is_an_oracle() {
    let learning = learned_from(20);
    let cancel = r#"Click("Open") :>> Click("Cancel")"#;
    let run = |fault| {
        let check = Check::new("script", parse_gen(cancel).unwrap());
        check.monitor(learning.oracle()).cases(1).run(&mut device(fault)).unwrap()
    };
    assert!(run(None).failures.is_empty());
    let outcome = run(Some(Fault::CancelOpens));
    let failure = &outcome.failures[0];
    assert!(failure.summary.contains("cancel did something else"), "{}", failure.summary);
    assert_eq!(failure.compared[0].expected, "(current letter)");
}
