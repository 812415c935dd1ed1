//! Makes a sample smaller without leaving the generator that it was drawn from.
//!
//! Five passes, repeated until none of them helps: leave out repetitions and options in ever
//! smaller chunks, take earlier arms of choices, take simpler arguments, leave out something and
//! let the next wildcard be another element, leave out two that cancel one another. Every accepted
//! candidate is smaller in one fixed order, so it ends; every candidate is a function of the best
//! sample so far, so it is reproducible.

use crate::sample::Arms;
use crate::slot::Slots;
use crate::{Gen, Sample, Slot};
use capuchin_ui::Event;
use std::ops::Range;

/// Proposes ever smaller samples. Ask [`propose`](Shrinker::propose), run it, and say whether it
/// still fails.
#[derive(Clone, Debug)]
pub struct Shrinker {
    best: Sample,
    pass: Pass,
    improved: bool,
    candidate: Option<Sample>,
}

#[derive(Clone, Copy, Debug)]
enum Pass {
    /// Leave out the `chunk` units from number `at` on.
    Drop {
        chunk: usize,
        at: usize,
    },
    /// Give choice number `choice` its arm number `arm`.
    Arm {
        choice: usize,
        arm: usize,
    },
    /// Give event number `event` its simpler form number `form`.
    Argument {
        event: usize,
        form: usize,
    },
    /// Leave out unit number `at`, and let the wildcard after it be the element number `pick`.
    Reopen {
        at: usize,
        pick: u32,
    },
    /// Leave out two units that may be needed only because of one another.
    Pair {
        first: usize,
        second: usize,
    },
    Done,
}

impl Shrinker {
    /// Starts from a sample that fails.
    pub fn new(sample: Sample) -> Self {
        let chunk = units(&sample);
        Shrinker {
            best: sample,
            pass: Pass::Drop { chunk, at: 0 },
            improved: false,
            candidate: None,
        }
    }

    /// The smallest sample so far.
    pub fn best(&self) -> &Sample {
        &self.best
    }

    /// The next candidate, or `None` when nothing is left to try.
    pub fn propose(&mut self) -> Option<&Sample> {
        loop {
            let proposal = match self.pass {
                Pass::Drop { chunk: 0, .. } => {
                    self.pass = Pass::Arm { choice: 0, arm: 0 };
                    continue;
                }
                Pass::Drop { chunk, at } => {
                    if at >= units(&self.best) {
                        self.pass = Pass::Drop { chunk: chunk / 2, at: 0 };
                        continue;
                    }
                    without_units(&self.best, at..at + chunk)
                }
                Pass::Arm { choice, arm } => match next_arm(&self.best, (choice, arm)) {
                    Some((choice, arm)) => {
                        self.pass = Pass::Arm { choice, arm };
                        with_arm(&self.best, choice, arm)
                    }
                    None => {
                        self.pass = Pass::Argument { event: 0, form: 0 };
                        continue;
                    }
                },
                Pass::Argument { event, form } => match next_drawn(&self.best, event) {
                    Some(drawn) => {
                        let form = if drawn == event { form } else { 0 };
                        match with_argument(&self.best, drawn, form) {
                            Some(sample) => {
                                self.pass = Pass::Argument { event: drawn, form };
                                sample
                            }
                            None => {
                                self.pass = Pass::Argument { event: drawn + 1, form: 0 };
                                continue;
                            }
                        }
                    }
                    None if self.improved => {
                        self.again_or_done();
                        continue;
                    }
                    None => {
                        self.pass = Pass::Reopen { at: 0, pick: 1 };
                        continue;
                    }
                },
                Pass::Reopen { at, .. } if at >= units(&self.best) => {
                    self.pass = Pass::Pair { first: 0, second: 1 };
                    continue;
                }
                Pass::Reopen { at, pick } => match without_and_reopened(&self.best, at, pick) {
                    Some(sample) if pick <= PICKS => sample,
                    _ => {
                        self.pass = Pass::Reopen { at: at + 1, pick: 1 };
                        continue;
                    }
                },
                Pass::Pair { first, second } => {
                    let units = units(&self.best);
                    // All pairs of a short trace; of a long one those that stand side by side.
                    let last = if units <= SHORT { units } else { units.min(first + 2) };
                    if first + 1 >= units {
                        self.again_or_done();
                        continue;
                    }
                    if second >= last {
                        self.pass = Pass::Pair { first: first + 1, second: first + 2 };
                        continue;
                    }
                    let without_second = without_units(&self.best, second..second + 1);
                    without_units(&without_second, first..first + 1)
                }
                Pass::Done => return None,
            };
            // Dropping below what a repetition needs changes nothing: go on.
            if proposal == self.best {
                self.advance();
            } else {
                self.candidate = Some(proposal);
                return self.candidate.as_ref();
            }
        }
    }

    /// The candidate still fails: go on from it. `resolved` is what its wildcards were filled in
    /// with.
    pub fn accept(&mut self, resolved: &[(Slot, Event)]) {
        let Some(mut sample) = self.candidate.take() else { return };
        let reopened = matches!(self.pass, Pass::Argument { event, .. } if is_open(&sample, event));
        sample.resolve(resolved);
        self.best = sample;
        if reopened {
            // Another element, or the same again, is no shorter trace: nothing that was tried
            // before has to be tried anew. An app that names its elements differently every time
            // would keep us here for ever.
            self.advance();
            return;
        }
        self.improved = true;
        match &mut self.pass {
            // It has the earliest arm that fails: on to the next choice.
            Pass::Arm { choice, arm } => {
                *choice += 1;
                *arm = 0;
            }
            // What stood behind the dropped units has moved up to `at`. The simpler argument may
            // have a simpler one of the same kind yet; those that were tried before it come up
            // again in the next round.
            Pass::Drop { .. } | Pass::Argument { .. } | Pass::Done => {}
            Pass::Reopen { pick, .. } => *pick = 1,
            Pass::Pair { first, second } => *second = *first + 1,
        }
    }

    /// The candidate does not fail, or fails otherwise: try the next.
    pub fn reject(&mut self) {
        self.candidate = None;
        self.advance();
    }

    /// From the start if something was found in this round; else that was all.
    fn again_or_done(&mut self) {
        self.pass =
            if self.improved { Pass::Drop { chunk: units(&self.best), at: 0 } } else { Pass::Done };
        self.improved = false;
    }

    fn advance(&mut self) {
        match &mut self.pass {
            Pass::Drop { chunk, at } => *at += *chunk,
            Pass::Arm { arm, .. } => *arm += 1,
            Pass::Argument { form, .. } => *form += 1,
            Pass::Reopen { pick, .. } => *pick += 1,
            Pass::Pair { second, .. } => *second += 1,
            Pass::Done => {}
        }
    }
}

/// How many units a trace has of which all pairs are tried.
const SHORT: usize = 16;

/// How many of the elements that take an event are tried where a wildcard is opened again.
const PICKS: u32 = 4;

/// Leaves out a unit, and the name of the wildcard after it with it: scrolling to the 19th entry
/// is not needed if the first will do. Nothing if no wildcard comes after it.
fn without_and_reopened(sample: &Sample, unit: usize, pick: u32) -> Option<Sample> {
    let before = events_before(sample, unit);
    let mut shorter = without_units(sample, unit..unit + 1);
    let mut number = 0;
    let mut reopened = None;
    shorter.visit(&mut |part| {
        if let Sample::Event(slot, event, choices) = part {
            if reopened.is_none() && number >= before {
                let open = choices.as_ref().and_then(|choices| choices.reopened(event, pick));
                reopened = open.map(|event| (*slot, event));
            }
            number += 1;
        }
    });
    shorter.resolve(&[reopened?]);
    Some(shorter)
}

/// How many events of the sample come before a unit.
fn events_before(sample: &Sample, unit: usize) -> usize {
    let (mut units, mut events, mut before) = (0, 0, 0);
    count(sample, &mut units, &mut events, &mut |units, events| {
        if units == unit {
            before = events;
        }
    });
    before
}

/// The number of an arm that does nothing, if there is one: such a choice may be left out.
fn empty_arm(arms: &Arms) -> Option<usize> {
    (0..arms.len()).find(|arm| match arms.get(*arm) {
        Some(Gen::Unit) => true,
        Some(Gen::Event(event)) => **event == Event::Skip.into(),
        _ => false,
    })
}

/// How many parts of the sample may be left out.
fn units(sample: &Sample) -> usize {
    let mut units = 0;
    count(sample, &mut units, &mut 0, &mut |_, _| {});
    units
}

/// Counts units and events in the order of the trace, and calls `begin` where a unit begins, with
/// what came before it. Units are numbered as in [`edit_units`].
fn count(
    sample: &Sample,
    units: &mut usize,
    events: &mut usize,
    begin: &mut dyn FnMut(usize, usize),
) {
    match sample {
        Sample::Repeat { least, items } => {
            // Where all are needed, none is a unit.
            let spare = items.len() > *least as usize;
            for item in items {
                if spare {
                    begin(*units, *events);
                    *units += 1;
                }
                count(item, units, events, begin);
            }
        }
        Sample::Chosen { arm, arms, sample } => {
            if empty_arm(arms).is_some_and(|empty| empty != *arm) {
                begin(*units, *events);
                *units += 1;
            }
            count(sample, units, events, begin);
        }
        Sample::Seq(parts) => parts.iter().for_each(|part| count(part, units, events, begin)),
        Sample::Try(inner)
        | Sample::Then(_, inner)
        | Sample::Keeps(inner, _)
        | Sample::Always(inner, _) => count(inner, units, events, begin),
        Sample::Event(..) => *events += 1,
        // What is made smaller has been run, and has no part left that a policy steers.
        Sample::Auto(..) | Sample::Unit | Sample::Assert(_) | Sample::Let(..) => {}
    }
}

fn without_units(sample: &Sample, dropped: Range<usize>) -> Sample {
    let slots = &mut Slots::after(sample.slots().into_iter());
    edit_units(sample, &dropped, &mut 0, slots)
}

/// Copies the sample without the units in the range. Units are numbered in the order of the trace,
/// an outer one before those inside it.
fn edit_units(
    sample: &Sample,
    dropped: &Range<usize>,
    counter: &mut usize,
    slots: &mut Slots,
) -> Sample {
    let mut edit = |part: &Sample| edit_units(part, dropped, counter, slots);
    match sample {
        Sample::Repeat { least, items } => {
            let mut kept = Vec::with_capacity(items.len());
            let mut spare = items.len().saturating_sub(*least as usize);
            let are_units = spare > 0;
            for item in items {
                let drop = are_units && dropped.contains(counter) && spare > 0;
                *counter += usize::from(are_units);
                let edited = edit_units(item, dropped, counter, slots);
                if drop {
                    spare -= 1;
                } else {
                    kept.push(edited);
                }
            }
            Sample::Repeat { least: *least, items: kept }
        }
        Sample::Chosen { arm, arms, sample } => {
            let empty = empty_arm(arms).filter(|empty| empty != arm);
            let drop = empty.is_some() && dropped.contains(counter);
            *counter += usize::from(empty.is_some());
            let edited = edit_units(sample, dropped, counter, slots);
            match empty {
                Some(empty) if drop => arms.take(empty, |arm| arm.simplest(slots)),
                _ => Sample::Chosen { arm: *arm, arms: arms.clone(), sample: Box::new(edited) },
            }
        }
        Sample::Seq(parts) => Sample::Seq(parts.iter().map(edit).collect()),
        Sample::Try(inner) => Sample::Try(Box::new(edit(inner))),
        Sample::Then(guard, inner) => Sample::Then(guard.clone(), Box::new(edit(inner))),
        Sample::Keeps(inner, value) => Sample::Keeps(Box::new(edit(inner)), value.clone()),
        Sample::Always(inner, prop) => Sample::Always(Box::new(edit(inner)), prop.clone()),
        Sample::Unit
        | Sample::Event(..)
        | Sample::Assert(_)
        | Sample::Let(..)
        | Sample::Auto(..) => sample.clone(),
    }
}

/// The numbers of the first choice from `from` on that has an earlier arm, and of that arm.
fn next_arm(sample: &Sample, from: (usize, usize)) -> Option<(usize, usize)> {
    let mut counter = 0;
    let mut found = None;
    sample.visit(&mut |part| {
        if let Sample::Chosen { arm, arms, .. } = part {
            let first = if counter == from.0 { from.1 } else { 0 };
            // Nothing is simpler than nothing, also where its arm comes last.
            if found.is_none() && counter >= from.0 && empty_arm(arms) != Some(*arm) {
                let earlier = (first..*arm).find(|earlier| arms.get(*earlier).is_some());
                found = earlier.map(|earlier| (counter, earlier));
            }
            counter += 1;
        }
    });
    found
}

/// Gives choice number `wanted` another arm.
fn with_arm(sample: &Sample, wanted: usize, new_arm: usize) -> Sample {
    let mut edited = sample.clone();
    let mut counter = 0;
    let slots = &mut Slots::after(sample.slots().into_iter());
    edited.visit_mut(&mut |part| {
        if let Sample::Chosen { arms, .. } = part {
            if counter == wanted {
                *part = arms.take(new_arm, |arm| arm.simplest(slots));
            }
            counter += 1;
        }
    });
    edited
}

/// Whether the target of event number `wanted` is still to be chosen on the live screen.
fn is_open(sample: &Sample, wanted: usize) -> bool {
    let mut counter = 0;
    let mut open = false;
    sample.visit(&mut |part| {
        if let Sample::Event(_, event, _) = part {
            open |= counter == wanted && !event.is_concrete();
            counter += 1;
        }
    });
    open
}

/// The number of the first event from `from` on whose arguments were drawn.
fn next_drawn(sample: &Sample, from: usize) -> Option<usize> {
    let mut counter = 0;
    let mut found = None;
    sample.visit(&mut |part| {
        if let Sample::Event(_, _, choices) = part {
            if found.is_none() && counter >= from && choices.is_some() {
                found = Some(counter);
            }
            counter += 1;
        }
    });
    found
}

/// Gives event number `wanted` the simpler arguments number `form`, if there are so many.
fn with_argument(sample: &Sample, wanted: usize, form: usize) -> Option<Sample> {
    let mut counter = 0;
    let mut simpler = None;
    sample.visit(&mut |part| {
        if let Sample::Event(slot, event, choices) = part {
            if let (true, Some(choices)) = (counter == wanted, choices) {
                let event = choices.simpler(event).into_iter().nth(form);
                simpler = event.map(|event| (*slot, event));
            }
            counter += 1;
        }
    });
    let simpler = simpler?;
    let mut edited = sample.clone();
    edited.resolve(&[simpler]);
    Some(edited)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{EventGen, Numbers, Targets, Texts, Towards};
    use capuchin_ui::{Direction, Rng, Selector};

    /// The smallest trace of the generator that satisfies `fails`, printed.
    pub(crate) fn minimal(generator: &Gen, fails: impl Fn(&str) -> bool) -> String {
        let sample = (0..1000)
            .map(|seed| generator.sample(Rng::new(seed)))
            .find(|sample| fails(&sample.to_trace().to_string()))
            .expect("no sample fails");
        let mut shrinker = Shrinker::new(sample);
        while let Some(candidate) = shrinker.propose() {
            if fails(&candidate.to_trace().to_string()) {
                shrinker.accept(&[]);
            } else {
                shrinker.reject();
            }
        }
        let smallest = shrinker.best().to_trace();
        // What is left of options that were left out says nothing.
        smallest.to_string().replace("Skip :>> ", "").replace(" :>> Skip", "")
    }

    #[test]
    fn repetitions_options_arms_and_arguments_are_made_smaller() {
        let click = |id: &str| Gen::from(EventGen::Click(Targets::One(Selector::id(id))));
        let fails_with = |part: &'static str| move |trace: &str| trace.contains(part);

        let scripted = click("a") >> Gen::Interrupts(3) >> click("b") >> Gen::Interrupts(3);
        assert_eq!(
            minimal(&scripted, fails_with("Settings")),
            "Click(#a) :>> Settings :>> Click(#b)"
        );
        assert_eq!(
            minimal(&Gen::RelevantMonkey(40), |trace| trace.matches("Rotate").count() >= 2),
            "Rotate :>> Rotate"
        );
        assert_eq!(
            minimal(&(click("a").optional() >> click("b").optional()), fails_with("#b")),
            "Click(#b)"
        );
        assert_eq!(
            minimal(&(click("a") | click("b") | click("c")), |trace| !trace.contains("#a")),
            "Click(#b)"
        );
        let typed = EventGen::Type(
            Targets::One(Selector::id("f")),
            Texts::matching("[a-z]{1,12}").expect("a good regex"),
        );
        assert_eq!(minimal(&typed.into(), |trace| trace.contains('x')), "Type(#f, \"x\")");
        let sleep = EventGen::Sleep(Numbers::Between(0.0, 5000.0));
        assert_eq!(
            minimal(&sleep.into(), |trace| {
                trace["Sleep(".len()..trace.len() - 1].parse::<u64>().is_ok_and(|n| n >= 137)
            }),
            "Sleep(137)"
        );
    }

    #[test]
    fn drawn_targets_and_long_texts_are_made_smaller_soon() {
        let targets = ["a", "b", "c"].map(|id| (1, Targets::One(Selector::id(id))));
        let click = EventGen::Click(Targets::OneOf(targets.to_vec()));
        let three = Gen::from(click).repeat(3..=3);
        let smallest = minimal(&three, |trace| trace.contains("#c"));
        assert_eq!(smallest.matches("#a").count(), 2, "{smallest}");
        let typed = EventGen::Type(
            Targets::One(Selector::id("f")),
            Texts::matching("[a-z]{0,60}").expect("a good regex"),
        );
        let long = |trace: &str| trace.len() - "Type(#f, \"\")".len() >= 40;
        let runs = std::cell::Cell::new(0);
        let smallest = minimal(&typed.into(), |trace| {
            runs.set(runs.get() + 1);
            long(trace)
        });
        assert_eq!(smallest, format!("Type(#f, \"{}\")", "a".repeat(40)));
        assert!(runs.get() < 400, "{} runs", runs.get());
    }

    #[test]
    fn a_wildcard_that_was_filled_in_is_opened_again() {
        // An app whose elements are numbered: after `Swipe` the wildcard hits #9, without it #1.
        let swipe = Gen::from(EventGen::Swipe(
            Targets::One(Selector::id("list")),
            Towards::Direction(Direction::Up),
        ));
        let clicked = Gen::from(EventGen::Click(Targets::Any(Selector::default())));
        let hit = |name: &str| Event::Click(Selector::id(name).into());
        let mut start = (swipe.optional() >> clicked).sample(Rng::new(3));
        assert!(start.to_trace().to_string().starts_with("Swipe"), "the seed draws the swipe");
        let click = *start.slots().last().expect("there is one");
        start.resolve(&[(click, hit("9"))]);
        let mut shrinker = Shrinker::new(start);
        while let Some(candidate) = shrinker.propose() {
            let trace = candidate.to_trace().to_string();
            let (swiped, open) = (trace.contains("Swipe"), trace.contains('*'));
            // What was named is only there after the swipe.
            let reaches = open || trace.contains(if swiped { "#9" } else { "#1" });
            match reaches {
                true => shrinker.accept(&[(click, hit(if swiped { "9" } else { "1" }))]),
                false => shrinker.reject(),
            }
        }
        assert_eq!(shrinker.best().to_trace().to_string(), "Skip :>> Click(#1)");
    }

    #[test]
    fn what_is_needed_only_because_of_one_another_goes() {
        let turns = |trace: &str| trace.matches("Rotate").count();
        let upright = |trace: &str| turns(trace) % 2 == 0 && trace.contains("Settings");
        assert_eq!(minimal(&Gen::RelevantMonkey(30), upright), "Settings");
    }

    #[test]
    fn a_weighted_choice_is_made_smaller_like_any_other() {
        let click = || Gen::from(EventGen::Click(Targets::One(Selector::id("a"))));
        let skip = || Gen::from(Event::Skip);
        let weighted = Gen::weighted([(1, click()), (3, skip())]).repeat(5..=5);
        assert_eq!(minimal(&weighted, |trace| trace.contains("#a")), "Click(#a)");
        let never = Gen::weighted([(0, click()), (1, Event::Rotate.into())]);
        assert_eq!(minimal(&never, |_| true), "Rotate", "an arm of no weight is never taken");
    }

    #[test]
    fn a_repetition_keeps_what_it_needs() {
        let generator = Gen::from(Event::Rotate).repeat(2..=6);
        assert_eq!(minimal(&generator, |_| true), "Rotate :>> Rotate");
    }
}
