//! The safe action: it may be performed only where everything held that ever held, and where it is
//! known of every fact whether it changes.
//!
//! On its own because it is the part of Conditional-SAM that makes every plan of the model work.

use super::conditions::{Conditions, minimal};
use super::effects::{Change, not, one_or_and};
use super::operators::Reader;
use super::vocabulary::{Feature, Target};
use crate::pddl::{Action, Formula, Term};

pub(super) fn action(reader: &Reader<'_>) -> Action {
    let bounds = &reader.learner.bounds;
    let literals = bounds.possible.iter().filter(|literal| !is_implied(reader, *literal));
    let mut parts: Vec<Formula> = literals.map(|literal| reader.literal(literal)).collect();
    parts.extend(reader.writer.distinct_parameters());
    let mut changes = Vec::new();
    let targets = reader.learner.vocabulary.targets.iter().zip(&reader.learner.changes);
    for (target, both) in targets {
        for (conditions, adds) in both.iter().zip([true, false]) {
            let change = Safe { reader, target, conditions, adds };
            parts.extend(change.constraint());
            changes.extend(change.change());
        }
    }
    Action {
        name: reader.action.name.clone(),
        parameters: reader.action.parameters.clone(),
        precondition: one_or_and(parts, Formula::And),
        effect: reader.writer.effect(&changes),
    }
}

/// Whether a literal says no more than another one of the upper bound: that some object has a
/// property which an argument has.
fn is_implied(reader: &Reader<'_>, literal: usize) -> bool {
    let Feature::Some(_, atom) = reader.learner.feature(literal) else { return false };
    let first = reader.action.parameters.len() as u32;
    let own = |at: usize| atom.arguments[at] == Term::Variable(first);
    let possible = &reader.learner.bounds.possible;
    let features = &reader.learner.vocabulary.features;
    literal.is_multiple_of(2)
        && features.iter().enumerate().any(|(number, feature)| match feature {
            Feature::Atom(it) => {
                let mut terms = it.arguments.iter().zip(&atom.arguments).enumerate();
                it.predicate == atom.predicate
                    && possible.has(2 * number)
                    && terms.all(|(at, (one, other))| own(at) || one == other)
            }
            _ => false,
        })
}

/// One atom that may become true (or false).
struct Safe<'a, 'b> {
    reader: &'a Reader<'b>,
    target: &'b Target,
    conditions: &'b Conditions,
    adds: bool,
}

impl<'b> Safe<'_, 'b> {
    /// All literals of all conditions that are left: if these hold, the atom surely changes. None if
    /// that is not known, or never so.
    fn all(&self) -> Option<Vec<usize>> {
        if self.conditions.changes == 0 || self.conditions.unexplained > 0 {
            return None;
        }
        let mut all: Vec<usize> = self.conditions.all().into_iter().flatten().collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|literal| !self.reader.holds(self.target, *literal));
        let never = |literal: &usize| {
            self.reader.holds(self.target, literal ^ 1) || all.contains(&(literal ^ 1))
        };
        (!all.iter().any(never)).then_some(all)
    }

    fn change(&self) -> Option<Change<'b>> {
        let literal = |it: usize| self.reader.own_literal(self.target, it);
        let condition = self.all()?.into_iter().map(literal).collect();
        Some(Change { target: self.target, adds: self.adds, condition })
    }

    /// What must hold so that it is known whether the atom changes: it is as it would become, or all
    /// conditions hold, or none does.
    fn constraint(&self) -> Option<Formula> {
        let holds = |literal: usize| self.reader.holds(self.target, literal);
        let left = minimal(&self.conditions.all(), &holds);
        let is_unexplained = self.conditions.unexplained > 0;
        if (left.is_empty() && !is_unexplained) || self.is_already() {
            return None;
        }
        let all = self.all();
        let is_decided = match &all {
            Some(all) => all.is_empty() || left.iter().all(|condition| condition == all),
            None => false,
        };
        if is_decided {
            return None;
        }
        let literal = |it: &usize| self.reader.own_literal(self.target, *it);
        let atom = Formula::Atom(self.target.atom.clone());
        let others = self.reader.writer.others(self.target).into_iter();
        let mut parts: Vec<Formula> = others.map(|(own, term)| Formula::Equal(own, term)).collect();
        parts.push(if self.adds { atom } else { not(atom) });
        if let Some(all) = all {
            parts.push(one_or_and(all.iter().map(literal).collect(), Formula::And));
        }
        if !is_unexplained && !left.iter().any(Vec::is_empty) {
            let fails = |condition: &Vec<usize>| {
                one_or_and(condition.iter().map(|it| not(literal(it))).collect(), Formula::Or)
            };
            parts.push(one_or_and(left.iter().map(fails).collect(), Formula::And));
        }
        let body = one_or_and(parts, Formula::Or);
        Some(match self.target.variables.is_empty() {
            true => body,
            false => Formula::Forall(self.target.variables.clone(), Box::new(body)),
        })
    }

    /// Whether the upper bound says that the atom is what it would become.
    fn is_already(&self) -> bool {
        let literal = 2 * self.target.itself + usize::from(!self.adds);
        match self.target.variables.is_empty() {
            true => self.reader.learner.bounds.possible.has(literal),
            false => !self.adds && self.reader.is_never(&self.target.atom),
        }
    }
}
