//! A hash table of numbers, whose keys are wherever the caller keeps them.
//!
//! The planner looks up states, facts and operators millions of times. The maps of the standard
//! library own their keys and iterate in an order of their own; this one stores 4 bytes for each
//! entry and cannot be iterated, so no hash order can decide anything.

const EMPTY: u32 = u32::MAX;

/// A set of numbers that are found by a hash and a comparison.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdTable {
    /// A power of two of them, at most three quarters used.
    slots: Vec<u32>,
    len: usize,
}

impl IdTable {
    /// The number with this hash for which `is` holds.
    pub(crate) fn find(&self, hash: u64, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        while self.slots[at] != EMPTY {
            if is(self.slots[at]) {
                return Some(self.slots[at]);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Adds a number that is not there. `hash_of` is asked for the others when the table grows.
    pub(crate) fn insert(&mut self, hash: u64, id: u32, hash_of: impl Fn(u32) -> u64) {
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            let size = (self.slots.len() * 2).max(16);
            let old = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
            for id in old.into_iter().filter(|id| *id != EMPTY) {
                self.place(hash_of(id), id);
            }
        }
        self.place(hash, id);
        self.len += 1;
    }

    fn place(&mut self, hash: u64, id: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != EMPTY {
            at = (at + 1) & mask;
        }
        self.slots[at] = id;
    }
}

/// Mixes words into a hash: multiply and fold, with the constants of no particular importance.
pub(crate) fn hash_words(words: impl IntoIterator<Item = u64>) -> u64 {
    let mut hash = 0x9E37_79B9_7F4A_7C15u64;
    for word in words {
        let product = u128::from(hash ^ word) * 0xD6E8_FEB8_6659_FD93_u128;
        hash = (product as u64) ^ ((product >> 64) as u64);
        hash = hash.wrapping_add(0xA076_1D64_78BD_642F);
    }
    hash ^ (hash >> 29)
}

/// The hash of a list of numbers.
pub(crate) fn hash_ids(ids: &[u32]) -> u64 {
    hash_words(ids.iter().map(|id| u64::from(*id)))
}
