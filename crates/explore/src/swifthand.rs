//! SwiftHand (algorithm 1 of the paper): walk to where something is untried, by a machine that is
//! learned on the way, and restart only when there is no other way.
//!
//! Where the pseudo-code leaves something open, this is how it is read. At a screen on which
//! nothing can be done the app is restarted, as case 0 says. A sequence is explored if it was
//! executed without gaps. In a machine with a cycle there is always a walk that was never executed,
//! so the search for one is bounded. Of what section 3.2 leaves to heuristics: the frontier is any
//! that can be reached, the way to it one that was never executed, and a new state is taken for the
//! nearest that fits.

use crate::knowledge::Knowledge;
use crate::model::{Model, Search};
use crate::policy::{Decision, Policy};
use capuchin::ui::Rng;
use capuchin_automata::{Input, Node, Order};

/// The longest walk that looks for a mistake in a machine that is complete.
const LONGEST_WALK: usize = 20;

/// How many walks are drawn in search of one that was never executed.
const TRIES: u32 = 20;

/// The SwiftHand policy.
pub struct SwiftHand {
    /// After so many inputs the app is restarted.
    max_length: usize,
    model: Model,
    /// The inputs to perform next, in reverse order.
    plan: Vec<Input>,
}

impl Default for SwiftHand {
    /// As in the paper.
    fn default() -> Self {
        SwiftHand::new(50)
    }
}

impl SwiftHand {
    /// Restarts the app after so many inputs.
    pub fn new(max_length: usize) -> Self {
        SwiftHand { max_length, model: Model::new(Order::Nearest), plan: Vec::new() }
    }

    /// The states that can be reached and have an untried input.
    fn frontier(&self, distances: &Search<'_>) -> Vec<Node> {
        let is_open = |state: &Node| {
            distances.cost(*state).is_finite() && !self.model.untried(*state).is_empty()
        };
        self.model.states().iter().copied().filter(is_open).collect()
    }

    /// An untried input that can be reached, and the way to it.
    fn to_frontier(&self, known: &Knowledge, now: Node, rng: &mut Rng) -> Option<Vec<Input>> {
        let distances = self.model.distances(known, now);
        let target = *pick(&self.frontier(&distances), rng)?;
        let input = *pick(self.model.untried(target), rng)?;
        let mut way = self.way(known, &distances, now, target, rng);
        way.push(input);
        Some(way)
    }

    fn way(
        &self,
        known: &Knowledge,
        distances: &Search<'_>,
        now: Node,
        target: Node,
        rng: &mut Rng,
    ) -> Vec<Input> {
        let shortest: Vec<Input> = distances.path(target).into_iter().flatten().collect();
        let room = self.max_length.saturating_sub(known.depth());
        if shortest.is_empty() || !is_explored(known, &shortest) {
            return shortest;
        }
        // By way of some other state.
        for _ in 0..TRIES {
            let Some(over) = pick(self.model.states(), rng).copied() else { break };
            if over == now || over == target || !distances.cost(over).is_finite() {
                continue;
            }
            let onward = self.model.distances(known, over);
            if !onward.cost(target).is_finite() {
                continue;
            }
            let mut way: Vec<Input> = distances.path(over).into_iter().flatten().collect();
            way.extend(onward.path(target).into_iter().flatten());
            if way.len() < room && !is_explored(known, &way) {
                return way;
            }
        }
        shortest
    }

    fn is_complete(&self) -> bool {
        self.model.states().iter().all(|state| self.model.untried(*state).is_empty())
    }

    /// A random walk in the machine that was never executed: it may show that the machine is wrong.
    fn walk(&self, known: &Knowledge, now: Node, rng: &mut Rng) -> Option<Vec<Input>> {
        for _ in 0..TRIES {
            let (mut state, mut walk) = (now, Vec::new());
            while walk.len() < LONGEST_WALK {
                let Some((input, next)) = pick(self.model.edges(state), rng) else { break };
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
    fn next(&mut self, known: &Knowledge, rng: &mut Rng) -> Decision {
        if self.model.follow(known).was_wrong {
            self.plan.clear();
        }
        let enabled = known.enabled_now();
        if let Some(input) = self.plan.pop().map(|input| known.base(input)) {
            if enabled.contains(&input) {
                return Decision::Perform(input);
            }
            self.plan.clear();
        }
        let at_start = known.depth() == 0;
        if known.depth() > self.max_length {
            return Decision::Restart;
        }
        let now = self.model.now();
        let way = match self.to_frontier(known, now, rng) {
            Some(way) => Some(way),
            // What cannot be reached from the start is not to be had.
            None if at_start || self.is_complete() => self.walk(known, now, rng),
            None => None,
        };
        let Some(mut way) = way else {
            return if at_start { Decision::Stop } else { Decision::Restart };
        };
        way.reverse();
        self.plan = way;
        match self.plan.pop().map(|input| known.base(input)) {
            Some(input) if enabled.contains(&input) => Decision::Perform(input),
            _ => Decision::Restart,
        }
    }

    fn states(&self) -> Option<usize> {
        Some(self.model.states().len())
    }
}

/// Whether the inputs were ever executed one right after the other, from anywhere.
fn is_explored(known: &Knowledge, word: &[Input]) -> bool {
    let Some((first, rest)) = word.split_first() else { return true };
    let tree = known.tree();
    let mut nodes = known.nodes_by(*first).iter();
    nodes.any(|node| rest.iter().try_fold(*node, |node, input| tree.child(node, *input)).is_some())
}

/// One of them, each as likely as the others.
pub(crate) fn pick<'a, T>(of: &'a [T], rng: &mut Rng) -> Option<&'a T> {
    of.get(rng.below(of.len() as u64) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::ScreenSummary;
    use crate::abstraction_kind::AbstractionKind;
    use crate::journal::Entry;
    use crate::offer::Inputs;
    use capuchin_automata::Tree;
    use std::collections::BTreeSet;

    const YES: &str = "Click(#yes)";

    /// The policy on the paper's Sanity app; its random choices are made by the test.
    struct Run {
        policy: SwiftHand,
        known: Knowledge,
        device: Box<dyn capuchin::ui::Device>,
        offers: Vec<crate::offer::Offer>,
        /// Which transitions between screens of figure 2 were seen.
        seen: BTreeSet<(String, String)>,
        place: String,
        inputs: u32,
        restarts: u32,
    }

    impl Run {
        fn begin() -> Self {
            let mut run = Run {
                policy: SwiftHand::default(),
                known: Knowledge::new(AbstractionKind::STRUCTURE),
                device: capuchin_apps::open("sanity").unwrap(),
                offers: Vec::new(),
                seen: BTreeSet::new(),
                place: String::new(),
                inputs: 0,
                restarts: 0,
            };
            run.start();
            run
        }

        fn summarize(&mut self, screen: &capuchin::ui::Screen) -> ScreenSummary {
            let (summary, offers) =
                ScreenSummary::of(screen, &Inputs::of_elements(), self.known.kind());
            self.offers = offers;
            self.place = screen.place.to_string();
            summary
        }

        fn start(&mut self) {
            let seen = self.device.reset(0).unwrap();
            let summary = self.summarize(&seen.screen);
            self.known.take_in(&Entry::Restarted(summary, 0));
            self.policy.model.follow(&self.known);
        }

        fn now(&self) -> Node {
            self.policy.model.now()
        }

        /// What the policy may go for, as the names of the inputs on the way.
        fn choices(&self) -> Vec<Vec<String>> {
            let SwiftHand { model, .. } = &self.policy;
            let distances = model.distances(&self.known, self.now());
            let mut choices = Vec::new();
            for state in self.policy.frontier(&distances) {
                for input in model.untried(state).iter().copied() {
                    let mut rng = Rng::new(0);
                    let mut way =
                        self.policy.way(&self.known, &distances, self.now(), state, &mut rng);
                    way.push(input);
                    choices.push(way.iter().map(|i| self.known.name(*i).to_owned()).collect());
                }
            }
            choices
        }

        /// Lets the policy follow a way until it is at the end of it, or the machine was wrong.
        fn follow(&mut self, way: &[String]) {
            let input = |name: &String| {
                (0..self.known.inputs() as Input).find(|i| self.known.name(*i) == name).unwrap()
            };
            self.policy.plan = way.iter().rev().map(input).collect();
            while !self.policy.plan.is_empty() {
                let next = self.policy.next(&self.known, &mut Rng::new(0));
                let Decision::Perform(input) = next else { panic!("{next:?} on the way {way:?}") };
                let name = self.known.name_now(input).unwrap().clone();
                let offer = self.offers.iter().find(|offer| offer.name == name).unwrap();
                let seen = self.device.perform(&offer.event).unwrap();
                if self.place.starts_with("EULA") {
                    self.seen.insert((self.place.clone(), name.to_string()));
                }
                let summary = self.summarize(&seen.screen);
                self.known.take_in(&Entry::Performed(name, summary, 0));
                self.inputs += 1;
                if self.policy.model.follow(&self.known).was_wrong {
                    self.policy.plan.clear();
                }
            }
        }

        fn restart(&mut self) {
            if self.choices().is_empty() {
                let next = self.policy.next(&self.known, &mut Rng::new(0));
                assert_eq!(next, Decision::Restart, "at {}", self.place);
            }
            self.restarts += 1;
            self.start();
        }

        fn has_learned(&self) -> bool {
            self.seen.len() == 10
        }

        /// The first four iterations of section 2.3.
        fn begin_as_in_the_paper() -> Self {
            let mut run = Run::begin();
            let ends = |run: &Run| -> Vec<(usize, String)> {
                let mut ends: Vec<(usize, String)> = run
                    .choices()
                    .iter()
                    .map(|way| (way.len(), way.last().cloned().unwrap_or_default()))
                    .collect();
                ends.sort();
                ends
            };
            let of = |list: &[(usize, &str)]| -> Vec<(usize, String)> {
                list.iter().map(|(length, input)| (*length, (*input).to_owned())).collect()
            };
            let (no, up, down) = ("Click(#no)", "Swipe(#terms, Up)", "Swipe(#terms, Down)");
            assert_eq!(ends(&run), of(&[(1, no), (1, YES), (1, down), (1, up)]), "(a)");
            run.follow(&[YES.to_owned()]);
            assert_eq!(ends(&run), of(&[(1, no), (1, YES)]), "(b): q1 cannot be reached");
            run.follow(&[YES.to_owned()]);
            assert_eq!(run.policy.states(), Some(2), "(d)");
            assert_eq!(ends(&run), of(&[(1, no), (1, down), (1, up), (2, no)]), "(d)");
            run.follow(&[YES.to_owned(), no.to_owned()]);
            assert_eq!((run.place.as_str(), run.policy.states()), ("Main", Some(4)), "(f)");
            run.restart();
            run.follow(&[down.to_owned()]);
            assert_eq!((run.now(), run.policy.states()), (Tree::ROOT, Some(4)), "(i)");
            (run.inputs, run.restarts) = (0, 0);
            run
        }
    }

    /// Every effort (inputs, restarts) with which the ten edges of figure 2 are learned, whichever
    /// choices are made after the paper's four iterations among those that `is_allowed`.
    fn efforts(is_allowed: fn(&str) -> bool) -> BTreeSet<(u32, u32)> {
        let mut efforts = BTreeSet::new();
        // The ways that were chosen so far; a run is made anew for each, as it cannot be copied.
        let mut open: Vec<Vec<Vec<String>>> = vec![Vec::new()];
        while let Some(chosen) = open.pop() {
            let mut run = Run::begin_as_in_the_paper();
            let mut choices = Vec::new();
            for way in chosen.iter().map(Some).chain([None]) {
                choices = run.choices();
                choices.retain(|way| way.last().is_some_and(|last| is_allowed(last)));
                if choices.is_empty() && !run.has_learned() {
                    run.restart();
                    choices = run.choices();
                    choices.retain(|way| way.last().is_some_and(|last| is_allowed(last)));
                }
                if let Some(way) = way {
                    run.follow(way);
                }
            }
            if run.has_learned() {
                efforts.insert((run.inputs, run.restarts));
                continue;
            }
            assert!(!choices.is_empty() && chosen.len() < 20, "{chosen:?}");
            open.extend(choices.into_iter().map(|way| {
                let mut longer = chosen.clone();
                longer.push(way);
                longer
            }));
        }
        efforts
    }

    /// The one reading of the pseudo-code that gives the paper's figures: only a frontier that can
    /// be reached is picked, what Main enables is no part of the model, and the count ends with the
    /// last of the ten edges. Were a frontier picked first, and the app restarted if it cannot be
    /// reached, the worst case would be 13 inputs and 5 restarts; with the actions of Main, 23 and
    /// 7.
    #[test]
    fn the_worst_case_of_section_2_3_is_eleven_inputs_and_four_restarts() {
        let efforts = efforts(|input| !input.contains("action"));
        assert_eq!(efforts, BTreeSet::from([(9, 2), (9, 3), (11, 3), (11, 4)]));
    }
}
