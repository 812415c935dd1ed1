//! A policy as the pilot of an `auto`: the part of a run that it steers is a run to it, and what is
//! offered to it beside what the screen offers is one more input.
//!
//! An exploration is the same with the right to restart: where the policy restarts, the `auto` is
//! over, and with it the case.

use crate::abstraction::ScreenSummary;
use crate::album::Album;
use crate::exercises::Exercises;
use crate::journal::Entry;
use crate::knowledge::Knowledge;
use crate::models::{Keeper, Models};
use crate::offer::{Inputs, Offer};
use crate::policy::{Decision, Policy};
use crate::registry::{Policies, PolicyRequest};
use crate::swifthand::pick;
use capuchin::Probe;
use capuchin::log::Map;
use capuchin::steering::{Choice, Effect, NamedTrace, Pilot, Pilots, Progress};
use capuchin::trace::{Auto, Expr, Injection, Trace};
use capuchin::ui::{DeviceError, DeviceInfo, Event, Rng, Str};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Of so many moves one exercises a monitor, where there is something to exercise.
const MOVES_PER_EXERCISE: u32 = 5;

/// Where the pilots of `auto` come from that learn.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Explorers {
    /// The policies that there are.
    pub policies: Policies,
    /// What they do besides what the elements take.
    pub inputs: Inputs,
    /// The monitors that watch, whose exercises are offered as inputs.
    pub exercises: Exercises,
    /// What they know from earlier checks, and where they keep what they learn.
    pub models: Models,
    /// Whether they restart the app themselves: it is an exploration.
    pub may_restart: bool,
    /// The outputs that tell screens apart, for an abstraction by
    /// [outputs](crate::AbstractionKind::by_outputs) of these names.
    pub outputs: Vec<Expr>,
    /// The run directory in which they keep pictures of the screens they learn of.
    pub pictures: Option<PathBuf>,
}

impl Pilots for Explorers {
    fn pilot(&self, auto: &Auto, device: &DeviceInfo, seed: u64) -> Option<Box<dyn Pilot>> {
        let moves = (!self.may_restart).then_some(auto.moves);
        let policy = self.policies.find(&auto.policy)?.make(&PolicyRequest { device, moves });
        let model = self.models.of(auto);
        let mut knowledge =
            Knowledge::new(model.map(|model| model.kind.clone()).unwrap_or_default());
        let remembered = model.iter().flat_map(|model| model.remembered.iter());
        remembered.for_each(|entry| knowledge.take_in(entry));
        let is_offered = |(injection, _): &(Injection, _)| *injection == Injection::Offering;
        Some(Box::new(Explorer {
            rng: knowledge.random(seed),
            knowledge,
            keeper: model.and_then(|model| model.keeper.clone()),
            policy,
            inputs: self.inputs.clone().performed_by(device),
            exercises: self.exercises.clone(),
            exercised: BTreeSet::new(),
            moves_since_exercise: 0,
            events: BTreeMap::new(),
            outputs: self.outputs.clone(),
            offers: Vec::new(),
            named: Vec::new(),
            untold: None,
            is_offered_more: auto.script.as_ref().is_some_and(is_offered),
            is_new: true,
            may_restart: self.may_restart,
            is_done: false,
            album: self.pictures.clone().map(|pictures| Album::new(pictures, self.models.losses())),
        }))
    }
}

/// A policy at work, and what is known by now.
pub struct Explorer {
    knowledge: Knowledge,
    /// Keeps what it learns.
    keeper: Option<Arc<Mutex<Keeper>>>,
    policy: Box<dyn Policy>,
    inputs: Inputs,
    exercises: Exercises,
    /// The names of the exercises that the screen offers, and how many moves ago one was chosen for
    /// its own sake.
    exercised: BTreeSet<Str>,
    moves_since_exercise: u32,
    rng: Rng,
    /// How each input that was ever offered is done, by its name.
    events: BTreeMap<Str, Event>,
    /// The values that tell screens apart.
    outputs: Vec<Expr>,
    /// What the screen offers, and which inputs of several events.
    offers: Vec<Offer>,
    named: Vec<NamedTrace>,
    /// What was done and seen last, until it is taken in.
    untold: Option<Untold>,
    /// Whether more is offered than what is on the screen. What that is, is known when the next
    /// move is asked for.
    is_offered_more: bool,
    /// Whether its part begins.
    is_new: bool,
    may_restart: bool,
    /// Whether its policy has nothing new to try.
    is_done: bool,
    album: Option<Album>,
}

struct Untold {
    /// The input that led there; nothing at the start of its part.
    name: Option<Str>,
    /// Nothing, if the device failed over the move.
    summary: Option<ScreenSummary>,
    fresh: u32,
}

impl Explorer {
    /// What is known by now.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    fn summarize(&mut self, app: &mut Probe<'_>) -> ScreenSummary {
        let (mut summary, offers) =
            ScreenSummary::of(app.screen(), &self.inputs, self.knowledge.kind());
        for offer in &offers {
            self.events.entry(offer.name.clone()).or_insert_with(|| offer.event.clone());
        }
        self.offers = offers;
        let is_dead = summary.offers.is_empty();
        let named = self.inputs.named.iter().filter(|input| !is_dead && is_open(input, app));
        self.named = named.cloned().collect();
        summary.offers.extend(self.named.iter().map(named_alone));
        self.exercised.clear();
        if !is_dead {
            for (exercise, group) in self.exercises.on(app.screen(), app.info()) {
                // What is offered as an event needs no second name.
                if !summary.offers.iter().any(|(name, _)| *name == exercise.name) {
                    summary.offers.push((exercise.name.clone(), group));
                    self.exercised.insert(exercise.name.clone());
                    self.named.push(exercise);
                }
            }
        }
        // What cannot be evaluated has no value: that is a value, too.
        let mut value = |output| app.value(output).ok().flatten().map(|value| value.to_string());
        summary.outputs =
            self.outputs.iter().map(|it| value(it).unwrap_or_default().into()).collect();
        summary
    }

    /// Takes in what was done and seen, with what is offered there besides.
    fn take_in(&mut self, offered: &[NamedTrace], app: Option<&mut Probe<'_>>) {
        let Some(Untold { name, summary, fresh }) = self.untold.take() else { return };
        // In a check, what was not seen may never have been done: that is a guess for this check
        // alone.
        let is_kept = summary.is_some() || self.may_restart;
        let mut summary = summary.unwrap_or_else(|| ScreenSummary::of_the_end(None));
        summary.offers.extend(offered.iter().map(named_alone));
        let entry = match name {
            Some(name) => Entry::Performed(name, summary, fresh),
            None => Entry::Restarted(summary, fresh),
        };
        self.knowledge.take_in(&entry);
        if is_kept {
            self.keep(&entry);
        }
        if let (Some(album), Some(app)) = (&mut self.album, app) {
            album.add(&self.knowledge, app);
        }
    }

    fn keep(&self, entry: &Entry) {
        if let Some(keeper) = &self.keeper {
            keeper.lock().unwrap_or_else(PoisonError::into_inner).write(entry);
        }
    }

    /// The input to choose, by its name on the screen.
    fn decide(&mut self) -> Option<Str> {
        if let Some(exercise) = self.due_exercise() {
            return Some(exercise);
        }
        let input = match self.policy.next(&self.knowledge, &mut self.rng) {
            Decision::Perform(input) => input,
            Decision::Stop => {
                self.is_done = true;
                return None;
            }
            Decision::Restart if self.may_restart || !self.policy.may_wander() => return None,
            Decision::Restart => *pick(self.knowledge.enabled_now(), &mut self.rng)?,
        };
        self.knowledge.name_now(input).cloned()
    }
}

impl Explorer {
    /// An exercise that was never done on this screen, of those the one whose like was done least:
    /// one move in a few is for the monitors, because what exercises them promises no news to a
    /// policy. A policy that runs words is not interrupted.
    fn due_exercise(&mut self) -> Option<Str> {
        self.moves_since_exercise += 1;
        if self.moves_since_exercise < MOVES_PER_EXERCISE || !self.policy.may_wander() {
            return None;
        }
        let (known, label) = (&self.knowledge, self.knowledge.label());
        let untried = known.enabled_now().iter().filter(|input| {
            let is_exercise = known.name_now(**input).is_some_and(|it| self.exercised.contains(it));
            is_exercise && known.label_counts(label, **input).times == 0
        });
        let least = untried.min_by_key(|input| known.group_counts(**input).times)?;
        self.moves_since_exercise = 0;
        known.name_now(*least).cloned()
    }
}

/// An input that is a group of its own.
fn named_alone(input: &NamedTrace) -> (Str, Str) {
    (input.name.clone(), input.name.clone())
}

/// Whether an input may be chosen here: its guard holds, if it has one.
fn is_open(input: &NamedTrace, app: &mut Probe<'_>) -> bool {
    match &input.trace {
        Trace::Then(guard, _) => app.holds(guard).unwrap_or(false),
        _ => true,
    }
}

impl Pilot for Explorer {
    fn take_over(&mut self, app: &mut Probe<'_>, fresh: u32) {
        // What a script does in between is an input that nobody can choose.
        self.take_in(&[], None);
        let name = (!self.is_new).then(|| "what the script did".into());
        self.is_new = false;
        let summary = Some(self.summarize(app));
        self.untold = Some(Untold { name, summary, fresh });
        if !self.is_offered_more {
            self.take_in(&[], Some(app));
        }
    }

    fn choose(
        &mut self,
        app: &mut Probe<'_>,
        offered: &[NamedTrace],
    ) -> Result<Choice, DeviceError> {
        self.take_in(offered, Some(app));
        let Some(name) = self.decide() else { return Ok(Choice::Stop) };
        let event = self.offers.iter().find(|offer| offer.name == name);
        let mut named = offered.iter().chain(&self.named);
        let choice = match (event, named.find(|input| input.name == name)) {
            (Some(Offer { event, .. }), _) => Choice::event(event.clone()),
            (None, Some(input)) => Choice::Run(input.trace.clone()),
            (None, None) if self.may_restart => return Ok(Choice::Stop),
            (None, None) => Choice::event(Event::Skip),
        };
        self.untold = Some(Untold { name: Some(name), summary: None, fresh: 0 });
        Ok(choice)
    }

    fn saw(&mut self, effect: Effect<'_>, fresh: Option<u32>, app: &mut Probe<'_>) {
        let summary = match effect {
            Effect::Done | Effect::Blocked(_) => self.summarize(app),
            Effect::Ended(verdict) => ScreenSummary::of_the_end(Some(verdict)),
            _ => {
                self.untold = None;
                return;
            }
        };
        if let Some(untold) = &mut self.untold {
            untold.summary = Some(summary);
            untold.fresh = fresh.unwrap_or(0);
        }
        if !self.is_offered_more {
            self.take_in(&[], Some(app));
        }
    }

    fn hand_back(&mut self) {
        self.take_in(&[], None);
        self.is_new = true;
    }

    fn progress(&self) -> Option<Progress> {
        Some(Progress {
            screens: self.knowledge.screens(),
            transitions: self.knowledge.transitions(),
            prefixes: self.knowledge.tree().len().saturating_sub(1),
            states: self.policy.states(),
        })
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn shortest_way(&self) -> Option<Vec<Event>> {
        crate::map::shortest_way(&self.knowledge, &self.events)
    }

    fn violated(&mut self, signature: &str) {
        self.keep(&Entry::Violated(signature.to_owned()));
    }

    fn map(&self) -> Option<Map> {
        let picture = |summary| self.album.as_ref().and_then(|album| album.picture(summary));
        Some(crate::map::map(&self.knowledge, &picture))
    }
}
