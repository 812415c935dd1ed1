//! Calls to the tab that is shown, to the collector in it, and to the browser. While a reply is
//! waited for, the events that come are handled; a dialog, or the end of the tab, ends the waiting.

use crate::browser::BROWSER_TIMEOUT;
use crate::connection::ProtocolError;
use crate::device::WebDevice;
use crate::failure::Failure;
use crate::link::{Reply, Ticket};
use crate::protocol_types::{Done, Evaluated};
use crate::tab::Tab;
use capuchin_ui::DeviceError;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Display;
use std::time::{Duration, Instant};

/// The collector's world in every document, and what it is called there.
pub(crate) const WORLD: &str = "capuchin";
pub(crate) const COLLECTOR: &str = "__capuchin";

/// How many documents are asked one after the other, if each goes before it has answered.
const MOST_DOCUMENTS: u32 = 10;

impl WebDevice {
    pub(crate) fn lost(&self, reason: impl Into<String>) -> DeviceError {
        DeviceError::Lost { device: self.info.name.clone(), reason: reason.into() }
    }

    pub(crate) fn stopped(&self) -> DeviceError {
        DeviceError::Stopped { device: self.info.name.clone() }
    }

    pub(crate) fn failure(&self, error: ProtocolError) -> Failure {
        match error {
            ProtocolError::Gone(reason) => Failure::Device(self.lost(reason)),
            ProtocolError::Stopped => Failure::Device(self.stopped()),
            ProtocolError::Refused { .. } | ProtocolError::Unreadable { .. } => {
                Failure::Refused(error.to_string())
            }
            ProtocolError::NoReply { .. } => Failure::Hangs,
        }
    }

    /// Sends a call to the tab that is shown, and does not wait.
    pub(crate) fn send(&mut self, method: &'static str, params: Value) -> Result<Ticket, Failure> {
        let session = self.tabs.session();
        self.send_to(&session, method, params)
    }

    /// Sends a call to a session, and does not wait. An empty session is the browser itself.
    pub(crate) fn send_to(
        &mut self,
        session: &str,
        method: &'static str,
        params: Value,
    ) -> Result<Ticket, Failure> {
        self.link.send(session, method, params).map_err(|error| self.failure(error))
    }

    /// Sends a call to the tab that is shown; nobody needs the reply.
    pub(crate) fn tell(&mut self, method: &'static str, params: Value) -> Result<(), Failure> {
        let session = self.tabs.session();
        self.tell_to(&session, method, params)
    }

    /// Sends a call to a session; nobody needs the reply. An empty session is the browser itself.
    pub(crate) fn tell_to(
        &mut self,
        session: &str,
        method: &'static str,
        params: Value,
    ) -> Result<(), Failure> {
        let ticket = self.send_to(session, method, params)?;
        self.link.forget(ticket);
        Ok(())
    }

    /// Sends a call to the tab that is shown and waits until it is done.
    pub(crate) fn call(&mut self, method: &'static str, params: Value) -> Result<(), Failure> {
        self.ask::<Done>(method, params).map(|_| ())
    }

    /// Sends a call to the tab that is shown and waits for the reply.
    pub(crate) fn ask<T: DeserializeOwned>(
        &mut self,
        method: &'static str,
        params: Value,
    ) -> Result<T, Failure> {
        let ticket = self.send(method, params)?;
        self.reply(ticket)
    }

    /// Sends a call to the browser itself and waits for the reply.
    pub(crate) fn ask_browser<T: DeserializeOwned>(
        &mut self,
        method: &'static str,
        params: Value,
    ) -> Result<T, Failure> {
        let reply = self.link.call("", method, params, BROWSER_TIMEOUT);
        self.handle_events()?;
        reply.map_err(|error| self.failure(error))
    }

    /// Waits until a call is done.
    pub(crate) fn done(&mut self, ticket: Ticket) -> Result<(), Failure> {
        self.reply::<Done>(ticket).map(|_| ())
    }

    /// Waits for a reply.
    pub(crate) fn reply<T: DeserializeOwned>(&mut self, ticket: Ticket) -> Result<T, Failure> {
        let waited = self.wait(self.options.hang, |device| device.link.is_answered(ticket));
        match (self.take_reply(ticket), waited) {
            (_, Err(failure)) => Err(failure),
            (Some(reply), Ok(_)) => self.read(reply),
            (None, Ok(_)) => Err(Failure::Hangs),
        }
    }

    /// The reply to a call, if it is there; otherwise it is not waited for any more.
    pub(crate) fn take_reply(&mut self, ticket: Ticket) -> Option<Result<Reply, ProtocolError>> {
        let reply = self.link.take(ticket);
        if reply.is_none() {
            self.link.forget(ticket);
        }
        reply
    }

    /// Parses a reply.
    pub(crate) fn read<T: DeserializeOwned>(
        &self,
        reply: Result<Reply, ProtocolError>,
    ) -> Result<T, Failure> {
        reply.and_then(|reply| reply.read()).map_err(|error| self.failure(error))
    }

    /// Waits until something is so, as far as the browser's messages tell; `false` after the
    /// timeout. The time in which we look at a large page does not count.
    pub(crate) fn wait(
        &mut self,
        timeout: Duration,
        done: impl Fn(&WebDevice) -> bool,
    ) -> Result<bool, Failure> {
        let (mut deadline, mut looked) = (Instant::now() + timeout, self.looked());
        loop {
            self.handle_events()?;
            if done(self) {
                return Ok(true);
            }
            self.check_tab()?;
            self.put_off(&mut deadline, &mut looked);
            if !self.pump(deadline)? {
                self.put_off(&mut deadline, &mut looked);
                if Instant::now() >= deadline {
                    return Ok(false);
                }
            }
        }
    }

    /// Waits for one more message, until `deadline`; `false` if there was none.
    pub(crate) fn pump(&mut self, deadline: Instant) -> Result<bool, Failure> {
        let began = self.waits.is_kept().then(Instant::now);
        let came = self.link.pump(deadline).map_err(|error| self.failure(error))?;
        if let (false, Some(began)) = (came, began) {
            self.waits.note_idle(began.elapsed());
        }
        Ok(came)
    }

    /// Whether the tab that is shown can answer.
    pub(crate) fn check_tab(&self) -> Result<(), Failure> {
        match self.tabs.current() {
            Some(tab) if tab.dialog.is_some() => Err(Failure::Dialog),
            Some(tab) if tab.crashed || tab.closed => Err(Failure::TabGone),
            _ => Ok(()),
        }
    }

    /// Whether the page answers at all.
    pub(crate) fn ping(&mut self) -> Result<(), Failure> {
        self.call("Runtime.evaluate", json!({"expression": "1"}))
    }

    /// Calls a function of the collector: `collect(true)`.
    pub(crate) fn ask_collector<T: DeserializeOwned + Default>(
        &mut self,
        call: impl Display,
    ) -> Result<T, Failure> {
        self.evaluate(&format!("{COLLECTOR}.{call}"))
    }

    /// Evaluates in the collector's world. A value of another kind is the default.
    pub(crate) fn evaluate<T: DeserializeOwned + Default>(
        &mut self,
        expression: &str,
    ) -> Result<T, Failure> {
        let mut tries = 0;
        let first = self.tabs.documents();
        let evaluated = loop {
            tries += 1;
            match self.evaluate_once(expression) {
                // The document went while we asked: ask the next one, unless there is no end to
                // them.
                Err(Failure::Refused(_)) if tries < MOST_DOCUMENTS => {}
                Err(Failure::Refused(_)) if self.tabs.documents() > first + 1 => {
                    return Err(Failure::Fleeting);
                }
                result => break result?,
            }
        };
        evaluated.value().map_err(Failure::Refused)
    }

    fn evaluate_once(&mut self, expression: &str) -> Result<Evaluated, Failure> {
        let world = self.world()?;
        let session = self.tabs.session();
        let asked = self.send("Runtime.evaluate", in_world(&world, expression))?;
        // A document that went may have taken the question with it.
        let is_gone = |tab: &Tab| {
            tab.session == session && tab.world.as_ref().is_some_and(|now| *now != world)
        };
        let waited = self.wait(self.options.hang, |device| {
            device.link.is_answered(asked) || device.tabs.iter().any(is_gone)
        });
        let reply = self.take_reply(asked);
        waited?;
        let reply = match reply {
            Some(reply) => self.read(reply),
            None if self.tabs.iter().any(is_gone) => Err(Failure::Refused("it went".to_owned())),
            None => Err(Failure::Hangs),
        };
        if let Err(Failure::Refused(_)) = reply
            && let Some(tab) = self.tabs.iter_mut().find(|tab| tab.world.as_ref() == Some(&world))
        {
            tab.world = None;
        }
        reply
    }

    /// The collector's world in the document that is shown; waits for it.
    pub(crate) fn world(&mut self) -> Result<String, Failure> {
        let is_there = self.wait(self.options.hang, |device| device.tabs.world().is_some())?;
        self.tabs.world().filter(|_| is_there).cloned().ok_or(Failure::Hangs)
    }
}

/// The parameters of an evaluation in this world.
pub(crate) fn in_world(world: &str, expression: &str) -> Value {
    json!({
        "expression": expression, "uniqueContextId": world,
        "returnByValue": true, "awaitPromise": true,
    })
}
