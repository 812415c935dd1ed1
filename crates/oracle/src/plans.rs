//! Plans: for goals and for coverage, as test cases with their expected states.
//!
//! On its own because it runs nothing. A plan is written as a file of the language: traces that run
//! as they stand, each with the steps of the model that it was made of.

use crate::oracle::{Goal, Oracle};
use capuchin::ui::Quoted;
use capuchin_plan::pddl::Step;
use capuchin_plan::{
    Coverage, GroundLimits, Limits, Model, PartialState, Stopped, Target, Task, Truth,
};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How many states a search for one goal may evaluate.
const EVALUATIONS: u64 = 1_000_000;

/// A test case: what it is for, and its steps.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// What a report calls it.
    pub name: String,
    /// Its steps.
    pub steps: Vec<Step>,
}

impl Oracle {
    /// Up to so many different plans for a goal, of growing length.
    pub fn plans(&self, goal: &Goal, most: usize) -> Result<Vec<TestCase>, String> {
        let mut problem = self.planning.problem().clone();
        problem.goal = goal.condition.clone();
        let model = Model::new(self.planning.domain().clone(), problem);
        let task = Task::ground(&model, &GroundLimits::default()).map_err(|it| it.to_string())?;
        let limits = || Limits { evaluations: EVALUATIONS, ..Limits::default() };
        // One plan is found much sooner by the search that wants no other.
        let found: Vec<Vec<Step>> = if most == 1 {
            let found = task.solve(&mut limits()).map_err(|it| it.to_string())?;
            found.plan.into_iter().collect()
        } else {
            let found = task.plans(limits()).take(most).take_while(Result::is_ok);
            found.collect::<Result<_, Stopped>>().map_err(|it| it.to_string())?
        };
        let steps = found.into_iter().map(|plan| self.of_model(&plan));
        Ok(steps
            .zip(1..)
            .map(|(steps, number)| {
                let name = match most {
                    1 => goal.label.clone(),
                    _ => format!("{} {number}", goal.label),
                };
                TestCase { name, steps }
            })
            .collect())
    }

    /// A plan for each thing to cover that no plan before it has covered on its way, and how many
    /// have none.
    pub fn covering(&self, coverage: Coverage) -> (Vec<TestCase>, usize) {
        let (mut cases, mut unreached) = (Vec::new(), 0);
        let mut covered: BTreeSet<String> = BTreeSet::new();
        for goal in self.task.goals(coverage) {
            let name = self.target(goal.target());
            if covered.contains(&name) {
                continue;
            }
            let mut limits = Limits { evaluations: EVALUATIONS, ..Limits::default() };
            match self.task.cover(&goal, &mut limits).ok().and_then(|found| found.plan) {
                Some(plan) => {
                    self.note_covered(coverage, &plan, &mut covered);
                    covered.insert(name.clone());
                    cases.push(TestCase { name, steps: self.of_model(&plan) });
                }
                None => unreached += 1,
            }
        }
        (cases, unreached)
    }

    /// What a plan covers, by name.
    fn note_covered(&self, coverage: Coverage, plan: &[Step], covered: &mut BTreeSet<String>) {
        match coverage {
            Coverage::Steps => {
                covered.extend(plan.iter().map(|it| self.target(&Target::Step(it.clone()))));
            }
            Coverage::Pairs => covered.extend(
                plan.windows(2)
                    .map(|pair| self.target(&Target::Pair(pair[0].clone(), pair[1].clone()))),
            ),
            Coverage::Facts => {
                let mut state = self.planning.initial_state();
                for step in plan {
                    let Ok(next) = self.planning.apply(step, &state) else { return };
                    state = next;
                    covered.extend(state.iter().map(|it| self.target(&Target::Fact(it.clone()))));
                }
            }
        }
    }

    fn target(&self, target: &Target) -> String {
        let model = &self.planning;
        match target {
            Target::Step(step) => model.step_text(step),
            Target::Pair(first, second) => {
                format!("{} {}", model.step_text(first), model.step_text(second))
            }
            Target::Fact(fact) => model.fact_text(fact),
        }
    }

    /// A plan from another state.
    pub(crate) fn plan_from(
        &self,
        state: &PartialState,
        goal: &Goal,
        limits: &mut Limits<'_>,
    ) -> Option<Vec<Step>> {
        let known: BTreeSet<_> = self.task.facts().iter().cloned().collect();
        let mut from = self.follower.lifted(state);
        // What the problem never reaches is nothing that a plan could need.
        from.retain(|fact| !self.planning.is_fluent(fact.predicate) || known.contains(fact));
        let found = self.task.solve_goal(&self.planning, &from, &goal.condition, limits).ok()?;
        found.plan.map(|plan| self.of_model(&plan))
    }

    /// The same steps with the numbers of the whole model.
    fn of_model(&self, plan: &[Step]) -> Vec<Step> {
        let text = |step| self.planning.step_text(step);
        plan.iter().filter_map(|step| self.model.step(&text(step)).ok()).collect()
    }

    /// The first step whose precondition fails, and which facts it lacks: then the case is invalid.
    pub fn invalid(&self, steps: &[Step]) -> Option<(usize, String)> {
        let mut state = self.follower.initial();
        for (place, step) in steps.iter().enumerate() {
            let text = self.model.step_text(step);
            let fails = format!("the precondition of `{text}` fails");
            let Some(number) = self.number(step) else { return Some((place, fails)) };
            if self.follower.precondition(number, &state) != Truth::True {
                let missing = self.follower.missing(number, &state);
                let missing: Vec<String> =
                    missing.iter().map(|(fact, value)| self.literal(*fact, *value)).collect();
                let why = match missing.as_slice() {
                    [] => String::new(),
                    missing => format!(": it needs {}", missing.join(" ")),
                };
                return Some((place, fails + &why));
            }
            self.follower.apply(number, &mut state);
        }
        None
    }

    /// Test cases as a file of the language. `mapping` is the path of the mapping, as the file is
    /// to name it.
    pub fn written(&self, mapping: &str, cases: &[TestCase]) -> String {
        let mut text = format!("{NAME} {}\n", Quoted(mapping), NAME = crate::oracle::NAME);
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for case in cases {
            let mut name = case.name.clone();
            let mut others = 2;
            while !taken.insert(name.clone()) {
                name = format!("{} {others}", case.name);
                others += 1;
            }
            let steps: Vec<String> = case.steps.iter().map(|it| self.model.step_text(it)).collect();
            let _ = write!(text, "\ncase {}: {}\n", Quoted(&name), Quoted(&steps.join(" ")));
            let _ = write!(text, "check {} =", Quoted(&name));
            if case.steps.is_empty() {
                text.push_str(" unit");
            }
            let mut state = self.follower.initial();
            for (place, (step, line)) in case.steps.iter().zip(&steps).enumerate() {
                let Some(number) = self.number(step) else { continue };
                let before = state.clone();
                let changed = self.follower.apply(number, &mut state);
                let changed: Vec<String> = changed
                    .into_iter()
                    .filter(|fact| before.truth(*fact) != state.truth(*fact))
                    .map(|fact| self.literal(fact, state.truth(fact) == Truth::True))
                    .collect();
                let trace = self.operators.trace(number).unwrap_or_default();
                let joined = if place == 0 { "" } else { ":>> " };
                let _ = write!(text, "\n  // {line}\n  {joined}{trace}");
                let _ = write!(text, "\n  // expected: {}", changed.join(" "));
            }
            text.push('\n');
        }
        text
    }
}
