//! One connection to a browser, shared by all its devices: numbers the calls, and brings every reply
//! and every event to the device that it belongs to.

use crate::transport::{Receive, Transmit};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What went wrong on the way to the browser, or in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ProtocolError {
    /// The connection has ended.
    #[error("{0}")]
    Gone(String),
    /// The browser refused a call.
    #[error("{method}: {message}")]
    Refused { method: &'static str, message: String },
    /// No reply in time.
    #[error("{method} was not answered within {} s", .limit.as_secs_f64())]
    NoReply { method: &'static str, limit: Duration },
}

/// Something that the browser said without being asked.
#[derive(Debug)]
pub(crate) struct Notice {
    /// The session that it is about; empty for the browser itself.
    pub(crate) session: String,
    pub(crate) method: String,
    pub(crate) params: Value,
}

#[derive(Debug)]
enum Incoming {
    Reply(u64, Result<Value, String>),
    Notice(Notice),
    Gone(String),
}

/// A message as it comes over the wire.
#[derive(Deserialize)]
struct Raw {
    id: Option<u64>,
    #[serde(default, rename = "sessionId")]
    session: String,
    #[serde(default)]
    method: String,
    #[serde(default)]
    params: Value,
    #[serde(default)]
    result: Value,
    error: Option<RawError>,
}

#[derive(Deserialize)]
struct RawError {
    message: String,
}

/// The connection. Dropping it ends the browser if we started it.
pub(crate) struct Connection {
    transmitter: Mutex<Box<dyn Transmit>>,
    routes: Mutex<Routes>,
    next_id: AtomicU64,
}

#[derive(Default)]
struct Routes {
    /// Who waits for which reply.
    replies: BTreeMap<u64, Sender<Incoming>>,
    /// Whose session is whose.
    sessions: BTreeMap<String, Sender<Incoming>>,
    /// Whose browser context is whose: new tabs come to its owner.
    contexts: BTreeMap<String, Sender<Incoming>>,
    /// Why nothing comes any more.
    gone: Option<String>,
}

impl Connection {
    /// Begins to listen.
    pub(crate) fn open(
        mut receiver: Box<dyn Receive>,
        transmitter: Box<dyn Transmit>,
    ) -> Arc<Self> {
        let connection = Arc::new(Connection {
            transmitter: Mutex::new(transmitter),
            routes: Mutex::default(),
            next_id: AtomicU64::new(1),
        });
        let listening = Arc::downgrade(&connection);
        std::thread::spawn(move || {
            let reason = loop {
                let message = match receiver.receive() {
                    Ok(Some(message)) => message,
                    Ok(None) => break "the browser has closed the connection".to_owned(),
                    Err(error) => break format!("the connection to the browser broke: {error}"),
                };
                let Some(connection) = listening.upgrade() else { return };
                let read = serde_json::from_slice::<Raw>(&message)
                    .or_else(|_| serde_json::from_slice::<Raw>(&well_formed(&message)));
                if let Ok(raw) = read {
                    connection.route(raw);
                }
            };
            if let Some(connection) = listening.upgrade() {
                connection.end(&reason);
            }
        });
        connection
    }

    fn lock(&self) -> MutexGuard<'_, Routes> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn route(&self, raw: Raw) {
        let mut routes = self.lock();
        if let Some(id) = raw.id {
            let reply = match raw.error {
                Some(error) => Err(error.message),
                None => Ok(raw.result),
            };
            if let Some(waiting) = routes.replies.remove(&id) {
                let _ = waiting.send(Incoming::Reply(id, reply));
            }
            return;
        }
        let route = if raw.session.is_empty() {
            let context = raw.params["targetInfo"]["browserContextId"].as_str();
            let known = context.and_then(|context| routes.contexts.get(context));
            // What is known of a session by its number only goes to the owner of the session.
            known.or_else(|| routes.sessions.get(raw.params["sessionId"].as_str()?))
        } else {
            routes.sessions.get(&raw.session)
        };
        let Some(route) = route.cloned() else { return };
        if raw.method == "Target.attachedToTarget"
            && let Some(session) = raw.params["sessionId"].as_str()
        {
            routes.sessions.insert(session.to_owned(), route.clone());
        }
        let notice = Notice { session: raw.session, method: raw.method, params: raw.params };
        let _ = route.send(Incoming::Notice(notice));
    }

    fn end(&self, reason: &str) {
        let mut routes = self.lock();
        routes.gone = Some(reason.to_owned());
        let waiting = std::mem::take(&mut routes.replies);
        let sessions = std::mem::take(&mut routes.sessions);
        let contexts = std::mem::take(&mut routes.contexts);
        drop(routes);
        for route in waiting.values().chain(sessions.values()).chain(contexts.values()) {
            let _ = route.send(Incoming::Gone(reason.to_owned()));
        }
    }
}

/// The message without halves of characters: a page may cut a string in the middle of one, and the browser
/// sends it like that.
fn well_formed(message: &[u8]) -> Vec<u8> {
    let unit = |at: usize| -> Option<u16> {
        let escape = message.get(at..at + 6)?;
        let digits = std::str::from_utf8(escape.strip_prefix(b"\\u")?).ok()?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut whole = Vec::with_capacity(message.len());
    let mut at = 0;
    while at < message.len() {
        let length = match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                whole.extend_from_slice(b"\\ufffd");
                at += 6;
                continue;
            }
            (Some(_), _) => 6,
            // A backslash that is meant, and whatever else is escaped.
            (None, _) if message[at] == b'\\' => 2,
            _ => 1,
        };
        let end = (at + length).min(message.len());
        whole.extend_from_slice(&message[at..end]);
        at = end;
    }
    whole
}

/// A device's own end of the connection.
pub(crate) struct Link {
    connection: Arc<Connection>,
    sender: Sender<Incoming>,
    receiver: Receiver<Incoming>,
    replies: BTreeMap<u64, Result<Value, String>>,
    /// Replies that nobody will ask for.
    ignored: Vec<u64>,
    notices: VecDeque<Notice>,
    gone: Option<String>,
}

/// A call that was sent.
#[derive(Clone, Copy, Debug)]
#[must_use = "a call that nobody waits for is `forget`"]
pub(crate) struct Ticket {
    id: u64,
    method: &'static str,
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
            notices: VecDeque::new(),
            gone: None,
        }
    }

    /// From now on, news of this browser context come here.
    pub(crate) fn own_context(&self, context: &str) {
        self.connection.lock().contexts.insert(context.to_owned(), self.sender.clone());
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
        let id = self.connection.next_id.fetch_add(1, Ordering::Relaxed);
        let message = if session.is_empty() {
            json!({"id": id, "method": method, "params": params})
        } else {
            json!({"id": id, "method": method, "params": params, "sessionId": session})
        };
        {
            let mut routes = self.connection.lock();
            if let Some(reason) = &routes.gone {
                return Err(ProtocolError::Gone(reason.clone()));
            }
            routes.replies.insert(id, self.sender.clone());
        }
        let mut transmitter =
            self.connection.transmitter.lock().unwrap_or_else(PoisonError::into_inner);
        transmitter.transmit(message.to_string()).map_err(|error| {
            ProtocolError::Gone(format!("the browser does not listen: {error}"))
        })?;
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
        let was_awaited = self.connection.lock().replies.remove(&ticket.id).is_some();
        if !was_awaited && self.replies.remove(&ticket.id).is_none() {
            self.ignored.push(ticket.id);
        }
    }

    /// The reply, if it is there.
    pub(crate) fn take(&mut self, ticket: Ticket) -> Option<Result<Value, ProtocolError>> {
        let refused = |message| ProtocolError::Refused { method: ticket.method, message };
        self.replies.remove(&ticket.id).map(|reply| reply.map_err(refused))
    }

    /// Whether the reply is there.
    pub(crate) fn is_answered(&self, ticket: Ticket) -> bool {
        self.replies.contains_key(&ticket.id)
    }

    /// The oldest notice that nobody has looked at.
    pub(crate) fn notice(&mut self) -> Option<Notice> {
        self.notices.pop_front()
    }

    /// Waits for one more message, until `deadline`. `false` if there was none.
    pub(crate) fn pump(&mut self, deadline: Instant) -> Result<bool, ProtocolError> {
        if let Some(reason) = &self.gone {
            return Err(ProtocolError::Gone(reason.clone()));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        match self.receiver.recv_timeout(left) {
            Ok(incoming) => self.accept(incoming).map(|()| true),
            Err(RecvTimeoutError::Timeout) => Ok(false),
            Err(RecvTimeoutError::Disconnected) => {
                Err(ProtocolError::Gone("the connection to the browser is closed".to_owned()))
            }
        }
    }

    fn accept(&mut self, incoming: Incoming) -> Result<(), ProtocolError> {
        match incoming {
            Incoming::Reply(id, reply) => match self.ignored.iter().position(|i| *i == id) {
                Some(position) => _ = self.ignored.swap_remove(position),
                None => _ = self.replies.insert(id, reply),
            },
            Incoming::Notice(notice) => self.notices.push_back(notice),
            Incoming::Gone(reason) => {
                self.gone = Some(reason.clone());
                return Err(ProtocolError::Gone(reason));
            }
        }
        Ok(())
    }

    /// Sends a call and waits for its reply, whatever else comes meanwhile.
    pub(crate) fn call(
        &mut self,
        session: &str,
        method: &'static str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, ProtocolError> {
        let ticket = self.send(session, method, params)?;
        self.wait_for(ticket, limit)
    }

    /// Waits for a reply, whatever else comes meanwhile.
    pub(crate) fn wait_for(
        &mut self,
        ticket: Ticket,
        limit: Duration,
    ) -> Result<Value, ProtocolError> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(reply) = self.take(ticket) {
                return reply;
            }
            if !self.pump(deadline)? {
                self.forget(ticket);
                return Err(ProtocolError::NoReply { method: ticket.method, limit });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_is_no_end_of_a_message() {
        for (sent, read) in [
            (r#"{"a":"\ud83d"}"#, r#"{"a":"\ufffd"}"#),
            (r#"{"a":"\ude00x\ud83d\ude00"}"#, r#"{"a":"\ufffdx\ud83d\ude00"}"#),
            (r#"{"a":"\\ud83d \u00e4"}"#, r#"{"a":"\\ud83d \u00e4"}"#),
        ] {
            assert_eq!(String::from_utf8(well_formed(sent.as_bytes())).unwrap(), read);
            assert!(serde_json::from_str::<Value>(read).is_ok());
        }
    }
}
