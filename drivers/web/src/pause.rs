//! The only place where the driver lets real time pass without waiting for a message.
//!
//! A page on the virtual clock is never paused for: its time is moved. What is left is what no
//! message tells the end of; [`Pause`] lists all of it. (A timeout is not a pause: it ends what
//! waits for a message that does not come.)

use crate::device::WebDevice;
use crate::failure::Failure;
use crate::waits::Wait;
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
    /// The app's server has gone; until it is asked again.
    ServerGone,
}

impl Pause {
    fn length(self) -> Duration {
        match self {
            Pause::Sleep(time) => time,
            Pause::LongPress => LONG_PRESS,
            Pause::BrowserAnswer => Duration::from_millis(5),
            Pause::ServerGone => Duration::from_millis(250),
            Pause::PageNotReady => Duration::from_millis(40),
        }
    }
}

impl WebDevice {
    /// Lets real time pass, for this reason; events of the browser are handled meanwhile.
    pub(crate) fn pause(&mut self, why: Pause) -> Result<(), Failure> {
        self.during(Wait::Pause, |device| {
            let end = Instant::now() + why.length();
            loop {
                device.handle_events()?;
                if !matches!(why, Pause::ServerGone) {
                    device.check_tab()?;
                }
                if !device.pump(end)? {
                    return Ok(());
                }
            }
        })
    }
}
