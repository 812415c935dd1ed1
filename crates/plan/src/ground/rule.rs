//! The rules of relaxed reachability: an action can be applied if its positive preconditions can be
//! reached, and an effect happens if its action and its positive conditions can.
//!
//! Helmert (2009) writes the same as a Datalog program. What is not a positive literal is left to
//! filters, which decide by the facts that never change, and to the pass over the ground task.

use crate::model::Model;
use crate::pddl::{Atom, Effect, Formula, Parameter, PredicateId, Term, TypeId};

/// The most atoms of a rule that are joined. Leaving out the others only makes more reachable.
const MOST_ATOMS: usize = 40;

/// If all of the body is reachable, and no filter says no, all heads are.
#[derive(Debug)]
pub(super) struct Rule<'a> {
    /// The types of its variables.
    pub(super) variables: Vec<&'a [TypeId]>,
    pub(super) body: Vec<RuleAtom>,
    pub(super) filters: Vec<&'a Formula>,
    pub(super) heads: Vec<RuleAtom>,
}

/// An atom of a predicate, or of an action: those are numbered after the predicates.
#[derive(Clone, Debug)]
pub(super) struct RuleAtom {
    pub(super) relation: usize,
    pub(super) arguments: Vec<Term>,
}

impl From<&Atom> for RuleAtom {
    fn from(atom: &Atom) -> Self {
        RuleAtom { relation: atom.predicate as usize, arguments: atom.arguments.clone() }
    }
}

/// All rules of a model.
pub(super) fn rules(model: &Model) -> Vec<Rule<'_>> {
    let mut rules = Vec::new();
    let predicates = model.domain().predicates.len();
    for (action, number) in model.domain().actions.iter().zip(predicates..) {
        let variables: Vec<&[TypeId]> = types(&action.parameters).collect();
        let applied = RuleAtom {
            relation: number,
            arguments: (0..variables.len() as u32).map(Term::Variable).collect(),
        };
        let mut rule = Rule { variables, body: Vec::new(), filters: Vec::new(), heads: Vec::new() };
        rule.requires(&action.precondition);
        rule.heads.push(applied.clone());
        let mut adds = Rule { variables: rule.variables.clone(), ..Rule::empty() };
        adds.body.push(applied);
        rules.push(rule);
        effects(&action.effect, adds, &mut rules);
    }
    rules
}

fn types(parameters: &[Parameter]) -> impl Iterator<Item = &[TypeId]> {
    parameters.iter().map(|parameter| parameter.types.as_slice())
}

impl<'a> Rule<'a> {
    fn empty() -> Self {
        Rule { variables: Vec::new(), body: Vec::new(), filters: Vec::new(), heads: Vec::new() }
    }

    fn copy(&self) -> Self {
        Rule {
            variables: self.variables.clone(),
            body: self.body.clone(),
            filters: self.filters.clone(),
            heads: Vec::new(),
        }
    }

    /// Adds what must hold to the body or to the filters.
    fn requires(&mut self, formula: &'a Formula) {
        match formula {
            Formula::And(parts) => parts.iter().for_each(|part| self.requires(part)),
            Formula::Atom(atom) if self.body.len() < MOST_ATOMS => self.body.push(atom.into()),
            other => self.filters.push(other),
        }
    }
}

/// One rule for what happens in any case, and one for each condition.
fn effects<'a>(effect: &'a Effect, mut rule: Rule<'a>, rules: &mut Vec<Rule<'a>>) {
    let mut inner = Vec::new();
    collect(effect, &mut rule.heads, &mut inner);
    let outside = rule.copy();
    if !rule.heads.is_empty() {
        rules.push(rule);
    }
    for effect in inner {
        let mut rule = outside.copy();
        match effect {
            Effect::Forall(variables, body) => {
                rule.variables.extend(types(variables));
                effects(body, rule, rules);
            }
            Effect::When(condition, body) => {
                rule.requires(condition);
                effects(body, rule, rules);
            }
            _ => {}
        }
    }
}

/// What is added here, and what is inside of a quantifier or a condition.
fn collect<'a>(effect: &'a Effect, adds: &mut Vec<RuleAtom>, inner: &mut Vec<&'a Effect>) {
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| collect(part, adds, inner)),
        Effect::Add(atom) => adds.push(atom.into()),
        Effect::Forall(..) | Effect::When(..) => inner.push(effect),
        Effect::Delete(_) | Effect::Cost(_) => {}
    }
}

/// The variables of a formula that are bound outside of it, as bits.
pub(super) fn free_variables(formula: &Formula, outside: u32) -> u64 {
    let bit = |term: &Term| match term {
        Term::Variable(place) if *place < outside => 1u64 << place,
        _ => 0,
    };
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().fold(0, |bits, part| bits | free_variables(part, outside))
        }
        Formula::Not(body) | Formula::Exists(_, body) | Formula::Forall(_, body) => {
            free_variables(body, outside)
        }
        Formula::Imply(first, second) => {
            free_variables(first, outside) | free_variables(second, outside)
        }
        Formula::Atom(atom) => atom.arguments.iter().fold(0, |bits, term| bits | bit(term)),
        Formula::Equal(first, second) => bit(first) | bit(second),
    }
}

/// Whether the facts that never change may decide the formula, without a quantifier: then it is
/// worth asking while tuples are joined.
pub(super) fn is_worth_asking(formula: &Formula, is_fluent: &dyn Fn(PredicateId) -> bool) -> bool {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().any(|part| is_worth_asking(part, is_fluent))
                && parts.iter().all(|part| !has_quantifier(part))
        }
        Formula::Not(body) => is_worth_asking(body, is_fluent),
        Formula::Imply(first, second) => {
            !has_quantifier(first)
                && !has_quantifier(second)
                && (is_worth_asking(first, is_fluent) || is_worth_asking(second, is_fluent))
        }
        Formula::Exists(..) | Formula::Forall(..) => false,
        Formula::Atom(atom) => !is_fluent(atom.predicate),
        Formula::Equal(..) => true,
    }
}

fn has_quantifier(formula: &Formula) -> bool {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(has_quantifier),
        Formula::Not(body) => has_quantifier(body),
        Formula::Imply(first, second) => has_quantifier(first) || has_quantifier(second),
        Formula::Exists(..) | Formula::Forall(..) => true,
        Formula::Atom(_) | Formula::Equal(..) => false,
    }
}
