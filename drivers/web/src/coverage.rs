//! Which code of a page ran, from V8's own counts and without touching the app's code.
//!
//! Everything here is a function of what the browser said: no socket, no clock. The driver
//! announces scripts ([`Accumulator::parsed`]), fetches what is [wanted](Accumulator::wanted), and
//! adds what [`Profiler.takePreciseCoverage`](Taken) returns, as often as it likes.
//!
//! V8 counts anew after each take and lists only what ran, so that a take is small. Every reload
//! gives a script a new id; it stays the same script for us as long as its text is the same.

mod blocks;
mod report;
mod runs;
mod text;

use crate::protocol_types::ScriptParsed;
use crate::source_map::{self, MapAt, SourceMap};
use capuchin_ui::CodeCoverage;
use runs::FunctionRuns;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How many ids of scripts are remembered per page. A page that was reloaded a thousand times has
/// had thousands, and V8 speaks of the last ones only.
const MOST_SCRIPT_IDS: usize = 4096;

/// What `Profiler.takePreciseCoverage` returns, with `detailed` switched on.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Taken<'a> {
    /// The scripts of which something ran since the last take.
    #[serde(borrow)]
    pub(crate) result: Vec<TakenScript<'a>>,
}

/// What ran of one script.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TakenScript<'a> {
    /// Its number, as in [`ScriptParsed`].
    #[serde(borrow)]
    pub(crate) script_id: Cow<'a, str>,
    /// Its address, as in [`ScriptParsed`].
    #[serde(borrow)]
    pub(crate) url: Cow<'a, str>,
    /// The functions that ran, and those beside them that could have.
    #[serde(borrow)]
    pub(crate) functions: Vec<TakenFunction<'a>>,
}

/// What ran of one function.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TakenFunction<'a> {
    /// Its name; empty if it has none.
    #[serde(borrow)]
    pub(crate) function_name: Cow<'a, str>,
    /// All of the function first, then blocks of it that ran more or less often than the block
    /// around them. Outer blocks come before inner ones.
    pub(crate) ranges: Vec<Range>,
    /// Whether V8 knows how often its blocks ran. It does not know of a function that never ran.
    #[serde(default = "yes")]
    pub(crate) is_block_coverage: bool,
}

const fn yes() -> bool {
    true
}

impl TakenFunction<'_> {
    /// Whether it ran, and V8 cannot tell which of its blocks did.
    fn is_blurred(&self) -> bool {
        !self.is_block_coverage && self.ranges.first().is_some_and(|whole| whole.count > 0)
    }
}

impl Taken<'_> {
    /// Whether V8 has stopped to count blocks. The end of a session does that to all pages of a
    /// process, those of other sessions included. Single functions are blurred at other times
    /// too: those that first run while their document is left.
    pub(crate) fn is_blurred(&self) -> bool {
        let of_app = self.result.iter().filter(|script| is_of_the_app(&script.url));
        let mut ran = of_app
            .flat_map(|script| &script.functions)
            .filter(|function| function.ranges.first().is_some_and(|whole| whole.count > 0))
            .peekable();
        ran.peek().is_some() && ran.all(TakenFunction::is_blurred)
    }
}

/// A stretch of a script, in UTF-16 code units, and how often it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Range {
    /// Where it begins.
    pub(crate) start_offset: u32,
    /// Where it ends: after its last unit.
    pub(crate) end_offset: u32,
    /// How often it ran since the last take.
    pub(crate) count: u32,
}

/// Something that only the browser can fetch, and only while the script lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The page of the script.
    pub(crate) page: u32,
    /// The id of the script, for `Debugger.getScriptSource`.
    pub(crate) script_id: String,
    /// Where its source map is, if it has one that must be fetched.
    pub(crate) map: Option<String>,
}

/// One script, however often it was loaded.
#[derive(Debug)]
struct Script {
    url: String,
    start_line: u32,
    start_column: u32,
    length: u32,
    source: Option<String>,
    map: Option<Arc<SourceMap>>,
    /// By where they begin and end.
    functions: BTreeMap<(u32, u32), FunctionRuns>,
}

/// What makes two loads of a script the same script: its address, its text, its place in the
/// document.
type Key = (String, String, u32, u32);

/// Adds up what ran, take by take.
#[derive(Debug, Default)]
pub(crate) struct Accumulator {
    scripts: Vec<Script>,
    known: HashMap<Key, usize>,
    /// The script behind an id, per page; `None` for scripts that are not the app's.
    ids: HashMap<u32, BTreeMap<u64, Option<usize>>>,
    wanted: Vec<Wanted>,
}

impl Accumulator {
    /// A script was parsed on this page (or tab, or worker: whatever numbers scripts for itself).
    /// Scripts that were not announced do not count.
    pub(crate) fn parsed(&mut self, page: u32, script: &ScriptParsed) {
        let Ok(id) = script.script_id.parse::<u64>() else { return };
        let index = is_of_the_app(&script.url).then(|| self.index_of(script));
        if let Some(index) = index
            && self.scripts[index].source.is_none()
        {
            let map = source_map::whereabouts(&script.url, &script.source_map_url);
            if let Some(MapAt::Inline(text)) = &map
                && let Ok(map) = SourceMap::parse(text, &script.url)
            {
                self.scripts[index].map = Some(Arc::new(map));
            }
            let map = match map {
                Some(MapAt::Url(url)) => Some(url),
                _ => None,
            };
            self.wanted.push(Wanted { page, script_id: script.script_id.clone(), map });
        }
        let ids = self.ids.entry(page).or_default();
        ids.insert(id, index);
        while ids.len() > MOST_SCRIPT_IDS {
            ids.pop_first();
        }
    }

    /// A page is gone, and nothing more will be heard of its scripts. What ran of them stays.
    pub(crate) fn forget(&mut self, page: u32) {
        self.ids.remove(&page);
    }

    /// What the driver should fetch now: texts of scripts that were never seen before, and their
    /// maps. Each is asked for again if it was not [given](Self::give_source) when the script is
    /// loaded the next time.
    pub(crate) fn wanted(&mut self) -> Vec<Wanted> {
        std::mem::take(&mut self.wanted)
    }

    /// The text of a script. Without it the script is not in the report.
    pub(crate) fn give_source(&mut self, page: u32, script_id: &str, text: String) {
        if let Some(script) = self.script(page, script_id) {
            script.source = Some(text);
        }
    }

    /// The source map of a script.
    pub(crate) fn give_map(&mut self, page: u32, script_id: &str, map: Arc<SourceMap>) {
        if let Some(script) = self.script(page, script_id) {
            script.map = Some(map);
        }
    }

    /// Adds what ran on this page since the last take. Returns how many places ran for the first
    /// time: functions that were entered, and blocks that had been passed by until now.
    ///
    /// Functions of which V8 cannot say which of their blocks ran are left out: better too little
    /// than branches that were never taken.
    pub(crate) fn add(&mut self, page: u32, taken: &Taken<'_>) -> u32 {
        let mut fresh = 0;
        for script in &taken.result {
            let Some(into) = self.script_that_ran(page, script) else { continue };
            for function in script.functions.iter().filter(|function| !function.is_blurred()) {
                let Some(whole) = function.ranges.first() else { continue };
                let runs = into
                    .functions
                    .entry((whole.start_offset, whole.end_offset))
                    .or_insert_with(|| FunctionRuns::new(&function.function_name, whole));
                fresh += runs.add(&function.ranges);
            }
        }
        fresh
    }

    /// Everything that ran so far. Files are named from the root of `app`'s origin; scripts with a
    /// source map are reported as the files that they were made from.
    pub(crate) fn so_far(&self, app: &str) -> CodeCoverage {
        let mut all = CodeCoverage::default();
        for script in &self.scripts {
            report::add_script(&mut all, script, app);
        }
        all
    }

    fn script(&mut self, page: u32, script_id: &str) -> Option<&mut Script> {
        let id = script_id.parse::<u64>().ok()?;
        let index = (*self.ids.get(&page)?.get(&id)?)?;
        self.scripts.get_mut(index)
    }

    /// A take is of a whole process. Pages that opened one another share one, with one numbering
    /// of their scripts, so it may be a script of another page; of which one, its address tells.
    fn script_that_ran(&mut self, page: u32, taken: &TakenScript<'_>) -> Option<&mut Script> {
        if !is_of_the_app(&taken.url) {
            return None;
        }
        let id = taken.script_id.parse::<u64>().ok()?;
        let of_page = |page: &u32| -> Option<usize> {
            let index = (*self.ids.get(page)?.get(&id)?)?;
            (self.scripts.get(index)?.url == taken.url).then_some(index)
        };
        let index = of_page(&page).or_else(|| {
            let mut others: Vec<&u32> = self.ids.keys().filter(|other| **other != page).collect();
            others.sort_unstable();
            // Of two with this number and address, the later one is more likely to be alive.
            others.into_iter().rev().find_map(of_page)
        })?;
        self.scripts.get_mut(index)
    }

    fn index_of(&mut self, script: &ScriptParsed) -> usize {
        let key = (script.url.clone(), script.hash.clone(), script.start_line, script.start_column);
        *self.known.entry(key).or_insert_with(|| {
            self.scripts.push(Script {
                url: script.url.clone(),
                start_line: script.start_line,
                start_column: script.start_column,
                length: script.length,
                source: None,
                map: None,
                functions: BTreeMap::new(),
            });
            self.scripts.len() - 1
        })
    }
}

/// Scripts without an address come from `eval` or from us. Others belong to the browser.
fn is_of_the_app(url: &str) -> bool {
    const NOT_OF_THE_APP: [&str; 5] =
        ["chrome-extension:", "chrome:", "devtools:", "extensions:", "capuchin:"];
    !url.is_empty() && !NOT_OF_THE_APP.iter().any(|scheme| url.starts_with(scheme))
}

#[cfg(test)]
mod tests;
