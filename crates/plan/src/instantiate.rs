//! An action with objects for its parameters, as conditions and effects on facts by number.
//!
//! The grounder and the simulator share it. They differ in which facts have numbers: all that are
//! reachable, or those that were needed so far. That is what a [`Resolver`] says.

use crate::condition::{Condition, Ground, Known, Literal};
use crate::model::Model;
use crate::pddl::{
    Atom, Effect, Expression, Formula, ObjectId, Parameter, PredicateId, Step, Term,
};
use std::collections::BTreeMap;

/// What is known of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// It never changes.
    Always(bool),
    /// It has this number.
    Fact(u32),
}

/// Gives facts their numbers.
pub(crate) trait Resolver {
    fn resolve(&mut self, predicate: PredicateId, arguments: &[ObjectId]) -> Value;
}

/// A ground action.
#[derive(Clone, Debug)]
pub(crate) struct Operator {
    pub(crate) step: Step,
    pub(crate) cost: f64,
    pub(crate) precondition: Condition,
    pub(crate) effects: Vec<GroundEffect>,
}

/// What happens if the condition held before. What is added is not also deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GroundEffect {
    pub(crate) condition: Condition,
    pub(crate) adds: Vec<u32>,
    pub(crate) deletes: Vec<u32>,
}

/// The formulas of one action would take more than the allowed number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// The most nodes of the ground formulas of one action or goal.
const MOST_NODES: usize = 20_000_000;

pub(crate) struct Instantiation<'a, R> {
    model: &'a Model,
    resolver: R,
    values: Vec<ObjectId>,
    arguments: Vec<ObjectId>,
    nodes: usize,
}

/// What an effect does under each condition.
type Changes = BTreeMap<Condition, (Vec<u32>, Vec<u32>)>;

impl<'a, R: Resolver> Instantiation<'a, R> {
    pub(crate) fn new(model: &'a Model, resolver: R) -> Self {
        Instantiation { model, resolver, values: Vec::new(), arguments: Vec::new(), nodes: 0 }
    }

    /// A formula without free variables; `None` if it is never true.
    pub(crate) fn condition(&mut self, formula: &Formula) -> Result<Option<Condition>, TooLarge> {
        self.nodes = 0;
        self.values.clear();
        Ok(self.formula(formula, false)?.into_condition())
    }

    /// An action with these objects; `None` if it can never be applied.
    pub(crate) fn operator(&mut self, step: Step) -> Result<Option<Operator>, TooLarge> {
        self.nodes = 0;
        self.values.clear();
        self.values.extend(&step.arguments);
        let action = &self.model.domain().actions[step.action as usize];
        let Some(precondition) = self.formula(&action.precondition, false)?.into_condition() else {
            return Ok(None);
        };
        let (mut changes, mut cost) = (Changes::new(), 0.0);
        let always = Ground::constant(true);
        self.effect(&action.effect, &always, &mut changes, &mut cost)?;
        let effects = normalized(&precondition, changes);
        Ok(Some(Operator { step, cost, precondition, effects }))
    }

    fn count(&mut self) -> Result<(), TooLarge> {
        self.nodes += 1;
        if self.nodes > MOST_NODES { Err(TooLarge) } else { Ok(()) }
    }

    fn value(&self, term: Term) -> ObjectId {
        match term {
            Term::Variable(place) => self.values[place as usize],
            Term::Object(object) => object,
        }
    }

    fn resolve(&mut self, atom: &Atom) -> Value {
        let mut arguments = std::mem::take(&mut self.arguments);
        arguments.clear();
        arguments.extend(atom.arguments.iter().map(|term| self.value(*term)));
        let value = self.resolver.resolve(atom.predicate, &arguments);
        self.arguments = arguments;
        value
    }

    /// The formula, or its negation, with the values of its variables.
    fn formula(&mut self, formula: &Formula, negated: bool) -> Result<Ground, TooLarge> {
        self.count()?;
        match formula {
            Formula::Atom(atom) => Ok(match self.resolve(atom) {
                Value::Always(value) => Ground::constant(value != negated),
                Value::Fact(fact) => Ground::Literal(Literal::new(fact, negated)),
            }),
            Formula::Equal(first, second) => {
                Ok(Ground::constant((self.value(*first) == self.value(*second)) != negated))
            }
            Formula::Not(part) => self.formula(part, !negated),
            Formula::And(parts) => self.joined(parts.iter().map(|part| (part, negated)), !negated),
            Formula::Or(parts) => self.joined(parts.iter().map(|part| (part, negated)), negated),
            Formula::Imply(first, second) => {
                self.joined([(&**first, !negated), (&**second, negated)].into_iter(), negated)
            }
            Formula::Forall(variables, body) => {
                let mut parts = Vec::new();
                self.quantified(variables, body, negated, !negated, &mut parts)?;
                Ok(if negated { Ground::any(parts) } else { Ground::all(parts) })
            }
            Formula::Exists(variables, body) => {
                let mut parts = Vec::new();
                self.quantified(variables, body, negated, negated, &mut parts)?;
                Ok(if negated { Ground::all(parts) } else { Ground::any(parts) })
            }
        }
    }

    /// The conjunction of these, or the disjunction. What decides it ends it.
    fn joined<'f>(
        &mut self,
        parts: impl Iterator<Item = (&'f Formula, bool)>,
        is_conjunction: bool,
    ) -> Result<Ground, TooLarge> {
        let mut joined = Vec::new();
        for (part, negated) in parts {
            let part = self.formula(part, negated)?;
            if part.is(!is_conjunction) {
                return Ok(part);
            }
            if !part.is(is_conjunction) {
                joined.push(part);
            }
        }
        Ok(if is_conjunction { Ground::all(joined) } else { Ground::any(joined) })
    }

    /// The body for all values of the variables. Whether what decides it was found.
    fn quantified(
        &mut self,
        variables: &[Parameter],
        body: &Formula,
        negated: bool,
        is_conjunction: bool,
        parts: &mut Vec<Ground>,
    ) -> Result<bool, TooLarge> {
        let Some((first, rest)) = variables.split_first() else {
            let part = self.formula(body, negated)?;
            let decides = part.is(!is_conjunction);
            if !part.is(is_conjunction) {
                parts.push(part);
            }
            return Ok(decides);
        };
        let model = self.model;
        for object in model.objects(&first.types).iter() {
            self.values.push(*object);
            let decided = self.quantified(rest, body, negated, is_conjunction, parts);
            self.values.pop();
            if decided? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn effect(
        &mut self,
        effect: &Effect,
        condition: &Ground,
        changes: &mut Changes,
        cost: &mut f64,
    ) -> Result<(), TooLarge> {
        self.count()?;
        match effect {
            Effect::And(parts) => {
                parts.iter().try_for_each(|part| self.effect(part, condition, changes, cost))?;
            }
            Effect::Forall(variables, body) => {
                self.effect_for_all(variables, body, condition, changes, cost)?;
            }
            Effect::When(when, body) => {
                let when = self.formula(when, false)?;
                if !when.is(false) {
                    let both = Ground::all(vec![condition.clone(), when]);
                    self.effect(body, &both, changes, cost)?;
                }
            }
            Effect::Add(atom) | Effect::Delete(atom) => {
                let Value::Fact(fact) = self.resolve(atom) else { return Ok(()) };
                let Some(condition) = condition.clone().into_condition() else { return Ok(()) };
                let (adds, deletes) = changes.entry(condition).or_default();
                if matches!(effect, Effect::Add(_)) { adds.push(fact) } else { deletes.push(fact) }
            }
            Effect::Cost(Expression::Number(number)) => *cost += number,
            Effect::Cost(Expression::Function(function, arguments)) => {
                let arguments: Vec<ObjectId> =
                    arguments.iter().map(|term| self.value(*term)).collect();
                *cost += self.model.value(*function, &arguments);
            }
        }
        Ok(())
    }

    fn effect_for_all(
        &mut self,
        variables: &[Parameter],
        body: &Effect,
        condition: &Ground,
        changes: &mut Changes,
        cost: &mut f64,
    ) -> Result<(), TooLarge> {
        let Some((first, rest)) = variables.split_first() else {
            return self.effect(body, condition, changes, cost);
        };
        let model = self.model;
        for object in model.objects(&first.types).iter() {
            self.values.push(*object);
            let result = self.effect_for_all(rest, body, condition, changes, cost);
            self.values.pop();
            result?;
        }
        Ok(())
    }
}

/// The effects with conditions that do not repeat the precondition. The unconditional effect is
/// first, if there is one.
fn normalized(precondition: &Condition, changes: Changes) -> Vec<GroundEffect> {
    let known = |literal: Literal| {
        let opposite = Literal::new(literal.fact(), !literal.is_negated());
        if precondition.literals.binary_search(&literal).is_ok() {
            Known::True
        } else if precondition.literals.binary_search(&opposite).is_ok() {
            Known::False
        } else {
            Known::Literal(literal)
        }
    };
    let mut simplified = Changes::new();
    for (condition, (adds, deletes)) in changes {
        if let Some(condition) = condition.map(&known) {
            let (all_adds, all_deletes) = simplified.entry(condition).or_default();
            all_adds.extend(adds);
            all_deletes.extend(deletes);
        }
    }
    let sorted = |mut facts: Vec<u32>| {
        facts.sort_unstable();
        facts.dedup();
        facts
    };
    // What is added in any case is neither added again nor deleted by a condition.
    let always = simplified.get(&Condition::default()).map(|(adds, _)| sorted(adds.clone()));
    let always = always.unwrap_or_default();
    let effects = simplified.into_iter().map(|(condition, (adds, deletes))| {
        let (mut adds, mut deletes) = (sorted(adds), sorted(deletes));
        if !condition.is_empty() {
            adds.retain(|fact| always.binary_search(fact).is_err());
            deletes.retain(|fact| always.binary_search(fact).is_err());
        }
        deletes.retain(|fact| adds.binary_search(fact).is_err());
        GroundEffect { condition, adds, deletes }
    });
    effects.filter(|effect| !effect.adds.is_empty() || !effect.deletes.is_empty()).collect()
}
