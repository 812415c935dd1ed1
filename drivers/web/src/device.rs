//! The device: what a [`Device`] is asked, translated into what a browser is told.

use crate::browser::{Browser, PATIENCE};
use crate::clock::PageClock;
use crate::connection::{Link, ProtocolError, Ticket};
use crate::counts::Counts;
use crate::dialog;
use crate::journal::Journal;
use crate::keys::Key;
use crate::maps::Maps;
use crate::mishaps::MOST_REPEATED;
use crate::options::{Clock, Options};
use crate::screen::Head;
use crate::serve::Server;
use crate::settle::Planned;
use crate::stack::Frame;
use crate::surroundings::Surroundings;
use crate::tab::Tab;
use capuchin_ui::{
    Blocked, Crash, Device, DeviceError, DeviceInfo, Event, Observation, Powers, Screen, Str,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The collector's world in every document, and what it is called there.
pub(crate) const WORLD: &str = "capuchin";
pub(crate) const COLLECTOR: &str = "__capuchin";
/// What it calls to say what it sees without being asked.
pub(crate) const SAY: &str = "__capuchin_say";

/// How many documents are asked one after the other, if each goes before it has answered.
const MOST_DOCUMENTS: u32 = 10;

/// What a browser says when a document is asked that goes.
const WENT: [&str; 2] = ["navigated or closed", "Not attached to an active page"];
/// How long the scripts of an app may take to be there when it is opened. If they are not there then, they are not
/// waited for as long again.
const SLOW_START: Duration = Duration::from_secs(30);

/// Why something that was begun did not come to its end.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The device is at fault.
    Device(DeviceError),
    /// The browser refused.
    Refused(String),
    /// The page shows a dialog and waits.
    Dialog,
    /// The tab's process died, or the tab was closed.
    TabGone,
    /// The page does not answer.
    Hangs,
    /// One document follows the other, and each goes before it has answered.
    Fleeting,
}

impl From<DeviceError> for Trouble {
    fn from(error: DeviceError) -> Self {
        Trouble::Device(error)
    }
}

/// A web app in a browser.
pub struct WebDevice {
    pub(crate) info: DeviceInfo,
    pub(crate) options: Options,
    pub(crate) browser: Arc<Browser>,
    /// Serves the app's files, if it is files.
    pub(crate) _server: Option<Arc<Server>>,
    pub(crate) link: Link,
    pub(crate) context: String,
    /// The tabs, the one that is shown last.
    pub(crate) tabs: Vec<Tab>,
    /// A blank tab to go to when the app is left.
    pub(crate) elsewhere: Option<String>,
    pub(crate) screen: Arc<Screen>,
    /// The screen with the dialog on it, while there is one.
    pub(crate) covered_screen: Option<Arc<Screen>>,
    pub(crate) head: Head,
    pub(crate) crash: Option<Arc<Crash>>,
    /// The calls that led to it, until they have been traced back to the app's sources.
    pub(crate) calls: Vec<Frame>,
    pub(crate) maps: Maps,
    /// What runs of the app's code, if that is counted.
    pub(crate) counts: Option<Counts>,
    pub(crate) unsettled: Option<Str>,
    pub(crate) journal: Journal,
    pub(crate) surroundings: Surroundings,
    /// The app's own address, as it is opened.
    pub(crate) url: String,
    /// Origins that have been visited since the last reset, the app's own aside.
    pub(crate) visited: BTreeSet<String>,
    pub(crate) seed: u64,
    /// How far the page's clock is ahead of the time that it shows.
    pub(crate) offset: f64,
    /// The page changes all the time: do not wait for it to stop.
    pub(crate) restless: bool,
    /// Requests that do not end: do not wait for them.
    pub(crate) endless: BTreeSet<String>,
    /// The world of a document that is never loaded to its end: do not wait for that.
    pub(crate) unloaded: Option<String>,
    /// Something that we cannot see holds the page's clock, while it may wait for requests, and while it may not: do
    /// not wait long for it.
    pub(crate) is_held: bool,
    pub(crate) is_frozen: bool,
    /// How long the app may take to be there when it is opened.
    pub(crate) start_patience: Duration,
    /// Whether it is being opened.
    pub(crate) is_starting: bool,
    /// The state that was due when the last frame was drawn.
    pub(crate) framed: u64,
    pub(crate) clock: PageClock,
    /// Whether the app got answers that the browser may keep and give again.
    pub(crate) has_answers: bool,
    /// Whether the tab is one that a reset can use again.
    pub(crate) is_fresh: bool,
    /// Whether the next look must be at everything.
    pub(crate) whole: bool,
    /// The look that a page has planned by itself, for when the next event is over.
    pub(crate) planned: Option<Planned>,
    /// How many windows the app has opened.
    pub(crate) new_windows: u64,
    /// Whether the next tab is one that we asked for, and which it is: its target and its session.
    pub(crate) expecting: bool,
    pub(crate) expected: Option<(String, String)>,
    /// Whether pages are opened with a debugger, and as long as they are not, what was done since the last reset.
    pub(crate) has_debugger: bool,
    pub(crate) performed: Vec<Event>,
    /// What is being dragged, as the browser describes it.
    pub(crate) dragged: Option<Value>,
    /// How much of the time that the event takes has already passed.
    pub(crate) spent: Duration,
    /// Files that were made for file fields.
    pub(crate) files: Option<tempfile::TempDir>,
}

impl WebDevice {
    pub(crate) fn new(
        name: &str,
        url: String,
        options: Options,
        browser: Arc<Browser>,
        server: Option<Arc<Server>>,
    ) -> Result<Self, DeviceError> {
        let mut link = Link::new(&browser.connection);
        let start = |reason: String| DeviceError::Start { device: name.into(), reason };
        let context = browser
            .context(&mut link, options.proxy.as_deref())
            .map_err(|error| start(error.to_string()))?;
        let info = DeviceInfo::new(name, options.viewport)
            .reset_takes(Duration::from_millis(100))
            .event_takes(Duration::from_millis(8))
            .environment(crate::surroundings::EVENTS)
            .scripts(capuchin_ui::Script::LANGUAGE);
        let counts = options.coverage.then(Counts::default);
        let mut device = WebDevice {
            info,
            surroundings: Surroundings::new(&options),
            options,
            browser,
            _server: server,
            link,
            context,
            tabs: Vec::new(),
            elsewhere: None,
            screen: Arc::default(),
            covered_screen: None,
            head: Head::default(),
            crash: None,
            calls: Vec::new(),
            maps: Maps::default(),
            counts,
            unsettled: None,
            journal: Journal::default(),
            url,
            visited: BTreeSet::new(),
            seed: 0,
            offset: 0.0,
            restless: false,
            endless: BTreeSet::new(),
            unloaded: None,
            is_held: false,
            is_frozen: false,
            start_patience: SLOW_START,
            is_starting: false,
            framed: 0,
            clock: PageClock::begin(),
            has_answers: false,
            is_fresh: false,
            whole: true,
            planned: None,
            new_windows: 0,
            expecting: false,
            expected: None,
            has_debugger: false,
            performed: Vec::new(),
            dragged: None,
            spent: Duration::ZERO,
            files: None,
        };
        // What the app answers is only known when it is there.
        device.start_first()?;
        device.ask_for_predicates()?;
        Ok(device)
    }

    /// Which browser it is in.
    pub fn browser(&self) -> &str {
        &self.browser.product
    }

    pub(crate) fn tab(&mut self) -> Option<&mut Tab> {
        self.tabs.last_mut()
    }

    pub(crate) fn session(&self) -> String {
        self.tabs.last().map(|tab| tab.session.clone()).unwrap_or_default()
    }

    pub(crate) fn is_virtual(&self) -> bool {
        self.options.clock == Clock::Virtual
    }

    pub(crate) fn lost(&self, reason: impl Into<String>) -> DeviceError {
        DeviceError::Lost { device: self.info.name.clone(), reason: reason.into() }
    }

    pub(crate) fn trouble(&self, error: ProtocolError) -> Trouble {
        match error {
            ProtocolError::Gone(reason) => Trouble::Device(self.lost(reason)),
            ProtocolError::Refused { .. } => Trouble::Refused(error.to_string()),
            ProtocolError::NoReply { .. } => Trouble::Hangs,
        }
    }

    /// Sends a call to the tab that is shown, and does not wait.
    pub(crate) fn send(&mut self, method: &'static str, params: Value) -> Result<Ticket, Trouble> {
        let session = self.session();
        self.link.send(&session, method, params).map_err(|error| self.trouble(error))
    }

    /// The same, and nobody needs the reply.
    pub(crate) fn tell(&mut self, method: &'static str, params: Value) -> Result<(), Trouble> {
        let ticket = self.send(method, params)?;
        self.link.forget(ticket);
        Ok(())
    }

    /// Sends a call to the tab that is shown and waits for the reply.
    pub(crate) fn call(&mut self, method: &'static str, params: Value) -> Result<Value, Trouble> {
        let ticket = self.send(method, params)?;
        self.reply(ticket)
    }

    /// A call to the browser itself.
    pub(crate) fn ask_browser(
        &mut self,
        method: &'static str,
        params: Value,
    ) -> Result<Value, Trouble> {
        let reply = self.link.call("", method, params, PATIENCE);
        self.hear()?;
        reply.map_err(|error| self.trouble(error))
    }

    /// Waits for a reply; looks meanwhile at what the browser tells.
    pub(crate) fn reply(&mut self, ticket: Ticket) -> Result<Value, Trouble> {
        let limit = self.options.hang;
        let answered = self.wait(limit, |device| device.link.is_answered(ticket));
        match answered {
            Ok(true) => {}
            Ok(false) => {
                self.link.forget(ticket);
                return Err(Trouble::Hangs);
            }
            Err(trouble) => {
                self.link.forget(ticket);
                return Err(trouble);
            }
        }
        match self.link.take(ticket) {
            Some(reply) => reply.map_err(|error| self.trouble(error)),
            None => Err(Trouble::Hangs),
        }
    }

    /// Waits until something is so, as far as the browser's messages tell; `false` if it took too
    /// long. A dialog or the end of the tab ends it early.
    pub(crate) fn wait(
        &mut self,
        limit: Duration,
        done: impl Fn(&WebDevice) -> bool,
    ) -> Result<bool, Trouble> {
        let deadline = Instant::now() + limit;
        loop {
            self.hear()?;
            if done(self) {
                return Ok(true);
            }
            if let Some(tab) = self.tabs.last() {
                if tab.dialog.is_some() {
                    return Err(Trouble::Dialog);
                }
                if tab.crashed || tab.closed {
                    return Err(Trouble::TabGone);
                }
            }
            if !self.link.pump(deadline).map_err(|error| self.trouble(error))? {
                return Ok(false);
            }
        }
    }

    /// Evaluates in the collector's world.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Result<Value, Trouble> {
        let mut tries = 0;
        let documents = |device: &WebDevice| device.tabs.last().map_or(0, |tab| tab.documents);
        let first = documents(self);
        let result = loop {
            tries += 1;
            match self.evaluate_once(expression) {
                // The document went while we asked: ask the next one, unless there is no end to them.
                Err(Trouble::Refused(_)) if tries < MOST_DOCUMENTS => {}
                Err(Trouble::Refused(_)) if documents(self) > first + 1 => {
                    return Err(Trouble::Fleeting);
                }
                result => break result?,
            }
        };
        if let Some(details) = result.get("exceptionDetails") {
            let text = details["exception"]["description"].as_str().unwrap_or("an exception");
            return Err(Trouble::Refused(text.to_owned()));
        }
        Ok(result["result"]["value"].clone())
    }

    fn evaluate_once(&mut self, expression: &str) -> Result<Value, Trouble> {
        let world = self.world()?;
        let session = self.session();
        let params = json!({
            "expression": expression, "uniqueContextId": world,
            "returnByValue": true, "awaitPromise": true,
        });
        let asked = self.send("Runtime.evaluate", params)?;
        // A document that went may have taken the question with it.
        let is_gone = |tab: &Tab| {
            tab.session == session && tab.world.as_ref().is_some_and(|now| *now != world)
        };
        let waited = self.wait(self.options.hang, |device| {
            device.link.is_answered(asked) || device.tabs.iter().any(is_gone)
        });
        let reply = self.link.take(asked);
        if reply.is_none() {
            self.link.forget(asked);
        }
        waited?;
        let reply = match reply {
            Some(reply) => reply.map_err(|error| self.trouble(error)),
            None if self.tabs.iter().any(is_gone) => Err(Trouble::Refused("it went".to_owned())),
            None => Err(Trouble::Hangs),
        };
        if let Err(Trouble::Refused(_)) = reply
            && let Some(tab) = self.tabs.iter_mut().find(|tab| tab.world.as_ref() == Some(&world))
        {
            tab.world = None;
        }
        reply
    }

    pub(crate) fn world(&mut self) -> Result<String, Trouble> {
        let limit = self.options.hang;
        let there =
            self.wait(limit, |device| device.tabs.last().is_some_and(|tab| tab.world.is_some()))?;
        let world = self.tabs.last().and_then(|tab| tab.world.clone());
        world.filter(|_| there).ok_or(Trouble::Hangs)
    }

    /// What is to be seen now.
    fn observation(&mut self) -> Observation {
        self.trace_back();
        let screen = match self.tabs.last().and_then(|tab| tab.dialog.as_ref()) {
            Some(shown) => {
                let covered = dialog::overlay(&self.screen, shown);
                Arc::clone(self.covered_screen.insert(Arc::new(covered)))
            }
            None => {
                self.covered_screen = None;
                Arc::clone(&self.screen)
            }
        };
        let mut observation = Observation::of(screen).crashed(self.crash.clone());
        observation.unsettled = self.unsettled.take();
        observation
    }

    /// What was tried has ended; what came of it becomes the observation.
    fn outcome(
        &mut self,
        tried: Result<Option<Blocked>, Trouble>,
    ) -> Result<Observation, DeviceError> {
        match tried {
            Ok(Some(reason)) => return Ok(self.observation().blocked(reason)),
            Ok(None) | Err(Trouble::Dialog) => {}
            Err(Trouble::Device(error)) => return Err(error),
            Err(Trouble::Refused(reason)) if WENT.iter().any(|went| reason.contains(went)) => {
                self.page_is_fleeting();
            }
            Err(Trouble::Refused(reason)) => {
                return Err(DeviceError::NoAnswer { device: self.info.name.clone(), what: reason });
            }
            Err(Trouble::TabGone) => self.tab_is_gone()?,
            Err(Trouble::Hangs) => self.page_hangs()?,
            Err(Trouble::Fleeting) => self.page_is_fleeting(),
        }
        self.look_for_crashes()?;
        Ok(self.observation())
    }

    pub(crate) fn try_event(&mut self, event: &Event) -> Result<Option<Blocked>, Trouble> {
        self.receive_counts()?;
        if self.tabs.last().is_some_and(|tab| tab.dialog.is_some()) {
            return self.answer_dialog(event);
        }
        let located = match self.screen.locate(event) {
            Ok(located) => located,
            Err(reason) => return Ok(Some(reason)),
        };
        if let Some(reason) = self.act(event, located)? {
            return Ok(Some(reason));
        }
        let takes = match event {
            Event::Sleep(millis) => Duration::from_millis(*millis),
            _ => self.options.event_takes,
        };
        if !is_input(event)
            && let Some(planned) = self.planned.take()
        {
            // The page does not notice when it begins.
            self.unplan(&planned)?;
        }
        self.settle(takes)?;
        Ok(None)
    }
}

/// Whether a page is given a mouse or a key.
fn is_input(event: &Event) -> bool {
    matches!(
        event,
        Event::Click(_)
            | Event::DoubleClick(_)
            | Event::Hover(_)
            | Event::Type(..)
            | Event::Clear(_)
            | Event::Press(_)
    )
}

impl Device for WebDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn reset(&mut self, seed: u64) -> Result<Observation, DeviceError> {
        self.start_over(seed)?;
        self.look_for_crashes()?;
        Ok(self.observation())
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.info.require(event)?;
        if let Event::Press(key) = event
            && Key::named(key).is_none()
        {
            return Err(self.info.unknown(event));
        }
        if self.crash.is_some() || *event == Event::Skip {
            return Ok(self.observation());
        }
        if self.may_hang_again() && self.performed.len() <= MOST_REPEATED {
            self.performed.push(event.clone());
        }
        let tried = self.try_event(event);
        self.outcome(tried)
    }

    fn powers(&mut self) -> Option<&mut dyn Powers> {
        Some(self)
    }
}

impl Drop for WebDevice {
    fn drop(&mut self) {
        let params = json!({"browserContextId": self.context});
        let _ = self.link.tell("", "Target.disposeBrowserContext", params);
    }
}
