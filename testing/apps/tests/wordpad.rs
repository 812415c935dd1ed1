//! The model of WordPad beside the app: files that are printed from the app's table, and test cases
//! that are valid.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use capuchin_apps::wordpad::{MUTANTS, figure_3, objects, problem};
use capuchin_plan::pddl::Step;
use capuchin_plan::{LiftedState, Model};
use std::path::{Path, PathBuf};

const MAPPING_BEGINS: &str = "// --- What the screens call the objects: printed, see testing/apps/tests/wordpad.rs\n\n";

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/wordpad")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(directory().join(name)).unwrap_or_default()
}

/// The document of figure 4(b): three pieces, stored in f4.doc.
const FIGURE_4B: &str = "(and (contains-file d-samples f-f4-doc) (current-file f-f4-doc) \
    (in f-f4-doc t-this) (in f-f4-doc t-is-the) (in f-f4-doc t-text) (not (in f-f4-doc t-that)) \
    (not (in f-f4-doc t-needs-to)) (not (in f-f4-doc t-be-modeled)) (free))";

/// What is on disk is what is printed. With `UPDATE=1` in the environment, it is written.
fn check(name: &str, printed: &str) {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(directory().join(name), printed).unwrap();
    }
    assert!(read(name) == printed, "{name} is not what is printed: run this test with UPDATE=1");
}

#[test]
fn the_problem_is_printed_from_the_table() {
    check("figure-5.pddl", &problem("figure-5", FIGURE_4B));
}

#[test]
fn the_objects_of_the_mapping_are_printed_from_the_table() {
    let mapping = read("wordpad.capu");
    let (head, _) = mapping.split_once(MAPPING_BEGINS).unwrap_or((&mapping, ""));
    check("wordpad.capu", &format!("{head}{MAPPING_BEGINS}{}", objects()));
}

fn model() -> Model {
    Model::parse(&read("wordpad.pddl"), &read("figure-5.pddl")).unwrap()
}

fn after(model: &Model, steps: &[&str]) -> LiftedState {
    let mut state = model.initial_state();
    for (number, text) in steps.iter().enumerate() {
        let step: Step = model.step(text).unwrap();
        state = model.apply(&step, &state).unwrap_or_else(|it| panic!("{number} {text}: {it}"));
    }
    state
}

#[test]
fn figure_3_leads_to_figure_4b() {
    let model = model();
    let steps: Vec<Step> = figure_3().iter().map(|text| model.step(text).unwrap()).collect();
    assert_eq!(model.validate(&steps), Ok(()));
}

#[test]
fn figure_7_the_fifth_action_shows_the_file() {
    let model = model();
    let shown = |steps: usize| {
        let state = after(&model, &figure_3()[..steps]);
        let facts = state.iter().map(|fact| model.fact_text(fact));
        facts.filter(|text| text.starts_with("(on-screen") || text.starts_with("(current-file")).count()
    };
    assert_eq!((shown(4), shown(5)), (0, 7));
}

#[test]
fn the_test_case_of_every_fault_is_valid() {
    let model = model();
    for mutant in MUTANTS {
        let steps: Vec<String> =
            mutant.case.split_inclusive(')').map(|step| step.trim().to_owned()).collect();
        let steps: Vec<&str> = steps.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
        assert!(!after(&model, &steps).is_empty(), "{}", mutant.name);
    }
}
