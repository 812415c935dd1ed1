//! Makes a sample smaller without leaving the generator that it was drawn from.
//!
//! Three passes, repeated until none of them helps: leave out repetitions and options in ever
//! smaller chunks, take earlier arms of choices, take simpler arguments. Every accepted candidate is
//! smaller in one fixed order, so it ends; every candidate is a function of the best sample so far,
//! so it is reproducible.

use crate::sample::Arms;
use crate::{Gen, Sample};
use capuchin_ui::Event;
use std::ops::Range;

/// Proposes ever smaller samples. Ask [`propose`](Shrinker::propose), run it, and say whether it still
/// fails.
#[derive(Clone, Debug)]
pub struct Shrinker {
    best: Sample,
    pass: Pass,
    improved: bool,
    candidate: Option<Sample>,
}

#[derive(Clone, Debug)]
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
            let proposal = match self.pass.clone() {
                Pass::Drop { chunk: 0, .. } => {
                    self.pass = Pass::Arm { choice: 0, arm: 0 };
                    continue;
                }
                Pass::Drop { chunk, at } => {
                    if at >= units(&self.best) {
                        self.pass = Pass::Drop { chunk: chunk / 2, at: 0 };
                        continue;
                    }
                    Some(without_units(&self.best, at..at + chunk))
                }
                Pass::Arm { choice, arm } => match with_arm(&self.best, choice, arm) {
                    Arm::NoSuchChoice => {
                        self.pass = Pass::Argument { event: 0, form: 0 };
                        continue;
                    }
                    Arm::NotSimpler => {
                        self.pass = Pass::Arm { choice: choice + 1, arm: 0 };
                        continue;
                    }
                    Arm::Taken(sample) => Some(sample),
                },
                Pass::Argument { event, form } => match with_argument(&self.best, event, form) {
                    Argument::NoSuchEvent if self.improved => {
                        self.improved = false;
                        self.pass = Pass::Drop { chunk: units(&self.best), at: 0 };
                        continue;
                    }
                    Argument::NoSuchEvent => {
                        self.pass = Pass::Done;
                        continue;
                    }
                    Argument::NotSimpler => {
                        self.pass = Pass::Argument { event: event + 1, form: 0 };
                        continue;
                    }
                    Argument::Taken(sample) => Some(sample),
                },
                Pass::Done => return None,
            };
            match proposal {
                // Dropping below what a repetition needs changes nothing: go on.
                Some(sample) if sample == self.best => self.advance(),
                proposal => {
                    self.candidate = proposal;
                    return self.candidate.as_ref();
                }
            }
        }
    }

    /// The candidate still fails: go on from it. `resolve` fills in what it was run with.
    pub fn accept(&mut self, resolved: &[(usize, Event)]) {
        if let Some(mut sample) = self.candidate.take() {
            sample.resolve(resolved);
            self.best = sample;
            self.improved = true;
            match &mut self.pass {
                // What stood behind the dropped units has moved up to `at`.
                Pass::Drop { .. } | Pass::Done => {}
                Pass::Arm { choice, arm } => {
                    *choice += 1;
                    *arm = 0;
                }
                // The simpler argument may have a simpler one yet.
                Pass::Argument { form, .. } => *form = 0,
            }
        }
    }

    /// The candidate does not fail, or fails otherwise: try the next.
    pub fn reject(&mut self) {
        self.candidate = None;
        self.advance();
    }

    fn advance(&mut self) {
        match &mut self.pass {
            Pass::Drop { chunk, at } => *at += *chunk,
            Pass::Arm { arm, .. } => *arm += 1,
            Pass::Argument { form, .. } => *form += 1,
            Pass::Done => {}
        }
    }
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
    let mut counter = 0;
    edit_units(sample, &(0..0), &mut counter);
    counter
}

fn without_units(sample: &Sample, dropped: Range<usize>) -> Sample {
    edit_units(sample, &dropped, &mut 0)
}

/// Copies the sample without the units in the range. Units are numbered in the order of the trace,
/// an outer one before those inside it.
fn edit_units(sample: &Sample, dropped: &Range<usize>, counter: &mut usize) -> Sample {
    match sample {
        Sample::Repeat { least, items } => {
            let mut kept = Vec::with_capacity(items.len());
            let mut spare = items.len().saturating_sub(*least as usize);
            for item in items {
                let drop = dropped.contains(counter) && spare > 0;
                *counter += 1;
                let edited = edit_units(item, dropped, counter);
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
            let edited = edit_units(sample, dropped, counter);
            match empty {
                Some(empty) if drop => arms.take(empty, Gen::simplest),
                _ => Sample::Chosen { arm: *arm, arms: arms.clone(), sample: Box::new(edited) },
            }
        }
        Sample::Seq(parts) => {
            Sample::Seq(parts.iter().map(|part| edit_units(part, dropped, counter)).collect())
        }
        Sample::Try(inner) => Sample::Try(Box::new(edit_units(inner, dropped, counter))),
        Sample::Then(guard, inner) => {
            Sample::Then(guard.clone(), Box::new(edit_units(inner, dropped, counter)))
        }
        Sample::Keeps(inner, value) => {
            Sample::Keeps(Box::new(edit_units(inner, dropped, counter)), value.clone())
        }
        Sample::Always(inner, prop) => {
            Sample::Always(Box::new(edit_units(inner, dropped, counter)), prop.clone())
        }
        Sample::Unit | Sample::Event(..) | Sample::Assert(_) => sample.clone(),
    }
}

enum Arm {
    NoSuchChoice,
    NotSimpler,
    Taken(Sample),
}

/// Gives choice number `wanted` an earlier arm.
fn with_arm(sample: &Sample, wanted: usize, new_arm: usize) -> Arm {
    let mut edited = sample.clone();
    let mut counter = 0;
    let mut outcome = Arm::NoSuchChoice;
    visit_choices(&mut edited, &mut |arm, arms, sample| {
        if counter == wanted {
            // Nothing is simpler than nothing, also where its arm comes last.
            outcome = if new_arm < *arm && empty_arm(arms) != Some(*arm) {
                // An arm that is never drawn is no candidate: the sample stays, and is passed over.
                if let Some(earlier) = arms.get(new_arm) {
                    *arm = new_arm;
                    *sample = earlier.simplest();
                }
                Arm::Taken(Sample::Unit)
            } else {
                Arm::NotSimpler
            };
        }
        counter += 1;
    });
    if let Arm::Taken(_) = outcome { Arm::Taken(edited) } else { outcome }
}

fn visit_choices(sample: &mut Sample, visit: &mut dyn FnMut(&mut usize, &Arms, &mut Sample)) {
    match sample {
        Sample::Chosen { arm, arms, sample } => {
            visit(arm, arms, sample);
            visit_choices(sample, visit);
        }
        Sample::Seq(parts) | Sample::Repeat { items: parts, .. } => {
            parts.iter_mut().for_each(|part| visit_choices(part, visit));
        }
        Sample::Try(inner)
        | Sample::Then(_, inner)
        | Sample::Keeps(inner, _)
        | Sample::Always(inner, _) => visit_choices(inner, visit),
        Sample::Unit | Sample::Event(..) | Sample::Assert(_) => {}
    }
}

enum Argument {
    NoSuchEvent,
    NotSimpler,
    Taken(Sample),
}

/// Gives event number `wanted` the simpler arguments number `form`.
fn with_argument(sample: &Sample, wanted: usize, form: usize) -> Argument {
    let mut edited = sample.clone();
    let mut counter = 0;
    let mut outcome = Argument::NoSuchEvent;
    edited.visit_events(&mut |event, choices| {
        if counter == wanted {
            let simpler = choices.as_ref().map(|choices| choices.simpler(event));
            outcome = match simpler.unwrap_or_default().into_iter().nth(form) {
                Some(simpler) => {
                    *event = simpler;
                    Argument::Taken(Sample::Unit)
                }
                None => Argument::NotSimpler,
            };
        }
        counter += 1;
    });
    if let Argument::Taken(_) = outcome { Argument::Taken(edited) } else { outcome }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventGen, Numbers, Targets, Texts};
    use capuchin_ui::{Rng, Selector};

    /// The smallest trace of the generator that satisfies `fails`, printed.
    fn minimal(generator: &Gen, fails: impl Fn(&str) -> bool) -> String {
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
