//! All states that a search has seen, each once, and how each was reached.

use crate::table::{IdTable, hash_words};

/// States by number.
#[derive(Debug)]
pub(crate) struct Registry {
    words: usize,
    states: Vec<u64>,
    /// The state before and the operator that led from there.
    origins: Vec<(u32, u32)>,
    table: IdTable,
}

impl Registry {
    pub(crate) fn new(words: usize) -> Self {
        Registry { words, states: Vec::new(), origins: Vec::new(), table: IdTable::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.origins.len()
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.len() * (self.words * 8 + 16)
    }

    pub(crate) fn state(&self, number: u32) -> &[u64] {
        &self.states[number as usize * self.words..][..self.words]
    }

    /// The number of a state.
    pub(crate) fn find(&self, state: &[u64]) -> Option<u32> {
        let hash = hash_words(state.iter().copied());
        self.table.find(hash, |number| self.state(number) == state)
    }

    /// Adds a state; its number, if it is new.
    pub(crate) fn insert(&mut self, state: &[u64], from: u32, operator: u32) -> Option<u32> {
        let hash = hash_words(state.iter().copied());
        if self.table.find(hash, |number| self.state(number) == state).is_some() {
            return None;
        }
        let number = self.len() as u32;
        self.states.extend_from_slice(state);
        self.origins.push((from, operator));
        let (states, words) = (&self.states, self.words);
        let hash_of =
            |number: u32| hash_words(states[number as usize * words..][..words].iter().copied());
        self.table.insert(hash, number, hash_of);
        Some(number)
    }

    /// The operators that lead to a state from the first one.
    pub(crate) fn path(&self, mut number: u32) -> Vec<u32> {
        let mut path = Vec::new();
        while number != 0 {
            let (from, operator) = self.origins[number as usize];
            path.push(operator);
            number = from;
        }
        path.reverse();
        path
    }
}
