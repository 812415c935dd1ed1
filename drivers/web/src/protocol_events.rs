//! What the browser reports without being asked, as types.
//!
//! On its own because this is the only place that knows the JSON of a protocol event:
//! `connection.rs` parses each one here, once, and everybody else matches on [`ProtocolEvent`]. A
//! field that the browser leaves out has its default.

use crate::protocol_types::{
    CallFrame, ExceptionDetails, RemoteObject, ScriptParsed, StackTrace, TargetInfo,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// An event, and the session that it is about; the session is empty for the browser itself.
#[derive(Debug)]
pub(crate) struct SessionEvent {
    pub(crate) session: String,
    pub(crate) event: ProtocolEvent,
}

/// Declares [`ProtocolEvent`] and how each of its variants is parsed.
macro_rules! protocol_events {
    ($($method:literal => $name:ident $(($params:ty))?,)*) => {
        /// An event of the DevTools protocol.
        #[derive(Debug)]
        pub(crate) enum ProtocolEvent {
            $($name $(($params))?,)*
            /// One that changes nothing here; that the browser sent it shows that something goes
            /// on.
            Other,
        }

        impl ProtocolEvent {
            /// Parses an event. One that is not known, or not as expected, is
            /// [`ProtocolEvent::Other`].
            pub(crate) fn parse(method: &str, params: Option<&RawValue>) -> Self {
                let params = params.map_or("{}", RawValue::get);
                match method {
                    $($method => protocol_events!(@parse params $name $(($params))?),)*
                    _ => ProtocolEvent::Other,
                }
            }
        }
    };
    (@parse $text:ident $name:ident) => { ProtocolEvent::$name };
    (@parse $text:ident $name:ident ($params:ty)) => {
        serde_json::from_str::<$params>($text)
            .map_or(ProtocolEvent::Other, ProtocolEvent::$name)
    };
}

protocol_events! {
    "Target.attachedToTarget" => AttachedToTarget(AttachedToTarget),
    "Target.detachedFromTarget" => DetachedFromTarget(DetachedFromTarget),
    "Emulation.virtualTimeBudgetExpired" => VirtualTimeBudgetExpired,
    "Runtime.executionContextCreated" => ExecutionContextCreated(ExecutionContextCreated),
    "Runtime.executionContextsCleared" => ExecutionContextsCleared,
    "Runtime.executionContextDestroyed" => ExecutionContextDestroyed(ExecutionContextDestroyed),
    "Runtime.bindingCalled" => BindingCalled(BindingCalled),
    "Runtime.exceptionThrown" => ExceptionThrown(Box<ExceptionThrown>),
    "Runtime.consoleAPICalled" => ConsoleCalled(ConsoleCalled),
    "Input.dragIntercepted" => DragIntercepted(DragIntercepted),
    "Inspector.targetCrashed" => TargetCrashed,
    "Target.targetCrashed" => TargetDied(TargetDied),
    "Page.javascriptDialogOpening" => DialogOpening(DialogOpening),
    "Page.javascriptDialogClosed" => DialogClosed(DialogClosed),
    "Page.frameStartedNavigating" => FrameStartedNavigating(FrameStartedNavigating),
    "Page.frameStoppedLoading" => FrameStoppedLoading(OfFrame),
    "Page.navigatedWithinDocument" => NavigatedWithinDocument(OfFrame),
    "Page.frameNavigated" => FrameNavigated(FrameNavigated),
    "Page.downloadWillBegin" => DownloadWillBegin(DownloadWillBegin),
    "Page.downloadProgress" => DownloadProgress(DownloadProgress),
    "Network.requestWillBeSent" => RequestWillBeSent(RequestWillBeSent),
    "Network.dataReceived" => DataReceived(OfRequest),
    "Network.eventSourceMessageReceived" => StreamReceived,
    "Network.webSocketCreated" => SocketCreated(OfRequest),
    "Network.webSocketClosed" => SocketClosed(OfRequest),
    "Network.webSocketHandshakeResponseReceived" => SocketOpened,
    "Network.webSocketFrameSent" => SocketSent,
    "Network.webSocketFrameReceived" => SocketReceived,
    "Network.responseReceived" => ResponseReceived(ResponseReceived),
    "Network.loadingFinished" => LoadingFinished(OfRequest),
    "Network.loadingFailed" => LoadingFailed(LoadingFailed),
    "Network.webTransportCreated" => WebTransportCreated(WebTransportCreated),
    "Fetch.requestPaused" => RequestPaused(RequestPaused),
    "Debugger.scriptParsed" => ScriptParsed(Box<ScriptParsed>),
    "Debugger.paused" => DebuggerPaused(DebuggerPaused),
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AttachedToTarget {
    pub(crate) session_id: String,
    pub(crate) target_info: TargetInfo,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct DetachedFromTarget {
    pub(crate) session_id: String,
}

/// How the process of a tab has died.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TargetDied {
    pub(crate) target_id: String,
    pub(crate) status: String,
    pub(crate) error_code: i64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ExecutionContextCreated {
    pub(crate) context: ExecutionContext,
}

/// A world in which scripts run.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ExecutionContext {
    pub(crate) name: String,
    pub(crate) unique_id: String,
    pub(crate) aux_data: OfFrame,
}

/// Says which frame something is about.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct OfFrame {
    pub(crate) frame_id: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ExecutionContextDestroyed {
    pub(crate) execution_context_unique_id: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct BindingCalled {
    pub(crate) name: String,
    pub(crate) payload: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ExceptionThrown {
    pub(crate) exception_details: ExceptionDetails,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ConsoleCalled {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) args: Vec<RemoteObject>,
    pub(crate) stack_trace: StackTrace,
}

#[derive(Debug, Deserialize)]
pub(crate) struct DragIntercepted {
    /// Handed back to the browser as it came.
    pub(crate) data: Box<RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct DialogOpening {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) message: String,
    pub(crate) default_prompt: String,
}

/// A dialog was answered.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct DialogClosed {
    /// Whether it was accepted.
    pub(crate) result: bool,
    pub(crate) user_input: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct FrameStartedNavigating {
    pub(crate) frame_id: String,
    pub(crate) loader_id: String,
    navigation_type: String,
}

impl FrameStartedNavigating {
    /// Whether it leads to another document, and not to another place in the same one.
    pub(crate) fn loads_a_document(&self) -> bool {
        !self.navigation_type.to_ascii_lowercase().ends_with("samedocument")
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FrameNavigated {
    pub(crate) frame: NavigatedFrame,
}

/// A frame that shows another document now.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct NavigatedFrame {
    pub(crate) parent_id: Option<String>,
    pub(crate) url: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct DownloadWillBegin {
    pub(crate) guid: String,
    pub(crate) suggested_filename: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct DownloadProgress {
    pub(crate) guid: String,
    pub(crate) state: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RequestWillBeSent {
    pub(crate) request_id: String,
    pub(crate) frame_id: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) request: Request,
    #[serde(rename = "documentURL")]
    pub(crate) document_url: String,
}

/// What is asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Request {
    pub(crate) url: String,
    pub(crate) method: String,
    pub(crate) headers: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ResponseReceived {
    pub(crate) request_id: String,
    pub(crate) frame_id: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) response: Response,
}

/// What was answered.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Response {
    pub(crate) url: String,
    pub(crate) status: u64,
    pub(crate) headers: BTreeMap<String, String>,
}

/// Says which request or socket something is about.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct OfRequest {
    pub(crate) request_id: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct LoadingFailed {
    pub(crate) request_id: String,
    pub(crate) error_text: String,
    pub(crate) canceled: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct WebTransportCreated {
    pub(crate) url: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RequestPaused {
    pub(crate) request_id: String,
    pub(crate) frame_id: String,
    pub(crate) resource_type: String,
    pub(crate) request: Request,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct DebuggerPaused {
    pub(crate) call_frames: Vec<CallFrame>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(method: &str, params: &str) -> ProtocolEvent {
        let params: &RawValue = serde_json::from_str(params).unwrap();
        ProtocolEvent::parse(method, Some(params))
    }

    #[test]
    fn an_event_has_what_the_browser_said_and_defaults_for_the_rest() {
        let params = r#"{"requestId":"7","type":"Fetch","request":{"url":"http://a/","method":"GET",
            "headers":{"Accept":"*/*"},"mixedContentType":"none"},"timestamp":1.5}"#;
        let ProtocolEvent::RequestWillBeSent(sent) = parse("Network.requestWillBeSent", params)
        else {
            panic!("another event");
        };
        assert_eq!((sent.request_id.as_str(), sent.frame_id.as_str()), ("7", ""));
        assert_eq!((sent.kind.as_str(), sent.request.url.as_str()), ("Fetch", "http://a/"));
        assert_eq!(sent.request.headers["Accept"], "*/*");
    }

    #[test]
    fn an_event_without_parameters_needs_none() {
        let event = ProtocolEvent::parse("Inspector.targetCrashed", None);
        assert!(matches!(event, ProtocolEvent::TargetCrashed), "{event:?}");
    }

    #[test]
    fn what_is_not_known_or_not_as_expected_changes_nothing() {
        for (method, params) in [
            ("Network.webSocketFrameError", "{}"),
            ("Network.responseReceived", r#"{"response":{"status":"ok"}}"#),
        ] {
            assert!(matches!(parse(method, params), ProtocolEvent::Other), "{method}");
        }
    }
}
