//! States as they were seen: true, false or not seen. On its own because everything that learns
//! asks it, and because it is what makes a look-up cheap.

use crate::lifted::LiftedState;
use crate::model::Model;
use crate::pddl::{Fact, ObjectId, PredicateId};
use std::collections::BTreeSet;

/// A state of which some facts may be unknown. A fact that is not seen neither confirms nor refutes
/// anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Observed {
    /// The facts that were seen to be true.
    pub facts: LiftedState,
    /// The facts that were not seen. All others were seen to be false.
    pub unknown: BTreeSet<Fact>,
    /// The predicates of which no fact was seen but those in `facts`.
    pub unseen: BTreeSet<PredicateId>,
}

impl From<LiftedState> for Observed {
    /// A state of which everything is known.
    fn from(facts: LiftedState) -> Self {
        Observed { facts, ..Observed::default() }
    }
}

impl Observed {
    /// Whether the fact is true, if that was seen.
    pub fn value(&self, fact: &Fact) -> Option<bool> {
        let is_hidden = || self.unseen.contains(&fact.predicate) || self.unknown.contains(fact);
        if self.facts.contains(fact) { Some(true) } else { (!is_hidden()).then_some(false) }
    }
}

/// How facts are numbered: those of a predicate follow one another, in the order of its arguments.
#[derive(Debug)]
pub(super) struct Layout {
    predicates: Vec<Place>,
    length: usize,
}

#[derive(Debug)]
struct Place {
    offset: usize,
    /// For each argument, the rank of each object among those that it may be, and how many these
    /// are.
    ranks: Vec<(Vec<u32>, usize)>,
}

const NO_RANK: u32 = u32::MAX;

impl Layout {
    /// The numbers of a model's facts, or how many there are if these are more than `most`.
    pub(super) fn new(model: &Model, most: usize) -> Result<Self, usize> {
        let mut layout = Layout { predicates: Vec::new(), length: 0 };
        for predicate in &model.domain().predicates {
            let offset = layout.length;
            let mut size = 1usize;
            let mut ranks = Vec::new();
            for parameter in &predicate.parameters {
                let objects = model.objects(&parameter.types);
                let mut rank = vec![NO_RANK; model.object_count()];
                objects.iter().zip(0..).for_each(|(object, at)| rank[*object as usize] = at);
                size = size.saturating_mul(objects.len());
                ranks.push((rank, objects.len()));
            }
            layout.predicates.push(Place { offset, ranks });
            layout.length = layout.length.saturating_add(size);
            if layout.length > most {
                return Err(layout.length);
            }
        }
        Ok(layout)
    }

    /// The number of a fact; none if an argument is of a wrong type, which makes it false.
    fn number(
        &self,
        predicate: PredicateId,
        arguments: impl Iterator<Item = ObjectId>,
    ) -> Option<usize> {
        let place = &self.predicates[predicate as usize];
        let mut number = 0;
        for (object, (ranks, count)) in arguments.zip(&place.ranks) {
            match ranks.get(object as usize) {
                Some(rank) if *rank != NO_RANK => number = number * count + *rank as usize,
                _ => return None,
            }
        }
        Some(place.offset + number)
    }
}

/// An observed state as two rows of bits.
#[derive(Debug)]
pub(super) struct View<'a> {
    layout: &'a Layout,
    is_true: Vec<u64>,
    is_unknown: Vec<u64>,
}

impl<'a> View<'a> {
    pub(super) fn new(layout: &'a Layout, state: &Observed) -> Self {
        let words = layout.length.div_ceil(64);
        let mut view = View { layout, is_true: vec![0; words], is_unknown: vec![0; words] };
        for predicate in &state.unseen {
            let from = layout.predicates[*predicate as usize].offset;
            let next = layout.predicates.get(*predicate as usize + 1);
            let to = next.map_or(layout.length, |place| place.offset);
            (from..to).for_each(|number| view.is_unknown[number / 64] |= 1 << (number % 64));
        }
        for fact in &state.unknown {
            if let Some(number) = layout.number(fact.predicate, fact.arguments.iter().copied()) {
                view.is_unknown[number / 64] |= 1 << (number % 64);
            }
        }
        for fact in &state.facts {
            if let Some(number) = layout.number(fact.predicate, fact.arguments.iter().copied()) {
                view.is_true[number / 64] |= 1 << (number % 64);
                view.is_unknown[number / 64] &= !(1 << (number % 64));
            }
        }
        view
    }

    /// Whether the fact is true, if that was seen.
    pub(super) fn value(
        &self,
        predicate: PredicateId,
        arguments: impl Iterator<Item = ObjectId>,
    ) -> Option<bool> {
        let Some(number) = self.layout.number(predicate, arguments) else { return Some(false) };
        let bit = |words: &[u64]| words[number / 64] >> (number % 64) & 1 == 1;
        if bit(&self.is_true) { Some(true) } else { (!bit(&self.is_unknown)).then_some(false) }
    }
}
