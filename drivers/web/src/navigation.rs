//! From one document to another: opening the app, back, reload, and waiting for a navigation to
//! end.

use crate::device::WebDevice;
use crate::failure::Failure;
use crate::protocol_types::{Navigated, NavigationHistory};
use crate::tab::Tab;
use crate::waits::Wait;
use capuchin_ui::DeviceError;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long a server may take to send the app: longer than a page may hang.
const SERVER_TIMEOUT: Duration = Duration::from_secs(30);

impl WebDevice {
    /// Navigates to the app, with no history behind it. A server that was there before is given the
    /// time to come back.
    pub(crate) fn open_app(&mut self) -> Result<(), Failure> {
        self.tell("Page.resetNavigationHistory", Value::Null)?;
        let opened = self.navigate_to_app();
        let there = self.app.origin();
        let is_lost = matches!(opened, Err(Failure::Device(DeviceError::Lost { .. })));
        if !is_lost || !self.server.has_answered(there) {
            return opened;
        }
        self.server.suspect(there);
        self.check_server()?;
        self.navigate_to_app()
    }

    fn navigate_to_app(&mut self) -> Result<(), Failure> {
        let url = self.app.as_str().to_owned();
        let began = self.send("Page.navigate", json!({"url": url}))?;
        let deadline = Instant::now() + self.options.patience.max(SERVER_TIMEOUT);
        let mut reply = None;
        while reply.is_none() && Instant::now() < deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            self.wait(left, |device| device.link.is_answered(began))?;
            reply = self.link.take(began);
        }
        let Some(reply) = reply else {
            return Err(self.lost(format!("{url} does not answer")).into());
        };
        let navigated: Navigated = self.read(reply)?;
        match navigated.error_text {
            Some(reason) => {
                // What was refused since the reset began is where the address leads.
                let mut refused = self.lacks.pending().iter().map(|lack| lack.what.clone());
                let elsewhere = refused.find(|what| what.contains("://"));
                let advice = match elsewhere {
                    Some(origin) if reason == "net::ERR_ABORTED" => format!(
                        "it leads to {origin}, and other origins are blocked: name the address \
                         there, or add allow={origin} to the device"
                    ),
                    _ => advice(&reason).to_owned(),
                };
                Err(self.lost(format!("{url} cannot be opened: {reason}; {advice}")).into())
            }
            None => Ok(()),
        }
    }

    /// Back: to the page before, out of a popup, or out of the app and in again.
    pub(crate) fn back(&mut self) -> Result<(), Failure> {
        let history: NavigationHistory = self.ask("Page.getNavigationHistory", Value::Null)?;
        if let Some(before) = history.current_index.checked_sub(1) {
            let entry = history.entries.get(before).map(|entry| entry.id);
            let navigations = self.tabs.current().map_or(0, |tab| tab.navigations);
            self.call("Page.navigateToHistoryEntry", json!({"entryId": entry}))?;
            // The answer comes before anything has moved.
            let has_moved = |device: &WebDevice| {
                device.tabs.current().is_some_and(|tab| tab.navigations > navigations)
            };
            return self.wait(self.options.patience, has_moved).map(|_| ());
        }
        if self.tabs.len() > 1 {
            self.close_last_tab()?;
            self.view.restart();
            return Ok(());
        }
        // The first page: beyond it is the end of the app. It is opened again, with all that it has
        // kept.
        let url = self.app.as_str();
        self.load_document("Page.navigate", json!({"url": url}))?;
        self.tell("Page.resetNavigationHistory", Value::Null)
    }

    /// Loads the document that is shown once more.
    pub(crate) fn reload_document(&mut self) -> Result<(), Failure> {
        self.load_document("Page.reload", json!({}))
    }

    /// Makes a call that leads to another document, and waits for that.
    fn load_document(&mut self, method: &'static str, params: Value) -> Result<(), Failure> {
        let documents = self.tabs.documents();
        self.call(method, params)?;
        let is_there = |device: &WebDevice| device.tabs.documents() > documents;
        self.during(Wait::Navigation, |device| device.wait(device.options.hang, is_there))?;
        self.view.is_stale = true;
        Ok(())
    }

    /// Waits for the document that the tab navigates to, and for downloads; whether there were any.
    /// The page's clock knows nothing of them: it is the browser that loads them.
    pub(crate) fn arrive(&mut self) -> Result<bool, Failure> {
        let is_loading = |device: &WebDevice| device.tabs.current().is_some_and(Tab::is_loading);
        if !is_loading(self) {
            return Ok(false);
        }
        if !self.wait(self.options.patience, |device| !is_loading(device))? {
            let is_page = self.tabs.current().is_some_and(|tab| tab.navigating.is_some());
            let what = if is_page { "another page" } else { "a download" };
            let awaited = self.tabs.awaited_text();
            self.view.note_unsettled(format!("{what} is still on its way{awaited}"));
            if let Some(tab) = self.tabs.current_mut() {
                tab.navigating = None;
                tab.downloads.clear();
            }
        }
        Ok(true)
    }
}

/// What one of the browser's words for an address that does not open means, and what to do.
fn advice(error: &str) -> &'static str {
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
