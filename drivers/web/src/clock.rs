//! The page's clock as the browser sees it from outside: what inputs are dated by.
//!
//! Virtual time runs ahead of ours. An input that is dated by our clock seems to come from before the page
//! was loaded, and a browser that measures how long a page took to answer it stops the tab over that.

use std::time::{Duration, SystemTime};

/// When the page's clock began, and how far it has gone since.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageClock {
    began: SystemTime,
    passed: Duration,
}

impl PageClock {
    /// It begins now.
    #[expect(clippy::disallowed_methods, reason = "the browser counts from it; no page sees it")]
    pub(crate) fn begin() -> Self {
        PageClock { began: SystemTime::now(), passed: Duration::ZERO }
    }

    /// It goes on.
    pub(crate) fn pass(&mut self, time: Duration) {
        self.passed += time;
    }

    /// What it shows, in seconds, as the protocol has it.
    pub(crate) fn seconds(&self) -> f64 {
        let began = self.began.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        (began + self.passed).as_secs_f64()
    }
}
