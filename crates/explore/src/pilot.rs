//! A policy as the pilot of an `auto`: the part of a run that it steers is a run to it, and the script that
//! is offered to it is one more input.

use crate::abstraction::ScreenSummary;
use crate::abstraction_kind::AbstractionKind;
use crate::capuchin_policy::CapuchinPolicy;
use crate::journal::Entry;
use crate::knowledge::Knowledge;
use crate::learner_policy::LStarPolicy;
use crate::models::{Keeper, Models};
use crate::offer::{Inputs, Offer};
use crate::policy::{Decision, Policy, Random};
use crate::swifthand::{Heuristics, SwiftHand, pick};
use capuchin::trace::{Auto, Policy as Name};
use capuchin::ui::{Event, Rng, Screen, Str};
use capuchin::{Choice, Effect, Pilot, Pilots, Seen};
use std::sync::{Arc, Mutex, PoisonError};

/// What the script of an `auto … offering` is called among the inputs.
const SCRIPT: &str = "the script";
/// What a reset costs a policy that is an `auto`, in inputs: its part of the run ends there.
const RESTART: f64 = 10.0;

/// Where the pilots of `auto random`, `lstar`, `swifthand` and `capuchin` come from.
#[derive(Clone, Debug, Default)]
pub struct Explorers {
    /// What they do besides what the elements take.
    pub inputs: Inputs,
    /// What they know from earlier checks, and where they keep what they learn.
    pub models: Models,
}

impl Pilots for Explorers {
    fn pilot(&self, auto: &Auto, seed: u64) -> Option<Box<dyn Pilot>> {
        let policy: Box<dyn Policy> = match auto.policy {
            // The end of a run is not theirs to choose.
            Name::Random => Box::new(Random { restart: 0.0 }),
            Name::Swifthand => {
                let max_length = auto.moves as usize;
                let heuristics = Heuristics { max_length, ..Heuristics::default() };
                Box::new(SwiftHand::new(heuristics))
            }
            Name::Lstar => Box::new(LStarPolicy::default()),
            Name::Capuchin => Box::new(CapuchinPolicy::new(RESTART)),
            _ => return None,
        };
        let model = self.models.of(auto);
        let mut knowledge =
            Knowledge::new(model.map_or(AbstractionKind::ADAPTIVE, |model| model.kind.clone()));
        let remembered = model.iter().flat_map(|model| model.remembered.iter());
        remembered.for_each(|entry| knowledge.take_in(entry));
        Some(Box::new(Explorer {
            rng: knowledge.random(seed),
            knowledge,
            keeper: model.and_then(|model| model.keeper.clone()),
            policy,
            inputs: self.inputs.clone(),
            offers: Vec::new(),
            unnoted: None,
            is_new: true,
            detours: auto.policy != Name::Lstar,
        }))
    }
}

struct Explorer {
    knowledge: Knowledge,
    /// Keeps what it learns.
    keeper: Option<Arc<Mutex<Keeper>>>,
    policy: Box<dyn Policy>,
    inputs: Inputs,
    rng: Rng,
    /// What the screen offers, besides the script.
    offers: Vec<Offer>,
    /// What was seen last. Whether it offers the script is known when the next move is asked for.
    unnoted: Option<Unnoted>,
    /// Whether its part begins.
    is_new: bool,
    /// Whether it goes on by chance where its policy would restart. L* asks one question in a run: what
    /// else it did would be no part of it.
    detours: bool,
}

struct Unnoted {
    /// The input that led there; nothing at the start of its part.
    name: Option<Str>,
    /// Nothing, if the move was broken off, or the device failed over it.
    summary: Option<ScreenSummary>,
    fresh: u32,
}

impl Explorer {
    fn summarize(&mut self, screen: &Screen) -> ScreenSummary {
        let (summary, offers) = ScreenSummary::of(screen, &self.inputs, self.knowledge.kind());
        self.offers = offers;
        summary
    }

    fn note(&mut self, offered: bool) {
        let Some(Unnoted { name, summary, fresh }) = self.unnoted.take() else { return };
        let is_seen = summary.is_some();
        let mut summary = summary.unwrap_or_else(|| ScreenSummary::of_the_end(None));
        if offered {
            summary.offers.push((SCRIPT.into(), SCRIPT.into()));
        }
        let entry = match name {
            Some(name) => Entry::Performed(name, summary, fresh),
            None => Entry::Restarted(summary, fresh),
        };
        self.knowledge.take_in(&entry);
        // What was not seen may never have been done: that is a guess for this check alone.
        if let Some(keeper) = self.keeper.as_ref().filter(|_| is_seen) {
            keeper.lock().unwrap_or_else(PoisonError::into_inner).write(&entry);
        }
    }
}

impl Pilot for Explorer {
    fn take_over(&mut self, screen: &Screen, _: usize) {
        // What a script does in between is an input that nobody can choose.
        self.note(false);
        let name = (!self.is_new).then(|| "what the script did".into());
        self.is_new = false;
        let summary = Some(self.summarize(screen));
        self.unnoted = Some(Unnoted { name, summary, fresh: 0 });
    }

    fn choose(&mut self, _: &Screen, offered: bool) -> Choice {
        self.note(offered);
        let input = match self.policy.next(&self.knowledge, &mut self.rng) {
            Decision::Perform(input) => Some(input),
            Decision::Restart if self.detours => {
                pick(self.knowledge.enabled_now(), &mut self.rng).copied()
            }
            Decision::Restart | Decision::Stop => None,
        };
        let Some(input) = input else { return Choice::Stop };
        let Some(name) = self.knowledge.name_now(input).cloned() else { return Choice::Stop };
        let event = self.offers.iter().find(|offer| offer.name == name);
        let choice = match event {
            Some(Offer { event, .. }) => Choice::Event(event.clone()),
            None if name == SCRIPT => Choice::Script,
            None => Choice::Event(Event::Skip),
        };
        self.unnoted = Some(Unnoted { name: Some(name), summary: None, fresh: 0 });
        choice
    }

    fn saw(&mut self, seen: &Seen<'_>) {
        let summary = match seen.effect {
            Effect::Done | Effect::Blocked(_) => self.summarize(seen.screen),
            Effect::Ended(verdict) => ScreenSummary::of_the_end(Some(verdict)),
        };
        if let Some(unnoted) = &mut self.unnoted {
            unnoted.summary = Some(summary);
            unnoted.fresh = seen.fresh.unwrap_or(0);
        }
    }

    fn hand_back(&mut self) {
        self.note(false);
        self.is_new = true;
    }
}
