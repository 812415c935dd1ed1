//! What an app can ask of the device that it runs on: time, background work, storage, chance.
//!
//! On its own because it is all of the device that an app may touch.

use capuchin_ui::{Lack, Rng, Size, Str};
use std::collections::BTreeMap;

/// How many timers may run out at one instant before the app counts as never at rest.
const INSTANT_LIMIT: u32 = 1_000;
/// How many timers may run out within one event before the app counts as never at rest.
const EVENT_LIMIT: u32 = 100_000;

/// The services of the simulated device, as an app sees them.
#[derive(Clone, Debug)]
pub struct Os {
    /// What the app has stored. It survives [`Os::leave`], and a reset clears it.
    pub storage: BTreeMap<Str, Str>,
    /// Chance, from the seed of the last reset.
    pub rng: Rng,
    pub(crate) viewport: Size,
    pub(crate) leaving: bool,
    /// What the app asked for in vain, and nobody has been told yet.
    pub(crate) lacked: Vec<Lack>,
    now: u64,
    pending: Vec<Pending>,
    number: u64,
}

#[derive(Clone, Debug)]
struct Pending {
    due: u64,
    /// Those due at the same instant come in the order in which they were set.
    number: u64,
    every: Option<u64>,
    background: bool,
    name: Str,
}

/// Something that was pending and is due.
pub(crate) struct Due {
    pub(crate) name: Str,
    pub(crate) background: bool,
}

/// How many timers may still run out within an event.
pub(crate) struct TimerLimit {
    instant: u64,
    at_instant: u32,
    in_event: u32,
}

impl TimerLimit {
    pub(crate) fn new() -> Self {
        TimerLimit { instant: u64::MAX, at_instant: 0, in_event: 0 }
    }

    fn is_over(&mut self, now: u64) -> bool {
        if self.instant != now {
            self.instant = now;
            self.at_instant = 0;
        }
        self.at_instant += 1;
        self.in_event += 1;
        self.at_instant > INSTANT_LIMIT || self.in_event > EVENT_LIMIT
    }
}

impl Os {
    pub(crate) fn new(viewport: Size, seed: u64) -> Self {
        Os {
            storage: BTreeMap::new(),
            rng: Rng::new(seed),
            viewport,
            leaving: false,
            lacked: Vec::new(),
            now: 0,
            pending: Vec::new(),
            number: 0,
        }
    }

    pub(crate) fn reset(&mut self, viewport: Size, seed: u64) {
        self.storage.clear();
        self.rng = Rng::new(seed);
        self.viewport = viewport;
        self.leaving = false;
        self.lacked.clear();
        self.now = 0;
        self.number = 0;
        self.pending.clear();
    }

    /// Forgets what dies with the app's process.
    pub(crate) fn relaunch(&mut self) {
        self.leaving = false;
        self.pending.clear();
    }

    /// Milliseconds since the reset, in virtual time.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The size of the screen as it is held now.
    pub fn viewport(&self) -> Size {
        self.viewport
    }

    /// Sends [`Input::Timer`](crate::Input::Timer) once, after so many milliseconds.
    pub fn timer(&mut self, after_ms: u64, name: impl Into<Str>) {
        self.push(after_ms, None, false, name.into());
    }

    /// Sends [`Input::Timer`](crate::Input::Timer) again and again, until it is cancelled.
    pub fn every(&mut self, ms: u64, name: impl Into<Str>) {
        self.push(ms, Some(ms), false, name.into());
    }

    /// Forgets every timer and all background work of this name.
    pub fn cancel(&mut self, name: &str) {
        self.pending.retain(|pending| pending.name != name);
    }

    /// Begins work that takes a while; nobody waits for it. How long it takes is chance, between
    /// the two times. Then [`Input::Background`](crate::Input::Background) is sent.
    pub fn background(&mut self, min_ms: u64, max_ms: u64, task: impl Into<Str>) {
        let spread = max_ms.saturating_sub(min_ms).saturating_add(1);
        let takes = min_ms.saturating_add(self.rng.below(spread));
        self.push(takes, None, true, task.into());
    }

    /// Leaves the app. The device starts it again at once: the app's value is the initial one, its
    /// storage is kept, its timers are gone.
    pub fn leave(&mut self) {
        self.leaving = true;
    }

    /// Notes that the app asked for something that this device does not have. It is in the next
    /// observation ([`Observation::lacked`](capuchin_ui::Observation::lacked)), and changes
    /// nothing.
    pub fn lack(&mut self, what: impl Into<Str>, reason: impl Into<Str>) {
        self.lacked.push(Lack { what: what.into(), reason: reason.into() });
    }

    fn push(&mut self, after: u64, every: Option<u64>, background: bool, name: Str) {
        let due = self.now.saturating_add(after);
        self.number += 1;
        self.pending.push(Pending { due, number: self.number, every, background, name });
    }

    /// The next that is due before `until`, with the clock put forward to it.
    /// An error is the name of what never lets the app rest.
    pub(crate) fn next_due(
        &mut self,
        until: u64,
        limit: &mut TimerLimit,
    ) -> Result<Option<Due>, Str> {
        let first = self
            .pending
            .iter()
            .enumerate()
            .filter(|(_, pending)| pending.due <= until)
            .min_by_key(|(_, pending)| (pending.due, pending.number));
        let Some((index, pending)) = first else {
            self.now = until;
            return Ok(None);
        };
        self.now = self.now.max(pending.due);
        if limit.is_over(self.now) {
            let name = pending.name.clone();
            self.now = until;
            return Err(name);
        }
        let due = Due { name: pending.name.clone(), background: pending.background };
        match pending.every {
            Some(every) => {
                self.number += 1;
                let pending = &mut self.pending[index];
                pending.due = self.now.saturating_add(every);
                pending.number = self.number;
            }
            None => {
                self.pending.remove(index);
            }
        }
        Ok(Some(due))
    }
}
