//! A worker: one device, the cases that it takes, and the evidence of those that failed.
//!
//! On its own because it is what a process or another machine would be. What it sends back
//! ([`Done`]) is plain values; what it takes to examine a failure stays with it.

use crate::board::{Board, Task};
use crate::curve::{Curve, Figures};
use crate::fleet::{OnLoss, Open};
use capuchin::cases::{CaseReport, Evidence};
use capuchin::log::{Failure, RunEvent};
use capuchin::steering::Pilot;
use capuchin::ui::{CodeCoverage, Device, DeviceError};
use capuchin::{Plan, Probe, coverage};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

/// What a worker sends back.
pub(crate) enum Done {
    /// A case was run.
    Ran(u32, Result<CaseReport, DeviceError>),
    /// A failing case was examined; nothing, if the failure can only be kept as it was found.
    Examined(Result<Option<Failure>, DeviceError>),
    /// Something happened while a case was run.
    Told(RunEvent),
}

pub(crate) struct Worker<'a> {
    plan: &'a Plan,
    board: &'a Board,
    number: usize,
    device: &'a mut Box<dyn Device>,
    spare: Spare<'a>,
    results: Sender<Done>,
    curve: Curve<'a>,
    /// Of the failing cases that it ran, by their number.
    evidence: BTreeMap<u32, Evidence>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        plan: &'a Plan,
        board: &'a Board,
        number: usize,
        device: &'a mut Box<dyn Device>,
        spare: Spare<'a>,
        results: Sender<Done>,
        curve: Curve<'a>,
    ) -> Self {
        let evidence = BTreeMap::new();
        Worker { plan, board, number, device, spare, results, curve, evidence }
    }

    /// Does tasks until there are none, or until the device is lost and cannot be opened again.
    pub(crate) fn work(mut self) -> Figures {
        while let Some((task, first_wanted)) = self.board.take(self.number) {
            self.evidence = self.evidence.split_off(&first_wanted);
            let (done, lost) = match task {
                Task::Run(index) => {
                    let report = self.run(index);
                    let lost = report.is_err();
                    (Done::Ran(index, report), lost)
                }
                Task::Examine(index) => {
                    let examined = self.examine(index);
                    let lost = examined.is_err();
                    (Done::Examined(examined), lost)
                }
            };
            if lost {
                self.board.leave(self.number);
            }
            if self.results.send(done).is_err() || lost {
                break;
            }
        }
        self.curve.figures()
    }

    /// Runs a case; on another device if this one is lost over it. A case that is drawn is a
    /// function of the plan, so the second time gives what the first would have. An exploration
    /// goes on from what its pilot knows, until a device is lost where another was.
    fn run(&mut self, index: u32) -> Result<CaseReport, DeviceError> {
        let plan = self.plan;
        let mut lost_at = None;
        loop {
            self.curve.case_begins();
            let curve = &self.curve;
            let on_move = |pilot: &dyn Pilot, app: &mut Probe<'_>| curve.moved(pilot, app);
            let run = |device: &mut dyn Device| plan.case(index, device, Some(&on_move));
            let ran = guarded(self.device.as_mut(), run);
            self.curve.case_ends();
            match ran {
                Ok((report, evidence)) => {
                    self.evidence.extend(evidence.map(|evidence| (index, evidence)));
                    return Ok(report);
                }
                Err(lost @ DeviceError::Lost { .. }) => {
                    let now = match plan.exploration {
                        Some(_) => plan.budget.taken(),
                        None => 0,
                    };
                    if lost_at.replace(now) == Some(now) {
                        return Err(lost);
                    }
                    self.reopen(lost)?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Examines a failing case; once more on another device if this one is lost over it.
    fn examine(&mut self, index: u32) -> Result<Option<Failure>, DeviceError> {
        // The worker that ran it is gone: a case that was drawn can be run again.
        if !self.evidence.contains_key(&index) {
            self.run(index)?;
        }
        let Some(evidence) = self.evidence.remove(&index) else { return Ok(None) };
        self.curve.examines();
        let plan = self.plan;
        for attempt in 0..2 {
            let examined = guarded(self.device.as_mut(), |device| plan.examine(&evidence, device));
            match examined {
                Ok(failure) => return Ok(Some(failure)),
                Err(lost @ DeviceError::Lost { .. }) => {
                    // What takes the device with it now and then is a failure as it was found.
                    if attempt > 0 && plan.exploration.is_none() {
                        return Err(lost);
                    }
                    self.reopen(lost)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Another device in the place of one that is lost.
    fn reopen(&mut self, lost: DeviceError) -> Result<(), DeviceError> {
        match (self.spare.open)() {
            Ok(new) => {
                (self.spare.on_loss)(&lost);
                replace(self.device, new, self.spare.lost);
                Ok(())
            }
            Err(error) => Err(beyond_recall(lost, &error)),
        }
    }
}

/// Where a device comes from in the place of one that is lost, and what is kept of that one.
#[derive(Clone, Copy)]
pub(crate) struct Spare<'a> {
    pub(crate) open: &'a Open<'a>,
    pub(crate) lost: &'a Mutex<Option<CodeCoverage>>,
    pub(crate) on_loss: &'a OnLoss<'a>,
}

/// Adds what a device says of the code that ran on it. One that cannot say so has no say.
pub(crate) fn add_coverage(all: &mut Option<CodeCoverage>, device: &mut dyn Device) {
    if let Ok(Some(so_far)) = guarded(device, coverage) {
        all.get_or_insert_default().merge(&so_far);
    }
}

/// Puts a new device in the place of one, and keeps what ran on that.
pub(crate) fn replace(
    device: &mut Box<dyn Device>,
    new: Box<dyn Device>,
    coverage: &Mutex<Option<CodeCoverage>>,
) {
    let mut old = std::mem::replace(device, new);
    let mut kept = coverage.lock().unwrap_or_else(PoisonError::into_inner);
    add_coverage(&mut kept, old.as_mut());
}

/// A device that is lost, and why there is no other.
fn beyond_recall(lost: DeviceError, error: &DeviceError) -> DeviceError {
    let (why, error) = (error, error.to_string());
    match lost {
        // The same twice says no more than once.
        DeviceError::Lost { device, reason }
            if !error.contains(reason.split(": ").next().unwrap_or(&reason)) =>
        {
            let again = match why {
                DeviceError::Start { reason, .. } | DeviceError::Lost { reason, .. } => reason,
                _ => &error,
            };
            let reason = format!("{reason}; and no other could be started: {again}");
            DeviceError::Lost { device, reason }
        }
        lost => lost,
    }
}

/// A driver that panics is a device that is lost: the other results must not go with it.
fn guarded<T>(
    device: &mut dyn Device,
    run: impl FnOnce(&mut dyn Device) -> Result<T, DeviceError>,
) -> Result<T, DeviceError> {
    catch_unwind(AssertUnwindSafe(|| run(device))).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
            .unwrap_or_default();
        let reason = format!("its driver panicked: {message}; this is a bug, please report it");
        Err(DeviceError::Lost { device: device.info().name.clone(), reason })
    })
}
