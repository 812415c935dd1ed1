//! A device's own end of the connection: the calls that it sent, the replies to them, and the
//! events that nobody has looked at. On its own because the connection is shared, and this is not.

use crate::connection::{Connection, Incoming, ProtocolError};
use crate::protocol_events::SessionEvent;
use capuchin_ui::Stop;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// A device's own end of the connection.
pub(crate) struct Link {
    connection: Arc<Connection>,
    sender: Sender<Incoming>,
    receiver: Receiver<Incoming>,
    replies: BTreeMap<u64, Result<Box<RawValue>, String>>,
    /// Replies that nobody will ask for.
    ignored: Vec<u64>,
    events: VecDeque<SessionEvent>,
    gone: Option<String>,
    /// Ends every wait.
    stop: Stop,
    /// Until when it is not looked at.
    stop_ignored_until: Option<Instant>,
    /// Whether a wait was ended by it since somebody last asked.
    is_cut_short: bool,
}

/// How often a wait looks whether it is to end.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A call that was sent.
#[derive(Clone, Copy, Debug)]
#[must_use = "a call that nobody waits for is `forget`"]
pub(crate) struct Ticket {
    id: u64,
    method: &'static str,
}

/// What the browser answered to a call.
#[derive(Debug)]
pub(crate) struct Reply {
    method: &'static str,
    text: Box<RawValue>,
}

impl Reply {
    /// Parses it.
    pub(crate) fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, ProtocolError> {
        serde_json::from_str(self.text.get()).map_err(|error| ProtocolError::Unreadable {
            method: self.method,
            message: error.to_string(),
        })
    }
}

impl Link {
    pub(crate) fn new(connection: &Arc<Connection>) -> Self {
        let (sender, receiver) = channel();
        Link {
            connection: Arc::clone(connection),
            sender,
            receiver,
            replies: BTreeMap::new(),
            ignored: Vec::new(),
            events: VecDeque::new(),
            gone: None,
            stop: Stop::default(),
            stop_ignored_until: None,
            is_cut_short: false,
        }
    }

    /// From now on, all waits end when this is set.
    pub(crate) fn stop_when(&mut self, stop: &Stop) {
        self.stop = stop.clone();
        self.is_cut_short = false;
    }

    /// What ends all waits.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Whether a wait was ended by the stop since this was last asked.
    pub(crate) fn take_cut_short(&mut self) -> bool {
        std::mem::take(&mut self.is_cut_short)
    }

    /// Lets a few last questions be answered although the stop may be set: for so long in all.
    pub(crate) fn ignore_stop_for(&mut self, grace: Duration) {
        self.stop_ignored_until = Some(Instant::now() + grace);
    }

    /// From now on, events of this browser context come here.
    pub(crate) fn own_context(&self, context: &str) {
        self.connection.route_context(context, self.sender.clone());
    }

    /// Sends a call and does not wait. An empty session is the browser itself.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "every caller makes the parameters on the spot"
    )]
    pub(crate) fn send(
        &mut self,
        session: &str,
        method: &'static str,
        params: Value,
    ) -> Result<Ticket, ProtocolError> {
        let id = self.connection.send(session, method, &params, self.sender.clone())?;
        Ok(Ticket { id, method })
    }

    /// Sends a call whose reply nobody needs.
    pub(crate) fn tell(
        &mut self,
        session: &str,
        method: &'static str,
        params: Value,
    ) -> Result<(), ProtocolError> {
        let ticket = self.send(session, method, params)?;
        self.forget(ticket);
        Ok(())
    }

    /// The reply to this call is not needed any more.
    pub(crate) fn forget(&mut self, ticket: Ticket) {
        // Some calls are never answered, so nothing may be kept for them.
        if !self.connection.forget(ticket.id) && self.replies.remove(&ticket.id).is_none() {
            self.ignored.push(ticket.id);
        }
    }

    /// The reply, if it is there.
    pub(crate) fn take(&mut self, ticket: Ticket) -> Option<Result<Reply, ProtocolError>> {
        let Ticket { id, method } = ticket;
        let refused = |message| ProtocolError::Refused { method, message };
        let reply = self.replies.remove(&id)?;
        Some(reply.map_err(refused).map(|text| Reply { method, text }))
    }

    /// Whether the reply is there.
    pub(crate) fn is_answered(&self, ticket: Ticket) -> bool {
        self.replies.contains_key(&ticket.id)
    }

    /// The oldest event that nobody has looked at.
    pub(crate) fn event(&mut self) -> Option<SessionEvent> {
        self.events.pop_front()
    }

    /// Waits for one more message, until `deadline`. `false` if there was none.
    pub(crate) fn pump(&mut self, deadline: Instant) -> Result<bool, ProtocolError> {
        if let Some(reason) = &self.gone {
            return Err(ProtocolError::Gone(reason.clone()));
        }
        loop {
            let now = Instant::now();
            if self.stop.is_set() && self.stop_ignored_until.is_none_or(|until| now > until) {
                self.is_cut_short = true;
                return Err(ProtocolError::Stopped);
            }
            let left = deadline.saturating_duration_since(now);
            match self.receiver.recv_timeout(left.min(STOP_POLL_INTERVAL)) {
                Ok(incoming) => return self.accept(incoming).map(|()| true),
                Err(RecvTimeoutError::Timeout) if left > STOP_POLL_INTERVAL => {}
                Err(RecvTimeoutError::Timeout) => return Ok(false),
                Err(RecvTimeoutError::Disconnected) => {
                    let reason = "the connection to the browser is closed".to_owned();
                    return Err(ProtocolError::Gone(reason));
                }
            }
        }
    }

    fn accept(&mut self, incoming: Incoming) -> Result<(), ProtocolError> {
        match incoming {
            Incoming::Reply(id, reply) => match self.ignored.iter().position(|i| *i == id) {
                Some(position) => _ = self.ignored.swap_remove(position),
                None => _ = self.replies.insert(id, reply),
            },
            Incoming::Event(event) => self.events.push_back(event),
            Incoming::Gone(reason) => {
                self.gone = Some(reason.clone());
                return Err(ProtocolError::Gone(reason));
            }
        }
        Ok(())
    }

    /// Sends a call and waits for its reply, whatever else comes meanwhile.
    pub(crate) fn call<T: DeserializeOwned>(
        &mut self,
        session: &str,
        method: &'static str,
        params: Value,
        timeout: Duration,
    ) -> Result<T, ProtocolError> {
        let ticket = self.send(session, method, params)?;
        self.wait_for(ticket, timeout)?.read()
    }

    /// Waits for a reply, whatever else comes meanwhile.
    pub(crate) fn wait_for(
        &mut self,
        ticket: Ticket,
        timeout: Duration,
    ) -> Result<Reply, ProtocolError> {
        let deadline = Instant::now() + timeout;
        loop {
            if let Some(reply) = self.take(ticket) {
                return reply;
            }
            let failure = match self.pump(deadline) {
                Ok(true) => continue,
                Ok(false) => ProtocolError::NoReply { method: ticket.method, timeout },
                Err(error) => error,
            };
            self.forget(ticket);
            return Err(failure);
        }
    }
}
