//! The environment of the app, which may change: the orientation of the device, its settings, its
//! network, its location, and whether the app is in the foreground.

use crate::calls::in_world;
use crate::device::WebDevice;
use crate::failure::Failure;
use crate::options::Options;
use crate::protocol_types::Done;
use capuchin_ui::{self as ui, Blocked, Size, Value as Argument};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The environment events that a browser knows.
pub(crate) const ENVIRONMENT_EVENTS: [&str; 4] = ["locUpdate", "network", "clock", "reload"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Network {
    #[default]
    On,
    Slow,
    Off,
}

/// The environment of the app as it is now.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Environment {
    viewport: Size,
    is_rotated: bool,
    /// How often the settings were changed.
    settings: u32,
    network: Network,
    location: Option<(f64, f64)>,
}

/// How long a page may take to know whether it is visible, and how long one in a browser without
/// windows, which may only know it when it is frozen.
const VISIBILITY_TIMEOUT: Duration = Duration::from_secs(2);
const HEADLESS_HIDDEN_TIMEOUT: Duration = Duration::from_millis(50);

/// After so many changes the settings are as they were at first.
const SETTINGS_CYCLE: u32 = 5;

impl Environment {
    pub(crate) fn new(options: &Options) -> Self {
        Environment { viewport: options.viewport, ..Environment::default() }
    }

    pub(crate) fn is_online(&self) -> bool {
        self.network != Network::Off
    }

    fn size(&self) -> Size {
        if self.is_rotated { self.viewport.rotated() } else { self.viewport }
    }
}

impl WebDevice {
    /// Everything around the app as it was at first.
    pub(crate) fn restore_environment(&mut self) -> Result<(), Failure> {
        let now = self.environment.clone();
        let first = Environment::new(&self.options);
        self.apply_environment(&now, &first, false)?;
        self.environment = first;
        Ok(())
    }

    fn change(&mut self, change: impl FnOnce(&mut Environment)) -> Result<(), Failure> {
        let before = self.environment.clone();
        change(&mut self.environment);
        let after = self.environment.clone();
        self.view.expect_frame();
        self.apply_environment(&before, &after, false)
    }

    /// Tells the tab what differs, or everything. A tab that is told everything is a new one, which
    /// may not answer yet.
    pub(crate) fn apply_environment(
        &mut self,
        before: &Environment,
        after: &Environment,
        everything: bool,
    ) -> Result<(), Failure> {
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
    fn located(&mut self) -> Result<(), Failure> {
        let world = self.world()?;
        let expression = "new Promise(done => navigator.geolocation.getCurrentPosition(done, done)).then(() => 1)";
        let ticket = self.send("Runtime.evaluate", in_world(&world, expression))?;
        match self.wait_for_frame(ticket) {
            Err(Failure::Refused(_)) => Ok(()),
            result => result,
        }
    }

    /// Waits until the tab has done it, unless it is a new one.
    fn command(
        &mut self,
        method: &'static str,
        params: Value,
        is_new: bool,
    ) -> Result<(), Failure> {
        if is_new { self.tell(method, params) } else { self.call(method, params) }
    }

    fn hold(&mut self, environment: &Environment, is_new: bool) -> Result<(), Failure> {
        let size = environment.size();
        let (kind, angle) = match (size.is_landscape(), environment.is_rotated) {
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
    pub(crate) fn mouse_is_finger(&mut self) -> Result<(), Failure> {
        if !self.options.touch {
            return Ok(());
        }
        let params = json!({"enabled": true, "configuration": "mobile"});
        self.tell("Emulation.setEmitTouchEventsForMouse", params)
    }

    /// Each change of the settings keeps those before it, until all are as they were.
    fn set(&mut self, changes: u32, everything: bool) -> Result<(), Failure> {
        let step = changes % SETTINGS_CYCLE;
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
                Ok(()) | Err(Failure::Refused(_)) => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(())
    }

    pub(crate) fn rotate(&mut self) -> Result<(), Failure> {
        self.change(|environment| environment.is_rotated = !environment.is_rotated)?;
        // The page hears of it when the next frame is drawn.
        self.frame()
    }

    pub(crate) fn change_settings(&mut self) -> Result<(), Failure> {
        self.change(|environment| {
            environment.settings = (environment.settings + 1) % SETTINGS_CYCLE;
        })?;
        // The first may have been begun before it.
        self.frame()?;
        self.frame()
    }

    /// Home: the page is hidden and frozen, then brought back.
    pub(crate) fn leave_and_return(&mut self) -> Result<(), Failure> {
        let here = self.tabs.current().map(|tab| tab.target.clone()).unwrap_or_default();
        let there = self.background_tab()?;
        self.ask_browser::<Done>("Target.activateTarget", json!({"targetId": there}))?;
        self.call("Emulation.setFocusEmulationEnabled", json!({"enabled": false}))?;
        // A browser without windows may only hide the page when it is frozen.
        let is_headless = self.browser.product.starts_with("Headless");
        let timeout = if is_headless { HEADLESS_HIDDEN_TIMEOUT } else { VISIBILITY_TIMEOUT };
        self.wait_for_visibility("hidden", timeout)?;
        self.tell("Page.setWebLifecycleState", json!({"state": "frozen"}))?;
        self.tell("Page.setWebLifecycleState", json!({"state": "active"}))?;
        self.ask_browser::<Done>("Target.activateTarget", json!({"targetId": here}))?;
        self.call("Emulation.setFocusEmulationEnabled", json!({"enabled": true}))?;
        self.wait_for_visibility("visible", VISIBILITY_TIMEOUT)
    }

    /// Waits until the page knows whether it is seen.
    fn wait_for_visibility(&mut self, state: &str, timeout: Duration) -> Result<(), Failure> {
        let deadline = Instant::now() + timeout;
        loop {
            let now: String = self.evaluate("document.visibilityState")?;
            if now == state || Instant::now() > deadline {
                return Ok(());
            }
        }
    }

    /// An environment event happens.
    pub(crate) fn happen(&mut self, event: &ui::Environment) -> Result<Option<Blocked>, Failure> {
        let wrong = |expected: &str| {
            Ok(Some(Blocked::Other(format!("{} takes {expected}", event.name).into())))
        };
        match (event.name.as_str(), event.args.as_slice()) {
            ("locUpdate", [Argument::Number(latitude), Argument::Number(longitude)]) => {
                let location = Some((*latitude, *longitude));
                self.change(|environment| environment.location = location)?;
            }
            ("locUpdate", _) => return wrong("a latitude and a longitude"),
            ("network", [Argument::Text(state)]) => {
                let network = match state.as_str() {
                    "on" => Network::On,
                    "slow" => Network::Slow,
                    "off" => Network::Off,
                    _ => return wrong("on, slow or off"),
                };
                self.change(|environment| environment.network = network)?;
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
            ("reload", []) => self.reload_document()?,
            ("reload", _) => return wrong("nothing"),
            _ => return Ok(Some(Blocked::Other("there is no such event".into()))),
        }
        Ok(None)
    }
}
