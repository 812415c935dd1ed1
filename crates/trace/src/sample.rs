//! What was drawn from a generator, with the memory of how.
//!
//! A trace forgets which of its parts were chosen. A sample remembers, so the shrinker can drop a
//! repetition or take another arm and still hold a trace that the generator could have produced:
//! the script's own steps stay, and a failed assertion keeps its meaning.

use crate::argument::{Sampler, pick};
use crate::auto::MOVE;
use crate::interleave::interleave;
use crate::{Auto, EventGen, Expr, Gen, Prop, Trace};
use capuchin_ui::{DeviceInfo, Event, Rng, Str};
use std::sync::Arc;

/// A trace, and what could have been chosen differently in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Sample {
    /// Nothing.
    Unit,
    /// One event, and the generator that its arguments were drawn from if there was a choice.
    Event(Event, Option<Arc<EventGen>>),
    /// One after the other.
    Seq(Vec<Sample>),
    /// The property holds here.
    Assert(Prop),
    /// The value is remembered under this name.
    Let(Str, Expr),
    /// What may be blocked without harm.
    Try(Box<Sample>),
    /// Only if the property holds now.
    Then(Prop, Box<Sample>),
    /// The value is the same before and after.
    Keeps(Box<Sample>, Expr),
    /// The property holds before, and after every step.
    Always(Box<Sample>, Prop),
    /// Repetitions, of which all but `least` may be left out.
    Repeat {
        /// How many must stay.
        least: u32,
        /// The repetitions that were drawn.
        items: Vec<Sample>,
    },
    /// One arm of a choice.
    Chosen {
        /// The number of the arm that was taken.
        arm: usize,
        /// All arms.
        arms: Arms,
        /// What was drawn from the arm.
        sample: Box<Sample>,
    },
    /// A policy chooses here, while the trace runs. What is injected was drawn for each of its moves; none
    /// if nothing is. See [`Sample::settled`].
    Auto(Arc<Auto>, Vec<Sample>),
}

impl Gen {
    /// Draws from the generator. The same numbers give the same sample.
    pub fn sample(&self, rng: Rng) -> Sample {
        self.draw(&mut Sampler::new(rng))
    }

    /// Draws from the generator for a device: where a word stands for one of several device events, it
    /// is one that the device claims. A device that claims all of them gets what [`Gen::sample`] draws.
    pub fn sample_on(&self, info: &DeviceInfo, rng: Rng) -> Sample {
        let mut sampler = Sampler::new(rng);
        sampler.events = info.device_events;
        self.on(sampler.events).draw(&mut sampler)
    }

    fn draw(&self, sampler: &mut Sampler) -> Sample {
        match self {
            Gen::Unit => Sample::Unit,
            Gen::Event(event) => draw_event(event, sampler),
            Gen::Seq(parts) => Sample::Seq(parts.iter().map(|part| part.draw(sampler)).collect()),
            Gen::Choice(arms) => {
                let arm = sampler.rng.below(arms.len() as u64) as usize;
                Arms::Even(Arc::clone(arms)).take(arm, |arm| arm.draw(sampler))
            }
            Gen::Weighted(arms) => {
                let arm = pick(arms.iter().map(|(weight, _)| *weight), &mut sampler.rng);
                Arms::Weighted(Arc::clone(arms)).take(arm, |arm| arm.draw(sampler))
            }
            Gen::Repeat(least, most, inner) => {
                let times = sampler.rng.between((*least).into(), (*most).into());
                let items = (0..times).map(|_| inner.draw(sampler)).collect();
                Sample::Repeat { least: *least, items }
            }
            Gen::Try(inner) => Sample::Try(Box::new(inner.draw(sampler))),
            Gen::Then(guard, inner) => Sample::Then(guard.clone(), Box::new(inner.draw(sampler))),
            Gen::Assert(prop) => Sample::Assert(prop.clone()),
            Gen::Let(name, value) => Sample::Let(name.clone(), value.clone()),
            Gen::Keeps(inner, value) => Sample::Keeps(Box::new(inner.draw(sampler)), value.clone()),
            Gen::Always(inner, prop) => Sample::Always(Box::new(inner.draw(sampler)), prop.clone()),
            Gen::Interleave(first, second) => {
                let (first, second) = (first.draw(sampler), second.draw(sampler));
                interleave(&first, &second, &mut sampler.rng)
            }
            // A monkey's number is how long it runs, not something the failure depends on.
            Gen::Monkey(_) | Gen::RelevantMonkey(_) | Gen::Gorilla(..) => self.draw_moves(sampler),
            Gen::Auto(auto) if auto.policy.is_drawn() => self.draw_moves(sampler),
            Gen::Auto(auto) => {
                let script = auto.script.iter().map(|(_, script)| script);
                let scripts = script.flat_map(|script| (0..auto.moves).map(move |_| script));
                let scripts = scripts.map(|script| script.on(sampler.events).draw(sampler));
                Sample::Auto(Arc::clone(auto), scripts.collect())
            }
            Gen::Interrupts(_) | Gen::Optional(_) | Gen::Preserves(..) => {
                self.expand().on(sampler.events).draw(sampler)
            }
        }
    }

    fn draw_moves(&self, sampler: &mut Sampler) -> Sample {
        match self.expand().on(sampler.events).draw(sampler) {
            Sample::Repeat { items, .. } => Sample::Repeat { least: 0, items },
            other => other,
        }
    }

    /// The smallest sample there is: no repetition that need not be, nothing optional, first arms.
    pub(crate) fn simplest(&self) -> Sample {
        match self {
            Gen::Seq(parts) => Sample::Seq(parts.iter().map(Gen::simplest).collect()),
            Gen::Choice(arms) => Arms::Even(Arc::clone(arms)).take(0, Gen::simplest),
            Gen::Weighted(arms) => {
                let first = arms.iter().position(|(weight, _)| *weight > 0).unwrap_or_default();
                Arms::Weighted(Arc::clone(arms)).take(first, Gen::simplest)
            }
            Gen::Repeat(least, _, inner) => Sample::Repeat {
                least: *least,
                items: (0..*least).map(|_| inner.simplest()).collect(),
            },
            Gen::Try(inner) => Sample::Try(Box::new(inner.simplest())),
            Gen::Then(guard, inner) => Sample::Then(guard.clone(), Box::new(inner.simplest())),
            Gen::Monkey(_)
            | Gen::RelevantMonkey(_)
            | Gen::Gorilla(..)
            | Gen::Auto(_)
            | Gen::Interrupts(_)
            | Gen::Optional(_) => Sample::Unit,
            Gen::Preserves(..) => self.expand().simplest(),
            Gen::Keeps(inner, value) => Sample::Keeps(Box::new(inner.simplest()), value.clone()),
            Gen::Always(inner, prop) => Sample::Always(Box::new(inner.simplest()), prop.clone()),
            Gen::Interleave(first, second) => {
                Sample::Seq(vec![first.simplest(), second.simplest()])
            }
            // The stream does not matter, only that it is always the same.
            Gen::Unit | Gen::Event(_) | Gen::Assert(_) | Gen::Let(..) => self.sample(Rng::new(0)),
        }
    }
}

/// The arms of a choice.
#[derive(Clone, Debug, PartialEq)]
pub enum Arms {
    /// Each as likely as the others.
    Even(Arc<[Gen]>),
    /// By weight.
    Weighted(Arc<[(u32, Gen)]>),
}

impl Arms {
    pub(crate) fn len(&self) -> usize {
        match self {
            Arms::Even(arms) => arms.len(),
            Arms::Weighted(arms) => arms.len(),
        }
    }

    /// The arm of this number, if it is ever drawn.
    pub(crate) fn get(&self, arm: usize) -> Option<&Gen> {
        match self {
            Arms::Even(arms) => arms.get(arm),
            Arms::Weighted(arms) => {
                let all_zero = arms.iter().all(|(weight, _)| *weight == 0);
                arms.get(arm).filter(|(weight, _)| *weight > 0 || all_zero).map(|(_, arm)| arm)
            }
        }
    }

    /// What is drawn from the arm of this number.
    pub(crate) fn take(&self, arm: usize, draw: impl FnOnce(&Gen) -> Sample) -> Sample {
        match self.get(arm) {
            Some(chosen) => {
                let sample = Box::new(draw(chosen));
                Sample::Chosen { arm, arms: self.clone(), sample }
            }
            None => Sample::Unit,
        }
    }
}

fn draw_event(event: &Arc<EventGen>, sampler: &mut Sampler) -> Sample {
    let choices = event.has_choices().then(|| Arc::clone(event));
    Sample::Event(event.sample(sampler), choices)
}

impl Sample {
    /// The trace that a device runs.
    pub fn to_trace(&self) -> Trace {
        match self {
            Sample::Unit => Trace::Unit,
            Sample::Event(event, _) => Trace::Event(event.clone()),
            Sample::Seq(parts) | Sample::Repeat { items: parts, .. } => {
                Trace::seq(parts.iter().map(Sample::to_trace))
            }
            Sample::Assert(prop) => Trace::Assert(prop.clone()),
            Sample::Let(name, value) => Trace::Let(name.clone(), value.clone()),
            Sample::Try(inner) => Trace::Try(Box::new(inner.to_trace())),
            Sample::Then(guard, inner) => Trace::Then(guard.clone(), Box::new(inner.to_trace())),
            Sample::Keeps(inner, value) => Trace::Keeps(Box::new(inner.to_trace()), value.clone()),
            Sample::Always(inner, prop) => Trace::Always(Box::new(inner.to_trace()), prop.clone()),
            Sample::Chosen { sample, .. } => sample.to_trace(),
            Sample::Auto(auto, scripts) => {
                Trace::Auto(Arc::clone(auto), scripts.iter().map(Sample::to_trace).collect())
            }
        }
    }

    /// How many events it has, executed or not.
    pub(crate) fn events(&self) -> usize {
        let mut events = 0;
        self.visit(&mut |part| events += usize::from(matches!(part, Sample::Event(..))));
        events
    }

    /// Visits it and its parts in the order of the trace, a part before what is in it. Whatever a policy
    /// will choose is visited as an event, so that those after it have their numbers.
    pub(crate) fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Sample)) {
        visit(self);
        match self {
            Sample::Seq(parts) | Sample::Repeat { items: parts, .. } => {
                parts.iter().for_each(|part| part.visit(visit));
            }
            Sample::Try(inner)
            | Sample::Then(_, inner)
            | Sample::Keeps(inner, _)
            | Sample::Always(inner, _)
            | Sample::Chosen { sample: inner, .. } => inner.visit(visit),
            Sample::Auto(auto, scripts) => {
                let mut scripts = scripts.iter();
                for _ in 0..auto.moves {
                    if let Some(script) = scripts.next() {
                        script.visit(visit);
                    }
                    visit(&MOVE);
                }
            }
            Sample::Unit | Sample::Event(..) | Sample::Assert(_) | Sample::Let(..) => {}
        }
    }

    /// The same, to change it. What a policy will choose cannot be changed.
    pub(crate) fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut Sample)) {
        visit(self);
        match self {
            Sample::Seq(parts) | Sample::Repeat { items: parts, .. } => {
                parts.iter_mut().for_each(|part| part.visit_mut(visit));
            }
            Sample::Try(inner)
            | Sample::Then(_, inner)
            | Sample::Keeps(inner, _)
            | Sample::Always(inner, _)
            | Sample::Chosen { sample: inner, .. } => inner.visit_mut(visit),
            Sample::Auto(auto, scripts) => {
                let mut scripts = scripts.iter_mut();
                for _ in 0..auto.moves {
                    if let Some(script) = scripts.next() {
                        script.visit_mut(visit);
                    }
                    visit(&mut MOVE.clone());
                }
            }
            Sample::Unit | Sample::Event(..) | Sample::Assert(_) | Sample::Let(..) => {}
        }
    }

    /// Replaces wildcard events by what they were resolved to when the sample was run. The number of
    /// an event is its place in the sample, which is also its place in the trace.
    pub fn resolve(&mut self, resolved: &[(usize, Event)]) {
        let mut resolved = resolved.iter().peekable();
        let mut number = 0;
        self.visit_mut(&mut |part| {
            let Sample::Event(event, _) = part else { return };
            while resolved.next_if(|(at, _)| *at < number).is_some() {}
            if let Some((_, concrete)) = resolved.next_if(|(at, _)| *at == number) {
                *event = concrete.clone();
            }
            number += 1;
        });
    }

    /// The executed events by themselves, each of which may be left out, or be blocked once another
    /// is. For failures that mean something after any events at all: it leaves the generator.
    #[must_use]
    pub fn freed(&self, executed: &[(usize, Event)]) -> Sample {
        let mut choices = Vec::new();
        self.visit(&mut |part| {
            if let Sample::Event(_, drawn_from) = part {
                choices.push(drawn_from.clone());
            }
        });
        let items = executed.iter().map(|(number, event)| {
            let drawn_from = choices.get(*number).cloned().flatten();
            Sample::Try(Box::new(Sample::Event(event.clone(), drawn_from)))
        });
        Sample::Repeat { least: 0, items: items.collect() }
    }

    /// Drops every repetition of which no event was executed. `executed` holds the numbers of the
    /// events that were, in order.
    pub fn drop_all_but(&mut self, executed: &[(usize, Event)]) {
        self.drop_unexecuted(&mut 0, &|from, to| {
            let first = executed.partition_point(|(number, _)| *number < from);
            executed.get(first).is_some_and(|(number, _)| *number < to)
        });
    }

    fn drop_unexecuted(&mut self, number: &mut usize, any: &dyn Fn(usize, usize) -> bool) {
        match self {
            Sample::Event(..) => *number += 1,
            Sample::Auto(..) => *number += self.events(),
            Sample::Repeat { least, items } => {
                let mut spare = items.len().saturating_sub(*least as usize);
                items.retain_mut(|item| {
                    let from = *number;
                    item.drop_unexecuted(number, any);
                    let keep = spare == 0 || any(from, *number);
                    spare -= usize::from(!keep);
                    keep
                });
            }
            Sample::Seq(parts) => {
                parts.iter_mut().for_each(|part| part.drop_unexecuted(number, any));
            }
            Sample::Try(inner)
            | Sample::Then(_, inner)
            | Sample::Keeps(inner, _)
            | Sample::Always(inner, _)
            | Sample::Chosen { sample: inner, .. } => inner.drop_unexecuted(number, any),
            Sample::Unit | Sample::Assert(_) | Sample::Let(..) => {}
        }
    }
}
