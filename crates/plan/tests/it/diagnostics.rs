//! Wrong models: each gets a message at the right place.

use capuchin_plan::pddl::{Domain, Problem};

const DOMAIN: &str = "(define (domain d) (:requirements :adl) (:types box room)
  (:constants hall - room) (:predicates (in ?b - box ?r - room) (open))
  (:action move :parameters (?b - box ?r - room) :precondition (open) :effect (in ?b ?r)))";

#[track_caller]
fn check_domain(text: &str, expected: &str) {
    let said = Domain::parse(text).map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(said, Err(expected.to_owned()));
}

/// Puts something into an action whose third line begins with it.
#[track_caller]
fn check_precondition(formula: &str, expected: &str) {
    let text = format!(
        "(define (domain d) (:types box room) (:constants hall - room)
(:predicates (in ?b - box ?r - room) (open)) (:action move :parameters (?b - box) :precondition
{formula} :effect (open)))"
    );
    check_domain(&text, expected);
}

#[track_caller]
fn check_problem(sections: &str, expected: &str) {
    let domain = Domain::parse(DOMAIN).unwrap();
    let text = format!("(define (problem p) (:domain d)\n{sections})");
    let said = Problem::parse(&text, &domain).map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(said, Err(expected.to_owned()));
}

#[test]
fn a_variable_is_no_type() {
    let expected = "2:13: expected a type or `(either …)`";
    check_domain("(define (domain d)\n(:types a - ?b))", expected);
}

#[test]
fn names_that_are_not_there() {
    check_precondition("(inn ?b hall)", "3:1: there is no predicate `inn`; did you mean `in`?");
    check_precondition("(in ?c hall)", "3:5: there is no variable `?c` here; did you mean `b`?");
    check_precondition("(in ?b hal)", "3:8: there is no object `hal`; did you mean `hall`?");
    check_precondition(
        "(forall (?x - rom) (open))",
        "3:15: there is no type `rom`; did you mean `room`?",
    );
    check_domain(
        "(define (domain d)\n  (:requirements :typin :strips))",
        "2:18: unknown requirement `:typin`; did you mean `:typing`?",
    );
    check_domain(
        "(define (domain d) (:predicate (p)))",
        "1:21: there is no section `:predicate`; did you mean `:predicates`?",
    );
}

#[test]
fn arities_and_types() {
    check_precondition(
        "(in ?b)",
        "3:1: `(in …)` takes 2 arguments and has 1; it is declared as `(in ?b ?r)`",
    );
    check_precondition("(in hall hall)", "3:5: `hall` is of type `room`, expected `box`");
    check_precondition("(not (open) (open))", "3:1: expected `(not CONDITION)`");
    check_precondition("open", "3:1: expected a condition in brackets, found `open`");
    check_domain(
        "(define (domain d) (:types a - b b - a))",
        "1:28: the type `a` is a kind of itself",
    );
}

#[test]
fn effects_that_are_none() {
    let effect = |effect: &str| {
        format!("(define (domain d) (:predicates (p))\n(:action a :effect {effect}))")
    };
    check_domain(&effect("(or (p) (p))"), "2:21: `or` cannot be an effect");
    check_domain(
        &effect("(decrease (fuel) 1)"),
        "2:21: `decrease`: numbers can only be added up to `(total-cost)`; use objects with a \
         successor predicate",
    );
    check_domain(
        &effect("(increase (fuel) 1)"),
        "2:30: only `(total-cost)` can be increased, not `(fuel …)`",
    );
}

#[test]
fn problems() {
    check_problem("(:init (in b1 hall)) (:goal (open))", "2:12: there is no object `b1`");
    check_problem("(:objects b1 - bx)", "2:16: there is no type `bx`; did you mean `box`?");
    check_problem("(:init (open))", "1:1: the problem has no `(:goal …)`");
    check_problem(
        "(:goal (exists (?b - box) (inside ?b)))",
        "2:27: there is no predicate `inside`",
    );
    check_problem("(:init (= (f) 2)) (:goal ())", "2:11: there is no function `f`");
    let domain = Domain::parse(DOMAIN).unwrap();
    let said = Problem::parse(DOMAIN, &domain).unwrap_err().to_string();
    assert!(said.contains("were the two files swapped?"), "{said}");
}

#[test]
fn all_mistakes_are_told_in_the_order_of_the_text() {
    check_problem(
        "(:init (opn) (in hall hall))\n(:goal (shut))",
        "2:8: there is no predicate `opn`; did you mean `open`?\n\
         2:18: `hall` is of type `room`, expected `box`\n\
         3:8: there is no predicate `shut`",
    );
}

#[test]
fn large_nonsense_is_refused_in_time() {
    for text in [
        "(".repeat(1 << 20),
        ")".repeat(1 << 20),
        "()".repeat(1 << 19),
        format!("(define (domain d) {})", "()".repeat(1 << 19)),
        format!("(define (domain d) (:predicates {}))", "(p) ".repeat(1 << 18)),
        format!("(define (domain {}))", "a".repeat(1 << 20)),
        format!("(define (domain d) (:requirements {}))", ":a ".repeat(1 << 18)),
        format!("(define (domain d) (:types {}))", "a - b ".repeat(1 << 17)),
    ] {
        let _ = Domain::parse(&text);
    }
    let domain = Domain::parse(DOMAIN).unwrap();
    let facts = format!("(define (problem p) (:init {}) (:goal ()))", "(opened) ".repeat(100_000));
    let said = Problem::parse(&facts, &domain).unwrap_err();
    assert!(said.diagnostics.len() <= 50);
    assert_eq!(said.diagnostics[0].to_string().split(';').count(), 2);
}
