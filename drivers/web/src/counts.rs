//! Counting what runs of the app's code: tells V8 to count, takes its counts before they go with
//! their document, and fetches the texts of scripts while they are there.
//!
//! V8 counts for a whole process. Windows that the app opens and can talk to are in the process of
//! the tab that opened them, so they are counted there: the end of a session that counts would end
//! the counting for all.

use crate::calls::WORLD;
use crate::connection::ProtocolError;
use crate::coverage::{Accumulator, Taken};
use crate::device::WebDevice;
use crate::failure::Failure;
use crate::link::{Reply, Ticket};
use crate::page_scripts::OUR_SCRIPTS;
use crate::protocol_types::{CallFrame, ScriptParsed, ScriptSource};
use crate::source_maps::{Loader, SourceMaps};
use crate::tab::Tab;
use crate::tabs::Tabs;
use capuchin_ui::{CodeCoverage, Coverage, DeviceError};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long counts and texts are waited for. A page that does not answer is found out elsewhere.
const COUNTS_TIMEOUT: Duration = Duration::from_secs(2);
/// How long the last counts may take when nobody waits for anything else any more.
const LAST_COUNTS_GRACE: Duration = Duration::from_millis(300);
const TAKE_COUNTS: &str = "Profiler.takePreciseCoverage";

/// What ran so far.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    all: Accumulator,
    /// The numbers that sessions have in `all`.
    pages: BTreeMap<String, u32>,
    next_page: u32,
    /// How many places ran for the first time since somebody last asked.
    fresh: u32,
    /// Whether V8 has stopped to count as it should.
    is_blurred: bool,
    /// Whether somebody has asked what the last event made run.
    is_wanted: bool,
    /// The counts that are on their way, and of which session they are.
    on_their_way: Option<(String, Ticket)>,
}

impl Counts {
    /// The browser told of a script of this session.
    fn announce(&mut self, session: &str, script: &ScriptParsed) {
        let page = match self.pages.get(session) {
            Some(page) => *page,
            None => {
                self.next_page += 1;
                self.pages.insert(session.to_owned(), self.next_page);
                self.next_page
            }
        };
        self.all.parsed(page, script);
    }

    /// Adds what a session has counted.
    fn add(&mut self, session: &str, reply: &Reply) {
        let Ok(taken) = reply.read::<Taken<'_>>() else { return };
        let page = self.pages.get(session).copied().unwrap_or_default();
        self.fresh = self.fresh.saturating_add(self.all.add(page, &taken));
        self.is_blurred |= taken.is_blurred();
    }

    /// Fetches the texts of scripts that were not seen before, and their maps.
    fn fetch_texts(&mut self, maps: &mut SourceMaps, loader: &mut Loader<'_>) {
        let session_of = |page: u32| {
            let known = self.pages.iter().find(|(_, number)| **number == page);
            known.map(|(session, _)| session.clone()).unwrap_or_default()
        };
        let wanted = self.all.wanted().into_iter();
        let asked: Vec<_> = wanted
            .filter_map(|wanted| {
                let params = json!({"scriptId": wanted.script_id});
                let session = session_of(wanted.page);
                let ticket =
                    loader.link().send(&session, "Debugger.getScriptSource", params).ok()?;
                Some((wanted, ticket))
            })
            .collect();
        for (wanted, ticket) in asked {
            let reply = loader.link().wait_for(ticket, COUNTS_TIMEOUT);
            let Ok(source) = reply.and_then(|reply| reply.read::<ScriptSource>()) else { continue };
            let Some(text) = source.script_source else { continue };
            let map = wanted.map.as_ref().and_then(|url| maps.at(url, loader));
            self.all.give_source(wanted.page, &wanted.script_id, text);
            if let Some(map) = map {
                self.all.give_map(wanted.page, &wanted.script_id, map);
            }
        }
    }

    /// Pages that are gone have been counted.
    fn forget_closed(&mut self, tabs: &Tabs) {
        self.pages.retain(|session, page| {
            let is_there = tabs.iter().any(|tab| tab.session == *session);
            if !is_there {
                self.all.forget(*page);
            }
            is_there
        });
    }
}

impl WebDevice {
    /// Opens a debugger for the tab that is shown, if there is to be one, and tells it to count,
    /// before anything of the app runs in it.
    pub(crate) fn open_debugger(&mut self) -> Result<(), Failure> {
        if self.counts.is_none() && !self.hangs.has_debugger {
            return Ok(());
        }
        // Texts of scripts that are gone need not be kept: we have them.
        self.tell("Debugger.enable", json!({"maxScriptsCacheSize": 0}))?;
        if self.counts.is_none() {
            return Ok(());
        }
        // A document that is left takes its counts with it, and once it is being left, its page
        // answers no more. So it is stopped when it asks itself whether it may be left.
        let listen = format!(
            "addEventListener('beforeunload', () => {{}})\n//# sourceURL={OUR_SCRIPTS}left"
        );
        let params = json!({"source": listen, "worldName": WORLD, "runImmediately": true});
        self.tell("Page.addScriptToEvaluateOnNewDocument", params)?;
        self.tell("DOMDebugger.setEventListenerBreakpoint", json!({"eventName": "beforeunload"}))?;
        if self.tabs.current().is_some_and(|tab| tab.counts) {
            self.tell("Profiler.enable", Value::Null)?;
            self.tell("Profiler.startPreciseCoverage", how())?;
        }
        Ok(())
    }

    /// A document is about to be left for a reset: takes its counts.
    pub(crate) fn finish_counts(&mut self) -> Result<(), Failure> {
        self.take_counts()?;
        if let Some(counts) = &mut self.counts {
            counts.forget_closed(&self.tabs);
        }
        // Not at another time: what has been counted since the last take is lost by it.
        if let Some(counts) = &mut self.counts
            && std::mem::take(&mut counts.is_blurred)
        {
            self.tell("Profiler.startPreciseCoverage", how())?;
        }
        Ok(())
    }

    /// Whether the counting begins anew with each document of the tab that is shown. Functions that
    /// are there when it begins are not counted by blocks: let these be ours, since the collector
    /// is most of what runs, and counted it would take twice the time. Windows of one process are
    /// counted together, so that is only for the first.
    pub(crate) fn counts_from_here(&self) -> bool {
        self.counts.is_some() && self.tabs.len() == 1
    }

    /// A page has stopped: it is new, or about to be left, or has a `debugger;` in it.
    pub(crate) fn on_pause(&mut self, session: &str, calls: &[CallFrame]) -> Result<(), Failure> {
        let location = calls.first().and_then(|call| call.location.as_ref());
        let at = location.map_or("", |location| location.script_id.as_str());
        let tab = self.tabs.iter().find(|tab| tab.session == session);
        let url = tab.and_then(|tab| tab.scripts.get(at));
        let is_new = url.is_some_and(|url| url.strip_prefix(OUR_SCRIPTS) == Some("inject"));
        if is_new && self.counts_from_here() {
            for (method, params) in [
                ("Profiler.stopPreciseCoverage", Value::Null),
                ("Profiler.startPreciseCoverage", how()),
            ] {
                self.tell_to(session, method, params)?;
            }
        }
        // A reset has taken the counts already, and does not know the document's world any more.
        let counts = |tab: &Tab| tab.session == session && tab.counts && tab.world.is_some();
        if !is_new && self.counts.is_some() && self.tabs.iter().any(counts) {
            self.receive_counts()?;
            self.take_counts_of(session)?;
        }
        self.tell_to(session, "Debugger.resume", Value::Null)
    }

    /// The browser told of a script.
    pub(crate) fn on_script(&mut self, session: &str, script: &ScriptParsed) {
        if let Some((tab, _)) = self.tabs.of_session(session) {
            tab.scripts.insert(script.script_id.clone(), script.url.clone());
        }
        self.source_maps.announce(script);
        if let Some(counts) = &mut self.counts {
            counts.announce(session, script);
        }
    }

    /// Takes the counts of all tabs that answer. What cannot be had is left out.
    pub(crate) fn take_counts(&mut self) -> Result<(), Failure> {
        if self.counts.is_none() {
            return Ok(());
        }
        let counting = self.tabs.iter().filter(|tab| tab.counts && !tab.is_stopped());
        let sessions: Vec<String> = counting.map(|tab| tab.session.clone()).collect();
        let received = self.receive_counts()?;
        for session in sessions {
            if received.as_ref() != Some(&session) {
                self.take_counts_of(&session)?;
            }
        }
        Ok(())
    }

    /// The page has said what it sees, so the event is probably over: sends for the counts before
    /// they are asked for, if they were asked for the last time.
    pub(crate) fn send_for_counts(&mut self, session: &str) -> Result<(), Failure> {
        let counts = self.counts.as_mut();
        if !counts.is_some_and(|counts| std::mem::take(&mut counts.is_wanted)) {
            return Ok(());
        }
        self.receive_counts()?;
        let ticket = self.send_to(session, TAKE_COUNTS, Value::Null)?;
        if let Some(counts) = &mut self.counts {
            counts.on_their_way = Some((session.to_owned(), ticket));
        }
        Ok(())
    }

    /// Takes the counts that are on their way, and says of which session they were. Nothing has run
    /// since they were sent for: whoever lets something run calls this first.
    pub(crate) fn receive_counts(&mut self) -> Result<Option<String>, Failure> {
        let on_their_way = self.counts.as_mut().and_then(|counts| counts.on_their_way.take());
        let Some((session, ticket)) = on_their_way else { return Ok(None) };
        let tab = self.tabs.iter().find(|tab| tab.session == session);
        if tab.is_none_or(|tab| tab.crashed || tab.closed) {
            self.link.forget(ticket);
            return Ok(None);
        }
        if tab.is_some_and(Tab::is_stopped) && !self.link.is_answered(ticket) {
            // They come when the dialog is closed.
            if let Some(counts) = &mut self.counts {
                counts.on_their_way = Some((session, ticket));
            }
            return Ok(None);
        }
        let reply = self.link.wait_for(ticket, COUNTS_TIMEOUT);
        self.add_counts(&session, reply)?;
        Ok(Some(session))
    }

    fn take_counts_of(&mut self, session: &str) -> Result<(), Failure> {
        let ticket = self.send_to(session, TAKE_COUNTS, Value::Null)?;
        let reply = self.link.wait_for(ticket, COUNTS_TIMEOUT);
        self.add_counts(session, reply)
    }

    fn add_counts(
        &mut self,
        session: &str,
        reply: Result<Reply, ProtocolError>,
    ) -> Result<(), Failure> {
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) => {
                return match self.failure(error) {
                    Failure::Device(error) => Err(Failure::Device(error)),
                    _ => Ok(()),
                };
            }
        };
        // The scripts that it is about have been announced before it.
        self.handle_events()?;
        if let Some(counts) = &mut self.counts {
            let mut loader = Loader::new(&mut self.link, self.tabs.current(), &self.environment);
            counts.fetch_texts(&mut self.source_maps, &mut loader);
            counts.add(session, &reply);
        }
        Ok(())
    }
}

/// How V8 is to count: blocks as well as functions, and not how often. If it counts how often, it
/// keeps every script that ever ran, each look of ours is one, and counting becomes slower with
/// every event.
fn how() -> Value {
    json!({"callCount": false, "detailed": true})
}

impl Coverage for WebDevice {
    fn fresh(&mut self) -> Result<u32, DeviceError> {
        if let Err(Failure::Device(error)) = self.take_counts() {
            return Err(error);
        }
        let Some(counts) = &mut self.counts else { return Ok(0) };
        counts.is_wanted = true;
        Ok(std::mem::take(&mut counts.fresh))
    }

    fn so_far(&mut self) -> Result<CodeCoverage, DeviceError> {
        // A browser that is gone has taken with it what ran since the last take, and no more. This
        // is asked when all is over, perhaps because the time is up.
        self.link.ignore_stop_for(LAST_COUNTS_GRACE);
        let _ = self.take_counts();
        Ok(self
            .counts
            .as_ref()
            .map(|counts| ran(counts.all.so_far(self.app.as_str())))
            .unwrap_or_default())
    }
}

/// 1 for what ran. How often is not known: some of what ran before is not told again.
fn ran(mut all: CodeCoverage) -> CodeCoverage {
    for file in all.files.values_mut() {
        file.loads = file.loads.min(1);
        let functions = file.functions.values_mut().map(|function| &mut function.hits);
        for hits in file.lines.values_mut().chain(file.branches.values_mut()).chain(functions) {
            *hits = (*hits).min(1);
        }
    }
    all
}
