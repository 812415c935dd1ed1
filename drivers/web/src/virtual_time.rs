//! Moving the page's virtual clock, and what to do when it does not move.
//!
//! Within the time that it is given, timers fire, and the clock stands still while requests are
//! under way. One that stands longer than the patience for it is moved whether requests are under
//! way or not, and so is the clock of a page that keeps a line open (see `lines.rs`).

use crate::device::WebDevice;
use crate::failure::Failure;
use crate::tab_setup::EMPTY_PAGE;
use crate::tabs::Tabs;
use crate::waits::Wait;
use serde_json::json;
use std::time::Duration;

/// How much of the page's time passes between two questions whether something has come: too little
/// to be seen, and not lost in the arithmetic on the way.
pub(crate) const TICK: Duration = Duration::from_micros(2);
/// How long a clock is waited for that is known not to move.
const FROZEN_TIMEOUT: Duration = Duration::from_millis(100);
/// How long a clock may stand before it is asked whether a line that was opened holds it.
const LINE_TIMEOUT: Duration = Duration::from_millis(40);
/// How far the clock of a new tab is moved: so far that it never falls behind the real one.
const AHEAD_OF_REAL_TIME: Duration = Duration::from_secs(24 * 60 * 60);

impl WebDevice {
    /// Lets virtual time pass.
    pub(crate) fn pass(&mut self, time: Duration) -> Result<(), Failure> {
        if time.is_zero() {
            return Ok(());
        }
        if self.clock.is_held || self.keeps_request_open() {
            return self.pass_beside_lines(Some(time));
        }
        let patience = self.options.patience;
        let windows = self.grant("pauseIfNetworkFetchesPending", time)?;
        let mut is_over = self.wait_for_clock(windows, LINE_TIMEOUT.min(patience))?;
        if !is_over {
            self.wait(patience, |device| {
                is_up(&device.tabs, windows) || device.keeps_request_open()
            })?;
            is_over = is_up(&self.tabs, windows);
        }
        if !is_over && self.keeps_request_open() {
            return self.pass_beside_lines(None);
        }
        if !is_over && self.settling.is_starting && self.tabs.is_held_up() {
            // An app that waits for its own scripts is nothing without them.
            self.wait(self.settling.start_patience, |device| {
                is_up(&device.tabs, windows) || !device.tabs.is_held_up()
            })?;
            if self.tabs.is_held_up() {
                self.settling.start_patience = Duration::ZERO;
            }
            is_over = self.wait_for_clock(windows, patience)?;
        }
        if is_over {
            self.clock.is_held = false;
            return Ok(());
        }
        self.pass_without_requests(None)
    }

    /// The clock stands: either the page does not answer, or a request does not end. In the second
    /// case it is moved all the same.
    fn pass_without_requests(&mut self, time: Option<Duration>) -> Result<(), Failure> {
        let is_there = match self.ping() {
            Ok(()) => true,
            // Who goes to another page is there, and holds nothing.
            Err(Failure::Refused(_)) => false,
            Err(failure) => return Err(failure),
        };
        if self.tabs.awaited().is_empty() {
            self.clock.is_held |= is_there;
            self.view.note_unsettled("the page's clock does not move on".to_owned());
        } else {
            self.give_up_requests(true);
        }
        self.move_on(time)
    }

    /// Lets virtual time pass on a page that keeps a line open, which would hold the clock: the
    /// requests that it waits for are waited for here. No time: what was granted passes.
    fn pass_beside_lines(&mut self, time: Option<Duration>) -> Result<(), Failure> {
        let awaits =
            |device: &mut WebDevice| device.during(Wait::Requests, WebDevice::await_requests);
        if self.clock.is_frozen || awaits(self)? {
            return self.move_on(time);
        }
        self.pass_without_requests(time)
    }

    /// Lets so much time pass, whatever requests are under way, or what was granted.
    fn move_on(&mut self, time: Option<Duration>) -> Result<(), Failure> {
        let patience = self.options.patience;
        let timeout = if self.clock.is_frozen { FROZEN_TIMEOUT.min(patience) } else { patience };
        let moves = match time {
            Some(time) => self.advance(time, timeout)?,
            None => self.use_up_grants(timeout)?,
        };
        self.clock.is_frozen = !moves;
        Ok(())
    }

    /// Lets all time pass that was granted; `false` if it does not.
    fn use_up_grants(&mut self, timeout: Duration) -> Result<bool, Failure> {
        let windows = self.tabs.opened_by_app;
        while self.clock.open_grants > 0 && self.tabs.opened_by_app == windows {
            for tab in self.tabs.iter_mut() {
                tab.time_is_up = false;
            }
            self.tell("Emulation.setVirtualTimePolicy", json!({"policy": "advance"}))?;
            if !self.wait_for_clock(windows, timeout)? {
                self.clock.open_grants = 0;
                self.tell("Emulation.setVirtualTimePolicy", json!({"policy": "pause"}))?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Lets the page's clock move on, whatever requests are under way, and waits until it has;
    /// `false` if it does not.
    pub(crate) fn advance(&mut self, time: Duration, timeout: Duration) -> Result<bool, Failure> {
        let windows = self.grant("advance", time)?;
        self.wait_for_clock(windows, timeout)
    }

    /// Lets the page's clock move on, and says how many windows the app has opened before.
    fn grant(&mut self, policy: &str, time: Duration) -> Result<u64, Failure> {
        self.cancel_planned()?;
        // The event is not over yet, so they are not all.
        self.receive_counts()?;
        for tab in self.tabs.iter_mut() {
            tab.time_is_up = false;
        }
        let params = json!({
            "policy": policy, "budget": time.as_secs_f64() * 1000.0,
            // A page that never rests must not stop the clock.
            "maxVirtualTimeTaskStarvationCount": 10_000,
        });
        self.tell("Emulation.setVirtualTimePolicy", params)?;
        self.clock.pass(time);
        self.clock.open_grants += 1;
        Ok(self.tabs.opened_by_app)
    }

    fn wait_for_clock(&mut self, windows: u64, timeout: Duration) -> Result<bool, Failure> {
        self.wait(timeout, |device| is_up(&device.tabs, windows))
    }

    /// Brings the virtual clock ahead of the real one, and so far that it stays there. A page's
    /// process compares the two to decide when a frame is due: if its own clock is behind, a frame
    /// comes seconds late, and with it everything that waits for one. A day passes on an empty page
    /// of the app's origin, because the clock belongs to the process, and each origin has its own.
    pub(crate) fn run_clock_ahead(&mut self) -> Result<(), Failure> {
        let origin = self.app.origin();
        if !self.is_virtual() || origin.is_empty() {
            return Ok(());
        }
        let url = format!("{origin}{EMPTY_PAGE}");
        self.call("Page.navigate", json!({"url": url}))?;
        self.advance(AHEAD_OF_REAL_TIME, self.options.patience)?;
        Ok(())
    }
}

/// Whether the time that was granted is over. If the app opens a window meanwhile, its clock begins
/// anew, and with it that of the page that opened it. Pages that opened one another share a clock,
/// and any of them may be told that its time is up.
fn is_up(tabs: &Tabs, windows: u64) -> bool {
    tabs.opened_by_app > windows || tabs.iter().any(|tab| tab.time_is_up)
}
