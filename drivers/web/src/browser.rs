//! A browser that devices share: each has a context of its own in it, and nothing in common with
//! the others.

use crate::allowed_origins::AllowedOrigins;
use crate::connection::{Connection, ProtocolError};
use crate::launch::{self, Process};
use crate::link::Link;
use crate::options::Options;
use crate::protocol_types::{BrowserVersion, ContextCreated, Done};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a browser may take for what is no work of a page's.
pub(crate) const BROWSER_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a browser may take to answer that it is there.
const ALIVE_TIMEOUT: Duration = Duration::from_secs(5);

/// A browser. It ends when the last device in it does.
pub(crate) struct Browser {
    pub(crate) connection: Arc<Connection>,
    process: Mutex<Option<Process>>,
    pub(crate) product: String,
    /// Whether it draws only when it is told to: see `frames.rs`.
    pub(crate) draws_on_command: bool,
}

impl Browser {
    /// Starts one, or connects to one. The error says what to do.
    pub(crate) fn open(options: &Options, allowed: &AllowedOrigins) -> Result<Arc<Self>, String> {
        let (connection, process) = launch::launch(options, allowed)?;
        let mut link = Link::new(&connection);
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
        let product = about.product.unwrap_or_else(|| "a browser".to_owned());
        let draws_on_command = process.as_ref().is_some_and(|process| process.draws_on_command);
        let process = Mutex::new(process);
        Ok(Arc::new(Browser { connection, process, product, draws_on_command }))
    }

    /// Whether it still answers.
    pub(crate) fn is_alive(&self) -> bool {
        let mut link = Link::new(&self.connection);
        link.call::<Done>("", "Browser.getVersion", Value::Null, ALIVE_TIMEOUT).is_ok()
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
