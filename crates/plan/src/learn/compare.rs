//! How near a learned model is to another one: precision and recall of the literals of
//! preconditions and of effects.
//!
//! Both are brought into one form first, so that the same model in other words counts as the same:
//! `forall` of a negation is the negation of `exists`; a variable is called by its place; a change
//! does not depend on the fact that it changes; what is added under a condition is deleted only if
//! that condition fails. That two objects differ is left out: learners assume it of arguments.

use super::effects::not;
use crate::pddl::{Action, Atom, Domain, Effect, Formula, OBJECT, Parameter, Term};
use std::collections::BTreeSet;

/// How many are right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// In both.
    pub right: usize,
    /// In the learned model only.
    pub wrong: usize,
    /// In the other one only.
    pub missing: usize,
}

impl Score {
    /// The share of what was learned that is right; of nothing, all.
    pub fn precision(&self) -> f64 {
        share(self.right, self.wrong)
    }

    /// The share of what is to be learned that was.
    pub fn recall(&self) -> f64 {
        share(self.right, self.missing)
    }

    fn add(&mut self, learned: &BTreeSet<String>, truth: &BTreeSet<String>) {
        self.right += learned.intersection(truth).count();
        self.wrong += learned.difference(truth).count();
        self.missing += truth.difference(learned).count();
    }
}

fn share(right: usize, rest: usize) -> f64 {
    if right + rest == 0 { 1.0 } else { right as f64 / (right + rest) as f64 }
}

/// How near a model is to another one, over all actions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// The literals of preconditions.
    pub preconditions: Score,
    /// The effects with their conditions.
    pub effects: Score,
}

/// Compares the actions of a learned domain with those of the same names of another one. An action
/// that was not learned has nothing right.
pub fn compare(learned: &Domain, truth: &Domain) -> Scores {
    let mut scores = Scores::default();
    for action in &truth.actions {
        let found = learned.actions.iter().find(|other| other.name == action.name);
        let (needs, does) = sets(truth, action);
        let (learned_needs, learned_does) = found.map(|it| sets(learned, it)).unwrap_or_default();
        scores.preconditions.add(&learned_needs, &needs);
        scores.effects.add(&learned_does, &does);
    }
    scores
}

/// The literals of the precondition, and the effects.
fn sets(domain: &Domain, action: &Action) -> (BTreeSet<String>, BTreeSet<String>) {
    let parameters: Vec<Parameter> = action
        .parameters
        .iter()
        .enumerate()
        .map(|(at, it)| Parameter { name: format!("p{at}"), types: it.types.clone() })
        .collect();
    let mut literals = Vec::new();
    conjuncts(&action.precondition, &mut literals);
    let text = |formula: &Formula| domain.formula_text(&renamed(formula, 0), &parameters);
    let needs = literals.iter().filter(|it| !is_equality(it, parameters.len())).map(text).collect();
    let mut changes = Vec::new();
    collect(&action.effect, &[], &[], &mut changes);
    normalize(&mut changes, parameters.len());
    let does = changes.iter().map(|change| change.text(domain, &parameters)).collect();
    (needs, does)
}

/// The parts of a conjunction, with `forall` as the negation of `exists`.
fn conjuncts(formula: &Formula, parts: &mut Vec<Formula>) {
    match formula {
        Formula::And(all) => all.iter().for_each(|part| conjuncts(part, parts)),
        Formula::Not(part) => match &**part {
            Formula::Not(inner) => conjuncts(inner, parts),
            Formula::Or(all) => all.iter().for_each(|part| conjuncts(&not(part.clone()), parts)),
            _ => parts.push(formula.clone()),
        },
        Formula::Forall(variables, body) => {
            let mut inner = Vec::new();
            conjuncts(body, &mut inner);
            for part in inner {
                let some = Formula::Exists(variables.clone(), Box::new(not(part)));
                parts.push(not(some));
            }
        }
        Formula::Or(all) if all.len() == 1 => conjuncts(&all[0], parts),
        _ => parts.push(formula.clone()),
    }
}

/// Whether it compares two variables, or one that is no parameter.
fn is_equality(formula: &Formula, parameters: usize) -> bool {
    let is_variable = |term: &Term| matches!(term, Term::Variable(_));
    let is_own = |term: &Term| matches!(term, Term::Variable(at) if *at as usize >= parameters);
    match formula {
        Formula::Equal(one, other) => {
            is_own(one) || is_own(other) || (is_variable(one) && is_variable(other))
        }
        Formula::Not(part) => is_equality(part, parameters),
        _ => false,
    }
}

/// The same with the names of the quantified variables counted.
fn renamed(formula: &Formula, depth: usize) -> Formula {
    let each = |all: &[Formula]| all.iter().map(|part| renamed(part, depth)).collect();
    // Their types are those of the predicates around them.
    let names = |variables: &[Parameter]| {
        let name = |at: usize| Parameter { name: format!("v{}", depth + at), types: vec![OBJECT] };
        (0..variables.len()).map(name).collect()
    };
    match formula {
        Formula::And(all) => Formula::And(each(all)),
        Formula::Or(all) => Formula::Or(each(all)),
        Formula::Not(part) => not(renamed(part, depth)),
        Formula::Imply(first, second) => {
            Formula::Or(vec![not(renamed(first, depth)), renamed(second, depth)])
        }
        Formula::Exists(variables, body) => {
            let body = Box::new(renamed(body, depth + variables.len()));
            Formula::Exists(names(variables), body)
        }
        Formula::Forall(variables, body) => {
            let body = Box::new(renamed(body, depth + variables.len()));
            Formula::Forall(names(variables), body)
        }
        Formula::Atom(_) | Formula::Equal(..) => formula.clone(),
    }
}

/// One change of an effect.
#[derive(Clone, Debug)]
struct Change {
    variables: Vec<Parameter>,
    condition: Vec<Formula>,
    atom: Atom,
    adds: bool,
}

fn collect(
    effect: &Effect,
    variables: &[Parameter],
    condition: &[Formula],
    changes: &mut Vec<Change>,
) {
    match effect {
        Effect::And(all) => {
            all.iter().for_each(|part| collect(part, variables, condition, changes));
        }
        Effect::Forall(more, body) => {
            let variables = [variables, more].concat();
            collect(body, &variables, condition, changes);
        }
        Effect::When(more, body) => {
            let mut condition = condition.to_vec();
            conjuncts(more, &mut condition);
            collect(body, variables, &condition, changes);
        }
        Effect::Add(atom) | Effect::Delete(atom) => changes.push(Change {
            variables: variables.to_vec(),
            condition: condition.to_vec(),
            atom: atom.clone(),
            adds: matches!(effect, Effect::Add(_)),
        }),
        Effect::Cost(_) => {}
    }
}

fn normalize(changes: &mut Vec<Change>, first: usize) {
    for change in changes.iter_mut() {
        change.rename(first);
        change.close(first);
        let own = Formula::Atom(change.atom.clone());
        let is_own = |it: &Formula| *it == own || *it == not(own.clone());
        change.condition.retain(|it| !is_own(it) && !is_equality(it, first));
    }
    let added = changes.clone();
    changes.retain(|change| {
        // What is both added and deleted is added.
        let is_added =
            |other: &Change| other.adds && other.atom == change.atom && other.condition.is_empty();
        change.adds || !added.iter().any(is_added)
    });
    for change in changes.iter_mut().filter(|change| !change.adds) {
        for other in added.iter().filter(|other| other.adds && other.atom == change.atom) {
            if let [only] = &other.condition[..] {
                change.condition.push(not(only.clone()));
            }
        }
    }
    for change in changes {
        change.condition.sort_by_key(|it| format!("{it:?}"));
        change.condition.dedup();
    }
}

impl Change {
    /// Numbers the own variables in the order in which the atom has them.
    fn rename(&mut self, first: usize) {
        let own = |term: &Term| match term {
            Term::Variable(place) => (*place as usize).checked_sub(first),
            Term::Object(_) => None,
        };
        let mut order: Vec<usize> = Vec::new();
        for at in self.atom.arguments.iter().filter_map(own).chain(0..self.variables.len()) {
            if !order.contains(&at) {
                order.push(at);
            }
        }
        let place = |at: usize| order.iter().position(|it| *it == at).unwrap_or(at);
        let map = |term: &Term| match own(term) {
            Some(at) => Term::Variable((first + place(at)) as u32),
            None => *term,
        };
        self.atom = mapped(&self.atom, &map);
        self.condition = self.condition.iter().map(|it| mapped_formula(it, &map)).collect();
        self.variables = order.iter().map(|at| self.variables[*at].clone()).collect();
    }

    /// Makes `exists` of the variables that the atom does not have: they come last.
    fn close(&mut self, first: usize) {
        let is_own = |term: &&Term| matches!(term, Term::Variable(at) if *at as usize >= first);
        let mut own: Vec<&Term> = self.atom.arguments.iter().filter(is_own).collect();
        own.dedup();
        let kept = own.len();
        if kept < self.variables.len() {
            let others = self.variables.split_off(kept);
            let is_other = |it: &Formula| has_variable(it, first + kept);
            let (inside, outside) = self.condition.drain(..).partition(is_other);
            self.condition = outside;
            let body = super::effects::one_or_and(inside, Formula::And);
            self.condition.push(Formula::Exists(others, Box::new(body)));
        }
    }

    fn text(&self, domain: &Domain, parameters: &[Parameter]) -> String {
        let named = (0..).zip(&self.variables).map(|(at, it): (usize, _)| Parameter {
            name: format!("v{at}"),
            types: it.types.clone(),
        });
        let scope: Vec<Parameter> = parameters.iter().cloned().chain(named).collect();
        let text = |formula: &Formula| domain.formula_text(&renamed(formula, 9), &scope);
        let conditions: Vec<String> = self.condition.iter().map(text).collect();
        let sign = if self.adds { "+" } else { "-" };
        format!("{sign}{} when {conditions:?}", text(&Formula::Atom(self.atom.clone())))
    }
}

/// Whether a literal has a variable at this place or after it.
fn has_variable(formula: &Formula, from: usize) -> bool {
    let is = |term: &Term| matches!(term, Term::Variable(at) if *at as usize >= from);
    match formula {
        Formula::Atom(atom) => atom.arguments.iter().any(is),
        Formula::Equal(one, other) => is(one) || is(other),
        Formula::Not(part) => has_variable(part, from),
        _ => true,
    }
}

fn mapped(atom: &Atom, map: &dyn Fn(&Term) -> Term) -> Atom {
    Atom { predicate: atom.predicate, arguments: atom.arguments.iter().map(map).collect() }
}

fn mapped_formula(formula: &Formula, map: &dyn Fn(&Term) -> Term) -> Formula {
    let each = |all: &[Formula]| all.iter().map(|part| mapped_formula(part, map)).collect();
    let inner = |part: &Formula| Box::new(mapped_formula(part, map));
    match formula {
        Formula::And(all) => Formula::And(each(all)),
        Formula::Or(all) => Formula::Or(each(all)),
        Formula::Not(part) => Formula::Not(inner(part)),
        Formula::Imply(first, second) => Formula::Imply(inner(first), inner(second)),
        Formula::Exists(variables, body) => Formula::Exists(variables.clone(), inner(body)),
        Formula::Forall(variables, body) => Formula::Forall(variables.clone(), inner(body)),
        Formula::Atom(atom) => Formula::Atom(mapped(atom, map)),
        Formula::Equal(one, other) => Formula::Equal(map(one), map(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(precondition: &str, effect: &str) -> Domain {
        let text = format!(
            "(define (domain d) (:types t) (:predicates (p ?x - t) (q ?x - t) (r ?x ?y - t))
               (:action a :parameters (?x - t) :precondition {precondition} :effect {effect}))"
        );
        Domain::parse(&text).expect("a domain")
    }

    #[track_caller]
    fn check(one: (&str, &str), other: (&str, &str), expected: [usize; 6]) {
        let scores = compare(&domain(one.0, one.1), &domain(other.0, other.1));
        let list = |score: Score| [score.right, score.wrong, score.missing];
        let found = [list(scores.preconditions), list(scores.effects)].concat();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_same_in_other_words_is_the_same() {
        check(
            ("(forall (?z - t) (not (p ?z)))", "(p ?x)"),
            ("(not (exists (?y - t) (p ?y)))", "(when (not (p ?x)) (p ?x))"),
            [1, 0, 0, 1, 0, 0],
        );
        check(
            ("(p ?x)", "(forall (?z - t) (when (not (= ?z ?x)) (not (r ?x ?z))))"),
            ("(and (p ?x) (q ?x))", "(forall (?y - t) (not (r ?x ?y)))"),
            [1, 0, 1, 1, 0, 0],
        );
        // Deleted for all, and added under a condition.
        check(
            ("(and)", "(forall (?y - t) (and (not (p ?y)) (when (q ?y) (p ?y))))"),
            (
                "(and)",
                "(forall (?y - t) (and (when (not (q ?y)) (not (p ?y))) (when (q ?y) (p ?y))))",
            ),
            [0, 0, 0, 2, 0, 0],
        );
        check(("(p ?x)", "(q ?x)"), ("(and)", "(not (q ?x))"), [0, 1, 0, 0, 1, 1]);
    }
}
