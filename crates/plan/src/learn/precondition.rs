//! Both bounds of a precondition: what held whenever the action was possible may be needed; what
//! alone did not hold when it was impossible is needed.
//!
//! On its own because it is the part that nobody else has: SAM knows the first bound only.

use super::bits::Bits;
use super::vocabulary::Truth;
use std::collections::BTreeMap;

/// The most reasons that are kept for an action. To forget one is sound: less is known then.
const MOST_REASONS: usize = 4096;

/// The bounds of one action.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    /// What may be needed: it was never seen to be false when the action was possible.
    pub(super) possible: Bits,
    /// For each literal, how often it was seen to hold when the action was possible, and how often
    /// it was seen not to.
    pub(super) held: Vec<u32>,
    pub(super) failed: Vec<u32>,
    /// Of each set, one literal at least is needed; with the number of times that this was seen.
    reasons: BTreeMap<Bits, u32>,
    /// How often the action was impossible although everything held that may be needed.
    pub(super) unexplained: u32,
}

impl Bounds {
    pub(super) fn new(literals: usize) -> Self {
        Bounds {
            possible: Bits::all(literals),
            held: vec![0; literals],
            failed: vec![0; literals],
            reasons: BTreeMap::new(),
            unexplained: 0,
        }
    }

    /// The action was possible here.
    pub(super) fn was_possible(&mut self, truth: &Truth) {
        truth.sure.iter().for_each(|literal| self.held[literal] += 1);
        // What surely does not hold is what holds not even possibly.
        let literals = self.failed.len();
        (0..literals).filter(|it| !truth.maybe.has(*it)).for_each(|it| self.failed[it] += 1);
        if self.possible.is_subset(&truth.maybe) {
            return;
        }
        self.possible.keep(&truth.maybe);
        for (mut reason, count) in std::mem::take(&mut self.reasons) {
            reason.keep(&self.possible);
            self.add(reason, count);
        }
    }

    /// The action was impossible here: something that is needed did not hold.
    pub(super) fn was_impossible(&mut self, truth: &Truth) {
        let mut reason = self.possible.clone();
        reason.drop_all(&truth.sure);
        self.add(reason, 1);
    }

    /// Keeps the reasons that no other implies.
    fn add(&mut self, reason: Bits, count: u32) {
        if reason.is_empty() {
            self.unexplained += count;
            return;
        }
        if let Some(known) = self.reasons.get_mut(&reason) {
            *known += count;
            return;
        }
        if self.reasons.keys().any(|known| known.is_subset(&reason)) {
            return;
        }
        self.reasons.retain(|known, _| !reason.is_subset(known));
        if self.reasons.len() < MOST_REASONS {
            self.reasons.insert(reason, count);
        }
    }

    /// The literals that are needed, each with the number of times that nothing else explains.
    pub(super) fn needed(&self) -> BTreeMap<usize, u32> {
        let single = |(reason, count): (&Bits, &u32)| {
            let mut literals = reason.iter();
            let first = literals.next()?;
            literals.next().is_none().then_some((first, *count))
        };
        self.reasons.iter().filter_map(single).collect()
    }

    /// The sets of which one literal is needed, and it is not known which.
    pub(super) fn undecided(&self) -> impl Iterator<Item = (&Bits, u32)> {
        self.reasons.iter().filter(|(it, _)| it.count() > 1).map(|(it, count)| (it, *count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(values: &[Option<bool>]) -> Truth {
        let mut truth = Truth::none(values.len());
        values.iter().enumerate().for_each(|(at, value)| truth.set(at, *value));
        truth
    }

    #[test]
    fn what_alone_does_not_hold_is_needed() {
        let mut bounds = Bounds::new(6);
        bounds.was_possible(&truth(&[Some(true), Some(true), Some(true)]));
        bounds.was_impossible(&truth(&[Some(false), Some(true), Some(false)]));
        assert_eq!(bounds.needed(), BTreeMap::new());
        // A fact that is not seen refutes nothing, and may be the reason.
        bounds.was_possible(&truth(&[Some(true), Some(true), None]));
        bounds.was_impossible(&truth(&[None, Some(true), Some(false)]));
        assert_eq!(bounds.needed(), BTreeMap::new());
        // Once it is possible without the third, the first was the reason all the time.
        bounds.was_possible(&truth(&[Some(true), Some(true), Some(false)]));
        assert_eq!(bounds.needed(), BTreeMap::from([(0, 2)]));
        assert_eq!(bounds.possible.iter().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(bounds.unexplained, 0);
        bounds.was_impossible(&truth(&[Some(true), Some(true), Some(true)]));
        assert_eq!(bounds.unexplained, 1);
    }
}
