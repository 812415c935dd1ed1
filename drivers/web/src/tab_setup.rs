//! What a new tab is told before anything of the app runs in it: which events to report, which
//! clock to have, what it seems to be, and our scripts for every document that it will show.

use crate::calls::{COLLECTOR, WORLD};
use crate::clock::{self, EPOCH};
use crate::device::WebDevice;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::link::Ticket;
use crate::page_scripts;
use crate::protocol_types::ScriptAdded;
use crate::recorder::{self, GESTURE_BINDING, RECORDER};
use serde_json::{Value, json};

/// The function with which the collector sends a snapshot without being asked.
pub(crate) const SNAPSHOT_BINDING: &str = "__capuchin_say";
/// A page of the app's origin that no server is asked for: `Fetch.requestPaused` is answered with
/// an empty document.
pub(crate) const EMPTY_PAGE: &str = "/capuchin-empty-page";
/// The name of the event that carries a node from the page's world to ours.
const CHANNEL: &str = "capuchin-listens";

impl WebDevice {
    /// Tells a new tab what it is, and lets it begin.
    pub(crate) fn set_up_tab(&mut self) -> Result<(), Failure> {
        self.view.restart();
        for method in ["Page.enable", "Runtime.enable", "Network.enable", "Inspector.enable"] {
            self.tell(method, Value::Null)?;
        }
        self.tell("Emulation.setFocusEmulationEnabled", json!({"enabled": true}))?;
        if self.is_virtual() {
            let params = json!({"policy": "pause", "initialVirtualTime": EPOCH / 1000.0});
            self.tell("Emulation.setVirtualTimePolicy", params)?;
            self.clock.restart();
        }
        self.set_identity()?;
        self.set_permissions()?;
        self.add_recorder()?;
        self.add_collector()?;
        let environment = self.environment.clone();
        self.apply_environment(&Environment::new(&self.options), &environment, true)?;
        self.open_debugger()?;
        // A window without an opener has no process until it may begin: nobody in it answers
        // before.
        let added = self.send_seed()?;
        self.tell("Runtime.runIfWaitingForDebugger", Value::Null)?;
        self.note_seed(added)
    }

    /// What the browser says that it is, and where.
    fn set_identity(&mut self) -> Result<(), Failure> {
        let agent = self.options.user_agent.clone();
        let locale = self.options.locale.clone();
        if let Some(agent) = &agent {
            let mut params = json!({"userAgent": agent});
            if let Some(locale) = &locale {
                params["acceptLanguage"] = locale.as_str().into();
            }
            self.tell("Emulation.setUserAgentOverride", params)?;
        }
        if let Some(timezone) = self.options.timezone.clone() {
            self.tell("Emulation.setTimezoneOverride", json!({"timezoneId": timezone}))?;
        }
        if let Some(locale) = locale.filter(|_| agent.is_none()) {
            let headers = json!({"Accept-Language": locale});
            self.tell("Network.setExtraHTTPHeaders", json!({"headers": headers}))?;
        }
        Ok(())
    }

    /// Which requests wait for our word, where downloads go, and what the app may do.
    fn set_permissions(&mut self) -> Result<(), Failure> {
        let mut patterns = vec![json!({"resourceType": "Document"})];
        if !self.options.own_headers().is_empty() {
            patterns.push(json!({"urlPattern": format!("{}/*", self.app.origin())}));
        }
        self.tell("Fetch.enable", json!({"patterns": patterns}))?;
        let context = &self.tabs.context;
        let download = match &self.options.downloads {
            Some(path) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                json!({"behavior": "allow", "downloadPath": path, "browserContextId": context})
            }
            None => json!({"behavior": "deny", "browserContextId": context}),
        };
        let permissions = &self.options.permissions;
        let granted = json!({"permissions": permissions, "browserContextId": context});
        let is_any_granted = !permissions.is_empty();
        self.tell_to("", "Browser.setDownloadBehavior", download)?;
        if is_any_granted {
            self.tell_to("", "Browser.grantPermissions", granted)?;
        }
        Ok(())
    }

    /// The collector in every document to come.
    fn add_collector(&mut self) -> Result<(), Failure> {
        let takes = if self.is_virtual() { self.options.event_takes.as_millis() } else { 0 };
        let config = json!({
            "name": COLLECTOR, "channel": CHANNEL, "counted": self.counts_from_here(),
            "onCommand": self.draws_on_command(), "say": SNAPSHOT_BINDING, "takes": takes,
            "touch": self.options.touch,
        });
        let binding = json!({"name": SNAPSHOT_BINDING, "executionContextName": WORLD});
        self.tell("Runtime.addBinding", binding)?;
        let source = page_scripts::collector(config);
        let params = json!({"source": source, "worldName": WORLD, "runImmediately": true});
        self.tell("Page.addScriptToEvaluateOnNewDocument", params)
    }

    /// The recorder in every document to come: before the collector, so that what is stopped is
    /// heard by nobody.
    fn add_recorder(&mut self) -> Result<(), Failure> {
        if !self.options.record {
            return Ok(());
        }
        let binding = json!({"name": GESTURE_BINDING, "executionContextName": WORLD});
        self.tell("Runtime.addBinding", binding)?;
        let source = page_scripts::recorder(&json!({
            "name": RECORDER, "collector": COLLECTOR, "channel": CHANNEL, "say": GESTURE_BINDING,
            "scripts": page_scripts::OUR_SCRIPTS, "stamp": clock::stamps(), "isPerson": self.options.visible, "pauses": recorder::pauses(self.options.visible),
        }));
        let params = json!({"source": source, "worldName": WORLD, "runImmediately": true});
        self.tell("Page.addScriptToEvaluateOnNewDocument", params)
    }

    /// Gives the seed to the documents to come.
    pub(crate) fn inject_seed(&mut self) -> Result<(), Failure> {
        let added = self.send_seed()?;
        self.note_seed(added)
    }

    fn send_seed(&mut self) -> Result<Ticket, Failure> {
        if let Some(old) = self.tabs.current_mut().and_then(|tab| tab.seed_script.take()) {
            let params = json!({"identifier": old});
            self.tell("Page.removeScriptToEvaluateOnNewDocument", params)?;
        }
        // Nearby seeds must not give nearby numbers.
        let seed = (self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
        let config = json!({
            "seed": seed, "offset": self.clock.offset, "virtual": self.is_virtual(), "channel": CHANNEL,
            "counted": self.counts_from_here(), "onCommand": self.draws_on_command(),
            "uneven": self.options.uneven_requests, "touch": self.options.touch,
            "records": self.options.record,
        });
        let source = page_scripts::inject(&config);
        self.send("Page.addScriptToEvaluateOnNewDocument", json!({"source": source}))
    }

    fn note_seed(&mut self, added: Ticket) -> Result<(), Failure> {
        let added: ScriptAdded = self.reply(added)?;
        if let Some(tab) = self.tabs.current_mut() {
            tab.seed_script = added.identifier;
        }
        Ok(())
    }
}
