//! The machine that a policy steers by: learned from the tree, and kept up to date with it.

use crate::knowledge::Knowledge;
use capuchin_automata::{Input, Labels, Merger, Node, Order, Output, Tree};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// A learned machine, and where the app stands in it.
pub(crate) struct Model {
    order: Order,
    merger: Option<Merger>,
    revision: u32,
}

impl Model {
    pub(crate) fn new(order: Order) -> Self {
        Model { order, merger: None, revision: 0 }
    }

    /// Takes in what is known by now. `true`: the machine was wrong, and plans made with it are void.
    pub(crate) fn follow(&mut self, known: &Knowledge) -> bool {
        let undone = match &mut self.merger {
            Some(merger) if self.revision == known.revision() => {
                let undone = merger.undone();
                merger.grow(known.tree());
                merger.run();
                merger.undone() - undone
            }
            merger => {
                self.revision = known.revision();
                let mut new = Merger::new(known.tree(), Labels::OfStates, self.order);
                new.run();
                u64::from(merger.replace(new).is_some())
            }
        };
        undone > 0
    }

    fn merger(&self) -> Option<&Merger> {
        self.merger.as_ref()
    }

    /// The states; the first is the initial one.
    pub(crate) fn states(&self) -> &[Node] {
        self.merger().map_or(&[], Merger::states)
    }

    pub(crate) fn label(&self, state: Node) -> Output {
        self.merger().map_or(0, |merger| merger.label(state))
    }

    /// Where the inputs of a state lead to, as far as they were tried and are still to be had: what was
    /// folded away is not.
    pub(crate) fn edges<'a>(
        &'a self,
        known: &'a Knowledge,
        state: Node,
    ) -> impl Iterator<Item = (Input, Node)> + 'a {
        let enabled = known.enabled(self.label(state));
        let edges = self.merger().into_iter().flat_map(move |merger| merger.edges(state));
        edges
            .filter(|(input, ..)| enabled.contains(&known.base(*input)))
            .map(|(input, to, _)| (input, to))
    }

    /// Where the app stands.
    pub(crate) fn now(&self, known: &Knowledge) -> Node {
        self.merger().and_then(|m| m.state_of(known.tree(), known.at())).unwrap_or(Tree::ROOT)
    }

    /// The enabled inputs of a state that were never performed in it.
    pub(crate) fn untried(&self, known: &Knowledge, state: Node) -> Vec<Input> {
        let tried: BTreeSet<Input> =
            self.edges(known, state).map(|(input, _)| known.base(input)).collect();
        let enabled = known.enabled(self.label(state)).iter();
        enabled.copied().filter(|input| !tried.contains(input)).collect()
    }

    /// How far each state is from here, by its place; a restart costs so much, or is no way at all.
    pub(crate) fn distances(
        &self,
        known: &Knowledge,
        from: Node,
        restart: Option<f64>,
    ) -> Distances {
        let Some(merger) = self.merger() else { return Distances::default() };
        let count = merger.states().len();
        let mut distances =
            Distances { cost: vec![f64::INFINITY; count], before: vec![None; count] };
        // Costs are sums of a few numbers: as bits, positive ones are in the order of their values.
        let mut open = BinaryHeap::new();
        let reach = |distances: &mut Distances,
                     open: &mut BinaryHeap<_>,
                     state: Node,
                     cost: f64,
                     before: Option<(Node, Option<Input>)>| {
            let place = merger.place(state);
            if cost < distances.cost[place] {
                distances.cost[place] = cost;
                distances.before[place] = before;
                open.push(Reverse((cost.to_bits(), state)));
            }
        };
        reach(&mut distances, &mut open, from, 0.0, None);
        if let Some(restart) = restart {
            let start = merger.state_of(known.tree(), known.start()).unwrap_or(Tree::ROOT);
            reach(&mut distances, &mut open, start, restart, Some((from, None)));
        }
        while let Some(Reverse((bits, state))) = open.pop() {
            let cost = f64::from_bits(bits);
            if cost > distances.cost[merger.place(state)] {
                continue;
            }
            for (input, to) in self.edges(known, state) {
                let before = Some((state, Some(input)));
                reach(&mut distances, &mut open, to, cost + 1.0, before);
            }
        }
        distances
    }

    /// What leads from where the distances are measured to a state; `None` in it is a restart.
    pub(crate) fn path(&self, distances: &Distances, to: Node) -> Vec<Option<Input>> {
        let Some(merger) = self.merger() else { return Vec::new() };
        let mut path = Vec::new();
        let mut at = to;
        while let Some((before, input)) = distances.before[merger.place(at)] {
            path.push(input);
            if input.is_none() || path.len() > merger.states().len() {
                break;
            }
            at = before;
        }
        path.reverse();
        path
    }

    /// How far a state is.
    pub(crate) fn cost(&self, distances: &Distances, to: Node) -> f64 {
        self.merger().map_or(f64::INFINITY, |merger| distances.cost[merger.place(to)])
    }
}

/// How far each state is, and by which way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distances {
    cost: Vec<f64>,
    before: Vec<Option<(Node, Option<Input>)>>,
}
