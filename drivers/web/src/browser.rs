//! A browser that devices share: each has a context of its own in it, and nothing in common with
//! the others.

use crate::allowed_origins::AllowedOrigins;
use crate::connection::{Connection, ProtocolError};
use crate::launch::{self, Process};
use crate::link::Link;
use crate::options::Options;
use crate::protocol_types::{BrowserVersion, ContextCreated, Done};
use capuchin_ui::Stop;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a browser may take for what is no work of a page's.
pub(crate) const BROWSER_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a browser may take to answer that it is there.
pub(crate) const ALIVE_TIMEOUT: Duration = Duration::from_secs(5);

/// A browser. It ends when the last device in it does.
pub(crate) struct Browser {
    pub(crate) connection: Arc<Connection>,
    process: Mutex<Option<Process>>,
    pub(crate) product: String,
    /// Whether it draws only when it is told to: see `frames.rs`.
    pub(crate) draws_on_command: bool,
    /// The address at which other programs reach it.
    pub(crate) endpoint: Option<String>,
}

impl Browser {
    /// Starts one, or connects to one. The error says what to do.
    pub(crate) fn open(
        options: &Options,
        allowed: &AllowedOrigins,
        stop: &Stop,
    ) -> Result<Arc<Self>, String> {
        let (connection, process) = launch::launch(options, allowed)?;
        let mut link = Link::new(&connection);
        link.stop_when(stop);
        let about =
            link.call::<BrowserVersion>("", "Browser.getVersion", Value::Null, BROWSER_TIMEOUT);
        let about = match about {
            Ok(about) => about,
            Err(error) => {
                let mut reason = format!("the browser does not answer: {error}");
                if let Some(process) = process {
                    let said = launch::stderr_tail(&process);
                    drop((link, connection));
                    process.end();
                    if !said.is_empty() {
                        reason = format!("{reason}; it said: {said}");
                    }
                }
                return Err(format!("{reason}; {}", launch::advice(options)));
            }
        };
        // New tabs wait until we have told them what they are.
        let attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
        link.call::<Done>("", "Target.setAutoAttach", attach, BROWSER_TIMEOUT)
            .map_err(|error| format!("the browser does not hand out its tabs: {error}"))?;
        // How a tab has died is told to whoever knows of all tabs.
        let discover = json!({"discover": true, "filter": [{"type": "page"}]});
        let _ = link.tell("", "Target.setDiscoverTargets", discover);
        let product = about.product.unwrap_or_else(|| "a browser".to_owned());
        let draws_on_command = process.as_ref().is_some_and(|process| process.draws_on_command);
        let port = process.as_ref().and_then(|process| process.port);
        let endpoint = port.map(|port| format!("http://127.0.0.1:{port}"));
        let process = Mutex::new(process);
        Ok(Arc::new(Browser { connection, process, product, draws_on_command, endpoint }))
    }

    /// Whether it still answers.
    pub(crate) fn is_alive(&self, stop: &Stop) -> bool {
        let mut link = Link::new(&self.connection);
        link.stop_when(stop);
        link.call::<Done>("", "Browser.getVersion", Value::Null, ALIVE_TIMEOUT).is_ok()
    }

    /// What it wrote to its standard error from there on; nothing if somebody else started it.
    pub(crate) fn stderr_from(&self, start: u64) -> String {
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        process.as_ref().map(|process| launch::stderr_from(process, start)).unwrap_or_default()
    }

    /// How much it has written there.
    pub(crate) fn stderr_length(&self) -> u64 {
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        process.as_ref().map_or(0, launch::stderr_length)
    }

    /// A context of our own in it, with a proxy and with what bypasses that: its name.
    pub(crate) fn context(
        &self,
        link: &mut Link,
        proxy: Option<(&str, &str)>,
    ) -> Result<String, ProtocolError> {
        let mut params = json!({"disposeOnDetach": true});
        if let Some((server, bypass)) = proxy {
            params["proxyServer"] = server.into();
            params["proxyBypassList"] = bypass.into();
        }
        let method = "Target.createBrowserContext";
        let made: ContextCreated = link.call("", method, params, BROWSER_TIMEOUT)?;
        let name = made.browser_context_id;
        link.own_context(&name);
        Ok(name)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let process = self.process.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(process) = process.take() {
            let mut link = Link::new(&self.connection);
            let _ = link.tell("", "Browser.close", Value::Null);
            process.end();
        }
    }
}
