//! What the runs of a plan may spend together: events, and time.
//!
//! On its own because a budget is not an interruption: what was done until it was spent counts.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What is left for the runs of a plan.
#[derive(Debug)]
pub struct Budget {
    /// How many events may be taken from it.
    most: AtomicU64,
    taken: AtomicU64,
    time_is_up: AtomicBool,
}

impl Budget {
    /// As if nothing had been spent of so many events.
    pub(crate) fn refill(&self, events: Option<u64>) {
        self.most.store(events.unwrap_or(u64::MAX), Ordering::Relaxed);
        self.taken.store(0, Ordering::Relaxed);
        self.time_is_up.store(false, Ordering::Relaxed);
    }

    /// Takes one event from it; `false` if nothing is left.
    pub(crate) fn take(&self) -> bool {
        let may = !self.is_spent();
        self.taken.fetch_add(may.into(), Ordering::Relaxed);
        may
    }

    /// How many events were taken from it.
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// The time is up: whoever has a clock says so.
    pub fn end_time(&self) {
        self.time_is_up.store(true, Ordering::Relaxed);
    }

    /// Whether the time is up.
    pub fn time_is_up(&self) -> bool {
        self.time_is_up.load(Ordering::Relaxed)
    }

    /// Whether nothing is left: no event, or no time.
    pub fn is_spent(&self) -> bool {
        self.time_is_up() || self.taken() >= self.most.load(Ordering::Relaxed)
    }
}

impl Default for Budget {
    fn default() -> Self {
        let (taken, time_is_up) = Default::default();
        Budget { most: AtomicU64::new(u64::MAX), taken, time_is_up }
    }
}

impl Clone for Budget {
    /// A budget of its own, of which nothing is spent yet.
    fn clone(&self) -> Self {
        Budget::default()
    }
}
