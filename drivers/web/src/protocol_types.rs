//! Types of the DevTools protocol that both events and replies hold, and the replies.
//!
//! On its own so that what is asked of a browser and what it reports agree on how an exception, a
//! call or a script is written.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A tab, or something else that a debugger can attach to.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TargetInfo {
    pub(crate) target_id: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) url: String,
    pub(crate) browser_context_id: Option<String>,
    pub(crate) can_access_opener: bool,
}

/// A value in a page (`Runtime.RemoteObject`).
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RemoteObject {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) value: Value,
    pub(crate) description: Option<String>,
}

/// An exception that nobody caught, or a text that is not a program.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ExceptionDetails {
    pub(crate) text: Option<String>,
    pub(crate) exception: Option<RemoteObject>,
    pub(crate) stack_trace: StackTrace,
    pub(crate) url: String,
    #[serde(flatten)]
    pub(crate) at: Location,
}

/// The calls that led to something, the innermost first.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct StackTrace {
    pub(crate) call_frames: Vec<CallFrame>,
}

/// A call (`Runtime.CallFrame`, or `Debugger.CallFrame`, which has its place one level down).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CallFrame {
    /// The function; empty if it has no name.
    pub(crate) function_name: String,
    /// The address of the script.
    pub(crate) url: String,
    /// The place of a call that the runtime tells of.
    #[serde(flatten)]
    pub(crate) at: Location,
    /// The place of a call that the debugger tells of.
    pub(crate) location: Option<Location>,
}

/// A place in a script: lines and columns from 0, negative if they are not known.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Location {
    pub(crate) script_id: String,
    pub(crate) line_number: i32,
    pub(crate) column_number: i32,
}

impl Default for Location {
    fn default() -> Self {
        Location { script_id: String::new(), line_number: -1, column_number: -1 }
    }
}

/// What V8 says about a script when it meets it (`Debugger.scriptParsed`).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ScriptParsed {
    /// Its number, unique within the page's process.
    pub(crate) script_id: String,
    /// Its address; that of the document for scripts within one.
    pub(crate) url: String,
    /// The line of the document on which it begins, from 0.
    pub(crate) start_line: u32,
    /// The column of that line, from 0.
    pub(crate) start_column: u32,
    /// Of its text.
    pub(crate) hash: String,
    /// Of its text, in UTF-16 code units.
    pub(crate) length: u32,
    /// Where its source map is, as the script says.
    #[serde(rename = "sourceMapURL")]
    pub(crate) source_map_url: String,
}

/// The reply of a call of which it only matters that it was done.
#[derive(Debug, Deserialize)]
pub(crate) struct Done {}

/// The reply of `Runtime.evaluate`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Evaluated {
    result: EvaluatedValue,
    exception_details: Option<ExceptionDetails>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct EvaluatedValue {
    value: Option<Box<RawValue>>,
    object_id: String,
}

impl Evaluated {
    /// The value, or the default if it is another kind of value; the error is what was thrown.
    pub(crate) fn value<T: serde::de::DeserializeOwned + Default>(self) -> Result<T, String> {
        if let Some(details) = self.exception_details {
            let description = details.exception.and_then(|thrown| thrown.description);
            return Err(description.unwrap_or_else(|| "an exception".to_owned()));
        }
        let value = self.result.value;
        Ok(value.and_then(|text| serde_json::from_str(text.get()).ok()).unwrap_or_default())
    }

    /// The browser's name for the value, where the value itself was not asked for.
    pub(crate) fn object_id(self) -> String {
        self.result.object_id
    }
}

/// The reply of `Page.navigate`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Navigated {
    pub(crate) error_text: Option<String>,
}

/// The reply of `Page.getNavigationHistory`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct NavigationHistory {
    pub(crate) current_index: usize,
    pub(crate) entries: Vec<HistoryEntry>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct HistoryEntry {
    pub(crate) id: i64,
    pub(crate) url: String,
    /// What led to it: a link, a form, somebody who typed it.
    transition_type: String,
}

impl HistoryEntry {
    /// Whether somebody went there past the page: with the address bar, a bookmark, a search.
    pub(crate) fn is_typed(&self) -> bool {
        let kind = self.transition_type.as_str();
        ["typed", "address_bar", "auto_bookmark", "generated", "keyword"].contains(&kind)
    }
}

/// The reply of `Page.addScriptToEvaluateOnNewDocument`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ScriptAdded {
    pub(crate) identifier: Option<String>,
}

/// The reply of `Page.captureScreenshot`: a picture in base64.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Screenshot {
    pub(crate) data: String,
}

/// The reply of `HeadlessExperimental.beginFrame`: a picture in base64, if one was asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct FrameDrawn {
    pub(crate) screenshot_data: Option<String>,
}

/// The reply of `Storage.getUsageAndQuota`: how many bytes an origin keeps.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct StorageUsage {
    pub(crate) usage: Option<f64>,
}

/// The reply of `Target.createTarget`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TargetCreated {
    pub(crate) target_id: String,
}

/// The reply of `Target.createBrowserContext`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ContextCreated {
    pub(crate) browser_context_id: String,
}

/// The reply of `Browser.getVersion`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct BrowserVersion {
    pub(crate) product: Option<String>,
}

/// The reply of `Debugger.getScriptSource`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ScriptSource {
    pub(crate) script_source: Option<String>,
}

/// The reply of `Network.loadNetworkResource`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ResourceLoaded {
    pub(crate) resource: LoadedResource,
}

/// Whether a resource could be had, and the stream to read it from.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct LoadedResource {
    pub(crate) success: bool,
    pub(crate) stream: Option<String>,
}

/// The reply of `IO.read`: the next part of a stream.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct StreamPart {
    pub(crate) data: String,
    pub(crate) base64_encoded: bool,
    pub(crate) eof: bool,
}

/// What a browser that runs answers to `/json/version`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct DebuggerAddress {
    pub(crate) web_socket_debugger_url: Option<String>,
}
