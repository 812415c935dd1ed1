//! Reads facts off a screen: the actual state, from an observation alone.
//!
//! On its own because of its speed. A model has thousands of facts, and most of them look at the
//! same few elements (`text(#title) == "a"`, `text(#title) == "b"`). So what the readings have in
//! common is evaluated once for each screen, and an element that nothing on the screen is called
//! like is not searched for.

use capuchin::trace::{Comparison, Expr, Prop};
use capuchin::ui::{DeviceError, Screen, Selector, State, TextMatch, Value};
use capuchin::{Probe, compare_values};
use capuchin_spec::Reading;
use std::collections::BTreeMap;

/// A property of which the parts have numbers.
#[expect(clippy::large_enum_variant, reason = "most parts are leaves")]
#[derive(Debug)]
enum Part {
    Compare(u32, Comparison, u32),
    Not(u32),
    All(Vec<u32>),
    Any(Vec<u32>),
    Implies(u32, u32),
    /// What has no parts that others could share.
    Leaf(Prop),
}

/// How a fact that can be seen is read.
#[derive(Clone, Copy, Debug)]
struct Seen {
    prop: u32,
    guard: Option<u32>,
}

/// How the facts of a model are read.
#[derive(Debug, Default)]
pub(crate) struct Readings {
    parts: Vec<Part>,
    values: Vec<Expr>,
    /// By the number of the fact.
    facts: Vec<Option<Seen>>,
    /// The different elements that facts are read from.
    selectors: Vec<Selector>,
    /// Which of them each fact is read from, and which its guard.
    read_from: Vec<(Vec<u32>, Vec<u32>)>,
    known_selectors: BTreeMap<String, u32>,
    known_parts: BTreeMap<String, u32>,
    known_values: BTreeMap<String, u32>,
}

impl Readings {
    /// Adds how the next fact is read.
    pub(crate) fn add(&mut self, reading: &Reading) {
        let (mut own, mut guarding) = (Vec::new(), Vec::new());
        let seen = match reading {
            Reading::Unseen => None,
            Reading::Seen { prop, guard } => {
                elements(prop, &mut own);
                let guard = guard.as_ref().map(|guard| {
                    elements(guard, &mut guarding);
                    self.part(guard)
                });
                Some(Seen { prop: self.part(prop), guard })
            }
        };
        self.facts.push(seen);
        let mut number = |selectors: Vec<Selector>| -> Vec<u32> {
            selectors.into_iter().map(|selector| self.selector(selector)).collect()
        };
        let read_from = (number(own), number(guarding));
        self.read_from.push(read_from);
    }

    /// Whether some screen shows the fact.
    pub(crate) fn is_seen(&self, fact: u32) -> bool {
        self.facts[fact as usize].is_some()
    }

    fn selector(&mut self, selector: Selector) -> u32 {
        let selectors = &mut self.selectors;
        *self.known_selectors.entry(selector.to_string()).or_insert_with(|| {
            selectors.push(selector);
            selectors.len() as u32 - 1
        })
    }

    /// The elements that may change if these facts do: those that they are read from, and those
    /// of facts that can be seen only while something holds of such an element.
    pub(crate) fn explained(&self, facts: impl Iterator<Item = u32>) -> Vec<&Selector> {
        let mut is_explained = vec![false; self.selectors.len()];
        let add = |selectors: &[u32], is_explained: &mut [bool]| {
            let new = selectors.iter().filter(|it| !is_explained[**it as usize]).count();
            selectors.iter().for_each(|it| is_explained[*it as usize] = true);
            new > 0
        };
        for fact in facts {
            let (own, guarding) = &self.read_from[fact as usize];
            add(own, &mut is_explained);
            add(guarding, &mut is_explained);
        }
        let mut is_growing = true;
        while is_growing {
            is_growing = false;
            for (own, guarding) in &self.read_from {
                if guarding.iter().any(|it| is_explained[*it as usize]) {
                    is_growing |= add(own, &mut is_explained);
                }
            }
        }
        let explained = self.selectors.iter().zip(is_explained).filter(|(_, is)| *is);
        explained.map(|(selector, _)| selector).collect()
    }

    fn part(&mut self, prop: &Prop) -> u32 {
        let text = prop.to_string();
        if let Some(known) = self.known_parts.get(&text) {
            return *known;
        }
        let part = match prop {
            Prop::Compare(left, how, right) => {
                Part::Compare(self.value(left), *how, self.value(right))
            }
            Prop::Not(inner) => Part::Not(self.part(inner)),
            Prop::And(all) => Part::All(all.iter().map(|one| self.part(one)).collect()),
            Prop::Or(all) => Part::Any(all.iter().map(|one| self.part(one)).collect()),
            Prop::Implies(left, right) => Part::Implies(self.part(left), self.part(right)),
            prop => Part::Leaf(prop.clone()),
        };
        let number = self.parts.len() as u32;
        self.parts.push(part);
        self.known_parts.insert(text, number);
        number
    }

    fn value(&mut self, value: &Expr) -> u32 {
        let text = value.to_string();
        if let Some(known) = self.known_values.get(&text) {
            return *known;
        }
        let number = self.values.len() as u32;
        self.values.push(value.clone());
        self.known_values.insert(text, number);
        number
    }
}

/// Adds the elements that a property looks at.
fn elements(prop: &Prop, into: &mut Vec<Selector>) {
    match prop {
        Prop::Element(_, selector) | Prop::HasText(selector, _) => into.push(selector.clone()),
        Prop::Not(inner) => elements(inner, into),
        Prop::And(all) | Prop::Or(all) => all.iter().for_each(|one| elements(one, into)),
        Prop::Implies(left, right) => {
            elements(left, into);
            elements(right, into);
        }
        _ => {}
    }
    prop.visit_values(&mut |value| match value {
        Expr::TextOf(selector)
        | Expr::TextsOf(selector)
        | Expr::ValueOf(selector)
        | Expr::NumberOf(selector)
        | Expr::Count(selector) => into.push(selector.clone()),
        _ => {}
    });
}

/// What was read off one screen so far. It is kept from step to step for its memory.
#[derive(Debug, Default)]
pub(crate) struct ReadingMemory {
    parts: Vec<Option<bool>>,
    values: Vec<Option<Option<Value>>>,
}

/// Reads facts off one screen.
pub(crate) struct FactReader<'r, 'p, 'd> {
    readings: &'r Readings,
    memory: &'r mut ReadingMemory,
    app: &'p mut Probe<'d>,
    /// What is written on the screen, sorted.
    texts: Vec<&'d str>,
}

impl<'r, 'p, 'd> FactReader<'r, 'p, 'd> {
    pub(crate) fn new(
        readings: &'r Readings,
        memory: &'r mut ReadingMemory,
        app: &'p mut Probe<'d>,
    ) -> Self {
        memory.parts.clear();
        memory.parts.resize(readings.parts.len(), None);
        memory.values.clear();
        memory.values.resize(readings.values.len(), None);
        let texts = texts(app.screen());
        FactReader { readings, memory, app, texts }
    }

    /// Whether a fact is true on the screen; `None` if it cannot be seen now.
    pub(crate) fn read(&mut self, fact: u32) -> Result<Option<bool>, DeviceError> {
        let Some(seen) = self.readings.facts[fact as usize] else { return Ok(None) };
        if let Some(guard) = seen.guard
            && !self.part(guard)?
        {
            return Ok(None);
        }
        self.part(seen.prop).map(Some)
    }

    fn part(&mut self, number: u32) -> Result<bool, DeviceError> {
        if let Some(known) = self.memory.parts[number as usize] {
            return Ok(known);
        }
        let readings = self.readings;
        let holds = match &readings.parts[number as usize] {
            Part::Compare(left, how, right) => {
                self.value(*left)?;
                self.value(*right)?;
                let value = |number: &u32| self.memory.values[*number as usize].as_ref();
                match (value(left), value(right)) {
                    (Some(Some(left)), Some(Some(right))) => compare_values(left, *how, right),
                    _ => false,
                }
            }
            Part::Not(inner) => !self.part(*inner)?,
            Part::All(all) => {
                let mut holds = true;
                for one in all {
                    holds = holds && self.part(*one)?;
                }
                holds
            }
            Part::Any(all) => {
                let mut holds = false;
                for one in all {
                    holds = holds || self.part(*one)?;
                }
                holds
            }
            Part::Implies(left, right) => !self.part(*left)? || self.part(*right)?,
            Part::Leaf(Prop::Element(_, selector)) if !self.is_written(selector) => false,
            Part::Leaf(prop) => self.app.holds(prop)?,
        };
        self.memory.parts[number as usize] = Some(holds);
        Ok(holds)
    }

    fn value(&mut self, number: u32) -> Result<(), DeviceError> {
        if self.memory.values[number as usize].is_none() {
            let value = self.app.value(&self.readings.values[number as usize])?;
            self.memory.values[number as usize] = Some(value);
        }
        Ok(())
    }

    /// Whether the text that a selector wants is on the screen at all.
    fn is_written(&self, selector: &Selector) -> bool {
        match &selector.text {
            Some(TextMatch::Is(text)) => self.texts.binary_search(&text.as_str()).is_ok(),
            _ => true,
        }
    }
}

fn texts(screen: &Screen) -> Vec<&str> {
    let displayed = screen.elements.iter().filter(|element| element.is(State::DISPLAYED));
    let mut texts: Vec<&str> =
        displayed.flat_map(|element| [element.text.as_str(), element.hint.as_str()]).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}
