//! What was drawn from a generator, with the memory of how.
//!
//! A trace forgets which of its parts were chosen. A sample remembers, so the shrinker can drop a
//! repetition or take another arm and still hold a trace that the generator could have produced:
//! the script's own steps stay, and a failed assertion keeps its meaning.

use crate::argument::{Sampler, pick};
use crate::interleave::interleave;
use crate::slot::Slots;
use crate::{Auto, EventGen, Expr, Gen, Prop, Slot, Trace};
use capuchin_ui::{DeviceInfo, Event, Rng, Str};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A trace, and what could have been chosen differently in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Sample {
    /// Nothing.
    Unit,
    /// One event, its slot, and the generator that its arguments were drawn from if there was a
    /// choice.
    Event(Slot, Event, Option<Arc<EventGen>>),
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
    /// A policy chooses here, while the trace runs. What is injected was drawn for each of its
    /// moves; none if nothing is. See [`Sample::settled`].
    Auto(Slot, Arc<Auto>, Vec<Sample>),
}

impl Gen {
    /// Draws from the generator. The same numbers give the same sample.
    pub fn sample(&self, rng: Rng) -> Sample {
        self.draw(&mut Sampler::new(rng), &mut Slots::default())
    }

    /// Draws from the generator for a device: where a word stands for one of several device events,
    /// it is one that the device claims. A device that claims all of them gets what [`Gen::sample`]
    /// draws.
    pub fn sample_on(&self, info: &DeviceInfo, rng: Rng) -> Sample {
        let mut sampler = Sampler::new(rng);
        sampler.events = info.device_events;
        self.on(sampler.events).draw(&mut sampler, &mut Slots::default())
    }

    fn draw(&self, sampler: &mut Sampler, slots: &mut Slots) -> Sample {
        match self {
            Gen::Unit => Sample::Unit,
            Gen::Event(event) => draw_event(event, sampler, slots),
            Gen::Seq(parts) => {
                Sample::Seq(parts.iter().map(|part| part.draw(sampler, slots)).collect())
            }
            Gen::Choice(arms) => {
                let arm = sampler.rng.below(arms.len() as u64) as usize;
                Arms::Even(Arc::clone(arms)).take(arm, |arm| arm.draw(sampler, slots))
            }
            Gen::Weighted(arms) => {
                let arm = pick(arms.iter().map(|(weight, _)| *weight), &mut sampler.rng);
                Arms::Weighted(Arc::clone(arms)).take(arm, |arm| arm.draw(sampler, slots))
            }
            Gen::Repeat(least, most, inner) => {
                let times = sampler.rng.between((*least).into(), (*most).into());
                let items = (0..times).map(|_| inner.draw(sampler, slots)).collect();
                Sample::Repeat { least: *least, items }
            }
            Gen::Try(inner) => Sample::Try(Box::new(inner.draw(sampler, slots))),
            Gen::Then(guard, inner) => {
                Sample::Then(guard.clone(), Box::new(inner.draw(sampler, slots)))
            }
            Gen::Assert(prop) => Sample::Assert(prop.clone()),
            Gen::Let(name, value) => Sample::Let(name.clone(), value.clone()),
            Gen::Keeps(inner, value) => {
                Sample::Keeps(Box::new(inner.draw(sampler, slots)), value.clone())
            }
            Gen::Always(inner, prop) => {
                Sample::Always(Box::new(inner.draw(sampler, slots)), prop.clone())
            }
            Gen::Interleave(first, second) => {
                let (first, second) = (first.draw(sampler, slots), second.draw(sampler, slots));
                interleave(&first, &second, &mut sampler.rng, slots)
            }
            // A monkey's number is how long it runs, not something the failure depends on.
            Gen::Monkey(_) | Gen::RelevantMonkey(_) | Gen::Gorilla(..) => {
                self.draw_moves(sampler, slots)
            }
            Gen::Auto(auto) if auto.is_drawn() => self.draw_moves(sampler, slots),
            Gen::Auto(auto) => {
                let script = auto.script.iter().map(|(_, script)| script);
                let scripts = script.flat_map(|script| (0..auto.moves).map(move |_| script));
                let slot = slots.next();
                let scripts = scripts.map(|script| script.on(sampler.events).draw(sampler, slots));
                Sample::Auto(slot, Arc::clone(auto), scripts.collect())
            }
            Gen::Interrupts(_) | Gen::Optional(_) | Gen::Preserves(..) => {
                self.expand().on(sampler.events).draw(sampler, slots)
            }
        }
    }

    fn draw_moves(&self, sampler: &mut Sampler, slots: &mut Slots) -> Sample {
        match self.expand().on(sampler.events).draw(sampler, slots) {
            Sample::Repeat { items, .. } => Sample::Repeat { least: 0, items },
            other => other,
        }
    }

    /// The smallest sample there is: no repetition that need not be, nothing optional, first arms.
    pub(crate) fn simplest(&self, slots: &mut Slots) -> Sample {
        match self {
            Gen::Seq(parts) => Sample::Seq(parts.iter().map(|part| part.simplest(slots)).collect()),
            Gen::Choice(arms) => Arms::Even(Arc::clone(arms)).take(0, |arm| arm.simplest(slots)),
            Gen::Weighted(arms) => {
                let first = arms.iter().position(|(weight, _)| *weight > 0).unwrap_or_default();
                Arms::Weighted(Arc::clone(arms)).take(first, |arm| arm.simplest(slots))
            }
            Gen::Repeat(least, _, inner) => Sample::Repeat {
                least: *least,
                items: (0..*least).map(|_| inner.simplest(slots)).collect(),
            },
            Gen::Try(inner) => Sample::Try(Box::new(inner.simplest(slots))),
            Gen::Then(guard, inner) => Sample::Then(guard.clone(), Box::new(inner.simplest(slots))),
            Gen::Monkey(_)
            | Gen::RelevantMonkey(_)
            | Gen::Gorilla(..)
            | Gen::Auto(_)
            | Gen::Interrupts(_)
            | Gen::Optional(_) => Sample::Unit,
            Gen::Preserves(..) => self.expand().simplest(slots),
            Gen::Keeps(inner, value) => {
                Sample::Keeps(Box::new(inner.simplest(slots)), value.clone())
            }
            Gen::Always(inner, prop) => {
                Sample::Always(Box::new(inner.simplest(slots)), prop.clone())
            }
            Gen::Interleave(first, second) => {
                Sample::Seq(vec![first.simplest(slots), second.simplest(slots)])
            }
            // The stream does not matter, only that it is always the same.
            Gen::Unit | Gen::Event(_) | Gen::Assert(_) | Gen::Let(..) => {
                self.draw(&mut Sampler::new(Rng::new(0)), slots)
            }
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

fn draw_event(event: &Arc<EventGen>, sampler: &mut Sampler, slots: &mut Slots) -> Sample {
    let choices = event.has_choices().then(|| Arc::clone(event));
    Sample::Event(slots.next(), event.sample(sampler), choices)
}

impl Sample {
    /// The trace that a device runs.
    pub fn to_trace(&self) -> Trace {
        match self {
            Sample::Unit => Trace::Unit,
            Sample::Event(slot, event, _) => Trace::Event(*slot, event.clone()),
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
            Sample::Auto(slot, auto, scripts) => {
                let scripts = scripts.iter().map(Sample::to_trace).collect();
                Trace::Auto(*slot, Arc::clone(auto), scripts)
            }
        }
    }

    /// Visits it and its parts in the order of the trace, a part before what is in it.
    pub(crate) fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Sample)) {
        visit(self);
        match self {
            Sample::Seq(parts)
            | Sample::Repeat { items: parts, .. }
            | Sample::Auto(_, _, parts) => {
                parts.iter().for_each(|part| part.visit(visit));
            }
            Sample::Try(inner)
            | Sample::Then(_, inner)
            | Sample::Keeps(inner, _)
            | Sample::Always(inner, _)
            | Sample::Chosen { sample: inner, .. } => inner.visit(visit),
            Sample::Unit | Sample::Event(..) | Sample::Assert(_) | Sample::Let(..) => {}
        }
    }

    /// The same, to change it.
    pub(crate) fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut Sample)) {
        visit(self);
        match self {
            Sample::Seq(parts)
            | Sample::Repeat { items: parts, .. }
            | Sample::Auto(_, _, parts) => {
                parts.iter_mut().for_each(|part| part.visit_mut(visit));
            }
            Sample::Try(inner)
            | Sample::Then(_, inner)
            | Sample::Keeps(inner, _)
            | Sample::Always(inner, _)
            | Sample::Chosen { sample: inner, .. } => inner.visit_mut(visit),
            Sample::Unit | Sample::Event(..) | Sample::Assert(_) | Sample::Let(..) => {}
        }
    }

    /// The slots in it, those of its `auto` parts included.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        self.visit(&mut |part| {
            if let Sample::Event(slot, ..) | Sample::Auto(slot, ..) = part {
                slots.push(*slot);
            }
        });
        slots
    }

    /// Replaces wildcard events by what they were resolved to when the sample was run.
    pub fn resolve(&mut self, resolved: &[(Slot, Event)]) {
        let resolved: BTreeMap<Slot, &Event> =
            resolved.iter().map(|(slot, event)| (*slot, event)).collect();
        self.visit_mut(&mut |part| {
            if let Sample::Event(slot, event, _) = part
                && let Some(concrete) = resolved.get(slot)
            {
                *event = (*concrete).clone();
            }
        });
    }

    /// The executed events by themselves, each of which may be left out, or be blocked once another
    /// is. For failures that mean something after any events at all: it leaves the generator.
    #[must_use]
    pub fn freed(&self, executed: &[(Slot, Event)]) -> Sample {
        let mut choices = BTreeMap::new();
        self.visit(&mut |part| {
            if let Sample::Event(slot, _, Some(drawn_from)) = part {
                choices.insert(*slot, Arc::clone(drawn_from));
            }
        });
        let items = executed.iter().map(|(slot, event)| {
            let drawn_from = choices.get(slot).cloned();
            Sample::Try(Box::new(Sample::Event(*slot, event.clone(), drawn_from)))
        });
        Sample::Repeat { least: 0, items: items.collect() }
    }

    /// Drops every repetition of which no event was executed.
    pub fn drop_all_but(&mut self, executed: &[(Slot, Event)]) {
        let executed: BTreeSet<Slot> = executed.iter().map(|(slot, _)| *slot).collect();
        self.visit_mut(&mut |part| {
            let Sample::Repeat { least, items } = part else { return };
            let mut spare = items.len().saturating_sub(*least as usize);
            items.retain(|item| {
                let keep = spare == 0 || item.slots().iter().any(|slot| executed.contains(slot));
                spare -= usize::from(!keep);
                keep
            });
        });
    }
}
