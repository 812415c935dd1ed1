//! What is known of one action: its bounds, the conditions of its effects, and the evidence.

use super::LearnOptions;
use super::bits::Bits;
use super::conditions::Conditions;
use super::observed::View;
use super::precondition::Bounds;
use super::vocabulary::{Feature, Target, Truth, Vocabulary, object, value};
use crate::model::Model;
use crate::pddl::{Action, Fact, ObjectId, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Learns one action.
#[derive(Debug)]
pub(super) struct ActionLearner {
    pub(super) vocabulary: Vocabulary,
    pub(super) bounds: Bounds,
    /// For each target, when it becomes true, and when it becomes false.
    pub(super) changes: Vec<[Conditions; 2]>,
    pub(super) steps: u32,
    pub(super) possible: u32,
    pub(super) impossible: u32,
    /// Examples with the same object for two parameters.
    pub(super) left_out: u32,
}

impl ActionLearner {
    pub(super) fn new(
        model: &Model,
        action: &Action,
        options: &LearnOptions,
    ) -> Result<Self, usize> {
        let vocabulary = Vocabulary::new(model, action, options)?;
        let conditions = |target: &Target| {
            let features = vocabulary.features.len() + target.features.len();
            let new = || Conditions::new(features, target.itself, options.conditions);
            [new(), new()]
        };
        Ok(ActionLearner {
            bounds: Bounds::new(2 * vocabulary.features.len()),
            changes: vocabulary.targets.iter().map(conditions).collect(),
            vocabulary,
            steps: 0,
            possible: 0,
            impossible: 0,
            left_out: 0,
        })
    }

    /// Whether two parameters are one object: what then happens says too little of either.
    fn leaves_out(&mut self, arguments: &[ObjectId]) -> bool {
        let is = has_twice(arguments);
        self.left_out += u32::from(is);
        is
    }

    pub(super) fn possible(&mut self, model: &Model, arguments: &[ObjectId], view: &View<'_>) {
        if !self.leaves_out(arguments) {
            self.possible += 1;
            self.bounds.was_possible(&self.vocabulary.truth(model, view, arguments));
        }
    }

    pub(super) fn impossible(&mut self, model: &Model, arguments: &[ObjectId], view: &View<'_>) {
        if !self.leaves_out(arguments) {
            self.impossible += 1;
            self.bounds.was_impossible(&self.vocabulary.truth(model, view, arguments));
        }
    }

    pub(super) fn step(
        &mut self,
        model: &Model,
        arguments: &[ObjectId],
        [before, after]: [&View<'_>; 2],
        changed: &[&Fact],
        options: &LearnOptions,
    ) {
        if self.leaves_out(arguments) {
            return;
        }
        self.steps += 1;
        let truth = self.vocabulary.truth(model, before, arguments);
        self.bounds.was_possible(&truth);
        let turn = self.steps as usize - 1;
        let ActionLearner { vocabulary, changes, .. } = self;
        for (target, conditions) in vocabulary.targets.iter().zip(changes) {
            if target.variables.is_empty() {
                observe(conditions, target, arguments, [before, after], &truth);
                continue;
            }
            let instances = Instances::new(model, vocabulary, target, arguments);
            // Most objects are alike, and a second one that is like the first tells nothing more.
            let mut seen: BTreeMap<(Truth, bool, bool), u32> = BTreeMap::new();
            for own in instances.chosen(turn, options.instances, changed) {
                let values: Vec<ObjectId> = arguments.iter().copied().chain(own).collect();
                let was = value(before, &target.atom, &values);
                if let (Some(was), Some(is)) = (was, value(after, &target.atom, &values)) {
                    let truth = own_truth(vocabulary, target, &values, before, &truth);
                    *seen.entry((truth, was, is)).or_default() += 1;
                }
            }
            for ((truth, was, is), count) in seen {
                conditions[usize::from(was)].observe(was != is, &truth, count);
            }
        }
    }

    pub(super) fn open_questions(
        &self,
        model: &Model,
        arguments: &[ObjectId],
        view: &View<'_>,
    ) -> usize {
        if has_twice(arguments) {
            return 0;
        }
        let truth = self.vocabulary.truth(model, view, arguments);
        let needed = self.bounds.needed();
        let mut open = self.bounds.possible.clone();
        if self.steps > 0 {
            open.drop_all(&truth.maybe);
        }
        let preconditions = open.iter().filter(|literal| !needed.contains_key(literal)).count();
        let mut effects = 0;
        for (target, conditions) in self.vocabulary.targets.iter().zip(&self.changes) {
            if target.variables.is_empty()
                && let Some(is_true) = value(view, &target.atom, arguments)
            {
                let conditions = &conditions[usize::from(is_true)];
                effects += usize::from(conditions.verdict(&truth).is_none());
            }
        }
        preconditions + effects
    }

    /// The facts that came out otherwise than expected, if the step is covered.
    pub(super) fn surprises(
        &self,
        model: &Model,
        arguments: &[ObjectId],
        [before, after]: [&View<'_>; 2],
        changed: &[&Fact],
    ) -> Option<Vec<(Fact, bool)>> {
        let truth = self.vocabulary.truth(model, before, arguments);
        let is_covered = self.steps > 0 && self.bounds.possible.is_subset(&truth.sure);
        if has_twice(arguments) || !is_covered {
            return None;
        }
        let mut surprises = Vec::new();
        for (target, conditions) in self.vocabulary.targets.iter().zip(&self.changes) {
            let instances = Instances::new(model, &self.vocabulary, target, arguments);
            for own in instances.chosen(0, usize::MAX, changed) {
                let values: Vec<ObjectId> = arguments.iter().copied().chain(own).collect();
                let was = value(before, &target.atom, &values);
                let (Some(was), Some(is)) = (was, value(after, &target.atom, &values)) else {
                    continue;
                };
                let truth = own_truth(&self.vocabulary, target, &values, before, &truth);
                let verdict = conditions[usize::from(was)].verdict(&truth);
                if verdict.is_some_and(|changes| changes != (was != is)) {
                    let terms = target.atom.arguments.iter();
                    let arguments = terms.map(|term| object(*term, &values)).collect();
                    let fact = Fact { predicate: target.atom.predicate, arguments };
                    surprises.push((fact, !is));
                }
            }
        }
        Some(surprises)
    }

    /// The feature of a literal of the precondition.
    pub(super) fn feature(&self, literal: usize) -> &Feature {
        &self.vocabulary.features[literal / 2]
    }
}

pub(super) fn has_twice(arguments: &[ObjectId]) -> bool {
    arguments.iter().enumerate().any(|(at, object)| arguments[..at].contains(object))
}

/// Shows a step to the conditions of one fact: those of becoming true if it was false, and those of
/// becoming false if it was true.
fn observe(
    conditions: &mut [Conditions; 2],
    target: &Target,
    values: &[ObjectId],
    [before, after]: [&View<'_>; 2],
    truth: &Truth,
) {
    let was = value(before, &target.atom, values);
    if let (Some(was), Some(is)) = (was, value(after, &target.atom, values)) {
        conditions[usize::from(was)].observe(was != is, truth, 1);
    }
}

/// The literals about the arguments and about the own variables of a target.
fn own_truth(
    vocabulary: &Vocabulary,
    target: &Target,
    values: &[ObjectId],
    view: &View<'_>,
    truth: &Truth,
) -> Truth {
    let features = vocabulary.features.len() + target.features.len();
    let base = vocabulary.features.len();
    let prefix = |bits: &Bits| bits.prefix(2 * base, 2 * features);
    let mut own = Truth { sure: prefix(&truth.sure), maybe: prefix(&truth.maybe) };
    for (number, atom) in (base..).zip(&target.features) {
        own.set(number, value(view, atom, values));
    }
    own
}

/// The objects that the own variables of a target stand for: no arguments, no constants.
struct Instances<'a> {
    target: &'a Target,
    arguments: &'a [ObjectId],
    objects: Vec<Vec<ObjectId>>,
}

impl<'a> Instances<'a> {
    fn new(
        model: &Model,
        vocabulary: &Vocabulary,
        target: &'a Target,
        arguments: &'a [ObjectId],
    ) -> Self {
        let is_term = |it: &ObjectId| arguments.contains(it) || vocabulary.constants.contains(it);
        let others = |types: &[u32]| {
            model.objects(types).iter().copied().filter(|it| !is_term(it)).collect()
        };
        let objects = target.variables.iter().map(|variable| others(&variable.types)).collect();
        Instances { target, arguments, objects }
    }

    /// Those that changed, and so many of the others, different ones in each turn.
    fn chosen(&self, turn: usize, most: usize, changed: &[&Fact]) -> BTreeSet<Vec<ObjectId>> {
        let mut chosen: BTreeSet<Vec<ObjectId>> =
            changed.iter().filter_map(|fact| self.matched(fact)).collect();
        let count = self.objects.iter().fold(1usize, |all, it| all.saturating_mul(it.len()));
        if count == 0 {
            return chosen;
        }
        let from = turn.wrapping_mul(most) % count;
        for number in (0..most.min(count)).map(|it| (from + it) % count) {
            let mut rest = number;
            let one = |objects: &Vec<ObjectId>| {
                let object = objects[rest % objects.len()];
                rest /= objects.len();
                object
            };
            chosen.insert(self.objects.iter().map(one).collect());
        }
        chosen
    }

    /// The own variables that make the target this fact.
    fn matched(&self, fact: &Fact) -> Option<Vec<ObjectId>> {
        if fact.predicate != self.target.atom.predicate {
            return None;
        }
        let first = self.arguments.len();
        let mut own = vec![0; self.objects.len()];
        for (term, given) in self.target.atom.arguments.iter().zip(&fact.arguments) {
            match term {
                Term::Variable(place) if *place as usize >= first => {
                    let at = *place as usize - first;
                    if !self.objects[at].contains(given) {
                        return None;
                    }
                    own[at] = *given;
                }
                _ if object(*term, self.arguments) == *given => {}
                _ => return None,
            }
        }
        Some(own)
    }
}
