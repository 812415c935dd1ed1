//! Our own policy: every step goes where the most is to be learned for the least time.
//!
//! One store (the observation tree), and one machine learned from it. Each enabled input of each state
//! is worth something: most if its like was never performed anywhere, less if only this screen has not
//! seen it, least if only the machine holds this state apart from others that show the same. It costs
//! the way there, in inputs; a restart is one more way, at its own price; and an input that ended the
//! app elsewhere costs the restart that will follow. The best ratio wins. So states are told apart only
//! where that is cheap, screens that say the same are not searched twice while anything new is near,
//! and the app is restarted when that is the shorter way, not before.
//!
//! When every input of every state has been tried, pairs of inputs that never followed one another are:
//! this is where a machine that merged too much is caught.

use crate::knowledge::Knowledge;
use crate::model::Model;
use crate::policy::{Move, Policy};
use crate::swifthand::pick;
use capuchin::ui::Rng;
use capuchin_automata::{Input, Node, Order, Output};
use std::collections::BTreeMap;

/// Less doubt than that is no reason to go on: there is always some.
const LEAST_DOUBT: f64 = 0.03;
/// What was gone for in vain so often is given up.
const MOST_IN_VAIN: u32 = 4;

/// What an untried input is worth.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Worth {
    /// If nothing of its group was performed yet.
    pub group: f64,
    /// If it was not performed anywhere yet.
    pub input: f64,
    /// If it was not performed on this screen yet.
    pub screen: f64,
    /// If it was not performed in this state of the machine yet.
    pub state: f64,
    /// If it was, but by another way, and there is doubt whether this is the same state.
    pub doubt: f64,
    /// If it was, but not with just this filled in and ticked.
    pub detail: f64,
}

impl Default for Worth {
    fn default() -> Self {
        Worth { group: 0.5, input: 1.0, screen: 0.5, state: 0.05, doubt: 1.0, detail: 0.5 }
    }
}

/// The policy.
pub struct Frugal {
    worth: Worth,
    /// What a restart costs, in inputs.
    restart: f64,
    model: Model,
    /// What is to be done next, the last thing first; `None` is a restart.
    plan: Vec<Option<Input>>,
    target: Option<(Output, Input)>,
    /// How often each input was gone for in vain.
    in_vain: BTreeMap<(Output, Input), u32>,
}

impl Frugal {
    /// For an app whose restart takes as long as so many inputs.
    pub fn new(restart: f64) -> Self {
        Frugal {
            worth: Worth::default(),
            restart,
            model: Model::new(Order::Nearest),
            plan: Vec::new(),
            target: None,
            in_vain: BTreeMap::new(),
        }
    }

    /// What it is worth to perform an input in a state where that was never done.
    fn worth(&self, known: &Knowledge, label: Output, input: Input) -> f64 {
        let share = |times: u32| 1.0 / f64::from(1 + times);
        let Worth { group, input: anywhere, screen, state, .. } = self.worth;
        let novelty = group * share(known.group_record(input).times)
            + anywhere * share(known.record(input).times)
            + screen * share(known.label_record(label, input).times)
            + state;
        let in_vain = self.in_vain.get(&(label, input)).copied().unwrap_or(0);
        // What brought news elsewhere may do so here.
        let record = known.group_record(input);
        let luck = f64::from(record.news + 1) / f64::from(record.times + 2);
        novelty * (0.5 + luck) * share(in_vain * in_vain)
    }

    /// What an input is likely to cost: itself, and the restart if it ends the app.
    fn cost(&self, known: &Knowledge, label: Output, input: Input) -> f64 {
        let own = known.record(input);
        // Of what was never performed, its neighbours on the screen tell.
        let record = if own.times > 0 { own } else { known.screen_record(label) };
        1.0 + self.restart * f64::from(record.ended) / f64::from(record.times + 1)
    }

    /// The untried input with the best ratio, and the way to it. Nothing, if nothing is untried.
    fn best_untried(&self, known: &Knowledge, now: Node, rng: &mut Rng) -> Option<Plan> {
        let distances = self.model.distances(known, now, Some(self.restart));
        let mut best = Best::default();
        for state in self.model.states() {
            let label = self.model.label(*state);
            let distance = self.model.cost(&distances, *state);
            if distance.is_finite() {
                for input in self.model.untried(known, *state) {
                    let cost = distance + self.cost(known, label, input);
                    best.offer(self.worth(known, label, input) / cost, *state, input, rng);
                }
            }
        }
        // An input may not do the same with other things filled in and ticked.
        let label = known.label();
        for input in known.enabled_now() {
            let record = known.label_record(label, *input);
            if record.times > 0 && !known.is_tried_on_sight(*input) {
                let worth = self.worth.detail / f64::from(1 + record.times);
                best.offer(worth / self.cost(known, label, *input), now, *input, rng);
            }
        }
        // The state may not be the one that the machine takes it for: what is known of that one tells.
        let doubt = known.doubt(label);
        for (input, next) in self.model.edges(known, now) {
            let is_telling = self.model.label(next) != label && doubt > LEAST_DOUBT;
            if is_telling && known.tree().child(known.at(), input).is_none() {
                let worth = self.worth.doubt * doubt;
                best.offer(worth / self.cost(known, label, known.base(input)), now, input, rng);
            }
        }
        let (_, state, input) = best.found?;
        let mut way = self.model.path(&distances, state);
        way.push(Some(input));
        Some(Plan { way, target: (self.model.label(state), input) })
    }

    /// The nearest two inputs that never followed one another, and the way to them.
    fn nearest_pair(&self, known: &Knowledge, now: Node, rng: &mut Rng) -> Option<Plan> {
        let distances = self.model.distances(known, now, Some(self.restart));
        let mut best: Option<(f64, Node, Input, Input)> = None;
        for state in self.model.states() {
            let label = self.model.label(*state);
            let distance = self.model.cost(&distances, *state);
            if distance.is_infinite() {
                continue;
            }
            for (first, next) in self.model.edges(known, *state) {
                let performed = known.base(first);
                for second in known.enabled(self.model.label(next)) {
                    if known.knows_pair(label, performed, *second) {
                        continue;
                    }
                    let in_vain = self.in_vain.get(&(label, *second)).copied().unwrap_or(0);
                    if in_vain > MOST_IN_VAIN {
                        continue;
                    }
                    let there = self.model.label(next);
                    let cost = (distance
                        + self.cost(known, label, performed)
                        + self.cost(known, there, *second))
                        * f64::from(1 + in_vain)
                        * (1.0 + 0.001 * rng.unit());
                    if best.is_none_or(|(least, ..)| cost < least) {
                        best = Some((cost, *state, first, *second));
                    }
                }
            }
        }
        let (_, state, first, second) = best?;
        let mut way = self.model.path(&distances, state);
        way.extend([Some(first), Some(second)]);
        Some(Plan { way, target: (self.model.label(state), second) })
    }

    fn follow_plan(&mut self, known: &Knowledge) -> Option<Move> {
        let next = match self.plan.pop()? {
            None => return Some(Move::Restart),
            Some(input) => known.base(input),
        };
        if known.enabled_now().contains(&next) {
            return Some(Move::Perform(next));
        }
        self.plan.clear();
        None
    }
}

/// The best of what was offered.
#[derive(Default)]
struct Best {
    found: Option<(f64, Node, Input)>,
}

impl Best {
    fn offer(&mut self, ratio: f64, state: Node, input: Input, rng: &mut Rng) {
        // Between equals, the seed decides.
        let ratio = ratio * (1.0 + 0.001 * rng.unit());
        if self.found.is_none_or(|(most, ..)| ratio > most) {
            self.found = Some((ratio, state, input));
        }
    }
}

struct Plan {
    way: Vec<Option<Input>>,
    target: (Output, Input),
}

impl Policy for Frugal {
    fn next(&mut self, known: &Knowledge, rng: &mut Rng) -> Move {
        if self.model.follow(known) && !self.plan.is_empty() {
            self.plan.clear();
            if let Some(target) = self.target {
                *self.in_vain.entry(target).or_default() += 1;
            }
        }
        let now = self.model.now(known);
        let mut plan = self.best_untried(known, now, rng);
        if plan.is_none() {
            // Half a pair is worth nothing: what was begun is brought to its end.
            if let Some(next) = self.follow_plan(known) {
                return next;
            }
            plan = self.nearest_pair(known, now, rng);
        }
        let Some(plan) = plan else { return Move::Stop };
        self.target = Some(plan.target);
        self.plan = plan.way;
        self.plan.reverse();
        self.follow_plan(known).unwrap_or_else(|| {
            // The screen does not offer what its label promises.
            *self.in_vain.entry(plan.target).or_default() += 1;
            match pick(known.enabled_now(), rng) {
                Some(input) => Move::Perform(*input),
                None if known.depth() == 0 => Move::Stop,
                None => Move::Restart,
            }
        })
    }

    fn states(&self) -> Option<usize> {
        Some(self.model.states().len())
    }
}
