//! Which states answer an input how, as sets of bits: what one look at a state rules out is ruled
//! out for all states at once.

use crate::{Input, Output};
use std::collections::BTreeMap;

/// A set of states, by their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateSet(Vec<u64>);

impl StateSet {
    /// All places below this one.
    fn below(&mut self, count: usize) {
        self.0.clear();
        self.0.resize(count.div_ceil(64), u64::MAX);
        if let Some(last) = self.0.last_mut()
            && !count.is_multiple_of(64)
        {
            *last = (1 << (count % 64)) - 1;
        }
    }

    fn insert(&mut self, place: usize) {
        if self.0.len() <= place / 64 {
            self.0.resize(place / 64 + 1, 0);
        }
        self.0[place / 64] |= 1 << (place % 64);
    }

    /// Takes a place out; whether it was in.
    pub(crate) fn remove(&mut self, place: usize) -> bool {
        let Some(word) = self.0.get_mut(place / 64) else { return false };
        let bit = 1 << (place % 64);
        let was_in = *word & bit != 0;
        *word &= !bit;
        was_in
    }

    /// Takes the lowest place out that is not below this one.
    pub(crate) fn remove_next(&mut self, from: usize) -> Option<usize> {
        let mut index = from / 64;
        let mut word = *self.0.get(index)? & (u64::MAX << (from % 64));
        while word == 0 {
            index += 1;
            word = *self.0.get(index)?;
        }
        let place = index * 64 + word.trailing_zeros() as usize;
        self.remove(place);
        Some(place)
    }
}

/// What is known of one input: who knows it, and who answers it how.
#[derive(Clone, Debug, Default)]
struct Column {
    known: StateSet,
    answers: BTreeMap<Output, StateSet>,
}

/// What is known of all states.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnswerIndex {
    columns: Vec<Column>,
    labels: BTreeMap<Output, StateSet>,
}

impl AnswerIndex {
    /// The answer of a state to an input was the one, and is the other.
    pub(crate) fn answer(
        &mut self,
        (place, input): (usize, Input),
        old: Option<Output>,
        new: Option<Output>,
    ) {
        if old == new {
            return;
        }
        let input = input as usize;
        if self.columns.len() <= input {
            self.columns.resize_with(input + 1, Column::default);
        }
        let Column { known, answers } = &mut self.columns[input];
        if let Some(places) = old.and_then(|old| answers.get_mut(&old)) {
            places.remove(place);
        }
        match new {
            Some(new) => {
                answers.entry(new).or_default().insert(place);
                known.insert(place);
            }
            None => _ = known.remove(place),
        }
    }

    /// A state has this label.
    pub(crate) fn label(&mut self, place: usize, label: Output) {
        self.labels.entry(label).or_default().insert(place);
    }

    /// A state with this label is none any more.
    pub(crate) fn forget(&mut self, place: usize, label: Output) {
        if let Some(places) = self.labels.get_mut(&label) {
            places.remove(place);
        }
    }

    /// All of the first so many states, or only those with this label.
    pub(crate) fn all(&self, count: usize, label: Option<Output>, into: &mut StateSet) {
        match label {
            None => into.below(count),
            Some(label) => {
                into.0.clear();
                into.0.extend(self.labels.get(&label).iter().flat_map(|places| &places.0));
            }
        }
    }

    /// Keeps those that do not answer this input differently.
    pub(crate) fn keep_agreeing(&self, input: Input, output: Output, candidates: &mut StateSet) {
        let Some(Column { known, answers }) = self.columns.get(input as usize) else { return };
        let same = answers.get(&output).map_or(&[][..], |places| &places.0);
        // Who is beyond the end of the set does not know the input.
        for (index, (word, known)) in candidates.0.iter_mut().zip(&known.0).enumerate() {
            *word &= !known | same.get(index).copied().unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(index: &AnswerIndex, count: usize, seen: &[(Input, Output)]) -> Vec<usize> {
        let mut candidates = StateSet::default();
        index.all(count, None, &mut candidates);
        for (input, output) in seen {
            index.keep_agreeing(*input, *output, &mut candidates);
        }
        let mut from = 0;
        std::iter::from_fn(|| {
            let place = candidates.remove_next(from)?;
            from = place;
            Some(place)
        })
        .collect()
    }

    #[test]
    fn who_answers_differently_is_ruled_out_and_who_does_not_know_is_not() {
        let mut index = AnswerIndex::default();
        assert_eq!(left(&index, 3, &[(5, 1)]), [0, 1, 2]);
        index.answer((0, 5), None, Some(1));
        index.answer((1, 5), None, Some(2));
        index.answer((129, 5), None, Some(2));
        assert_eq!(left(&index, 3, &[(5, 1)]), [0, 2]);
        assert_eq!(left(&index, 3, &[(5, 1), (4, 1)]), [0, 2]);
        assert_eq!(left(&index, 130, &[(5, 1)]).len(), 128);
        assert_eq!(left(&index, 128, &[(5, 2)]).len(), 127);
        index.answer((1, 5), Some(2), Some(1));
        index.answer((0, 5), Some(1), None);
        assert_eq!(left(&index, 3, &[(5, 1)]), [0, 1, 2]);
        assert_eq!(left(&index, 3, &[(5, 3)]), [0, 2]);
    }

    #[test]
    fn who_has_another_label_is_none_of_them() {
        let mut index = AnswerIndex::default();
        for (place, label) in [(0, 7), (1, 8), (70, 7)] {
            index.label(place, label);
        }
        index.forget(70, 7);
        let mut candidates = StateSet::default();
        index.all(71, Some(7), &mut candidates);
        assert!(!candidates.remove(1) && !candidates.remove(70) && candidates.remove(0));
        assert_eq!(candidates.remove_next(0), None);
    }
}
