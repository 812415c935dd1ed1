//! One case of a check: drawn from the seed, run, and, if it failed, made small and run again.
//!
//! Everything here is a function of the plan and the number of the case, so that cases can be run
//! in any order, on any number of devices, and give the same results. The exception is a plan that is
//! steered ([`Plan::is_steered`]): its pilots learn from every case, so its cases are run one after the
//! other, in their order and on one device. What is done with a failing one asks no pilot.

use crate::execute::{Execution, Rules, execute};
use crate::film::{Frame, film};
use crate::pilot::Crew;
use crate::shrink::{Shrunk, shrink};
use capuchin_trace::{Gen, Prop, Sample};
use capuchin_ui::{Device, DeviceError, Rng, Str};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A property that holds before and after every step of every case.
#[derive(Clone, Debug, PartialEq)]
pub struct Invariant {
    /// What its author calls it.
    pub label: Option<Str>,
    /// The property.
    pub prop: Prop,
}

/// How a check is run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// Where everything random comes from.
    pub seed: u64,
    /// How many traces are drawn.
    pub cases: u32,
    /// Whether to stop at the first failure.
    pub stop_at_first: bool,
    /// How often the device may be reset to make one failing trace smaller.
    pub shrink_budget: u32,
    /// How often a smallest trace is run again, to tell flaky from firm.
    pub confirmations: u32,
    /// Whether the smallest trace is run once more to take pictures of it, for a report.
    pub film: bool,
    /// Set from outside to break off.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            seed: 0,
            cases: 200,
            stop_at_first: false,
            shrink_budget: 2000,
            confirmations: 2,
            film: false,
            interrupt: None,
        }
    }
}

/// What is checked, and how.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The check's name.
    pub name: String,
    /// Where its traces come from.
    pub generator: Gen,
    /// What holds all the time.
    pub invariants: Vec<Invariant>,
    /// How it is run.
    pub config: Config,
    /// Who steers where the generator says `auto`.
    pub crew: Crew,
}

/// One case that was run.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its number, from 0.
    pub index: u32,
    /// The seed of just this case.
    pub seed: u64,
    /// What was drawn; kept only if it failed. What a pilot chose is in it as if it had been drawn.
    pub sample: Option<Sample>,
    /// What became of it.
    pub execution: Execution,
}

/// A failing case, made small and run again.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The smallest trace that was found.
    pub shrunk: Shrunk,
    /// How often it was run again.
    pub again: u32,
    /// How often it failed in the same way then.
    pub same: u32,
    /// A run of it, screen by screen; empty if none was wanted or could be had.
    pub film: Vec<Frame>,
}

impl Examined {
    /// A failing case of which no more is known than that it failed once.
    pub fn as_found(case: &Case) -> Self {
        let shrunk = Shrunk { execution: case.execution.clone(), runs: 0, finished: false };
        Examined { shrunk, again: 0, same: 0, film: Vec::new() }
    }
}

impl Plan {
    /// Checks traces from this generator, with nothing that holds all the time.
    pub fn new(name: impl Into<String>, generator: Gen, config: Config) -> Self {
        let (name, invariants) = (name.into(), Vec::new());
        Plan { name, generator, invariants, config, crew: Crew::default() }
    }

    /// Whether a case of it depends on those before it, because a pilot learns from them. Such cases are
    /// run in their order, each when all before it have been examined.
    pub fn is_steered(&self) -> bool {
        self.generator.is_steered()
    }

    /// Draws and runs case number `index`.
    pub fn case(&self, index: u32, device: &mut dyn Device) -> Result<Case, DeviceError> {
        // 32 bits: short enough to read out, and exact in every JSON reader.
        let seed = Rng::stream(self.config.seed, index.into()).next() >> 32;
        let sample = self.generator.sample_on(device.info(), Rng::stream(seed, 0));
        let trace = sample.to_trace();
        let mut execution = execute(&trace, device, &self.rules(seed))?;
        let sample = if execution.verdict.is_success() {
            execution.executed = Vec::new();
            None
        } else {
            let (sample, executed) = sample.settled(&execution.executed, &execution.begun);
            execution.executed = executed;
            Some(sample)
        };
        execution.begun = Vec::new();
        Ok(Case { index, seed, sample, execution })
    }

    /// Makes a failing case small, and runs the smallest trace again.
    pub fn examine(&self, case: &Case, device: &mut dyn Device) -> Result<Examined, DeviceError> {
        let shrunk = shrink(self, case, device)?;
        let signature = shrunk.execution.verdict.again().signature();
        let trace = shrunk.execution.trace();
        let (mut again, mut same) = (0, 0);
        for _ in 0..self.config.confirmations {
            let execution = execute(&trace, device, &self.rules(case.seed))?;
            if execution.interrupted {
                break;
            }
            again += 1;
            same += u32::from(execution.verdict.signature() == signature);
        }
        let film = match self.config.film {
            true => film(&trace, &signature, device, &self.rules(case.seed)),
            false => Vec::new(),
        };
        Ok(Examined { shrunk, again, same, film })
    }

    /// What a run of it needs beyond the trace and the device.
    pub fn rules(&self, seed: u64) -> Rules<'_> {
        let mut rules = Rules::seed(seed);
        rules.invariants = &self.invariants;
        rules.interrupt = self.interrupt();
        rules.crew = Some(&self.crew);
        rules
    }

    pub(crate) fn interrupt(&self) -> Option<&AtomicBool> {
        self.config.interrupt.as_deref()
    }
}
