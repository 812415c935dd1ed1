//! Somebody else who uses the page: a second client of the browser, over its DevTools address.
//!
//! On its own because it knows nothing of the driver: it says what any tool would say.

use crate::visit::Visit;
use capuchin_ui::{Device, Event, Lack, Powers, Recorded, Screen};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long a recorder is asked to wait, and how often before nobody is expected any more.
const TIMEOUT: Duration = Duration::from_millis(250);
const TRIES: u32 = 40;

/// Another client of the browser, at the page of a device.
pub(crate) struct Somebody {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: String,
    target: String,
    count: u64,
}

impl Somebody {
    /// At the page that this device shows.
    pub(crate) fn at(visit: &mut Visit) -> Self {
        let recorder = visit.device.powers().and_then(Powers::recorder).unwrap();
        let endpoint = recorder.endpoint().unwrap();
        let host = endpoint.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        let ask =
            format!("GET /json/version HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(ask.as_bytes()).unwrap();
        // It keeps the connection open, whatever it is told.
        let mut said = Vec::new();
        let about: Value = loop {
            let mut part = [0; 4096];
            let count = stream.read(&mut part).unwrap();
            assert!(count > 0, "the browser says nothing of itself");
            said.extend_from_slice(&part[..count]);
            let begins = said.iter().position(|byte| *byte == b'{').unwrap_or(said.len());
            if let Ok(about) = serde_json::from_slice(&said[begins..]) {
                break about;
            }
        };
        let address = about["webSocketDebuggerUrl"].as_str().unwrap();
        let (socket, _) = tungstenite::connect(address).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        }
        let mut somebody =
            Somebody { socket, session: String::new(), target: String::new(), count: 0 };
        let targets = somebody.calls("Target.getTargets", json!({}));
        let targets = targets["targetInfos"].as_array().unwrap();
        let is_ours = |one: &&Value| {
            one["type"] == "page" && one["url"].as_str().unwrap().starts_with("http")
        };
        somebody.target =
            targets.iter().find(is_ours).unwrap()["targetId"].as_str().unwrap().to_owned();
        let params = json!({"targetId": somebody.target, "flatten": true});
        let attached = somebody.calls("Target.attachToTarget", params);
        somebody.session = attached["sessionId"].as_str().unwrap().to_owned();
        somebody
    }

    /// Calls the browser, and waits for the answer.
    #[expect(clippy::needless_pass_by_value, reason = "every caller makes them on the spot")]
    pub(crate) fn calls(&mut self, method: &str, params: Value) -> Value {
        let id = self.sends(method, &params);
        self.waits_for(method, id)
    }

    /// Waits for the answer to a call.
    fn waits_for(&mut self, method: &str, id: u64) -> Value {
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["id"] == id {
                // A document that goes takes what it was asked with it.
                let is_refused = !message["error"].is_null() && method != "Runtime.evaluate";
                assert!(!is_refused, "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    /// Calls the browser, and does not wait.
    pub(crate) fn sends(&mut self, method: &str, params: &Value) -> u64 {
        self.count += 1;
        let mut message = json!({"id": self.count, "method": method, "params": params});
        if !self.session.is_empty() && !method.starts_with("Target.") {
            message["sessionId"] = self.session.as_str().into();
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        self.count
    }

    /// Evaluates in the page.
    pub(crate) fn asks(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        self.calls("Runtime.evaluate", params)["result"]["value"].clone()
    }

    /// Runs a script in a world of its own, as tools do.
    pub(crate) fn asks_in_a_world(&mut self, script: &str) {
        let params = json!({"frameId": self.target, "worldName": "tool"});
        let world = self.calls("Page.createIsolatedWorld", params)["executionContextId"].clone();
        let expression = format!("(() => {{ {script} }})()");
        let params = json!({"expression": expression, "contextId": world});
        self.calls("Runtime.evaluate", params);
    }

    /// The middle of an element, in a frame or a shadow tree too: `outer/inner`.
    pub(crate) fn middle(&mut self, path: &str) -> (f64, f64) {
        let script = format!(
            "(() => {{ let [root, x, y, box] = [document, 0, 0, null]; for (const id of {}) {{
                const node = root.getElementById(id); box = node.getBoundingClientRect();
                if (node.shadowRoot) root = node.shadowRoot;
                else if (node.contentDocument) {{ root = node.contentDocument; x += box.left + node.clientLeft; y += box.top + node.clientTop; }}
            }} return [x + box.left + box.width / 2, y + box.top + box.height / 2] }})()",
            json!(path.split('/').collect::<Vec<_>>())
        );
        let at = self.asks(&script);
        (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
    }

    pub(crate) fn mouse(&mut self, kind: &str, at: (f64, f64), more: &Value) {
        let id = self.sends_mouse(kind, at, more);
        self.waits_for("Input.dispatchMouseEvent", id);
    }

    /// A mouse that is not waited for: a slow machine would make a long press of each click.
    fn sends_mouse(&mut self, kind: &str, (x, y): (f64, f64), more: &Value) -> u64 {
        let mut params = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
        if kind == "mouseMoved" {
            params["button"] = "none".into();
        }
        if let (Some(params), Some(more)) = (params.as_object_mut(), more.as_object()) {
            params.extend(more.clone());
        }
        self.sends("Input.dispatchMouseEvent", &params)
    }

    /// Moves there, presses and releases.
    pub(crate) fn clicks_at(&mut self, at: (f64, f64), more: &Value) -> &mut Self {
        self.mouse("mouseMoved", at, &json!({}));
        self.sends_mouse("mousePressed", at, more);
        let id = self.sends_mouse("mouseReleased", at, more);
        self.waits_for("Input.dispatchMouseEvent", id);
        self
    }

    pub(crate) fn clicks(&mut self, path: &str) -> &mut Self {
        let at = self.middle(path);
        self.clicks_at(at, &json!({}))
    }

    /// Presses a key that writes nothing.
    pub(crate) fn presses(&mut self, key: &str, number: u32, modifiers: u32) -> &mut Self {
        for kind in ["rawKeyDown", "keyUp"] {
            self.calls(
                "Input.dispatchKeyEvent",
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": number, "modifiers": modifiers}),
            );
        }
        self
    }

    /// Types one key after the other.
    pub(crate) fn types(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            let key = c.to_string();
            self.calls(
                "Input.dispatchKeyEvent",
                json!({"type": "keyDown", "key": key, "text": key}),
            );
            self.calls("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key}));
        }
        self
    }

    /// A text that no key writes.
    pub(crate) fn inserts(&mut self, text: &str) -> &mut Self {
        self.calls("Input.insertText", json!({"text": text}));
        self
    }

    pub(crate) fn closes_the_page(&mut self) {
        let params = json!({"targetId": self.target});
        self.calls("Target.closeTarget", params);
    }
}

/// What a recorder handed over next.
pub(crate) fn recorded(visit: &mut Visit) -> Recorded {
    for _ in 0..TRIES {
        let recorder = visit.device.powers().and_then(Powers::recorder).unwrap();
        match recorder.recorded(TIMEOUT).unwrap() {
            Recorded::Nothing => {}
            recorded => return recorded,
        }
    }
    panic!("nobody did anything on\n{}", visit.seen.screen)
}

/// The event that it handed over next.
pub(crate) fn recorded_event(visit: &mut Visit) -> (Event, Arc<Screen>) {
    match recorded(visit) {
        Recorded::Event(event, screen) => (event, screen),
        other => panic!("{other:?} and no event"),
    }
}

/// What it says that no event stands for.
pub(crate) fn recorded_lack(visit: &mut Visit) -> Lack {
    match recorded(visit) {
        Recorded::Lack(lack) => lack,
        other => panic!("{other:?} and no lack"),
    }
}

/// Whether nobody does anything now.
pub(crate) fn is_nothing(visit: &mut Visit) -> bool {
    let recorder = visit.device.powers().and_then(Powers::recorder).unwrap();
    recorder.recorded(TIMEOUT).unwrap() == Recorded::Nothing
}

/// Performs what was recorded next, and says what it was.
pub(crate) fn goes_on(visit: &mut Visit) -> String {
    let (event, _) = recorded_event(visit);
    visit.does(&event);
    event.to_string()
}
