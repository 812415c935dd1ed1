//! An active learner as a policy: every word that it asks for is a run of its own, inputs that are
//! not enabled are answered without one, and a hypothesis is tried with the words of an equivalence
//! oracle.
//!
//! It is generic over both, so that another learner or oracle of `capuchin_automata` is one more
//! line here.

use crate::knowledge::Knowledge;
use crate::policy::{Decision, Policy};
use capuchin::ui::Rng;
use capuchin_automata::{
    Contradiction, EquivalenceOracle, Input, LStar, Learner, Mealy, Next, Node, Output, RandomWords,
};
use std::collections::BTreeSet;

/// The output of an input that is not enabled, and of all inputs after it.
const DISABLED: Output = Output::MAX;
/// How often a word is run whose outputs do not come, because its inputs do not always do the same.
const MOST_RUNS_OF_A_WORD: u32 = 3;

/// L* with random words, as the SwiftHand paper runs it.
pub type LStarPolicy = LearnerPolicy<LStar, RandomWords>;

/// A learner and an equivalence oracle, run on an app.
pub struct LearnerPolicy<L, E> {
    /// Makes the two, with a seed for what is random in them.
    make: fn(u64) -> (L, E),
    pair: Option<(L, E)>,
    /// The revision of the knowledge, and the node where words begin: for others, all is learned
    /// anew.
    begun: (u32, Node),
    /// The word that was run last, and how often in a row.
    asked: (Vec<Input>, u32),
    /// Words that were run too often: what they end with counts as not enabled.
    given_up: BTreeSet<Vec<Input>>,
    /// The inputs to perform next, in reverse order.
    plan: Vec<Input>,
    /// The hypothesis that the oracle tries.
    tried: Option<Mealy>,
    states: usize,
}

impl Default for LStarPolicy {
    fn default() -> Self {
        LearnerPolicy::new(|seed| (LStar::new(0), RandomWords::new(seed)))
    }
}

impl<L: Learner, E: EquivalenceOracle> LearnerPolicy<L, E> {
    /// With what this makes of a seed: a learner that knows no input yet, and an oracle.
    pub fn new(make: fn(u64) -> (L, E)) -> Self {
        LearnerPolicy {
            make,
            pair: None,
            begun: (0, 0),
            asked: (Vec::new(), 0),
            given_up: BTreeSet::new(),
            plan: Vec::new(),
            tried: None,
            states: 0,
        }
    }

    /// The outputs of a word, if they follow from what is known. Of an input that does not always
    /// do the same, what it did first counts.
    fn outputs(&self, known: &Knowledge, word: &[Input]) -> Option<Vec<Output>> {
        let (tree, mut node) = (known.tree(), known.start());
        let mut outputs = Vec::with_capacity(word.len());
        for (place, input) in word.iter().enumerate() {
            let is_enabled = known.enabled(tree.output(node)).contains(input);
            if !is_enabled || self.given_up.contains(&word[..=place]) {
                outputs.resize(word.len(), DISABLED);
                break;
            }
            node = tree.children(node).filter(|c| known.base(tree.input(*c)) == *input).last()?;
            outputs.push(tree.output(node));
        }
        Some(outputs)
    }

    /// Compares what was performed since the last restart with the hypothesis. An output that
    /// differs refutes it; if the same input has done something else before, only the word ends
    /// there.
    fn compare(&mut self, known: &Knowledge) -> Result<(), Contradiction> {
        let Some(hypothesis) = &self.tried else { return Ok(()) };
        let tree = known.tree();
        let above = std::iter::successors(Some(known.at()), |node| tree.parent(*node));
        let step = |node: Node| (known.base(tree.input(node)), tree.output(node));
        let (mut word, mut outputs): (Vec<Input>, Vec<Output>) =
            above.take(known.depth()).map(step).unzip();
        word.reverse();
        outputs.reverse();
        let agreed = hypothesis.agreement(&word, &outputs);
        if agreed == word.len() {
            return Ok(());
        }
        self.plan.clear();
        let (word, outputs) = (&word[..=agreed], &outputs[..=agreed]);
        if self.outputs(known, word).as_deref() == Some(outputs)
            && let Some((learner, _)) = &mut self.pair
        {
            self.tried = None;
            learner.refute(word, outputs)?;
        }
        Ok(())
    }

    /// The next word to run, for the learner or for the oracle; nothing if the hypothesis has
    /// survived.
    fn next_word(
        &mut self,
        (learner, oracle): (&mut L, &mut E),
        known: &Knowledge,
    ) -> Result<Option<Vec<Input>>, Contradiction> {
        learner.widen(known.inputs());
        loop {
            if self.tried.is_some() {
                match oracle.next_word() {
                    Some(word) if word.is_empty() => continue,
                    word => return Ok(word),
                }
            }
            let words = match learner.next() {
                Next::Ask(words) => words,
                Next::Hypothesis(hypothesis) => {
                    self.states = hypothesis.len();
                    oracle.begin(&hypothesis.clone().without(DISABLED));
                    self.tried = Some(hypothesis);
                    continue;
                }
            };
            let mut unknown = None;
            for word in words {
                match self.outputs(known, &word) {
                    Some(outputs) => learner.answer(&word, &outputs)?,
                    None => _ = unknown.get_or_insert(word),
                }
            }
            let Some(word) = unknown else { continue };
            let times = if self.asked.0 == word { self.asked.1 + 1 } else { 1 };
            if times > MOST_RUNS_OF_A_WORD {
                self.given_up.insert(word);
                continue;
            }
            self.asked = (word.clone(), times);
            return Ok(Some(word));
        }
    }

    /// What was answered in two ways is given up, and all is learned anew.
    fn give_up(&mut self, contradiction: Contradiction) {
        self.given_up.insert(contradiction.word);
        (self.pair, self.tried) = (None, None);
    }
}

impl<L: Learner + Send, E: EquivalenceOracle + Send> Policy for LearnerPolicy<L, E> {
    fn next(&mut self, known: &Knowledge, rng: &mut Rng) -> Decision {
        let begun = (known.revision(), known.start());
        if self.begun != begun {
            *self = LearnerPolicy { begun, ..LearnerPolicy::new(self.make) };
        }
        if let Err(contradiction) = self.compare(known) {
            self.give_up(contradiction);
        }
        if let Some(input) = self.plan.pop() {
            if known.enabled_now().contains(&input) {
                return Decision::Perform(input);
            }
            self.plan.clear();
        }
        loop {
            let pair = self.pair.take();
            let (mut learner, mut oracle) = pair.unwrap_or_else(|| (self.make)(rng.next()));
            match self.next_word((&mut learner, &mut oracle), known) {
                Ok(word) => {
                    self.pair = Some((learner, oracle));
                    let Some(mut word) = word else { return Decision::Stop };
                    word.reverse();
                    self.plan = word;
                    break;
                }
                Err(contradiction) => self.give_up(contradiction),
            }
        }
        if known.depth() > 0 {
            return Decision::Restart;
        }
        self.plan.pop().map_or(Decision::Stop, Decision::Perform)
    }

    fn may_wander(&self) -> bool {
        false
    }

    fn states(&self) -> Option<usize> {
        Some(self.states)
    }
}
