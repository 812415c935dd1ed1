//! L#: learns by telling the nodes of the observation tree apart (Vaandrager, Garhewal, Rot,
//! Wißmann: A New Approach for Active Automata Learning Based on Apartness, TACAS 2022).
//!
//! Some nodes of the tree are known to be different states: the basis. Their children are the
//! frontier, and each of them is compared with the basis: one that is apart from all of it is a new
//! state, and one that could be several is given an adaptive distinguishing sequence, whose next
//! input depends on the outputs so far. A hypothesis is made when every node of the frontier can be
//! one state only.
//!
//! Nothing is kept but the tree and which nodes are not apart: an answer to any word is taken,
//! whoever asked for it.

mod ads;
mod apart;

use crate::{Contradiction, Input, Learner, Mealy, Next, Node, Output, State, Tree};
use apart::{apart, apart_along};
use std::collections::{BTreeMap, VecDeque};

/// The learner.
#[derive(Clone, Debug)]
pub struct LSharp {
    inputs: usize,
    tree: Tree,
    /// The nodes that are different states, in the order in which they were found.
    basis: Vec<Node>,
    states: BTreeMap<Node, State>,
    /// The children of the basis that are not in it, with the states that they could be.
    frontier: BTreeMap<Node, Vec<State>>,
    /// The node of the frontier that is being told apart, and how far that has come.
    probe: Option<Probe>,
    /// A word of the tree that the hypothesis does not explain.
    conflict: Option<Conflict>,
    /// The word to a node that was asked for to have it: the same run goes on with telling what it
    /// is, which saves a reset.
    extended: Option<Vec<Input>>,
}

/// An adaptive distinguishing sequence under way.
#[derive(Clone, Debug)]
struct Probe {
    /// The node of the frontier.
    target: Node,
    /// Where the sequence has led to.
    at: Node,
    /// Where it leads from the states that the target could be.
    rivals: Vec<Node>,
}

/// A hypothesis that does not explain a word: the state that it reaches is apart from the node.
#[derive(Clone, Debug)]
struct Conflict {
    hypothesis: Mealy,
    word: Vec<Input>,
}

impl LSharp {
    /// Over so many inputs.
    pub fn new(inputs: usize) -> Self {
        LSharp {
            inputs,
            tree: Tree::new(0),
            basis: vec![Tree::ROOT],
            states: BTreeMap::from([(Tree::ROOT, 0)]),
            frontier: BTreeMap::new(),
            probe: None,
            conflict: None,
            extended: None,
        }
    }

    /// Notes a word and what it tells apart.
    fn insert(&mut self, word: &[Input], outputs: &[Output]) -> Result<(), Contradiction> {
        let before = self.tree.len();
        let mut path = vec![Tree::ROOT];
        let mut refused = None;
        for (input, output) in word.iter().zip(outputs) {
            let node = *path.last().unwrap_or(&Tree::ROOT);
            match self.tree.add(node, *input, *output) {
                Ok(child) => path.push(child),
                Err(contradiction) => {
                    refused = Some(contradiction);
                    break;
                }
            }
        }
        if self.tree.len() > before {
            self.note_path(&path, before as Node);
        }
        refused.map_or(Ok(()), Err)
    }

    /// A path of the tree has new nodes, from this one on.
    fn note_path(&mut self, path: &[Node], first_new: Node) {
        for (at, node) in path.iter().enumerate() {
            if let Some(state) = self.states.get(node).copied() {
                let rest = &path[at..];
                for (other, candidates) in &mut self.frontier {
                    if let Ok(place) = candidates.binary_search(&state)
                        && apart_along(&self.tree, rest, first_new, *other)
                    {
                        candidates.remove(place);
                    }
                }
                continue;
            }
            // The first node that is not in the basis is of the frontier.
            if *node >= first_new {
                self.join_frontier(*node);
            } else if let Some(candidates) = self.frontier.get_mut(node) {
                let (tree, basis) = (&self.tree, &self.basis);
                candidates.retain(|state| {
                    !apart_along(tree, &path[at..], first_new, basis[*state as usize])
                });
            }
            break;
        }
    }

    fn join_frontier(&mut self, node: Node) {
        let could_be =
            |state: &State| apart(&self.tree, node, self.basis[*state as usize]).is_none();
        let candidates = (0..self.basis.len() as State).filter(could_be).collect();
        self.frontier.insert(node, candidates);
    }

    /// Nodes that are apart from the whole basis join it.
    fn promote(&mut self) -> bool {
        let isolated = self.frontier.iter().find(|(_, candidates)| candidates.is_empty());
        let Some(node) = isolated.map(|(node, _)| *node) else { return false };
        self.frontier.remove(&node);
        let state = self.basis.len() as State;
        self.basis.push(node);
        self.states.insert(node, state);
        for (other, candidates) in &mut self.frontier {
            if apart(&self.tree, *other, node).is_none() {
                candidates.push(state);
            }
        }
        let children: Vec<Node> = self.tree.children(node).collect();
        children.into_iter().for_each(|child| self.join_frontier(child));
        true
    }

    /// A word that some rule asks for.
    fn rule(&mut self) -> Option<Vec<Input>> {
        while self.promote() {}
        if let Some(word) = self.extended.take()
            && let Some(node) = self.tree.find(&word)
            && self.frontier.contains_key(&node)
        {
            self.probe = Some(self.probe_of(node));
        }
        if let Some(word) = self.go_on() {
            return Some(word);
        }
        let extend = self.basis.iter().find_map(|node| {
            let unknown =
                (0..self.inputs as Input).find(|input| self.tree.child(*node, *input).is_none())?;
            let mut word = self.tree.word(*node);
            word.push(unknown);
            Some(word)
        });
        if extend.is_some() {
            self.extended = extend.clone();
            return extend;
        }
        let unidentified = self.frontier.iter().find(|(_, candidates)| candidates.len() > 1);
        let node = unidentified.map(|(node, _)| *node)?;
        self.probe = Some(self.probe_of(node));
        self.go_on()
    }

    fn probe_of(&self, target: Node) -> Probe {
        let rivals = self.frontier[&target].iter().map(|state| self.basis[*state as usize]);
        Probe { target, at: target, rivals: rivals.collect() }
    }

    /// The next word of the sequence that is under way.
    fn go_on(&mut self) -> Option<Vec<Input>> {
        let mut probe = self.probe.take()?;
        while self.frontier.get(&probe.target).is_some_and(|candidates| candidates.len() > 1) {
            let input = ads::next_input(&self.tree, &probe.rivals)?;
            let Some(next) = self.tree.child(probe.at, input) else {
                let mut word = self.tree.word(probe.at);
                word.push(input);
                self.probe = Some(probe);
                return Some(word);
            };
            let output = self.tree.output(next);
            probe.at = next;
            let follow = |node: &Node| {
                self.tree.child(*node, input).filter(|child| self.tree.output(*child) == output)
            };
            probe.rivals = probe.rivals.iter().filter_map(follow).collect();
            if probe.rivals.len() < 2 {
                return None;
            }
        }
        None
    }

    /// Every node of the frontier is one state.
    fn hypothesis(&self) -> Mealy {
        let mut machine = Mealy::new(self.inputs);
        self.basis.iter().skip(1).for_each(|_| _ = machine.add());
        for (state, node) in self.basis.iter().enumerate() {
            for child in self.tree.children(*node) {
                let target = self.states.get(&child).copied();
                let target = target.or_else(|| self.frontier.get(&child)?.first().copied());
                let (input, output) = (self.tree.input(child), self.tree.output(child));
                machine.set(state as State, input, target.unwrap_or_default(), output);
            }
        }
        machine
    }

    /// A shortest word of the tree whose node is apart from the state that the hypothesis reaches.
    fn unexplained(&self, hypothesis: &Mealy) -> Option<Vec<Input>> {
        let mut open = VecDeque::from([(Tree::ROOT, Mealy::INITIAL)]);
        while let Some((node, state)) = open.pop_front() {
            let is_known = self.states.contains_key(&node) || self.frontier.contains_key(&node);
            if !is_known && apart(&self.tree, node, self.basis[state as usize]).is_some() {
                return Some(self.tree.word(node));
            }
            for child in self.tree.children(node) {
                let step = hypothesis.step(state, self.tree.input(child));
                open.extend(step.map(|(target, _)| (child, target)));
            }
        }
        None
    }

    /// The next question about a word that the hypothesis does not explain: the word becomes
    /// shorter, by half of what it has beyond the frontier, until a node of the frontier is apart
    /// from its state.
    fn explain(&mut self) -> Option<Vec<Input>> {
        loop {
            let Conflict { hypothesis, word } = self.conflict.as_ref()?;
            let mut path = vec![Tree::ROOT];
            for input in word {
                path.push(self.tree.child(*path.last()?, *input)?);
            }
            let beyond = path.iter().position(|node| self.frontier.contains_key(node))?;
            if beyond + 1 >= path.len() {
                return None;
            }
            let state_after = |length: usize| {
                let step = |state, input: &Input| Some(hypothesis.step(state, *input)?.0);
                word[..length].iter().try_fold(Mealy::INITIAL, step)
            };
            let middle = (beyond + word.len()) / 2;
            let (state, end) = (state_after(middle)?, state_after(word.len())?);
            let witness = apart(&self.tree, *path.last()?, self.basis[end as usize])?;
            let access = self.tree.word(self.basis[state as usize]);
            let other = [&access[..], &word[middle..]].concat();
            let asked = [&other[..], &witness].concat();
            if self.tree.find(&asked).is_none() {
                return Some(asked);
            }
            let is_early = apart(&self.tree, path[middle], self.basis[state as usize]).is_some();
            let shorter = if is_early { word[..middle].to_vec() } else { other };
            if let Some(conflict) = &mut self.conflict {
                conflict.word = shorter;
            }
        }
    }
}

impl Learner for LSharp {
    fn next(&mut self) -> Next {
        loop {
            if let Some(word) = self.rule() {
                self.conflict = None;
                return Next::Ask(vec![word]);
            }
            if let Some(word) = self.explain() {
                return Next::Ask(vec![word]);
            }
            let hypothesis = self.hypothesis();
            let Some(word) = self.unexplained(&hypothesis) else {
                return Next::Hypothesis(hypothesis);
            };
            self.conflict = Some(Conflict { hypothesis, word });
        }
    }

    fn answer(&mut self, word: &[Input], outputs: &[Output]) -> Result<(), Contradiction> {
        self.insert(word, outputs)
    }

    fn refute(&mut self, word: &[Input], outputs: &[Output]) -> Result<(), Contradiction> {
        self.insert(word, outputs)
    }

    fn widen(&mut self, inputs: usize) {
        self.inputs = self.inputs.max(inputs);
    }
}
