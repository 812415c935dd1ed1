//! The planner against a search of the whole state space, and on models whose plans are known.

use crate::random_models::{Draw, all_states};
use capuchin_plan::{Coverage, GroundLimits, Limits, Model, SolveError, Stopped, Target, Task};
use proptest::prelude::*;

fn ground(model: &Model) -> Task {
    Task::ground(model, &GroundLimits::default()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_plan_is_found_exactly_if_there_is_one(seed in any::<u64>()) {
        let model = Draw::new(seed, false).model();
        let (states, are_all) = all_states(&model, 150);
        let has_plan = states.iter().any(|state| model.holds(&model.problem().goal, state));
        let found = ground(&model).solve(&mut Limits::default()).unwrap();
        if let Some(plan) = &found.plan {
            prop_assert_eq!(model.validate(plan), Ok(()));
        }
        prop_assert!(found.plan.is_some() == has_plan || !are_all && !has_plan);
    }

    #[test]
    fn plans_differ_and_grow(seed in any::<u64>()) {
        let model = Draw::new(seed, false).model();
        let task = ground(&model);
        let limits = Limits { evaluations: 300, ..Limits::default() };
        let plans: Vec<_> = task.plans(limits).take(20).filter_map(Result::ok).collect();
        for plan in &plans {
            prop_assert_eq!(model.validate(plan), Ok(()));
        }
        prop_assert!(plans.windows(2).all(|pair| pair[0].len() <= pair[1].len()));
        prop_assert!((1..plans.len()).all(|at| !plans[..at].contains(&plans[at])));
    }

    #[test]
    fn plans_by_coverage_end_with_what_they_cover(seed in any::<u64>()) {
        let model = Draw::new(seed, false).model();
        let task = ground(&model);
        for coverage in [Coverage::Steps, Coverage::Pairs, Coverage::Facts] {
            for goal in task.goals(coverage).take(30) {
                let found = task.cover(&goal, &mut Limits::default()).unwrap();
                let Some(plan) = found.plan else { continue };
                let mut state = model.initial_state();
                for step in &plan {
                    state = model.apply(step, &state).unwrap();
                }
                match goal.target() {
                    Target::Step(step) => prop_assert!(plan.ends_with(std::slice::from_ref(step))),
                    Target::Pair(first, second) => {
                        prop_assert!(plan.ends_with(&[first.clone(), second.clone()]));
                    }
                    Target::Fact(fact) => prop_assert!(state.contains(fact)),
                }
            }
        }
    }
}

const GRIPPER: &str = "(define (domain gripper) (:types room ball gripper)
  (:predicates (at-robot ?r - room) (at ?b - ball ?r - room) (free ?g - gripper)
    (carry ?b - ball ?g - gripper))
  (:action move :parameters (?from ?to - room) :precondition (at-robot ?from)
    :effect (and (at-robot ?to) (not (at-robot ?from))))
  (:action pick :parameters (?b - ball ?r - room ?g - gripper)
    :precondition (and (at ?b ?r) (at-robot ?r) (free ?g))
    :effect (and (carry ?b ?g) (not (at ?b ?r)) (not (free ?g))))
  (:action drop :parameters (?b - ball ?r - room ?g - gripper)
    :precondition (and (carry ?b ?g) (at-robot ?r))
    :effect (and (at ?b ?r) (free ?g) (not (carry ?b ?g)))))";

fn gripper(balls: usize) -> Model {
    let names: String = (0..balls).map(|ball| format!(" b{ball}")).collect();
    let at: String = (0..balls).map(|ball| format!(" (at b{ball} here)")).collect();
    let goal = at.replace("here", "there");
    let problem = format!(
        "(define (problem p) (:objects here there - room left right - gripper{names} - ball)
           (:init (at-robot here) (free left) (free right){at}) (:goal (and{goal})))"
    );
    Model::parse(GRIPPER, &problem).unwrap()
}

#[test]
fn the_same_problem_has_the_same_plan() {
    let model = gripper(10);
    let plans: Vec<_> =
        (0..3).map(|_| ground(&model).solve(&mut Limits::default()).unwrap()).collect();
    assert!(plans[0].plan.is_some());
    assert!(plans.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(model.validate(plans[0].plan.iter().flatten()), Ok(()));
}

#[test]
fn the_first_of_many_plans_is_short() {
    let model = gripper(2);
    let plans: Vec<_> =
        ground(&model).plans(Limits::default()).take(40).collect::<Result<_, _>>().unwrap();
    assert_eq!(plans.len(), 40);
    assert_eq!(plans[0].len(), 5);
    assert!(plans[39].len() > 5);
}

#[test]
fn a_search_keeps_to_its_limits() {
    let task = ground(&gripper(30));
    let limited = |limits: Limits<'_>| {
        let mut limits = limits;
        task.solve(&mut limits).map(|found| found.plan.is_some())
    };
    let few = Limits { evaluations: 3, ..Limits::default() };
    assert_eq!(limited(few), Err(Stopped::Evaluations));
    assert_eq!(limited(Limits { memory: 10, ..Limits::default() }), Err(Stopped::Memory));
    let mut stop = || true;
    let stopped = Limits { stop: Some(&mut stop), ..Limits::default() };
    assert_eq!(limited(stopped), Err(Stopped::Asked));
    assert_eq!(limited(Limits::default()), Ok(true));
}

#[test]
fn other_goals_from_other_states() {
    let model = gripper(2);
    let task = ground(&model);
    let there = model.apply(&model.step("(move here there)").unwrap(), &model.initial_state());
    let there = there.unwrap();
    let goal = &model.problem().goal;
    let found = task.solve_goal(&model, &there, goal, &mut Limits::default()).unwrap();
    let plan = found.plan.unwrap();
    assert!(plan.len() >= 6);
    let end = plan.iter().fold(there.clone(), |state, step| model.apply(step, &state).unwrap());
    assert!(model.holds(goal, &end));
    let mut odd = there.clone();
    let fact = there.iter().find(|fact| fact.arguments.len() == 2).unwrap();
    odd.insert(capuchin_plan::pddl::Fact { arguments: vec![0, 0], ..fact.clone() });
    let said = task.solve_goal(&model, &odd, goal, &mut Limits::default());
    assert!(matches!(said, Err(SolveError::Unreachable(_))), "{said:?}");
}
