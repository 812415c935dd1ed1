//! The grounder against the naive one: every combination of objects, and a fixpoint.

use crate::random_models::{Draw, all_states, all_steps};
use capuchin_plan::pddl::Step;
use capuchin_plan::{Coverage, GroundError, GroundLimits, Model, Simulator, Target, Task};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn grounded(model: &Model) -> BTreeSet<Step> {
    let task = Task::ground(model, &GroundLimits::default()).unwrap();
    let step = |target: &Target| match target {
        Target::Step(step) => step.clone(),
        other => panic!("{other:?}"),
    };
    task.goals(Coverage::Steps).map(|goal| step(goal.target())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn whatever_can_be_done_is_grounded(seed in any::<u64>()) {
        let model = Draw::new(seed, false).model();
        let grounded = grounded(&model);
        let (states, _) = all_states(&model, 60);
        for step in all_steps(&model) {
            let is_applicable = states.iter().any(|state| model.apply(&step, state).is_ok());
            prop_assert!(!is_applicable || grounded.contains(&step), "{}", model.step_text(&step));
        }
    }

    #[test]
    fn with_facts_as_conditions_nothing_else_is_grounded(seed in any::<u64>()) {
        let model = Draw::new(seed, true).model();
        let mut reached = model.initial_state();
        loop {
            let before = reached.len();
            for step in all_steps(&model) {
                if let Ok(after) = model.apply(&step, &reached) {
                    reached.extend(after);
                }
            }
            if reached.len() == before {
                break;
            }
        }
        let naive = all_steps(&model).into_iter().filter(|step| model.apply(step, &reached).is_ok());
        prop_assert_eq!(grounded(&model), naive.collect::<BTreeSet<_>>());
    }

    #[test]
    fn the_simulator_derives_the_states_of_the_definition(seed in any::<u64>()) {
        let mut draw = Draw::new(seed, false);
        let model = draw.model();
        let steps = all_steps(&model);
        let mut simulator = Simulator::new(&model);
        let (mut state, mut lifted) = (simulator.initial(), model.initial_state());
        for _ in 0..30 {
            let step = &steps[draw.below(steps.len() as u32) as usize];
            let compiled = simulator.compile(step).unwrap();
            let derived = simulator.apply(compiled, &mut state);
            match model.apply(step, &lifted) {
                Ok(after) => {
                    prop_assert_eq!(derived, Ok(()));
                    lifted = after;
                }
                Err(invalid) => prop_assert_eq!(derived, Err(invalid)),
            }
            prop_assert_eq!(simulator.lifted(&state), lifted.clone());
        }
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let domain = "(define (domain d) (:predicates (p ?a ?b ?c ?d))
        (:action a :parameters (?a ?b ?c ?d) :effect (p ?a ?b ?c ?d)))";
    let objects: String = (0..100).map(|number| format!(" o{number}")).collect();
    let problem = format!("(define (problem p) (:objects{objects}) (:goal (p o1 o2 o3 o4)))");
    let model = Model::parse(domain, &problem).unwrap();
    let limits = GroundLimits { operators: 1000, facts: 1000, join_steps: 100_000 };
    assert_eq!(Task::ground(&model, &limits).unwrap_err(), GroundError::Joins(100_000));
    let limits = GroundLimits { operators: 1000, facts: 1000, join_steps: u64::MAX };
    let domain = domain.replace("?a ?b ?c ?d", "?a ?b");
    let problem = problem.replace("o1 o2 o3 o4", "o1 o2");
    let model = Model::parse(&domain, &problem).unwrap();
    assert_eq!(Task::ground(&model, &limits).unwrap_err(), GroundError::Operators(1000));
}
