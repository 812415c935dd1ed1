//! The page's requests: which are under way, which failed, which may not be sent, and the headers
//! that the options add.

use crate::allowed_origins::{blocked, unreachable};
use crate::app_log::EntryKind;
use crate::device::WebDevice;
use crate::failure::Failure;
use crate::lines::OPEN_GRACE;
use crate::open_requests::RequestKind;
use crate::protocol_events::{
    LoadingFailed, Request, RequestPaused, RequestWillBeSent, ResponseReceived,
};
use crate::tab::PendingRequest;
use crate::tab_setup::EMPTY_PAGE;
use crate::urls::origin;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;

/// They have no end that anybody waits for.
const NEVER_AWAITED: [&str; 3] = ["WebSocket", "Ping", "Media"];
/// What a document may wait for before it goes on.
const HOLDING_UP: [&str; 3] = ["Document", "Script", "Stylesheet"];

impl WebDevice {
    pub(crate) fn on_request(&mut self, session: &str, sent: RequestWillBeSent) {
        let Request { url, method, .. } = &sent.request;
        if url.starts_with("data:") || url.starts_with("blob:") {
            return;
        }
        let shown = format!("{method} {}", self.app.shorten(url));
        self.log.add(EntryKind::Request, &shown);
        let Some((tab, _)) = self.tabs.of_session(session) else { return };
        let kind = sent.kind.as_str();
        // The script of a worker is its document. The page hears that it is asked for and not that
        // it came.
        let is_of_worker = kind == "Script" && sent.document_url == *url;
        if !NEVER_AWAITED.contains(&kind) && !is_of_worker {
            let holds_up = sent.frame_id == tab.target && HOLDING_UP.contains(&kind);
            let request = PendingRequest {
                shown,
                origin: origin(url).to_owned(),
                holds_up,
                kind: RequestKind::new(method, url),
                sent: Instant::now(),
                is_stream: kind == "EventSource",
                headed: None,
            };
            if self.settling.keeps_line_open(tab) && !self.settling.is_line(&request) {
                // What comes of it may come over a line.
                tab.talk.asks();
            }
            self.settling.note_sent(&request.kind);
            tab.pending.insert(sent.request_id, request);
        }
    }

    /// A request has come to its end.
    pub(crate) fn on_finished(&mut self, session: &str, id: &str) {
        let Some((tab, _)) = self.tabs.of_session(session) else { return };
        let Some(request) = tab.pending.remove(id) else { return };
        if !self.settling.is_line(&request) {
            return;
        }
        tab.talk.hears();
        let age = request.sent.elapsed();
        if !request.is_stream && age > OPEN_GRACE && age < self.options.patience {
            self.settling.note_ended(&request.kind);
        }
    }

    pub(crate) fn on_response(&mut self, session: &str, received: &ResponseReceived) {
        let response = &received.response;
        let request = self
            .tabs
            .of_session(session)
            .and_then(|(tab, _)| tab.pending.get_mut(&received.request_id));
        if let Some(request) = request {
            request.is_stream |= is_stream(&response.headers);
            // Whoever else asks for something also reads it.
            request.headed = (received.kind == "Fetch").then(Instant::now);
        }
        // Scripts and styles may stay in the browser's cache; what the app was answered may not.
        let is_answer = ["XHR", "Fetch", "Document"].contains(&received.kind.as_str());
        self.storage.has_cached_answers |= is_answer && is_cacheable(&response.headers);
        let (status, url) = (response.status, &response.url);
        self.server.note_answer(url, status);
        if status < 400 {
            return;
        }
        let shown = self.app.shorten(url);
        self.log.add(EntryKind::FailedRequest, format!("{status} {shown}"));
        // Browsers ask for a favicon by themselves.
        let is_counted = self.app.is_own(url) && !url.ends_with("/favicon.ico");
        if is_counted && self.options.crashes.requests {
            self.crashed(format!("a request failed: {status} {shown}"), Vec::new());
        }
    }

    pub(crate) fn on_failed_request(&mut self, session: &str, failed: &LoadingFailed) {
        let Some((tab, _)) = self.tabs.of_session(session) else { return };
        let id = &failed.request_id;
        if tab.navigating.take_if(|navigating| navigating == id).is_some() {
            tab.navigations += 1;
        }
        let Some(PendingRequest { shown, origin, .. }) = tab.pending.remove(id) else { return };
        let reason = &failed.error_text;
        if failed.canceled || reason == "net::ERR_ABORTED" {
            return;
        }
        self.log.add(EntryKind::FailedRequest, format!("{reason} {shown}"));
        let is_online = self.environment.is_online();
        let is_on_the_way = self.server.note_failure(&origin, reason);
        let is_other = origin != self.app.origin() && self.allowed.contains(&origin);
        if is_other && is_on_the_way && is_online && !self.server.has_answered(&origin) {
            self.lacks.note(unreachable(&origin, reason));
        }
        let is_own = !shown.contains(" http://") && !shown.contains(" https://");
        if self.options.crashes.requests && is_own && is_online {
            self.crashed(format!("a request failed: {reason} {shown}"), Vec::new());
        }
    }

    /// A request waits for our word: one for a document, which may be of another origin, or any of
    /// the app's own, which gets the headers of the options.
    pub(crate) fn on_paused_request(
        &mut self,
        session: &str,
        paused: &RequestPaused,
    ) -> Result<(), Failure> {
        let (id, url) = (&paused.request_id, &paused.request.url);
        if url.ends_with(EMPTY_PAGE) && self.app.is_own(url) {
            let header = json!([{"name": "Content-Type", "value": "text/html"}]);
            let params = json!({"requestId": id, "responseCode": 200, "responseHeaders": header, "body": ""});
            return self.tell_to(session, "Fetch.fulfillRequest", params);
        }
        // All but documents is refused by the proxy: what is of another origin does not come here.
        if paused.resource_type != "Document" || self.allowed.contains(url) {
            let mut params = json!({"requestId": id});
            if self.app.is_own(url)
                && let Some(headers) = self.with_own_headers(&paused.request)
            {
                params["headers"] = headers.into();
            }
            return self.tell_to(session, "Fetch.continueRequest", params);
        }
        let params = json!({"requestId": id, "errorReason": "Aborted"});
        self.tell_to(session, "Fetch.failRequest", params)?;
        self.lacks.note(blocked(origin(url)));
        let is_frame = !self.tabs.iter().any(|tab| paused.frame_id == tab.target);
        if is_frame {
            return Ok(());
        }
        self.log.add(EntryKind::Navigation, format!("stayed here instead of going to {url}"));
        // A window that was opened for it alone would stay, with nothing in it.
        match self.tabs.opened_for_nothing(session).map(|tab| tab.target.clone()) {
            Some(target) => self.close_target(&target),
            None => Ok(()),
        }
    }

    /// The headers of a request, with those of the options; nothing if there are none of these.
    fn with_own_headers(&self, request: &Request) -> Option<Vec<Value>> {
        let own = self.options.own_headers();
        if own.is_empty() {
            return None;
        }
        let is_own = |name: &str| own.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        let before = request.headers.iter().filter(|(name, _)| !is_own(name));
        let own = own.iter().map(|(name, value)| (name, value));
        Some(before.chain(own).map(|(name, value)| json!({"name": name, "value": value})).collect())
    }
}

/// Whether an answer with these headers is a stream of events.
fn is_stream(headers: &BTreeMap<String, String>) -> bool {
    headers.iter().any(|(name, value)| {
        name.eq_ignore_ascii_case("content-type")
            && value.trim_start().to_ascii_lowercase().starts_with("text/event-stream")
    })
}

/// Whether a browser may keep an answer with these headers.
fn is_cacheable(headers: &BTreeMap<String, String>) -> bool {
    headers.iter().any(|(name, value)| match name.to_ascii_lowercase().as_str() {
        "cache-control" => {
            let value = value.to_ascii_lowercase();
            value.contains("max-age=") && !value.contains("max-age=0")
        }
        "expires" => true,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_if_its_headers_say_so() {
        for (name, value, expected) in [
            ("Cache-Control", "public, Max-Age=60", true),
            ("cache-control", "max-age=0", false),
            ("Cache-Control", "no-store", false),
            ("Expires", "0", true),
            ("Content-Type", "text/html", false),
        ] {
            let headers = BTreeMap::from([(name.to_owned(), value.to_owned())]);
            assert_eq!(is_cacheable(&headers), expected, "{name}: {value}");
        }
    }
}
