//! Several devices that share the cases of a check.
//!
//! Workers take the next case, or a failing one to examine; the coordinator takes results in the
//! order of the cases and nothing else reaches the tally. So who was faster never shows.
//!
//! A check that a pilot steers is not shared: its cases learn from one another. One worker runs
//! them, each when the one before it has been examined, as the plain loop does.

use crate::board::Board;
use crate::curve::Curve;
use crate::timekeeper::{Moment, keep_time};
use crate::worker::{Done, Shrunk, Worker, add_coverage, end, opened, replace};
use capuchin::cases::{CaseReport, Spent, Tally, name_of};
use capuchin::log::{Covered, LOG_VERSION, Observer, RunEvent, SavedFailures};
use capuchin::steering::Pilot;
use capuchin::ui::{CodeCoverage, Device, DeviceError, Powers, Stop};
use capuchin::{Conclusion, Outcome, Plan};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Opens one more device of the kind that a run is on. Whoever opens it leaves off with
/// [`DeviceError::Stopped`] when the stop is set.
pub type Open<'a> = dyn Fn(&Stop) -> Result<Box<dyn Device>, DeviceError> + Sync + 'a;

/// The devices of a run.
pub struct Fleet<'a> {
    open: &'a Open<'a>,
    devices: Vec<Box<dyn Device>>,
    /// What ran of the app's code on devices that were lost.
    lost: Mutex<Option<CodeCoverage>>,
    on_loss: &'a OnLoss<'a>,
    /// When the time of the first check began, if that was before it is run.
    began: Option<Instant>,
    /// Whether a check has been run on the devices.
    used: bool,
}

/// What a run is of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run<'a> {
    /// The specification, as it was named.
    pub spec: &'a str,
    /// The device, as it was named.
    pub device: &'a str,
    /// The seed of the run.
    pub seed: u64,
    /// The failures that the last run saved, if the plans run them.
    pub saved: Option<&'a SavedFailures>,
}

/// What a run came to.
#[derive(Debug)]
pub struct Debrief {
    /// What each check found, of those that were begun.
    pub outcomes: Vec<Outcome>,
    /// What they come to together.
    pub conclusion: Conclusion,
    /// What ran of the app's code, if that was counted.
    pub coverage: Option<CodeCoverage>,
}

/// Hears of a device that was lost and in whose place another goes on.
pub type OnLoss<'a> = dyn Fn(&DeviceError) + Sync + 'a;

impl<'a> Fleet<'a> {
    /// These devices; `open` opens one in place of one that is lost.
    pub fn new(devices: Vec<Box<dyn Device>>, open: &'a Open<'a>) -> Self {
        let (lost, began, used) = (Mutex::default(), None, false);
        Fleet { open, devices, lost, on_loss: &|_| {}, began, used }
    }

    /// The time of the first check began then: opening the devices is a part of it.
    #[must_use]
    pub fn began(mut self, began: Instant) -> Self {
        self.began = Some(began);
        self
    }

    /// `tell` is told of every device that is lost and replaced. It is no part of the run's events:
    /// what they say does not depend on it.
    #[must_use]
    pub fn on_loss(mut self, tell: &'a OnLoss<'a>) -> Self {
        self.on_loss = tell;
        self
    }

    /// What ran of the app's code on all devices together, those that were lost included; `None` if
    /// they do not count it.
    pub fn coverage(&mut self) -> Option<CodeCoverage> {
        all_coverage(&mut self.devices, &self.lost)
    }

    /// Runs all plans as one run, which is told from its start to its end.
    pub fn run_as(
        &mut self,
        run: &Run<'_>,
        plans: &[Plan],
        observer: &mut dyn Observer,
    ) -> Debrief {
        let (version, seed) = (LOG_VERSION, run.seed);
        let (spec, device) = (run.spec.to_owned(), run.device.to_owned());
        observer.observe(&RunEvent::RunStarted { version, spec, device, seed });
        if let Some(saved) = run.saved {
            observer.observe(&RunEvent::SavedFailures(saved.clone()));
        }
        let outcomes = self.run_all(plans, observer);
        let is_complete = outcomes.len() == plans.len() && !outcomes.iter().any(|o| o.interrupted);
        let interrupted = !is_complete && plans.iter().any(Plan::is_interrupted);
        let coverage = self.coverage();
        let covered = coverage.as_ref().map(Covered::from);
        let not_run = plans[outcomes.len()..].iter().map(|plan| plan.name.clone()).collect();
        observer.observe(&RunEvent::RunFinished { interrupted, covered, not_run });
        Debrief { conclusion: Conclusion::of(&outcomes, interrupted), outcomes, coverage }
    }

    /// Runs checks one after the other, until one of them loses its devices or is interrupted.
    pub fn run_all(&mut self, plans: &[Plan], observer: &mut dyn Observer) -> Vec<Outcome> {
        let mut outcomes: Vec<Outcome> = Vec::new();
        let mut next_number = 1;
        for plan in plans {
            let outcome = self.run(plan, next_number, observer);
            next_number += outcome.failures.len() as u32;
            let over = outcome.device_error.is_some() || outcome.interrupted;
            outcomes.push(outcome);
            if over {
                break;
            }
        }
        outcomes
    }

    /// Runs one check. Its failures are numbered from `first_number` on.
    pub fn run(&mut self, plan: &Plan, first_number: u32, observer: &mut dyn Observer) -> Outcome {
        let mut tally = Tally::begin(plan, first_number, observer);
        let workers =
            if plan.is_steered() { self.devices.len().min(1) } else { self.devices.len() };
        let board = Board::new(plan, workers);
        let Fleet { open, devices, lost, on_loss, began, used } = self;
        let (was_used, began) = (std::mem::replace(used, true), began.take());
        let curve = std::thread::scope(|scope| {
            let (sender, results) = channel();
            let (clock, moments) = channel();
            let began = began.unwrap_or_else(Instant::now);
            if let Some(time) = plan.config.time {
                // Who has no time begins nothing, however soon the timekeeper looks at its clock.
                plan.budget.set(Spent::Time, time <= began.elapsed());
                scope.spawn(move || keep_time(plan, (began, time), &moments));
            }
            if plan.is_steered()
                && was_used
                && let Err(error) = as_if_new(devices, *open, lost, &plan.stop())
            {
                if !matches!(error, DeviceError::Stopped { .. }) {
                    tally.device_failed(error);
                }
                return None;
            }
            let devices = devices.iter_mut().take(workers).enumerate();
            let threads: Vec<_> = devices
                .map(|(number, device)| {
                    let worker = Worker {
                        plan,
                        board: &board,
                        number,
                        device,
                        open: *open,
                        lost,
                        on_loss: *on_loss,
                        results: sender.clone(),
                        curve: Curve::new(plan, lost),
                        evidence: BTreeMap::new(),
                        unfinished: BTreeMap::new(),
                    };
                    scope.spawn(move || worker.work())
                })
                .collect();
            drop(sender);
            let close = CloseOnDrop(&board);
            let cases = Cases { plan, board: &board, results: &results, clock };
            cases.coordinate(&mut tally);
            drop(close);
            drop(cases);
            threads.into_iter().filter_map(|thread| thread.join().ok()).next()
        });
        if let Some(curve) = curve.filter(|_| plan.exploration.is_some()) {
            let map = plan.pilots.find(Pilot::map).unwrap_or_default();
            let coverage = all_coverage(devices, lost);
            let last = curve.last(map.states.len(), coverage.as_ref());
            tally.tell(&RunEvent::Explored(last));
            tally.tell(&RunEvent::Learned(map));
        }
        tally.finish()
    }
}

impl Drop for Fleet<'_> {
    fn drop(&mut self) {
        self.devices.drain(..).for_each(end);
    }
}

/// Makes the first device one on which nothing has run yet, if it counts what does. A pilot is told
/// what ran for the first time; that must not depend on which of the earlier cases came to which
/// device.
fn as_if_new(
    devices: &mut [Box<dyn Device>],
    open: &Open<'_>,
    lost: &Mutex<Option<CodeCoverage>>,
    stop: &Stop,
) -> Result<(), DeviceError> {
    let Some(device) = devices.first_mut() else { return Ok(()) };
    if device.powers().and_then(Powers::coverage).is_none() {
        return Ok(());
    }
    let new = opened(open, &name_of(device.as_ref()), stop)?;
    replace(device, new, lost);
    Ok(())
}

/// What ran of the app's code on all devices together, those that were lost included.
fn all_coverage(
    devices: &mut [Box<dyn Device>],
    lost: &Mutex<Option<CodeCoverage>>,
) -> Option<CodeCoverage> {
    let mut all = lost.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for device in devices {
        add_coverage(&mut all, device.as_mut());
    }
    all
}

/// Closes the board also if the coordinator panics: the workers would wait for ever.
struct CloseOnDrop<'a>(&'a Board);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// What workers have sent before it was wanted.
#[derive(Default)]
struct Early {
    cases: BTreeMap<u32, Result<CaseReport, DeviceError>>,
    examined: Option<Result<Option<Shrunk>, DeviceError>>,
}

impl Early {
    /// Waits until what is wanted can be taken.
    fn wait<T>(
        &mut self,
        results: &Receiver<Done>,
        tally: &mut Tally<'_>,
        take: impl Fn(&mut Early) -> Option<Result<T, DeviceError>>,
    ) -> Result<T, DeviceError> {
        loop {
            if let Some(wanted) = take(self) {
                return wanted;
            }
            match results.recv() {
                Ok(Done::Ran(index, report)) => _ = self.cases.insert(index, report),
                Ok(Done::Told(event)) => tally.tell(&event),
                Ok(Done::Examined(examined)) => self.examined = Some(examined),
                // Each worker that is gone has left an error; it may be of a later case.
                Err(_) => return Err(self.first_error()),
            }
        }
    }

    /// Why no worker is left: what the first of them said that has not been told yet.
    fn first_error(&self) -> DeviceError {
        let told = self.cases.values().find_map(|case| case.as_ref().err().cloned());
        told.unwrap_or_else(|| DeviceError::Lost {
            device: "every device".into(),
            reason: "none could be opened again".into(),
        })
    }
}

/// The cases of a check while they are run.
struct Cases<'a> {
    plan: &'a Plan,
    board: &'a Board,
    results: &'a Receiver<Done>,
    /// Who keeps the time, if it is limited.
    clock: Sender<Moment>,
}

impl Cases<'_> {
    /// Takes what the workers send in the order of the cases, then has shrunk further what there
    /// was no time for.
    fn coordinate(&self, tally: &mut Tally<'_>) {
        let mut early = Early::default();
        // Of each failure that can be shrunk further: its place, its case, and who ran that.
        let mut unfinished = Vec::new();
        for index in 0..self.plan.runs() {
            // Asked before a worker may take the next case: what a worker has begun is taken in.
            if tally.is_over() {
                break;
            }
            self.board.reported(index);
            match early.wait(self.results, tally, |early| early.cases.remove(&index)) {
                Ok(case) if tally.case(&case) => {
                    let place = tally.failures();
                    self.tell(Moment::ShrinkingBegins { sharers: 2 });
                    let holder = self.board.examine(index);
                    let shrunk = self.shrunk(&mut early, tally);
                    if let Ok(Some(Shrunk { is_unfinished: true, .. })) = &shrunk {
                        unfinished.push((place, index, holder));
                    }
                    tally.examined(&case, shrunk.map(|shrunk| shrunk.map(|shrunk| shrunk.failure)));
                }
                // Its device was told to stop: there is no time for it, and nothing to say of it.
                Ok(_) | Err(DeviceError::Stopped { .. }) => {}
                Err(error) => tally.device_failed(error),
            }
        }
        self.tell(Moment::CasesEnd);
        let mut sharers = unfinished.len() as u32;
        for (place, index, holder) in unfinished {
            if self.plan.is_interrupted() || self.plan.budget.is_over(Spent::Time) {
                return;
            }
            self.tell(Moment::ShrinkingBegins { sharers });
            self.board.examine_further(index, holder);
            // A device that is lost over it takes nothing of what is known.
            if let Ok(Some(shrunk)) = self.shrunk(&mut early, tally) {
                tally.shrunk(place, shrunk.failure);
            }
            sharers -= 1;
        }
    }

    /// Waits for a failure that is being examined.
    fn shrunk(
        &self,
        early: &mut Early,
        tally: &mut Tally<'_>,
    ) -> Result<Option<Shrunk>, DeviceError> {
        let shrunk = early.wait(self.results, tally, |early| early.examined.take());
        let is_finished = !matches!(shrunk, Ok(Some(Shrunk { is_unfinished: true, .. })));
        self.tell(Moment::ShrinkingEnds { is_finished });
        match shrunk {
            Err(DeviceError::Stopped { .. }) => Ok(None),
            shrunk => shrunk,
        }
    }

    fn tell(&self, moment: Moment) {
        // The next search must not see that the time of the last one was over.
        if let Moment::ShrinkingBegins { .. } = moment {
            self.plan.budget.set(Spent::Shrinking, false);
        }
        // Nobody listens where the time is not limited, or is over.
        let _ = self.clock.send(moment);
    }
}
