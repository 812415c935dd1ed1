//! Adds up the cases of a check, in their order, and tells distinct failures apart.
//!
//! On its own because the sequential loop and mission control both need it: they differ in who runs
//! the cases, and in nothing that is reported.

use crate::event::{CaseReport, ExplorationRequest, Failure, Observer, RunEvent, VerdictKind};
use crate::outcome::Outcome;
use crate::plan::Plan;
use capuchin_ui::DeviceError;
use std::collections::BTreeMap;

/// An app on which nothing could be done in so many runs in a row is not explored any further.
const MOST_IDLE_RUNS: u32 = 10;

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
    /// How many runs there were in a row in which nothing was done.
    idle_runs: u32,
    /// What the device lacked: why, and in how many cases.
    lacked: BTreeMap<String, (String, u32)>,
    device_error: Option<DeviceError>,
    interrupted: bool,
}

impl<'a> Tally<'a> {
    /// Begins a check. Its failures are numbered from `first_number` on. Its pilots know nothing yet.
    pub fn begin(plan: &'a Plan, first_number: u32, observer: &'a mut dyn Observer) -> Self {
        plan.begin();
        observer.observe(&match &plan.exploration {
            Some(exploration) => {
                let check = plan.name.clone();
                let asked = exploration.asked.clone();
                RunEvent::ExplorationStarted(ExplorationRequest { check, ..asked })
            }
            None => RunEvent::CheckStarted {
                check: plan.name.clone(),
                generator: plan.generator.to_string(),
                cases: plan.config.cases,
            },
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
            idle_runs: 0,
            lacked: BTreeMap::new(),
            device_error: None,
            interrupted: false,
        }
    }

    /// Takes the next case. `true`: it fails in a way not seen before and should be examined, and
    /// the result given to [`examined`](Tally::examined) before the next case.
    pub fn case(&mut self, case: &CaseReport) -> bool {
        let exploration = self.plan.exploration.as_ref();
        if case.interrupted && exploration.is_none() {
            self.interrupted |= !self.plan.budget().is_spent();
            return false;
        }
        self.idle_runs = if case.steps == 0 { self.idle_runs + 1 } else { 0 };
        if case.verdict == VerdictKind::Succeeded {
            // Where nothing could be done, nothing has held.
            if exploration.is_none() || case.steps > 0 {
                self.count(case, None);
            }
            return false;
        }
        if exploration.is_some_and(|exploration| exploration.known.contains(&case.signature)) {
            self.count(case, None);
            return false;
        }
        match self.signatures.iter().position(|known| *known == case.signature) {
            Some(known) => {
                self.seen[known] += 1;
                self.count(case, Some(known));
                false
            }
            None => {
                if let Some(failure) = &case.failure {
                    let failure = self.numbered((**failure).clone());
                    self.observer.observe(&RunEvent::FailureSeen(failure));
                }
                true
            }
        }
    }

    /// Takes what examining the last case gave. If it gave nothing, or the device failed over it, the
    /// failure is kept as it was found.
    pub fn examined(&mut self, case: &CaseReport, examined: Result<Option<Failure>, DeviceError>) {
        let (failure, error) = match examined {
            Ok(failure) => (failure, None),
            Err(error) => (None, Some(error)),
        };
        if let Some(failure) = failure.or_else(|| case.failure.as_deref().cloned()) {
            self.add(case, failure);
        }
        if let Some(error) = error {
            self.device_failed(error);
        }
    }

    /// The failure under the next number, with its pictures named after that.
    fn numbered(&self, mut failure: Failure) -> Failure {
        failure.number = self.first_number + self.failures.len() as u32;
        let stem = failure.file_stem();
        for (index, frame) in failure.film.iter_mut().enumerate() {
            frame.name_picture(&stem, index);
        }
        failure
    }

    fn add(&mut self, case: &CaseReport, failure: Failure) {
        let index = self.failures.len();
        let mut failure = self.numbered(failure);
        self.signatures.push(case.signature.clone());
        self.seen.push(1);
        self.observer.observe(&RunEvent::FailureFound(failure.clone()));
        // Whoever wants the pictures has them now: they are large, and a run may be long.
        failure.film.iter_mut().for_each(|frame| frame.image = None);
        self.count(case, Some(index));
        self.failures.push(failure);
    }

    fn count(&mut self, case: &CaseReport, failure: Option<usize>) {
        for (what, reason) in &case.lacked {
            self.lacked.entry(what.clone()).or_insert_with(|| (reason.clone(), 0)).1 += 1;
        }
        self.steps += u64::from(case.steps);
        match case.verdict {
            VerdictKind::Succeeded => self.held += 1,
            _ => self.violated += 1,
        }
        self.observer.observe(&RunEvent::CaseFinished {
            case: case.index,
            verdict: case.verdict,
            steps: case.steps,
            failure: failure.map(|index| self.first_number + index as u32),
            unsettled: case.unsettled.clone(),
            executed: case.executed.clone(),
        });
    }

    /// Passes on something that happened while a case was run.
    pub fn tell(&mut self, event: &RunEvent) {
        self.observer.observe(event);
    }

    /// The device failed: no more cases come.
    pub fn device_failed(&mut self, error: DeviceError) {
        self.observer.observe(&RunEvent::DeviceFailed { error: error.to_string() });
        self.device_error = Some(error);
    }

    /// Whether there is no point in running more cases.
    pub fn is_over(&self) -> bool {
        let Plan { config, .. } = self.plan;
        let is_done = match &self.plan.exploration {
            Some(_) => self.idle_runs > MOST_IDLE_RUNS || self.plan.pilots.is_done(),
            None => config.events.is_some_and(|most| self.steps >= most),
        };
        is_done
            || (config.stop_at_first && !self.failures.is_empty())
            || self.interrupted
            || self.device_error.is_some()
            || self.plan.is_interrupted()
            || self.plan.budget().is_spent()
    }

    /// Ends the check.
    pub fn finish(self) -> Outcome {
        for (what, (reason, cases)) in self.lacked {
            self.observer.observe(&RunEvent::DeviceLacked { what, reason, cases });
        }
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
        let interrupted = self.interrupted || (!all_run && self.plan.is_interrupted());
        Outcome {
            check: self.plan.name.clone(),
            held: self.held,
            violated: self.violated,
            steps: self.steps,
            failures: self.failures,
            device_error: self.device_error,
            interrupted,
            seed: self.plan.config.seed,
        }
    }
}
