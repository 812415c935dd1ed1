//! The oracle watches: a script, a monkey, each level, and what it does not know.

use crate::{device, loaded, spec};
use capuchin::trace::prelude::*;
use capuchin::{Check, Outcome, Verdict, execute};
use capuchin_apps::editor::Fault;
use capuchin_oracle::Oracle;
use capuchin_spec::{Level, parse_gen};

fn oracle(level: Level) -> Oracle {
    loaded(&spec("")).unwrap().oracle.verifying([(level, 1)])
}

/// Runs a trace once, and returns what was found and what it says.
fn run(oracle: Oracle, trace: &str, fault: Option<Fault>) -> Outcome {
    let check = Check::new("script", parse_gen(trace).unwrap()).monitor(oracle).cases(1);
    check.run(&mut device(fault)).unwrap()
}

const OPEN_LIST: &str = r#"Click("Open") :>> Click(item("List") in #files)"#;
const CUT_AND_PASTE: &str = r#"Click("Open") :>> Click("List") :>> Click("Edit") :>> Click("Cut")
    :>> Click("Open") :>> Click("Letter") :>> Click("Edit") :>> Click("Cut")
    :>> Click("Edit") :>> Click("Paste")"#;

#[test]
fn a_right_app_holds_at_every_level() {
    for level in Level::ALL {
        for trace in [OPEN_LIST, CUT_AND_PASTE, r#"Click("Open") :>> Click("Cancel")"#] {
            let outcome = run(oracle(level), trace, None);
            assert!(outcome.failures.is_empty(), "{level}: {:?}", outcome.failures);
        }
    }
}

/// Which level sees which fault.
#[test]
fn each_level_sees_more() {
    let cancel = r#"Click("Open") :>> Click("Cancel")"#;
    let rows = [
        (Fault::CutLeavesText, r#"Click("Edit") :>> Click("Cut")"#, [true, true, true]),
        (Fault::OpensOther, OPEN_LIST, [true, true, true]),
        (Fault::CancelOpens, cancel, [false, true, true]),
        (Fault::PasteRenamesButton, CUT_AND_PASTE, [false, false, true]),
    ];
    for (fault, trace, seen) in rows {
        for (level, seen) in Level::ALL.into_iter().zip(seen) {
            let outcome = run(oracle(level), trace, Some(fault));
            assert_eq!(!outcome.failures.is_empty(), seen, "{fault:?} at {level}");
        }
    }
}

#[test]
fn a_finding_says_what_was_expected_and_what_was_seen() {
    let cancel = r#"Click("Open") :>> Click("Cancel")"#;
    let outcome = run(oracle(Level::Relevant), cancel, Some(Fault::CancelOpens));
    let failure = &outcome.failures[0];
    assert_eq!(failure.summary, "Failed monitor model: after cancel, `current` is not as expected");
    let expected = "(cancel), verified: relevant\n\
        expected (current letter), seen (not (current letter))\n\
        expected (not (current shopping)), seen (current shopping)";
    assert_eq!(failure.detail, expected);
    assert_eq!(failure.monitor.as_deref(), Some("model"));
    assert_eq!(failure.compared[0].expected, "(current letter)");
    assert_eq!(failure.compared[0].seen, "(not (current letter))");
    let renamed = run(oracle(Level::Complete), CUT_AND_PASTE, Some(Fault::PasteRenamesButton));
    let failure = &renamed.failures[0];
    let what = "after paste, something changed that the model does not mention";
    assert!(failure.summary.ends_with(what), "{}", failure.summary);
    let line = "expected button #open: text \"Open\", seen button #open: text \"Open file\"";
    assert!(failure.detail.contains(line), "{}", failure.detail);
}

#[test]
fn a_monkey_is_caught_at_the_first_wrong_effect_and_its_trace_shrinks() {
    let check = Check::new("monkey", relevant_monkey(30)).monitor(oracle(Level::Relevant));
    let outcome = check.seed(7).run(&mut device(Some(Fault::CancelOpens))).unwrap();
    assert_eq!(outcome.failures.len(), 1);
    assert_eq!(outcome.failures[0].minimal, "Click(#open) :>> Click(#cancel)");
    let check = Check::new("monkey", relevant_monkey(30)).monitor(oracle(Level::Relevant));
    let outcome = check.seed(7).cases(100).run(&mut device(None)).unwrap();
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
    assert!(outcome.never_alive.is_empty(), "{:?}", outcome.never_alive);
}

/// After a turn of the device nobody knows what is on the clipboard: what paste does is unknown,
/// and nothing is claimed.
#[test]
fn what_is_not_known_is_not_claimed() {
    let turned = CUT_AND_PASTE.replacen(
        "Click(\"Open\") :>> Click(\"Letter\")",
        "Rotate :>> Click(\"Open\") :>> Click(\"Letter\")",
        1,
    );
    let outcome = run(oracle(Level::Complete), &turned, None);
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
}

#[test]
fn an_app_that_begins_otherwise_is_told_at_once() {
    let mut problem = std::fs::read_to_string(crate::examples().join("two-files.pddl")).unwrap();
    problem = problem.replace("(current letter)", "(current shopping)");
    let domain = std::fs::read_to_string(crate::examples().join("editor.pddl")).unwrap();
    let mapping = std::fs::read_to_string(crate::examples().join("editor.capu")).unwrap();
    let mapping = mapping.replace("editor.pddl", "d.pddl").replace("two-files.pddl", "p.pddl");
    let loaded = crate::in_memory(&mapping, &domain, &problem).unwrap();
    let outcome = run(loaded.oracle, "Skip", None);
    let what = "at the beginning, `current` is not as expected, from the start";
    assert!(outcome.failures[0].summary.ends_with(what), "{}", outcome.failures[0].summary);
}

#[test]
fn levels_can_be_combined() {
    let levels = [(Level::Changed, 1), (Level::Relevant, 2)];
    let oracle = || loaded(&spec("")).unwrap().oracle.verifying(levels);
    // The second operator is verified at the higher level, the first is not.
    let cancel = r#"Click("Open") :>> Click("Cancel")"#;
    assert_eq!(run(oracle(), cancel, Some(Fault::CancelOpens)).failures.len(), 1);
    let later = r#"Click("Edit") :>> Click("Open") :>> Click("Cancel")"#;
    assert_eq!(run(oracle(), later, Some(Fault::CancelOpens)).failures.len(), 0);
}

/// What the oracle costs a step.
#[test]
fn the_oracle_watches_a_plain_execution() {
    let oracle: std::sync::Arc<dyn capuchin::Monitors> =
        std::sync::Arc::new(oracle(Level::Complete));
    let monitors = [oracle];
    let mut rules = capuchin::Rules::seed(1);
    rules.monitors = &monitors;
    let trace =
        parse_gen(CUT_AND_PASTE).unwrap().sample(capuchin::ui::Rng::stream(0, 0)).to_trace();
    let execution = execute(&trace, &mut device(None), &rules).unwrap();
    assert!(matches!(execution.verdict, Verdict::Succeeded), "{:?}", execution.verdict);
}
