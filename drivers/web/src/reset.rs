//! Back to the initial state, in the cheapest way that is really clean.
//!
//! The tab stays, with its process and its caches of compiled code: a document that is loaded again
//! in it costs a tenth of a new context. What the app has kept is removed while the old document is
//! still there and cannot act any more: its clock stands, and it is not told that it is left.

use crate::clock::EPOCH;
use crate::device::WebDevice;
use crate::failure::Failure;
use crate::server_reset::reset_server;
use crate::tab_setup::EMPTY_PAGE;
use crate::urls::origin;
use crate::waits::Wait;
use capuchin_ui::{Device, DeviceError};
use serde_json::{Value, json};
use std::time::Duration;

/// How many dialogs of the page that is left are closed, one after the other.
const MOST_DIALOGS: u32 = 20;

impl WebDevice {
    /// Opens the app for the first time. What is wrong now is not lost: it was never there.
    pub(crate) fn start_first(&mut self) -> Result<(), DeviceError> {
        let device = self.info.name.clone();
        match self.reset(0) {
            // What is known not to come is not waited for again, and so would not be told.
            Ok(seen) => self.settling.untold = seen.unsettled,
            Err(DeviceError::Lost { reason, .. }) => {
                return Err(DeviceError::Start { device, reason });
            }
            Err(error) => return Err(error),
        }
        // A page that asks for a password is an app as well; one that is not there is none.
        match self.tabs.current().map_or(0, |tab| tab.status) {
            status @ (404 | 410 | 500..=599) => {
                let reason = format!(
                    "{} answers with {status}; is the address right, and is the app well?",
                    self.app.as_str()
                );
                Err(DeviceError::Start { device, reason })
            }
            _ => Ok(()),
        }
    }

    /// Brings the app to its initial state.
    pub(crate) fn start_over(&mut self, seed: u64) -> Result<(), DeviceError> {
        let stop = self.link.stop().clone();
        reset_server(&self.options, &stop).map_err(|reason| match stop.is_set() {
            true => self.stopped(),
            false => self.lost(reason),
        })?;
        self.seed = seed;
        self.stderr.skip(&self.browser);
        self.settling.begin_event(&self.view.head.url);
        self.hangs.performed.clear();
        self.crashes.clear();
        self.recording.start_over();
        self.lacks.start_over();
        self.view.unsettled = None;
        self.clock.advanced = Duration::ZERO;
        let mut result = self.reload();
        if let Err(
            Failure::Hangs
            | Failure::TabGone
            | Failure::Refused(_)
            | Failure::Dialog
            | Failure::Fleeting,
        ) = result
        {
            // The tab is beyond repair.
            self.close_tabs();
            result = self.reload();
        }
        self.tabs.is_reusable &= result.is_ok();
        let crash = match result {
            // A dialog at the start is part of the app.
            Ok(()) | Err(Failure::Dialog) => return Ok(()),
            Err(Failure::Device(error)) => return Err(error),
            Err(Failure::Refused(reason)) => {
                return Err(DeviceError::Start { device: self.info.name.clone(), reason });
            }
            Err(Failure::Fleeting) => "the page loads itself again and again",
            Err(Failure::TabGone) => {
                &format!("{} while the app was loaded", self.cause_of_death()?)
            }
            Err(Failure::Hangs) => "the page hangs while it is loaded",
        };
        self.check_browser()?;
        self.crashes.replace(crash);
        Ok(())
    }

    fn reload(&mut self) -> Result<(), Failure> {
        self.handle_events()?;
        let is_usable = self.tabs.first().is_some_and(|tab| !tab.crashed && !tab.closed);
        let is_new_tab = !is_usable || !self.tabs.is_reusable;
        if is_new_tab {
            self.close_tabs();
            self.open_tab()?;
        }
        self.close_popups_and_dialogs()?;
        if !is_new_tab {
            self.finish_counts()?;
            self.stop_the_app()?;
        }
        // To another place of the same document nothing would be loaded; and where an app runs, it
        // might notice.
        let next = if is_new_tab && !self.app.has_fragment() { self.app.as_str() } else { "" };
        let now: f64 = self.ask_collector(format_args!("leave({})", json!(next)))?;
        self.clock.offset = now - EPOCH;
        if self.tabs.current().is_some_and(|tab| !tab.pending.is_empty()) {
            // A browser has six connections to a server: requests that stay open may have them all,
            // and the app would not be sent.
            self.tell("Page.stopLoading", Value::Null)?;
        }
        self.clear_storage(is_new_tab)?;
        self.restore_environment()?;
        self.inject_seed()?;
        self.view.restart();
        self.settling.forget_document();
        self.clock.release();
        self.log.clear();
        if let Some(tab) = self.tabs.current_mut() {
            tab.forget_document();
        }
        self.recording.start_over();
        // A dialog may open before there is anything else to be seen.
        self.view.clear(self.options.viewport, self.app.as_str().into());
        self.during(Wait::Navigation, WebDevice::open_app)?;
        self.crashes.clear();
        self.settling.is_starting = true;
        let settled = self.settle(self.options.event_takes);
        self.settling.is_starting = false;
        settled?;
        self.tell("Page.resetNavigationHistory", Value::Null)
    }

    /// Leaves the tab that the app was opened in, with nothing in front of it.
    fn close_popups_and_dialogs(&mut self) -> Result<(), Failure> {
        if self.tabs.len() > 1 {
            self.take_counts()?;
        }
        while self.tabs.len() > 1 {
            self.close_last_tab()?;
        }
        let mut closed = 0;
        while self.tabs.current().is_some_and(|tab| tab.dialog.is_some()) {
            self.close_dialog(true)?;
            self.handle_events()?;
            closed += 1;
            if closed > MOST_DIALOGS {
                return Err(Failure::Hangs);
            }
        }
        Ok(())
    }

    /// Goes to an empty page where the app would still act while it is cleaned up after, or where
    /// it keeps things that cannot be reached from here: its clock is ours, or the page that is
    /// shown is of another origin.
    fn stop_the_app(&mut self) -> Result<(), Failure> {
        let own = self.app.origin();
        let is_own = origin(&self.view.head.url) == own;
        if own.is_empty() || (self.is_virtual() && is_own && !self.app.has_fragment()) {
            return Ok(());
        }
        let url = format!("{own}{EMPTY_PAGE}");
        let _: f64 = self.ask_collector("leave()")?;
        self.call("Page.navigate", json!({"url": url}))
    }
}
