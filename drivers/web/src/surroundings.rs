//! What is around the app and may change: how the device is held, its settings, its network, where it is.
//! And the buttons of the device that lead out of the app.

use crate::browser::PATIENCE;
use crate::device::{Trouble, WebDevice};
use crate::keys::Key;
use crate::options::Options;
use capuchin_ui::{Blocked, Environment, Size, Value as Argument};
use serde_json::{Value, json};
use std::time::Duration;

/// The environment events that a browser knows.
pub(crate) const EVENTS: [&str; 4] = ["locUpdate", "network", "clock", "reload"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Network {
    #[default]
    On,
    Slow,
    Off,
}

/// What is around the app now.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Surroundings {
    viewport: Size,
    turned: bool,
    /// How often the settings were changed.
    settings: u32,
    network: Network,
    location: Option<(f64, f64)>,
}

/// After so many changes the settings are as they were at first.
const ROUND_OF_SETTINGS: u32 = 5;

impl Surroundings {
    pub(crate) fn new(options: &Options) -> Self {
        Surroundings { viewport: options.viewport, ..Surroundings::default() }
    }

    pub(crate) fn is_online(&self) -> bool {
        self.network != Network::Off
    }

    fn size(&self) -> Size {
        if self.turned { self.viewport.rotated() } else { self.viewport }
    }
}

impl WebDevice {
    /// Everything around the app as it was at first.
    pub(crate) fn restore_surroundings(&mut self) -> Result<(), Trouble> {
        let now = self.surroundings.clone();
        let first = Surroundings::new(&self.options);
        self.apply(&now, &first, false)?;
        self.surroundings = first;
        Ok(())
    }

    fn change(&mut self, change: impl FnOnce(&mut Surroundings)) -> Result<(), Trouble> {
        let before = self.surroundings.clone();
        change(&mut self.surroundings);
        let after = self.surroundings.clone();
        // Who listens for it hears of it with the next frame.
        self.framed = u64::MAX;
        self.apply(&before, &after, false)
    }

    /// Tells the tab what differs, or everything. A tab that is told everything is a new one, which may not
    /// answer yet.
    pub(crate) fn apply(
        &mut self,
        before: &Surroundings,
        after: &Surroundings,
        everything: bool,
    ) -> Result<(), Trouble> {
        if everything || before.size() != after.size() {
            self.hold(after, everything)?;
        }
        if everything || before.settings != after.settings {
            self.set(after.settings, everything)?;
        }
        if before.network != after.network {
            let (latency, bytes) = match after.network {
                Network::Slow => (400, 50_000),
                _ => (0, -1),
            };
            let params = json!({
                "offline": after.network == Network::Off, "latency": latency,
                "downloadThroughput": bytes, "uploadThroughput": bytes,
            });
            self.command("Network.emulateNetworkConditions", params, everything)?;
        }
        if before.location != after.location {
            match after.location {
                Some((latitude, longitude)) => {
                    let params =
                        json!({"latitude": latitude, "longitude": longitude, "accuracy": 1});
                    self.command("Emulation.setGeolocationOverride", params, everything)?;
                    if !everything {
                        self.located()?;
                    }
                }
                None => self.tell("Emulation.clearGeolocationOverride", Value::Null)?,
            }
        }
        Ok(())
    }

    /// Waits until a location has come to the page: it comes by a way of its own.
    fn located(&mut self) -> Result<(), Trouble> {
        let world = self.world()?;
        let expression = "new Promise(done => navigator.geolocation.getCurrentPosition(done, done)).then(() => 1)";
        let params =
            json!({"expression": expression, "uniqueContextId": world, "awaitPromise": true});
        let ticket = self.send("Runtime.evaluate", params)?;
        match self.drawn(ticket) {
            Err(Trouble::Refused(_)) => Ok(()),
            result => result,
        }
    }

    /// Waits until the tab has done it, unless it is a new one.
    fn command(
        &mut self,
        method: &'static str,
        params: Value,
        is_new: bool,
    ) -> Result<(), Trouble> {
        if is_new { self.tell(method, params) } else { self.call(method, params).map(|_| ()) }
    }

    fn hold(&mut self, surroundings: &Surroundings, is_new: bool) -> Result<(), Trouble> {
        let size = surroundings.size();
        let (kind, angle) = match (size.is_landscape(), surroundings.turned) {
            (true, turned) => ("landscapePrimary", if turned { 90 } else { 0 }),
            (false, turned) => ("portraitPrimary", if turned { 90 } else { 0 }),
        };
        let touch = self.options.touch;
        let params = json!({
            "width": size.width, "height": size.height, "screenWidth": size.width, "screenHeight": size.height,
            "deviceScaleFactor": self.options.scale, "mobile": touch,
            "screenOrientation": {"type": kind, "angle": angle},
        });
        self.command("Emulation.setDeviceMetricsOverride", params, is_new)?;
        if touch {
            let params = json!({"enabled": true, "maxTouchPoints": 5});
            self.tell("Emulation.setTouchEmulationEnabled", params)?;
            self.mouse_is_finger()?;
        }
        Ok(())
    }

    /// The browser takes its mouse for a finger, if the device has fingers.
    pub(crate) fn mouse_is_finger(&mut self) -> Result<(), Trouble> {
        if !self.options.touch {
            return Ok(());
        }
        let params = json!({"enabled": true, "configuration": "mobile"});
        self.tell("Emulation.setEmitTouchEventsForMouse", params)
    }

    /// Each change of the settings keeps those before it, until all are as they were.
    fn set(&mut self, changes: u32, everything: bool) -> Result<(), Trouble> {
        let step = changes % ROUND_OF_SETTINGS;
        let feature = |name: &str, value: &str| json!({"name": name, "value": value});
        let features = json!([
            feature("prefers-color-scheme", if step >= 1 { "dark" } else { "light" }),
            feature("prefers-reduced-motion", if step >= 2 { "reduce" } else { "no-preference" }),
        ]);
        self.command("Emulation.setEmulatedMedia", json!({"features": features}), everything)?;
        if !everything {
            let (standard, fixed) = if step >= 3 { (20, 16) } else { (16, 13) };
            let sizes = json!({"fontSizes": {"standard": standard, "fixed": fixed}});
            self.tell("Page.setFontSizes", sizes)?;
        }
        let mut locale = self.options.locale.clone().unwrap_or_default();
        if step >= 4 {
            locale = if locale.starts_with("de") { "en-US" } else { "de-DE" }.to_owned();
        }
        if !(everything && locale.is_empty()) {
            let params = if locale.is_empty() { json!({}) } else { json!({"locale": locale}) };
            match self.command("Emulation.setLocaleOverride", params, everything) {
                // Another tab of the same process has set it already.
                Ok(()) | Err(Trouble::Refused(_)) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(())
    }

    pub(crate) fn rotate(&mut self) -> Result<(), Trouble> {
        self.change(|surroundings| surroundings.turned = !surroundings.turned)?;
        // The page hears of it when the next frame is drawn.
        self.frame()
    }

    pub(crate) fn change_settings(&mut self) -> Result<(), Trouble> {
        self.change(|surroundings| {
            surroundings.settings = (surroundings.settings + 1) % ROUND_OF_SETTINGS;
        })?;
        // The first may have been begun before it.
        self.frame()?;
        self.frame()
    }

    /// Back: to the page before, out of a popup, or out of the app and in again.
    pub(crate) fn back(&mut self) -> Result<(), Trouble> {
        let history = self.call("Page.getNavigationHistory", Value::Null)?;
        let now = history["currentIndex"].as_u64().unwrap_or_default() as usize;
        if now > 0 {
            let entry = history["entries"][now - 1]["id"].clone();
            let moves = self.tabs.last().map_or(0, |tab| tab.moves);
            self.call("Page.navigateToHistoryEntry", json!({"entryId": entry}))?;
            // The answer comes before anything has moved.
            let moved =
                |device: &WebDevice| device.tabs.last().is_some_and(|tab| tab.moves > moves);
            return self.wait(self.options.patience, moved).map(|_| ());
        }
        if self.tabs.len() > 1 {
            self.close_last_tab()?;
            self.show_current();
            return Ok(());
        }
        // The first page: beyond it is the end of the app. It is opened again, with all that it has kept.
        let documents = self.tabs.last().map_or(0, |tab| tab.documents);
        let url = self.url.clone();
        self.call("Page.navigate", json!({"url": url}))?;
        self.await_document(documents)?;
        self.tell("Page.resetNavigationHistory", Value::Null)
    }

    /// Waits for a document after so many.
    fn await_document(&mut self, documents: u64) -> Result<(), Trouble> {
        let limit = self.options.hang;
        self.wait(limit, |device| device.tabs.last().is_some_and(|tab| tab.documents > documents))?;
        self.whole = true;
        Ok(())
    }

    /// Waits for the document that the tab is on its way to, and for downloads; whether there were any. The
    /// page's clock knows nothing of them: it is the browser that loads them.
    pub(crate) fn arrive(&mut self) -> Result<bool, Trouble> {
        let is_under_way = |device: &WebDevice| {
            device.tabs.last().is_some_and(|tab| tab.going.is_some() || !tab.downloads.is_empty())
        };
        if !is_under_way(self) {
            return Ok(false);
        }
        let limit = self.options.patience;
        if !self.wait(limit, |device| !is_under_way(device))? {
            let is_page = self.tabs.last().is_some_and(|tab| tab.going.is_some());
            let what = if is_page { "another page" } else { "a download" };
            let pending = self.pending_requests();
            self.busy(format!("{what} is still on its way{pending}"));
            if let Some(tab) = self.tab() {
                tab.going = None;
                tab.downloads.clear();
            }
        }
        Ok(true)
    }

    /// Home: the page is hidden and frozen, then brought back.
    pub(crate) fn leave_and_return(&mut self) -> Result<(), Trouble> {
        let here = self.tabs.last().map(|tab| tab.target.clone()).unwrap_or_default();
        if self.elsewhere.is_none() {
            let (target, session) = self.blank_tab()?;
            let ready =
                self.link.call(&session, "Runtime.runIfWaitingForDebugger", Value::Null, PATIENCE);
            ready.map_err(|error| self.trouble(error))?;
            self.elsewhere = Some(target);
        }
        let there = self.elsewhere.clone().unwrap_or_default();
        self.ask_browser("Target.activateTarget", json!({"targetId": there}))?;
        self.call("Emulation.setFocusEmulationEnabled", json!({"enabled": false}))?;
        // A browser without windows may only hide the page when it is frozen.
        let is_windowless = self.browser.product.starts_with("Headless");
        self.seen("hidden", Duration::from_millis(if is_windowless { 50 } else { 2000 }))?;
        self.tell("Page.setWebLifecycleState", json!({"state": "frozen"}))?;
        self.tell("Page.setWebLifecycleState", json!({"state": "active"}))?;
        self.ask_browser("Target.activateTarget", json!({"targetId": here}))?;
        self.call("Emulation.setFocusEmulationEnabled", json!({"enabled": true}))?;
        self.seen("visible", Duration::from_secs(2))
    }

    /// Waits until the page knows whether it is seen.
    fn seen(&mut self, state: &str, limit: Duration) -> Result<(), Trouble> {
        let deadline = std::time::Instant::now() + limit;
        loop {
            let now = self.evaluate("document.visibilityState")?;
            if now == state || std::time::Instant::now() > deadline {
                return Ok(());
            }
        }
    }

    pub(crate) fn menu(&mut self) -> Result<(), Trouble> {
        let Some(key) = Key::named("ContextMenu") else { return Ok(()) };
        self.press(&key)
    }

    /// Something happens around the app.
    pub(crate) fn happen(&mut self, event: &Environment) -> Result<Option<Blocked>, Trouble> {
        let wrong = |expected: &str| {
            Ok(Some(Blocked::Other(format!("{} takes {expected}", event.name).into())))
        };
        match (event.name.as_str(), event.args.as_slice()) {
            ("locUpdate", [Argument::Number(latitude), Argument::Number(longitude)]) => {
                let location = Some((*latitude, *longitude));
                self.change(|surroundings| surroundings.location = location)?;
            }
            ("locUpdate", _) => return wrong("a latitude and a longitude"),
            ("network", [Argument::Text(state)]) => {
                let network = match state.as_str() {
                    "on" => Network::On,
                    "slow" => Network::Slow,
                    "off" => Network::Off,
                    _ => return wrong("on, slow or off"),
                };
                self.change(|surroundings| surroundings.network = network)?;
            }
            ("network", _) => return wrong("on, slow or off"),
            ("clock", [Argument::Number(millis)]) if *millis >= 0.0 => {
                let time = Duration::from_millis(*millis as u64);
                if self.is_virtual() {
                    self.pass(time)?;
                } else {
                    return wrong("the virtual clock (time=virtual)");
                }
            }
            ("clock", _) => return wrong("milliseconds"),
            ("reload", []) => {
                let documents = self.tabs.last().map_or(0, |tab| tab.documents);
                self.call("Page.reload", json!({}))?;
                self.await_document(documents)?;
            }
            ("reload", _) => return wrong("nothing"),
            _ => return Ok(Some(Blocked::Other("there is no such event".into()))),
        }
        Ok(None)
    }
}
