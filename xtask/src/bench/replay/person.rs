//! Somebody who uses a page that is being recorded: a second client of the browser, over its
//! DevTools address.
//!
//! On its own because it knows nothing of the driver: it sends what a mouse and a keyboard send,
//! and the recorder makes events of that.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long an answer of the browser may take.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// A person at a page.
pub(super) struct Person {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: String,
    count: u64,
    is_on_phone: bool,
}

impl Person {
    /// At the page that the browser with this DevTools address shows.
    pub(super) fn at(endpoint: &str, is_on_phone: bool) -> Result<Self> {
        let host = endpoint.strip_prefix("http://").context("not an http address")?;
        let address = websocket(host)?;
        let (socket, _) = tungstenite::connect(address)?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
        }
        let mut person = Person { socket, session: String::new(), count: 0, is_on_phone };
        let targets = person.call("Target.getTargets", &json!({}))?;
        let is_page = |one: &&Value| {
            one["type"] == "page" && one["url"].as_str().is_some_and(|url| url.starts_with("http"))
        };
        let page = targets["targetInfos"].as_array().and_then(|all| all.iter().find(is_page));
        let page = page.context("the browser shows no page")?;
        let params = json!({"targetId": page["targetId"], "flatten": true});
        let attached = person.call("Target.attachToTarget", &params)?;
        person.session = attached["sessionId"].as_str().unwrap_or_default().to_owned();
        Ok(person)
    }

    /// Moves the mouse there, presses and releases it so many times; on a phone, taps.
    pub(super) fn click(&mut self, (x, y): (f64, f64), times: u32) -> Result<()> {
        if self.is_on_phone {
            for _ in 0..times {
                let point = json!([{"x": x, "y": y}]);
                let touch =
                    |kind: &str, points: &Value| json!({"type": kind, "touchPoints": points});
                self.call("Input.dispatchTouchEvent", &touch("touchStart", &point))?;
                self.call("Input.dispatchTouchEvent", &touch("touchEnd", &json!([])))?;
            }
            return Ok(());
        }
        let event = |kind: &str, button: &str, count: u32| json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": count});
        self.call("Input.dispatchMouseEvent", &event("mouseMoved", "none", 0))?;
        for count in 1..=times {
            self.call("Input.dispatchMouseEvent", &event("mousePressed", "left", count))?;
            self.call("Input.dispatchMouseEvent", &event("mouseReleased", "left", count))?;
        }
        Ok(())
    }

    /// Writes a text where the cursor is.
    pub(super) fn write(&mut self, text: &str) -> Result<()> {
        self.call("Input.insertText", &json!({"text": text})).map(|_| ())
    }

    /// Presses a key that writes nothing.
    pub(super) fn press(&mut self, key: &str) -> Result<()> {
        let number = match key {
            "Enter" => 13,
            "Escape" => 27,
            "Tab" => 9,
            _ => bail!("the key {key} has no number here"),
        };
        for kind in ["rawKeyDown", "keyUp"] {
            let params = json!({"type": kind, "key": key, "code": key,
                "windowsVirtualKeyCode": number});
            self.call("Input.dispatchKeyEvent", &params)?;
        }
        Ok(())
    }

    /// Calls the browser, and waits for the answer.
    fn call(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.count += 1;
        let mut message = json!({"id": self.count, "method": method, "params": params});
        if !self.session.is_empty() && !method.starts_with("Target.") {
            message["sessionId"] = self.session.as_str().into();
        }
        self.socket.send(Message::text(message.to_string()))?;
        loop {
            let Message::Text(text) = self.socket.read()? else { continue };
            let message: Value = serde_json::from_str(&text)?;
            if message["id"] == self.count {
                return match message["error"].is_null() {
                    true => Ok(message["result"].clone()),
                    false => bail!("{method}: {}", message["error"]),
                };
            }
        }
    }
}

/// The address of the browser's socket.
fn websocket(host: &str) -> Result<String> {
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    let ask = format!("GET /json/version HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(ask.as_bytes())?;
    // It keeps the connection open, whatever it is told.
    let mut said = Vec::new();
    loop {
        let mut part = [0; 4096];
        let count = stream.read(&mut part)?;
        if count == 0 {
            bail!("the browser says nothing of itself");
        }
        said.extend_from_slice(&part[..count]);
        let begins = said.iter().position(|byte| *byte == b'{').unwrap_or(said.len());
        if let Ok(about) = serde_json::from_slice::<Value>(&said[begins..]) {
            let address = about["webSocketDebuggerUrl"].as_str();
            return Ok(address.context("the browser has no socket")?.to_owned());
        }
    }
}
