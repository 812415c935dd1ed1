//! Passive learning by state merging (algorithm 2 of the SwiftHand paper), kept up to date as the
//! tree grows.
//!
//! The red states are the machine so far; the blue ones are where its edges lead to outside of it.
//! Each blue state in turn is merged with a red one if what was seen after both agrees, else it
//! becomes red. Merging folds the blue state's subtree into the machine; every change is logged, so
//! a fold that fails is taken back. So is a decision that a later observation proves wrong: the
//! first of the recent merges on the way to it goes, with the decisions after it; and so on, until
//! nothing contradicts any more. SwiftHand learns anew at each surprise; this keeps what was
//! decided before that merge.

mod candidates;

use crate::answer_index::{AnswerIndex, StateSet};
use crate::tree::{Entry, NONE};
use crate::{Input, Mealy, Node, Output, State, Tree};
use std::collections::BTreeMap;

/// What an output belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// To the state that was reached: two states with different ones are never the same. (ELTS,
    /// Moore)
    OfStates,
    /// To the step that was made. (Mealy)
    OfSteps,
}

/// Which red state a blue one is merged with, where several fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The oldest. (RPNI)
    First,
    /// The state that it was reached from, then those above that one, then the oldest.
    Nearest,
    /// The one that most of what was seen speaks for. (Blue-fringe evidence-driven merging)
    Evidence,
}

/// How many decisions a surprise takes back at once if it must. Of a long way, the first merge is
/// nearly the first of all: to take that one back would be to learn anew.
const NOT_LONG_AGO: usize = 200;

/// A place in the order in which blue states are decided.
///
/// By the order in which they became blue: so those near the initial state of the machine come
/// first, however deep in the tree they were seen, and of many traces smaller machines are learned.
/// Or, with [`Order::Nearest`], by how deep in the tree they are: of a few traces, that takes fewer
/// states for others.
type Turn = (u64, Node);
/// An edge of a red state, by the place of that state among the red ones.
type Edge = (usize, Input);

enum Change {
    First(Node, Node),
    Next(Node, Node),
    Row(Edge, Leads),
    BlueAdded(Turn),
    BlueRemoved(Turn, Edge),
    Promoted,
    /// A node of the tree came in while all decisions up to here stood.
    Inserted(Node),
}

/// Where an edge of a red state leads to.
#[derive(Clone, Copy)]
struct Leads {
    /// `NONE` if that is not known.
    to: Node,
    output: Output,
    /// The number of the merge that it comes from, or `NONE` if it was seen as it is.
    by: u32,
}

impl Leads {
    const NOWHERE: Leads = Leads { to: NONE, output: 0, by: NONE };

    fn answer(self) -> Option<Output> {
        (self.to != NONE).then_some(self.output)
    }
}

/// A machine that is learned from a tree.
pub struct Merger {
    labels: Labels,
    order: Order,
    /// What was seen. Folding moves children from one node to another; parents stay.
    tree: Tree,
    depths: Vec<u32>,
    /// The place of each node among the red ones, or `NONE`.
    places: Vec<u32>,
    reds: Vec<Node>,
    /// For each red state: the red state that it was reached from when it became one.
    above: Vec<usize>,
    /// For each red state, by input.
    rows: Vec<Vec<Leads>>,
    /// For each red state: when its row last changed, by the number of changes until then.
    changed: Vec<u64>,
    changes: u64,
    blue: BTreeMap<Turn, Edge>,
    log: Vec<Change>,
    /// Where in the log each decision begins.
    decisions: Vec<usize>,
    /// The node that came in last, and the state and the input that lead to where it is in the
    /// machine.
    latest: Option<(Node, Node, Input)>,
    queue: Vec<(Node, Node)>,
    index: AnswerIndex,
    /// The red states that the blue one whose turn it is may be merged with.
    candidates: StateSet,
    /// Which states were compared with which nodes, and from which place in here they were reached.
    trail: Vec<(Node, Node, u32)>,
    /// What told that blue one from the last red one.
    proof: Vec<(Input, Output)>,
    /// Whether a merge is under way: what changes comes from it.
    merging: bool,
    /// How many states became blue so far.
    turns: u64,
    undone: u64,
}

impl Merger {
    /// Begins with this tree. Nothing is merged until [`run`](Self::run).
    pub fn new(tree: &Tree, labels: Labels, order: Order) -> Self {
        let mut merger = Merger {
            labels,
            order,
            tree: tree.clone(),
            depths: Vec::with_capacity(tree.len()),
            places: vec![NONE; tree.len()],
            reds: Vec::new(),
            above: Vec::new(),
            rows: Vec::new(),
            changed: Vec::new(),
            changes: 0,
            blue: BTreeMap::new(),
            log: Vec::new(),
            decisions: Vec::new(),
            latest: None,
            queue: Vec::new(),
            index: AnswerIndex::default(),
            candidates: StateSet::default(),
            trail: Vec::new(),
            proof: Vec::new(),
            merging: false,
            undone: 0,
            turns: 0,
        };
        for node in 0..tree.len() {
            merger.note_depth(node);
        }
        merger.promote(Tree::ROOT, 0);
        merger.log.clear();
        merger
    }

    /// Decides what is undecided. Afterwards every state is red, and the machine explains the tree.
    pub fn run(&mut self) {
        while let Some((turn, edge)) = self.next_blue() {
            self.decisions.push(self.log.len());
            if !self.merge_one(turn, edge) {
                self.remove_blue(turn);
                self.promote(turn.1, edge.0);
            }
        }
    }

    /// Takes in what the tree has more than before, and takes back the decisions that it proves
    /// wrong. [`run`](Self::run) decides anew. The tree must be the one that it began with, grown.
    pub fn grow(&mut self, tree: &Tree) {
        // A state stays where it is; what was not one yet may be part of one by now.
        self.latest = self.latest.filter(|(_, before, _)| self.places[*before as usize] != NONE);
        let mut waiting: Vec<Node> = Vec::new();
        for node in self.tree.len() as Node..tree.len() as Node {
            let seen = tree.entries[node as usize];
            self.tree.entries.push(Entry { first: NONE, next: NONE, ..seen });
            self.tree.parents.push(tree.parents[node as usize]);
            self.places.push(NONE);
            self.note_depth(node as usize);
            waiting.push(node);
        }
        let mut at = 0;
        while let Some(node) = waiting.get(at).copied() {
            if self.insert(node) {
                at += 1;
                continue;
            }
            // One of the decisions is wrong. What came in after it comes in again.
            waiting.drain(..at);
            let culprit = self.culprit(node);
            while self.decisions.len() > culprit {
                waiting.extend(self.take_back());
            }
            waiting.sort_unstable();
            waiting.dedup();
            at = 0;
        }
    }

    /// The states, in the order in which they became states; the first is the initial one.
    pub fn states(&self) -> &[Node] {
        &self.reds
    }

    /// Where an input leads to from a state, and what it answers.
    pub fn step(&self, state: Node, input: Input) -> Option<(Node, Output)> {
        let place = self.places[state as usize];
        if place != NONE {
            let edge = self.rows[place as usize].get(input as usize);
            return edge.filter(|leads| leads.to != NONE).map(|leads| (leads.to, leads.output));
        }
        self.tree.child(state, input).map(|child| (child, self.tree.output(child)))
    }

    /// All that is known of a state: inputs, where they lead to, and what they answer.
    pub fn edges(&self, state: Node) -> impl Iterator<Item = (Input, Node, Output)> + '_ {
        let row =
            self.rows.get(self.places[state as usize] as usize).map_or(&[][..], Vec::as_slice);
        let edges = row.iter().enumerate().filter(|(_, leads)| leads.to != NONE);
        edges.map(|(input, leads)| (input as Input, leads.to, leads.output))
    }

    /// The place of a state in [`states`](Self::states).
    pub fn place(&self, state: Node) -> usize {
        self.places[state as usize] as usize
    }

    /// When the edges of a state last changed: another number than before if they did since.
    pub fn changed(&self, state: Node) -> u64 {
        self.changed[self.place(state)]
    }

    /// What was seen when a state was first reached: its label, where states have labels.
    pub fn label(&self, state: Node) -> Output {
        self.tree.output(state)
    }

    /// The state in which a node of the tree is, of those that were taken in.
    pub fn state_of(&self, node: Node) -> Option<Node> {
        let mut word = self.tree.word(node).into_iter();
        word.try_fold(Tree::ROOT, |state, input| Some(self.step(state, input)?.0))
    }

    /// How many decisions were taken back so far.
    pub fn undone(&self) -> u64 {
        self.undone
    }

    /// The machine, its states numbered as in [`states`](Self::states).
    pub fn machine(&self) -> Mealy {
        let inputs = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut machine = Mealy::new(inputs);
        for _ in 1..self.reds.len() {
            machine.add();
        }
        for (place, row) in self.rows.iter().enumerate() {
            for (input, leads) in row.iter().enumerate() {
                let to = self.places.get(leads.to as usize).copied().unwrap_or(NONE);
                if to != NONE {
                    machine.set(place as State, input as Input, to, leads.output);
                }
            }
        }
        machine
    }

    /// A parent comes before its children.
    fn note_depth(&mut self, node: usize) {
        let above = self.depths.get(self.tree.parents[node] as usize);
        self.depths.push(above.map_or(0, |above| above + 1));
    }

    fn next_blue(&self) -> Option<(Turn, Edge)> {
        self.blue.first_key_value().map(|(turn, edge)| (*turn, *edge))
    }

    /// Merges a blue state with a red one. On failure, what was changed is in the log.
    fn fold_into(&mut self, red: usize, turn: Turn, edge: Edge) -> Option<u32> {
        let (node, red) = (turn.1, self.reds[red]);
        self.remove_blue(turn);
        let output = self.rows[edge.0][edge.1 as usize].output;
        self.merging = true;
        self.set_row(edge, red, output);
        let score = self.fold(red, node);
        self.merging = false;
        score
    }

    /// Folds the subtree of `node` into the machine at `state`.
    fn fold(&mut self, state: Node, node: Node) -> Option<u32> {
        let mut queue = std::mem::take(&mut self.queue);
        queue.clear();
        queue.push((state, node));
        let (mut at, mut score) = (0, 0);
        while at < queue.len() {
            let (state, node) = queue[at];
            at += 1;
            let mut child = self.tree.entries[node as usize].first;
            while child != NONE {
                let Entry { input, output, next, .. } = self.tree.entries[child as usize];
                match self.step(state, input) {
                    Some((_, other)) if other != output => {
                        self.queue = queue;
                        return None;
                    }
                    Some((target, _)) => {
                        score += 1;
                        queue.push((target, child));
                    }
                    None => self.attach(state, child),
                }
                child = next;
            }
        }
        self.queue = queue;
        Some(score)
    }

    /// Hangs a node on a state that does not know its input.
    fn attach(&mut self, state: Node, child: Node) {
        let Entry { input, output, next, .. } = self.tree.entries[child as usize];
        let place = self.places[state as usize];
        if place != NONE {
            let edge = (place as usize, input);
            self.set_row(edge, child, output);
            self.add_blue(child, edge);
        } else {
            let first = self.tree.entries[state as usize].first;
            self.log.push(Change::Next(child, next));
            self.log.push(Change::First(state, first));
            self.tree.entries[child as usize].next = first;
            self.tree.entries[state as usize].first = child;
        }
    }

    fn promote(&mut self, node: Node, above: usize) {
        let place = self.reds.len();
        self.places[node as usize] = place as u32;
        self.reds.push(node);
        self.above.push(above);
        self.rows.push(Vec::new());
        self.changed.push(self.changes);
        self.note_change(place);
        self.index.label(place, self.tree.entries[node as usize].output);
        self.log.push(Change::Promoted);
        let mut child = self.tree.entries[node as usize].first;
        while child != NONE {
            let Entry { input, output, next, .. } = self.tree.entries[child as usize];
            self.set_row((place, input), child, output);
            self.add_blue(child, (place, input));
            child = next;
        }
    }

    fn set_row(&mut self, edge: Edge, to: Node, output: Output) {
        let by = if self.merging { self.decisions.len() as u32 - 1 } else { NONE };
        let row = &mut self.rows[edge.0];
        let input = edge.1 as usize;
        if row.len() <= input {
            row.resize(input + 1, Leads::NOWHERE);
        }
        let old = std::mem::replace(&mut row[input], Leads { to, output, by });
        self.index.answer(edge, old.answer(), Some(output));
        self.log.push(Change::Row(edge, old));
        self.note_change(edge.0);
    }

    fn note_change(&mut self, place: usize) {
        self.changes += 1;
        self.changed[place] = self.changes;
    }

    fn add_blue(&mut self, node: Node, edge: Edge) {
        self.turns += 1;
        let turn = match self.order {
            Order::Nearest => (u64::from(self.depths[node as usize]), node),
            Order::First | Order::Evidence => (self.turns, node),
        };
        self.blue.insert(turn, edge);
        self.log.push(Change::BlueAdded(turn));
    }

    fn remove_blue(&mut self, turn: Turn) {
        if let Some(edge) = self.blue.remove(&turn) {
            self.log.push(Change::BlueRemoved(turn, edge));
        }
    }

    /// Brings a new node of the tree to its place in the machine; `false` if it contradicts it.
    fn insert(&mut self, node: Node) -> bool {
        let parent = self.tree.parents[node as usize];
        let state = match self.latest {
            Some((latest, before, input)) if latest == parent => {
                self.step(before, input).map(|(state, _)| state)
            }
            _ => self.state_of(parent),
        };
        let Some(state) = state else { return false };
        let Entry { input, output, .. } = self.tree.entries[node as usize];
        match self.step(state, input) {
            Some((_, other)) if other != output => false,
            known => {
                self.log.push(Change::Inserted(node));
                if known.is_none() {
                    self.attach(state, node);
                }
                self.latest = Some((node, state, input));
                true
            }
        }
    }

    /// The first of the merges by which the machine came to contradict a node, of those not long
    /// ago, else the last of them: how many decisions came before it.
    fn culprit(&self, node: Node) -> usize {
        let not_long_ago = self.decisions.len().saturating_sub(NOT_LONG_AGO);
        let (mut first, mut last) = (None::<usize>, None);
        let mut state = Tree::ROOT;
        for input in self.tree.word(node) {
            let place = self.places[state as usize];
            let leads = match place {
                NONE => None,
                place => self.rows[place as usize].get(input as usize),
            };
            // What follows was not merged yet.
            let Some(leads) = leads.filter(|leads| leads.to != NONE) else { break };
            if leads.by != NONE {
                let by = leads.by as usize;
                last = last.max(Some(by));
                if by >= not_long_ago {
                    first = Some(first.map_or(by, |first| first.min(by)));
                }
            }
            state = leads.to;
        }
        first.or(last).unwrap_or(self.decisions.len().saturating_sub(1))
    }

    /// Takes back the last decision, and says which nodes came in after it.
    fn take_back(&mut self) -> Vec<Node> {
        self.undone += 1;
        // Before the first decision the machine is the tree, which contradicts nothing.
        let from = self.decisions.pop().unwrap_or(0);
        self.latest = None;
        self.revert(from)
    }

    /// Undoes everything in the log from there on.
    fn revert(&mut self, from: usize) -> Vec<Node> {
        let mut inserted = Vec::new();
        while self.log.len() > from {
            match self.log.pop() {
                Some(Change::First(node, old)) => self.tree.entries[node as usize].first = old,
                Some(Change::Next(node, old)) => self.tree.entries[node as usize].next = old,
                Some(Change::Row((place, input), old)) => {
                    if let Some(row) = self.rows.get_mut(place) {
                        let new = std::mem::replace(&mut row[input as usize], old);
                        self.index.answer((place, input), new.answer(), old.answer());
                        self.note_change(place);
                    }
                }
                Some(Change::BlueAdded(turn)) => _ = self.blue.remove(&turn),
                Some(Change::BlueRemoved(turn, edge)) => _ = self.blue.insert(turn, edge),
                Some(Change::Promoted) => {
                    self.rows.pop();
                    self.changed.pop();
                    self.above.pop();
                    if let Some(node) = self.reds.pop() {
                        self.index.forget(self.reds.len(), self.tree.entries[node as usize].output);
                        self.places[node as usize] = NONE;
                    }
                }
                Some(Change::Inserted(node)) => inserted.push(node),
                None => {}
            }
        }
        inserted
    }
}

#[cfg(test)]
mod tests;
