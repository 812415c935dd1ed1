//! L* as the SwiftHand paper runs it: every query is a run of its own, inputs that are not enabled are
//! answered without one, and a machine that looks finished is tried with random words.

use crate::knowledge::Knowledge;
use crate::policy::{Move, Policy};
use crate::swifthand::pick;
use capuchin::ui::Rng;
use capuchin_automata::{Input, LStar, Mealy, Next, Output, State, Tree};

/// The answer to an input that is not enabled.
const DISABLED: Output = Output::MAX;
/// How many random words a finished machine must answer, and how long they are.
const WORDS: u32 = 100;
const LENGTH: std::ops::RangeInclusive<i64> = 20..=30;

/// The L* policy.
#[derive(Default)]
pub struct Angluin {
    learner: Option<LStar>,
    revision: u32,
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

impl Angluin {
    /// The last answer to a word, if it follows from what is known.
    fn answer(known: &Knowledge, word: &[Input]) -> Option<Output> {
        let tree = known.tree();
        let mut node = Tree::ROOT;
        for input in word {
            if !known.enabled(tree.output(node)).contains(input) {
                return Some(DISABLED);
            }
            node = tree.child(node, *input)?;
        }
        Some(tree.output(node))
    }

    /// The next step of the random word; a wrong answer refutes the machine.
    fn try_out(&mut self, known: &Knowledge, rng: &mut Rng) -> Option<Move> {
        let trial = self.trial.as_mut()?;
        let enabled = known.enabled_now();
        let over = trial.left == 0 || enabled.is_empty();
        if over && trial.words == 0 {
            return Some(Move::Stop);
        }
        if over {
            trial.words -= 1;
            trial.state = Mealy::INITIAL;
            trial.left = rng.between(*LENGTH.start(), *LENGTH.end()) as usize;
            if known.at() != Tree::ROOT {
                return Some(Move::Restart);
            }
        }
        let input = *pick(enabled, rng)?;
        trial.left = trial.left.saturating_sub(1);
        Some(Move::Perform(input))
    }

    /// Compares the last step of a random word with the machine. `false`: it was wrong.
    fn agrees(&mut self, known: &Knowledge) -> bool {
        let Some(trial) = &mut self.trial else { return true };
        let tree = known.tree();
        if known.at() == Tree::ROOT {
            trial.state = Mealy::INITIAL;
            return true;
        }
        match trial.machine.step(trial.state, tree.input(known.at())) {
            Some((next, output)) if output == tree.output(known.at()) => {
                trial.state = next;
                true
            }
            _ => false,
        }
    }
}

impl Policy for Angluin {
    fn next(&mut self, known: &Knowledge, rng: &mut Rng) -> Move {
        if self.revision != known.revision() {
            *self = Angluin { revision: known.revision(), ..Angluin::default() };
        }
        if let Some(input) = self.plan.pop() {
            if known.enabled_now().contains(&input) {
                return Move::Perform(input);
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
                learner.refute(&known.tree().word(known.at()));
            }
            self.trial = None;
        }
        let Some(learner) = &mut self.learner else { return Move::Stop };
        match learner.next(|word| Self::answer(known, word)) {
            Next::Ask(word) => {
                self.plan = word;
                self.plan.reverse();
                if known.at() != Tree::ROOT {
                    return Move::Restart;
                }
                self.plan.pop().map_or(Move::Stop, Move::Perform)
            }
            Next::Hypothesis(machine) => {
                self.states = machine.len();
                let state = Mealy::INITIAL;
                self.trial = Some(Trial { machine, state, left: 0, words: WORDS });
                self.try_out(known, rng).unwrap_or(Move::Stop)
            }
        }
    }

    fn states(&self) -> Option<usize> {
        Some(self.states)
    }
}
