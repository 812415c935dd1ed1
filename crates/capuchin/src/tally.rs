//! Adds up the cases of a check, in their order, and tells distinct failures apart.
//!
//! On its own because the sequential loop and mission control both need it: they differ in who runs
//! the cases, and in nothing that is reported.

use crate::event::{CaseReport, ExplorationRequest, Failure, Observer, RunEvent, VerdictKind};
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::property::{Judged, Property, PropertyTally, Wasted};
use crate::replay::Replayed;
use capuchin_ui::{DeviceError, Picture};
use std::collections::{BTreeMap, BTreeSet};

/// An app on which nothing could be done in so many runs in a row is not explored any further.
const MOST_IDLE_RUNS: u32 = 10;
/// So many different things that the device lacked are told: an app can ask for no end of them.
const MOST_LACKS: usize = 20;

/// The cases of one check so far.
pub struct Tally<'a> {
    plan: &'a Plan,
    observer: &'a mut dyn Observer,
    /// What was found until now.
    outcome: Outcome,
    /// For each failure, its signature, and how many cases showed it.
    seen: Vec<(String, u32)>,
    first_number: u32,
    /// How many runs there were in a row in which nothing was done.
    idle_runs: u32,
    /// What the device lacked: why, and in how many cases.
    lacked: BTreeMap<String, (String, u32)>,
    /// How much was judged of each property.
    judged: Vec<Judged>,
    wasted: Wasted,
    /// Digests of what was done in each case.
    done: BTreeSet<u64>,
    /// Whether somebody was told that a reset leads elsewhere.
    reset_differs: bool,
}

impl<'a> Tally<'a> {
    /// Begins a check. Its failures are numbered from `first_number` on. Its pilots know nothing
    /// yet.
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
                expected: plan.expected.clone(),
            },
        });
        let (check, seed) = (plan.name.clone(), plan.config.seed);
        let outcome = Outcome { check, seed, ..Outcome::default() };
        Tally {
            plan,
            observer,
            outcome,
            seen: Vec::new(),
            first_number,
            idle_runs: 0,
            lacked: BTreeMap::new(),
            judged: vec![Judged::default(); plan.properties().len()],
            wasted: Wasted::default(),
            done: BTreeSet::new(),
            reset_differs: false,
        }
    }

    /// Takes the next case. `true`: it fails in a way not seen before and should be examined, and
    /// the result given to [`examined`](Tally::examined) before the next case.
    pub fn case(&mut self, case: &CaseReport) -> bool {
        let exploration = self.plan.exploration.as_ref();
        self.judged.iter_mut().zip(&case.judged).for_each(|(sum, judged)| sum.add(judged));
        self.begins_otherwise(case.began_otherwise.as_ref());
        if case.interrupted && (exploration.is_none() || case.saved.is_some()) {
            self.wasted.cut += 1;
            self.outcome.interrupted |= !self.plan.budget.is_spent();
            return false;
        }
        if case.saved.is_some()
            && matches!(case.replayed, Some(Replayed::Succeeded | Replayed::AnotherState))
        {
            self.count(case, None);
            return false;
        }
        self.idle_runs = if case.steps == 0 { self.idle_runs + 1 } else { 0 };
        let is_known =
            exploration.is_some_and(|exploration| exploration.known.contains(&case.signature));
        if matches!(case.verdict, VerdictKind::Succeeded | VerdictKind::Undecided) || is_known {
            // Where nothing could be done, nothing has held.
            if exploration.is_none() || case.steps > 0 || is_known {
                self.count(case, None);
            }
            return false;
        }
        let seen = self.seen.iter().position(|(known, _)| *known == case.signature);
        if let Some(seen) = seen {
            self.seen[seen].1 += 1;
            self.count(case, Some(seen));
        } else if let Some(failure) = &case.failure {
            let failure = self.numbered((**failure).clone());
            self.observer.observe(&RunEvent::FailureSeen(failure));
        }
        seen.is_none()
    }

    /// Takes what examining the last case gave. If it gave nothing, or the device failed over it,
    /// the failure is kept as it was found.
    pub fn examined(&mut self, case: &CaseReport, examined: Result<Option<Failure>, DeviceError>) {
        let error = examined.as_ref().err().cloned();
        let examined = examined.ok().flatten();
        if let Some(failure) = examined.or_else(|| case.failure.as_deref().cloned()) {
            self.begins_otherwise(failure.began_otherwise.as_ref());
            let mut failure = self.numbered(failure);
            self.observer.observe(&RunEvent::FailureFound(failure.clone()));
            // Whoever wants the pictures has them now: they are large, and a run may be long.
            failure.film.iter_mut().for_each(|frame| frame.image = None);
            self.seen.push((case.signature.clone(), 1));
            self.count(case, Some(self.outcome.failures.len()));
            self.outcome.failures.push(failure);
        }
        if let Some(error) = error {
            self.device_failed(error);
        }
    }

    /// A failure was shrunk further: it goes in the place of what was known of it.
    pub fn shrunk(&mut self, index: usize, failure: Failure) {
        let mut failure = self.with_number(index, failure);
        self.observer.observe(&RunEvent::FailureShrunk(failure.clone()));
        failure.film.iter_mut().for_each(|frame| frame.image = None);
        self.outcome.failures[index] = failure;
    }

    /// How many distinct failures there are until now.
    pub fn failures(&self) -> usize {
        self.outcome.failures.len()
    }

    /// The failure under the next number, with its pictures named after that.
    fn numbered(&self, failure: Failure) -> Failure {
        self.with_number(self.outcome.failures.len(), failure)
    }

    fn with_number(&self, index: usize, mut failure: Failure) -> Failure {
        failure.number = self.first_number + index as u32;
        let stem = failure.file_stem();
        for (index, frame) in failure.film.iter_mut().enumerate() {
            let name = |image: &Picture| format!("{stem}/{index:02}.{}", image.format.extension());
            frame.picture = frame.image.as_deref().map(name);
        }
        failure
    }

    fn begins_otherwise(&mut self, how: Option<&String>) {
        if let Some(how) = how.filter(|_| !std::mem::replace(&mut self.reset_differs, true)) {
            self.observer.observe(&RunEvent::ResetDiffers { how: how.clone() });
        }
    }

    /// Counts a case that says little, if it does. An exploration chooses for itself.
    fn waste(&mut self, case: &CaseReport) {
        if self.plan.exploration.is_some() || case.saved.is_some() {
            return;
        }
        if let Some(at) = &case.blocked_at {
            self.wasted.blocked += 1;
            if self.wasted.blocked_at.is_empty() {
                self.wasted.blocked_at.clone_from(at);
            }
        }
        self.wasted.equal += u32::from(!self.done.insert(case.done));
    }

    fn count(&mut self, case: &CaseReport, failure: Option<usize>) {
        self.waste(case);
        for (what, reason) in &case.lacked {
            if self.lacked.contains_key(what) || self.lacked.len() < MOST_LACKS {
                self.lacked.entry(what.clone()).or_insert_with(|| (reason.clone(), 0)).1 += 1;
            }
        }
        let number = |index: usize| self.first_number + index as u32;
        if let (Some(file), Some(replayed)) = (case.saved.clone(), case.replayed) {
            // What is drawn has the budget for itself, and its events are counted as such.
            let failure = failure.map(number);
            self.outcome.violated += u32::from(failure.is_some());
            self.outcome.saved += u32::from(failure.is_some());
            let verdict = case.verdict;
            let finished = RunEvent::SavedFinished { file, verdict, replayed, failure };
            return self.observer.observe(&finished);
        }
        self.outcome.steps += u64::from(case.steps);
        match case.verdict {
            VerdictKind::Succeeded => self.outcome.held += 1,
            VerdictKind::Undecided => self.outcome.undecided += 1,
            _ => self.outcome.violated += 1,
        }
        let is_another = case.replayed == Some(Replayed::AnotherState);
        self.outcome.another_state += u32::from(is_another);
        self.observer.observe(&RunEvent::CaseFinished {
            case: case.index,
            verdict: case.verdict,
            steps: case.steps,
            failure: failure.map(number),
            unsettled: case.unsettled.clone(),
            executed: case.executed.clone(),
            replayed: case.replayed,
        });
    }

    /// Passes on something that happened while a case was run.
    pub fn tell(&mut self, event: &RunEvent) {
        self.observer.observe(event);
    }

    /// The device failed: no more cases come.
    pub fn device_failed(&mut self, error: DeviceError) {
        self.observer.observe(&RunEvent::DeviceFailed { error: error.to_string() });
        self.outcome.device_error = Some(error);
    }

    /// Whether there is no point in running more cases.
    pub fn is_over(&self) -> bool {
        let Tally { plan, outcome, .. } = self;
        // First: a pilot that has panicked is not asked.
        outcome.device_error.is_some()
            || outcome.interrupted
            || (plan.config.stop_at_first && !outcome.failures.is_empty())
            || plan.is_interrupted()
            || plan.budget.is_spent()
            || match &plan.exploration {
                Some(_) => self.idle_runs > MOST_IDLE_RUNS || plan.pilots.is_done(),
                None => plan.config.events.is_some_and(|most| outcome.steps >= most),
            }
    }

    /// Ends the check.
    pub fn finish(self) -> Outcome {
        let Tally { plan, observer, mut outcome, .. } = self;
        for (what, (reason, cases)) in self.lacked {
            observer.observe(&RunEvent::DeviceLacked { what, reason, cases });
        }
        let replays = plan.pilots.find(|pilot| Some(pilot.replays()).filter(|it| !it.is_empty()));
        for replay in replays.into_iter().flatten() {
            observer.observe(&RunEvent::RecordingReplayed(Box::new(replay)));
        }
        // What came again in another case is no accident, whatever the reruns say.
        let once = outcome.failures.iter().zip(&self.seen);
        let once = once.filter(|(failure, (_, cases))| failure.not_reproduced && *cases == 1);
        let not_reproduced = once.count() as u32;
        outcome.not_reproduced = if plan.config.fail_on_flaky { 0 } else { not_reproduced };
        let Outcome { held, violated, undecided, steps, .. } = outcome;
        let seen = (self.first_number..).zip(self.seen.iter().map(|(_, cases)| *cases)).collect();
        let check = plan.name.clone();
        // A single case says little of what others would have judged, and so does the same one
        // again.
        let is_one =
            plan.config.cases == 1 || (plan.config.same_seed && plan.exploration.is_none());
        let is_unasked = |property: &Property| matches!(property, Property::Watched(_, false));
        let tally = |(property, judged): (&Property, &Judged)| PropertyTally {
            property: property.to_string(),
            skipped: judged.skipped.clone(),
            unasked: is_unasked(property),
            judged: judged.times,
            alive: judged.alive,
            screens: judged.screens.len() as u64,
            never_alive: judged.alive == 0 && !is_one && !is_unasked(property),
            undecided: judged.undecided,
            never_decided: judged.undecided > 0 && judged.decided == 0,
        };
        let properties: Vec<PropertyTally> =
            plan.properties().iter().zip(&self.judged).map(tally).collect();
        let never_alive = properties.iter().filter(|tally| tally.never_alive);
        outcome.never_alive = never_alive.map(|tally| tally.property.clone()).collect();
        let never_decided = properties.iter().filter(|tally| tally.never_decided);
        outcome.never_decided = never_decided.map(|tally| tally.property.clone()).collect();
        observer.observe(&RunEvent::CheckFinished {
            check,
            held,
            violated,
            undecided,
            steps,
            seen,
            not_reproduced: outcome.not_reproduced,
            properties,
            wasted: self.wasted,
        });
        let drawn = held + violated + undecided - outcome.saved;
        outcome.interrupted |= drawn != plan.config.cases && plan.is_interrupted();
        outcome
    }
}
