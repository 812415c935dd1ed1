//! A worker: one device, the cases that it takes, and the evidence of those that failed.
//!
//! On its own because it is what a process or another machine would be. What it sends back
//! ([`Done`]) is plain values; what it takes to examine a failure stays with it.

use crate::board::{Board, Task};
use crate::curve::{Curve, Phase};
use crate::fleet::{OnLoss, Open};
use capuchin::cases::{CaseReport, Evidence, Examined, driver_panicked, name_of, panic_message};
use capuchin::log::{Failure, RunEvent};
use capuchin::steering::Pilot;
use capuchin::ui::{CodeCoverage, Device, DeviceError, Stop, Str};
use capuchin::{Plan, Probe, coverage};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

/// What a worker sends back.
pub(crate) enum Done {
    /// A case was run.
    Ran(u32, Result<CaseReport, DeviceError>),
    /// A failing case was examined; nothing, if the failure can only be kept as it was found.
    Examined(Result<Option<Shrunk>, DeviceError>),
    /// Something happened while a case was run.
    Told(RunEvent),
}

/// A failure as small as it got.
pub(crate) struct Shrunk {
    pub(crate) failure: Failure,
    /// Whether the worker could shrink it further, if there was time.
    pub(crate) is_unfinished: bool,
}

pub(crate) struct Worker<'a, 'd> {
    pub(crate) plan: &'a Plan,
    pub(crate) board: &'a Board,
    pub(crate) number: usize,
    pub(crate) device: &'d mut Box<dyn Device>,
    /// Opens a device in the place of one that is lost.
    pub(crate) open: &'a Open<'a>,
    /// What ran on devices that were lost.
    pub(crate) lost: &'a Mutex<Option<CodeCoverage>>,
    pub(crate) on_loss: &'a OnLoss<'a>,
    pub(crate) results: Sender<Done>,
    pub(crate) curve: Curve<'a>,
    /// Of the failing cases that it ran, by their number.
    pub(crate) evidence: BTreeMap<u32, Evidence>,
    /// What it takes to shrink failures further, for which there was no time.
    pub(crate) unfinished: BTreeMap<u32, Evidence>,
}

impl<'a> Worker<'a, '_> {
    /// Does tasks until there are none, or until the device is lost and cannot be opened again.
    pub(crate) fn work(mut self) -> Curve<'a> {
        while let Some((task, first_wanted)) = self.board.take(self.number) {
            self.evidence = self.evidence.split_off(&first_wanted);
            let done = match task {
                Task::Run(index) => Done::Ran(index, self.alive(|worker| worker.run(index))),
                Task::Examine(index) => Done::Examined(self.alive(|worker| worker.examine(index))),
            };
            let lost = matches!(done, Done::Ran(_, Err(_)) | Done::Examined(Err(_)));
            if lost {
                self.board.leave(self.number);
            }
            if self.results.send(done).is_err() || lost {
                break;
            }
        }
        self.curve
    }

    /// Does something, and lives to tell: a driver that panics where nobody looks after it, over
    /// its name or while it ends, is a lost device, and nobody waits for its worker for ever.
    fn alive<T>(
        &mut self,
        task: impl FnOnce(&mut Self) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        catch_unwind(AssertUnwindSafe(|| task(self))).unwrap_or_else(|panic| {
            let (device, reason) = (name_of(self.device.as_ref()), driver_panicked(&*panic));
            Err(DeviceError::Lost { device, reason })
        })
    }

    /// Runs a case; on another device if this one is lost over it. A case that is drawn is a
    /// function of the plan, so the second time gives what the first would have. An exploration
    /// goes on from what its pilot knows, until a device is lost where another was.
    fn run(&mut self, index: u32) -> Result<CaseReport, DeviceError> {
        let plan = self.plan;
        let mut lost_at = None;
        loop {
            // What is known from an earlier run is no part of the exploration.
            let is_saved = plan.is_saved(index);
            self.curve.enter(if is_saved { Phase::Examining } else { Phase::Restarting });
            let (curve, results) = (RefCell::new(&mut self.curve), &self.results);
            let on_move = |pilot: &dyn Pilot, app: &mut Probe<'_>| {
                if let Some(point) = curve.borrow_mut().moved(pilot, app) {
                    // Nobody listens any more: the check is over.
                    let _ = results.send(Done::Told(RunEvent::Explored(point)));
                }
            };
            let ran =
                guarded(self.device.as_mut(), |device| plan.case(index, device, Some(&on_move)));
            self.curve.enter(Phase::Exploring);
            let now = plan.exploration.as_ref().map_or(0, |_| plan.budget.taken());
            match ran {
                Err(lost @ DeviceError::Lost { .. }) if lost_at.replace(now) != Some(now) => {
                    self.reopen(lost)?;
                }
                ran => {
                    let (report, evidence) = ran?;
                    self.evidence.extend(evidence.map(|evidence| (index, evidence)));
                    return Ok(report);
                }
            }
        }
    }

    /// Examines a failing case; once more on another device if this one is lost over it.
    fn examine(&mut self, index: u32) -> Result<Option<Shrunk>, DeviceError> {
        let unfinished = self.unfinished.remove(&index);
        // The worker that ran it is gone: a case that was drawn can be run again.
        if unfinished.is_none() && !self.evidence.contains_key(&index) {
            self.run(index)?;
        }
        let evidence = unfinished.or_else(|| self.evidence.remove(&index));
        let Some(evidence) = evidence else { return Ok(None) };
        self.curve.enter(Phase::Examining);
        let plan = self.plan;
        for attempt in 0..2 {
            // What takes the device with it now and then is a failure as it was found.
            let may_reopen = attempt == 0 || plan.exploration.is_some();
            match guarded(self.device.as_mut(), |device| plan.examine(&evidence, device)) {
                Err(lost @ DeviceError::Lost { .. }) if may_reopen => self.reopen(lost)?,
                examined => {
                    let Examined { failure, rest, .. } = examined?;
                    let is_unfinished = rest.is_some();
                    self.unfinished.extend(rest.map(|rest| (index, rest)));
                    return Ok(Some(Shrunk { failure, is_unfinished }));
                }
            }
        }
        Ok(None)
    }

    /// Another device in the place of one that is lost.
    fn reopen(&mut self, lost: DeviceError) -> Result<(), DeviceError> {
        match opened(self.open, &name_of(self.device.as_ref()), &self.plan.stop()) {
            Ok(new) => {
                (self.on_loss)(&lost);
                replace(self.device, new, self.lost);
                Ok(())
            }
            Err(stopped @ DeviceError::Stopped { .. }) => Err(stopped),
            Err(error) => Err(beyond_recall(lost, &error)),
        }
    }
}

/// Adds what a device says of the code that ran on it. One that cannot say so has no say.
pub(crate) fn add_coverage(all: &mut Option<CodeCoverage>, device: &mut dyn Device) {
    if let Ok(Some(so_far)) = coverage(device) {
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
    drop(kept);
    end(old);
}

/// Lets a device go. It has said all that it has to say, whatever its driver does now.
pub(crate) fn end(device: Box<dyn Device>) {
    let _ = catch_unwind(AssertUnwindSafe(|| drop(device)));
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

/// A panic that gets here is not of a driver, but of what the user wrote in Rust: the request is
/// wrong, and the results of the other cases must not go with it. (Unless the driver panics over
/// what it is, which everybody asks for.)
fn guarded<T>(
    device: &mut dyn Device,
    run: impl FnOnce(&mut dyn Device) -> Result<T, DeviceError>,
) -> Result<T, DeviceError> {
    catch_unwind(AssertUnwindSafe(|| run(device))).unwrap_or_else(|panic| {
        if catch_unwind(AssertUnwindSafe(|| _ = device.info())).is_err() {
            let (device, reason) = (name_of(device), driver_panicked(&*panic));
            return Err(DeviceError::Lost { device, reason });
        }
        let message = panic_message(&*panic);
        Err(DeviceError::Request(format!(
            "a monitor, a property or a policy panicked: {message}; it must return what it finds"
        )))
    })
}

/// One more device. A driver that panics over it could not be started.
pub(crate) fn opened(
    open: &Open<'_>,
    name: &Str,
    stop: &Stop,
) -> Result<Box<dyn Device>, DeviceError> {
    let failed = |reason| DeviceError::Start { device: name.clone(), reason };
    catch_unwind(AssertUnwindSafe(|| open(stop)))
        .unwrap_or_else(|panic| Err(failed(driver_panicked(&*panic))))
}
