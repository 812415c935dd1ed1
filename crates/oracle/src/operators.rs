//! Operators as events: the ways in which a ground operator is done, and which of them fit a step
//! that was made.
//!
//! On its own because it is what lets the oracle watch anybody: nobody says which operator is
//! meant, and the step itself shows it. An event of an operator fits a step if it goes to the same
//! element, with the same text or direction.

use capuchin::trace::{Gen, Trace};
use capuchin::ui::{Event, Rng, Screen, Selector, Target, Toward};

/// The most ways of one operator: choices in a sequence multiply.
const MOST_WAYS: usize = 64;

/// A way of doing an operator: its events, by number.
#[derive(Debug)]
pub(crate) struct Way {
    /// The number of the ground operator.
    pub(crate) step: u32,
    /// Its events, by their numbers in [`Operators::events`].
    pub(crate) events: Vec<u32>,
}

/// The ways of all ground operators.
#[derive(Debug, Default)]
pub(crate) struct Operators {
    /// The different events.
    pub(crate) events: Vec<Event>,
    pub(crate) ways: Vec<Way>,
    /// For each event the ways that begin with it.
    first: Vec<Vec<u32>>,
    /// For each ground operator the first of its ways.
    of_step: Vec<Option<u32>>,
    known: std::collections::BTreeMap<String, u32>,
}

/// An operator that is not a choice of sequences of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotEvents(pub(crate) &'static str);

impl Operators {
    /// Adds the next ground operator; `None` if no event does it.
    pub(crate) fn add(&mut self, generator: Option<&Gen>) -> Result<(), NotEvents> {
        let step = self.of_step.len() as u32;
        self.of_step.push(None);
        let Some(generator) = generator else { return Ok(()) };
        for events in ways(generator)? {
            if events.is_empty() {
                return Err(NotEvents("it does nothing"));
            }
            let number = self.ways.len() as u32;
            let events: Vec<u32> = events.into_iter().map(|event| self.number(event)).collect();
            self.first[events[0] as usize].push(number);
            self.ways.push(Way { step, events });
            self.of_step[step as usize].get_or_insert(number);
        }
        Ok(())
    }

    fn number(&mut self, event: Event) -> u32 {
        let text = event.to_string();
        *self.known.entry(text).or_insert_with(|| {
            self.events.push(event);
            self.first.push(Vec::new());
            self.events.len() as u32 - 1
        })
    }

    /// The trace of a ground operator, in the first of its ways.
    pub(crate) fn trace(&self, step: usize) -> Option<Trace> {
        let way = &self.ways[self.of_step[step]? as usize];
        Some(Trace::seq(way.events.iter().map(|it| self.events[*it as usize].clone().into())))
    }

    /// Which events of the operators are the one that was performed on this screen.
    pub(crate) fn fitting(&self, performed: &Event, before: &Screen) -> Vec<u32> {
        let hit = before.locate(performed).ok().flatten();
        let events = (0..).zip(&self.events);
        let fitting = events.filter(|(_, event)| is_same(performed, hit, event, before));
        fitting.map(|(number, _)| number).collect()
    }

    /// The ways that begin with an event.
    pub(crate) fn beginning_with(&self, event: u32) -> &[u32] {
        &self.first[event as usize]
    }
}

/// Whether the event of an operator is what was performed.
fn is_same(performed: &Event, hit: Option<usize>, event: &Event, before: &Screen) -> bool {
    if std::mem::discriminant(performed) != std::mem::discriminant(event) {
        return false;
    }
    let same_data = match (performed, event) {
        (Event::Type(_, typed), Event::Type(_, text)) => typed == text,
        (Event::Swipe(_, a), Event::Swipe(_, b)) => match (a, b) {
            (Toward::Element(a), Toward::Element(b)) => same_end(a, b, before),
            (a, b) => a == b,
        },
        _ => true,
    };
    let Some(target) = event.target() else { return performed == event };
    let (Some(hit), true) = (hit, same_data) else { return false };
    match target {
        // What the selector says of the element itself is quickly seen, and mostly does not fit.
        Target::One(selector) => {
            selector.fits(&before.elements[hit]) && before.locate(event) == Ok(Some(hit))
        }
        Target::Any(selector) => {
            selector.fits(&before.elements[hit])
                && before.candidates(event).any(|(index, _)| index == hit)
        }
        Target::Place(_) => before.locate(event) == Ok(Some(hit)),
    }
}

fn same_end(a: &Selector, b: &Selector, before: &Screen) -> bool {
    let end = |selector: &Selector| before.find(selector).next().map(|(index, _)| index);
    end(a).is_some() && end(a) == end(b)
}

/// The sequences of events that a generator stands for.
fn ways(generator: &Gen) -> Result<Vec<Vec<Event>>, NotEvents> {
    match generator {
        Gen::Unit => Ok(vec![Vec::new()]),
        Gen::Event(_) => {
            // What is drawn prints otherwise than what it was drawn from.
            let trace = generator.sample(Rng::stream(0, 0)).to_trace();
            match trace {
                Trace::Event(_, event)
                    if Gen::from(Trace::from(event.clone())).to_string()
                        == generator.to_string() =>
                {
                    Ok(vec![vec![event]])
                }
                _ => Err(NotEvents("an event in it is drawn")),
            }
        }
        Gen::Seq(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let next = ways(part)?;
                let longer = all.iter().flat_map(|way: &Vec<Event>| {
                    next.iter().map(move |more| way.iter().chain(more).cloned().collect())
                });
                all = longer.take(MOST_WAYS + 1).collect();
            }
            bounded(all)
        }
        Gen::Choice(arms) => {
            let mut all = Vec::new();
            for arm in arms.iter() {
                all.extend(ways(arm)?);
            }
            bounded(all)
        }
        _ => Err(NotEvents("it is not a sequence of events, or a choice of such")),
    }
}

fn bounded(all: Vec<Vec<Event>>) -> Result<Vec<Vec<Event>>, NotEvents> {
    if all.len() > MOST_WAYS { Err(NotEvents("it has more than 64 ways")) } else { Ok(all) }
}
