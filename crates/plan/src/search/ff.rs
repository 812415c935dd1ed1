//! The FF heuristic with additive costs (Hoffmann and Nebel 2001; Keyder and Geffner 2008): the
//! length of a plan for the delete relaxation, and which of its operators can be applied at once.

use crate::relaxed::{NONE, Relaxed};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Costs below this have a bucket each; few are above.
const BUCKETS: usize = 1 << 12;

/// What an operator still waits for, and the sum of what it has.
#[derive(Clone, Copy, Debug)]
struct Counter {
    left: u32,
    cost: u32,
}

/// The heuristic. It keeps what it allocated.
#[derive(Debug)]
pub(crate) struct Ff {
    relaxed: Relaxed,
    initial: Vec<Counter>,
    counters: Vec<Counter>,
    cost: Vec<u32>,
    supporter: Vec<u32>,
    queue: Queue,
    is_goal: Vec<bool>,
    /// The evaluation in which a proposition or an operator was last used.
    used_proposition: Vec<u32>,
    used_operator: Vec<u32>,
    preferred_in: Vec<u32>,
    evaluation: u32,
    stack: Vec<u32>,
    /// The operators of the last relaxed plan that can be applied at once, in the order found.
    pub(crate) preferred: Vec<u32>,
}

impl Ff {
    pub(crate) fn new(relaxed: Relaxed, operators: usize) -> Self {
        let initial: Vec<Counter> = (0..relaxed.len() as u32)
            .map(|number| Counter {
                left: relaxed.preconditions.get(number).len() as u32,
                cost: u32::from(relaxed.origins[number as usize].0 != NONE),
            })
            .collect();
        let mut is_goal = vec![false; relaxed.propositions];
        relaxed.goal.iter().for_each(|goal| is_goal[*goal as usize] = true);
        Ff {
            counters: initial.clone(),
            initial,
            cost: vec![NONE; relaxed.propositions],
            supporter: vec![NONE; relaxed.propositions],
            queue: Queue::default(),
            is_goal,
            used_proposition: vec![0; relaxed.propositions],
            used_operator: vec![0; operators],
            preferred_in: vec![0; operators],
            evaluation: 0,
            stack: Vec::new(),
            preferred: Vec::new(),
            relaxed,
        }
    }

    pub(crate) fn relaxed(&self) -> &Relaxed {
        &self.relaxed
    }

    /// The length of a relaxed plan; `None` if there is none.
    pub(crate) fn evaluate(&mut self, state: &[u64]) -> Option<u32> {
        self.explore(state).then(|| self.extract())
    }

    /// The propositions of a relaxed plan, but for those that hold already.
    pub(crate) fn relaxed_plan(&mut self, state: &[u64]) -> Vec<u32> {
        if self.evaluate(state).is_none() {
            return Vec::new();
        }
        let is_used = |it: &u32| self.used_proposition[*it as usize] == self.evaluation;
        (0..self.relaxed.propositions as u32).filter(is_used).collect()
    }

    /// Finds the cheapest supporter of every proposition until all goals are reached.
    fn explore(&mut self, state: &[u64]) -> bool {
        self.counters.copy_from_slice(&self.initial);
        self.cost.fill(NONE);
        self.supporter.fill(NONE);
        self.queue.clear();
        for proposition in self.relaxed.holding(state) {
            self.cost[proposition as usize] = 0;
            self.queue.push(0, proposition);
        }
        for operator in &self.relaxed.without_precondition {
            let cost = self.initial[*operator as usize].cost;
            for add in self.relaxed.adds.get(*operator) {
                if cost < self.cost[*add as usize] {
                    self.cost[*add as usize] = cost;
                    self.supporter[*add as usize] = *operator;
                    self.queue.push(cost, *add);
                }
            }
        }
        let mut goals = self.relaxed.goal.len();
        if goals == 0 {
            return true;
        }
        while let Some((cost, proposition)) = self.queue.pop() {
            if self.cost[proposition as usize] < cost {
                continue;
            }
            if self.is_goal[proposition as usize] {
                goals -= 1;
                if goals == 0 {
                    return true;
                }
            }
            for user in self.relaxed.users.get(proposition) {
                let counter = &mut self.counters[*user as usize];
                counter.left -= 1;
                counter.cost = counter.cost.saturating_add(cost).min(NONE - 1);
                if counter.left > 0 {
                    continue;
                }
                let cost = counter.cost;
                for add in self.relaxed.adds.get(*user) {
                    if cost < self.cost[*add as usize] {
                        self.cost[*add as usize] = cost;
                        self.supporter[*add as usize] = *user;
                        self.queue.push(cost, *add);
                    }
                }
            }
        }
        false
    }

    /// Follows the supporters from the goals, and counts the operators.
    fn extract(&mut self) -> u32 {
        self.evaluation += 1;
        self.preferred.clear();
        self.stack.clear();
        self.stack.extend(&self.relaxed.goal);
        let mut length = 0;
        while let Some(proposition) = self.stack.pop() {
            let used = &mut self.used_proposition[proposition as usize];
            if *used == self.evaluation || self.cost[proposition as usize] == 0 {
                continue;
            }
            *used = self.evaluation;
            let supporter = self.supporter[proposition as usize];
            self.stack.extend(self.relaxed.preconditions.get(supporter));
            let (operator, _) = self.relaxed.origins[supporter as usize];
            if operator == NONE {
                continue;
            }
            if self.used_operator[operator as usize] != self.evaluation {
                self.used_operator[operator as usize] = self.evaluation;
                length += 1;
            }
            // It costs itself only: all that it needs is there.
            if self.counters[supporter as usize].cost == 1
                && self.preferred_in[operator as usize] != self.evaluation
            {
                self.preferred_in[operator as usize] = self.evaluation;
                self.preferred.push(operator);
            }
        }
        length
    }
}

/// A monotone queue of propositions by cost.
#[derive(Debug, Default)]
struct Queue {
    buckets: Vec<Vec<u32>>,
    at: usize,
    large: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Queue {
    fn clear(&mut self) {
        self.buckets.iter_mut().for_each(Vec::clear);
        self.at = 0;
        self.large.clear();
    }

    fn push(&mut self, cost: u32, proposition: u32) {
        let place = cost as usize;
        if place >= BUCKETS {
            return self.large.push(Reverse((cost, proposition)));
        }
        if place >= self.buckets.len() {
            self.buckets.resize_with(place + 1, Vec::new);
        }
        self.buckets[place].push(proposition);
    }

    fn pop(&mut self) -> Option<(u32, u32)> {
        while let Some(bucket) = self.buckets.get_mut(self.at) {
            if let Some(proposition) = bucket.pop() {
                return Some((self.at as u32, proposition));
            }
            self.at += 1;
        }
        self.large.pop().map(|Reverse(entry)| entry)
    }
}
