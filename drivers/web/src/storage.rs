//! What the app leaves behind in the browser, and how a reset removes it: cookies, storage, answers
//! in the cache.

use crate::device::WebDevice;
use crate::failure::Failure;
use crate::protocol_types::StorageUsage;
use crate::urls::{AppUrl, origin};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What an origin may keep, cookies and local storage aside: those are removed every time.
const RARELY_USED: &str = "file_systems,indexeddb,cache_storage,service_workers";

/// What a reset must remove beside what the app's own origin keeps.
#[derive(Debug, Default)]
pub(crate) struct Storage {
    /// Origins that have been visited since the last reset, the app's own aside.
    visited: BTreeSet<String>,
    /// Whether the app got answers that the browser may keep and give again.
    pub(crate) has_cached_answers: bool,
}

impl Storage {
    /// A document of this address is shown in a tab or in a frame.
    pub(crate) fn visit(&mut self, app: &AppUrl, url: &str) {
        let origin = origin(url);
        if !origin.is_empty() && origin != app.origin() {
            self.visited.insert(origin.to_owned());
        }
    }
}

impl WebDevice {
    /// Removes what the app has kept, and sets the cookies of the options.
    pub(crate) fn clear_storage(&mut self, is_new_tab: bool) -> Result<(), Failure> {
        let context = json!({"browserContextId": self.tabs.context});
        let mut cleared = vec![self.send_to("", "Storage.clearCookies", context)?];
        if std::mem::take(&mut self.storage.has_cached_answers) {
            cleared.push(self.send("Network.clearBrowserCache", Value::Null)?);
        }
        let own = self.app.origin().to_owned();
        if !is_new_tab && !own.is_empty() {
            let stored: StorageUsage =
                self.ask("Storage.getUsageAndQuota", json!({"origin": own}))?;
            if stored.usage.unwrap_or(1.0) > 0.0 {
                let params = json!({"origin": own, "storageTypes": RARELY_USED});
                self.call("Storage.clearDataForOrigin", params)?;
            }
        } else if !own.is_empty() {
            let params = json!({"origin": own, "storageTypes": "all"});
            cleared.push(self.send("Storage.clearDataForOrigin", params)?);
        }
        for origin in std::mem::take(&mut self.storage.visited) {
            let params = json!({"origin": origin, "storageTypes": "all"});
            cleared.push(self.send("Storage.clearDataForOrigin", params)?);
        }
        for ticket in cleared {
            self.done(ticket)?;
        }
        if !self.options.cookies.is_empty() {
            let url = self.app.as_str();
            let cookie = |(name, value): &(String, String)| json!({"name": name, "value": value, "url": url});
            let cookies: Vec<Value> = self.options.cookies.iter().map(cookie).collect();
            self.call("Network.setCookies", json!({"cookies": cookies}))?;
        }
        Ok(())
    }
}
