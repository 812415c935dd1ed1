//! Several devices that share the cases of a check.
//!
//! Workers take the next case, or a failing one to examine; the coordinator takes results in the
//! order of the cases and nothing else reaches the tally. So who was faster never shows.
//!
//! A check that a pilot steers is not shared: its cases learn from one another. One worker runs them, each
//! when the one before it has been examined, as the plain loop does.

use capuchin::ui::{CodeCoverage, Device, DeviceError, Powers};
use capuchin::{Case, Examined, Observer, Outcome, Plan, Tally, coverage};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Opens one more device of the kind that a run is on.
pub type Open<'a> = dyn Fn() -> Result<Box<dyn Device>, DeviceError> + Sync + 'a;

/// The devices of a run.
pub struct Fleet<'a> {
    open: &'a Open<'a>,
    devices: Vec<Box<dyn Device>>,
    /// What ran of the app's code on devices that were lost.
    lost: Mutex<Option<CodeCoverage>>,
    on_loss: &'a OnLoss<'a>,
    /// Whether a check has been run on the devices.
    used: bool,
}

/// Hears of a device that was lost and in whose place another goes on.
pub type OnLoss<'a> = dyn Fn(&DeviceError) + Sync + 'a;

impl<'a> Fleet<'a> {
    /// These devices; `open` opens one in place of one that is lost.
    pub fn new(devices: Vec<Box<dyn Device>>, open: &'a Open<'a>) -> Self {
        Fleet { open, devices, lost: Mutex::default(), on_loss: &|_| {}, used: false }
    }

    /// `tell` is told of every device that is lost and replaced. It is no part of the run's events:
    /// what they say does not depend on it.
    #[must_use]
    pub fn on_loss(mut self, tell: &'a OnLoss<'a>) -> Self {
        self.on_loss = tell;
        self
    }

    /// What ran of the app's code on all devices together, those that were lost included; `None` if they
    /// do not count it.
    pub fn coverage(&mut self) -> Option<CodeCoverage> {
        let lost = self.lost.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut all = lost.clone();
        for device in &mut self.devices {
            add_coverage(&mut all, device.as_mut());
        }
        all
    }

    /// Runs checks one after the other, until one of them loses its devices or is broken off.
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
        if plan.is_steered()
            && let Err(error) = self.as_if_new()
        {
            tally.device_failed(error);
            return tally.finish();
        }
        self.used = true;
        let board = Board::new(plan, workers);
        std::thread::scope(|scope| {
            let (sender, results) = channel();
            for device in self.devices.iter_mut().take(workers) {
                let (sender, board) = (sender.clone(), &board);
                let spare = Spare { open: self.open, lost: &self.lost, on_loss: self.on_loss };
                scope.spawn(move || work(plan, board, device, spare, &sender));
            }
            drop(sender);
            coordinate(plan, &board, &results, &mut tally);
            board.close();
        });
        tally.finish()
    }

    /// Makes the first device one on which nothing has run yet, if it counts what does. A pilot is told
    /// what ran for the first time; that must not depend on which of the earlier cases came to which device.
    fn as_if_new(&mut self) -> Result<(), DeviceError> {
        let Some(device) = self.devices.first_mut().filter(|_| self.used) else { return Ok(()) };
        if device.powers().and_then(Powers::coverage).is_none() {
            return Ok(());
        }
        let new = (self.open)()?;
        replace(device, new, &self.lost);
        Ok(())
    }
}

enum Task {
    Run(u32),
    Examine(Box<Case>),
}

enum Done {
    Ran(u32, Result<Box<Case>, DeviceError>),
    Examined(Box<Result<Examined, DeviceError>>),
}

/// What is to be done, for the workers to take from.
struct Board {
    state: Mutex<State>,
    changed: Condvar,
    cases: u32,
    /// How far the workers may run ahead of what has been reported.
    window: u32,
}

struct State {
    next: u32,
    reported: u32,
    to_examine: VecDeque<Box<Case>>,
    closed: bool,
}

impl Board {
    fn new(plan: &Plan, workers: usize) -> Self {
        let state = State { next: 0, reported: 0, to_examine: VecDeque::new(), closed: false };
        // Where the first failure ends it all, nobody should run far ahead of it. A pilot must not see
        // what examining a failure leaves on the device sooner or later than the plain loop shows it.
        let ahead = if plan.config.stop_at_first || plan.is_steered() { 1 } else { 64 };
        let (cases, window) = (plan.config.cases, ahead * workers as u32);
        Board { state: Mutex::new(state), changed: Condvar::new(), cases, window }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some(case) = state.to_examine.pop_front() {
                return Some(Task::Examine(case));
            }
            if state.next < self.cases && state.next < state.reported + self.window {
                state.next += 1;
                return Some(Task::Run(state.next - 1));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn close(&self) {
        self.change(|state| state.closed = true);
    }
}

/// Runs tasks until there are none, or until the device is lost and cannot be opened again.
fn work(
    plan: &Plan,
    board: &Board,
    device: &mut Box<dyn Device>,
    spare: Spare<'_>,
    results: &Sender<Done>,
) {
    while let Some(task) = board.take() {
        let (done, lost) = match task {
            Task::Run(index) => {
                let case =
                    persistent(device, spare, |device| plan.case(index, device)).map(Box::new);
                let lost = case.is_err();
                (Done::Ran(index, case), lost)
            }
            Task::Examine(case) => {
                let examined = persistent(device, spare, |device| plan.examine(&case, device));
                let lost = examined.is_err();
                (Done::Examined(Box::new(examined)), lost)
            }
        };
        if results.send(done).is_err() || lost {
            return;
        }
    }
}

/// Where a device comes from in the place of one that is lost, and what is kept of that one.
#[derive(Clone, Copy)]
struct Spare<'a> {
    open: &'a Open<'a>,
    lost: &'a Mutex<Option<CodeCoverage>>,
    on_loss: &'a OnLoss<'a>,
}

/// Adds what a device says of the code that ran on it. One that cannot say so has no say.
fn add_coverage(all: &mut Option<CodeCoverage>, device: &mut dyn Device) {
    if let Ok(Some(so_far)) = guarded(device, coverage) {
        all.get_or_insert_default().merge(&so_far);
    }
}

/// Puts a new device in the place of one, and keeps what ran on that.
fn replace(
    device: &mut Box<dyn Device>,
    new: Box<dyn Device>,
    coverage: &Mutex<Option<CodeCoverage>>,
) {
    let mut old = std::mem::replace(device, new);
    let mut kept = coverage.lock().unwrap_or_else(PoisonError::into_inner);
    add_coverage(&mut kept, old.as_mut());
}

/// Runs something; if the device is lost over it, once more on a new one. What is run is a function
/// of the plan, so the second time gives what the first would have. Only a pilot may have learned from
/// the first time, and choose otherwise.
fn persistent<T>(
    device: &mut Box<dyn Device>,
    spare: Spare<'_>,
    run: impl Fn(&mut dyn Device) -> Result<T, DeviceError>,
) -> Result<T, DeviceError> {
    match guarded(device.as_mut(), &run) {
        Err(lost @ DeviceError::Lost { .. }) => match (spare.open)() {
            Ok(new) => {
                (spare.on_loss)(&lost);
                replace(device, new, spare.lost);
                guarded(device.as_mut(), &run)
            }
            Err(error) => Err(beyond_recall(lost, &error)),
        },
        result => result,
    }
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

fn coordinate(plan: &Plan, board: &Board, results: &Receiver<Done>, tally: &mut Tally<'_>) {
    let mut early: BTreeMap<u32, Result<Box<Case>, DeviceError>> = BTreeMap::new();
    for index in 0..plan.config.cases {
        if tally.is_over() {
            return;
        }
        let case = loop {
            if let Some(case) = early.remove(&index) {
                break case;
            }
            match results.recv() {
                Ok(Done::Ran(number, case)) => _ = early.insert(number, case),
                Ok(Done::Examined(..)) => {}
                // No worker is left. Each of them has left an error; it may be of a later case.
                Err(_) => break Err(first_error(&early)),
            }
        };
        match case {
            Ok(case) if tally.case(&case) => {
                board.change(|state| state.to_examine.push_back(case.clone()));
                let examined = loop {
                    match results.recv() {
                        Ok(Done::Ran(number, case)) => _ = early.insert(number, case),
                        Ok(Done::Examined(examined)) => break *examined,
                        // No worker is left to examine it: it is kept as it was found.
                        Err(_) => break Err(first_error(&early)),
                    }
                };
                tally.examined(&case, examined);
            }
            Ok(_) => {}
            Err(error) => tally.device_failed(error),
        }
        board.change(|state| state.reported = index + 1);
    }
}

/// Why no worker is left: what the first of them said that has not been told yet.
fn first_error(early: &BTreeMap<u32, Result<Box<Case>, DeviceError>>) -> DeviceError {
    let told = early.values().find_map(|case| case.as_ref().err().cloned());
    told.unwrap_or_else(|| DeviceError::Lost {
        device: "every device".into(),
        reason: "none could be opened again".into(),
    })
}
