//! Changes of atoms as the effect of an action: with `forall` and `when`, and with an inequality
//! where a variable must not be an argument. On its own because both models are written by it.

use super::vocabulary::{Target, Vocabulary};
use crate::model::Model;
use crate::pddl::{Action, Atom, Effect, Formula, Parameter, Term, TypeTree};

/// An atom becomes true or false if all of these hold.
#[derive(Clone, Debug)]
pub(super) struct Change<'a> {
    pub(super) target: &'a Target,
    pub(super) adds: bool,
    pub(super) condition: Vec<Formula>,
}

/// Writes the effect and the preconditions of one action.
pub(super) struct Writer<'a> {
    tree: TypeTree,
    action: &'a Action,
    /// The parameters and constants, with the types that they may have.
    terms: Vec<(Term, Vec<u32>)>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(model: &Model, action: &'a Action, vocabulary: &Vocabulary) -> Self {
        let parameters = (0..).zip(&action.parameters);
        let parameters = parameters.map(|(at, it)| (Term::Variable(at), it.types.clone()));
        let constants = vocabulary.constants.iter().map(|object| {
            let types = model.domain().constants[*object as usize].types.clone();
            (Term::Object(*object), types)
        });
        let terms = parameters.chain(constants).collect();
        Writer { tree: TypeTree::of(model.domain()), action, terms }
    }

    /// The parameters that could be one object: that they are not.
    pub(super) fn distinct_parameters(&self) -> Vec<Formula> {
        let mut all = Vec::new();
        for (second, other) in self.action.parameters.iter().enumerate() {
            for (first, one) in self.action.parameters[..second].iter().enumerate() {
                if self.tree.overlap(&one.types, &other.types) {
                    all.push(differs(variable(first), variable(second)));
                }
            }
        }
        all
    }

    /// The terms that an own variable of a target could be, and is not.
    pub(super) fn others(&self, target: &Target) -> Vec<(Term, Term)> {
        let first = self.action.parameters.len();
        let mut pairs = Vec::new();
        for (at, own) in target.variables.iter().enumerate() {
            let fits = |types: &[u32]| self.tree.overlap(types, &own.types);
            let terms = self.terms.iter().filter(|(_, types)| fits(types));
            pairs.extend(terms.map(|(term, _)| (variable(first + at), *term)));
        }
        pairs
    }

    /// All changes together.
    pub(super) fn effect(&self, changes: &[Change<'_>]) -> Effect {
        let parts = changes.iter().filter_map(|change| self.one_effect(change, changes));
        one_or_and(parts.collect(), Effect::And)
    }

    /// One of all changes; none if another one makes it as well.
    pub(super) fn one_effect(&self, change: &Change<'_>, changes: &[Change<'_>]) -> Option<Effect> {
        if changes.iter().any(|other| self.makes(other, change, changes)) {
            return None;
        }
        let mut condition = change.condition.clone();
        if change.adds && self.is_contested(change, changes) {
            condition.insert(0, not(Formula::Atom(change.target.atom.clone())));
        }
        let needed = self.inequalities(change, changes);
        condition.splice(0..0, needed.into_iter().map(|(own, term)| differs(own, term)));
        let atom = change.target.atom.clone();
        let effect = if change.adds { Effect::Add(atom) } else { Effect::Delete(atom) };
        Some(quantified(&change.target.variables, conditional(condition, effect)))
    }

    /// Whether a change of more objects makes this one, too.
    fn makes(&self, other: &Change<'_>, change: &Change<'_>, changes: &[Change<'_>]) -> bool {
        let is_wider = other.target.variables.len() > change.target.variables.len();
        if !is_wider
            || other.adds != change.adds
            || other.target.atom.predicate != change.target.atom.predicate
        {
            return false;
        }
        let first = self.action.parameters.len();
        let is_it = |choice: &Vec<Option<Term>>| {
            let literal = |it: &Formula| substituted_literal(it, first, choice);
            substituted(&other.target.atom, first, choice) == change.target.atom
                && other.condition.iter().all(|it| change.condition.contains(&literal(it)))
        };
        self.choices(other.target).iter().any(is_it) && self.inequalities(other, changes).is_empty()
    }

    /// Each own variable of a target as itself or as one of the terms.
    fn choices(&self, target: &Target) -> Vec<Vec<Option<Term>>> {
        let pairs = self.others(target);
        let first = self.action.parameters.len();
        let mut choices: Vec<Vec<Option<Term>>> = vec![vec![]];
        for at in 0..target.variables.len() {
            let terms = pairs.iter().filter(|(own, _)| *own == variable(first + at));
            let options: Vec<Option<Term>> =
                [None].into_iter().chain(terms.map(|(_, term)| Some(*term))).collect();
            let longer = |it: &Vec<Option<Term>>| {
                let one = |option: &Option<Term>| [it.as_slice(), &[*option]].concat();
                options.iter().map(one).collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(longer).collect();
        }
        choices.retain(|choice| choice.iter().any(Option::is_some));
        choices
    }

    /// Whether the atom also becomes false, under a condition that this one does not exclude.
    fn is_contested(&self, change: &Change<'_>, changes: &[Change<'_>]) -> bool {
        let excludes = |one: &Formula| match one {
            Formula::Not(part) => change.condition.contains(part),
            _ => change.condition.contains(&not(one.clone())),
        };
        changes.iter().any(|other| {
            !other.adds
                && other.target.atom == change.target.atom
                && !other.condition.iter().any(excludes)
        })
    }

    /// The inequalities without which the effect would be another one.
    fn inequalities(&self, change: &Change<'_>, changes: &[Change<'_>]) -> Vec<(Term, Term)> {
        let pairs = self.others(change.target);
        let first = self.action.parameters.len();
        let mut needed: Vec<(Term, Term)> = Vec::new();
        for choice in self.choices(change.target) {
            if !self.is_harmless(change, &choice, changes) {
                let failing = choice.iter().enumerate();
                let failing = failing.filter_map(|(at, it)| Some((variable(first + at), (*it)?)));
                needed.extend(failing);
            }
        }
        pairs.into_iter().filter(|pair| needed.contains(pair)).collect()
    }

    /// Whether the change may as well be made if the own variables are these terms.
    fn is_harmless(
        &self,
        change: &Change<'_>,
        choice: &[Option<Term>],
        changes: &[Change<'_>],
    ) -> bool {
        let first = self.action.parameters.len();
        let atom = substituted(&change.target.atom, first, choice);
        let condition: Vec<Formula> =
            change.condition.iter().map(|it| substituted_literal(it, first, choice)).collect();
        let same = || changes.iter().filter(|other| other.target.atom == atom);
        let is_weaker =
            |other: &Change<'_>| other.condition.iter().all(|it| condition.contains(it));
        // What is added at the same time stays true.
        let is_added =
            || same().any(|other| other.adds && is_weaker(other)) && same().all(|other| other.adds);
        let is_made = || same().any(|other| other.adds == change.adds && is_weaker(other));
        (!change.adds && is_added()) || is_made()
    }
}

fn variable(place: usize) -> Term {
    Term::Variable(place as u32)
}

pub(super) fn not(formula: Formula) -> Formula {
    match formula {
        Formula::Not(part) => *part,
        formula => Formula::Not(Box::new(formula)),
    }
}

fn differs(one: Term, other: Term) -> Formula {
    Formula::Not(Box::new(Formula::Equal(one, other)))
}

fn conditional(condition: Vec<Formula>, effect: Effect) -> Effect {
    match condition.is_empty() {
        true => effect,
        false => Effect::When(one_or_and(condition, Formula::And), Box::new(effect)),
    }
}

fn quantified(variables: &[Parameter], effect: Effect) -> Effect {
    match variables.is_empty() {
        true => effect,
        false => Effect::Forall(variables.to_vec(), Box::new(effect)),
    }
}

/// The only one, or all of them.
pub(super) fn one_or_and<T>(mut parts: Vec<T>, and: impl FnOnce(Vec<T>) -> T) -> T {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            and(parts)
        }
    }
}

/// The atom with terms for some own variables; the others, and those of quantifiers, move up.
fn substituted(atom: &Atom, first: usize, choice: &[Option<Term>]) -> Atom {
    let term = |term: &Term| match term {
        Term::Variable(place) if *place as usize >= first => {
            let at = *place as usize - first;
            let moved = choice.iter().take(at).filter(|it| it.is_some()).count();
            let own = choice.get(at).copied().flatten();
            own.unwrap_or(variable(first + at - moved))
        }
        other => *other,
    };
    Atom { predicate: atom.predicate, arguments: atom.arguments.iter().map(term).collect() }
}

fn substituted_literal(literal: &Formula, first: usize, choice: &[Option<Term>]) -> Formula {
    match literal {
        Formula::Atom(atom) => Formula::Atom(substituted(atom, first, choice)),
        Formula::Not(part) => not(substituted_literal(part, first, choice)),
        Formula::Exists(variables, body) => {
            let body = Box::new(substituted_literal(body, first, choice));
            Formula::Exists(variables.clone(), body)
        }
        other => other.clone(),
    }
}
