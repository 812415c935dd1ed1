//! Many plans for one goal, each longer than or as long as the one before.
//!
//! A best-first search by length and heuristic that goes on after its first plan and visits a state
//! by several paths. Test suites want plans that differ; the shortest one is only the first.

use super::ff::Ff;
use super::registry::Registry;
use super::successors::Successors;
use super::{Limits, Stopped};
use crate::compiled::{CompiledCondition, CompiledOperator, Scratch};
use crate::ground::Task;
use crate::pddl::Step;
use crate::reduce::{Reduced, reduce};
use crate::relaxed::Relaxed;
use std::collections::BTreeMap;
use std::collections::VecDeque;

/// By how many paths a state is visited.
const MOST_VISITS: u32 = 16;
/// How much the heuristic counts beside the length so far.
const WEIGHT: u32 = 2;

/// The plans of a task, of growing length. Made by [`Task::plans`].
pub struct Plans<'a> {
    limits: Limits<'a>,
    search: Option<Search>,
    longest: usize,
}

struct Search {
    reduced: Reduced,
    operators: Vec<CompiledOperator>,
    successors: Successors,
    goal: CompiledCondition,
    ff: Ff,
    registry: Registry,
    /// For each state its heuristic value, if it is no dead end, and how often it was visited.
    seen: Vec<(Option<u32>, u32)>,
    /// A path: the node before, the operator, the state and the length.
    nodes: Vec<Node>,
    open: BTreeMap<u32, VecDeque<u32>>,
    evaluated: u64,
    scratch: Scratch,
}

#[derive(Clone, Copy)]
struct Node {
    before: u32,
    operator: u32,
    state: u32,
    length: u32,
}

impl Task {
    /// Different plans for the goal of the problem, none shorter than the one before. The iterator
    /// ends when there are no more, or with the limit that it has run into.
    pub fn plans<'a>(&self, limits: Limits<'a>) -> Plans<'a> {
        let goal = self.goal.as_ref();
        let reduced =
            goal.and_then(|goal| reduce(self.facts.len(), &self.operators, &self.init, goal));
        Plans { limits, search: reduced.map(Search::new), longest: 0 }
    }
}

impl Iterator for Plans<'_> {
    type Item = Result<Vec<Step>, Stopped>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.search.as_mut()?.next(&mut self.limits) {
                Ok(Some(plan)) if plan.len() < self.longest => {}
                Ok(Some(plan)) => {
                    self.longest = plan.len();
                    return Some(Ok(plan));
                }
                Ok(None) => {
                    self.search = None;
                    return None;
                }
                Err(stopped) => {
                    self.search = None;
                    return Some(Err(stopped));
                }
            }
        }
    }
}

impl Search {
    fn new(reduced: Reduced) -> Self {
        let facts = reduced.facts.len();
        let relaxed = Relaxed::new(facts, &reduced.operators, &reduced.goal);
        let mut search = Search {
            operators: reduced.operators.iter().map(CompiledOperator::new).collect(),
            successors: Successors::new(facts, &reduced.operators),
            goal: CompiledCondition::new(&reduced.goal),
            ff: Ff::new(relaxed, reduced.operators.len()),
            registry: Registry::new(reduced.init.len()),
            seen: Vec::new(),
            nodes: Vec::new(),
            open: BTreeMap::new(),
            evaluated: 0,
            scratch: Scratch::new(),
            reduced,
        };
        let init = search.reduced.init.clone();
        search.visit(&init, Node { before: 0, operator: 0, state: 0, length: 0 });
        search
    }

    /// The next plan.
    fn next(&mut self, limits: &mut Limits<'_>) -> Result<Option<Vec<Step>>, Stopped> {
        let mut applicable = Vec::new();
        while let Some(mut first) = self.open.first_entry() {
            let Some(number) = first.get_mut().pop_front() else {
                first.remove();
                continue;
            };
            let node = self.nodes[number as usize];
            let state = self.registry.state(node.state).to_vec();
            if self.goal.holds(&state) {
                return Ok(Some(self.plan(number)));
            }
            self.successors.of(&state, &self.operators, &mut applicable);
            for operator in &applicable {
                let mut after = state.clone();
                self.operators[*operator as usize].apply(&mut after, &mut self.scratch);
                let length = node.length + 1;
                self.visit(&after, Node { before: number, operator: *operator, state: 0, length });
            }
            let bytes = self.registry.bytes() + self.nodes.len() * size_of::<Node>();
            limits.check(self.evaluated, bytes)?;
        }
        Ok(None)
    }

    /// Notes a path to a state, unless it was visited often enough or the path has been there.
    fn visit(&mut self, state: &[u64], mut node: Node) {
        let is_new = self.registry.insert(state, 0, 0);
        node.state = match is_new.or_else(|| self.registry.find(state)) {
            Some(state) => state,
            None => return,
        };
        if is_new.is_some() {
            self.evaluated += 1;
            let value = self.ff.evaluate(state);
            self.seen.push((value, 0));
        }
        let (Some(value), visits) = self.seen[node.state as usize] else { return };
        // Every path to the goal is a plan.
        if visits >= MOST_VISITS && !self.goal.holds(state) {
            return;
        }
        if node.length > 0 && self.has_been(node.before, node.state) {
            return;
        }
        self.seen[node.state as usize].1 += 1;
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.open.entry(node.length + WEIGHT * value).or_default().push_back(number);
    }

    fn has_been(&self, mut number: u32, state: u32) -> bool {
        loop {
            let node = self.nodes[number as usize];
            if node.state == state {
                return true;
            }
            if node.length == 0 {
                return false;
            }
            number = node.before;
        }
    }

    fn plan(&self, mut number: u32) -> Vec<Step> {
        let mut plan = Vec::new();
        while self.nodes[number as usize].length > 0 {
            let node = self.nodes[number as usize];
            plan.push(self.reduced.operators[node.operator as usize].step.clone());
            number = node.before;
        }
        plan.reverse();
        plan
    }
}
