//! Mealy machines as DOT files, as LearnLib, AALpy and the automata wiki write them.
//!
//! Our own reader of the little of DOT that they use: the crates for it bring a whole graph
//! language, or a licence that we cannot take.

use crate::{Alphabet, Input, Mealy, Output, State};
use std::fmt;
use thiserror::Error;

/// A machine with the names of its inputs, outputs and states.
#[derive(Clone, Debug)]
pub struct Dot {
    /// The machine.
    pub machine: Mealy,
    /// What its inputs are called.
    pub inputs: Alphabet<String>,
    /// What its outputs are called.
    pub outputs: Alphabet<String>,
    /// What its states are called, the initial one first.
    pub states: Vec<String>,
}

/// A file that is not a machine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DotError {
    /// A line of it.
    #[error("line {line}: {what}; an edge looks like: s0 -> s1 [label=\"input/output\"];")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The whole of it.
    #[error("it has no edge: is it a DOT file of a Mealy machine?")]
    Empty,
}

impl Dot {
    /// Reads a machine. The initial state is the one that `__start0` points to, else the first.
    pub fn parse(text: &str) -> Result<Dot, DotError> {
        let mut reader = Reader::default();
        for (index, line) in text.lines().enumerate() {
            reader.line(line.trim()).map_err(|what| DotError::Line { line: index + 1, what })?;
        }
        reader.finish()
    }
}

#[derive(Default)]
struct Reader {
    inputs: Alphabet<String>,
    outputs: Alphabet<String>,
    /// In the order of the file.
    states: Alphabet<String>,
    initial: Option<String>,
    edges: Vec<(State, Input, State, Output)>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim_end_matches(';').trim();
        let (head, attributes) = match line.split_once('[') {
            Some((head, rest)) => (head.trim(), rest.trim_end_matches(']')),
            None => (line, ""),
        };
        let unquoted = |name: &str| name.trim().trim_matches('"').to_owned();
        let Some((from, to)) = head.split_once("->") else {
            let is_node = !head.is_empty()
                && !["digraph", "graph", "node", "edge", "}", "{", "label", "rankdir"]
                    .iter()
                    .any(|word| head.starts_with(word))
                && !head.contains('=')
                && !head.starts_with("//")
                && !head.starts_with('#');
            let name = unquoted(head);
            if is_node && !name.starts_with("__start") {
                self.states.number(&name);
            }
            return Ok(());
        };
        let (from, to) = (unquoted(from), unquoted(to));
        if from.starts_with("__start") {
            self.initial = Some(to);
            return Ok(());
        }
        let label = quoted_label(attributes).ok_or("the edge has no label")?;
        let (input, output) =
            label.split_once('/').ok_or_else(|| format!("the label {label:?} has no slash"))?;
        let input = self.inputs.number(&input.trim().to_owned());
        let output = self.outputs.number(&output.trim().to_owned());
        let (from, to) = (self.states.number(&from), self.states.number(&to));
        self.edges.push((from, input, to, output));
        Ok(())
    }

    fn finish(self) -> Result<Dot, DotError> {
        if self.edges.is_empty() {
            return Err(DotError::Empty);
        }
        // The initial state comes first, in the place of the one that did.
        let initial = self.initial.and_then(|name| self.states.find(&name)).unwrap_or(0);
        let place = |state: State| match state {
            0 => initial,
            state if state == initial => 0,
            state => state,
        };
        let mut states = self.states.symbols().to_vec();
        states.swap(0, initial as usize);
        let mut machine = Mealy::new(self.inputs.len());
        for _ in 1..states.len() {
            machine.add();
        }
        for (from, input, to, output) in self.edges {
            machine.set(place(from), input, place(to), output);
        }
        let Reader { inputs, outputs, .. } = self;
        Ok(Dot { machine, inputs, outputs, states })
    }
}

/// The text of `label="…"` among attributes.
fn quoted_label(attributes: &str) -> Option<&str> {
    let rest = attributes.split_once("label")?.1.trim_start().strip_prefix('=')?.trim_start();
    match rest.strip_prefix('"') {
        Some(rest) => rest.split('"').next(),
        None => rest.split([',', ' ', ']']).next(),
    }
}

impl fmt::Display for Dot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "digraph g {{\n__start0 [label=\"\" shape=\"none\"];")?;
        for state in &self.states {
            writeln!(f, "{state} [shape=\"circle\" label=\"{state}\"];")?;
        }
        let name = |alphabet: &Alphabet<String>, number| {
            alphabet
                .symbol(number)
                .map_or_else(|| number.to_string(), |name| name.replace('"', "'"))
        };
        for (state, from) in self.states.iter().enumerate() {
            for (input, to, output) in self.machine.edges(state as State) {
                let (input, output) = (name(&self.inputs, input), name(&self.outputs, output));
                let to = &self.states[to as usize];
                writeln!(f, "{from} -> {to} [label=\"{input}/{output}\"];")?;
            }
        }
        writeln!(f, "__start0 -> {};\n}}", self.states[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAMP: &str = "digraph lamp {\n  label=\"\"\n  on [label=\"on\"];\n  off [shape=circle];\n  \
        off -> on [label=\"press / light\"];\n  on -> off [color=red, label=\"press / dark\"]\n  \
        on -> on [label=\"hit/light\"];\n__start0 [shape=none];\n__start0 -> off;\n}\n";

    #[test]
    fn a_file_is_read_and_what_is_written_reads_the_same() {
        let lamp = Dot::parse(LAMP).unwrap();
        assert_eq!(lamp.states, ["off", "on"]);
        let press = lamp.inputs.find(&"press".to_owned()).unwrap();
        let outputs = lamp.machine.outputs([press, press]).unwrap();
        let names: Vec<&str> =
            outputs.iter().map(|output| lamp.outputs.symbol(*output).unwrap().as_str()).collect();
        assert_eq!(names, ["light", "dark"]);
        let again = Dot::parse(&lamp.to_string()).unwrap();
        assert_eq!(again.machine.difference(&lamp.machine), None);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let wrong = |text: &str| Dot::parse(text).unwrap_err().to_string();
        assert!(wrong("digraph g {\na -> b [label=\"x\"];\n}").starts_with("line 2: the label"));
        assert!(wrong("digraph g {\na -> b;\n}").starts_with("line 2: the edge has no label"));
        assert!(wrong("hello").contains("no edge"));
    }
}
