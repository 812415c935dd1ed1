//! One connection to a browser, shared by all its devices: numbers the calls, and brings every
//! reply and every event to the device that it belongs to. A device's end of it is in `link.rs`.

use crate::protocol_events::{ProtocolEvent, SessionEvent};
use crate::transport::{Receive, Transmit};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What went wrong on the way to the browser, or in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ProtocolError {
    /// The connection has ended.
    #[error("{0}")]
    Gone(String),
    /// The browser refused a call.
    #[error("{method}: {message}")]
    Refused { method: &'static str, message: String },
    /// The reply is not what such a call is answered with.
    #[error("{method}: the browser's reply cannot be read: {message}")]
    Unreadable { method: &'static str, message: String },
    /// Whoever waited was told to stop.
    #[error("told to stop")]
    Stopped,
    /// No reply in time.
    #[error("{method} was not answered within {} s", .timeout.as_secs_f64())]
    NoReply { method: &'static str, timeout: Duration },
}

/// What comes from the browser to a device.
#[derive(Debug)]
pub(crate) enum Incoming {
    Reply(u64, Result<Box<RawValue>, String>),
    Event(SessionEvent),
    Gone(String),
}

/// A message as it comes over the wire.
#[derive(Deserialize)]
struct Message<'a> {
    id: Option<u64>,
    #[serde(default, rename = "sessionId")]
    session: String,
    #[serde(default, borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    result: Option<Box<RawValue>>,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
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
    /// Whose tab is whose, by the tab's own number.
    targets: BTreeMap<String, Sender<Incoming>>,
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
                if let Ok(message) = serde_json::from_slice(&well_formed(&message)) {
                    connection.route(message);
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

    fn route(&self, message: Message<'_>) {
        let mut routes = self.lock();
        if let Some(id) = message.id {
            let reply = match message.error {
                Some(error) => Err(error.message),
                None => Ok(message.result.unwrap_or_default()),
            };
            if let Some(waiting) = routes.replies.remove(&id) {
                let _ = waiting.send(Incoming::Reply(id, reply));
            }
            return;
        }
        let event = ProtocolEvent::parse(&message.method, message.params);
        let route = match &event {
            _ if !message.session.is_empty() => routes.sessions.get(&message.session),
            // What is known of a session by its number only goes to the owner of the session.
            ProtocolEvent::AttachedToTarget(attached) => {
                let context = attached.target_info.browser_context_id.as_ref();
                let owner = context.and_then(|context| routes.contexts.get(context));
                owner.or_else(|| routes.sessions.get(&attached.session_id))
            }
            ProtocolEvent::DetachedFromTarget(detached) => {
                routes.sessions.get(&detached.session_id)
            }
            ProtocolEvent::TargetDied(died) => routes.targets.get(&died.target_id),
            _ => None,
        };
        let Some(route) = route.cloned() else { return };
        if let ProtocolEvent::AttachedToTarget(attached) = &event {
            routes.sessions.insert(attached.session_id.clone(), route.clone());
            routes.targets.insert(attached.target_info.target_id.clone(), route.clone());
        }
        if let ProtocolEvent::TargetDied(died) = &event {
            routes.targets.remove(&died.target_id);
        }
        let _ = route.send(Incoming::Event(SessionEvent { session: message.session, event }));
    }

    /// From now on, events of this browser context go there.
    pub(crate) fn route_context(&self, context: &str, owner: Sender<Incoming>) {
        self.lock().contexts.insert(context.to_owned(), owner);
    }

    /// Sends a call whose reply goes there, and says its number. An empty session is the browser
    /// itself.
    pub(crate) fn send(
        &self,
        session: &str,
        method: &str,
        params: &Value,
        owner: Sender<Incoming>,
    ) -> Result<u64, ProtocolError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let message = if session.is_empty() {
            json!({"id": id, "method": method, "params": params})
        } else {
            json!({"id": id, "method": method, "params": params, "sessionId": session})
        };
        {
            let mut routes = self.lock();
            if let Some(reason) = &routes.gone {
                return Err(ProtocolError::Gone(reason.clone()));
            }
            routes.replies.insert(id, owner);
        }
        let mut transmitter = self.transmitter.lock().unwrap_or_else(PoisonError::into_inner);
        transmitter.transmit(message.to_string()).map_err(|error| {
            ProtocolError::Gone(format!("the browser does not listen: {error}"))
        })?;
        Ok(id)
    }

    /// Nobody waits for this reply any more; whether somebody did, and it has not come yet.
    pub(crate) fn forget(&self, id: u64) -> bool {
        self.lock().replies.remove(&id).is_some()
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

/// The message without halves of characters: a page may cut a string in the middle of one, and the
/// browser sends it like that.
fn well_formed(message: &[u8]) -> Cow<'_, [u8]> {
    let text = std::str::from_utf8(message).unwrap_or_default();
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return Cow::Borrowed(message);
    }
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
    Cow::Owned(whole)
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
            assert_eq!(std::str::from_utf8(&well_formed(sent.as_bytes())).unwrap(), read);
            assert!(serde_json::from_str::<Value>(read).is_ok());
        }
    }
}
