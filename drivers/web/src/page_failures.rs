//! What becomes of pages that crash, hang, or never stay: something to report, and no end of the
//! run.

use crate::browser::{ALIVE_TIMEOUT, BROWSER_TIMEOUT};
use crate::device::WebDevice;
use crate::failure::Failure;
use crate::protocol_events::ProtocolEvent;
use crate::protocol_types::{CallFrame, Done};
use crate::stack::Frame;
use capuchin_ui::{DeviceError, Event};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many events are performed once more to see where a page hangs. After more it is not said
/// where.
const MOST_REPEATED: usize = 300;
/// How long a page that hangs may take to stop at the debugger. What runs for ever stops at once;
/// who does not is busy with something else, such as dying.
const PAUSE_TIMEOUT: Duration = Duration::from_secs(5);

/// What it takes to find out where a page hangs. It can only be asked if a debugger was there
/// before, and a debugger slows down everything: so there is one from the first hang on, and what
/// led to that is performed once more.
#[derive(Debug, Default)]
pub(crate) struct HangSearch {
    /// Whether pages are opened with a debugger.
    pub(crate) has_debugger: bool,
    /// As long as they are not, what was performed since the last reset.
    pub(crate) performed: Vec<Event>,
}

impl WebDevice {
    /// The tab's process has died, or the last tab has been closed.
    pub(crate) fn tab_is_gone(&mut self) -> Result<(), DeviceError> {
        let is_crashed = self.tabs.current().is_none_or(|tab| tab.crashed);
        if is_crashed {
            let message = self.cause_of_death()?;
            self.crashes.note(message);
            return Ok(());
        }
        // A popup that closed itself: what was behind it is there again.
        self.tabs.pop();
        if self.tabs.is_empty() {
            self.check_browser()?;
            // Whoever is recorded closes the window to end.
            if !self.options.record {
                self.crashes.note("the app closed its own window");
            }
            return Ok(());
        }
        self.view.restart();
        match self.settle(self.options.event_takes) {
            Err(Failure::Device(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether a tab has gone because the browser does: it is then lost, and nothing is said of the
    /// app. A browser that ends closes its tabs first, and for a while answers for itself all the
    /// same; but it opens no tab any more in which something runs.
    pub(crate) fn check_browser(&mut self) -> Result<(), DeviceError> {
        match self.try_another_tab() {
            Ok(()) => Ok(()),
            Err(Failure::Device(error)) => Err(error),
            Err(_) => Err(self.lost("the browser closes its tabs and opens no other")),
        }
    }

    fn try_another_tab(&mut self) -> Result<(), Failure> {
        let (target, session) = self.blank_tab()?;
        for (method, params) in [
            ("Runtime.runIfWaitingForDebugger", Value::Null),
            ("Runtime.evaluate", json!({"expression": "1"})),
        ] {
            let answered = self.link.call::<Done>(&session, method, params, BROWSER_TIMEOUT);
            answered.map_err(|error| self.failure(error))?;
        }
        self.close_target(&target)
    }

    /// Nothing stays long enough to be seen: nothing is shown, until something does.
    pub(crate) fn page_is_fleeting(&mut self) {
        self.view.unsettled = Some("the page loads itself again and again".into());
        let place = self.view.screen.place.clone();
        self.view.clear(self.options.viewport, place);
        self.tabs.is_reusable = false;
    }

    pub(crate) fn page_hangs(&mut self) -> Result<(), DeviceError> {
        // Is it the page or its server?
        if let Some(tab) = self.tabs.current().filter(|tab| tab.navigating.is_some()) {
            let awaited = tab.pending.values().find(|request| request.holds_up);
            let there = awaited.map_or(self.app.origin(), |request| &request.origin);
            self.server.suspect(there);
            self.require_server()?;
        }
        // Is it the page or the browser?
        let method = "Browser.getVersion";
        let answer = self.link.call::<Done>("", method, Value::Null, ALIVE_TIMEOUT);
        match answer.map_err(|error| self.failure(error)) {
            Ok(_) => {}
            Err(Failure::Device(error)) => return Err(error),
            Err(_) => return Err(self.lost("the browser does not answer")),
        }
        let calls = match self.may_hang_again() {
            true => self.hang_again()?,
            false => self.where_it_hangs(),
        };
        if self.tabs.current().is_some_and(|tab| tab.crashed) {
            return self.tab_is_gone();
        }
        let seconds = self.options.hang.as_secs_f64();
        if self.options.crashes.hangs {
            self.crashed(format!("the page hangs: no answer for {seconds} s"), calls);
        } else {
            let reason = format!("the page did not answer for {seconds} s");
            self.view.unsettled = Some(reason.into());
        }
        self.tabs.is_reusable = false;
        Ok(())
    }

    /// Keeps an event for the search for a hang, as long as one may be needed.
    pub(crate) fn remember(&mut self, event: &Event) {
        if self.may_hang_again() && self.hangs.performed.len() <= MOST_REPEATED {
            self.hangs.performed.push(event.clone());
        }
    }

    /// The debugger names scripts by their numbers.
    fn calls_of_debugger(&self, call_frames: &[CallFrame]) -> Vec<Frame> {
        let scripts = self.tabs.current().map(|tab| &tab.scripts);
        let call = |frame: &CallFrame| {
            let mut call = Frame::from(frame);
            let number = frame.location.as_ref().map_or("", |at| at.script_id.as_str());
            if let Some(url) = scripts.and_then(|scripts| scripts.get(number)) {
                call.file.clone_from(url);
            }
            call
        };
        call_frames.iter().map(call).collect()
    }

    /// Whether it takes a second time to see where a page hangs.
    fn may_hang_again(&self) -> bool {
        !self.hangs.has_debugger && self.counts.is_none() && self.options.crashes.hangs
    }

    /// Performs what led to the hang once more, with a debugger.
    fn hang_again(&mut self) -> Result<Vec<Frame>, DeviceError> {
        self.hangs.has_debugger = true;
        let session = self.tabs.session();
        let _ = self.link.tell(&session, "Runtime.terminateExecution", Value::Null);
        self.tabs.is_reusable = false;
        let events = std::mem::take(&mut self.hangs.performed);
        // What was seen before stands.
        let crashes = std::mem::take(&mut self.crashes);
        let (screen, unsettled) = (Arc::clone(&self.view.screen), self.view.unsettled.take());
        let log = std::mem::take(&mut self.log);
        let found = match events.len() <= MOST_REPEATED {
            true => self.repeat_until_hang(&events)?,
            false => Vec::new(),
        };
        self.crashes = crashes;
        (self.view.screen, self.view.unsettled) = (screen, unsettled);
        self.log = log;
        Ok(found)
    }

    fn repeat_until_hang(&mut self, events: &[Event]) -> Result<Vec<Frame>, DeviceError> {
        self.start_over(self.seed)?;
        for event in events {
            if self.crashes.any() {
                break;
            }
            match self.try_event(event) {
                Err(Failure::Hangs) => return Ok(self.where_it_hangs()),
                Err(Failure::Device(error)) => return Err(error),
                Err(Failure::TabGone) => self.tab_is_gone()?,
                _ => {}
            }
        }
        Ok(Vec::new())
    }

    /// Stops what runs for ever, and says where that was.
    fn where_it_hangs(&mut self) -> Vec<Frame> {
        let session = self.tabs.session();
        if !self.hangs.has_debugger && self.counts.is_none() {
            let _ = self.link.tell(&session, "Runtime.terminateExecution", Value::Null);
            return Vec::new();
        }
        let _ = self.link.tell(&session, "Debugger.pause", Value::Null);
        let deadline = Instant::now() + PAUSE_TIMEOUT;
        let mut calls = None;
        let is_there = |device: &WebDevice| device.tabs.current().is_some_and(|tab| !tab.crashed);
        while calls.is_none() && is_there(self) && self.link.pump(deadline).is_ok_and(|more| more) {
            while let Some(event) = self.link.event() {
                if let ProtocolEvent::DebuggerPaused(paused) = &event.event {
                    calls = Some(self.calls_of_debugger(&paused.call_frames));
                } else {
                    let _ = self.on_event(event);
                }
            }
        }
        let _ = self.link.tell(&session, "Runtime.terminateExecution", Value::Null);
        let _ = self.link.tell(&session, "Debugger.resume", Value::Null);
        let _ = self.link.tell(&session, "Debugger.disable", Value::Null);
        calls.unwrap_or_default()
    }
}
