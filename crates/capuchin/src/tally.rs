//! Adds up the cases of a check, in their order, and tells distinct failures apart.
//!
//! On its own because the sequential loop and mission control both need it: they differ in who runs
//! the cases, and in nothing that is reported.

use crate::case::{Case, Examined, Plan};
use crate::event::{Failure, Observer, RunEvent, Step, VerdictKind};
use crate::outcome::Outcome;
use crate::verdict::Verdict;
use capuchin_ui::DeviceError;
use std::sync::atomic::Ordering;

/// The cases of one check so far.
pub struct Tally<'a> {
    plan: &'a Plan,
    observer: &'a mut dyn Observer,
    /// The failures of this check; their signatures stand beside them.
    failures: Vec<Failure>,
    signatures: Vec<String>,
    seen: Vec<u32>,
    first_number: u32,
    held: u32,
    violated: u32,
    steps: u64,
    device_error: Option<DeviceError>,
    interrupted: bool,
}

impl<'a> Tally<'a> {
    /// Begins a check. Its failures are numbered from `first_number` on. Its pilots know nothing yet.
    pub fn begin(plan: &'a Plan, first_number: u32, observer: &'a mut dyn Observer) -> Self {
        plan.crew.dismiss();
        observer.observe(&RunEvent::CheckStarted {
            check: plan.name.clone(),
            generator: plan.generator.to_string(),
            cases: plan.config.cases,
        });
        Tally {
            plan,
            observer,
            failures: Vec::new(),
            signatures: Vec::new(),
            seen: Vec::new(),
            first_number,
            held: 0,
            violated: 0,
            steps: 0,
            device_error: None,
            interrupted: false,
        }
    }

    /// Takes the next case. `true`: it fails in a way not seen before and should be examined, and
    /// the result given to [`examined`](Tally::examined) before the next case.
    pub fn case(&mut self, case: &Case) -> bool {
        if case.execution.interrupted {
            self.interrupted = true;
            return false;
        }
        self.steps += case.execution.attempts as u64;
        if case.execution.verdict.is_success() {
            self.held += 1;
            self.report(case, None);
            return false;
        }
        self.violated += 1;
        let signature = case.execution.verdict.signature();
        match self.signatures.iter().position(|known| *known == signature) {
            Some(known) => {
                self.seen[known] += 1;
                self.report(case, Some(known));
                false
            }
            None => {
                let failure = self.failure(case, &Examined::as_found(case));
                self.observer.observe(&RunEvent::FailureSeen(failure));
                true
            }
        }
    }

    /// Takes a case that fails in a way that an earlier run has reported already.
    pub fn seen_before(&mut self, case: &Case) {
        self.steps += case.execution.attempts as u64;
        self.violated += 1;
        self.report(case, None);
    }

    /// Takes what examining the last case gave. If the device failed over it, the failure is kept
    /// as it was found.
    pub fn examined(&mut self, case: &Case, examined: Result<Examined, DeviceError>) {
        let (examined, error) = match examined {
            Ok(examined) => (examined, None),
            Err(error) => (Examined::as_found(case), Some(error)),
        };
        self.add(case, &examined);
        if let Some(error) = error {
            self.device_failed(error);
        }
    }

    /// What is known of the failure that a case shows.
    fn failure(&self, case: &Case, examined: &Examined) -> Failure {
        let execution = &examined.shrunk.execution;
        let mut failure = Failure {
            number: self.first_number + self.failures.len() as u32,
            check: self.plan.name.clone(),
            kind: kind(&execution.verdict),
            summary: execution.verdict.to_string(),
            detail: execution.verdict.detail(),
            steps: execution
                .executed
                .iter()
                .map(|(_, event)| Step { event: event.to_string() })
                .collect(),
            minimal: execution.trace().to_string(),
            found_steps: case.execution.executed.len() as u32,
            case: case.index,
            seed: case.seed,
            shrink_runs: examined.shrunk.runs,
            shrink_finished: examined.shrunk.finished,
            again: examined.again,
            same: examined.same,
            film: examined.film.clone(),
        };
        let stem = failure.file_stem();
        for (index, frame) in failure.film.iter_mut().enumerate() {
            frame.name_picture(&stem, index);
        }
        failure
    }

    fn add(&mut self, case: &Case, examined: &Examined) {
        let index = self.failures.len();
        let failure = self.failure(case, examined);
        self.signatures.push(case.execution.verdict.signature());
        self.seen.push(1);
        self.observer.observe(&RunEvent::FailureFound(failure.clone()));
        self.report(case, Some(index));
        self.failures.push(failure);
    }

    fn report(&mut self, case: &Case, failure: Option<usize>) {
        self.observer.observe(&RunEvent::CaseFinished {
            case: case.index,
            verdict: kind(&case.execution.verdict),
            steps: case.execution.attempts as u32,
            failure: failure.map(|index| self.first_number + index as u32),
            unsettled: case.execution.unsettled.as_ref().map(ToString::to_string),
        });
    }

    /// The device failed: no more cases come.
    pub fn device_failed(&mut self, error: DeviceError) {
        self.observer.observe(&RunEvent::DeviceFailed { error: error.to_string() });
        self.device_error = Some(error);
    }

    /// Whether there is no point in running more cases.
    pub fn is_over(&self) -> bool {
        let stopped = self.plan.config.stop_at_first && !self.failures.is_empty();
        stopped || self.interrupted || self.device_error.is_some() || self.is_interrupted()
    }

    /// Ends the check.
    pub fn finish(self) -> Outcome {
        let first = self.first_number;
        let seen =
            self.seen.iter().enumerate().map(|(index, count)| (first + index as u32, *count));
        self.observer.observe(&RunEvent::CheckFinished {
            check: self.plan.name.clone(),
            held: self.held,
            violated: self.violated,
            steps: self.steps,
            seen: seen.collect(),
        });
        let all_run = self.held + self.violated == self.plan.config.cases;
        let interrupted = self.interrupted || (!all_run && self.is_interrupted());
        Outcome {
            check: self.plan.name.clone(),
            held: self.held,
            violated: self.violated,
            failures: self.failures,
            device_error: self.device_error,
            interrupted,
            seed: self.plan.config.seed,
        }
    }

    fn is_interrupted(&self) -> bool {
        self.plan.interrupt().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

fn kind(verdict: &Verdict) -> VerdictKind {
    match verdict {
        Verdict::Succeeded => VerdictKind::Succeeded,
        Verdict::Crashed(_) => VerdictKind::Crashed,
        Verdict::Failed(_) => VerdictKind::Failed,
        Verdict::Blocked { .. } => VerdictKind::Blocked,
    }
}
