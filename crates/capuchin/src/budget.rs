//! What the runs of a plan may spend together: events, and time.
//!
//! On its own because a budget is not an interruption: what was done until it was spent counts. It
//! has no clock: whoever has one says what is over, and when.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What is left for the runs of a plan.
#[derive(Debug)]
pub struct Budget {
    /// How many events may be taken from it.
    most: AtomicU64,
    taken: AtomicU64,
    /// Which of [`Spent`] is over. Devices look at them, too.
    spent: [Arc<AtomicBool>; 3],
}

/// A share of the time of a plan that can be over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// All of it.
    Time,
    /// What its cases may take; failures may still be shrunk.
    Cases,
    /// What shrinking may take for now.
    Shrinking,
}

impl Budget {
    /// As if nothing had been spent of so many events.
    pub(crate) fn refill(&self, events: Option<u64>) {
        self.most.store(events.unwrap_or(u64::MAX), Ordering::Relaxed);
        self.taken.store(0, Ordering::Relaxed);
        self.spent.iter().for_each(|share| share.store(false, Ordering::Relaxed));
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

    /// Whoever has a clock says that a share of the time is over, or that there is more of it.
    pub fn set(&self, share: Spent, is_over: bool) {
        self.spent[share as usize].store(is_over, Ordering::Relaxed);
    }

    /// What is set when a share of the time is over.
    pub(crate) fn flag(&self, share: Spent) -> Arc<AtomicBool> {
        Arc::clone(&self.spent[share as usize])
    }

    /// Whether a share of the time is over, or all of it.
    pub fn is_over(&self, share: Spent) -> bool {
        let is_set = |share: Spent| self.spent[share as usize].load(Ordering::Relaxed);
        is_set(Spent::Time) || is_set(share)
    }

    /// Whether nothing is left for cases: no event, or no time.
    pub fn is_spent(&self) -> bool {
        self.is_over(Spent::Cases) || self.taken() >= self.most.load(Ordering::Relaxed)
    }
}

impl Default for Budget {
    fn default() -> Self {
        let (taken, spent) = Default::default();
        Budget { most: AtomicU64::new(u64::MAX), taken, spent }
    }
}

impl Clone for Budget {
    /// A budget of its own, of which nothing is spent yet.
    fn clone(&self) -> Self {
        Budget::default()
    }
}
