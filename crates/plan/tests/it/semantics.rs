//! The meaning of each word of PDDL, one rule at a time. Every rule is checked three times: by the
//! executor that works word by word, by the simulator, and on the ground task.

use capuchin_plan::{GroundLimits, Invalid, Limits, Model, Simulator, Task};

/// A model with facts `(p a)` and so on over the objects a, b (of type t) and c (of type u).
fn model(precondition: &str, effect: &str, init: &str, goal: &str) -> Model {
    let domain = format!(
        "(define (domain d) (:requirements :adl) (:types t u - s)
           (:constants a b - t c - u)
           (:predicates (p ?x - s) (q ?x - s) (r ?x ?y - s) (still ?x - s) (done) (other))
           (:action act :parameters (?x - t) :precondition {precondition} :effect {effect})
           (:action never :parameters () :precondition (and (done) (not (done)))
             :effect (and (p a) (not (p a)) (q a) (r a a) (other))))"
    );
    let problem = format!("(define (problem p) (:domain d) (:init {init}) (:goal {goal}))");
    Model::parse(&domain, &problem).unwrap_or_else(|error| panic!("{error}"))
}

/// Whether `(act a)` can be taken, in the eyes of all three.
fn can_act(precondition: &str, init: &str) -> bool {
    let model = model(precondition, "(done)", init, "(done)");
    let step = model.step("(act a)").unwrap();
    let lifted = model.apply(&step, &model.initial_state());
    let mut simulator = Simulator::new(&model);
    let compiled = simulator.compile(&step).unwrap();
    let mut state = simulator.initial();
    let simulated = simulator.apply(compiled, &mut state);
    assert_eq!(lifted.is_ok(), simulated.is_ok(), "{precondition} in {init}");
    let task = Task::ground(&model, &GroundLimits::default()).unwrap();
    let plan = task.solve(&mut Limits::default()).unwrap().plan;
    let with_b = model.apply(&model.step("(act b)").unwrap(), &model.initial_state()).is_ok();
    assert_eq!(plan.is_some(), lifted.is_ok() || with_b, "{precondition} in {init}");
    if let Err(error) = &lifted {
        assert_eq!(*error, Invalid::Precondition { step: "(act a)".into() });
    }
    lifted.is_ok()
}

#[track_caller]
fn check(precondition: &str, init: &str, expected: bool) {
    assert_eq!(can_act(precondition, init), expected, "{precondition} in {init}");
}

/// The facts that are true after `(act a)`, in the eyes of the executor and the simulator.
#[track_caller]
fn check_after(effect: &str, init: &str, expected: &[&str]) {
    let model = model("()", effect, init, "(done)");
    let step = model.step("act a").unwrap();
    let after = model.apply(&step, &model.initial_state()).unwrap();
    let mut simulator = Simulator::new(&model);
    let compiled = simulator.compile(&step).unwrap();
    let mut state = simulator.initial();
    simulator.apply(compiled, &mut state).unwrap();
    assert_eq!(simulator.lifted(&state), after, "{effect} in {init}");
    let texts: Vec<String> = after.iter().map(|fact| model.fact_text(fact)).collect();
    assert_eq!(texts, expected, "{effect} in {init}");
}

#[test]
fn facts_and_their_negations() {
    check("(p ?x)", "(p a)", true);
    check("(p ?x)", "(p b)", false);
    check("(not (p ?x))", "", true);
    check("(not (p ?x))", "(p a)", false);
    check("(not (not (p ?x)))", "(p a)", true);
    check("()", "", true);
}

#[test]
fn connectives() {
    check("(and (p ?x) (q ?x))", "(p a) (q a)", true);
    check("(and (p ?x) (q ?x))", "(p a)", false);
    check("(and)", "", true);
    check("(or (p ?x) (q ?x))", "(q a)", true);
    check("(or (p ?x) (q ?x))", "", false);
    check("(or)", "", false);
    check("(imply (p ?x) (q ?x))", "", true);
    check("(imply (p ?x) (q ?x))", "(p a)", false);
    check("(imply (p ?x) (q ?x))", "(p a) (q a)", true);
    check("(not (and (p ?x) (q ?x)))", "(p a)", true);
    check("(not (or (p ?x) (q ?x)))", "(p a)", false);
    check("(not (imply (p ?x) (q ?x)))", "(p a)", true);
}

#[test]
fn equality() {
    check("(= ?x a)", "", true);
    check("(= ?x b)", "", false);
    check("(not (= ?x b))", "", true);
    check("(exists (?y - t) (and (not (= ?x ?y)) (p ?y)))", "(p a)", false);
    check("(exists (?y - t) (and (not (= ?x ?y)) (p ?y)))", "(p b)", true);
}

#[test]
fn quantifiers_range_over_types() {
    check("(exists (?y - t) (p ?y))", "(p c)", false);
    check("(exists (?y - s) (p ?y))", "(p c)", true);
    check("(exists (?y - (either t u)) (p ?y))", "(p c)", true);
    check("(exists (?y) (p ?y))", "(p c)", true);
    check("(forall (?y - t) (p ?y))", "(p a) (p b)", true);
    check("(forall (?y - s) (p ?y))", "(p a) (p b)", false);
    check("(forall (?y - t ?z - u) (r ?y ?z))", "(r a c) (r b c)", true);
    check("(not (exists (?y - s) (and (p ?y) (q ?y))))", "(p a) (q b)", true);
    check("(not (forall (?y - s) (p ?y)))", "(p a) (p b) (p c)", false);
    // The inner variable hides the outer one.
    check("(and (p ?x) (exists (?x - u) (q ?x)))", "(p a) (q c)", true);
}

#[test]
fn facts_that_never_change() {
    check("(still ?x)", "(still a)", true);
    check("(still ?x)", "(still b)", false);
    check("(or (still ?x) (p ?x))", "(p a)", true);
    check("(imply (still ?x) (p ?x))", "(still a)", false);
    check("(forall (?y - t) (imply (still ?y) (p ?y)))", "(still b) (p b)", true);
}

#[test]
fn adding_and_deleting() {
    check_after("(p ?x)", "(q a)", &["(p a)", "(q a)"]);
    check_after("(not (q ?x))", "(q a) (q b)", &["(q b)"]);
    check_after("(and)", "(q a)", &["(q a)"]);
    check_after("()", "(q a)", &["(q a)"]);
}

#[test]
fn what_is_both_added_and_deleted_is_true() {
    check_after("(and (p ?x) (not (p ?x)))", "", &["(p a)"]);
    check_after("(and (not (p ?x)) (p ?x))", "(p a)", &["(p a)"]);
    check_after("(and (forall (?y - s) (not (p ?y))) (p ?x))", "(p a) (p b)", &["(p a)"]);
    check_after(
        "(and (when (q a) (p ?x)) (when (q b) (not (p ?x))))",
        "(q a) (q b)",
        &["(p a)", "(q a)", "(q b)"],
    );
    check_after("(and (p ?x) (when (q b) (not (p ?x))))", "(q b)", &["(p a)", "(q b)"]);
    check_after("(and (not (p ?x)) (when (q b) (p ?x)))", "(p a) (q b)", &["(p a)", "(q b)"]);
}

#[test]
fn conditions_of_effects_are_about_the_state_before() {
    check_after("(and (p ?x) (when (p ?x) (q ?x)))", "", &["(p a)"]);
    check_after("(and (not (p ?x)) (when (p ?x) (q ?x)))", "(p a)", &["(q a)"]);
    // Two facts change places.
    let swap =
        "(and (when (p ?x) (and (not (p ?x)) (q ?x))) (when (q ?x) (and (not (q ?x)) (p ?x))))";
    check_after(swap, "(p a)", &["(q a)"]);
    check_after(swap, "(q a)", &["(p a)"]);
    check_after(swap, "(p a) (q a)", &["(p a)", "(q a)"]);
}

#[test]
fn effects_for_all() {
    check_after("(forall (?y - t) (p ?y))", "", &["(p a)", "(p b)"]);
    check_after("(forall (?y - s) (when (q ?y) (p ?y)))", "(q c)", &["(p c)", "(q c)"]);
    check_after(
        "(forall (?y - t) (forall (?z - u) (when (q ?y) (r ?y ?z))))",
        "(q b)",
        &["(q b)", "(r b c)"],
    );
    check_after("(when (exists (?y - s) (q ?y)) (p ?x))", "(q c)", &["(p a)", "(q c)"]);
    check_after("(when (not (exists (?y - s) (q ?y))) (p ?x))", "(q c)", &["(q c)"]);
    check_after(
        "(when (or (q a) (q b)) (when (q c) (p ?x)))",
        "(q a) (q c)",
        &["(p a)", "(q a)", "(q c)"],
    );
    check_after("(when (still ?x) (p ?x))", "(still b)", &["(still b)"]);
}

#[test]
fn a_step_that_the_model_does_not_have_is_told() {
    let model = model("()", "(done)", "", "(done)");
    for (step, expected) in [
        ("(acts a)", "there is no action `acts`"),
        ("(act d)", "there is no object `d`"),
        ("(act a b)", "`act` takes 1 arguments and has 2"),
        ("(act c)", "`c` cannot be the `?x` of `act`: its type is another"),
    ] {
        assert_eq!(model.step(step).unwrap_err().to_string(), expected);
    }
}

#[test]
fn facts_that_are_numbered_later_are_false_in_older_states() {
    let model = model("()", "(and (p ?x) (when (q b) (q c)))", "(q a)", "(done)");
    let mut simulator = Simulator::new(&model);
    let old = simulator.initial();
    let step = model.step("(act b)").unwrap();
    let compiled = simulator.compile(&step).unwrap();
    let mut state = old.clone();
    simulator.apply(compiled, &mut state).unwrap();
    let fact = model.apply(&step, &model.initial_state()).unwrap();
    for fact in &fact {
        assert!(simulator.holds(fact, &state));
    }
    assert_eq!(simulator.lifted(&old), model.initial_state());
    assert!(old != state);
    assert!(old == simulator.initial());
}
