//! Whether the server of the app is still there: one that dies in the middle of a run is a lost
//! device, whatever the page makes of it, and says nothing about the app.
//!
//! On its own because the page is not asked: what speaks against a server is a request that failed
//! on the way, and what decides is an answer to one of our own. A server that never answered at all
//! is none that went away.

use crate::device::WebDevice;
use crate::failure::Failure;
use crate::http;
use crate::pause::Pause;
use crate::server_reset::unless_stopped;
use crate::tab_setup::EMPTY_PAGE;
use crate::urls::origin;
use capuchin_ui::DeviceError;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What a proxy answers with if there is no server behind it.
const NO_SERVER_BEHIND: [u64; 3] = [502, 503, 504];
/// How requests fail that got no answer, or only a part of it, as the browser says it.
const FAILED_ON_THE_WAY: [&str; 9] = [
    "net::ERR_CONNECTION_",
    "net::ERR_EMPTY_RESPONSE",
    "net::ERR_TIMED_OUT",
    "net::ERR_ADDRESS_",
    "net::ERR_SOCKET_",
    "net::ERR_NAME_NOT_RESOLVED",
    "net::ERR_INCOMPLETE_CHUNKED_ENCODING",
    "net::ERR_CONTENT_LENGTH_MISMATCH",
    "net::ERR_HTTP2_",
];
/// How long a server that has gone may take to come back before the device is lost.
const RETURN_TIMEOUT: Duration = Duration::from_secs(5);

/// What is known of the servers that the app talks to.
#[derive(Debug, Default)]
pub(crate) struct AppServer {
    /// The origins that have answered, well or badly, but not through a proxy that had nobody to
    /// ask.
    answered: BTreeSet<String>,
    /// The origin whose server may have gone, since it was last asked.
    suspected: Option<String>,
}

impl AppServer {
    /// An answer has come from this address.
    pub(crate) fn note_answer(&mut self, url: &str, status: u64) {
        if origin(url).is_empty() || url.ends_with(EMPTY_PAGE) {
            // Nobody was asked.
            return;
        }
        match NO_SERVER_BEHIND.contains(&status) {
            true => self.suspect(origin(url)),
            false if !self.answered.contains(origin(url)) => {
                self.answered.insert(origin(url).to_owned());
            }
            false => {}
        }
    }

    /// A request to this origin failed; whether it did so on the way.
    pub(crate) fn note_failure(&mut self, origin: &str, reason: &str) -> bool {
        let is_on_the_way = FAILED_ON_THE_WAY.iter().any(|known| reason.starts_with(known));
        if is_on_the_way {
            self.suspect(origin);
        }
        is_on_the_way
    }

    /// This origin should have answered, and did not.
    pub(crate) fn suspect(&mut self, origin: &str) {
        if self.has_answered(origin) {
            self.suspected.get_or_insert_with(|| origin.to_owned());
        }
    }

    /// Whether an answer of this origin has ever come.
    pub(crate) fn has_answered(&self, origin: &str) -> bool {
        self.answered.contains(origin)
    }
}

/// What came of asking for a server that may have gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It answers.
    Here,
    /// It did not answer, and does now.
    Back,
}

impl WebDevice {
    /// Asks a server that may have gone. It is waited for, and the device is lost if it does not
    /// come back.
    pub(crate) fn check_server(&mut self) -> Result<Presence, DeviceError> {
        let Some(there) = self.server.suspected.take() else { return Ok(Presence::Here) };
        if !self.environment.is_online() {
            return Ok(Presence::Here);
        }
        let deadline = Instant::now() + RETURN_TIMEOUT;
        let mut gone = None;
        loop {
            match self.ask_server(&there)? {
                None if gone.is_none() => return Ok(Presence::Here),
                None => return Ok(Presence::Back),
                Some(reason) => gone = Some(reason),
            }
            if let Some(reason) = gone.as_ref().filter(|_| Instant::now() > deadline) {
                return Err(self.server_lost(&there, reason));
            }
            if let Err(Failure::Device(error)) = self.pause(Pause::ServerGone) {
                return Err(error);
            }
        }
    }

    /// Asks a server that may have gone, in the middle of a run: if it was away, nobody knows what
    /// the app would have done.
    pub(crate) fn require_server(&mut self) -> Result<(), DeviceError> {
        match self.check_server()? {
            Presence::Here => Ok(()),
            Presence::Back => Err(self.lost("the app's server was away for a while")),
        }
    }

    /// The device is lost with its server.
    fn server_lost(&self, there: &str, reason: &str) -> DeviceError {
        self.lost(format!(
            "the app's server at {there} does not answer any more: {reason}; has it crashed, or was \
             it stopped?"
        ))
    }

    /// What speaks against the server of this origin; nothing if it answers. What only the browser
    /// can reach is not asked.
    fn ask_server(&self, there: &str) -> Result<Option<String>, DeviceError> {
        if self.options.proxy.is_some() {
            return Ok(None);
        }
        let url = match there == self.app.origin() {
            true => self.app.as_str().split('#').next().unwrap_or_default().to_owned(),
            false => format!("{there}/"),
        };
        let (stop, patience) = (self.link.stop(), self.options.patience);
        let status = unless_stopped(stop, move || http::status(&url, patience));
        if stop.is_set() {
            return Err(self.stopped());
        }
        Ok(match status {
            Ok(Some(status)) if NO_SERVER_BEHIND.contains(&status) => {
                Some(format!("it answers with {status}"))
            }
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_server_that_has_answered_can_go_away() {
        let suspected = |tell: &dyn Fn(&mut AppServer)| {
            let mut server = AppServer::default();
            tell(&mut server);
            server.suspected.take()
        };
        let refused = "net::ERR_CONNECTION_REFUSED";
        let unknown = suspected(&|it| {
            it.note_failure("http://a", refused);
        });
        assert_eq!(unknown, None);
        for reason in [refused, "net::ERR_CONNECTION_RESET", "net::ERR_EMPTY_RESPONSE"] {
            let there = suspected(&|it| {
                it.note_answer("http://a/page", 404);
                it.note_failure("http://b", reason);
                it.note_failure("http://a", reason);
            });
            assert_eq!(there.as_deref(), Some("http://a"), "{reason}");
        }
        for reason in ["net::ERR_ABORTED", "net::ERR_BLOCKED_BY_CLIENT", "net::ERR_CACHE_MISS"] {
            let there = suspected(&|it| {
                it.note_answer("http://a/", 200);
                it.note_failure("http://a", reason);
            });
            assert_eq!(there, None, "{reason}");
        }
        let through_proxy = suspected(&|it| {
            it.note_answer("http://a/", 200);
            it.note_answer("http://a/api", 502);
        });
        assert_eq!(through_proxy.as_deref(), Some("http://a"));
        assert_eq!(suspected(&|it| it.note_answer("http://a/", 503)), None);
    }
}
