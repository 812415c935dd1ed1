//! A random walk of a model: what is performed, and what was impossible where it was performed. On
//! its own because the states that models are tested on come from another walk.

use anyhow::{Context, Result};
use capuchin::ui::Rng;
use capuchin_plan::pddl::{Domain, ObjectId, Step};
use capuchin_plan::{Coverage, GroundLimits, LiftedState, Model, Simulator, State, Target, Task};
use std::collections::BTreeMap;

/// How many impossible operators are shown for each step.
const NEGATIVES: usize = 60;
/// How many steps the walk takes before it begins again.
const LENGTH: usize = 200;

/// One step of the walk.
pub(super) struct Example {
    pub(super) before: LiftedState,
    pub(super) step: Step,
    pub(super) after: LiftedState,
    /// Some operators that were impossible before it.
    pub(super) impossible: Vec<Step>,
    /// Whether the walk began anew before it.
    pub(super) is_first: bool,
}

/// A walk that is going on.
pub(super) struct Walk<'a> {
    model: &'a Model,
    simulator: Simulator<'a>,
    steps: Vec<Step>,
    state: State,
    /// How often each action was performed.
    performed: Vec<usize>,
    taken: usize,
    rng: Rng,
}

impl<'a> Walk<'a> {
    pub(super) fn new(model: &'a Model, seed: u64) -> Result<Self> {
        let task = Task::ground(model, &GroundLimits::default())?;
        let step = |target: &Target| match target {
            Target::Step(step) => Some(step.clone()),
            _ => None,
        };
        let steps: Vec<Step> =
            task.goals(Coverage::Steps).filter_map(|goal| step(goal.target())).collect();
        let simulator = Simulator::new(model);
        let state = simulator.initial();
        steps.first().context("the model has no step that can be reached")?;
        let performed = vec![0; model.domain().actions.len()];
        Ok(Walk { model, simulator, steps, state, performed, taken: 0, rng: Rng::new(seed) })
    }

    /// Takes a step: an action that was performed seldom is as likely as one that was often, so
    /// that a walk of a few thousand steps performs nearly all.
    pub(super) fn step(&mut self) -> Example {
        let is_first = self.taken.is_multiple_of(LENGTH);
        if is_first {
            self.state = self.simulator.initial();
        }
        let (mut possible, mut impossible) = self.partition();
        if possible.is_empty() {
            self.state = self.simulator.initial();
            (possible, impossible) = self.partition();
        }
        let mut actions: BTreeMap<u32, Vec<Step>> = BTreeMap::new();
        for step in &possible {
            actions.entry(step.action).or_default().push(step.clone());
        }
        let action = self.rng.below(actions.len() as u64) as usize;
        let choices = actions.values().nth(action).map_or(&[][..], Vec::as_slice);
        let step = choices[self.rng.below(choices.len() as u64) as usize].clone();
        let impossible = self.negatives(&possible, &mut impossible);
        let before = self.simulator.lifted(&self.state);
        if let Ok(compiled) = self.simulator.compile(&step) {
            let _ = self.simulator.apply(compiled, &mut self.state);
        }
        let after = self.simulator.lifted(&self.state);
        self.performed[step.action as usize] += 1;
        self.taken += 1;
        Example { before, step, after, impossible, is_first }
    }

    /// The ground operators that are possible now, and the others.
    fn partition(&mut self) -> (Vec<Step>, Vec<Step>) {
        let (mut possible, mut impossible) = (Vec::new(), Vec::new());
        for at in 0..self.steps.len() {
            let step = self.steps[at].clone();
            if self.is_possible(&step) { possible.push(step) } else { impossible.push(step) }
        }
        (possible, impossible)
    }

    fn is_possible(&mut self, step: &Step) -> bool {
        let mut after = self.state.clone();
        let compiled = self.simulator.compile(step);
        compiled.is_ok_and(|it| self.simulator.apply(it, &mut after).is_ok())
    }

    /// Some of the impossible operators: half of those that the planner knows, half with another
    /// object in one place of a possible one.
    fn negatives(&mut self, possible: &[Step], impossible: &mut Vec<Step>) -> Vec<Step> {
        let mut chosen = Vec::new();
        for _ in 0..NEGATIVES / 2 {
            if !impossible.is_empty() {
                let at = self.rng.below(impossible.len() as u64) as usize;
                chosen.push(impossible.swap_remove(at));
            }
            let step = &possible[self.rng.below(possible.len() as u64) as usize];
            let other = self.varied(step);
            if other != *step && !self.is_possible(&other) {
                chosen.push(other);
            }
        }
        chosen
    }

    /// The step with another object in one place.
    fn varied(&mut self, step: &Step) -> Step {
        let mut other = step.clone();
        let parameters = &self.model.domain().actions[step.action as usize].parameters;
        if !parameters.is_empty() {
            let place = self.rng.below(parameters.len() as u64) as usize;
            let objects: &[ObjectId] = &self.model.objects(&parameters[place].types);
            other.arguments[place] = objects[self.rng.below(objects.len() as u64) as usize];
        }
        other
    }

    /// The actions that were not performed.
    pub(super) fn never(&self) -> Vec<String> {
        let actions = self.model.domain().actions.iter().zip(&self.performed);
        actions.filter(|(_, times)| **times == 0).map(|(it, _)| it.name.clone()).collect()
    }
}

/// States of another walk, with operators that are possible there and that are not: what amlgym
/// calls predicted applicability.
pub(super) struct Applicability {
    cases: Vec<(LiftedState, Step, bool)>,
}

impl Applicability {
    /// So many states of a walk, with a step of each action where there is one.
    pub(super) fn new(walk: &mut Walk<'_>) -> Self {
        let mut cases = Vec::new();
        for _ in 0..150 {
            (0..3).for_each(|_| drop(walk.step()));
            let Example { before, step, impossible, .. } = walk.step();
            let distinct = |step: &Step| {
                let all = &step.arguments;
                all.iter().enumerate().all(|(at, it)| !all[..at].contains(it))
            };
            let refused = impossible.into_iter().take(20).filter(distinct);
            cases.extend(refused.map(|step| (before.clone(), step, false)));
            if distinct(&step) {
                cases.push((before, step, true));
            }
        }
        Applicability { cases }
    }

    /// The share of what a domain allows that is possible, and the share of what is possible that
    /// it allows.
    pub(super) fn score(&self, model: &Model, domain: &Domain) -> [f64; 2] {
        let mut problem = model.problem().clone();
        problem.values.clear();
        problem.minimizes_cost = false;
        let learned = Model::new(domain.clone(), problem);
        let [mut right, mut wrong, mut missing] = [0u32; 3];
        for (state, step, is_possible) in &self.cases {
            let name = &model.domain().actions[step.action as usize].name;
            let action = learned.domain().actions.iter().position(|it| it.name == *name);
            let allows = action.is_some_and(|action| {
                let step = Step { action: action as u32, arguments: step.arguments.clone() };
                learned.apply(&step, state).is_ok()
            });
            match (allows, is_possible) {
                (true, true) => right += 1,
                (true, false) => wrong += 1,
                (false, true) => missing += 1,
                (false, false) => {}
            }
        }
        let share = |rest: u32| match right + rest {
            0 => 1.0,
            all => f64::from(right) / f64::from(all),
        };
        [share(wrong), share(missing)]
    }
}
