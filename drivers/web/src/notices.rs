//! What the browser tells without being asked, and what follows from it.

use crate::connection::Notice;
use crate::crash::shorten;
use crate::device::{SAY, Trouble, WORLD, WebDevice};
use crate::journal::Kind;
use crate::options::Popups;
use crate::reset::EMPTY_PAGE;
use crate::settle::Planned;
use crate::stack;
use crate::tab::{Dialog, Request, Said, Tab};
use serde_json::{Value, json};

impl WebDevice {
    /// Looks at everything that has arrived.
    pub(crate) fn hear(&mut self) -> Result<(), Trouble> {
        while let Some(notice) = self.link.notice() {
            self.on_notice(&notice)?;
        }
        Ok(())
    }

    pub(crate) fn on_notice(&mut self, notice: &Notice) -> Result<(), Trouble> {
        let params = &notice.params;
        match notice.method.as_str() {
            "Target.attachedToTarget" => return self.on_new_tab(params),
            "Target.detachedFromTarget" => {
                let session = params["sessionId"].as_str().unwrap_or_default();
                if let Some(tab) = self.tabs.iter_mut().find(|tab| tab.session == session) {
                    tab.closed = true;
                }
                return Ok(());
            }
            _ => {}
        }
        let Some(index) = self.tabs.iter().position(|tab| tab.session == notice.session) else {
            return Ok(());
        };
        let tab = &mut self.tabs[index];
        match notice.method.as_str() {
            "Emulation.virtualTimeBudgetExpired" => tab.time_is_up = true,
            "Runtime.executionContextCreated" => {
                let context = &params["context"];
                let is_ours = context["name"] == WORLD;
                if is_ours && context["auxData"]["frameId"] == tab.target.as_str() {
                    tab.world = context["uniqueId"].as_str().map(str::to_owned);
                    tab.documents += 1;
                    if index + 1 == self.tabs.len() {
                        self.whole = true;
                        self.restless = false;
                        (self.is_held, self.is_frozen) = (false, false);
                        self.framed = 0;
                    }
                }
            }
            "Runtime.executionContextsCleared" => {
                tab.world = None;
                tab.scripts.clear();
            }
            "Runtime.executionContextDestroyed"
                if tab.world.as_deref() == params["executionContextUniqueId"].as_str() =>
            {
                tab.world = None;
            }
            "Runtime.bindingCalled" if params["name"] == SAY => {
                let said = params["payload"].as_str().unwrap_or_default().to_owned();
                match (&tab.said, tab.world.clone()) {
                    (Said::NotYet, _) => {
                        tab.said = Said::This(said);
                        if tab.counts {
                            return self.send_for_counts(&notice.session);
                        }
                    }
                    // Nobody reads it, so its next look is planned in vain.
                    (_, Some(world)) => {
                        tab.said = Said::Unexpected;
                        let session = tab.session.clone();
                        self.whole = true;
                        return self.unplan(&Planned { session, world });
                    }
                    (_, None) => {}
                }
            }
            "Runtime.exceptionThrown" => {
                let details = params["exceptionDetails"].clone();
                self.on_exception(&details);
            }
            "Runtime.consoleAPICalled" => self.on_console(params),
            "Input.dragIntercepted" => self.dragged = Some(params["data"].clone()),
            "Inspector.targetCrashed" => tab.crashed = true,
            "Page.javascriptDialogOpening" => {
                let text = |key: &str| params[key].as_str().unwrap_or_default().to_owned();
                let (kind, message) = (text("type"), text("message"));
                let answer = text("defaultPrompt").into();
                tab.dialog = Some(Dialog { kind: kind.clone(), message: message.clone(), answer });
                self.journal.add(Kind::Dialog, format!("{kind}: {message}"));
            }
            "Page.javascriptDialogClosed" => tab.dialog = None,
            "Page.frameStartedNavigating" if params["frameId"] == tab.target.as_str() => {
                let kind = params["navigationType"].as_str().unwrap_or_default();
                if !kind.to_ascii_lowercase().ends_with("samedocument") {
                    tab.going = params["loaderId"].as_str().map(str::to_owned);
                }
            }
            // Also when nothing came of it: a download, another program.
            "Page.frameStoppedLoading" if params["frameId"] == tab.target.as_str() => {
                tab.going = None;
            }
            "Page.navigatedWithinDocument" if params["frameId"] == tab.target.as_str() => {
                tab.moves += 1;
            }
            "Page.frameNavigated" => {
                let frame = &params["frame"];
                if frame["parentId"].is_null() {
                    tab.moves += 1;
                    tab.going = None;
                    tab.pending.clear();
                    let url = frame["url"].as_str().unwrap_or_default();
                    tab.arrived = true;
                    let shown = shorten(url, &self.own_origin());
                    self.journal.add(Kind::Navigation, format!("/{shown}"));
                    if index + 1 == self.tabs.len() {
                        // It may crash before it has been looked at.
                        url.clone_into(&mut self.head.url);
                    }
                    self.visit(url);
                } else {
                    let url = frame["url"].as_str().unwrap_or_default().to_owned();
                    self.visit(&url);
                }
            }
            "Network.requestWillBeSent" => self.on_request(index, params),
            "Network.responseReceived" => {
                let is_document = params["type"] == "Document";
                if is_document && params["frameId"] == tab.target.as_str() {
                    tab.status = params["response"]["status"].as_u64().unwrap_or_default();
                }
                self.on_response(params);
            }
            "Network.loadingFinished" => {
                tab.pending.remove(params["requestId"].as_str().unwrap_or_default());
            }
            "Network.loadingFailed" => self.on_failed_request(index, params),
            "Fetch.requestPaused" => return self.on_paused(&notice.session, params),
            "Page.downloadProgress" if params["state"] != "inProgress" => {
                tab.downloads.remove(params["guid"].as_str().unwrap_or_default());
            }
            "Debugger.scriptParsed" => self.on_script(&notice.session, params),
            "Debugger.paused" => return self.on_pause(&notice.session, params),
            "Page.downloadWillBegin" => {
                let number = params["guid"].as_str().unwrap_or_default();
                tab.downloads.insert(number.to_owned());
                let file = params["suggestedFilename"].as_str().unwrap_or_default();
                self.journal.add(Kind::Request, format!("download {file}"));
            }
            _ => {}
        }
        Ok(())
    }

    fn visit(&mut self, url: &str) {
        let origin = origin(url);
        if !origin.is_empty() && origin != self.own_origin() {
            self.visited.insert(origin.to_owned());
        }
    }

    /// The origin of the app.
    pub(crate) fn own_origin(&self) -> String {
        origin(&self.url).to_owned()
    }

    fn on_console(&mut self, params: &Value) {
        let kind = params["type"].as_str().unwrap_or_default();
        let said = |arg: &Value| match &arg["value"] {
            Value::String(text) => text.clone(),
            Value::Null => arg["description"].as_str().unwrap_or_default().to_owned(),
            value => value.to_string(),
        };
        let words: Vec<String> = params["args"]
            .as_array()
            .map(|args| args.iter().map(said).collect())
            .unwrap_or_default();
        let text = words.join(" ");
        let entry = match kind {
            "error" | "assert" => Kind::Error,
            "warning" => Kind::Warning,
            _ => Kind::Log,
        };
        self.journal.add(entry, text.clone());
        if entry == Kind::Error && self.options.crashes.console {
            let calls = stack::calls(&params["stackTrace"]["callFrames"]);
            let first = crate::journal::shortened(text.lines().next().unwrap_or_default());
            self.crashed(format!("console.error: {first}"), calls);
        }
    }

    fn on_request(&mut self, index: usize, params: &Value) {
        let url = params["request"]["url"].as_str().unwrap_or_default();
        let method = params["request"]["method"].as_str().unwrap_or_default();
        if url.starts_with("data:") || url.starts_with("blob:") {
            return;
        }
        let shown = format!("{method} {}", shorten(url, &self.own_origin()));
        self.journal.add(Kind::Request, shown.clone());
        let kind = params["type"].as_str().unwrap_or_default();
        // A stream never ends; nobody waits for it.
        if !["EventSource", "WebSocket", "Ping", "Media"].contains(&kind) {
            let id = params["requestId"].as_str().unwrap_or_default();
            let is_own = params["frameId"] == self.tabs[index].target.as_str();
            let holds_up = is_own && ["Document", "Script", "Stylesheet"].contains(&kind);
            self.tabs[index].pending.insert(id.to_owned(), Request { shown, holds_up });
        }
    }

    fn on_response(&mut self, params: &Value) {
        let response = &params["response"];
        // Scripts and styles may stay in the browser's cache; what the app was answered may not.
        let kinds = ["XHR", "Fetch", "Document"];
        let is_answer = kinds.iter().any(|kind| params["type"] == *kind);
        self.has_answers |= is_answer && is_kept(&response["headers"]);
        let status = response["status"].as_u64().unwrap_or_default();
        let url = response["url"].as_str().unwrap_or_default();
        if status >= 400 {
            let shown = shorten(url, &self.own_origin());
            self.journal.add(Kind::FailedRequest, format!("{status} {shown}"));
            let is_own = origin(url) == self.own_origin();
            // Browsers ask for it by themselves.
            if is_own && self.options.crashes.requests && !url.ends_with("/favicon.ico") {
                self.crashed(format!("a request failed: {status} {shown}"), Vec::new());
            }
        }
    }

    fn on_failed_request(&mut self, index: usize, params: &Value) {
        let id = params["requestId"].as_str().unwrap_or_default();
        let tab = &mut self.tabs[index];
        if tab.going.take_if(|going| going == id).is_some() {
            tab.moves += 1;
        }
        let Some(Request { shown, .. }) = self.tabs[index].pending.remove(id) else { return };
        let reason = params["errorText"].as_str().unwrap_or_default();
        if params["canceled"] == true || reason == "net::ERR_ABORTED" {
            return;
        }
        self.journal.add(Kind::FailedRequest, format!("{reason} {shown}"));
        let is_own = !shown.contains(" http://") && !shown.contains(" https://");
        if self.options.crashes.requests && is_own && self.surroundings.is_online() {
            self.crashed(format!("a request failed: {reason} {shown}"), Vec::new());
        }
    }

    /// A document is about to be loaded, which may be one of somebody else's; or anything of the app's own, which
    /// is asked for in the words of the options.
    fn on_paused(&mut self, session: &str, params: &Value) -> Result<(), Trouble> {
        let id = params["requestId"].clone();
        let url = params["request"]["url"].as_str().unwrap_or_default().to_owned();
        if url.ends_with(EMPTY_PAGE) && origin(&url) == self.own_origin() {
            let header = json!([{"name": "Content-Type", "value": "text/html"}]);
            let params = json!({"requestId": id, "responseCode": 200, "responseHeaders": header, "body": ""});
            let told = self.link.tell(session, "Fetch.fulfillRequest", params);
            return told.map_err(|error| self.trouble(error));
        }
        let is_document = params["resourceType"] == "Document";
        let is_frame = !self.tabs.iter().any(|tab| params["frameId"] == tab.target.as_str());
        let allowed = !is_document || is_frame || self.is_allowed(&url);
        let told = if allowed {
            let mut goes_on = json!({"requestId": id});
            if origin(&url) == self.own_origin()
                && let Some(headers) = self.with_own_headers(params)
            {
                goes_on["headers"] = headers.into();
            }
            self.link.tell(session, "Fetch.continueRequest", goes_on)
        } else {
            self.journal.add(Kind::Navigation, format!("stayed here instead of going to {url}"));
            let params = json!({"requestId": id, "errorReason": "Aborted"});
            self.link.tell(session, "Fetch.failRequest", params)
        };
        told.map_err(|error| self.trouble(error))?;
        // A window that was opened for it alone would stay, with nothing in it.
        let opened = self.tabs.iter().skip(1).find(|tab| tab.session == session);
        match opened.filter(|tab| !allowed && !tab.arrived).map(|tab| tab.target.clone()) {
            Some(target) => self.close_target(&target),
            None => Ok(()),
        }
    }

    /// The headers of a request, with those of the options; nothing if there are none of these.
    fn with_own_headers(&self, params: &Value) -> Option<Vec<Value>> {
        let own = self.options.own_headers();
        if own.is_empty() {
            return None;
        }
        let header = |name: &str, value: &Value| json!({"name": name, "value": value});
        let is_own = |name: &str| own.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        let before = params["request"]["headers"].as_object().into_iter().flatten();
        let before = before.filter(|(name, _)| !is_own(name));
        let before = before.map(|(name, value)| header(name, value));
        let own = own.iter().map(|(name, value)| header(name, &value.as_str().into()));
        Some(before.chain(own).collect())
    }

    fn close_target(&mut self, target: &str) -> Result<(), Trouble> {
        let told = self.link.tell("", "Target.closeTarget", json!({"targetId": target}));
        told.map_err(|error| self.trouble(error))
    }

    fn is_allowed(&self, url: &str) -> bool {
        let there = origin(url);
        there.is_empty()
            || there == self.own_origin()
            || self.options.allow.iter().any(|allowed| {
                allowed == "*" || origin(allowed) == there || allowed.as_str() == there
            })
    }

    /// A tab that nobody of us opened: the app did.
    fn on_new_tab(&mut self, params: &Value) -> Result<(), Trouble> {
        let info = &params["targetInfo"];
        let session = params["sessionId"].as_str().unwrap_or_default().to_owned();
        let target = info["targetId"].as_str().unwrap_or_default().to_owned();
        let is_ours = self.elsewhere.as_ref() == Some(&target)
            || self.tabs.iter().any(|tab| tab.target == target);
        if is_ours {
            return Ok(());
        }
        if info["type"] != "page" {
            let told = self.link.tell(&session, "Runtime.runIfWaitingForDebugger", Value::Null);
            return told.map_err(|error| self.trouble(error));
        }
        // Those that we open are expected: see `open_tab`.
        if self.expecting {
            self.expected = Some((target, session));
            return Ok(());
        }
        let url = info["url"].as_str().unwrap_or_default().to_owned();
        self.journal.add(Kind::Navigation, format!("a new window: {url}"));
        if self.options.popups == Popups::Close {
            // It must begin before it can end.
            let begun = self.link.tell(&session, "Runtime.runIfWaitingForDebugger", Value::Null);
            begun.map_err(|error| self.trouble(error))?;
            return self.close_target(&target);
        }
        let mut tab = Tab::new(&target, &session);
        // See `counts.rs`.
        tab.counts = info["canAccessOpener"] != true;
        self.tabs.push(tab);
        self.new_windows += 1;
        self.set_up_tab()
    }
}

/// Whether a browser may keep an answer with these headers.
fn is_kept(headers: &Value) -> bool {
    let headers = headers.as_object().into_iter().flatten();
    let mut said = headers.map(|(name, value)| {
        (name.to_ascii_lowercase(), value.as_str().unwrap_or_default().to_ascii_lowercase())
    });
    said.any(|(name, value)| match name.as_str() {
        "cache-control" => value.contains("max-age=") && !value.contains("max-age=0"),
        "expires" => true,
        _ => false,
    })
}

/// An address as browsers write it: the host in small letters, and no port where it is the usual one.
pub(crate) fn as_browsers_write(url: &str) -> String {
    let there = origin(url);
    let written = there.to_ascii_lowercase();
    let usual = match written.starts_with("https:") {
        true => written.strip_suffix(":443"),
        false => written.strip_suffix(":80"),
    };
    format!("{}{}", usual.unwrap_or(&written), &url[there.len()..])
}

/// The scheme, host and port of an address; empty if it has none.
pub(crate) fn origin(url: &str) -> &str {
    let Some(start) = url.find("://") else { return "" };
    let host = start + 3;
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |end| host + end);
    let is_web = url.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"));
    if is_web { &url[..end] } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        for (url, expected) in [
            ("http://localhost:8000/a/b?c", "http://localhost:8000"),
            ("https://example.com", "https://example.com"),
            ("http://a?x", "http://a"),
            ("about:blank", ""),
            ("data:text/html,x://y", ""),
        ] {
            assert_eq!(origin(url), expected, "{url}");
        }
    }

    #[test]
    fn addresses_are_written_as_browsers_do() {
        for (url, expected) in [
            ("HTTP://LocalHost:80/A/b?C#D", "http://localhost/A/b?C#D"),
            ("https://Example.com:443", "https://example.com"),
            ("http://example.com:443/", "http://example.com:443/"),
            ("http://a:8080/", "http://a:8080/"),
            ("data:text/html,A", "data:text/html,A"),
        ] {
            assert_eq!(as_browsers_write(url), expected);
        }
    }
}
