//! What counts as a crash, and what its report says.

use crate::device::{COLLECTOR, Trouble, WebDevice};
use capuchin_ui::{Crash, DeviceError};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// How many frames of a stack are told.
const LONGEST_STACK: usize = 20;

/// A frame of a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) function: String,
    /// The script's address, without the app's own origin: a port may be another one tomorrow.
    pub(crate) script: String,
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = if self.function.is_empty() { "<anonymous>" } else { &self.function };
        write!(f, "{function} ({}:{}:{})", self.script, self.line, self.column)
    }
}

/// The frames of a stack as the protocol has them, the innermost first.
pub(crate) fn frames(call_frames: &Value, origin: &str) -> Vec<Frame> {
    let frame = |frame: &Value| {
        // A stack of the debugger has its place one level down.
        let place = if frame["location"].is_object() { &frame["location"] } else { frame };
        Frame {
            function: frame["functionName"].as_str().unwrap_or_default().to_owned(),
            script: shorten(frame["url"].as_str().unwrap_or_default(), origin),
            line: place["lineNumber"].as_u64().unwrap_or_default() + 1,
            column: place["columnNumber"].as_u64().unwrap_or_default() + 1,
        }
    };
    call_frames.as_array().map(|frames| frames.iter().map(frame).collect()).unwrap_or_default()
}

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
        let first_line = said.lines().next().unwrap_or_default();
        let message = if is_rejection {
            format!("unhandled rejection: {first_line}")
        } else {
            first_line.to_owned()
        };
        let origin = self.own_origin();
        let mut stack = frames(&details["stackTrace"]["callFrames"], &origin);
        if stack.is_empty()
            && let Some(url) = details["url"].as_str()
        {
            let number = |key: &str| details[key].as_u64().unwrap_or_default() + 1;
            stack.push(Frame {
                function: String::new(),
                script: shorten(url, &origin),
                line: number("lineNumber"),
                column: number("columnNumber"),
            });
        }
        // A recursion without end has thousands, all alike.
        stack.truncate(LONGEST_STACK);
        self.journal.add(crate::journal::Kind::Error, message.clone());
        if counts {
            self.crashed(message, &stack);
        }
    }

    /// Notes a crash, if there is none yet.
    pub(crate) fn crashed(&mut self, message: String, stack: &[Frame]) {
        if self.crash.is_some() {
            return;
        }
        let mut report = message.clone();
        for frame in stack {
            report.push_str(&format!("\n    at {frame}"));
        }
        let origin = self.own_origin();
        let url = self.tabs.last().map(|_| shorten(&self.head.url, &origin)).unwrap_or_default();
        report.push_str(&format!("\non /{url}"));
        let tail: Vec<&str> = self.journal.console_tail().filter(|line| *line != message).collect();
        if !tail.is_empty() {
            report.push_str("\nconsole:");
            for line in tail {
                report.push_str(&format!("\n    {line}"));
            }
        }
        let mut crash = Crash::new(message);
        crash.place = stack.first().map(ToString::to_string).unwrap_or_default();
        crash.report = report;
        self.crash = Some(Arc::new(crash));
    }

    /// Looks for what is only a crash if somebody wants it to be: a blank page, controls that some
    /// people cannot use.
    pub(crate) fn look_for_crashes(&mut self) -> Result<(), DeviceError> {
        let kinds = self.options.crashes;
        if self.crash.is_some() || self.tabs.last().is_none_or(crate::tab::Tab::is_stopped) {
            return Ok(());
        }
        if kinds.blank && self.says(&format!("{COLLECTOR}.blank()"))? == Value::Bool(true) {
            self.crashed("the page is blank".to_owned(), &[]);
        }
        if kinds.accessibility {
            let found = self.says(&format!("{COLLECTOR}.serious()"))?;
            if let Some(first) = found.get(0).and_then(Value::as_str) {
                self.crashed(format!("accessibility: {first}"), &[]);
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
    fn a_stack_has_no_origin_in_it() {
        let stack = json!([
            {"functionName": "boom", "url": "http://127.0.0.1:4000/app/main.js", "lineNumber": 4, "columnNumber": 2},
            {"functionName": "", "url": "http://cdn/x.js", "lineNumber": 0, "columnNumber": 0},
        ]);
        let frames = frames(&stack, "http://127.0.0.1:4000");
        assert_eq!(frames[0].to_string(), "boom (app/main.js:5:3)");
        assert_eq!(frames[1].to_string(), "<anonymous> (http://cdn/x.js:1:1)");
    }

    #[test]
    fn what_was_thrown_need_not_be_an_error() {
        let none = Value::Null;
        assert_eq!(said_by(&json!({"type": "string", "value": "no"}), &none), "no");
        assert_eq!(said_by(&json!({"type": "undefined"}), &none), "undefined");
        assert_eq!(said_by(&json!({"type": "number", "value": 7}), &none), "7");
        assert_eq!(said_by(&none, &json!({"text": "Uncaught"})), "Uncaught");
    }
}
