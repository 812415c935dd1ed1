//! Open lists: what may be expanded next, by a heuristic value, first in first out.
//!
//! In a lazy search all successors of a state have the value of that state. So a list of all
//! successors holds the states alone, and generates the operators of a state when its turn comes:
//! most turns never come.

use std::collections::VecDeque;

/// Successors of states, by the value of the state.
#[derive(Debug, Default)]
pub(crate) struct AllSuccessors {
    buckets: Vec<Bucket>,
    lowest: usize,
    states: usize,
}

#[derive(Debug, Default)]
struct Bucket {
    waiting: VecDeque<u32>,
    /// The state whose turn it is, and its operators, the last one first.
    state: u32,
    operators: Vec<u32>,
}

impl AllSuccessors {
    pub(crate) fn push(&mut self, value: u32, state: u32) {
        let value = value as usize;
        if value >= self.buckets.len() {
            self.buckets.resize_with(value + 1, Bucket::default);
        }
        self.buckets[value].waiting.push_back(state);
        self.lowest = self.lowest.min(value);
        self.states += 1;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// A state and an operator of the lowest value. `generate` finds the operators of a state.
    pub(crate) fn pop(
        &mut self,
        mut generate: impl FnMut(u32, &mut Vec<u32>),
    ) -> Option<(u32, u32)> {
        while let Some(bucket) = self.buckets.get_mut(self.lowest) {
            if let Some(operator) = bucket.operators.pop() {
                if bucket.operators.is_empty() {
                    self.states -= 1;
                }
                return Some((bucket.state, operator));
            }
            if let Some(state) = bucket.waiting.pop_front() {
                bucket.state = state;
                generate(state, &mut bucket.operators);
                bucket.operators.reverse();
                if bucket.operators.is_empty() {
                    self.states -= 1;
                }
            } else {
                self.lowest += 1;
            }
        }
        None
    }
}

/// Single successors, by the value of the state that they follow.
#[derive(Debug, Default)]
pub(crate) struct SomeSuccessors {
    buckets: Vec<VecDeque<(u32, u32)>>,
    lowest: usize,
    len: usize,
}

impl SomeSuccessors {
    pub(crate) fn push(&mut self, value: u32, state: u32, operator: u32) {
        let value = value as usize;
        if value >= self.buckets.len() {
            self.buckets.resize_with(value + 1, VecDeque::new);
        }
        self.buckets[value].push_back((state, operator));
        self.lowest = self.lowest.min(value);
        self.len += 1;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn pop(&mut self) -> Option<(u32, u32)> {
        while let Some(bucket) = self.buckets.get_mut(self.lowest) {
            if let Some(entry) = bucket.pop_front() {
                self.len -= 1;
                return Some(entry);
            }
            self.lowest += 1;
        }
        None
    }
}
