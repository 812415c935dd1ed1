//! Two searches for a counterexample: random words, and a comparison with the machine itself.

use crate::{EquivalenceOracle, Input, Mealy};
use std::ops::RangeInclusive;

/// Random words: each input is any that the state of the hypothesis knows.
///
/// By default 100 words of 20 to 30 inputs, as in the SwiftHand paper. The words are a function of
/// the seed and of the hypotheses.
#[derive(Clone, Debug)]
pub struct RandomWords {
    words: u32,
    length: RangeInclusive<u32>,
    seed: u64,
    left: u32,
    hypothesis: Mealy,
}

impl RandomWords {
    /// With this seed.
    pub fn new(seed: u64) -> Self {
        RandomWords { words: 100, length: 20..=30, seed, left: 0, hypothesis: Mealy::new(0) }
    }

    /// With so many words for each hypothesis.
    pub fn words(mut self, words: u32) -> Self {
        self.words = words;
        self
    }

    /// With words of this length. A word ends earlier in a state that knows no input.
    pub fn length(mut self, length: RangeInclusive<u32>) -> Self {
        self.length = length;
        self
    }

    /// A number below this one (SplitMix64; the bias is below one in four thousand million).
    fn below(&mut self, count: u32) -> u32 {
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.seed;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * u128::from(count)) >> 64) as u32
    }
}

impl EquivalenceOracle for RandomWords {
    fn begin(&mut self, hypothesis: &Mealy) {
        self.hypothesis = hypothesis.clone();
        self.left = self.words;
    }

    fn next_word(&mut self) -> Option<Vec<Input>> {
        self.left = self.left.checked_sub(1)?;
        let (least, most) = self.length.clone().into_inner();
        let length = least + self.below(most.saturating_sub(least).saturating_add(1));
        let (mut state, mut word) = (Mealy::INITIAL, Vec::new());
        for _ in 0..length {
            let known = self.hypothesis.edges(state).count() as u32;
            let chosen = self.below(known) as usize;
            let Some((input, next, _)) = self.hypothesis.edges(state).nth(chosen) else { break };
            word.push(input);
            state = next;
        }
        Some(word)
    }
}

/// The shortest counterexample, from the machine that is to be learned: for tests and benchmarks.
#[derive(Clone, Debug)]
pub struct PerfectOracle {
    target: Mealy,
    difference: Option<Vec<Input>>,
}

impl PerfectOracle {
    /// This is to be learned.
    pub fn new(target: Mealy) -> Self {
        PerfectOracle { target, difference: None }
    }
}

impl EquivalenceOracle for PerfectOracle {
    fn begin(&mut self, hypothesis: &Mealy) {
        self.difference = hypothesis.difference(&self.target);
    }

    fn next_word(&mut self) -> Option<Vec<Input>> {
        self.difference.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(oracle: &mut RandomWords, hypothesis: &Mealy) -> Vec<Vec<Input>> {
        oracle.begin(hypothesis);
        std::iter::from_fn(|| oracle.next_word()).collect()
    }

    #[test]
    fn random_words_are_as_many_and_as_long_as_asked_and_the_same_for_the_same_seed() {
        let mut hypothesis = Mealy::new(3);
        hypothesis.set(0, 0, 0, 5);
        hypothesis.set(0, 2, 0, 5);
        let first = words(&mut RandomWords::new(1), &hypothesis);
        assert_eq!(first.len(), 100);
        assert!(first.iter().all(|word| (20..=30).contains(&word.len())));
        assert!(first.iter().flatten().all(|input| [0, 2].contains(input)), "1 is not known");
        assert_eq!(first, words(&mut RandomWords::new(1), &hypothesis));
        assert_ne!(first, words(&mut RandomWords::new(2), &hypothesis));
        let lengths: std::collections::BTreeSet<usize> = first.iter().map(Vec::len).collect();
        assert_eq!(lengths.len(), 11, "{lengths:?}");
    }

    #[test]
    fn a_word_ends_where_no_input_is_known() {
        let mut hypothesis = Mealy::new(1);
        let end = hypothesis.add();
        hypothesis.set(0, 0, end, 1);
        let words = words(&mut RandomWords::new(1), &hypothesis);
        assert!(words.iter().all(|word| *word == [0]));
    }
}
