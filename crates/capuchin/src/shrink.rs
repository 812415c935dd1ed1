//! Shrinks a failing case: fewer, simpler events that still fail in the same way.
//!
//! Within the generator, by what was chosen there: dropping a repetition or an interrupt leaves a
//! trace that the generator could have drawn, so a failed assertion keeps its meaning. (Without its
//! script, `assert isDisplayed("Welcome")` fails on the first screen.) A failure that means
//! something after any events at all, a crash for one, is freed from the generator: any event may
//! go.

use crate::budget::Spent;
use crate::case::Evidence;
use crate::execution::{Execution, execute};
use crate::plan::Plan;
use capuchin_trace::{Sample, Shrinker, Trace};
use capuchin_ui::{Device, DeviceError};
use std::time::Duration;

/// Looks for a smaller trace that fails like the case did, within the budget of the plan.
pub(crate) fn shrink<'a>(
    plan: &'a Plan,
    evidence: &Evidence,
    device: &'a mut dyn Device,
) -> Result<Search<'a>, DeviceError> {
    let Evidence { seed, sample, execution, .. } = evidence;
    let (signature, best) = (execution.verdict.signature(), execution.clone());
    let (runs, events) = (evidence.runs(), 0);
    let (finished, out_of_time, sample) = (false, false, sample.clone());
    let mut search = Search {
        plan,
        seed: *seed,
        signature,
        device,
        best,
        sample,
        runs,
        events,
        finished,
        out_of_time,
    };
    let start = match execution.verdict.stands_alone() {
        _ if evidence.is_begun() => search.sample.clone(),
        true => search.sample.freed(&execution.executed),
        false => search.executed_part()?,
    };
    search.run_from(start)?;
    Ok(search)
}

/// A search for the smallest trace.
pub(crate) struct Search<'a> {
    plan: &'a Plan,
    seed: u64,
    signature: String,
    device: &'a mut dyn Device,
    /// The run of the smallest trace that was found.
    pub(crate) best: Execution,
    /// What that was drawn as.
    pub(crate) sample: Sample,
    /// How many runs it took.
    pub(crate) runs: u32,
    events: u64,
    /// Whether nothing is left to try.
    pub(crate) finished: bool,
    /// Whether there was no time for what is left to try.
    pub(crate) out_of_time: bool,
}

/// How long a search may take, about, on a device that says what its resets and events cost.
const LONGEST_SEARCH: Duration = Duration::from_secs(180);

impl Search<'_> {
    /// Runs a candidate; it becomes the best one if it fails in the same way.
    fn fails(&mut self, trace: &Trace) -> Result<bool, DeviceError> {
        self.runs += 1;
        let execution = execute(trace, self.device, &self.plan.rules(self.seed))?;
        self.events += execution.attempts as u64;
        let same = !execution.interrupted && execution.verdict.signature() == self.signature;
        if same {
            self.best = execution;
        }
        Ok(same)
    }

    fn may_go_on(&mut self) -> bool {
        self.out_of_time = self.plan.budget.is_over(Spent::Shrinking);
        // Not by the clock: the same search comes to the same trace on a busy machine.
        let info = self.device.info();
        let takes = info.reset_takes.mul_f64(self.runs.into())
            + info.event_takes.mul_f64(self.events as f64);
        self.runs < self.plan.config.shrink_budget
            && takes < LONGEST_SEARCH
            && !self.plan.is_interrupted()
            && !self.out_of_time
    }

    /// The sample without what was never executed, most often because the run was over.
    fn executed_part(&mut self) -> Result<Sample, DeviceError> {
        let mut start = self.sample.clone();
        start.resolve(&self.best.executed);
        let mut executed = start.clone();
        executed.drop_all_but(&self.best.executed);
        if self.may_go_on() && self.fails(&executed.to_trace())? {
            start = executed;
        }
        Ok(start)
    }

    /// Tries what the shrinker proposes until it has no more to propose, or the budget is spent.
    fn run_from(&mut self, start: Sample) -> Result<(), DeviceError> {
        let mut shrinker = Shrinker::new(start);
        while self.may_go_on() {
            let Some(candidate) = shrinker.propose() else {
                self.finished = true;
                break;
            };
            if self.fails(&candidate.to_trace())? {
                shrinker.accept(&self.best.executed);
            } else {
                shrinker.reject();
            }
        }
        self.sample = shrinker.best().clone();
        Ok(())
    }
}
