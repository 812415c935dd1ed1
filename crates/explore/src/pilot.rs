//! A policy as the pilot of an `auto`: the part of a run that it steers is a run to it, and the script that
//! is offered to it is one more input.

use crate::abstraction::{Kind, Sight};
use crate::angluin::Angluin;
use crate::frugal::Frugal;
use crate::journal::Entry;
use crate::knowledge::Knowledge;
use crate::models::{Keeper, Models};
use crate::offer::{Inputs, Offer};
use crate::policy::{Move, Policy, Random};
use crate::swifthand::{Heuristics, SwiftHand, pick};
use capuchin::trace::{Auto, Policy as Name};
use capuchin::ui::{DeviceInfo, Event, Rng, Screen, Str};
use capuchin::{Choice, Effect, Pilot, Pilots, Seen};
use std::sync::{Arc, Mutex, PoisonError};

/// What the script of an `auto … offering` is called among the inputs.
const SCRIPT: &str = "the script";

/// Where the pilots of `auto random`, `lstar`, `swifthand` and `capuchin` come from.
#[derive(Clone, Debug, Default)]
pub struct Explorers {
    /// What they do besides what the elements take.
    pub inputs: Inputs,
    /// What they know from earlier checks, and where they keep what they learn.
    pub models: Models,
}

impl Pilots for Explorers {
    fn pilot(&self, auto: &Auto, seed: u64, info: &DeviceInfo) -> Option<Box<dyn Pilot>> {
        let policy: Box<dyn Policy> = match auto.policy {
            // The end of a run is not theirs to choose.
            Name::Random => Box::new(Random { restart: 0.0 }),
            Name::Swifthand => {
                let max_length = auto.moves as usize;
                let heuristics = Heuristics { max_length, ..Heuristics::default() };
                Box::new(SwiftHand::new(heuristics))
            }
            Name::Lstar => Box::new(Angluin::default()),
            Name::Capuchin => Box::new(Frugal::on(info)),
            _ => return None,
        };
        let model = self.models.of(auto);
        let mut knowledge = Knowledge::new(model.map_or(Kind::Adaptive, |model| model.kind));
        let remembered = model.iter().flat_map(|model| model.remembered.iter());
        remembered.for_each(|entry| knowledge.take_in(entry));
        Some(Box::new(Explorer {
            rng: knowledge.random(seed),
            knowledge,
            keeper: model.and_then(|model| model.keeper.clone()),
            policy,
            inputs: self.inputs.clone().performed_by(info),
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
    sight: Option<Sight>,
    fresh: u32,
}

impl Explorer {
    fn look(&mut self, screen: &Screen) -> Sight {
        let (sight, offers) = Sight::of(screen, &self.inputs, self.knowledge.kind());
        self.offers = offers;
        sight
    }

    fn note(&mut self, offered: bool) {
        let Some(Unnoted { name, sight, fresh }) = self.unnoted.take() else { return };
        let is_seen = sight.is_some();
        let mut sight = sight.unwrap_or_else(|| Sight::of_the_end(None));
        if offered {
            sight.offers.push((SCRIPT.into(), SCRIPT.into()));
        }
        let entry = match name {
            Some(name) => Entry::Performed(name, sight, fresh),
            None => Entry::Restarted(sight, fresh),
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
        let sight = Some(self.look(screen));
        self.unnoted = Some(Unnoted { name, sight, fresh: 0 });
    }

    fn choose(&mut self, _: &Screen, offered: bool) -> Choice {
        self.note(offered);
        let input = match self.policy.next(&self.knowledge, &mut self.rng) {
            Move::Perform(input) => Some(input),
            Move::Restart if self.detours => {
                pick(self.knowledge.enabled_now(), &mut self.rng).copied()
            }
            Move::Restart | Move::Stop => None,
        };
        let Some(input) = input else { return Choice::Stop };
        let Some(name) = self.knowledge.name_now(input).cloned() else { return Choice::Stop };
        let event = self.offers.iter().find(|offer| offer.name == name);
        let choice = match event {
            Some(Offer { event, .. }) => Choice::Event(event.clone()),
            None if name == SCRIPT => Choice::Script,
            None => Choice::Event(Event::Skip),
        };
        self.unnoted = Some(Unnoted { name: Some(name), sight: None, fresh: 0 });
        choice
    }

    fn saw(&mut self, seen: &Seen<'_>) {
        let sight = match seen.effect {
            Effect::Done | Effect::Blocked(_) => self.look(seen.screen),
            Effect::Ended(verdict) => Sight::of_the_end(Some(verdict)),
        };
        if let Some(unnoted) = &mut self.unnoted {
            unnoted.sight = Some(sight);
            unnoted.fresh = seen.fresh.unwrap_or(0);
        }
    }

    fn hand_back(&mut self) {
        self.note(false);
        self.is_new = true;
    }
}
