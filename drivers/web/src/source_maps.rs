//! The source maps of the app's scripts: where they are, as the browser tells, and what is in them,
//! fetched once and only when somebody needs it.

use crate::environment::Environment;
use crate::link::Link;
use crate::protocol_types::{ResourceLoaded, ScriptParsed, StreamPart};
use crate::source_map::{self, MapAt, SourceMap};
use crate::tab::Tab;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
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

    /// The map of the script at this address, if it has one that can be had.
    pub(crate) fn of_script(
        &mut self,
        script_url: &str,
        loader: &mut Loader<'_>,
    ) -> Option<Arc<SourceMap>> {
        let script = self.scripts.get(script_url)?;
        if let Some(map) = &script.map {
            return Some(Arc::clone(map));
        }
        let url = script.map_url.clone()?;
        self.at(&url, loader)
    }

    /// The map at this address, if it can be had.
    pub(crate) fn at(&mut self, url: &str, loader: &mut Loader<'_>) -> Option<Arc<SourceMap>> {
        if let Some(fetched) = self.fetched.get(url) {
            return fetched.clone();
        }
        let text = loader.load(url);
        let map = text.and_then(|text| SourceMap::parse(&text, url).ok()).map(Arc::new);
        // Somebody may have taken the network away for a while.
        if map.is_some() || loader.is_online {
            self.fetched.insert(url.to_owned(), map.clone());
        }
        map
    }
}

/// Loads texts as a page itself would: with its cookies, through its proxy.
pub(crate) struct Loader<'a> {
    link: &'a mut Link,
    tab: Option<&'a Tab>,
    is_online: bool,
}

impl<'a> Loader<'a> {
    /// Loads for the page in this tab.
    pub(crate) fn new(link: &'a mut Link, tab: Option<&'a Tab>, environment: &Environment) -> Self {
        let tab = tab.filter(|tab| !tab.crashed && !tab.closed);
        Loader { link, tab, is_online: environment.is_online() }
    }

    /// The connection that it loads over.
    pub(crate) fn link(&mut self) -> &mut Link {
        self.link
    }

    fn load(&mut self, url: &str) -> Option<String> {
        let Tab { target: frame, session, .. } = self.tab?;
        let options = json!({"disableCache": false, "includeCredentials": true});
        let params = json!({"frameId": frame, "url": url, "options": options});
        let method = "Network.loadNetworkResource";
        let loaded: ResourceLoaded = self.link.call(session, method, params, MAP_TIMEOUT).ok()?;
        let handle = loaded.resource.stream?;
        let text = if loaded.resource.success { self.read_stream(session, &handle) } else { None };
        let _ = self.link.tell(session, "IO.close", json!({"handle": handle}));
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
