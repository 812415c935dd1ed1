//! Back to the initial state, in the cheapest way that is really clean.
//!
//! The tab stays, with its process and its caches of compiled code: a document that is loaded again in it
//! costs a tenth of a new context. What the app has kept is removed while the old document is still there
//! and cannot act any more: its clock stands, and it is not told that it is left.

use crate::clock::PageClock;
use crate::connection::{ProtocolError, Ticket};
use crate::device::{COLLECTOR, SAY, Trouble, WORLD, WebDevice};
use crate::http;
use crate::notices::origin;
use crate::surroundings::Surroundings;
use crate::tab::Tab;
use capuchin_ui::{Crash, Device, DeviceError, Screen};
use serde_json::{Value, json};
use std::io::{Read, Seek};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const COLLECTOR_SOURCE: &str = include_str!("page/collector.js");
const INJECT_SOURCE: &str = include_str!("page/inject.js");
const ANIMATIONS_SOURCE: &str = include_str!("page/animations.js");
/// What the addresses of our own scripts begin with: neither stacks nor counts show them.
pub(crate) const OUR_SCRIPTS: &str = "capuchin:";
/// The name of the event that carries a node from the page's world to ours.
const CHANNEL: &str = "capuchin-listens";
/// What a page's clock shows at every reset: the morning of 1 March 2024, a day like any other.
const EPOCH: f64 = 1_709_283_600_000.0;
/// A page of the app's origin that no server is asked for; see `run_ahead`.
pub(crate) const EMPTY_PAGE: &str = "/capuchin-empty-page";
const AHEAD: Duration = Duration::from_secs(24 * 60 * 60);
/// What an origin may keep, cookies and local storage aside: those are removed every time.
const RARELY_USED: &str = "file_systems,indexeddb,cache_storage,service_workers";

impl WebDevice {
    /// Opens the app for the first time. What is wrong now is not lost: it was never there.
    pub(crate) fn start_first(&mut self) -> Result<(), DeviceError> {
        let device = self.info.name.clone();
        match self.reset(0) {
            Ok(_) => {}
            Err(DeviceError::Lost { reason, .. }) => {
                return Err(DeviceError::Start { device, reason });
            }
            Err(error) => return Err(error),
        }
        // A page that asks for a password is an app as well; one that is not there is none.
        match self.tabs.last().map_or(0, |tab| tab.status) {
            status @ (404 | 410 | 500..=599) => {
                let reason = format!(
                    "{} answers with {status}; is the address right, and is the app well?",
                    self.url
                );
                Err(DeviceError::Start { device, reason })
            }
            _ => Ok(()),
        }
    }

    /// Brings the app to its initial state.
    pub(crate) fn start_over(&mut self, seed: u64) -> Result<(), DeviceError> {
        self.reset_server()?;
        self.seed = seed;
        self.performed.clear();
        self.crash = None;
        self.calls.clear();
        self.unsettled = None;
        self.endless.clear();
        self.spent = Duration::ZERO;
        let mut result = self.reload();
        if let Err(
            Trouble::Hangs
            | Trouble::TabGone
            | Trouble::Refused(_)
            | Trouble::Dialog
            | Trouble::Fleeting,
        ) = result
        {
            // The tab is beyond repair.
            self.close_tabs();
            result = self.reload();
        }
        self.is_fresh &= result.is_ok();
        match result {
            // A dialog at the start is part of the app.
            Ok(()) | Err(Trouble::Dialog) => Ok(()),
            Err(Trouble::Fleeting) => {
                let message = "the page loads itself again and again";
                self.crash = Some(Arc::new(Crash::new(message)));
                Ok(())
            }
            Err(Trouble::Device(error)) => Err(error),
            Err(Trouble::TabGone) => {
                self.crash = Some(Arc::new(Crash::new("the tab crashed while the app was loaded")));
                Ok(())
            }
            Err(Trouble::Hangs) => {
                self.crash = Some(Arc::new(Crash::new("the page hangs while it is loaded")));
                Ok(())
            }
            Err(Trouble::Refused(reason)) => {
                Err(DeviceError::Start { device: self.info.name.clone(), reason })
            }
        }
    }

    fn reload(&mut self) -> Result<(), Trouble> {
        self.hear()?;
        let mut is_new = false;
        if self.tabs.first().is_none_or(|tab| tab.crashed || tab.closed) || !self.is_fresh {
            self.close_tabs();
            self.open_tab()?;
            is_new = true;
        }
        if self.tabs.len() > 1 {
            self.take_counts()?;
        }
        while self.tabs.len() > 1 {
            self.close_last_tab()?;
        }
        let mut closed = 0;
        while self.tabs.last().is_some_and(|tab| tab.dialog.is_some()) {
            self.close_dialog(true)?;
            self.hear()?;
            closed += 1;
            if closed > 20 {
                return Err(Trouble::Hangs);
            }
        }
        if !is_new {
            self.finish_counts()?;
        }
        if !is_new {
            self.stop_the_app()?;
        }
        // To another place of the same document nothing would be loaded; and where an app runs, it might notice.
        let next = if is_new && !self.url.contains('#') { &self.url } else { "" };
        let now = self.evaluate(&format!("{COLLECTOR}.leave({})", json!(next)))?;
        self.offset = now.as_f64().unwrap_or_default() - EPOCH;
        self.clear_storage(is_new)?;
        self.restore_surroundings()?;
        self.inject()?;
        self.whole = true;
        self.framed = 0;
        self.restless = false;
        (self.is_held, self.is_frozen) = (false, false);
        self.unloaded = None;
        self.journal.clear();
        if let Some(tab) = self.tab() {
            tab.world = None;
            tab.status = 0;
            tab.going = None;
            tab.downloads.clear();
            tab.pending.clear();
        }
        let url = self.url.clone();
        // A dialog may open before there is anything else to be seen.
        self.screen = Arc::new(Screen {
            viewport: self.options.viewport,
            place: url.as_str().into(),
            elements: Vec::new(),
        });
        self.tell("Page.resetNavigationHistory", Value::Null)?;
        let began = self.send("Page.navigate", json!({"url": url}))?;
        // A server may take longer than a page may hang.
        let deadline = Instant::now() + self.options.patience.max(Duration::from_secs(30));
        let mut reply = None;
        while reply.is_none() && Instant::now() < deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            self.wait(left, |device| device.link.is_answered(began))?;
            reply = self.link.take(began);
        }
        let reply = match reply {
            Some(reply) => reply.map_err(|error| self.trouble(error))?,
            None => {
                return Err(Trouble::Device(self.lost(format!("{url} does not answer"))));
            }
        };
        if let Some(reason) = reply["errorText"].as_str() {
            let advice = meaning(reason);
            return Err(Trouble::Device(
                self.lost(format!("{url} cannot be opened: {reason}; {advice}")),
            ));
        }
        self.crash = None;
        self.calls.clear();
        self.is_starting = true;
        let settled = self.settle(self.options.event_takes);
        self.is_starting = false;
        settled?;
        self.tell("Page.resetNavigationHistory", Value::Null)?;
        Ok(())
    }

    /// Goes to an empty page where the app would still act while it is cleaned up after, or where it keeps
    /// things that cannot be reached from here: its clock is ours, or the page that is shown is somebody else's.
    fn stop_the_app(&mut self) -> Result<(), Trouble> {
        let own = self.own_origin();
        // From one place of a document to another nothing would be loaded.
        let is_place = self.url.contains('#');
        if own.is_empty() || (self.is_virtual() && origin(&self.head.url) == own && !is_place) {
            return Ok(());
        }
        self.evaluate(&format!("{COLLECTOR}.leave()"))?;
        let began = self.send("Page.navigate", json!({"url": format!("{own}{EMPTY_PAGE}")}))?;
        self.reply(began)?;
        Ok(())
    }

    fn clear_storage(&mut self, is_new: bool) -> Result<(), Trouble> {
        let context = self.context.clone();
        let clear = json!({"browserContextId": context});
        let cookies = self.link.send("", "Storage.clearCookies", clear);
        let mut cleared = vec![cookies.map_err(|error| self.trouble(error))?];
        if std::mem::take(&mut self.has_answers) {
            cleared.push(self.send("Network.clearBrowserCache", Value::Null)?);
        }
        let own = self.own_origin();
        if !is_new && !own.is_empty() {
            let usage = self.call("Storage.getUsageAndQuota", json!({"origin": own}))?;
            if usage["usage"].as_f64().unwrap_or(1.0) > 0.0 {
                let params = json!({"origin": own, "storageTypes": RARELY_USED});
                self.call("Storage.clearDataForOrigin", params)?;
            }
        } else if !own.is_empty() {
            let params = json!({"origin": own, "storageTypes": "all"});
            cleared.push(self.send("Storage.clearDataForOrigin", params)?);
        }
        for origin in std::mem::take(&mut self.visited) {
            let params = json!({"origin": origin, "storageTypes": "all"});
            cleared.push(self.send("Storage.clearDataForOrigin", params)?);
        }
        for ticket in cleared {
            self.reply(ticket)?;
        }
        if !self.options.cookies.is_empty() {
            let url = &self.url;
            let cookie = |(name, value): &(String, String)| json!({"name": name, "value": value, "url": url});
            let cookies: Vec<Value> = self.options.cookies.iter().map(cookie).collect();
            self.call("Network.setCookies", json!({"cookies": cookies}))?;
        }
        Ok(())
    }

    fn reset_server(&mut self) -> Result<(), DeviceError> {
        if let Some(command) = &self.options.reset_command {
            let failed = |what: String| self.lost(format!("the reset command `{command}` {what}"));
            // Into a file and not a pipe: a server that it leaves behind would hold the pipe open.
            let cannot = |error: std::io::Error| failed(format!("cannot be run: {error}"));
            let mut errors = tempfile::tempfile().map_err(cannot)?;
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(command).stdin(Stdio::null()).stdout(Stdio::null());
            let status =
                errors.try_clone().and_then(|log| shell.stderr(log).status()).map_err(cannot)?;
            if !status.success() {
                let mut said = String::new();
                let _ = errors.rewind().and_then(|()| errors.read_to_string(&mut said));
                return Err(failed(format!("failed: {status} {}", said.trim())));
            }
        }
        if let Some(url) = &self.options.reset_request {
            match http::request("POST", url) {
                Ok(response) if response.status < 400 => {}
                Ok(response) => {
                    let status = response.status;
                    return Err(
                        self.lost(format!("the reset request to {url} was answered with {status}"))
                    );
                }
                Err(error) => {
                    return Err(self.lost(format!("the reset request to {url} failed: {error}")));
                }
            }
        }
        Ok(())
    }

    /// Opens a tab of our own.
    fn open_tab(&mut self) -> Result<(), Trouble> {
        let (target, session) = self.blank_tab()?;
        self.tabs.push(Tab::new(&target, &session));
        self.set_up_tab()?;
        self.run_ahead()?;
        self.is_fresh = true;
        Ok(())
    }

    /// Brings the virtual clock ahead of the real one, and so far that it stays there. A page's process
    /// compares the two to decide when a frame is due: if its own clock is behind, a frame comes seconds late,
    /// and with it everything that waits for one. A day passes on an empty page of the app's origin, because
    /// the clock belongs to the process, and each origin has its own.
    fn run_ahead(&mut self) -> Result<(), Trouble> {
        let origin = self.own_origin();
        if !self.is_virtual() || origin.is_empty() {
            return Ok(());
        }
        let began = self.send("Page.navigate", json!({"url": format!("{origin}{EMPTY_PAGE}")}))?;
        self.reply(began)?;
        self.grant("advance", AHEAD, self.options.patience)?;
        Ok(())
    }

    /// A blank tab in our context: its target and its session.
    pub(crate) fn blank_tab(&mut self) -> Result<(String, String), Trouble> {
        self.expecting = true;
        self.expected = None;
        let params = json!({
            "url": "about:blank", "browserContextId": self.context, "newWindow": self.tabs.is_empty(),
            "enableBeginFrameControl": self.browser.draws_on_command,
        });
        let made = self.ask_browser("Target.createTarget", params);
        let made = made.and_then(|made| {
            let target = made["targetId"].as_str().unwrap_or_default().to_owned();
            let deadline = Instant::now() + crate::browser::PATIENCE;
            while self.expected.as_ref().is_none_or(|(known, _)| *known != target) {
                if !self.link.pump(deadline).map_err(|error| self.trouble(error))? {
                    return Err(Trouble::Device(self.lost("the browser opens no tab")));
                }
                self.hear()?;
            }
            Ok(())
        });
        self.expecting = false;
        made?;
        self.expected.take().ok_or_else(|| Trouble::Device(self.lost("the browser opens no tab")))
    }

    /// Tells a new tab what it is, and lets it begin.
    pub(crate) fn set_up_tab(&mut self) -> Result<(), Trouble> {
        self.whole = true;
        self.framed = 0;
        for method in ["Page.enable", "Runtime.enable", "Network.enable", "Inspector.enable"] {
            self.tell(method, Value::Null)?;
        }
        self.tell("Emulation.setFocusEmulationEnabled", json!({"enabled": true}))?;
        if self.is_virtual() {
            let params = json!({"policy": "pause", "initialVirtualTime": EPOCH / 1000.0});
            self.tell("Emulation.setVirtualTimePolicy", params)?;
            self.clock = PageClock::begin();
        }
        let options = self.options.clone();
        if let Some(agent) = &options.user_agent {
            let mut params = json!({"userAgent": agent});
            if let Some(locale) = &options.locale {
                params["acceptLanguage"] = locale.as_str().into();
            }
            self.tell("Emulation.setUserAgentOverride", params)?;
        }
        if let Some(timezone) = &options.timezone {
            self.tell("Emulation.setTimezoneOverride", json!({"timezoneId": timezone}))?;
        }
        if let Some(locale) = options.locale.as_deref().filter(|_| options.user_agent.is_none()) {
            let headers = json!({"Accept-Language": locale});
            self.tell("Network.setExtraHTTPHeaders", json!({"headers": headers}))?;
        }
        let mut patterns = vec![json!({"resourceType": "Document"})];
        if !options.own_headers().is_empty() {
            patterns.push(json!({"urlPattern": format!("{}/*", self.own_origin())}));
        }
        self.tell("Fetch.enable", json!({"patterns": patterns}))?;
        let download = match &options.downloads {
            Some(path) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                json!({"behavior": "allow", "downloadPath": path, "browserContextId": self.context})
            }
            None => json!({"behavior": "deny", "browserContextId": self.context}),
        };
        let told = self.link.tell("", "Browser.setDownloadBehavior", download);
        told.map_err(|error| self.trouble(error))?;
        if !options.permissions.is_empty() {
            let params =
                json!({"permissions": options.permissions, "browserContextId": self.context});
            let told = self.link.tell("", "Browser.grantPermissions", params);
            told.map_err(|error| self.trouble(error))?;
        }
        let config = json!({
            "name": COLLECTOR, "channel": CHANNEL, "counted": self.counts_from_here(),
            "onCommand": self.draws_on_command(), "say": SAY,
            "takes": if self.is_virtual() { self.options.event_takes.as_millis() } else { 0 },
        });
        let say = json!({"name": SAY, "executionContextName": WORLD});
        self.tell("Runtime.addBinding", say)?;
        let source = script("collector", &[COLLECTOR_SOURCE], &config);
        let params = json!({"source": source, "worldName": WORLD, "runImmediately": true});
        self.tell("Page.addScriptToEvaluateOnNewDocument", params)?;
        let surroundings = self.surroundings.clone();
        self.apply(&Surroundings::new(&options), &surroundings, true)?;
        self.open_debugger()?;
        // A window without an opener has no process until it may begin: nobody in it answers before.
        let injected = self.send_seed()?;
        self.tell("Runtime.runIfWaitingForDebugger", Value::Null)?;
        let injected = self.reply(injected)?;
        self.note_seed(&injected);
        Ok(())
    }

    /// Gives the seed to the documents to come.
    fn inject(&mut self) -> Result<(), Trouble> {
        let injected = self.send_seed()?;
        let injected = self.reply(injected)?;
        self.note_seed(&injected);
        Ok(())
    }

    fn send_seed(&mut self) -> Result<Ticket, Trouble> {
        if let Some(old) = self.tab().and_then(|tab| tab.inject.take()) {
            let params = json!({"identifier": old});
            self.tell("Page.removeScriptToEvaluateOnNewDocument", params)?;
        }
        // Nearby seeds must not give nearby numbers.
        let seed = (self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
        let config = json!({
            "seed": seed, "offset": self.offset, "virtual": self.is_virtual(), "channel": CHANNEL,
            "counted": self.counts_from_here(), "onCommand": self.draws_on_command(),
            "uneven": self.options.uneven_requests, "touch": self.options.touch,
        });
        let source = script("inject", &[ANIMATIONS_SOURCE, INJECT_SOURCE], &config);
        self.send("Page.addScriptToEvaluateOnNewDocument", json!({"source": source}))
    }

    fn note_seed(&mut self, injected: &Value) {
        let name = injected["identifier"].as_str().map(str::to_owned);
        if let Some(tab) = self.tab() {
            tab.inject = name;
        }
    }

    pub(crate) fn close_last_tab(&mut self) -> Result<(), Trouble> {
        let Some(tab) = self.tabs.pop() else { return Ok(()) };
        if tab.closed {
            return Ok(());
        }
        match self.ask_browser("Target.closeTarget", json!({"targetId": tab.target})) {
            Ok(_) | Err(Trouble::Refused(_)) => {}
            Err(trouble) => return Err(trouble),
        }
        self.whole = true;
        Ok(())
    }

    fn close_tabs(&mut self) {
        for tab in std::mem::take(&mut self.tabs) {
            let params = json!({"targetId": tab.target});
            let closed: Result<Value, ProtocolError> =
                self.link.call("", "Target.closeTarget", params, Duration::from_secs(2));
            // What does not close is left to the browser.
            let _ = closed;
        }
        self.whole = true;
    }

    /// Another tab is shown now: everything about it must be asked for.
    pub(crate) fn show_current(&mut self) {
        self.whole = true;
        self.framed = 0;
    }
}

/// A script of ours.
fn script(name: &str, sources: &[&str], config: &Value) -> String {
    let mut script: String =
        sources.iter().map(|source| format!("({source})({config});\n")).collect();
    script.push_str(&format!("//# sourceURL={OUR_SCRIPTS}{name}"));
    script
}

/// What one of the browser's words for an address that does not open means, and what to do.
fn meaning(error: &str) -> &'static str {
    match error {
        "net::ERR_CONNECTION_REFUSED" | "net::ERR_CONNECTION_RESET" | "net::ERR_EMPTY_RESPONSE" => {
            "nobody answers there: is the app running, and is the port right?"
        }
        "net::ERR_NAME_NOT_RESOLVED" => "there is no host of that name: is the address right?",
        "net::ERR_UNSAFE_PORT" => "browsers open no page on this port: is it the right one?",
        "net::ERR_ABORTED" => "it is a download or nothing at all: is it the address of a page?",
        "net::ERR_INTERNET_DISCONNECTED" | "net::ERR_ADDRESS_UNREACHABLE" => {
            "there is no way to it: is the network up, and does it need proxy=HOST:PORT?"
        }
        _ if error.starts_with("net::ERR_CERT") => {
            "its certificate is not trusted; flag=--ignore-certificate-errors opens it all the same"
        }
        _ => "is the app running, and is the address right?",
    }
}
