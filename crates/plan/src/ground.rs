//! Grounding: from actions with parameters to operators on numbered facts.
//!
//! Only what a relaxed exploration reaches is made (Helmert 2009, *Concise finite-domain
//! representations for PDDL planning tasks*): the parameters of an action are joined over the facts
//! that are reachable, never enumerated as a cross product. Conditions that are more than
//! conjunctions stay whole, as in [`crate::condition`].

mod join;
mod relations;
mod rule;

use crate::condition::{Condition, set_bit};
use crate::instantiate::{Instantiation, Operator, Resolver, TooLarge, Value};
use crate::lifted::LiftedState;
use crate::model::Model;
use crate::pddl::{Fact, Formula, ObjectId, PredicateId, Step};
use relations::Relation;
use thiserror::Error;

/// How large a task may become.
#[derive(Clone, Debug)]
pub struct GroundLimits {
    /// The most operators.
    pub operators: usize,
    /// The most facts.
    pub facts: usize,
    /// The most steps of joining.
    pub join_steps: u64,
}

impl Default for GroundLimits {
    fn default() -> Self {
        GroundLimits { operators: 4_000_000, facts: 4_000_000, join_steps: 2_000_000_000 }
    }
}

/// A model that has too many ground actions or facts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GroundError {
    /// Operators.
    #[error("the model has more than {0} ground operators; use fewer objects or parameters")]
    Operators(usize),
    /// Join steps.
    #[error("finding the ground operators takes more than {0} steps; use fewer parameters")]
    Joins(u64),
    /// One formula.
    #[error("the quantifiers of {0} range over too many objects")]
    Formula(String),
}

/// A ground task: numbered facts, and the operators that can be reached.
#[derive(Debug)]
pub struct Task {
    pub(crate) facts: Vec<Fact>,
    pub(crate) operators: Vec<Operator>,
    pub(crate) init: Vec<u64>,
    /// `None` if the goal of the problem can never hold.
    pub(crate) goal: Option<Condition>,
    numbers: FactNumbers,
}

/// Where the facts of each predicate begin.
#[derive(Debug)]
pub(crate) struct FactNumbers {
    relations: Vec<Relation>,
    /// The number of the first fact of a fluent predicate; `None` for the others.
    first: Vec<Option<u32>>,
}

impl Resolver for &FactNumbers {
    fn resolve(&mut self, predicate: PredicateId, arguments: &[ObjectId]) -> Value {
        let found = self.relations[predicate as usize].find(arguments);
        match (self.first[predicate as usize], found) {
            (Some(first), Some(number)) => Value::Fact(first + number),
            (None, found) => Value::Always(found.is_some()),
            (Some(_), None) => Value::Always(false),
        }
    }
}

impl Task {
    /// The steps that can be reached, in the order of the model.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.operators.iter().map(|operator| &operator.step)
    }

    /// The facts that can become true and that some step changes.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// Grounds a model.
    pub fn ground(model: &Model, limits: &GroundLimits) -> Result<Task, GroundError> {
        let relations = join::reachable(model, limits)?;
        let predicates = model.domain().predicates.len();
        let (mut facts, mut first) = (Vec::new(), Vec::new());
        for (predicate, relation) in (0..).zip(&relations[..predicates]) {
            let is_fluent = model.is_fluent(predicate);
            first.push(is_fluent.then_some(facts.len() as u32));
            if is_fluent {
                facts.extend(
                    (0..relation.len() as u32).map(|number| Fact {
                        predicate,
                        arguments: relation.tuple(number).to_vec(),
                    }),
                );
            }
        }
        let numbers = FactNumbers { relations, first };
        let mut init = vec![0; facts.len().div_ceil(64)];
        for fact in &model.problem().init {
            if let Value::Fact(number) = (&numbers).resolve(fact.predicate, &fact.arguments) {
                set_bit(&mut init, number);
            }
        }
        let mut instantiation = Instantiation::new(model, &numbers);
        let mut operators = Vec::new();
        for (action, relation) in (0..).zip(&numbers.relations[predicates..]) {
            for number in 0..relation.len() as u32 {
                let step = Step { action, arguments: relation.tuple(number).to_vec() };
                let too_large = |_: TooLarge| {
                    let name = &model.domain().actions[action as usize].name;
                    GroundError::Formula(format!("the action `{name}`"))
                };
                operators.extend(instantiation.operator(step).map_err(too_large)?);
                if operators.len() > limits.operators {
                    return Err(GroundError::Operators(limits.operators));
                }
            }
        }
        let goal = instantiation.condition(&model.problem().goal);
        let goal = goal.map_err(|_| GroundError::Formula("the goal".to_owned()))?;
        Ok(Task { facts, operators, init, goal, numbers })
    }

    /// How many facts can change.
    pub fn fact_count(&self) -> usize {
        self.facts.len()
    }

    /// How many operators there are.
    pub fn operator_count(&self) -> usize {
        self.operators.len()
    }

    /// A state as bits, or a fact of it that has no number and is not true for ever.
    pub(crate) fn state(&self, model: &Model, facts: &LiftedState) -> Result<Vec<u64>, String> {
        let mut bits = vec![0; self.facts.len().div_ceil(64)];
        for fact in facts {
            match (&self.numbers).resolve(fact.predicate, &fact.arguments) {
                Value::Fact(number) => set_bit(&mut bits, number),
                Value::Always(true) => {}
                Value::Always(false) => return Err(model.fact_text(fact)),
            }
        }
        Ok(bits)
    }

    /// The condition that a formula is; `None` if it can never hold.
    pub(crate) fn condition(
        &self,
        model: &Model,
        formula: &Formula,
    ) -> Result<Option<Condition>, GroundError> {
        let condition = Instantiation::new(model, &self.numbers).condition(formula);
        condition.map_err(|_| GroundError::Formula("the goal".to_owned()))
    }
}
