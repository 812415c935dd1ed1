//! The machine that a policy steers by: learned from the tree, and kept up to date with it.
//!
//! A step changes the machine in a place or two. So what a policy asks for at every step (the edges
//! of a state, what is untried there, where the app stands) is kept, and made again only where the
//! machine has changed.

use crate::knowledge::Knowledge;
use capuchin_automata::{Input, Labels, Merger, Node, Order, Output, Tree};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// A learned machine, and where the app stands in it.
pub(crate) struct Model {
    order: Order,
    merger: Option<Merger>,
    revision: u32,
    /// For each state, by its place.
    views: Vec<View>,
    /// Where the app stands, in the tree and in the machine.
    here: (Node, Node),
}

/// What the machine says of a state.
#[derive(Default)]
struct View {
    state: Node,
    changed: u64,
    /// Where inputs lead to, as far as they were tried and are still to be had: what was folded
    /// away is not.
    edges: Vec<(Input, Node)>,
    /// The enabled inputs that were never performed.
    untried: Vec<Input>,
}

/// What came of following what is known.
pub(crate) struct Followed {
    /// The machine was wrong, and plans made with it are void.
    pub(crate) was_wrong: bool,
    /// The places of the states whose edges are others now. Those beyond the states are gone.
    pub(crate) changed: Vec<usize>,
}

impl Model {
    pub(crate) fn new(order: Order) -> Self {
        let here = (Tree::ROOT, Tree::ROOT);
        Model { order, merger: None, revision: 0, views: Vec::new(), here }
    }

    /// Takes in what is known by now.
    pub(crate) fn follow(&mut self, known: &Knowledge) -> Followed {
        let was_wrong = match &mut self.merger {
            Some(merger) if self.revision == known.revision() => {
                let undone = merger.undone();
                merger.grow(known.tree());
                merger.run();
                merger.undone() > undone
            }
            merger => {
                self.revision = known.revision();
                self.views.clear();
                let mut new = Merger::new(known.tree(), Labels::OfStates, self.order);
                new.run();
                self.here = (Tree::ROOT, Tree::ROOT);
                merger.replace(new).is_some()
            }
        };
        self.find_here(known, was_wrong);
        Followed { was_wrong, changed: self.look_again(known) }
    }

    /// Where nothing was taken back, the app is one step on from where it was.
    fn find_here(&mut self, known: &Knowledge, was_wrong: bool) {
        let Some(merger) = &self.merger else { return };
        let (tree, at) = (known.tree(), known.at());
        let (node, state) = self.here;
        let next = match tree.parent(at) {
            _ if was_wrong => None,
            _ if at == node => Some(state),
            Some(parent) if parent == node => {
                merger.step(state, tree.input(at)).map(|(next, _)| next)
            }
            _ => None,
        };
        let next = next.or_else(|| merger.state_of(at));
        self.here = (at, next.unwrap_or(Tree::ROOT));
    }

    /// Brings the views up to date, and says which of them are others now.
    fn look_again(&mut self, known: &Knowledge) -> Vec<usize> {
        let Some(merger) = &self.merger else { return Vec::new() };
        self.views.truncate(merger.states().len());
        let mut others = Vec::new();
        for (place, state) in merger.states().iter().copied().enumerate() {
            let changed = merger.changed(state);
            let old = self.views.get(place);
            if old.is_some_and(|old| old.state == state && old.changed == changed) {
                continue;
            }
            let enabled = known.enabled(merger.label(state));
            let edges: Vec<(Input, Node)> = merger
                .edges(state)
                .filter(|(input, ..)| enabled.contains(&known.base(*input)))
                .map(|(input, to, _)| (input, to))
                .collect();
            let is_other = old.is_none_or(|old| old.state != state || old.edges != edges);
            let tried: BTreeSet<Input> =
                edges.iter().map(|(input, _)| known.base(*input)).collect();
            let untried = enabled.iter().copied().filter(|input| !tried.contains(input)).collect();
            let view = View { state, changed, edges, untried };
            match self.views.get_mut(place) {
                Some(old) => *old = view,
                None => self.views.push(view),
            }
            if is_other {
                others.push(place);
            }
        }
        others
    }

    /// The states; the first is the initial one.
    pub(crate) fn states(&self) -> &[Node] {
        self.merger.as_ref().map_or(&[], Merger::states)
    }

    /// The place of a state among them.
    pub(crate) fn place(&self, state: Node) -> usize {
        self.merger.as_ref().map_or(0, |merger| merger.place(state))
    }

    pub(crate) fn label(&self, state: Node) -> Output {
        self.merger.as_ref().map_or(0, |merger| merger.label(state))
    }

    /// Where the inputs of a state lead to, as far as they were tried and are still to be had.
    pub(crate) fn edges(&self, state: Node) -> &[(Input, Node)] {
        self.views.get(self.place(state)).map_or(&[], |view| &view.edges)
    }

    /// The enabled inputs of a state that were never performed in it.
    pub(crate) fn untried(&self, state: Node) -> &[Input] {
        self.views.get(self.place(state)).map_or(&[], |view| &view.untried)
    }

    /// Where the app stands.
    pub(crate) fn now(&self) -> Node {
        self.here.1
    }

    /// A search from a state, nearest first; a restart costs so much, or is no way at all.
    pub(crate) fn search(&self, known: &Knowledge, from: Node, restart: Option<f64>) -> Search<'_> {
        let count = self.states().len();
        let mut search = Search {
            model: self,
            cost: vec![f64::INFINITY; count],
            before: vec![None; count],
            open: BinaryHeap::new(),
        };
        search.reach(from, 0.0, None);
        if let (Some(restart), Some(merger)) = (restart, &self.merger) {
            let start = merger.state_of(known.start()).unwrap_or(Tree::ROOT);
            search.reach(start, restart, Some((from, None)));
        }
        search
    }

    /// How far every state is from one, without a restart.
    pub(crate) fn distances(&self, known: &Knowledge, from: Node) -> Search<'_> {
        let mut search = self.search(known, from, None);
        while search.next().is_some() {}
        search
    }
}

/// How far each state is, and by which way, as far as the search has come.
pub(crate) struct Search<'m> {
    model: &'m Model,
    /// By the place of a state.
    cost: Vec<f64>,
    before: Vec<Option<(Node, Option<Input>)>>,
    /// Costs are sums of a few numbers: as bits, positive ones are in the order of their values.
    open: BinaryHeap<Reverse<(u64, Node)>>,
}

impl Search<'_> {
    fn reach(&mut self, state: Node, cost: f64, before: Option<(Node, Option<Input>)>) {
        let place = self.model.place(state);
        if self.cost.get(place).is_some_and(|known| cost < *known) {
            self.cost[place] = cost;
            self.before[place] = before;
            self.open.push(Reverse((cost.to_bits(), state)));
        }
    }

    /// The next state, and how far it is.
    pub(crate) fn next(&mut self) -> Option<(Node, f64)> {
        let model = self.model;
        while let Some(Reverse((bits, state))) = self.open.pop() {
            let cost = f64::from_bits(bits);
            if cost > self.cost(state) {
                continue;
            }
            for (input, to) in model.edges(state) {
                self.reach(*to, cost + 1.0, Some((state, Some(*input))));
            }
            return Some((state, cost));
        }
        None
    }

    /// How far a state is; infinite if the search has not met it.
    pub(crate) fn cost(&self, to: Node) -> f64 {
        self.cost.get(self.model.place(to)).copied().unwrap_or(f64::INFINITY)
    }

    /// What leads from where the search began to a state; `None` in it is a restart.
    pub(crate) fn path(&self, to: Node) -> Vec<Option<Input>> {
        let mut path = Vec::new();
        let mut at = to;
        while let Some((before, input)) = self.before.get(self.model.place(at)).copied().flatten() {
            path.push(input);
            if input.is_none() || path.len() > self.before.len() {
                break;
            }
            at = before;
        }
        path.reverse();
        path
    }
}
