//! The source maps of the app's scripts: where they are, as the browser tells, and what is in them,
//! fetched once and only when somebody needs it.

use crate::device::WebDevice;
use crate::protocol_types::{Done, ResourceLoaded, ScriptParsed, StreamPart};
use crate::source_map::{self, MapAt, SourceMap};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// How long a map is waited for. Without it a report names the script that the browser ran.
const MAP_TIMEOUT: Duration = Duration::from_secs(5);
/// The largest map that is read.
const LARGEST_MAP: usize = 64 << 20;

/// What is known of source maps.
#[derive(Debug, Default)]
pub(crate) struct SourceMaps {
    scripts: BTreeMap<String, Script>,
    /// By the address of the map; `None` if it cannot be had.
    fetched: BTreeMap<String, Option<Arc<SourceMap>>>,
}

#[derive(Debug)]
struct Script {
    hash: String,
    map: Option<Arc<SourceMap>>,
    map_url: Option<String>,
}

impl SourceMaps {
    /// The browser told of a script.
    pub(crate) fn announce(&mut self, script: &ScriptParsed) {
        // Lines of a script within a document are those of the document, and not those of its map.
        let within = script.start_line > 0 || script.start_column > 0;
        let known = self.scripts.get(&script.url);
        if script.url.is_empty() || within || known.is_some_and(|known| known.hash == script.hash) {
            return;
        }
        let (mut map, mut map_url) = (None, None);
        match source_map::whereabouts(&script.url, &script.source_map_url) {
            Some(MapAt::Inline(text)) => {
                map = SourceMap::parse(&text, &script.url).ok().map(Arc::new);
            }
            Some(MapAt::Url(url)) => {
                // The script is another one than before, and so is its map.
                self.fetched.remove(&url);
                map_url = Some(url);
            }
            None => {}
        }
        let hash = script.hash.clone();
        self.scripts.insert(script.url.clone(), Script { hash, map, map_url });
    }

    /// Whether the browser told of this script.
    pub(crate) fn knows(&self, script_url: &str) -> bool {
        self.scripts.contains_key(script_url)
    }
}

impl WebDevice {
    /// The map of the script at this address, if it has one that can be had.
    pub(crate) fn map_of(&mut self, script_url: &str) -> Option<Arc<SourceMap>> {
        let script = self.source_maps.scripts.get(script_url)?;
        if let Some(map) = &script.map {
            return Some(Arc::clone(map));
        }
        let url = script.map_url.clone()?;
        self.map_at(&url)
    }

    /// The map at this address, if it can be had.
    pub(crate) fn map_at(&mut self, url: &str) -> Option<Arc<SourceMap>> {
        if let Some(fetched) = self.source_maps.fetched.get(url) {
            return fetched.clone();
        }
        let text = self.load(url);
        let map = text.and_then(|text| SourceMap::parse(&text, url).ok()).map(Arc::new);
        // Somebody may have taken the network away for a while.
        if map.is_some() || self.environment.is_online() {
            self.source_maps.fetched.insert(url.to_owned(), map.clone());
        }
        map
    }

    /// Loads a text as the page itself would: with its cookies, through its proxy.
    fn load(&mut self, url: &str) -> Option<String> {
        let tab = self.tabs.current().filter(|tab| !tab.crashed && !tab.closed)?;
        let (frame, session) = (tab.target.clone(), tab.session.clone());
        let options = json!({"disableCache": false, "includeCredentials": true});
        let params = json!({"frameId": frame, "url": url, "options": options});
        let method = "Network.loadNetworkResource";
        let loaded: ResourceLoaded = self.link.call(&session, method, params, MAP_TIMEOUT).ok()?;
        let handle = loaded.resource.stream?;
        let text = if loaded.resource.success { self.read_stream(&session, &handle) } else { None };
        let _ = self.link.tell(&session, "IO.close", json!({"handle": handle}));
        text
    }

    fn read_stream(&mut self, session: &str, handle: &str) -> Option<String> {
        let mut bytes = Vec::new();
        loop {
            let params = json!({"handle": handle});
            let part: StreamPart = self.link.call(session, "IO.read", params, MAP_TIMEOUT).ok()?;
            if part.base64_encoded {
                bytes.extend(STANDARD.decode(part.data).ok()?);
            } else {
                bytes.extend_from_slice(part.data.as_bytes());
            }
            if part.eof {
                return String::from_utf8(bytes).ok();
            }
            if bytes.len() > LARGEST_MAP {
                return None;
            }
        }
    }

    /// Asks the browser for the scripts of the page, where they are not known as they come: that
    /// takes the debugger, which slows pages down and so is only there when it is needed.
    pub(crate) fn learn_scripts(&mut self) {
        if self.counts.is_some() {
            return;
        }
        let session = self.tabs.session();
        let limits = json!({"maxScriptsCacheSize": 0});
        let enabled = self.link.call::<Done>(&session, "Debugger.enable", limits, MAP_TIMEOUT);
        // The scripts come before the reply.
        let handled = self.handle_events();
        let _ = self.link.tell(&session, "Debugger.disable", Value::Null);
        let _ = (enabled, handled);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_is_another_one_has_another_map() {
        let mut maps = SourceMaps::default();
        let mut script = ScriptParsed {
            url: "http://h/a.js".into(),
            hash: "1".into(),
            ..ScriptParsed::default()
        };
        script.source_map_url = "a.js.map".into();
        maps.announce(&script);
        maps.fetched.insert("http://h/a.js.map".into(), None);
        maps.announce(&script);
        assert!(maps.fetched.contains_key("http://h/a.js.map"));
        script.hash = "2".into();
        maps.announce(&script);
        assert!(!maps.fetched.contains_key("http://h/a.js.map"));
    }

    #[test]
    fn a_script_within_a_document_has_no_map() {
        let mut maps = SourceMaps::default();
        let script =
            ScriptParsed { url: "http://h/".into(), start_line: 3, ..ScriptParsed::default() };
        maps.announce(&script);
        assert!(!maps.knows("http://h/"));
    }
}
