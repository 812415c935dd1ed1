//! JavaScript stacks: read, traced back to the app's files, and written for a crash report.
//!
//! On its own, because it needs nothing of the browser: frames and maps are handed in.

use crate::protocol_types::{CallFrame, Location, StackTrace};
use crate::source_map::{SourceMap, file_of, is_elsewhere};
use std::fmt::Write as _;
use std::sync::Arc;

/// One call: as V8 gives it, or traced back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The function; empty if it has no name.
    pub(crate) function: String,
    /// The address of the script, or the file; empty if the code has none.
    pub(crate) file: String,
    /// The line, from 1.
    pub(crate) line: u32,
    /// The column, from 1.
    pub(crate) column: u32,
}

/// The calls of a stack trace of the protocol.
pub(crate) fn calls(trace: &StackTrace) -> Vec<Frame> {
    trace.call_frames.iter().map(Frame::from).collect()
}

fn from_one(number: i32) -> u32 {
    u32::try_from(number).map_or(1, |number| number + 1)
}

impl From<&CallFrame> for Frame {
    fn from(call: &CallFrame) -> Self {
        let at = call.location.as_ref().unwrap_or(&call.at);
        Frame { function: call.function_name.clone(), ..Frame::at(&call.url, at) }
    }
}

impl Frame {
    /// A place that is in no function.
    pub(crate) fn at(file: &str, at: &Location) -> Self {
        Frame {
            function: String::new(),
            file: file.to_owned(),
            line: from_one(at.line_number),
            column: from_one(at.column_number),
        }
    }

    /// Where it is: `src/store.ts:23:13`.
    fn place(&self) -> String {
        let file = if self.file.is_empty() { "<anonymous>" } else { &self.file };
        format!("{file}:{}:{}", self.line, self.column)
    }

    /// `toggle (src/store.ts:23:13)`, or the place alone.
    fn described(&self) -> String {
        if self.function.is_empty() {
            self.place()
        } else {
            format!("{} ({})", self.function, self.place())
        }
    }

    /// Whether the code is the app's own, as far as its place tells.
    pub(crate) fn is_own(&self) -> bool {
        const LIBRARIES: [&str; 7] = [
            "node_modules/",
            "bower_components/",
            "jspm_packages/",
            "vendor/",
            "vendors/",
            "third_party/",
            "webpack/",
        ];
        let from_library = LIBRARIES.iter().any(|folder| {
            self.file.starts_with(folder) || self.file.contains(&format!("/{folder}"))
        });
        let elsewhere = self.file.contains("://");
        let minified = self.file.ends_with(".min.js");
        !(self.file.is_empty() || from_library || elsewhere || minified)
    }
}

/// Reads the text of a stack (`error.stack`): what went wrong, and the calls. A text without calls
/// is all message.
pub(crate) fn parse(stack: &str) -> (String, Vec<Frame>) {
    let mut message = String::new();
    let mut frames = Vec::new();
    for line in stack.lines() {
        match line.trim_start().strip_prefix("at ").and_then(parse_frame) {
            Some(frame) => frames.push(frame),
            // Lines after the first call are causes and the like: they have their own message.
            None if frames.is_empty() => {
                let _ = writeln!(message, "{line}");
            }
            None => {}
        }
    }
    (message.trim_end().to_owned(), frames)
}

/// `f (http://host/a.js:1:2)`, `http://host/a.js:1:2`, `async f (…)`, `new F (…)`, `f [as g] (…)`.
fn parse_frame(call: &str) -> Option<Frame> {
    let (function, place) = match call.strip_suffix(')').and_then(|call| call.split_once(" (")) {
        Some((function, place)) => (function, place),
        None => ("", call),
    };
    let (rest, column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let function = function.strip_prefix("async ").unwrap_or(function);
    let function = function.split_once(" [as ").map_or(function, |(function, _)| function);
    let anonymous = function == "<anonymous>" || function.ends_with(".<anonymous>");
    Some(Frame {
        function: if anonymous { String::new() } else { function.to_owned() },
        file: if file == "<anonymous>" { String::new() } else { file.to_owned() },
        line: line.parse().ok()?,
        column: column.parse().ok()?,
    })
}

/// The same calls in the files that the scripts were made from. `map` knows the source map of a
/// script, by its address; files are named from the root of `app`'s origin, those of other
/// origins by their address.
pub(crate) fn traced_back(
    frames: &[Frame],
    app: &str,
    map: impl Fn(&str) -> Option<Arc<SourceMap>>,
) -> Vec<Frame> {
    let trace_back = |frame: &Frame| {
        let mut frame = frame.clone();
        if frame.file.is_empty() {
            return frame;
        }
        if let Some(map) = map(&frame.file)
            && let Some((source, at)) =
                map.original(frame.line.saturating_sub(1), frame.column.saturating_sub(1))
        {
            frame.file = named(source, app);
            frame.line = at.line + 1;
            frame.column = at.column + 1;
        } else {
            frame.file = named(&frame.file, app);
        }
        frame
    };
    frames.iter().map(trace_back).collect()
}

/// A file of the app by its path, one from elsewhere by its address.
fn named(url: &str, app: &str) -> String {
    if is_elsewhere(url, app) { url.to_owned() } else { file_of(url, app) }
}

/// Where it happened: the topmost call in the app's own code, or else the topmost call.
pub(crate) fn place(frames: &[Frame]) -> Option<String> {
    let own = frames.iter().find(|frame| frame.is_own());
    own.or(frames.first()).map(Frame::described)
}

/// The stack for a report: the app's own calls first, for these are what its author can change,
/// then those of libraries and of code without a place. Each part is in the order of the stack.
pub(crate) fn render(message: &str, frames: &[Frame]) -> String {
    let mut text = message.to_owned();
    let (own, others): (Vec<&Frame>, Vec<&Frame>) = frames.iter().partition(|frame| frame.is_own());
    for frame in &own {
        let _ = write!(text, "\n    at {}", frame.described());
    }
    if !own.is_empty() && !others.is_empty() {
        text.push_str("\n  and in libraries:");
    }
    for frame in others {
        let _ = write!(text, "\n    at {}", frame.described());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const APP: &str = "http://localhost:8080/";

    const STACK: &str = "RangeError: no note 99\nof two\n    \
        at Object.invoke (http://localhost:8080/node_modules/lib/index.js:7:9)\n    \
        at async r.toggle (http://localhost:8080/out/app.js:1:5)\n    \
        at HTMLHeadingElement.<anonymous> (http://localhost:8080/js/main.js:1:11)\n    \
        at new Thing [as made] (https://cdn.example/thing.min.js:2:3)\n    \
        at Array.map (<anonymous>)\n    \
        at <anonymous>:1:30";

    #[test]
    fn stacks_are_read() {
        let (message, frames) = parse(STACK);
        assert_eq!(message, "RangeError: no note 99\nof two");
        let functions: Vec<&str> = frames.iter().map(|frame| frame.function.as_str()).collect();
        assert_eq!(functions, ["Object.invoke", "r.toggle", "", "new Thing", ""]);
        assert_eq!(frames[4].file, "");
        assert_eq!(parse("just words"), ("just words".into(), vec![]));
    }

    #[test]
    fn own_calls_come_first() {
        let text = r#"{"version":3,"sources":["../src/store.ts"],"mappings":"AAAA,IAsBM"}"#;
        let map = SourceMap::parse(text, "http://localhost:8080/out/app.js.map").unwrap();
        let map = Arc::new(map);
        let (message, frames) = parse(STACK);
        let frames = traced_back(&frames, APP, |url| url.ends_with("/app.js").then(|| map.clone()));
        assert_eq!(place(&frames).as_deref(), Some("r.toggle (src/store.ts:23:7)"));
        assert_eq!(
            render(&message, &frames),
            "RangeError: no note 99\n\
             of two\n    \
             at r.toggle (src/store.ts:23:7)\n    \
             at js/main.js:1:11\n  \
             and in libraries:\n    \
             at Object.invoke (node_modules/lib/index.js:7:9)\n    \
             at new Thing (https://cdn.example/thing.min.js:2:3)\n    \
             at <anonymous>:1:30"
        );
    }

    #[test]
    fn a_stack_of_libraries_only() {
        let (message, frames) = parse("Error: x\n    at f (http://localhost:8080/vendor/a.js:1:2)");
        let frames = traced_back(&frames, APP, |_| None);
        assert_eq!(place(&frames).as_deref(), Some("f (vendor/a.js:1:2)"));
        assert_eq!(render(&message, &frames), "Error: x\n    at f (vendor/a.js:1:2)");
        assert_eq!(place(&[]), None);
        assert_eq!(render("Error: x", &[]), "Error: x");
    }

    #[test]
    fn frames_of_the_protocol() {
        let text = r#"{"callFrames":[
            {"functionName":"f","scriptId":"3","url":"http://h/a.js","lineNumber":0,"columnNumber":344},
            {"functionName":"","url":"http://h/a.js","location":{"scriptId":"3","lineNumber":7}}
        ]}"#;
        let calls = calls(&serde_json::from_str(text).unwrap());
        assert_eq!(calls[0].described(), "f (http://h/a.js:1:345)");
        assert_eq!(calls[1].described(), "http://h/a.js:8:1");
    }
}
