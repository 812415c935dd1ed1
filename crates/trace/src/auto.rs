//! Exploration policies as generators: `auto`, section 7.1 of the ChimpCheck paper.
//!
//! On its own because it is the one word whose events are not in the sample: a policy chooses them
//! while the trace runs. Once that is over they are known, and [`Sample::settled`] puts them where
//! the policy was, so that nothing that makes a trace smaller ever asks a policy.

use crate::{Gen, Sample, Slot, Trace};
use capuchin_ui::{Event, Str};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a script is injected into what a policy does: the paper's strategy of injection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Injection {
    /// Before each move, `with`.
    With,
    /// As one more move to choose from, `offering`.
    Offering,
}

impl Injection {
    /// All of them.
    pub const ALL: [Injection; 2] = [Injection::With, Injection::Offering];

    /// Its word in the language.
    pub fn name(self) -> &'static str {
        match self {
            Injection::With => "with",
            Injection::Offering => "offering",
        }
    }
}

/// `auto POLICY n`, perhaps with a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Auto {
    /// Who chooses, by name: whoever runs it knows the policies that there are.
    pub policy: Str,
    /// What the policy is told beside: for a planner, where to go.
    pub argument: Option<Str>,
    /// How often it may choose.
    pub moves: u32,
    /// What is injected, and how.
    pub script: Option<(Injection, Gen)>,
}

impl Auto {
    /// The policies whose events are drawn with the rest of the trace, so that nobody is asked and
    /// no case learns from another: the moves of `monkey` and those of `relevantMonkey`.
    pub const DRAWN: [&str; 2] = ["monkey", "relevant"];

    /// Whether its policy is one of [`Auto::DRAWN`].
    pub fn is_drawn(&self) -> bool {
        Auto::DRAWN.contains(&self.policy.as_str())
    }

    /// What it is told from others by: two that differ only in their number of moves are the same
    /// to the policy that they have in common.
    pub fn key(&self) -> String {
        Auto { moves: 0, ..self.clone() }.to_string()
    }

    /// The longest that it can get, in events.
    pub(crate) fn longest(&self) -> u64 {
        let each = match &self.script {
            None => 1,
            Some((Injection::With, script)) => script.longest().saturating_add(1),
            Some((Injection::Offering, script)) => script.longest().max(1),
        };
        each.saturating_mul(self.moves.into())
    }

    /// The same with only so many moves.
    pub(crate) fn cut(&self, moves: u32) -> Arc<Auto> {
        Arc::new(Auto { moves: moves.min(self.moves), ..self.clone() })
    }
}

impl Gen {
    /// Whether a policy that learns chooses events in it. Then its cases are no longer independent
    /// of one another, and are run in their order.
    pub fn is_steered(&self) -> bool {
        !self.steered().is_empty()
    }

    /// The [keys](Auto::key) of the parts of it in which a policy that learns chooses events, in
    /// the order in which they are written.
    pub fn steered(&self) -> Vec<String> {
        self.autos(|_| true)
    }

    /// The same of the policies that are told nothing: one that is told where to go has nothing to
    /// learn.
    pub fn learning(&self) -> Vec<String> {
        self.autos(|auto| auto.argument.is_none())
    }

    fn autos(&self, wanted: impl Fn(&Auto) -> bool) -> Vec<String> {
        let mut keys = Vec::new();
        self.visit(&mut |part| match part {
            Gen::Auto(auto) if !auto.is_drawn() && wanted(auto) => {
                let key = auto.key();
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            _ => {}
        });
        keys
    }
}

/// A trace that was run in the place of an `auto`: what its policy chose, or the script before
/// that.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// The slot of the `auto`.
    pub auto: Slot,
    /// Which of its moves, from 0.
    pub turn: u32,
    /// What was run. What a policy chose has slots of its own ([`Trace::chosen`]).
    pub trace: Trace,
}

impl Sample {
    /// The `auto` of this slot.
    pub fn auto(&self, wanted: Slot) -> Option<Arc<Auto>> {
        let mut found = None;
        self.visit(&mut |part| {
            if let Sample::Auto(slot, auto, _) = part
                && *slot == wanted
            {
                found = Some(Arc::clone(auto));
            }
        });
        found
    }

    /// The sample with every `auto` in it replaced by what was done there.
    ///
    /// A policy's moves become a repetition, like those of a monkey. An event that it chose and
    /// that was blocked did nothing and is not in it; an injected script that was begun is,
    /// whatever came of it.
    #[must_use]
    pub fn settled(self, executed: &[(Slot, Event)], moves: &[Move]) -> Sample {
        let executed = executed.iter().map(|(slot, event)| (*slot, event)).collect();
        Settling { executed, moves }.settle(self)
    }
}

struct Settling<'a> {
    executed: BTreeMap<Slot, &'a Event>,
    moves: &'a [Move],
}

impl Settling<'_> {
    fn settle(&self, sample: Sample) -> Sample {
        let boxed = |inner: Box<Sample>| Box::new(self.settle(*inner));
        let all = |parts: Vec<Sample>| parts.into_iter().map(|part| self.settle(part)).collect();
        match sample {
            Sample::Try(inner) => Sample::Try(boxed(inner)),
            Sample::Then(guard, inner) => Sample::Then(guard, boxed(inner)),
            Sample::Keeps(inner, value) => Sample::Keeps(boxed(inner), value),
            Sample::Always(inner, prop) => Sample::Always(boxed(inner), prop),
            Sample::Chosen { arm, arms, sample } => {
                Sample::Chosen { arm, arms, sample: boxed(sample) }
            }
            Sample::Seq(parts) => Sample::Seq(all(parts)),
            Sample::Repeat { least, items } => Sample::Repeat { least, items: all(items) },
            Sample::Auto(slot, _, scripts) => {
                Sample::Repeat { least: 0, items: self.moves(slot, &scripts) }
            }
            Sample::Unit | Sample::Event(..) | Sample::Assert(_) | Sample::Let(..) => sample,
        }
    }

    /// What was done in each move, of those in which anything was.
    fn moves(&self, auto: Slot, scripts: &[Sample]) -> Vec<Sample> {
        let own: Vec<&Move> = self.moves.iter().filter(|one| one.auto == auto).collect();
        let turns = own.chunk_by(|one, next| one.turn == next.turn);
        let items = turns.map(|turn| {
            let done = turn.iter().filter_map(|one| self.one(one, scripts)).collect::<Vec<_>>();
            (!done.is_empty()).then_some(Sample::Seq(done))
        });
        items.flatten().collect()
    }

    fn one(&self, done: &Move, scripts: &[Sample]) -> Option<Sample> {
        // A script keeps what could have been drawn differently in it.
        let script = scripts.get(done.turn as usize);
        if let Some(script) = script.filter(|script| script.to_trace() == done.trace) {
            return Some(self.settle(script.clone()));
        }
        match &done.trace {
            Trace::Try(inner) => match &**inner {
                Trace::Event(slot, _) => {
                    let event = self.executed.get(slot)?;
                    let event = Sample::Event(*slot, (*event).clone(), None);
                    Some(Sample::Try(Box::new(event)))
                }
                _ => Some(self.as_run(&done.trace)),
            },
            _ => Some(self.as_run(&done.trace)),
        }
    }

    /// A trace that a policy brought along, with its wildcards filled in.
    fn as_run(&self, trace: &Trace) -> Sample {
        let boxed = |inner: &Trace| Box::new(self.as_run(inner));
        match trace {
            Trace::Unit => Sample::Unit,
            Trace::Event(slot, event) => {
                let event = self.executed.get(slot).map_or(event, |executed| *executed);
                Sample::Event(*slot, event.clone(), None)
            }
            Trace::Seq(parts) => Sample::Seq(parts.iter().map(|part| self.as_run(part)).collect()),
            Trace::Assert(prop) => Sample::Assert(prop.clone()),
            Trace::Let(name, value) => Sample::Let(name.clone(), value.clone()),
            Trace::Try(inner) => Sample::Try(boxed(inner)),
            Trace::Then(guard, inner) => Sample::Then(guard.clone(), boxed(inner)),
            Trace::Keeps(inner, value) => Sample::Keeps(boxed(inner), value.clone()),
            Trace::Always(inner, prop) => Sample::Always(boxed(inner), prop.clone()),
            // What an inner policy did stands under the slot of that one.
            Trace::Auto(slot, ..) => Sample::Repeat { least: 0, items: self.moves(*slot, &[]) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use capuchin_ui::Rng;

    fn event(id: &str) -> Event {
        Event::Click(Selector::id(id).into())
    }

    #[test]
    fn the_policies_that_are_drawn_are_monkeys() {
        let prints = |generator: Gen, same: Gen| {
            let draw = |generator: &Gen| generator.sample(Rng::new(3)).to_trace().to_string();
            assert_eq!(draw(&generator), draw(&same));
            assert!(!generator.is_steered());
        };
        prints(auto("monkey", 20), Gen::Monkey(20));
        prints(auto("relevant", 20), Gen::RelevantMonkey(20));
        let login = || click(id("in")).when(is_displayed(saying("Login")));
        prints(auto_with("relevant", 20, login()), gorilla(20, login()));
        let offered = auto_offering("relevant", 200, login()).sample(Rng::new(3));
        let offered = offered.to_trace();
        let chosen = offered.to_string().matches("isDisplayed").count();
        assert!((5..50).contains(&chosen), "one of eleven: {chosen}");
    }

    #[test]
    fn the_longest_trace_has_a_script_for_each_move() {
        let script = click(id("a")) >> click(id("b"));
        for (generator, longest) in [
            (auto("random", 5), 5),
            (auto_with("random", 5, script.clone()), 15),
            (auto_offering("random", 5, script), 10),
            (auto_offering("random", 5, Gen::Unit), 5),
        ] {
            assert!(generator.is_steered());
            assert_eq!(generator.longest(), longest, "{generator}");
        }
    }

    /// What a run has done in the place of its policies.
    #[derive(Default)]
    struct Run {
        executed: Vec<(Slot, Event)>,
        moves: Vec<Move>,
    }

    impl Run {
        /// The policy of this `auto` chose an event, in its turn from 1; it was executed or
        /// blocked.
        fn chose(&mut self, auto: Slot, turn: u32, id: &str, executed: bool) {
            let slot = auto.at_turn(turn);
            let trace = Trace::Try(Box::new(Trace::Event(slot, event(id))));
            self.moves.push(Move { auto, turn: turn - 1, trace });
            if executed {
                self.executed.push((slot, event(id)));
            }
        }

        /// An injected script was begun, and so many of its events were executed.
        fn began(&mut self, auto: Slot, turn: u32, script: &Sample, events: usize) {
            self.moves.push(Move { auto, turn: turn - 1, trace: script.to_trace() });
            script.visit(&mut |part| {
                if let Sample::Event(slot, event, _) = part
                    && self.executed.iter().filter(|(slot, _)| slot.auto().is_none()).count()
                        < events
                {
                    self.executed.push((*slot, event.clone()));
                }
            });
        }
    }

    /// The first policy in a sample, and its scripts.
    fn steered(sample: &Sample) -> (Slot, Vec<Sample>) {
        let mut found = None;
        sample.visit(&mut |part| {
            if let (None, Sample::Auto(slot, _, scripts)) = (&found, part) {
                found = Some((*slot, scripts.clone()));
            }
        });
        found.expect("there is one")
    }

    #[test]
    fn what_was_done_takes_the_place_of_the_policy() {
        let script = click(id("s")) >> click(id("t"));
        let settled = |part: Gen, done: &dyn Fn(&mut Run, Slot, &[Sample])| {
            let sample = (click(id("a")) >> part >> click(id("z"))).sample(Rng::new(0));
            let (slot, scripts) = steered(&sample);
            let mut run = Run::default();
            done(&mut run, slot, &scripts);
            sample.settled(&run.executed, &run.moves).to_trace().to_string()
        };
        // The second move was blocked; the policy stopped after the third.
        assert_eq!(
            settled(auto("swifthand", 4), &|run, auto, _| {
                run.chose(auto, 1, "p", true);
                run.chose(auto, 2, "x", false);
                run.chose(auto, 3, "q", true);
            }),
            "Click(#a) :>> Click(#p)? :>> Click(#q)? :>> Click(#z)"
        );
        // The run ended in the second script, after its first event.
        assert_eq!(
            settled(auto_with("swifthand", 2, script.clone()), &|run, auto, scripts| {
                run.began(auto, 1, &scripts[0], 2);
                run.chose(auto, 1, "p", true);
                run.began(auto, 2, &scripts[1], 3);
            }),
            "Click(#a) :>> Click(#s) :>> Click(#t) :>> Click(#p)? :>> Click(#s) :>> Click(#t) :>> \
             Click(#z)"
        );
        assert_eq!(
            settled(auto_offering("swifthand", 3, script), &|run, auto, scripts| {
                run.chose(auto, 1, "p", true);
                run.began(auto, 2, &scripts[1], 2);
                run.chose(auto, 3, "q", true);
            }),
            "Click(#a) :>> Click(#p)? :>> Click(#s) :>> Click(#t) :>> Click(#q)? :>> Click(#z)"
        );
    }

    #[test]
    fn an_input_of_several_events_that_a_policy_brings_along_stays_one() {
        let sample = auto("random", 3).sample(Rng::new(0));
        let (auto, _) = steered(&sample);
        let wildcard = Event::Click(Target::any());
        let input = Trace::seq([event("drawer").into(), wildcard.into()]);
        let trace = input.chosen(auto, &mut 0);
        let executed = [(auto.at_turn(1), event("drawer")), (auto.at_turn(2), event("row"))];
        let settled = sample.settled(&executed, &[Move { auto, turn: 0, trace }]);
        assert_eq!(settled.to_trace().to_string(), "Click(#drawer) :>> Click(#row)");
    }

    #[test]
    fn a_script_that_was_begun_stays_even_if_nothing_of_it_was_executed() {
        let claim = || assert_that(is_displayed(id("x")));
        let sample = auto_offering("random", 3, claim()).sample(Rng::new(0));
        let ((auto, scripts), mut run) = (steered(&sample), Run::default());
        run.chose(auto, 1, "p", true);
        run.began(auto, 2, &scripts[1], 0);
        let settled = sample.settled(&run.executed, &run.moves);
        assert_eq!(settled.to_trace().to_string(), "Click(#p)? :>> assert isDisplayed(#x)");
    }

    #[test]
    fn parts_that_learn_are_named_once_in_their_order() {
        let inner = auto("random", 1);
        let outer = auto_with("lstar", 2, inner.clone());
        let generator = (outer.clone() | auto("monkey", 3)) >> auto("random", 4);
        let key = |part: &Gen| match part {
            Gen::Auto(auto) => auto.key(),
            _ => String::new(),
        };
        assert_eq!(generator.steered(), [key(&outer), key(&inner)]);
        assert!(generator.is_steered() && !auto("monkey", 3).is_steered());
    }

    #[test]
    fn one_inside_of_another_keeps_its_own() {
        let inner = auto_with("random", 1, click(id("i")));
        let outer = auto_with("lstar", 2, inner.when(is_displayed(id("x"))));
        let sample = outer.sample(Rng::new(0));
        let ((auto, scripts), mut run) = (steered(&sample), Run::default());
        run.began(auto, 1, &scripts[0], 0);
        run.chose(auto, 1, "p", true);
        run.began(auto, 2, &scripts[1], 0);
        let (inner, inner_scripts) = steered(&scripts[1]);
        run.began(inner, 1, &inner_scripts[0], 1);
        run.chose(inner, 1, "q", true);
        let settled = sample.settled(&run.executed, &run.moves);
        assert_eq!(
            settled.to_trace().to_string(),
            "{ isDisplayed(#x) then • } :>> Click(#p)? :>> \
             { isDisplayed(#x) then { Click(#i) :>> Click(#q)? } }"
        );
    }
}
