//! The fuzzer of planning models: PDDL that is right before it is changed, read, printed, grounded,
//! planned and simulated.
//!
//! On its own because a model has two files and goes a longer way than the other inputs.

use capuchin::ui::Rng;
use capuchin_plan::pddl::{Domain, Problem};
use capuchin_plan::{GroundLimits, Limits, Model, Simulator, Task};
use std::fmt::Write as _;

/// How deep what is drawn nests.
const DEPTH: u32 = 3;
/// What separates the two files of an input.
pub(super) const BETWEEN: &str = "\n;--\n";

/// A domain and a problem without a mistake.
pub(super) fn model(rng: &mut Rng) -> String {
    let mut text = String::from(
        "(define (domain d) (:requirements :adl :action-costs) (:types t u - s)
  (:constants a - t) (:predicates (p) (q ?x - s) (r ?x ?y - s) (still ?x - s))
  (:functions (total-cost) - number (f ?x - s) - number)\n",
    );
    for number in 0..1 + rng.below(3) {
        let _ = writeln!(
            text,
            "  (:action do{number} :parameters (?x - s ?y - t) :precondition {} :effect {})",
            formula(rng, DEPTH),
            effect(rng, DEPTH)
        );
    }
    let goal = formula(rng, 2).replace("?x", "b").replace("?y", "a");
    let _ = write!(
        text,
        "){BETWEEN}(define (problem e) (:domain d) (:objects b c - t e - u)
  (:init (q b) (r b c) (still c) (= (f b) 2) (= (total-cost) 0))
  (:goal {goal}) (:metric minimize (total-cost)))"
    );
    text
}

fn formula(rng: &mut Rng, depth: u32) -> String {
    let Some(depth) = depth.checked_sub(1) else { return atom(rng) };
    match rng.below(9) {
        0 => format!("(and {} {})", formula(rng, depth), formula(rng, depth)),
        1 => format!("(or {} {})", formula(rng, depth), formula(rng, depth)),
        2 => format!("(not {})", formula(rng, depth)),
        3 => format!("(imply {} {})", formula(rng, depth), formula(rng, depth)),
        4 => format!("(exists (?z - (either t u)) (and (q ?z) {}))", formula(rng, depth)),
        5 => format!("(forall (?z) (imply (q ?z) {}))", formula(rng, depth)),
        6 => "(= ?x a)".to_owned(),
        _ => atom(rng),
    }
}

fn atom(rng: &mut Rng) -> String {
    let atoms = ["(p)", "(q ?x)", "(r ?x ?y)", "(still ?x)", "(q a)", "(r a ?x)"];
    atoms[rng.below(atoms.len() as u64) as usize].to_owned()
}

fn effect(rng: &mut Rng, depth: u32) -> String {
    let changed = ["(p)", "(q ?x)", "(r ?x ?y)", "(r ?y ?y)"];
    let one = changed[rng.below(changed.len() as u64) as usize];
    let Some(depth) = depth.checked_sub(1) else { return one.to_owned() };
    match rng.below(7) {
        0 | 1 => format!("(and {} {})", effect(rng, depth), effect(rng, depth)),
        2 => format!("(when {} {})", formula(rng, depth), effect(rng, depth)),
        3 => format!("(forall (?z - s) {})", effect(rng, depth)),
        4 => format!("(not {one})"),
        5 => "(increase (total-cost) (f ?x))".to_owned(),
        _ => one.to_owned(),
    }
}

/// Takes a model all the way. An error is harm.
pub(super) fn attempt(text: &str) -> Result<(), String> {
    let (domain, problem) = text.split_once(BETWEEN).unwrap_or((text, text));
    let Ok(domain) = Domain::parse(domain) else { return Ok(()) };
    if Domain::parse(&domain.to_string()).as_ref() != Ok(&domain) {
        return Err(format!("the domain prints as something else:\n{domain}"));
    }
    let Ok(problem) = Problem::parse(problem, &domain) else { return Ok(()) };
    let printed = problem.print(&domain);
    if Problem::parse(&printed, &domain).as_ref() != Ok(&problem) {
        return Err(format!("the problem prints as something else:\n{printed}"));
    }
    let model = Model::new(domain, problem);
    let few = GroundLimits { operators: 10_000, facts: 10_000, join_steps: 1_000_000 };
    let Ok(task) = Task::ground(&model, &few) else { return Ok(()) };
    let limits = Limits { evaluations: 2000, memory: 64 << 20, ..Limits::default() };
    let mut limits = limits;
    let Ok(found) = task.solve(&mut limits) else { return Ok(()) };
    let Some(plan) = found.plan else { return Ok(()) };
    model.validate(&plan).map_err(|invalid| format!("a plan is wrong: {invalid}"))?;
    let mut simulator = Simulator::new(&model);
    let (mut state, mut lifted) = (simulator.initial(), model.initial_state());
    for step in &plan {
        let compiled = simulator.compile(step).map_err(|invalid| invalid.to_string())?;
        simulator.apply(compiled, &mut state).map_err(|invalid| invalid.to_string())?;
        lifted = model.apply(step, &lifted).map_err(|invalid| invalid.to_string())?;
    }
    match simulator.lifted(&state) == lifted {
        true => Ok(()),
        false => Err("the simulator expects another state".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_was_changed_does_no_harm() {
        for seed in 0..500 {
            let mut rng = Rng::new(seed);
            let valid = model(&mut rng);
            let text = super::super::generate::mutated(&mut rng, &valid);
            assert_eq!(attempt(&text), Ok(()), "{text}");
        }
    }

    #[test]
    fn a_model_that_is_drawn_is_right() {
        for seed in 0..50 {
            let text = model(&mut Rng::new(seed));
            let (domain, problem) = text.split_once(BETWEEN).unwrap_or_default();
            assert!(Model::parse(domain, problem).is_ok(), "{text}");
            assert_eq!(attempt(&text), Ok(()), "{text}");
        }
    }
}
