//! What all active learners have in common, and the search for a counterexample: two traits, and
//! the loop that joins them for a system that answers at once.
//!
//! A learner runs nothing. It asks for words and is given their outputs, so the words may be
//! answered from an observation tree, continued from where a device stands, or run on several
//! devices.

use crate::{Contradiction, Input, Mealy, Output};

/// What a learner needs, or has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The outputs of these words. They do not depend on one another: they may be answered in any
    /// order, and one may be answered before the others are known.
    Ask(Vec<Vec<Input>>),
    /// A machine that explains all answers. It may still be wrong.
    Hypothesis(Mealy),
}

/// An active learner of Mealy machines.
///
/// Whoever runs it calls [`next`](Self::next), answers the words in any order, and calls it again
/// until there is a hypothesis; then an [`EquivalenceOracle`] looks for a word that refutes it.
///
/// An adaptive learner asks for a word, looks at the outputs, and asks for the same word with more
/// inputs: whoever runs words should continue from where the system is.
pub trait Learner {
    /// The words that it needs, which are not empty; or the hypothesis, if it needs none. Until
    /// something is answered, it asks for the same again.
    fn next(&mut self) -> Next;

    /// Takes the outputs of a word, one for each input. It need not have asked for the word.
    fn answer(&mut self, word: &[Input], outputs: &[Output]) -> Result<(), Contradiction>;

    /// Takes a word whose outputs are not those of the hypothesis. The last of them is the first
    /// that differs.
    fn refute(&mut self, word: &[Input], outputs: &[Output]) -> Result<(), Contradiction>;

    /// The alphabet has so many inputs from now on; it never has fewer.
    fn widen(&mut self, inputs: usize);
}

/// A search for words that refute a hypothesis.
pub trait EquivalenceOracle {
    /// Searches for a counterexample to this hypothesis from now on. An input that a state of the
    /// hypothesis does not know is not tried there.
    fn begin(&mut self, hypothesis: &Mealy);

    /// The next word to run; nothing if the hypothesis has survived. Words do not depend on one
    /// another: they may be run in any order, and the search may be given up after any of them.
    fn next_word(&mut self) -> Option<Vec<Input>>;
}

/// Learns a system that answers every word at once, until the oracle finds no counterexample.
///
/// A word that the system answers in two ways ends it with a [`Contradiction`].
///
/// ```
/// use capuchin_automata::{LStar, RandomWords, learn};
///
/// // A turnstile that opens for two coins: 0 is a coin, 1 a push. It answers whether it is open then.
/// let turnstile = |word: &[u32]| -> Vec<u32> {
///     let after = |coins: &mut u32, input: &u32| {
///         *coins = if *input == 0 { (*coins + 1).min(2) } else { 0 };
///         Some(u32::from(*coins == 2))
///     };
///     word.iter().scan(0, after).collect()
/// };
/// let machine = learn(&mut LStar::new(2), &mut RandomWords::new(7), turnstile)?;
/// assert_eq!(machine.len(), 2, "after a coin, and after none; what is open answers as after one");
/// assert_eq!(machine.outputs([0, 0, 1, 0]), Some(vec![0, 1, 0, 0]));
/// # Ok::<(), capuchin_automata::Contradiction>(())
/// ```
pub fn learn(
    learner: &mut impl Learner,
    oracle: &mut impl EquivalenceOracle,
    mut system: impl FnMut(&[Input]) -> Vec<Output>,
) -> Result<Mealy, Contradiction> {
    loop {
        let hypothesis = match learner.next() {
            Next::Ask(words) => {
                for word in words {
                    learner.answer(&word, &system(&word))?;
                }
                continue;
            }
            Next::Hypothesis(hypothesis) => hypothesis,
        };
        oracle.begin(&hypothesis);
        let refuted = std::iter::from_fn(|| oracle.next_word()).find_map(|word| {
            let outputs = system(&word);
            let length = hypothesis.agreement(&word, &outputs) + 1;
            (length <= word.len()).then(|| (word[..length].to_vec(), outputs[..length].to_vec()))
        });
        let Some((word, outputs)) = refuted else { return Ok(hypothesis) };
        learner.refute(&word, &outputs)?;
    }
}

#[cfg(test)]
mod tests;
