//! How long the device has waited, and for what: the figures that show why an app is slow to test.
//!
//! On its own because every part that waits says so here, and none of them reads it. What the
//! browser or the app's server take on a busy machine is in the same figures as our own patience,
//! under other names. Only a benchmark wants them: where nobody does, no clock is read.

use crate::device::WebDevice;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What time is spent on. Time within another one counts for the inner one only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Wait {
    /// A reset, but for what is below.
    Reset,
    /// An event, but for what is below.
    Event,
    /// Input, until the page has handled it.
    Input,
    /// The page's own time, with the requests that hold its clock.
    Slice,
    /// Requests of a page that keeps a line open.
    Requests,
    /// An answer over a line or of a worker.
    Answer,
    /// A line or a worker until it is quiet.
    Quiet,
    /// A first screen that may come over a line.
    FirstScreen,
    /// Another document, or a download.
    Navigation,
    /// A frame.
    Frame,
    /// The browser: databases, files, permissions.
    Browser,
    /// Real time that passes for one of the reasons of `pause.rs`.
    Pause,
    /// A snapshot.
    Snapshot,
}

/// How often and how long was waited for something.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Waited {
    /// How often.
    pub times: u64,
    /// How long, all together.
    pub time: Duration,
    /// How much of it was spent until a timeout, with nothing from the browser: our patience.
    pub idle: Duration,
}

/// How long was waited for what: first in events (`false`), then in resets.
pub type Waits = BTreeMap<(bool, Wait), Waited>;

/// Where devices of one app write down how long they waited.
pub(crate) type SharedWaits = Arc<Mutex<Waits>>;

/// What a device waits for now.
#[derive(Debug)]
pub(crate) struct WaitLog {
    /// `None` if nobody wants to know.
    kept: Option<SharedWaits>,
    is_reset: bool,
    now: Option<(Wait, Instant)>,
}

impl WaitLog {
    pub(crate) fn new(kept: Option<SharedWaits>) -> Self {
        WaitLog { kept, is_reset: false, now: None }
    }

    /// Whether somebody wants to know.
    pub(crate) fn is_kept(&self) -> bool {
        self.kept.is_some()
    }

    fn add(&self, wait: Wait, add: impl FnOnce(&mut Waited)) {
        let Some(kept) = &self.kept else { return };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        add(kept.entry((self.is_reset, wait)).or_default());
    }

    /// Nothing came from the browser for so long.
    pub(crate) fn note_idle(&mut self, time: Duration) {
        if let Some((wait, _)) = self.now {
            self.add(wait, |waited| waited.idle += time);
        }
    }

    /// From now on this is waited for; what was waited for before.
    fn turn_to(&mut self, wait: Option<Wait>) -> Option<Wait> {
        let before = self.now.take();
        if let Some((wait, since)) = before {
            self.add(wait, |waited| waited.time += since.elapsed());
        }
        self.now = wait.map(|wait| (wait, Instant::now()));
        before.map(|(wait, _)| wait)
    }
}

impl WebDevice {
    /// Does something, and notes the time that it takes if somebody wants to know.
    pub(crate) fn during<T>(&mut self, wait: Wait, does: impl FnOnce(&mut Self) -> T) -> T {
        if !self.waits.is_kept() {
            return does(self);
        }
        let before = self.waits.turn_to(Some(wait));
        if before.is_none() {
            self.waits.is_reset = wait == Wait::Reset;
        }
        self.waits.add(wait, |waited| waited.times += 1);
        let result = does(self);
        self.waits.turn_to(before);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_counts_for_the_innermost() {
        let kept = SharedWaits::default();
        let mut log = WaitLog::new(Some(Arc::clone(&kept)));
        log.note_idle(Duration::from_secs(1));
        assert_eq!(log.turn_to(Some(Wait::Event)), None);
        assert_eq!(log.turn_to(Some(Wait::Frame)), Some(Wait::Event));
        log.note_idle(Duration::from_secs(2));
        assert_eq!(log.turn_to(Some(Wait::Event)), Some(Wait::Frame));
        assert_eq!(log.turn_to(None), Some(Wait::Event));
        let kept = kept.lock().unwrap();
        let idle: Vec<_> = kept.iter().map(|((_, wait), waited)| (*wait, waited.idle)).collect();
        assert_eq!(idle, [(Wait::Event, Duration::ZERO), (Wait::Frame, Duration::from_secs(2))]);
    }
}
