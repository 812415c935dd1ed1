//! SwiftHand (algorithm 1 of the paper): walk to where something is untried, by a machine that is learned
//! on the way, and restart only when there is no other way.
//!
//! Where the pseudo-code leaves something open, this is how it is read. At a screen on which nothing can
//! be done the app is restarted, as case 0 says. A sequence is explored if it was executed without gaps.
//! In a machine with a cycle there is always a walk that was never executed, so the search for one is
//! bounded. The decisions of section 3.2 are [`Heuristics`], each by name.

use crate::knowledge::Knowledge;
use crate::model::{Distances, Model};
use crate::policy::{Move, Policy};
use capuchin::ui::Rng;
use capuchin_automata::{Input, Node, Order, Tree};

/// Which untried input is gone for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frontier {
    /// A random one of a random state that can be reached.
    Random,
    /// One of the nearest state.
    Nearest,
}

/// By which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One with a sequence of inputs that was never executed, if a few tries find one.
    Unexplored,
    /// The shortest.
    Shortest,
}

/// The decisions that section 3.2 of the paper names.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Heuristics {
    /// Which untried input is gone for.
    pub frontier: Frontier,
    /// By which way.
    pub way: Way,
    /// Which state a new one is taken for.
    pub merge: Order,
    /// The longest walk that looks for a mistake in a machine that is complete.
    pub walk: usize,
    /// After so many inputs the app is restarted.
    pub max_length: usize,
}

impl Default for Heuristics {
    fn default() -> Self {
        Heuristics {
            frontier: Frontier::Random,
            way: Way::Unexplored,
            merge: Order::Nearest,
            walk: 20,
            max_length: 50,
        }
    }
}

/// How many walks are drawn in search of one that was never executed.
const TRIES: u32 = 20;

/// The SwiftHand policy.
pub struct SwiftHand {
    heuristics: Heuristics,
    model: Model,
    /// What is to be done next, the last thing first.
    plan: Vec<Input>,
}

impl Default for SwiftHand {
    /// As in the paper.
    fn default() -> Self {
        SwiftHand::new(Heuristics::default())
    }
}

impl SwiftHand {
    /// With these decisions.
    pub fn new(heuristics: Heuristics) -> Self {
        SwiftHand { model: Model::new(heuristics.merge), heuristics, plan: Vec::new() }
    }

    /// An untried input that can be reached, and the way to it.
    fn to_frontier(&self, known: &Knowledge, now: Node, rng: &mut Rng) -> Option<Vec<Input>> {
        let distances = self.model.distances(known, now, None);
        let mut frontier: Vec<(f64, Node)> = self
            .model
            .states()
            .iter()
            .map(|state| (self.model.cost(&distances, *state), *state))
            .filter(|(cost, state)| {
                cost.is_finite() && !self.model.untried(known, *state).is_empty()
            })
            .collect();
        if self.heuristics.frontier == Frontier::Nearest {
            let nearest = frontier.iter().map(|(cost, _)| *cost).fold(f64::INFINITY, f64::min);
            frontier.retain(|(cost, _)| *cost == nearest);
        }
        let (_, target) = *pick(&frontier, rng)?;
        let input = *pick(&self.model.untried(known, target), rng)?;
        let mut way = self.way(known, &distances, now, target, rng);
        way.push(input);
        Some(way)
    }

    fn way(
        &self,
        known: &Knowledge,
        distances: &Distances,
        now: Node,
        target: Node,
        rng: &mut Rng,
    ) -> Vec<Input> {
        let shortest: Vec<Input> =
            self.model.path(distances, target).into_iter().flatten().collect();
        let room = self.heuristics.max_length.saturating_sub(known.depth());
        if self.heuristics.way == Way::Shortest
            || shortest.is_empty()
            || !is_explored(known, &shortest)
        {
            return shortest;
        }
        // By way of some other state.
        for _ in 0..TRIES {
            let Some(over) = pick(self.model.states(), rng).copied() else { break };
            if over == now || over == target || !self.model.cost(distances, over).is_finite() {
                continue;
            }
            let onward = self.model.distances(known, over, None);
            if !self.model.cost(&onward, target).is_finite() {
                continue;
            }
            let mut way: Vec<Input> =
                self.model.path(distances, over).into_iter().flatten().collect();
            way.extend(self.model.path(&onward, target).into_iter().flatten());
            if way.len() < room && !is_explored(known, &way) {
                return way;
            }
        }
        shortest
    }

    fn is_complete(&self, known: &Knowledge) -> bool {
        self.model.states().iter().all(|state| self.model.untried(known, *state).is_empty())
    }

    /// A random walk in the machine that was never executed: it may show that the machine is wrong.
    fn walk(&self, known: &Knowledge, now: Node, rng: &mut Rng) -> Option<Vec<Input>> {
        for _ in 0..TRIES {
            let (mut state, mut walk) = (now, Vec::new());
            while walk.len() < self.heuristics.walk {
                let edges: Vec<(Input, Node)> = self.model.edges(known, state).collect();
                let Some((input, next)) = pick(&edges, rng) else { break };
                walk.push(*input);
                state = *next;
                if !is_explored(known, &walk) {
                    return Some(walk);
                }
            }
        }
        None
    }
}

impl Policy for SwiftHand {
    fn next(&mut self, known: &Knowledge, rng: &mut Rng) -> Move {
        if self.model.follow(known) {
            self.plan.clear();
        }
        let enabled = known.enabled_now();
        if let Some(input) = self.plan.pop().map(|input| known.base(input)) {
            if enabled.contains(&input) {
                return Move::Perform(input);
            }
            self.plan.clear();
        }
        let at_start = known.at() == Tree::ROOT;
        if known.depth() > self.heuristics.max_length {
            return Move::Restart;
        }
        let now = self.model.now(known);
        let way = match self.to_frontier(known, now, rng) {
            Some(way) => Some(way),
            None if self.is_complete(known) => self.walk(known, now, rng),
            None => None,
        };
        let Some(mut way) = way else {
            return if at_start { Move::Stop } else { Move::Restart };
        };
        way.reverse();
        self.plan = way;
        match self.plan.pop().map(|input| known.base(input)) {
            Some(input) if enabled.contains(&input) => Move::Perform(input),
            _ => Move::Restart,
        }
    }

    fn states(&self) -> Option<usize> {
        Some(self.model.states().len())
    }
}

/// Whether the inputs were ever executed one right after the other, from anywhere.
fn is_explored(known: &Knowledge, word: &[Input]) -> bool {
    let tree = known.tree();
    (0..tree.len() as Node)
        .any(|start| word.iter().try_fold(start, |node, input| tree.child(node, *input)).is_some())
}

/// One of them, each as likely as the others.
pub(crate) fn pick<'a, T>(of: &'a [T], rng: &mut Rng) -> Option<&'a T> {
    of.get(rng.below(of.len() as u64) as usize)
}
