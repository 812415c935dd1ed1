//! Operators learned from steps: which facts an action needs, and which it changes.
//!
//! A [`Learner`] is given steps (a state, an action with its arguments, the state after it) and
//! states in which an action was possible or was not. It says of each action:
//!
//! - **what it may need** (the upper bound of the precondition): every literal that held whenever
//!   the action was possible. This is SAM (Juba, Le and Stern, KR 2021).
//! - **what it surely needs** (the lower bound): if the action was not possible somewhere, a
//!   literal of the upper bound that did not hold there is needed; if there is one such literal
//!   only, it is that one. SAM has no such bound, since it sees steps only. A screen shows of
//!   every event whether it is possible, so that these examples cost nothing.
//! - **what it changes**, always or under a condition, for its arguments and for all other objects
//!   (`when`, `forall`): Conditional-SAM (Mordoch et al., ICAPS 2024).
//!
//! [`Learned::safe`] is a model with the upper bound: every plan of it works in the app. It refuses
//! steps whose outcome is not known yet. [`Learned::proposed`] is the one to edit: the lower bound,
//! and for each effect the simplest condition that was not refuted.
//!
//! ```
//! use capuchin_plan::Model;
//! use capuchin_plan::learn::{LearnOptions, Learner, Observed};
//!
//! // Nothing of the action but its parameters is looked at.
//! let domain = "(define (domain windows) (:predicates (open ?w) (locked ?w))
//!   (:action close :parameters (?w) :precondition (open ?w) :effect (not (open ?w))))";
//! let problem = "(define (problem two) (:domain windows) (:objects find help)
//!   (:init (open find) (open help) (locked help)) (:goal (and)))";
//! let model = Model::parse(domain, problem)?;
//! let mut learner = Learner::new(&model, LearnOptions::default())?;
//! let close = model.step("(close find)")?;
//! let before = model.initial_state();
//! let after = model.apply(&close, &before)?;
//! learner.step(&before.clone().into(), &close, &after.clone().into())?;
//! learner.impossible(&after.into(), &close)?;
//! let learned = learner.learned();
//! let needed = &learned.actions[0].needed;
//! let text = model.domain().formula_text(&needed[0].formula, &learned.actions[0].parameters);
//! assert_eq!(text, "(open ?w)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is assumed
//!
//! A precondition is a conjunction of literals about the arguments and constants, or of `exists`
//! with one variable around one. An atom that an action makes true (or false) has one condition
//! for that, of at most [`LearnOptions::conditions`] literals. Where that is not so, it shows: as
//! an impossible action that nothing explains, and as a change that nothing explains, both counted.
//! Steps with the same object for two parameters are left out, and the safe model has none.
//!
//! What was not seen of a state neither confirms nor refutes anything ([`Observed`]). The result
//! does not depend on the order of the steps, unless a bound of [`LearnOptions`] is reached.

mod action;
mod bits;
mod compare;
mod conditions;
mod effects;
mod observed;
mod operators;
mod precondition;
mod report;
mod safe;
mod vocabulary;

pub use compare::{Score, Scores, compare};
pub use observed::Observed;
pub use operators::{Evidence, Learned, LearnedAction, LearnedEffect};

use crate::model::{Model, StepError};
use crate::pddl::{Fact, PredicateId, Step};
use action::ActionLearner;
use observed::{Layout, View};
use std::collections::BTreeSet;
use thiserror::Error;

/// What is learned, and how much may be spent on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnOptions {
    /// The most literals of the condition of an effect: 0, 1 or 2.
    pub conditions: usize,
    /// Whether a precondition may say that some object has a property, or that none has.
    pub quantified: bool,
    /// Predicates that are left out, because no state ever shows a fact of them. Otherwise each of
    /// their facts could be the reason of everything. What does depend on them is unexplained.
    pub without: BTreeSet<PredicateId>,
    /// The most features and the most atoms of an action.
    pub most_features: usize,
    /// The most facts of a state.
    pub most_facts: usize,
    /// How many facts of one atom with variables of its own are looked at after a step, beside
    /// those that changed. The others have their turn after later steps.
    pub instances: usize,
}

impl Default for LearnOptions {
    fn default() -> Self {
        LearnOptions {
            conditions: 1,
            quantified: true,
            without: BTreeSet::new(),
            most_features: 2_000,
            most_facts: 1 << 24,
            instances: 64,
        }
    }
}

/// Why nothing can be learned.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LearnError {
    /// There is too much that an action could depend on.
    #[error(
        "`{action}` could depend on {count} facts, of which {most} are allowed; give its \
         parameters and the predicates narrower types, or raise `most_features`"
    )]
    Features {
        /// The action.
        action: String,
        /// How many features it has.
        count: usize,
        /// How many it may have.
        most: usize,
    },
    /// There are too many facts.
    #[error(
        "a state has {count} facts or more, and {most} are allowed; give the predicates narrower \
         types, or raise `most_facts`"
    )]
    Facts {
        /// How many facts there are at least.
        count: usize,
        /// How many there may be.
        most: usize,
    },
}

/// Learns from one step after the other.
#[derive(Debug)]
pub struct Learner {
    model: Model,
    layout: Layout,
    options: LearnOptions,
    actions: Vec<ActionLearner>,
}

impl Learner {
    /// A learner of a model's actions. Of the model, the types, objects and predicates are used,
    /// and the parameters of its actions.
    pub fn new(model: &Model, options: LearnOptions) -> Result<Self, LearnError> {
        let layout = Layout::new(model, options.most_facts)
            .map_err(|count| LearnError::Facts { count, most: options.most_facts })?;
        let actions = model.domain().actions.iter().map(|action| {
            ActionLearner::new(model, action, &options).map_err(|count| {
                let most = options.most_features;
                LearnError::Features { action: action.name.clone(), count, most }
            })
        });
        let actions = actions.collect::<Result<_, _>>()?;
        Ok(Learner { model: model.clone(), layout, options, actions })
    }

    /// The action was performed here, and led there.
    pub fn step(
        &mut self,
        before: &Observed,
        step: &Step,
        after: &Observed,
    ) -> Result<(), StepError> {
        self.model.check_step(step)?;
        let (view, next) = (View::new(&self.layout, before), View::new(&self.layout, after));
        let changed: Vec<_> = before.facts.symmetric_difference(&after.facts).collect();
        let learner = &mut self.actions[step.action as usize];
        learner.step(&self.model, &step.arguments, [&view, &next], &changed, &self.options);
        Ok(())
    }

    /// The action was possible here; it was not performed, so its effects are not known.
    pub fn possible(&mut self, state: &Observed, step: &Step) -> Result<(), StepError> {
        self.each_possible(state, std::slice::from_ref(step))
    }

    /// The same of several actions in one state, which takes less time.
    pub fn each_possible(&mut self, state: &Observed, steps: &[Step]) -> Result<(), StepError> {
        let view = View::new(&self.layout, state);
        for step in steps {
            self.model.check_step(step)?;
            let learner = &mut self.actions[step.action as usize];
            learner.possible(&self.model, &step.arguments, &view);
        }
        Ok(())
    }

    /// The action was not possible here: disabled, covered or absent.
    pub fn impossible(&mut self, state: &Observed, step: &Step) -> Result<(), StepError> {
        self.each_impossible(state, std::slice::from_ref(step))
    }

    /// The same of several actions in one state, which takes less time.
    pub fn each_impossible(&mut self, state: &Observed, steps: &[Step]) -> Result<(), StepError> {
        let view = View::new(&self.layout, state);
        for step in steps {
            self.model.check_step(step)?;
            let learner = &mut self.actions[step.action as usize];
            learner.impossible(&self.model, &step.arguments, &view);
        }
        Ok(())
    }

    /// How much would be learned if the action was performed here: the literals that may be needed,
    /// are not known to be, and do not hold; and the atoms of which it is not known whether they
    /// change. An action that was never possible counts with everything that it may need.
    pub fn open_questions(&self, state: &Observed, step: &Step) -> Result<usize, StepError> {
        self.model.check_step(step)?;
        let view = View::new(&self.layout, state);
        let learner = &self.actions[step.action as usize];
        Ok(learner.open_questions(&self.model, &step.arguments, &view))
    }

    /// The facts that came out otherwise than everything seen before allows, each with what it was
    /// expected to be. None if the step is not covered: if something did not hold that may be
    /// needed, or the action was never performed.
    pub fn surprises(
        &self,
        before: &Observed,
        step: &Step,
        after: &Observed,
    ) -> Result<Option<Vec<(Fact, bool)>>, StepError> {
        self.model.check_step(step)?;
        let (view, next) = (View::new(&self.layout, before), View::new(&self.layout, after));
        let changed: Vec<_> = before.facts.symmetric_difference(&after.facts).collect();
        let learner = &self.actions[step.action as usize];
        Ok(learner.surprises(&self.model, &step.arguments, [&view, &next], &changed))
    }

    /// What is known now.
    pub fn learned(&self) -> Learned {
        Learned::new(&self.model, &self.actions)
    }
}
