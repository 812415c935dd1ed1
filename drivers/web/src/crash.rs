//! What counts as a crash, and what its report says.

use crate::device::{COLLECTOR, Trouble, WebDevice};
use crate::reset::OUR_SCRIPTS;
use crate::source_map::SourceMap;
use crate::stack::{self, Frame};
use capuchin_ui::{Crash, DeviceError};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many frames of a stack are told.
const LONGEST_STACK: usize = 20;

/// An address without the app's own origin.
pub(crate) fn shorten(url: &str, origin: &str) -> String {
    let path = url.strip_prefix(origin).filter(|_| !origin.is_empty());
    path.map_or(url, |path| path.trim_start_matches('/')).to_owned()
}

impl WebDevice {
    /// An exception that nobody caught becomes the crash, if there is none yet.
    pub(crate) fn on_exception(&mut self, details: &Value) {
        let is_rejection = details["text"].as_str().is_some_and(|text| text.contains("in promise"));
        let counts = if is_rejection {
            self.options.crashes.rejections
        } else {
            self.options.crashes.exceptions
        };
        let thrown = &details["exception"];
        let said = said_by(thrown, details);
        let first_line = crate::journal::shortened(said.lines().next().unwrap_or_default());
        let message =
            if is_rejection { format!("unhandled rejection: {first_line}") } else { first_line };
        let mut calls = stack::calls(&details["stackTrace"]["callFrames"]);
        if calls.is_empty() {
            // An error that was made long before nobody cared.
            calls = stack::parse(&said).1;
        }
        if calls.is_empty() {
            // A text that is no program has no calls in it, and still a place.
            calls = stack::calls(&Value::Array(vec![details.clone()]));
            calls.retain(|call| !call.file.is_empty());
        }
        // A recursion without end has thousands, all alike.
        calls.truncate(LONGEST_STACK);
        self.journal.add(crate::journal::Kind::Error, message.clone());
        if counts {
            self.crashed(message, calls);
        }
    }

    /// Notes a crash, if there is none yet.
    pub(crate) fn crashed(&mut self, message: String, mut calls: Vec<Frame>) {
        if self.crash.is_some() {
            return;
        }
        calls.retain(|call| !call.file.starts_with(OUR_SCRIPTS));
        let mut crash = Crash::new(message);
        crash.report.push_str(&self.circumstances(&crash.message));
        self.crash = Some(Arc::new(crash));
        self.calls = calls;
    }

    /// Finds out where in the app's sources the crash happened. Not when it is noticed, because that is
    /// in the middle of something, and this has questions to the browser.
    pub(crate) fn trace_back(&mut self) {
        let calls = std::mem::take(&mut self.calls);
        let Some(crash) = self.crash.clone().filter(|_| !calls.is_empty()) else { return };
        let is_new = |call: &Frame| !call.file.is_empty() && !self.maps.knows(&call.file);
        if calls.iter().any(is_new) && self.tabs.last().is_some_and(|tab| !tab.is_stopped()) {
            self.learn_scripts();
        }
        let mut maps: BTreeMap<&str, Option<Arc<SourceMap>>> = BTreeMap::new();
        for call in &calls {
            let map = self.map_of(&call.file);
            maps.insert(&call.file, map);
        }
        let calls = stack::traced_back(&calls, &self.url, |url| maps.get(url).cloned().flatten());
        let mut traced = Crash::new(crash.message.clone());
        traced.place = stack::place(&calls).unwrap_or_default();
        let circumstances = crash.report.strip_prefix(&crash.message).unwrap_or_default();
        traced.report = stack::render(&crash.message, &calls) + circumstances;
        self.crash = Some(Arc::new(traced));
    }

    /// The page, and what was last said: the end of a crash's report.
    fn circumstances(&self, message: &str) -> String {
        let origin = self.own_origin();
        let url = self.tabs.last().map(|_| shorten(&self.head.url, &origin)).unwrap_or_default();
        let mut report = format!("\non /{url}");
        let tail: Vec<&str> = self.journal.console_tail().filter(|line| *line != message).collect();
        if !tail.is_empty() {
            report.push_str("\nconsole:");
            for line in tail {
                report.push_str(&format!("\n    {line}"));
            }
        }
        report
    }

    /// Looks for what is only a crash if somebody wants it to be: a blank page, controls that some
    /// people cannot use.
    pub(crate) fn look_for_crashes(&mut self) -> Result<(), DeviceError> {
        let kinds = self.options.crashes;
        if self.crash.is_some() || self.tabs.last().is_none_or(crate::tab::Tab::is_stopped) {
            return Ok(());
        }
        if kinds.blank && self.says(&format!("{COLLECTOR}.blank()"))? == Value::Bool(true) {
            self.crashed("the page is blank".to_owned(), Vec::new());
        }
        if kinds.accessibility {
            let found = self.says(&format!("{COLLECTOR}.serious()"))?;
            if let Some(first) = found.get(0).and_then(Value::as_str) {
                self.crashed(format!("accessibility: {first}"), Vec::new());
            }
        }
        Ok(())
    }

    /// Evaluates what may fail without consequence.
    fn says(&mut self, expression: &str) -> Result<Value, DeviceError> {
        match self.evaluate(expression) {
            Ok(value) => Ok(value),
            Err(Trouble::Device(error)) => Err(error),
            Err(_) => Ok(Value::Null),
        }
    }
}

fn said_by(thrown: &Value, details: &Value) -> String {
    if let Some(description) = thrown["description"].as_str() {
        return description.to_owned();
    }
    match &thrown["value"] {
        Value::Null if thrown["type"] == "undefined" => "undefined".to_owned(),
        Value::Null if thrown.is_null() => {
            details["text"].as_str().unwrap_or("an exception").to_owned()
        }
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_thrown_need_not_be_an_error() {
        let none = Value::Null;
        assert_eq!(said_by(&json!({"type": "string", "value": "no"}), &none), "no");
        assert_eq!(said_by(&json!({"type": "undefined"}), &none), "undefined");
        assert_eq!(said_by(&json!({"type": "number", "value": 7}), &none), "7");
        assert_eq!(said_by(&none, &json!({"text": "Uncaught"})), "Uncaught");
    }
}
