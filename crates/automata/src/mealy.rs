//! The machine that is learned: states, and for each input of a state where it leads and what it
//! answers.

use crate::{Input, Output, State};
use std::collections::VecDeque;

/// A deterministic Mealy machine in which not every input need be known everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mealy {
    inputs: usize,
    /// State by state, input by input.
    edges: Vec<Option<(State, Output)>>,
}

impl Mealy {
    /// The state in which it begins.
    pub const INITIAL: State = 0;

    /// One state, and so many inputs that lead nowhere yet.
    pub fn new(inputs: usize) -> Self {
        Mealy { inputs, edges: vec![None; inputs] }
    }

    /// How many states it has.
    pub fn len(&self) -> usize {
        self.edges.len().checked_div(self.inputs).unwrap_or(1)
    }

    /// Never: there is an initial state.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// One more state.
    pub fn add(&mut self) -> State {
        self.edges.resize(self.edges.len() + self.inputs, None);
        self.len() as State - 1
    }

    /// Where an input leads to, and what it answers.
    pub fn step(&self, state: State, input: Input) -> Option<(State, Output)> {
        if input as usize >= self.inputs {
            return None;
        }
        self.edges.get(state as usize * self.inputs + input as usize).copied().flatten()
    }

    /// Says where an input leads to.
    pub fn set(&mut self, state: State, input: Input, target: State, output: Output) {
        self.edges[state as usize * self.inputs + input as usize] = Some((target, output));
    }

    /// All that is known of a state.
    pub fn edges(&self, state: State) -> impl Iterator<Item = (Input, State, Output)> + '_ {
        let from = state as usize * self.inputs;
        let row = self.edges[from..from + self.inputs].iter().enumerate();
        row.filter_map(|(input, edge)| edge.map(|(to, output)| (input as Input, to, output)))
    }

    /// What it answers to a word, as long as all of it is known.
    pub fn outputs(&self, word: impl IntoIterator<Item = Input>) -> Option<Vec<Output>> {
        let mut state = Self::INITIAL;
        word.into_iter()
            .map(|input| {
                let (next, output) = self.step(state, input)?;
                state = next;
                Some(output)
            })
            .collect()
    }

    /// For how many inputs of a word it gives these outputs, until the first that differs or that
    /// it does not know.
    pub fn agreement(&self, word: &[Input], outputs: &[Output]) -> usize {
        let mut state = Self::INITIAL;
        let agrees = |(input, output): &(&Input, &Output)| match self.step(state, **input) {
            Some((next, known)) => {
                state = next;
                known == **output
            }
            None => false,
        };
        word.iter().zip(outputs).take_while(agrees).count()
    }

    /// The machine without the edges that answer with this output: where it means that an input is
    /// refused, only the inputs that are accepted are left.
    pub fn without(mut self, output: Output) -> Mealy {
        for edge in &mut self.edges {
            *edge = edge.filter(|(_, answer)| *answer != output);
        }
        self
    }

    /// A shortest word that the two answer differently, or that only one of them knows.
    pub fn difference(&self, other: &Mealy) -> Option<Vec<Input>> {
        let inputs = self.inputs.max(other.inputs) as Input;
        let mut met = std::collections::BTreeSet::from([(Self::INITIAL, Self::INITIAL)]);
        let mut open = VecDeque::from([(Self::INITIAL, Self::INITIAL, Vec::new())]);
        while let Some((mine, theirs, word)) = open.pop_front() {
            for input in 0..inputs {
                let longer = || word.iter().copied().chain([input]).collect();
                match (self.step(mine, input), other.step(theirs, input)) {
                    (None, None) => {}
                    (Some((mine, a)), Some((theirs, b))) if a == b => {
                        if met.insert((mine, theirs)) {
                            open.push_back((mine, theirs, longer()));
                        }
                    }
                    _ => return Some(longer()),
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lamp(states: u32) -> Mealy {
        let mut lamp = Mealy::new(1);
        for state in 0..states {
            if state > 0 {
                lamp.add();
            }
            lamp.set(state, 0, 0, state % 2);
        }
        for state in 1..states {
            lamp.set(state - 1, 0, state, (state - 1) % 2);
        }
        lamp
    }

    #[test]
    fn machines_differ_where_a_shortest_word_says_so() {
        assert_eq!(lamp(2).difference(&lamp(4)), None, "one of them is not minimal");
        assert_eq!(lamp(2).difference(&lamp(3)), Some(vec![0; 4]));
        assert_eq!(lamp(1).difference(&Mealy::new(1)), Some(vec![0]));
        assert_eq!(lamp(3).outputs([0, 0, 0, 0]), Some(vec![0, 1, 0, 0]));
        assert_eq!(lamp(3).outputs([0, 1]), None);
    }

    #[test]
    fn a_machine_agrees_with_a_word_up_to_the_first_other_output() {
        assert_eq!(lamp(3).agreement(&[0, 0, 0], &[0, 1, 0]), 3);
        assert_eq!(lamp(3).agreement(&[0, 0, 0], &[0, 0, 0]), 1);
        assert_eq!(lamp(3).agreement(&[0, 1, 0], &[0, 1, 0]), 1);
        assert_eq!(lamp(3).without(1).agreement(&[0, 0, 0], &[0, 1, 0]), 1);
    }
}
