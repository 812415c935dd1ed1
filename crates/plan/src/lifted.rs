//! The meaning of a model, word by word: states are sets of facts, and formulas are evaluated as
//! they stand.
//!
//! It is slow and short, so that it can be read beside the definition of PDDL. Everything faster in
//! this crate is tested against it, and every plan that the planner returns was executed by it.

use crate::model::{Model, StepError};
use crate::pddl::{Atom, Effect, Fact, Formula, ObjectId, Parameter, Step, Term};
use std::collections::BTreeSet;
use thiserror::Error;

/// The facts that are true. All others are false.
pub type LiftedState = BTreeSet<Fact>;

/// A step that cannot be taken: the case is invalid, and says nothing about an app.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Invalid {
    /// The model has no such step.
    #[error(transparent)]
    Step(#[from] StepError),
    /// What must hold before the step does not hold.
    #[error("the precondition of `{step}` fails")]
    Precondition {
        /// The step, as a plan file has it.
        step: String,
    },
    /// The quantifiers of the step range over too many objects.
    #[error("the quantifiers of `{step}` range over too many objects")]
    TooLarge {
        /// The step, as a plan file has it.
        step: String,
    },
    /// The last state is not what was asked for.
    #[error("the goal does not hold at the end")]
    Goal,
}

impl Model {
    /// The state in which the problem begins.
    pub fn initial_state(&self) -> LiftedState {
        self.problem().init.iter().cloned().collect()
    }

    /// Whether a formula without free variables holds in a state.
    pub fn holds(&self, formula: &Formula, state: &LiftedState) -> bool {
        self.holds_for(formula, &mut Vec::new(), state)
    }

    /// The state after a step: the procedure `ExpStateGen` of Memon, Pollack and Soffa (2000).
    pub fn apply(&self, step: &Step, state: &LiftedState) -> Result<LiftedState, Invalid> {
        let mut after = state.clone();
        self.apply_to(step, &mut after)?;
        Ok(after)
    }

    /// The same, in place. A step that is invalid changes nothing.
    fn apply_to(&self, step: &Step, state: &mut LiftedState) -> Result<(), Invalid> {
        self.check_step(step)?;
        let action = &self.domain().actions[step.action as usize];
        let mut values = step.arguments.clone();
        if !self.holds_for(&action.precondition, &mut values, state) {
            return Err(Invalid::Precondition { step: self.step_text(step) });
        }
        let (mut added, mut deleted) = (Vec::new(), Vec::new());
        self.changes(&action.effect, &mut values, state, &mut added, &mut deleted);
        for fact in &deleted {
            state.remove(fact);
        }
        state.extend(added);
        Ok(())
    }

    /// Executes a plan from the initial state, and says whether the goal holds at its end.
    pub fn validate<'a>(&self, plan: impl IntoIterator<Item = &'a Step>) -> Result<(), Invalid> {
        let mut state = self.initial_state();
        for step in plan {
            self.apply_to(step, &mut state)?;
        }
        if self.holds(&self.problem().goal, &state) { Ok(()) } else { Err(Invalid::Goal) }
    }

    fn holds_for(
        &self,
        formula: &Formula,
        values: &mut Vec<ObjectId>,
        state: &LiftedState,
    ) -> bool {
        match formula {
            Formula::And(parts) => parts.iter().all(|part| self.holds_for(part, values, state)),
            Formula::Or(parts) => parts.iter().any(|part| self.holds_for(part, values, state)),
            Formula::Not(part) => !self.holds_for(part, values, state),
            Formula::Imply(first, second) => {
                !self.holds_for(first, values, state) || self.holds_for(second, values, state)
            }
            Formula::Exists(variables, body) => {
                self.some(variables, values, &mut |values| self.holds_for(body, values, state))
            }
            Formula::Forall(variables, body) => {
                !self.some(variables, values, &mut |values| !self.holds_for(body, values, state))
            }
            Formula::Atom(atom) => state.contains(&fact(atom, values)),
            Formula::Equal(first, second) => value(*first, values) == value(*second, values),
        }
    }

    /// Collects what an effect adds and deletes.
    fn changes(
        &self,
        effect: &Effect,
        values: &mut Vec<ObjectId>,
        state: &LiftedState,
        added: &mut Vec<Fact>,
        deleted: &mut Vec<Fact>,
    ) {
        match effect {
            Effect::And(parts) => {
                parts.iter().for_each(|part| self.changes(part, values, state, added, deleted));
            }
            Effect::Forall(variables, body) => {
                self.some(variables, values, &mut |values| {
                    self.changes(body, values, state, added, deleted);
                    false
                });
            }
            Effect::When(condition, body) => {
                if self.holds_for(condition, values, state) {
                    self.changes(body, values, state, added, deleted);
                }
            }
            Effect::Add(atom) => added.push(fact(atom, values)),
            Effect::Delete(atom) => deleted.push(fact(atom, values)),
            Effect::Cost(_) => {}
        }
    }

    /// Whether it holds for some values of the variables: it is asked until it does.
    fn some(
        &self,
        variables: &[Parameter],
        values: &mut Vec<ObjectId>,
        is: &mut dyn FnMut(&mut Vec<ObjectId>) -> bool,
    ) -> bool {
        let Some((first, rest)) = variables.split_first() else { return is(values) };
        self.objects(&first.types).iter().any(|object| {
            values.push(*object);
            let found = self.some(rest, values, is);
            values.pop();
            found
        })
    }
}

fn value(term: Term, values: &[ObjectId]) -> ObjectId {
    match term {
        Term::Variable(place) => values[place as usize],
        Term::Object(object) => object,
    }
}

fn fact(atom: &Atom, values: &[ObjectId]) -> Fact {
    let arguments = atom.arguments.iter().map(|term| value(*term, values)).collect();
    Fact { predicate: atom.predicate, arguments }
}
