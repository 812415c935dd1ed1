//! Several devices that share the cases of a check.
//!
//! Workers take the next case, or a failing one to examine; the coordinator takes results in the
//! order of the cases and nothing else reaches the tally. So who was faster never shows.

use capuchin::ui::{Device, DeviceError};
use capuchin::{Case, Examined, Observer, Outcome, Plan, Tally};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The devices of a run.
pub struct Fleet {
    devices: Vec<Box<dyn Device>>,
}

impl Fleet {
    /// A fleet of these devices, at least one.
    pub fn new(devices: Vec<Box<dyn Device>>) -> Option<Self> {
        (!devices.is_empty()).then_some(Fleet { devices })
    }

    /// Runs a check. Its failures are numbered from `first_number` on.
    pub fn run(&mut self, plan: &Plan, first_number: u32, observer: &mut dyn Observer) -> Outcome {
        let mut tally = Tally::begin(plan, first_number, observer);
        let board = Board::new(plan.config.cases, self.devices.len());
        std::thread::scope(|scope| {
            let (sender, results) = channel();
            for device in &mut self.devices {
                let (sender, board) = (sender.clone(), &board);
                scope.spawn(move || work(plan, board, device.as_mut(), &sender));
            }
            drop(sender);
            coordinate(plan, &board, &results, &mut tally);
            board.close();
        });
        tally.finish()
    }
}

enum Task {
    Run(u32),
    Examine(Box<Case>),
}

enum Done {
    Ran(u32, Result<Case, DeviceError>),
    Examined(Box<Case>, Result<Examined, DeviceError>),
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
    fn new(cases: u32, workers: usize) -> Self {
        let state = State { next: 0, reported: 0, to_examine: VecDeque::new(), closed: false };
        // Alone, nobody should run a case that the one before it may make pointless.
        let window = if workers == 1 { 1 } else { 16 * workers as u32 };
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

fn work(plan: &Plan, board: &Board, device: &mut dyn Device, results: &Sender<Done>) {
    while let Some(task) = board.take() {
        let done = match task {
            Task::Run(index) => {
                Done::Ran(index, guarded(device, |device| plan.case(index, device)))
            }
            Task::Examine(case) => {
                let examined = guarded(device, |device| plan.examine(&case, device));
                Done::Examined(case, examined)
            }
        };
        if results.send(done).is_err() {
            return;
        }
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
    let mut early: BTreeMap<u32, Result<Case, DeviceError>> = BTreeMap::new();
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
                Ok(Done::Examined(..)) | Err(_) => return,
            }
        };
        match case {
            Ok(case) if tally.case(&case) => {
                board.change(|state| state.to_examine.push_back(Box::new(case)));
                let (case, examined) = loop {
                    match results.recv() {
                        Ok(Done::Ran(number, case)) => _ = early.insert(number, case),
                        Ok(Done::Examined(case, examined)) => break (case, examined),
                        Err(_) => return,
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
