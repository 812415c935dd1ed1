//! Angluin's L*, for Mealy machines, as a value that asks for one word at a time.
//!
//! Whoever runs it answers from what is known already, or executes the word. The alphabet may grow on
//! the way: an app shows its inputs screen by screen.

use crate::{Input, Mealy, Output, State};
use std::collections::BTreeMap;

/// What comes next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The answers to this word are needed.
    Ask(Vec<Input>),
    /// A machine that explains all answers. It may still be wrong.
    Hypothesis(Mealy),
}

/// The observation table: words to states, and what tells them apart.
#[derive(Clone, Debug, Default)]
pub struct LStar {
    inputs: usize,
    /// Words to states, closed under prefixes.
    access: Vec<Vec<Input>>,
    suffixes: Vec<Vec<Input>>,
    /// For each word and each suffix of the table, in order: the last answer.
    rows: BTreeMap<Vec<Input>, Vec<Output>>,
}

impl LStar {
    /// Over so many inputs.
    pub fn new(inputs: usize) -> Self {
        let mut learner = LStar { access: vec![Vec::new()], ..LStar::default() };
        learner.widen(inputs);
        learner
    }

    /// There are more inputs than was known.
    pub fn widen(&mut self, inputs: usize) {
        // The new single inputs come last, so the rows that are there stay as they are.
        self.suffixes.extend((self.inputs..inputs).map(|input| vec![input as Input]));
        self.inputs = self.inputs.max(inputs);
    }

    /// The hypothesis answers this word wrongly: its prefixes join the table, as Angluin has it.
    pub fn refute(&mut self, word: &[Input]) {
        for length in 1..=word.len() {
            let prefix = word[..length].to_vec();
            if !self.access.contains(&prefix) {
                self.access.push(prefix);
            }
        }
    }

    /// Goes on as far as `answer` knows the answers: the last output of a word, or nothing.
    pub fn next(&mut self, answer: impl Fn(&[Input]) -> Option<Output>) -> Next {
        loop {
            if let Err(word) = self.fill(&answer) {
                return Next::Ask(word);
            }
            if self.close() && self.make_consistent() {
                return Next::Hypothesis(self.hypothesis());
            }
        }
    }

    /// All words of the table: those to states, and those one input longer.
    fn words(&self) -> impl Iterator<Item = Vec<Input>> + '_ {
        let longer = |word: &Vec<Input>, input| {
            let mut word = word.clone();
            word.push(input);
            word
        };
        let inputs = self.inputs as Input;
        let extended = self.access.iter().flat_map(move |word| {
            let word = word.clone();
            (0..inputs).map(move |input| longer(&word, input))
        });
        self.access.iter().cloned().chain(extended)
    }

    /// Fills the table; an error is the word whose answer is missing.
    fn fill(&mut self, answer: impl Fn(&[Input]) -> Option<Output>) -> Result<(), Vec<Input>> {
        let words: Vec<Vec<Input>> = self.words().collect();
        for word in words {
            let row = self.rows.entry(word.clone()).or_default();
            while row.len() < self.suffixes.len() {
                let mut asked = word.clone();
                asked.extend(&self.suffixes[row.len()]);
                row.push(answer(&asked).ok_or(asked)?);
            }
        }
        Ok(())
    }

    fn row(&self, word: &[Input]) -> &[Output] {
        self.rows.get(word).map_or(&[], Vec::as_slice)
    }

    /// Every word that is one longer looks like a word to a state; else it becomes one.
    fn close(&mut self) -> bool {
        let missing = self
            .words()
            .find(|word| !self.access.iter().any(|known| self.row(known) == self.row(word)));
        match missing {
            Some(word) => {
                self.access.push(word);
                false
            }
            None => true,
        }
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
                // The single inputs were the first suffixes, as far as the alphabet did not grow later.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Learns a machine with a perfect judge; how many words it asked for, and how long they were.
    fn learn(machine: &Mealy) -> (Mealy, u32, usize) {
        let mut learner = LStar::new(machine.inputs());
        let (words, symbols) = (Cell::new(0), Cell::new(0));
        let asked = std::cell::RefCell::new(std::collections::BTreeSet::new());
        loop {
            let next = learner.next(|word| {
                if asked.borrow_mut().insert(word.to_vec()) {
                    words.set(words.get() + 1);
                    symbols.set(symbols.get() + word.len());
                }
                machine.outputs(word.iter().copied()).and_then(|outputs| outputs.last().copied())
            });
            let Next::Hypothesis(hypothesis) = next else { panic!("every word is answered") };
            match hypothesis.difference(machine) {
                Some(word) => learner.refute(&word),
                None => return (hypothesis, words.get(), symbols.get()),
            }
        }
    }

    #[test]
    fn a_machine_is_learned() {
        // Answers 1 to every third press of the one button that counts.
        let mut machine = Mealy::new(2);
        for state in 0..3 {
            if state > 0 {
                machine.add();
            }
            machine.set(state, 1, state, 0);
        }
        for state in 0..3 {
            machine.set(state, 0, (state + 1) % 3, u32::from(state == 2));
        }
        let (learned, words, symbols) = learn(&machine);
        assert_eq!(learned.difference(&machine), None);
        assert_eq!(learned.len(), 3);
        assert!(words < 40 && symbols < 150, "{words} words, {symbols} symbols");
    }
}
