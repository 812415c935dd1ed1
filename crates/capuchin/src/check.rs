//! The check that a Rust test writes: a builder, and the plain loop over the cases on one device.

use crate::event::{Observer, RunEvent};
use crate::monitor::{Always, Monitors};
use crate::outcome::Outcome;
use crate::pilot::{PilotPool, Pilots};
use crate::plan::{Config, Plan};
use crate::tally::Tally;
use crate::temporal::Temporal;
use capuchin_trace::{Formula, Gen, Prop};
use capuchin_ui::{Device, DeviceError, Screen};
use std::sync::Arc;

/// A check: traces drawn from a generator, run on a device, judged.
#[derive(Clone, Debug)]
#[must_use = "a check does nothing until it is run"]
pub struct Check {
    plan: Plan,
}

impl Check {
    /// Checks traces from this generator. A failure that was not reproduced fails the test: it has
    /// nowhere else to say so ([`Config::fail_on_flaky`]). The seed is that in `CAPUCHIN_SEED`,
    /// else always the same one, so that a test that passed does not fail by bad luck.
    ///
    /// # Panics
    /// If `CAPUCHIN_SEED` is set and is not a number: a run that was to be repeated would not be.
    #[track_caller]
    pub fn new(name: impl Into<String>, generator: Gen) -> Self {
        let seed = std::env::var("CAPUCHIN_SEED").map_or(0, |text| match parse_seed(&text) {
            Some(seed) => seed,
            None => panic!("CAPUCHIN_SEED is {text:?}, which is not a number like 42 or 0x2a"),
        });
        let config = Config { seed, fail_on_flaky: true, ..Config::default() };
        Check { plan: Plan::new(name, generator, config) }
    }

    /// And this holds before and after every step.
    pub fn always(
        self,
        label: &str,
        test: impl Fn(&Screen) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.invariant(label, Prop::screen(label, test))
    }

    /// And this property holds before and after every step.
    pub fn invariant(self, label: &str, prop: Prop) -> Self {
        self.monitor(Always::new(Some(label.into()), prop))
    }

    /// And this formula holds of every run.
    pub fn property(self, label: &str, formula: Formula<Prop>) -> Self {
        self.monitor(Temporal::new(Some(label.into()), formula))
    }

    /// And these watch every run.
    pub fn monitor(mut self, monitors: impl Monitors + 'static) -> Self {
        self.plan.monitors.push(Arc::new(monitors));
        self
    }

    /// And these pilots steer where the generator says `auto`.
    pub fn pilots(mut self, pilots: impl Pilots + 'static) -> Self {
        self.plan.pilots = PilotPool::new(Arc::new(pilots));
        self
    }

    /// With this seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.plan.config.seed = seed;
        self
    }

    /// With so many traces.
    pub fn cases(mut self, cases: u32) -> Self {
        self.plan.config.cases = cases;
        self
    }

    /// Run like this.
    pub fn config(mut self, change: impl FnOnce(&mut Config)) -> Self {
        change(&mut self.plan.config);
        self
    }

    /// Runs it. An error is a failure of the device before anything was found.
    pub fn run(&self, device: &mut dyn Device) -> Result<Outcome, DeviceError> {
        let outcome = self.run_with(device, &mut |_: &RunEvent| {});
        match outcome.device_error {
            Some(error) if outcome.failures.is_empty() => Err(error),
            _ => Ok(outcome),
        }
    }

    /// Runs it and tells an observer what happens.
    pub fn run_with(&self, device: &mut dyn Device, observer: &mut dyn Observer) -> Outcome {
        let mut tally = Tally::begin(&self.plan, 1, observer);
        for place in 0..self.plan.runs() {
            if tally.is_over() {
                break;
            }
            match self.plan.case(place, device, None) {
                Ok((report, Some(evidence))) if tally.case(&report) => {
                    let examined = self.plan.examine(&evidence, device);
                    tally.examined(&report, examined.map(|examined| Some(examined.failure)));
                }
                Ok((report, None)) => _ = tally.case(&report),
                Ok(_) => {}
                Err(error) => tally.device_failed(error),
            }
        }
        tally.finish()
    }
}

/// Reads a seed as it is written everywhere: `42` or `0x2a`.
pub fn parse_seed(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_decimal_or_hexadecimal() {
        assert_eq!(parse_seed("42"), Some(42));
        assert_eq!(parse_seed("0x2a"), Some(42));
        assert_eq!(parse_seed("2a"), None);
    }
}
