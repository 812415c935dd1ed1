//! Angluin's L* for Mealy machines, with her own handling of counterexamples: all their prefixes
//! join the table.
//!
//! The alphabet may grow on the way: an app shows its inputs screen by screen.

use crate::{Contradiction, Input, Learner, Mealy, Next, Output, State, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// The observation table: words to states, and what tells them apart.
#[derive(Clone, Debug)]
pub struct LStar {
    inputs: usize,
    /// Words to states, closed under prefixes.
    access: Vec<Vec<Input>>,
    suffixes: Vec<Vec<Input>>,
    /// For each word and each suffix of the table, in order: the last output. A row whose outputs
    /// are not all known ends before the first of them.
    rows: BTreeMap<Vec<Input>, Vec<Output>>,
    /// All answers.
    answers: Tree,
}

impl LStar {
    /// Over so many inputs.
    pub fn new(inputs: usize) -> Self {
        let mut learner = LStar {
            inputs: 0,
            access: vec![Vec::new()],
            suffixes: Vec::new(),
            rows: BTreeMap::new(),
            answers: Tree::new(0),
        };
        learner.widen(inputs);
        learner
    }

    /// All words of the table: those to states, and those one input longer.
    fn words(&self) -> impl Iterator<Item = Vec<Input>> + '_ {
        let extended = self.access.iter().flat_map(|word| {
            (0..self.inputs as Input).map(move |input| [&word[..], &[input]].concat())
        });
        self.access.iter().cloned().chain(extended)
    }

    /// Fills the table with the answers, and says which words have none, in the order of the table.
    fn fill(&mut self) -> Vec<Vec<Input>> {
        let words: Vec<Vec<Input>> = self.words().collect();
        let (mut unanswered, mut met) = (Vec::new(), BTreeSet::new());
        for word in words {
            let row = self.rows.entry(word.clone()).or_default();
            let node = self.answers.find(&word);
            for (place, suffix) in self.suffixes.iter().enumerate().skip(row.len()) {
                let mut inputs = suffix.iter();
                let end = node.and_then(|node| {
                    inputs.try_fold(node, |node, input| self.answers.child(node, *input))
                });
                match end {
                    Some(end) if row.len() == place => row.push(self.answers.output(end)),
                    Some(_) => {}
                    None => {
                        let asked = [&word[..], suffix].concat();
                        if met.insert(asked.clone()) {
                            unanswered.push(asked);
                        }
                    }
                }
            }
        }
        unanswered
    }

    fn row(&self, word: &[Input]) -> &[Output] {
        self.rows.get(word).map_or(&[], Vec::as_slice)
    }

    /// Every word that is one longer looks like a word to a state; else it becomes one.
    fn close(&mut self) -> bool {
        let missing = self
            .words()
            .find(|word| !self.access.iter().any(|known| self.row(known) == self.row(word)));
        let is_closed = missing.is_none();
        self.access.extend(missing);
        is_closed
    }

    /// Words that look the same look the same after every input; else a suffix tells them apart.
    fn make_consistent(&mut self) -> bool {
        for (index, one) in self.access.iter().enumerate() {
            for other in &self.access[index + 1..] {
                if self.row(one) != self.row(other) {
                    continue;
                }
                for input in 0..self.inputs as Input {
                    let after = |word: &[Input]| self.row(&[word, &[input]].concat()).to_vec();
                    let differs =
                        after(one).iter().zip(after(other)).position(|(one, other)| *one != other);
                    if let Some(place) = differs {
                        let mut suffix = vec![input];
                        suffix.extend(&self.suffixes[place]);
                        self.suffixes.push(suffix);
                        return false;
                    }
                }
            }
        }
        true
    }

    fn hypothesis(&self) -> Mealy {
        let mut states: BTreeMap<&[Output], State> = BTreeMap::new();
        let mut words: Vec<&[Input]> = Vec::new();
        let mut machine = Mealy::new(self.inputs);
        for word in &self.access {
            let number = states.len() as State;
            states.entry(self.row(word)).or_insert_with(|| {
                if number > 0 {
                    machine.add();
                }
                words.push(word);
                number
            });
        }
        for (state, word) in words.iter().enumerate() {
            for input in 0..self.inputs as Input {
                let target = states.get(self.row(&[word, &[input][..]].concat()));
                // Where the alphabet grew, its single inputs are not the first suffixes.
                let place = self.suffixes.iter().position(|suffix| suffix[..] == [input]);
                let output = place.and_then(|place| self.row(word).get(place));
                if let (Some(target), Some(output)) = (target, output) {
                    machine.set(state as State, input, *target, *output);
                }
            }
        }
        machine
    }
}

impl Learner for LStar {
    fn next(&mut self) -> Next {
        loop {
            let unanswered = self.fill();
            if !unanswered.is_empty() {
                return Next::Ask(unanswered);
            }
            if self.close() && self.make_consistent() {
                return Next::Hypothesis(self.hypothesis());
            }
        }
    }

    fn answer(&mut self, word: &[Input], outputs: &[Output]) -> Result<(), Contradiction> {
        self.answers.insert(word.iter().copied().zip(outputs.iter().copied())).map(|_| ())
    }

    fn refute(&mut self, word: &[Input], outputs: &[Output]) -> Result<(), Contradiction> {
        self.answer(word, outputs)?;
        for length in 1..=word.len() {
            let prefix = &word[..length];
            if !self.access.iter().any(|known| known == prefix) {
                self.access.push(prefix.to_vec());
            }
        }
        Ok(())
    }

    fn widen(&mut self, inputs: usize) {
        // The new single inputs come last, so the rows that are there stay as they are.
        self.suffixes.extend((self.inputs..inputs).map(|input| vec![input as Input]));
        self.inputs = self.inputs.max(inputs);
    }
}
