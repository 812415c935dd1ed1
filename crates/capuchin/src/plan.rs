//! What is checked, and how: the part of a check that all of its cases share.
//!
//! On its own because it is what a user sets up. A plan is a value; what its cases share while they
//! run (what its pilots learned, what is left of its budget) begins anew with every check.

use crate::budget::Budget;
use crate::event::ExplorationRequest;
use crate::execution::Rules;
use crate::monitor::Monitors;
use crate::pilot::PilotPool;
use crate::property::{Property, difference};
use crate::replay::Saved;
use capuchin_trace::Gen;
use capuchin_ui::{Rng, Screen, Stop};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How a check is run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// Where everything random comes from.
    pub seed: u64,
    /// Whether every case has the seed of the run itself: an exploration compares what its runs
    /// show, and a saved trace runs with the seed that it failed with.
    pub same_seed: bool,
    /// How many cases are run at most: traces that are drawn, or runs of an exploration.
    pub cases: u32,
    /// After how many events to stop. A trace that was drawn is run to its end; an exploration
    /// stops there.
    pub events: Option<u64>,
    /// After how long to stop. Only mission has a clock: a [`Check`](crate::Check) that a Rust test
    /// runs by itself has none.
    pub time: Option<Duration>,
    /// Whether to stop at the first failure.
    pub stop_at_first: bool,
    /// How often a failure is run again as it was found, before it is given up as not reproduced
    /// and not shrunk.
    pub reproductions: u32,
    /// Whether a failure that was not reproduced decides what the check comes to.
    pub fail_on_flaky: bool,
    /// How often the device may be reset to shrink one failing trace.
    pub shrink_budget: u32,
    /// How much of [`time`](Config::time) failures may take to be shrunk; a third, unless it says.
    pub shrink_time: Option<Duration>,
    /// How often a smallest trace is run again, to tell flaky from firm.
    pub confirmations: u32,
    /// Whether the smallest trace is run once more to take pictures of it, for a report.
    pub film: bool,
    /// Whether the log has what was executed in each case, and the screen at its end.
    pub log_executed: bool,
    /// Set from outside to interrupt the check.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            seed: 0,
            same_seed: false,
            cases: 200,
            events: None,
            time: None,
            stop_at_first: false,
            reproductions: 3,
            fail_on_flaky: false,
            shrink_budget: 2000,
            shrink_time: None,
            confirmations: 2,
            film: false,
            log_executed: false,
            interrupt: None,
        }
    }
}

impl Config {
    /// One trace with this seed, which is run as it is: neither shrunk nor run again.
    pub fn once(seed: u64) -> Self {
        Config {
            seed,
            same_seed: true,
            cases: 1,
            reproductions: 0,
            shrink_budget: 0,
            confirmations: 0,
            log_executed: true,
            ..Config::default()
        }
    }
}

/// What is checked, and how.
#[non_exhaustive]
pub struct Plan {
    /// The check's name.
    pub name: String,
    /// Where its traces come from.
    pub generator: Gen,
    /// Failures that an earlier run saved. They are run before the cases that are drawn, which keep
    /// their numbers and seeds.
    pub saved: Vec<Saved>,
    /// The failure that is expected of its traces, if they are saved ones
    /// ([`Verdict::expectation`](crate::Verdict::expectation)).
    pub expected: Option<String>,
    /// Who watches every run.
    pub monitors: Vec<Arc<dyn Monitors>>,
    /// How it is run.
    pub config: Config,
    /// Who steers where the generator says `auto`.
    pub pilots: PilotPool,
    /// What makes it an exploration: its cases end where a pilot restarts the app.
    pub exploration: Option<Exploration>,
    /// What is left of [`Config::events`] and [`Config::time`] for all cases together. Whoever has
    /// a clock spends it when the time is up.
    pub budget: Budget,
    properties: OnceLock<Vec<Property>>,
    /// What the first run displayed at its beginning, where every run has the same seed.
    first_screen: Mutex<Option<Arc<Screen>>>,
}

/// What an exploration has beyond a check.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// How it was asked for, for the log.
    pub asked: ExplorationRequest,
    /// The signatures of failures that are known from the exploration that this one resumes: they
    /// are not reported again.
    pub known: BTreeSet<String>,
}

impl Plan {
    /// Checks traces from this generator, with nobody who watches.
    pub fn new(name: impl Into<String>, generator: Gen, config: Config) -> Self {
        Plan {
            name: name.into(),
            generator,
            saved: Vec::new(),
            expected: None,
            monitors: Vec::new(),
            config,
            pilots: PilotPool::default(),
            exploration: None,
            budget: Budget::default(),
            properties: OnceLock::new(),
            first_screen: Mutex::default(),
        }
    }

    /// How many runs it has at most: the saved failures come first, then the cases.
    pub fn runs(&self) -> u32 {
        self.config.cases.saturating_add(self.saved.len() as u32)
    }

    /// Whether the run at this place is that of a saved failure.
    pub fn is_saved(&self, place: u32) -> bool {
        (place as usize) < self.saved.len()
    }

    /// Whether a case of it depends on those before it, because a pilot learns from them. Such
    /// cases are run in their order, each when all before it have been examined.
    pub fn is_steered(&self) -> bool {
        self.generator.is_steered()
    }

    /// The properties that it judges: those of its generator, then those of its monitors.
    pub fn properties(&self) -> &[Property] {
        self.properties.get_or_init(|| Property::all(&self.generator, &self.monitors))
    }

    /// How a run began otherwise than the first one with the same seed, if every run has that.
    pub(crate) fn began_otherwise(&self, screen: Option<&Arc<Screen>>) -> Option<String> {
        let screen = screen.filter(|_| self.config.same_seed)?;
        let mut first = self.first_screen.lock().unwrap_or_else(PoisonError::into_inner);
        difference(first.get_or_insert_with(|| Arc::clone(screen)), screen)
    }

    /// What a run of it needs beyond the trace and the device. It spends no events of the budget.
    pub fn rules(&self, seed: u64) -> Rules<'_> {
        let mut rules = Rules::seed(seed);
        rules.monitors = &self.monitors;
        rules.interrupt = self.config.interrupt.as_ref();
        rules.budget = Some(&self.budget);
        rules.pilots = Some(&self.pilots);
        rules
    }

    /// Set when it is interrupted, or its time is up.
    pub fn stop(&self) -> Stop {
        self.rules(0).stop()
    }

    /// An exploration: the generator is an `auto` that a pilot steers, and each case ends where
    /// that restarts the app.
    pub fn exploration(
        name: impl Into<String>,
        generator: Gen,
        exploration: Exploration,
        config: Config,
    ) -> Self {
        let config = Config { same_seed: true, cases: u32::MAX, ..config };
        Plan { exploration: Some(exploration), ..Plan::new(name, generator, config) }
    }

    /// The seed of a case.
    pub(crate) fn case_seed(&self, index: u32) -> u64 {
        match self.config.same_seed {
            true => self.config.seed,
            // 32 bits: short enough to read out, and exact in every JSON reader.
            false => Rng::stream(self.config.seed, index.into()).next() >> 32,
        }
    }

    /// Whether somebody has interrupted it.
    pub fn is_interrupted(&self) -> bool {
        self.config.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// A check begins: pilots know nothing, and nothing is spent.
    pub(crate) fn begin(&self) {
        self.pilots.clear();
        *self.first_screen.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.budget.refill(self.config.events.filter(|_| self.exploration.is_some()));
    }
}

impl Clone for Plan {
    /// The same plan, of which nothing has been run yet.
    fn clone(&self) -> Self {
        let Plan { name, generator, monitors, config, pilots, exploration, .. } = self;
        let Plan { saved, expected, .. } = self;
        let mut plan = Plan::new(name.clone(), generator.clone(), config.clone());
        plan.monitors.clone_from(monitors);
        (plan.pilots, plan.exploration) = (pilots.clone(), exploration.clone());
        (plan.saved, plan.expected) = (saved.clone(), expected.clone());
        plan
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("name", &self.name).finish_non_exhaustive()
    }
}
