//! The device: what a [`Device`] is asked, translated into what a browser is told.
//!
//! Each part of it owns what it knows: the connection (`link`), the tabs, the page's view, its
//! clock, what is known not to come to rest, crashes, coverage, the environment. What needs several
//! of them is in a file for each subject.

use crate::allowed_origins::AllowedOrigins;
use crate::app_log::AppLog;
use crate::app_server::{AppServer, Presence};
use crate::browser::Browser;
use crate::clock::PageClock;
use crate::connection::ProtocolError;
use crate::counts::Counts;
use crate::crash::Crashes;
use crate::dialog;
use crate::environment::{ENVIRONMENT_EVENTS, Environment};
use crate::failure::Failure;
use crate::filter_proxy::FilterProxy;
use crate::input::Input;
use crate::keys::Key;
use crate::lacks::Lacks;
use crate::link::Link;
use crate::opener::App;
use crate::options::{Clock, Options};
use crate::page_failures::HangSearch;
use crate::recorder::Recording;
use crate::serve::Server;
use crate::settle::Settling;
use crate::source_maps::SourceMaps;
use crate::storage::Storage;
use crate::tab_death::Stderr;
use crate::tabs::Tabs;
use crate::urls::AppUrl;
use crate::view::View;
use crate::waits::{SharedWaits, Wait, WaitLog};
use capuchin_ui::{
    Blocked, Device, DeviceError, DeviceInfo, Event, Observation, Powers, Script, Stop,
};
use serde_json::json;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

/// What a browser says when a document is asked that goes.
const DOCUMENT_WENT: [&str; 2] = ["navigated or closed", "Not attached to an active page"];

/// What to do if the app's server keeps something.
const RESET_ADVICE: &str = "if its server keeps something, say how to reset that with \
                            reset-command= or reset-request= (`capuchin help web`)";

/// A web app in a browser.
pub struct WebDevice {
    pub(crate) info: DeviceInfo,
    pub(crate) options: Options,
    pub(crate) browser: Arc<Browser>,
    /// Serves the app's files, if it is files.
    _server: Option<Arc<Server>>,
    pub(crate) app: AppUrl,
    pub(crate) allowed: AllowedOrigins,
    pub(crate) lacks: Lacks,
    /// The server of the app, and whether it may have gone.
    pub(crate) server: AppServer,
    pub(crate) seed: u64,
    pub(crate) link: Link,
    pub(crate) tabs: Tabs,
    pub(crate) view: View,
    pub(crate) clock: PageClock,
    pub(crate) settling: Settling,
    pub(crate) crashes: Crashes,
    /// What the browser wrote to its standard error.
    pub(crate) stderr: Stderr,
    pub(crate) hangs: HangSearch,
    pub(crate) log: AppLog,
    pub(crate) source_maps: SourceMaps,
    /// What runs of the app's code, if that is counted.
    pub(crate) counts: Option<Counts>,
    pub(crate) storage: Storage,
    pub(crate) environment: Environment,
    pub(crate) input: Input,
    /// What somebody else does.
    pub(crate) recording: Recording,
    pub(crate) waits: WaitLog,
}

impl WebDevice {
    pub(crate) fn new(
        name: &str,
        app: App,
        options: Options,
        browser: Arc<Browser>,
        stop: &Stop,
        waits: Option<SharedWaits>,
    ) -> Result<Self, DeviceError> {
        let mut link = Link::new(&browser.connection);
        link.stop_when(stop);
        let start = |reason: String| DeviceError::Start { device: name.into(), reason };
        let App { url, allowed, server, lack } = app;
        let proxy = filter_proxy(&allowed, &options).map_err(start)?;
        let bypass = allowed.bypass_list(options.proxy.is_some());
        let proxy_server = proxy.as_ref().map(FilterProxy::server).or(options.proxy.clone());
        let used = proxy_server.as_deref().map(|server| (server, bypass.as_str()));
        let context = browser.context(&mut link, used).map_err(|error| match error {
            ProtocolError::Stopped => DeviceError::Stopped { device: name.into() },
            error => start(error.to_string()),
        })?;
        let info = DeviceInfo::new(name, options.viewport)
            .reset_takes(Duration::from_millis(100))
            .event_takes(Duration::from_millis(8))
            .reset_advice(RESET_ADVICE)
            .environment(ENVIRONMENT_EVENTS)
            .scripts(Script::LANGUAGE);
        let mut device = WebDevice {
            info,
            browser,
            _server: server,
            app: AppUrl::new(url),
            allowed,
            lacks: Lacks::new(lack, proxy),
            server: AppServer::default(),
            seed: 0,
            link,
            tabs: Tabs::new(context),
            view: View::new(),
            clock: PageClock::new(),
            settling: Settling::new(),
            crashes: Crashes::default(),
            stderr: Stderr::default(),
            hangs: HangSearch::default(),
            log: AppLog::default(),
            source_maps: SourceMaps::default(),
            counts: options.coverage.then(Counts::default),
            storage: Storage::default(),
            environment: Environment::new(&options),
            input: Input::default(),
            recording: Recording::default(),
            waits: WaitLog::new(waits),
            options,
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

    pub(crate) fn is_virtual(&self) -> bool {
        self.options.clock == Clock::Virtual
    }

    /// What came of something, unless a wait in it was cut short: what such a wait was for may have
    /// decided it, and nobody knows how.
    fn uncut(
        &mut self,
        attempt: impl FnOnce(&mut Self) -> Result<Observation, DeviceError>,
    ) -> Result<Observation, DeviceError> {
        let result = attempt(self);
        if !self.link.take_cut_short() {
            return result;
        }
        // The page is in the middle of something.
        self.tabs.is_reusable = false;
        Err(self.stopped())
    }

    /// What is to be seen now.
    fn observation(&mut self) -> Observation {
        self.trace_back();
        let screen = match self.tabs.current().and_then(|tab| tab.dialog.as_ref()) {
            Some(shown) => Arc::new(dialog::overlay(&self.view.screen, shown)),
            None => Arc::clone(&self.view.screen),
        };
        let mut observation = Observation::of(screen).crashed(self.crashes.found());
        observation.unsettled = self.view.unsettled.take();
        observation.lacked = self.lacks.take();
        observation.app_time = self.is_virtual().then(|| self.clock.since_reset());
        observation
    }

    /// What was tried has ended; what came of it becomes the observation.
    fn outcome(
        &mut self,
        tried: Result<Option<Blocked>, Failure>,
    ) -> Result<Observation, DeviceError> {
        let mut blocked = None;
        match tried {
            Ok(reason) => blocked = reason,
            Err(Failure::Dialog) => {}
            Err(Failure::Device(error)) => return Err(error),
            Err(Failure::Refused(reason)) if DOCUMENT_WENT.iter().any(|it| reason.contains(it)) => {
                self.page_is_fleeting();
            }
            Err(Failure::Refused(reason)) => {
                return Err(DeviceError::NoAnswer { device: self.info.name.clone(), what: reason });
            }
            Err(Failure::TabGone) => self.tab_is_gone()?,
            Err(Failure::Hangs) => self.page_hangs()?,
            Err(Failure::Fleeting) => self.page_is_fleeting(),
        }
        self.require_server()?;
        if let Some(reason) = blocked {
            return Ok(self.observation().blocked(reason));
        }
        self.look_for_crashes()?;
        Ok(self.observation())
    }

    pub(crate) fn try_event(&mut self, event: &Event) -> Result<Option<Blocked>, Failure> {
        self.settling.begin_event(&self.view.head.url);
        self.receive_counts()?;
        if self.tabs.current().is_some_and(|tab| tab.dialog.is_some()) {
            return self.answer_dialog(event);
        }
        let located = match self.view.screen.locate(event) {
            Ok(located) => located,
            Err(reason) => return Ok(Some(reason)),
        };
        self.let_input_pass(event)?;
        let acted = self.during(Wait::Input, |device| device.act(event, located));
        self.stop_input()?;
        if let Some(reason) = acted? {
            return Ok(Some(reason));
        }
        let takes = match event {
            Event::Sleep(millis) => Duration::from_millis(*millis),
            _ => self.options.event_takes,
        };
        if !is_input(event) {
            // The page does not notice when it begins.
            self.cancel_planned()?;
        }
        self.settle(takes)?;
        Ok(None)
    }
}

/// The proxy that refuses other origins, unless all are allowed. The error says what to do.
fn filter_proxy(
    allowed: &AllowedOrigins,
    options: &Options,
) -> Result<Option<FilterProxy>, String> {
    let AllowedOrigins::Only(_) = allowed else { return Ok(None) };
    let upstream = match options.proxy.as_deref() {
        None => None,
        Some(proxy) => match proxy.strip_prefix("http://").unwrap_or(proxy) {
            address if is_host_and_port(address) => Some(address.to_owned()),
            _ => {
                return Err(format!(
                    "proxy={proxy}: expected HOST:PORT of an HTTP proxy; add allow=* to use another \
                     kind, with which other origins cannot be blocked"
                ));
            }
        },
    };
    // The browser would only say that the app does not answer.
    if let (Some(upstream), Some(proxy)) = (&upstream, &options.proxy) {
        let reached = TcpStream::connect(upstream);
        reached.map_err(|error| format!("proxy={proxy}: the proxy cannot be reached: {error}"))?;
    }
    let proxy = FilterProxy::start(allowed.clone(), upstream);
    proxy.map(Some).map_err(|error| format!("cannot listen on this machine: {error}"))
}

/// Whether this is the address of a proxy: `proxy.example.org:3128`, `[::1]:3128`.
fn is_host_and_port(address: &str) -> bool {
    let port = address.rsplit_once(':').filter(|(host, _)| !host.is_empty());
    !address.contains(['/', '=', ';', ','])
        && port.is_some_and(|(_, port)| port.parse::<u16>().is_ok_and(|port| port > 0))
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
        self.uncut(|device| {
            device.during(Wait::Reset, |device| device.start_over(seed))?;
            if let Presence::Back = device.check_server()? {
                device.during(Wait::Reset, |device| device.start_over(seed))?;
                device.require_server()?;
            }
            device.look_for_crashes()?;
            device.clock.begin_run();
            let mut seen = device.observation();
            let untold = device.settling.untold.take();
            seen.unsettled = seen.unsettled.or(untold);
            Ok(seen)
        })
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.info.require(event)?;
        if let Event::Press(key) = event
            && Key::named(key).is_none()
        {
            return Err(self.info.unknown(event));
        }
        if self.crashes.any() || *event == Event::Skip {
            return Ok(self.observation());
        }
        self.remember(event);
        self.uncut(|device| {
            let tried = match device.recording.is_done(event) {
                true => device.settle(device.options.event_takes).map(|()| None),
                false => device.during(Wait::Event, |device| device.try_event(event)),
            };
            device.note_history()?;
            device.outcome(tried)
        })
    }

    fn powers(&mut self) -> Option<&mut dyn Powers> {
        Some(self)
    }
}

impl Drop for WebDevice {
    fn drop(&mut self) {
        let params = json!({"browserContextId": self.tabs.context});
        let _ = self.link.tell("", "Target.disposeBrowserContext", params);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_named_with_its_port_and_can_be_reached() {
        let allowed = AllowedOrigins::new("http://app.test/", &[]);
        let problem = |proxy: &str| {
            let options = Options::parse(&format!("http://app.test/ proxy={proxy}")).unwrap();
            filter_proxy(&allowed, &options).err().unwrap_or_default()
        };
        for wrong in ["host", "host:", ":80", "host:0", "host:http", "socks5://host:1080"] {
            assert!(problem(wrong).contains("expected HOST:PORT"), "{wrong}: {}", problem(wrong));
        }
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        assert_eq!(problem(&address), "");
        assert_eq!(problem(&format!("http://{address}")), "");
        drop(listener);
        assert!(problem(&address).contains("cannot be reached"), "{}", problem(&address));
    }
}
