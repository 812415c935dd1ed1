//! The page's clock: what it shows, and whether it moves when it is told to.
//!
//! Virtual time runs ahead of ours. An input that is dated by our clock seems to come from before
//! the page was loaded, and a browser that measures how long a page took to answer it stops the tab
//! over that. So inputs are dated by this clock.

use serde_json::{Value, json};
use std::time::{Duration, SystemTime};

/// What a page's clock shows at every reset: the morning of 1 March 2024, a day like any other.
pub(crate) const EPOCH: f64 = 1_709_283_600_000.0;

/// The page's clock as the browser sees it from outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageClock {
    /// When it began, and how far it has gone since.
    began: SystemTime,
    passed: Duration,
    /// How far it has gone since the last reset, in however many tabs.
    since_reset: Duration,
    /// By how many milliseconds it is ahead of the time that the page is shown.
    pub(crate) offset: f64,
    /// How much of the time that the event takes has passed in advance.
    pub(crate) advanced: Duration,
    /// How many budgets of time were granted that are not used up. The browser tells the end of
    /// each, whatever it was told since: one that is left behind would end the next too soon.
    pub(crate) open_grants: u32,
    /// The virtual clock did not advance although no request is pending.
    pub(crate) is_held: bool,
    /// It did not advance even when told not to wait for requests.
    pub(crate) is_frozen: bool,
}

impl PageClock {
    /// It begins now.
    pub(crate) fn new() -> Self {
        PageClock {
            began: now(),
            passed: Duration::ZERO,
            since_reset: Duration::ZERO,
            offset: 0.0,
            advanced: Duration::ZERO,
            open_grants: 0,
            is_held: false,
            is_frozen: false,
        }
    }

    /// It begins anew, in a new tab.
    pub(crate) fn restart(&mut self) {
        (self.began, self.passed) = (now(), Duration::ZERO);
        self.open_grants = 0;
    }

    /// A new document is there: what held the clock may have gone with the one before.
    pub(crate) fn release(&mut self) {
        (self.is_held, self.is_frozen) = (false, false);
    }

    /// It moves on.
    pub(crate) fn pass(&mut self, time: Duration) {
        self.passed += time;
        self.since_reset += time;
    }

    /// The app's time is counted from now on.
    pub(crate) fn begin_run(&mut self) {
        self.since_reset = Duration::ZERO;
    }

    /// The app's time in this run.
    pub(crate) fn since_reset(&self) -> Duration {
        self.since_reset
    }

    /// What it shows, in seconds, as the protocol has it.
    pub(crate) fn seconds(&self) -> f64 {
        let began = self.began.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        (began + self.passed).as_secs_f64()
    }
}

/// The moments to which inputs are dated where somebody else is recorded: one every so many
/// milliseconds, and so long after a whole one. A browser blurs them by 0.2 ms. One in thirty
/// inputs of others has such a date by chance; it would pass if it also came in the few
/// milliseconds in which the device acts, and with the key that the device presses next.
const STAMP_EVERY: f64 = 16.0;
const STAMP_AFTER: f64 = 0.5;
const STAMP_NEAR: f64 = 0.3;

/// The last of these moments, in seconds.
pub(crate) fn stamp() -> f64 {
    let millis =
        now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64() * 1000.0;
    (((millis / STAMP_EVERY).floor() - 1.0) * STAMP_EVERY + STAMP_AFTER) / 1000.0
}

/// The same for the recorder in the page.
pub(crate) fn stamps() -> Value {
    json!({"every": STAMP_EVERY, "after": STAMP_AFTER, "near": STAMP_NEAR})
}

#[expect(clippy::disallowed_methods, reason = "the browser counts from it; no page sees it")]
fn now() -> SystemTime {
    SystemTime::now()
}
