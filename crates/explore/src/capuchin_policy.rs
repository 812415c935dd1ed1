//! Our own policy: every step goes where the most is to be learned for the least time.
//!
//! One store (the observation tree), and one machine learned from it. Each enabled input of each
//! state is worth something: most if its like was never performed anywhere, less if only this
//! screen has not seen it, least if only the machine holds this state apart from others that show
//! the same. It costs the way there, in inputs; a restart is one more way, at its own price; and an
//! input that ended the app elsewhere costs the restart that will follow. The best ratio wins. So
//! states are told apart only where that is cheap, screens that say the same are not searched twice
//! while anything new is near, and the app is restarted when that is the shorter way, not before.
//!
//! The best one is found without looking at all of them: the nearer a state is the less it must be
//! worth, so the search goes outward and ends where nothing that is left could win.
//!
//! When every input of every state has been tried, pairs of inputs that never followed one another
//! are: this is where a machine that merged too much is caught.

use crate::knowledge::{Counts, Knowledge};
use crate::model::{Followed, Model};
use crate::policy::{Decision, Policy};
use crate::swifthand::pick;
use capuchin::ui::{DeviceInfo, Rng};
use capuchin_automata::{Input, Node, Order, Output};
use std::collections::BTreeMap;

/// Stop when the best repeatable input scores below this: there is always some doubt, and on some
/// screens always another detail.
const LEAST_WORTH: f64 = 0.03;
/// The seed changes a score by at most this share: enough to decide between equal ones.
const CHANCE: f64 = 0.001;
/// A target that was missed more often than this is given up.
const MOST_IN_VAIN: u32 = 6;

/// What an input is worth if nothing of its group was performed yet.
const NEW_GROUP: f64 = 0.5;
/// If it was not performed anywhere yet.
const NEW_INPUT: f64 = 1.0;
/// If it was not performed on this screen yet.
const NEW_ON_SCREEN: f64 = 0.5;
/// If it was not performed in this state of the machine yet.
const NEW_IN_STATE: f64 = 0.05;
/// If it was, but by another way, and there is doubt whether this is the same state.
const DOUBTFUL: f64 = 1.0;
/// If it was, but not with just this filled in and ticked.
const NEW_DETAIL: f64 = 0.5;

/// The policy.
pub struct CapuchinPolicy {
    judge: Judge,
    model: Model,
    /// For each state of the model, by its place.
    notes: Vec<Note>,
    /// The inputs to perform next, in reverse order; `None` is a restart.
    plan: Vec<Option<Input>>,
    target: Option<(Output, Input)>,
    /// The state that the step of the plan that is being made leads to, if the machine is right.
    expected: Option<Node>,
    /// What the numbers of labels and inputs mean is of this revision.
    revision: u32,
}

/// Cached scores of a state.
#[derive(Clone, Copy, Default)]
struct Note {
    /// What its untried inputs are worth at most, luck aside. They are never worth more than they
    /// once were.
    novelty: f64,
    /// Whether no two inputs are left that never followed one another.
    is_paired: bool,
}

/// What inputs are worth and cost.
struct Judge {
    /// What a restart costs, in inputs.
    restart: f64,
    /// How often each input was a target and was missed.
    in_vain: BTreeMap<(Output, Input), u32>,
}

impl Judge {
    fn in_vain(&self, label: Output, input: Input) -> u32 {
        self.in_vain.get(&(label, input)).copied().unwrap_or(0)
    }

    /// What it is worth to perform an input in a state where that was never done, luck aside.
    fn novelty(&self, known: &Knowledge, label: Output, input: Input) -> f64 {
        let share = |times: u32| 1.0 / f64::from(1 + times);
        let novelty = NEW_GROUP * share(known.group_counts(input).times)
            + NEW_INPUT * share(known.counts(input).times)
            + NEW_ON_SCREEN * share(known.label_counts(label, input).times)
            + NEW_IN_STATE;
        let in_vain = self.in_vain(label, input);
        if in_vain > MOST_IN_VAIN { 0.0 } else { novelty * share(in_vain * in_vain) }
    }

    /// What brought news elsewhere may do so here.
    fn luck(counts: Counts) -> f64 {
        0.5 + f64::from(counts.news + 1) / f64::from(counts.times + 2)
    }

    /// What an input is likely to cost: itself, and the restart if it ends the app.
    fn cost(&self, known: &Knowledge, label: Output, input: Input) -> f64 {
        let own = known.counts(input);
        // Of what was never performed, its neighbours on the screen tell.
        let counts = if own.times > 0 { own } else { known.screen_counts(label) };
        1.0 + self.restart * f64::from(counts.ended) / f64::from(counts.times + 1)
    }
}

impl CapuchinPolicy {
    /// For the apps of a device, by what it says of the cost of its resets and events.
    pub fn on(info: &DeviceInfo) -> Self {
        CapuchinPolicy::new(info.reset_in_events())
    }

    /// For an app whose restart takes as long as so many inputs.
    pub fn new(restart: f64) -> Self {
        CapuchinPolicy {
            judge: Judge { restart, in_vain: BTreeMap::new() },
            model: Model::new(Order::Nearest),
            notes: Vec::new(),
            plan: Vec::new(),
            target: None,
            expected: None,
            revision: 0,
        }
    }

    /// Takes in what is known by now.
    fn follow(&mut self, known: &Knowledge) {
        let Followed { was_wrong, changed } = self.model.follow(known);
        if self.revision != known.revision() {
            self.revision = known.revision();
            self.judge.in_vain.clear();
            self.target = None;
            self.plan.clear();
        }
        // Not every step leads where it should: the machine may be wrong, or the app unsteady.
        let expected = self.expected.take();
        let is_elsewhere = was_wrong || expected.is_some_and(|state| state != self.model.now());
        if is_elsewhere && !self.plan.is_empty() {
            self.plan.clear();
            self.give_up_target();
        }
        let states = self.model.states();
        self.notes.resize(states.len(), Note::default());
        for place in changed {
            let label = self.model.label(states[place]);
            let untried = self.model.untried(states[place]).iter();
            let novelties = untried.map(|input| self.judge.novelty(known, label, *input));
            let novelty = novelties.fold(0.0, f64::max);
            self.notes[place] = Note { novelty, is_paired: false };
        }
    }

    fn give_up_target(&mut self) {
        if let Some(target) = self.target {
            *self.judge.in_vain.entry(target).or_default() += 1;
        }
    }

    /// The untried input with the best ratio, and the way to it. Nothing, if nothing is untried.
    fn best_untried(&mut self, known: &Knowledge, rng: &mut Rng) -> Option<Plan> {
        let CapuchinPolicy { judge, model, notes, .. } = self;
        let (now, mut best) = (model.now(), Best::default());
        // An input may not do the same with other things filled in and ticked.
        let label = known.label();
        for input in known.enabled_now() {
            let counts = known.label_counts(label, *input);
            let worth = NEW_DETAIL / f64::from(1 + counts.times);
            if counts.times > 0 && worth > LEAST_WORTH && !known.is_tried_on_summary(*input) {
                best.offer(worth / judge.cost(known, label, *input), now, *input, rng);
            }
        }
        // The state may not be the one that the machine takes it for: what is known of that one
        // tells.
        let doubt = known.doubt(label);
        for (input, next) in model.edges(now) {
            let is_telling = model.label(*next) != label && doubt > LEAST_WORTH;
            if is_telling && known.tree().child(known.at(), *input).is_none() {
                let worth = DOUBTFUL * doubt;
                best.offer(worth / judge.cost(known, label, known.base(*input)), now, *input, rng);
            }
        }
        let luckiest = known.counts_by_group().iter().copied().map(Judge::luck).fold(1.0, f64::max);
        let most = notes.iter().map(|note| note.novelty).fold(0.0, f64::max);
        let mut search = model.search(known, now, Some(judge.restart));
        while let Some((state, distance)) = search.next() {
            let may_win = |novelty: f64| best.may_lose_to(novelty * luckiest / (distance + 1.0));
            if !may_win(most) {
                break;
            }
            let note = &mut notes[model.place(state)];
            if !may_win(note.novelty) {
                continue;
            }
            let label = model.label(state);
            note.novelty = 0.0;
            for input in model.untried(state) {
                let novelty = judge.novelty(known, label, *input);
                if novelty == 0.0 {
                    continue;
                }
                note.novelty = note.novelty.max(novelty);
                let worth = novelty * Judge::luck(known.group_counts(*input));
                let cost = distance + judge.cost(known, label, *input);
                best.offer(worth / cost, state, *input, rng);
            }
        }
        let (_, state, input) = best.0?;
        let mut way = search.path(state);
        way.push(Some(input));
        Some(Plan { way, target: (model.label(state), input) })
    }

    /// The nearest two inputs that never followed one another, and the way to them.
    fn nearest_pair(&mut self, known: &Knowledge, rng: &mut Rng) -> Option<Plan> {
        let CapuchinPolicy { judge, model, notes, .. } = self;
        let mut best: Option<(f64, Node, Input, Input)> = None;
        let mut search = model.search(known, model.now(), Some(judge.restart));
        while let Some((state, distance)) = search.next() {
            if best.is_some_and(|(least, ..)| least <= distance + 2.0) {
                break;
            }
            let note = &mut notes[model.place(state)];
            if note.is_paired {
                continue;
            }
            note.is_paired = true;
            let label = model.label(state);
            for (first, next) in model.edges(state) {
                let (performed, there) = (known.base(*first), model.label(*next));
                for second in known.enabled(there) {
                    let in_vain = judge.in_vain(label, *second);
                    if in_vain > MOST_IN_VAIN || known.knows_pair(label, performed, *second) {
                        continue;
                    }
                    note.is_paired = false;
                    let cost = (distance
                        + judge.cost(known, label, performed)
                        + judge.cost(known, there, *second))
                        * f64::from(1 + in_vain)
                        * (1.0 + CHANCE * rng.unit());
                    if best.is_none_or(|(least, ..)| cost < least) {
                        best = Some((cost, state, *first, *second));
                    }
                }
            }
        }
        let (_, state, first, second) = best?;
        let mut way = search.path(state);
        way.extend([Some(first), Some(second)]);
        Some(Plan { way, target: (model.label(state), second) })
    }

    fn follow_plan(&mut self, known: &Knowledge) -> Option<Decision> {
        let next = self.plan.pop()?;
        let Some(input) = next else { return Some(Decision::Restart) };
        let mut edges = self.model.edges(self.model.now()).iter();
        self.expected = edges.find(|(edge, _)| *edge == input).map(|(_, to)| *to);
        let performed = known.base(input);
        if known.enabled_now().contains(&performed) {
            return Some(Decision::Perform(performed));
        }
        self.plan.clear();
        None
    }
}

/// The best of what was offered.
#[derive(Default)]
struct Best(Option<(f64, Node, Input)>);

impl Best {
    fn offer(&mut self, ratio: f64, state: Node, input: Input, rng: &mut Rng) {
        // Between equals, the seed decides.
        let ratio = ratio * (1.0 + CHANCE * rng.unit());
        if self.0.is_none_or(|(most, ..)| ratio > most) {
            self.0 = Some((ratio, state, input));
        }
    }

    /// Whether something of this ratio could be better.
    fn may_lose_to(&self, ratio: f64) -> bool {
        ratio > 0.0 && self.0.is_none_or(|(most, ..)| ratio * (1.0 + CHANCE) > most)
    }
}

struct Plan {
    way: Vec<Option<Input>>,
    target: (Output, Input),
}

impl Policy for CapuchinPolicy {
    fn next(&mut self, known: &Knowledge, rng: &mut Rng) -> Decision {
        self.follow(known);
        let mut plan = self.best_untried(known, rng);
        if plan.is_none() {
            // Half a pair is worth nothing: what was begun is brought to its end.
            if let Some(next) = self.follow_plan(known) {
                return next;
            }
            plan = self.nearest_pair(known, rng);
        }
        let Some(plan) = plan else { return Decision::Stop };
        self.target = Some(plan.target);
        self.plan = plan.way;
        self.plan.reverse();
        self.follow_plan(known).unwrap_or_else(|| {
            // The screen does not offer what its label promises.
            self.give_up_target();
            match pick(known.enabled_now(), rng) {
                Some(input) => Decision::Perform(*input),
                None if known.depth() == 0 => Decision::Stop,
                None => Decision::Restart,
            }
        })
    }

    fn states(&self) -> Option<usize> {
        Some(self.model.states().len())
    }
}
