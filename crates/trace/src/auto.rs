//! Exploration policies as generators: `auto`, section 7.1 of the ChimpCheck paper.
//!
//! On its own because it is the one word whose events are not in the sample: a policy chooses them while
//! the trace runs. Once that is over they are known, and [`Sample::settled`] puts them where the policy
//! was, so that nothing that makes a trace smaller ever asks a policy.

use crate::{Gen, Sample};
use capuchin_ui::Event;
use std::sync::Arc;

/// Who chooses the events of an `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Policy {
    /// One of what is enabled, each as likely as the others.
    Random,
    /// Learns a model of the app with Angluin's L*.
    Lstar,
    /// Learns a model of the app on the way, as SwiftHand does, and goes where it knows least.
    Swifthand,
    /// Our own.
    Capuchin,
    /// The moves of `monkey`: random points. It is drawn, and nobody is asked.
    Monkey,
    /// The moves of `relevantMonkey`: random elements. It is drawn, and nobody is asked.
    Relevant,
}

impl Policy {
    /// All of them.
    pub const ALL: [Policy; 6] = [
        Policy::Random,
        Policy::Lstar,
        Policy::Swifthand,
        Policy::Capuchin,
        Policy::Monkey,
        Policy::Relevant,
    ];

    /// Its name in the language.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Random => "random",
            Policy::Lstar => "lstar",
            Policy::Swifthand => "swifthand",
            Policy::Capuchin => "capuchin",
            Policy::Monkey => "monkey",
            Policy::Relevant => "relevant",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Policy> {
        Policy::ALL.into_iter().find(|policy| policy.name() == name)
    }

    /// Whether its events are drawn with the rest of the trace, so that no case learns from another.
    pub fn is_drawn(self) -> bool {
        matches!(self, Policy::Monkey | Policy::Relevant)
    }
}

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
    /// Who chooses.
    pub policy: Policy,
    /// How often it may choose.
    pub moves: u32,
    /// What is injected, and how.
    pub script: Option<(Injection, Gen)>,
}

impl Auto {
    /// What it is told from others by: two that differ only in their number of moves are the same to the
    /// policy that they have in common.
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
    /// Whether a policy that learns chooses events in it. Then its cases are no longer independent of one
    /// another, and are run in their order.
    pub fn is_steered(&self) -> bool {
        !self.steered().is_empty()
    }

    /// The [keys](Auto::key) of the parts of it in which a policy that learns chooses events, in the order
    /// in which they are written.
    pub fn steered(&self) -> Vec<String> {
        let mut keys = Vec::new();
        self.visit(&mut |part| match part {
            Gen::Auto(auto) if !auto.policy.is_drawn() => {
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

/// What a policy's event is in a sample that has not been run: something with a number.
pub(crate) static MOVE: Sample = Sample::Event(Event::Skip, None);

impl Sample {
    /// The sample with every `auto` in it replaced by what was done there, and the executed events under
    /// the numbers that they have in it.
    ///
    /// What a policy chose becomes a repetition, each of its events in a try, as those of a monkey are.
    /// Moves that were blocked did nothing and are not in it; nor are those that the run did not come to.
    /// `begun` holds the numbers at which an injected script began, in order; where a script did not begin
    /// it is no part of what was done.
    #[must_use]
    pub fn settled(
        self,
        executed: &[(usize, Event)],
        begun: &[usize],
    ) -> (Sample, Vec<(usize, Event)>) {
        let mut settling = Settling { executed, begun, old: 0, new: 0, renumbered: Vec::new() };
        let sample = settling.settle(self);
        (sample, settling.renumbered)
    }
}

struct Settling<'a> {
    /// What is left of the executed events.
    executed: &'a [(usize, Event)],
    /// What is left of the scripts that began.
    begun: &'a [usize],
    /// The number of the next event, in the sample as it was run and as it becomes.
    old: usize,
    new: usize,
    renumbered: Vec<(usize, Event)>,
}

impl Settling<'_> {
    fn settle(&mut self, sample: Sample) -> Sample {
        let mut boxed = |inner: Box<Sample>| Box::new(self.settle(*inner));
        match sample {
            Sample::Try(inner) => Sample::Try(boxed(inner)),
            Sample::Then(guard, inner) => Sample::Then(guard, boxed(inner)),
            Sample::Keeps(inner, value) => Sample::Keeps(boxed(inner), value),
            Sample::Always(inner, prop) => Sample::Always(boxed(inner), prop),
            Sample::Chosen { arm, arms, sample } => {
                Sample::Chosen { arm, arms, sample: boxed(sample) }
            }
            Sample::Seq(parts) => Sample::Seq(self.all(parts)),
            Sample::Repeat { least, items } => Sample::Repeat { least, items: self.all(items) },
            Sample::Auto(auto, scripts) => {
                let mut scripts = scripts.into_iter();
                let moves = (0..auto.moves).map(|_| self.one_move(scripts.next()));
                Sample::Repeat { least: 0, items: moves.flatten().collect() }
            }
            Sample::Event(..) => {
                self.executed();
                self.new += 1;
                sample
            }
            Sample::Unit | Sample::Assert(_) | Sample::Let(..) => sample,
        }
    }

    fn all(&mut self, parts: Vec<Sample>) -> Vec<Sample> {
        parts.into_iter().map(|part| self.settle(part)).collect()
    }

    /// What was done in one move; `None` if that is nothing.
    fn one_move(&mut self, script: Option<Sample>) -> Option<Sample> {
        let mut done = Vec::new();
        if let Some(script) = script {
            match self.begun.split_first() {
                Some((first, rest)) if *first == self.old => {
                    self.begun = rest;
                    done.push(self.settle(script));
                }
                _ => self.old += script.events(),
            }
        }
        if let Some(event) = self.executed() {
            self.new += 1;
            done.push(Sample::Try(Box::new(Sample::Event(event, None))));
        }
        (!done.is_empty()).then_some(Sample::Seq(done))
    }

    /// The next event of the sample as it was run, if it was executed.
    fn executed(&mut self) -> Option<Event> {
        let old = self.old;
        self.old += 1;
        let ((number, event), rest) = self.executed.split_first()?;
        if *number != old {
            return None;
        }
        self.executed = rest;
        self.renumbered.push((self.new, event.clone()));
        Some(event.clone())
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
    fn every_policy_is_found_by_its_name() {
        for policy in Policy::ALL {
            assert_eq!(Policy::named(policy.name()), Some(policy));
        }
        assert_eq!(Policy::named("swifthound"), None);
    }

    #[test]
    fn the_policies_that_are_drawn_are_monkeys() {
        let prints = |generator: Gen, same: Gen| {
            let draw = |generator: &Gen| generator.sample(Rng::new(3)).to_trace().to_string();
            assert_eq!(draw(&generator), draw(&same));
            assert!(!generator.is_steered());
        };
        prints(auto(Policy::Monkey, 20), Gen::Monkey(20));
        prints(auto(Policy::Relevant, 20), Gen::RelevantMonkey(20));
        let login = || click(id("in")).when(is_displayed(saying("Login")));
        prints(auto_with(Policy::Relevant, 20, login()), gorilla(20, login()));
        let offered = auto_offering(Policy::Relevant, 200, login()).sample(Rng::new(3));
        let offered = offered.to_trace();
        let chosen = offered.to_string().matches("isDisplayed").count();
        assert!((5..50).contains(&chosen), "one of eleven: {chosen}");
    }

    #[test]
    fn a_trace_has_a_number_for_every_event_that_may_come() {
        let script = click(id("a")) >> click(id("b"));
        for (generator, longest, numbers) in [
            (auto(Policy::Random, 5), 5, 5),
            (auto_with(Policy::Random, 5, script.clone()), 15, 15),
            (auto_offering(Policy::Random, 5, script), 10, 15),
            (auto_offering(Policy::Random, 5, Gen::Unit), 5, 5),
        ] {
            assert!(generator.is_steered());
            assert_eq!(generator.longest(), longest, "{generator}");
            let sample = generator.sample(Rng::new(0));
            assert_eq!((sample.events(), sample.to_trace().len()), (numbers, numbers));
        }
    }

    #[test]
    fn what_was_done_takes_the_place_of_the_policy() {
        let script = click(id("s")) >> click(id("t"));
        let settled = |generator: &Gen, executed: &[(usize, &str)], begun: &[usize]| {
            let executed: Vec<_> = executed.iter().map(|(n, id)| (*n, event(id))).collect();
            let (sample, executed) = generator.sample(Rng::new(0)).settled(&executed, begun);
            let numbers: Vec<usize> = executed.iter().map(|(number, _)| *number).collect();
            assert!(!sample.to_trace().to_string().contains("auto"));
            (sample.to_trace().to_string(), numbers)
        };
        let framed = |part: Gen| click(id("a")) >> part >> click(id("z"));

        let plain = framed(auto(Policy::Swifthand, 4));
        // The second move was blocked; the policy stopped after the third.
        assert_eq!(
            settled(&plain, &[(0, "a"), (1, "p"), (3, "q"), (5, "z")], &[]),
            ("Click(#a) :>> Click(#p)? :>> Click(#q)? :>> Click(#z)".into(), vec![0, 1, 2, 3])
        );
        let with = framed(auto_with(Policy::Swifthand, 2, script.clone()));
        // The run ended in the second script, after its first event.
        assert_eq!(
            settled(&with, &[(0, "a"), (1, "s"), (2, "t"), (3, "p"), (4, "s")], &[1, 4]),
            (
                "Click(#a) :>> Click(#s) :>> Click(#t) :>> Click(#p)? :>> Click(#s) :>> Click(#t) \
                 :>> Click(#z)"
                    .into(),
                vec![0, 1, 2, 3, 4]
            )
        );
        let offering = framed(auto_offering(Policy::Swifthand, 3, script));
        assert_eq!(
            settled(&offering, &[(0, "a"), (3, "p"), (4, "s"), (5, "t"), (9, "q")], &[4]),
            (
                "Click(#a) :>> Click(#p)? :>> Click(#s) :>> Click(#t) :>> Click(#q)? :>> Click(#z)"
                    .into(),
                vec![0, 1, 2, 3, 4]
            )
        );
    }

    #[test]
    fn a_script_that_was_begun_stays_even_if_nothing_of_it_was_executed() {
        let claim = || assert_that(is_displayed(id("x")));
        let generator = auto_offering(Policy::Random, 3, claim());
        let (sample, _) = generator.sample(Rng::new(0)).settled(&[(0, event("p"))], &[1]);
        assert_eq!(sample.to_trace().to_string(), "Click(#p)? :>> assert isDisplayed(#x)");
    }

    #[test]
    fn parts_that_learn_are_named_once_in_their_order() {
        let inner = auto(Policy::Random, 1);
        let outer = auto_with(Policy::Lstar, 2, inner.clone());
        let generator = (outer.clone() | auto(Policy::Monkey, 3)) >> auto(Policy::Random, 4);
        let key = |part: &Gen| match part {
            Gen::Auto(auto) => auto.key(),
            _ => String::new(),
        };
        assert_eq!(generator.steered(), [key(&outer), key(&inner)]);
        assert!(generator.is_steered() && !auto(Policy::Monkey, 3).is_steered());
    }

    #[test]
    fn one_inside_of_another_keeps_its_own() {
        // The inner one is guarded, and begins at the same number as the script that it is in.
        let inner = auto_with(Policy::Random, 1, click(id("i")));
        let outer = auto_with(Policy::Lstar, 2, inner.when(is_displayed(id("x"))));
        let executed = [(2, event("p")), (3, event("i")), (4, event("q"))];
        let (sample, executed) = outer.sample(Rng::new(0)).settled(&executed, &[0, 3, 3]);
        assert_eq!(
            sample.to_trace().to_string(),
            "{ isDisplayed(#x) then • } :>> Click(#p)? :>> \
             { isDisplayed(#x) then { Click(#i) :>> Click(#q)? } }"
        );
        assert_eq!(executed.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
