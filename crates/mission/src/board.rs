//! What is to be done in a check, for its workers to take from.
//!
//! On its own because it is all that workers share: which case comes next, and which worker has the
//! evidence of a failing one.

use capuchin::Plan;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What a worker does next.
pub(crate) enum Task {
    /// Run the case of this number.
    Run(u32),
    /// Examine the case of this number.
    Examine(u32),
}

/// What is to be done, for the workers to take from.
pub(crate) struct Board {
    state: Mutex<State>,
    changed: Condvar,
    cases: u32,
    /// How far the workers may run ahead of what has been reported.
    window: u32,
}

#[derive(Default)]
struct State {
    next: u32,
    reported: u32,
    /// Cases to be examined, each with the worker that has its evidence.
    to_examine: VecDeque<(u32, usize)>,
    /// Who ran each case that is not reported yet, from the first of them on.
    ran_by: VecDeque<usize>,
    /// Which workers are gone.
    gone: Vec<bool>,
    /// Whether the first case may be taken.
    is_open: bool,
    closed: bool,
}

impl Board {
    pub(crate) fn new(plan: &Plan, workers: usize) -> Self {
        let state = State { gone: vec![false; workers], ..State::default() };
        // Where the first failure ends it all, nobody should run far ahead of it. A pilot must not
        // see what examining a failure leaves on the device sooner or later than the plain loop
        // shows it.
        let ahead = if plan.config.stop_at_first || plan.is_steered() { 1 } else { 64 };
        let (cases, window) = (plan.runs(), ahead * workers as u32);
        Board { state: Mutex::new(state), changed: Condvar::new(), cases, window }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next task of a worker, and the number of the first case whose evidence may still be
    /// wanted. A case is examined by the worker that ran it, which has the evidence, unless that is
    /// gone.
    pub(crate) fn take(&self, worker: usize) -> Option<(Task, u32)> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some((index, holder)) = state.to_examine.front().copied()
                && (holder == worker || state.gone[holder])
            {
                state.to_examine.pop_front();
                return Some((Task::Examine(index), state.reported));
            }
            let ahead = state.reported.saturating_add(self.window);
            if state.is_open && state.next < self.cases.min(ahead) {
                state.next += 1;
                state.ran_by.push_back(worker);
                return Some((Task::Run(state.next - 1), state.reported));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// A case that is not reported yet is to be examined; by whom.
    pub(crate) fn examine(&self, index: u32) -> usize {
        let mut holder = 0;
        self.change(|state| {
            holder = state.ran_by[(index - state.reported) as usize];
            state.to_examine.push_back((index, holder));
        });
        holder
    }

    /// A case is to be examined further by the worker that began with it.
    pub(crate) fn examine_further(&self, index: u32, holder: usize) {
        self.change(|state| {
            // There is nothing else left to do.
            state.next = u32::MAX;
            state.to_examine.push_back((index, holder));
        });
    }

    /// The cases before this one are over: their evidence is not wanted any more.
    pub(crate) fn reported(&self, index: u32) {
        self.change(|state| {
            state.ran_by.drain(..(index - state.reported) as usize);
            state.reported = index;
            state.is_open = true;
        });
    }

    /// A worker is gone.
    pub(crate) fn leave(&self, worker: usize) {
        self.change(|state| state.gone[worker] = true);
    }

    /// Nothing more is to be done.
    pub(crate) fn close(&self) {
        self.change(|state| state.closed = true);
    }
}
