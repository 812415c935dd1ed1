//! The only place where the driver lets real time pass without waiting for a message.
//!
//! A page on the virtual clock is never paused for: its time is moved. What is left is what no
//! message tells the end of; [`Pause`] lists all of it. (A timeout is not a pause: it ends what
//! waits for a message that does not come.)

use crate::device::WebDevice;
use crate::failure::Failure;
use std::time::{Duration, Instant};

/// How long a press is that the browser takes for a long one.
pub(crate) const LONG_PRESS: Duration = Duration::from_millis(600);

/// Why real time passes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pause {
    /// The trace sleeps, and the page is on the machine's clock.
    Sleep(Duration),
    /// The mouse or the finger stays down: by its own clock, the browser decides what a long press
    /// is.
    LongPress,
    /// The browser answers the page (a database, a file, a permission) when it has time; until the
    /// next question whether it has.
    BrowserAnswer,
    /// The page is on the machine's clock and still loads or waits for a request; until the next
    /// look at it.
    PageNotReady,
    /// A worker talks to the page; until nothing has come from the browser for so long.
    SilenceOfWorkers,
}

impl Pause {
    fn length(self) -> Duration {
        match self {
            Pause::Sleep(time) => time,
            Pause::LongPress => LONG_PRESS,
            Pause::BrowserAnswer => Duration::from_millis(5),
            Pause::PageNotReady | Pause::SilenceOfWorkers => Duration::from_millis(40),
        }
    }

    /// How long it lasts at most, if each message that comes begins it anew.
    fn longest(self) -> Option<Duration> {
        matches!(self, Pause::SilenceOfWorkers).then_some(Duration::from_millis(500))
    }
}

impl WebDevice {
    /// Lets real time pass, for this reason; events of the browser are handled meanwhile. Whether
    /// any message came.
    pub(crate) fn pause(&mut self, why: Pause) -> Result<bool, Failure> {
        let began = Instant::now();
        let mut end = began + why.length();
        let mut is_heard = false;
        loop {
            self.handle_events()?;
            self.check_tab()?;
            if !self.pump(end)? {
                return Ok(is_heard);
            }
            is_heard = true;
            if let Some(longest) = why.longest() {
                end = (Instant::now() + why.length()).min(began + longest);
            }
        }
    }
}
