//! Sets of small numbers, for sets of literals. On its own, so that the learner reads as sets.

use crate::condition::{bit, ones, set_bit};

/// A set of numbers below a length that was fixed when it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// None of the numbers below this one.
    pub(super) fn none(length: usize) -> Self {
        Bits(vec![0; length.div_ceil(64)])
    }

    /// All of the numbers below this one.
    pub(super) fn all(length: usize) -> Self {
        let mut bits = Bits::none(length);
        (0..length).for_each(|number| bits.insert(number));
        bits
    }

    pub(super) fn insert(&mut self, number: usize) {
        set_bit(&mut self.0, number as u32);
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    pub(super) fn has(&self, number: usize) -> bool {
        bit(&self.0, number as u32)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.0).map(|number| number as usize)
    }

    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Keeps what the other has as well.
    pub(super) fn keep(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    /// Drops what the other has.
    pub(super) fn drop_all(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    /// The numbers below `end`, in a set of numbers below `length`.
    pub(super) fn prefix(&self, end: usize, length: usize) -> Bits {
        let mut bits = Bits::none(length);
        let words = end.div_ceil(64);
        bits.0[..words].copy_from_slice(&self.0[..words]);
        if !end.is_multiple_of(64) {
            bits.0[words - 1] &= (1 << (end % 64)) - 1;
        }
        bits
    }

    pub(super) fn is_subset(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).all(|(word, other)| word & !other == 0)
    }
}
