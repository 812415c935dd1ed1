//! What counts as a crash, and what its report says.

use crate::app_log::{EntryKind, shortened};
use crate::device::WebDevice;
use crate::failure::Failure;
use crate::page_scripts::OUR_SCRIPTS;
use crate::protocol_types::{Done, ExceptionDetails};
use crate::source_map::SourceMap;
use crate::source_maps::Loader;
use crate::stack::{self, Frame};
use crate::tab::Tab;
use capuchin_ui::{Crash, DeviceError, Lack};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// How many frames of a stack trace are told: a recursion without end has thousands, all alike.
const LONGEST_STACK: usize = 20;

/// How long the browser may take to name the scripts of a page. Without them a report names what it
/// ran.
const SCRIPTS_TIMEOUT: Duration = Duration::from_secs(5);

/// The crash since the last reset, if there is one. The first one stays.
#[derive(Debug, Default)]
pub(crate) struct Crashes {
    found: Option<Arc<Crash>>,
    /// The calls that led to it, until they have been traced back to the app's sources.
    calls: Vec<Frame>,
}

impl Crashes {
    pub(crate) fn any(&self) -> bool {
        self.found.is_some()
    }

    pub(crate) fn found(&self) -> Option<Arc<Crash>> {
        self.found.clone()
    }

    pub(crate) fn clear(&mut self) {
        *self = Crashes::default();
    }

    /// Notes a crash without a stack trace, if there is none yet.
    pub(crate) fn note(&mut self, message: &str) {
        self.found.get_or_insert_with(|| Arc::new(Crash::new(message)));
    }

    /// Notes a crash in the place of the one before.
    pub(crate) fn replace(&mut self, message: &str) {
        self.found = Some(Arc::new(Crash::new(message)));
    }
}

impl WebDevice {
    /// An exception that nobody caught becomes the crash, if there is none yet.
    pub(crate) fn on_exception(&mut self, details: &ExceptionDetails) {
        let is_rejection = details.text.as_ref().is_some_and(|text| text.contains("in promise"));
        let kinds = self.options.crashes;
        let counts = if is_rejection { kinds.rejections } else { kinds.exceptions };
        let said = said_by(details);
        let first_line = shortened(said.lines().next().unwrap_or_default());
        let message =
            if is_rejection { format!("unhandled rejection: {first_line}") } else { first_line };
        let mut calls = stack::calls(&details.stack_trace);
        if calls.is_empty() {
            // An error that was made long before nobody cared.
            calls = stack::parse(&said).1;
        }
        if calls.is_empty() && !details.url.is_empty() {
            // A text that is not a program has no calls in it, and still a place.
            calls.push(Frame::at(&details.url, &details.at));
        }
        if is_our_fault(&calls, is_rejection, &said) {
            self.lacks.note(our_bug(&said));
            return;
        }
        calls.truncate(LONGEST_STACK);
        self.log.add(EntryKind::Error, &message);
        if counts {
            self.crashed(message, calls);
        }
    }

    /// Notes a crash, if there is none yet.
    pub(crate) fn crashed(&mut self, message: String, mut calls: Vec<Frame>) {
        if self.crashes.any() {
            return;
        }
        calls.retain(|call| !call.file.starts_with(OUR_SCRIPTS));
        let mut crash = Crash::new(message);
        let circumstances = self.circumstances(&crash.message);
        crash.report.push_str(&circumstances);
        self.crashes = Crashes { found: Some(Arc::new(crash)), calls };
    }

    /// Finds out where in the app's sources the crash happened. Not when it is noticed, because
    /// that is in the middle of something, and this has questions to the browser.
    pub(crate) fn trace_back(&mut self) {
        let calls = std::mem::take(&mut self.crashes.calls);
        let Some(crash) = self.crashes.found().filter(|_| !calls.is_empty()) else { return };
        let is_new = |call: &Frame| !call.file.is_empty() && !self.source_maps.knows(&call.file);
        if calls.iter().any(is_new) && self.tabs.current().is_some_and(|tab| !tab.is_stopped()) {
            self.learn_scripts();
        }
        let mut maps: BTreeMap<&str, Option<Arc<SourceMap>>> = BTreeMap::new();
        let mut loader = Loader::new(&mut self.link, self.tabs.current(), &self.environment);
        for call in &calls {
            let map = self.source_maps.of_script(&call.file, &mut loader);
            maps.insert(&call.file, map);
        }
        let calls =
            stack::traced_back(&calls, self.app.as_str(), |url| maps.get(url).cloned().flatten());
        let mut traced = Crash::new(crash.message.clone());
        traced.place = stack::place(&calls).unwrap_or_default();
        let circumstances = crash.report.strip_prefix(&crash.message).unwrap_or_default();
        traced.report = stack::render(&crash.message, &calls) + circumstances;
        self.crashes.found = Some(Arc::new(traced));
    }

    /// Asks the browser for the scripts of the page, where they are not known as they come: that
    /// takes the debugger, which slows pages down and so is only there when it is needed.
    fn learn_scripts(&mut self) {
        if self.counts.is_some() {
            return;
        }
        let session = self.tabs.session();
        let limits = json!({"maxScriptsCacheSize": 0});
        let enabled = self.link.call::<Done>(&session, "Debugger.enable", limits, SCRIPTS_TIMEOUT);
        // The scripts come before the reply.
        let handled = self.handle_events();
        let _ = self.link.tell(&session, "Debugger.disable", Value::Null);
        let _ = (enabled, handled);
    }

    /// The page, and what was last said: the end of a crash's report.
    fn circumstances(&mut self, message: &str) -> String {
        let url = self.tabs.current().map(|_| self.app.shorten(&self.view.head.url));
        let url = url.unwrap_or_default();
        let mut report = format!("\non /{url}");
        let tail: Vec<&str> = self.log.console_tail().filter(|line| *line != message).collect();
        if !tail.is_empty() {
            report.push_str("\nconsole:");
            for line in tail {
                report.push_str(&format!("\n    {line}"));
            }
        }
        for lack in self.lacks.pending() {
            report.push_str(&format!("\nblocked: {}: {}", lack.what, lack.reason));
        }
        report
    }

    /// Looks for what is only a crash if somebody wants it to be: a blank page, controls that some
    /// people cannot use.
    pub(crate) fn look_for_crashes(&mut self) -> Result<(), DeviceError> {
        let kinds = self.options.crashes;
        if self.crashes.any() || self.tabs.current().is_none_or(Tab::is_stopped) {
            return Ok(());
        }
        if kinds.blank && self.ask_leniently("blank()")? {
            self.crashed("the page is blank".to_owned(), Vec::new());
        }
        if kinds.accessibility {
            let found: Vec<String> = self.ask_leniently("serious()")?;
            if let Some(first) = found.first() {
                self.crashed(format!("accessibility: {first}"), Vec::new());
            }
        }
        Ok(())
    }

    /// Asks the collector what may fail without consequence.
    fn ask_leniently<T: DeserializeOwned + Default>(
        &mut self,
        call: &str,
    ) -> Result<T, DeviceError> {
        match self.ask_collector(call) {
            Ok(value) => Ok(value),
            Err(Failure::Device(error)) => Err(error),
            Err(_) => Ok(T::default()),
        }
    }
}

/// Whether a script of ours threw, and not the app. A single call of ours within the app's is one
/// of the browser's own functions that we put something around: it refuses what the app gave it.
/// For a promise, that call may be all that is known. And an app that calls itself for ever may
/// find the end of the stack anywhere.
fn is_our_fault(calls: &[Frame], is_rejection: bool, said: &str) -> bool {
    let own = calls.iter().take_while(|call| call.file.starts_with(OUR_SCRIPTS)).count();
    let is_within_app = own < calls.len();
    let is_overflow = said.starts_with("RangeError: Maximum call stack size exceeded");
    match own {
        0 => false,
        1 if is_within_app || is_rejection => false,
        _ => !(is_within_app && is_overflow),
    }
}

/// What is told of an exception in a script of ours: the run goes on, and nobody blames the app.
fn our_bug(said: &str) -> Lack {
    let lines: Vec<&str> = said.lines().map(str::trim).take(4).collect();
    let reason = format!(
        "a script that Capuchin runs in the page threw an exception; this is a bug in Capuchin and \
         not in the app, please report it: {}",
        shortened(&lines.join(" "))
    );
    Lack { what: "a working page script".into(), reason: reason.into() }
}

/// What was thrown, as people read it.
fn said_by(details: &ExceptionDetails) -> String {
    let Some(thrown) = &details.exception else {
        return details.text.clone().unwrap_or_else(|| "an exception".to_owned());
    };
    match (&thrown.description, &thrown.value) {
        (Some(description), _) => description.clone(),
        (None, Value::Null) if thrown.kind == "undefined" => "undefined".to_owned(),
        (None, Value::String(text)) => text.clone(),
        (None, value) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol_types::Location;

    #[test]
    fn an_exception_is_ours_or_the_apps() {
        let call = |file: &str| Frame::at(file, &Location::default());
        let ours = || call("capuchin:inject");
        let app = || call("http://a/app.js");
        for (calls, is_rejection, said, expected) in [
            (vec![app(), ours()], false, "TypeError: x", false),
            (vec![], false, "TypeError: x", false),
            (vec![ours()], false, "TypeError: x", true),
            (vec![ours(), ours(), app()], false, "TypeError: x", true),
            // `element.animate(7)`, `new WebSocket('nonsense')`, `fetch` without an answer.
            (vec![ours(), app()], false, "TypeError: x", false),
            (vec![ours()], true, "TypeError: Failed to fetch", false),
            (vec![ours(), ours()], true, "TypeError: x", true),
            (
                vec![ours(), ours(), app()],
                false,
                "RangeError: Maximum call stack size exceeded",
                false,
            ),
        ] {
            assert_eq!(is_our_fault(&calls, is_rejection, said), expected, "{calls:?}");
        }
        let told = our_bug("TypeError: x\n    at take (capuchin:inject:1:2)").reason;
        assert!(told.contains("TypeError: x at take (capuchin:inject:1:2)"), "{told}");
    }

    #[test]
    fn what_was_thrown_need_not_be_an_error() {
        for (details, expected) in [
            (r#"{"exception": {"type": "string", "value": "no"}}"#, "no"),
            (r#"{"exception": {"type": "undefined"}}"#, "undefined"),
            (r#"{"exception": {"type": "number", "value": 7}}"#, "7"),
            (r#"{"exception": {"type": "object", "value": null}}"#, "null"),
            (r#"{"text": "Uncaught"}"#, "Uncaught"),
        ] {
            let details: ExceptionDetails = serde_json::from_str(details).unwrap();
            assert_eq!(said_by(&details), expected);
        }
    }
}
