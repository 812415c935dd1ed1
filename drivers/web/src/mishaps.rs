//! What becomes of pages that die, hang, or never stay: something to report, and no end of the run.

use crate::device::{Trouble, WebDevice};
use crate::stack::{self, Frame};
use capuchin_ui::{Crash, DeviceError, Screen};
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many events are done once more to see where a page hangs. After more it is not said where.
pub(crate) const MOST_REPEATED: usize = 300;

impl WebDevice {
    /// The tab's process has died, or the last tab has been closed.
    pub(crate) fn tab_is_gone(&mut self) -> Result<(), DeviceError> {
        let died = self.tabs.last().is_none_or(|tab| tab.crashed);
        if died {
            self.crash.get_or_insert_with(|| Arc::new(Crash::new("the tab crashed")));
            return Ok(());
        }
        // A popup that closed itself: what was behind it is there again.
        self.tabs.pop();
        if self.tabs.is_empty() {
            return match self.browser.is_alive() {
                true => {
                    let message = "the app closed its own window";
                    self.crash.get_or_insert_with(|| Arc::new(Crash::new(message)));
                    Ok(())
                }
                false => Err(self.lost("the browser has gone")),
            };
        }
        self.show_current();
        match self.settle(self.options.event_takes) {
            Err(Trouble::Device(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// Nothing stays long enough to be seen: nothing is shown, until something does.
    pub(crate) fn page_is_fleeting(&mut self) {
        self.unsettled = Some("the page loads itself again and again".into());
        let place = self.screen.place.clone();
        self.screen =
            Arc::new(Screen { viewport: self.options.viewport, place, elements: Vec::new() });
        self.whole = true;
        self.is_fresh = false;
    }

    pub(crate) fn page_hangs(&mut self) -> Result<(), DeviceError> {
        // Is it the page or the browser?
        if !self.browser.is_alive() {
            return Err(self.lost("the browser does not answer"));
        }
        let calls = match self.may_hang_again() {
            true => self.hang_again()?,
            false => self.where_it_hangs(),
        };
        if self.tabs.last().is_some_and(|tab| tab.crashed) {
            return self.tab_is_gone();
        }
        let seconds = self.options.hang.as_secs_f64();
        if self.options.crashes.hangs {
            self.crashed(format!("the page hangs: no answer for {seconds} s"), calls);
        } else {
            let busy = format!("the page did not answer for {seconds} s");
            self.unsettled = Some(busy.into());
        }
        self.is_fresh = false;
        Ok(())
    }

    /// The debugger names scripts by their numbers.
    fn calls_of_debugger(&self, call_frames: &Value) -> Vec<Frame> {
        let mut calls = stack::calls(call_frames);
        let scripts = self.tabs.last().map(|tab| &tab.scripts);
        for (call, frame) in calls.iter_mut().zip(call_frames.as_array().into_iter().flatten()) {
            let number = frame["location"]["scriptId"].as_str().unwrap_or_default();
            if let Some(url) = scripts.and_then(|scripts| scripts.get(number)) {
                call.file.clone_from(url);
            }
        }
        calls
    }

    /// Whether it takes a second time to see where a page hangs: it can only be asked if a debugger was there before.
    pub(crate) fn may_hang_again(&self) -> bool {
        !self.has_debugger && self.counts.is_none() && self.options.crashes.hangs
    }

    /// A debugger slows down all that we do, so it is there from the first hang on, and what led to that is done once
    /// more.
    fn hang_again(&mut self) -> Result<Vec<Frame>, DeviceError> {
        self.has_debugger = true;
        let session = self.session();
        let _ = self.link.tell(&session, "Runtime.terminateExecution", Value::Null);
        self.is_fresh = false;
        let events = std::mem::take(&mut self.performed);
        // What was seen before stands.
        let (crash, calls) = (self.crash.take(), std::mem::take(&mut self.calls));
        let (screen, unsettled) = (Arc::clone(&self.screen), self.unsettled.take());
        let journal = std::mem::take(&mut self.journal);
        let mut found = Vec::new();
        if events.len() <= MOST_REPEATED {
            self.start_over(self.seed)?;
            for event in &events {
                if self.crash.is_some() {
                    break;
                }
                match self.try_event(event) {
                    Err(Trouble::Hangs) => {
                        found = self.where_it_hangs();
                        break;
                    }
                    Err(Trouble::Device(error)) => return Err(error),
                    Err(Trouble::TabGone) => self.tab_is_gone()?,
                    _ => {}
                }
            }
        }
        (self.crash, self.calls) = (crash, calls);
        (self.screen, self.unsettled) = (screen, unsettled);
        self.journal = journal;
        Ok(found)
    }

    /// Stops what runs for ever, and says where that was.
    fn where_it_hangs(&mut self) -> Vec<Frame> {
        let session = self.session();
        if !self.has_debugger && self.counts.is_none() {
            let _ = self.link.tell(&session, "Runtime.terminateExecution", Value::Null);
            return Vec::new();
        }
        // What runs for ever stops at once. Who does not is busy with something else, such as dying.
        let limit = Duration::from_secs(5);
        let _ = self.link.tell(&session, "Debugger.pause", Value::Null);
        let deadline = Instant::now() + limit;
        let mut calls = None;
        let is_there = |device: &WebDevice| device.tabs.last().is_some_and(|tab| !tab.crashed);
        while calls.is_none() && is_there(self) && self.link.pump(deadline).is_ok_and(|more| more) {
            while let Some(notice) = self.link.notice() {
                if notice.method == "Debugger.paused" {
                    calls = Some(self.calls_of_debugger(&notice.params["callFrames"]));
                } else {
                    let _ = self.on_notice(&notice);
                }
            }
        }
        let _ = self.link.tell(&session, "Runtime.terminateExecution", Value::Null);
        let _ = self.link.tell(&session, "Debugger.resume", Value::Null);
        let _ = self.link.tell(&session, "Debugger.disable", Value::Null);
        calls.unwrap_or_default()
    }
}
