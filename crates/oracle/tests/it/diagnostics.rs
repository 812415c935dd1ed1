//! What is wrong with a model or its mapping is told where it is, and nothing panics.

use crate::in_memory;

const DOMAIN: &str = "(define (domain d) (:requirements :adl) (:types win)
  (:predicates (open ?w - win) (size))
  (:action open-it :parameters (?w - win) :precondition (not (open ?w)) :effect (open ?w))
  (:action grow :parameters () :precondition (and) :effect (size)))";
const PROBLEM: &str =
    "(define (problem p) (:domain d) (:objects find - win) (:init) (:goal (open find)))";
const MAPPING: &str = "model \"d.pddl\" \"p.pddl\"
fact open(w) = isDisplayed(dialog(w))
fact size = unseen
operator open-it(w) = Click(w)
operator grow = unmapped
";

fn check(mapping: &str, domain: &str, problem: &str, expected: &str) {
    let wrong = in_memory(mapping, domain, problem).map(|_| ()).unwrap_err();
    assert!(wrong.iter().any(|message| message == expected), "{expected}: {wrong:?}");
}

#[test]
fn the_mapping_is_right() {
    let loaded = in_memory(MAPPING, DOMAIN, PROBLEM).unwrap();
    assert_eq!(loaded.oracle.levels().len(), 1);
}

#[test]
fn mistakes_of_the_mapping() {
    let with = |from: &str, to: &str| MAPPING.replace(from, to);
    let wrong = |mapping: &str, expected: &str| check(mapping, DOMAIN, PROBLEM, expected);
    wrong(&with("fact size = unseen\n", ""), "no line says how `size` is read");
    wrong(&with("operator grow = unmapped\n", ""), "no line says which events do `grow`");
    wrong(&with("fact open(w)", "fact opne(w)"), "the model has no predicate `opne`");
    wrong(
        &with("open-it(w) = Click(w)", "open-it = Click(#a)"),
        "`open-it` has 1 parameters in the model, and 0 here",
    );
    wrong(
        &with("Click(w)", "Type(#a, string(\"x+\"))"),
        "`open-it` cannot be recognized: an event in it is drawn",
    );
    wrong(
        &with("Click(w)", "repeat 3 Click(w)"),
        "`open-it` cannot be recognized: it is not a sequence of events, or a choice of such",
    );
    wrong(&(MAPPING.to_owned() + "object fnid = #find\n"), "the model has no object `fnid`");
    wrong(&(MAPPING.to_owned() + "goal \"g\": \"(opne find)\"\n"), "there is no predicate `opne`");
    wrong(&(MAPPING.to_owned() + "check c = auto plan \"g\" 3\n"), "there is no goal `g`");
    wrong(&(MAPPING.to_owned() + "case \"c\": \"(open-it fnid)\"\n"), "there is no object `fnid`");
    wrong(&(MAPPING.to_owned() + "import \"menu\"\n"), "there is no library `menu`");
    wrong(&with("\"p.pddl\"", "\"q.pddl\""), "cannot read q.pddl: entity not found");
}

#[test]
fn mistakes_of_the_model() {
    let wrong =
        |domain: &str, problem: &str, expected: &str| check(MAPPING, domain, problem, expected);
    let brackets = "(".repeat(1 << 20);
    for (domain, problem) in [(brackets.as_str(), PROBLEM), (DOMAIN, brackets.as_str())] {
        assert!(in_memory(MAPPING, domain, problem).is_err());
    }
    let undefined = DOMAIN.replace(":effect (size)", ":effect (sise)");
    wrong(&undefined, PROBLEM, "there is no predicate `sise`");
    assert!(in_memory(MAPPING, &DOMAIN.replace("(not (open ?w))", "(open)"), PROBLEM).is_err());
    assert!(in_memory(MAPPING, DOMAIN, &PROBLEM.replace("find - win", "find - wni")).is_err());
}

#[test]
fn a_library_brings_operators_and_the_file_replaces_them() {
    let mapping = format!("{MAPPING}import \"tabs\"\n");
    let problem = PROBLEM.replace("find - win", "find - win one two - tab");
    let loaded = in_memory(&mapping, DOMAIN, &problem).unwrap();
    let step = loaded.oracle.model().step("(select-tab two)").unwrap();
    assert_eq!(loaded.oracle.trace(&step).unwrap().to_string(), "Click(tab(\"two\"))");
    let mapping = format!("{mapping}operator select-tab(t) = Press(t)\n");
    let loaded = in_memory(&mapping, DOMAIN, &problem).unwrap();
    assert_eq!(loaded.oracle.trace(&step).unwrap().to_string(), "Press(\"two\")");
    assert!(loaded.oracle.pddl().0.contains("select-tab"));
}
