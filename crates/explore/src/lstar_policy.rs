//! L* as the SwiftHand paper runs it: every query is a run of its own, inputs that are not enabled are
//! answered without one, and a machine that looks finished is tried with random words.

use crate::knowledge::Knowledge;
use crate::policy::{Decision, Policy};
use crate::swifthand::pick;
use capuchin::ui::Rng;
use capuchin_automata::{Input, LStar, Mealy, Next, Node, Output, State};
use std::collections::BTreeSet;

/// The answer to an input that is not enabled.
const DISABLED: Output = Output::MAX;
/// How many random words a finished machine must answer, and how long they are.
const WORDS: u32 = 100;
const LENGTH: std::ops::RangeInclusive<i64> = 20..=30;
/// How often a word is executed whose answer does not come, because its inputs do not always do the same.
const PATIENCE: u32 = 3;

/// The L* policy.
#[derive(Default)]
pub struct LStarPolicy {
    learner: Option<LStar>,
    revision: u32,
    /// Where the words begin.
    start: Node,
    /// The word that was asked for last, and how often in a row.
    asked: (Vec<Input>, u32),
    /// What was asked for too often. It counts as not enabled.
    given_up: BTreeSet<Vec<Input>>,
    /// What is to be done next, the last thing first.
    plan: Vec<Input>,
    trial: Option<Trial>,
    states: usize,
}

/// A machine that looks finished, and the random word that it is tried with.
struct Trial {
    machine: Mealy,
    state: State,
    left: usize,
    words: u32,
}

impl LStarPolicy {
    /// The last answer to a word, if it follows from what is known. Of an input that does not always do
    /// the same, what it did first counts.
    fn answer(known: &Knowledge, word: &[Input]) -> Option<Output> {
        let tree = known.tree();
        let mut node = known.start();
        for input in word {
            if !known.enabled(tree.output(node)).contains(input) {
                return Some(DISABLED);
            }
            node = tree.children(node).filter(|c| known.base(tree.input(*c)) == *input).last()?;
        }
        Some(tree.output(node))
    }

    /// The next step of the random word; a wrong answer refutes the machine.
    fn try_out(&mut self, known: &Knowledge, rng: &mut Rng) -> Option<Decision> {
        let trial = self.trial.as_mut()?;
        let enabled = known.enabled_now();
        let over = trial.left == 0 || enabled.is_empty();
        if over && trial.words == 0 {
            return Some(Decision::Stop);
        }
        if over {
            trial.words -= 1;
            trial.state = Mealy::INITIAL;
            trial.left = rng.between(*LENGTH.start(), *LENGTH.end()) as usize;
            if known.depth() > 0 {
                return Some(Decision::Restart);
            }
        }
        let input = *pick(enabled, rng)?;
        trial.left = trial.left.saturating_sub(1);
        Some(Decision::Perform(input))
    }

    /// Compares the last step of a random word with the machine. `false`: it was wrong.
    fn agrees(&mut self, known: &Knowledge) -> bool {
        let Some(trial) = &mut self.trial else { return true };
        let tree = known.tree();
        if known.depth() == 0 {
            trial.state = Mealy::INITIAL;
            return true;
        }
        let performed = tree.input(known.at());
        let input = known.base(performed);
        match trial.machine.step(trial.state, input) {
            Some((next, output)) if output == tree.output(known.at()) => trial.state = next,
            // What does not always do the same says nothing, but the word ends there.
            _ if input != performed => trial.left = 0,
            _ => return false,
        }
        true
    }
}

impl Policy for LStarPolicy {
    fn next(&mut self, known: &Knowledge, rng: &mut Rng) -> Decision {
        if self.revision != known.revision() || self.start != known.start() {
            let (revision, start) = (known.revision(), known.start());
            *self = LStarPolicy { revision, start, ..LStarPolicy::default() };
        }
        if let Some(input) = self.plan.pop() {
            if known.enabled_now().contains(&input) {
                return Decision::Perform(input);
            }
            self.plan.clear();
        }
        let learner = self.learner.get_or_insert_with(|| LStar::new(0));
        learner.widen(known.inputs());
        if self.trial.is_some() {
            if self.agrees(known) {
                if let Some(next) = self.try_out(known, rng) {
                    return next;
                }
            } else if let Some(learner) = &mut self.learner {
                let word = known.tree().word(known.at());
                let word = word[word.len() - known.depth()..].iter();
                learner.refute(&word.map(|input| known.base(*input)).collect::<Vec<_>>());
            }
            self.trial = None;
        }
        let Some(learner) = &mut self.learner else { return Decision::Stop };
        loop {
            let given_up = &self.given_up;
            let answer = |word: &[Input]| match given_up.contains(word) {
                true => Some(DISABLED),
                false => Self::answer(known, word),
            };
            let word = match learner.next(answer) {
                Next::Ask(word) => word,
                Next::Hypothesis(machine) => {
                    self.states = machine.len();
                    let state = Mealy::INITIAL;
                    self.trial = Some(Trial { machine, state, left: 0, words: WORDS });
                    return self.try_out(known, rng).unwrap_or(Decision::Stop);
                }
            };
            let times = if self.asked.0 == word { self.asked.1 + 1 } else { 1 };
            if times > PATIENCE {
                self.given_up.insert(word);
                continue;
            }
            self.plan = word.iter().rev().copied().collect();
            self.asked = (word, times);
            if known.depth() > 0 {
                return Decision::Restart;
            }
            return self.plan.pop().map_or(Decision::Stop, Decision::Perform);
        }
    }

    fn states(&self) -> Option<usize> {
        Some(self.states)
    }
}
