//! Somebody who uses a page that is being recorded: a second client of the browser, over its
//! DevTools address.
//!
//! On its own because it knows nothing of the driver: it sends what a mouse and a keyboard send,
//! and the recorder makes events of that.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::BTreeMap;
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
    /// Answers that came before they were waited for.
    early: BTreeMap<u64, Value>,
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
        let mut person = Person {
            socket,
            session: String::new(),
            count: 0,
            is_on_phone,
            early: BTreeMap::new(),
        };
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

    /// Moves the mouse there, presses and releases it so many times; on a phone, taps. All of it is
    /// sent at once: a press that waits for an answer on a busy machine would be a long one.
    pub(super) fn click(&mut self, (x, y): (f64, f64), times: u32) -> Result<()> {
        let touch = |kind: &str, points: Value| {
            ("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}))
        };
        let mouse = |kind: &str, button: &str, count: u32| {
            let params =
                json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": count});
            ("Input.dispatchMouseEvent", params)
        };
        let mut calls = Vec::new();
        if !self.is_on_phone {
            calls.push(mouse("mouseMoved", "none", 0));
        }
        for count in 1..=times {
            calls.extend(if self.is_on_phone {
                [touch("touchStart", json!([{"x": x, "y": y}])), touch("touchEnd", json!([]))]
            } else {
                [mouse("mousePressed", "left", count), mouse("mouseReleased", "left", count)]
            });
        }
        self.call_all(&calls)
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

    /// Makes several calls, and waits for all answers.
    fn call_all(&mut self, calls: &[(&str, Value)]) -> Result<()> {
        let mut sent = Vec::new();
        for (method, params) in calls {
            sent.push((self.send(method, params)?, *method));
        }
        sent.into_iter().try_for_each(|(id, method)| self.answer(id, method).map(|_| ()))
    }

    /// Calls the browser, and waits for the answer.
    fn call(&mut self, method: &str, params: &Value) -> Result<Value> {
        let id = self.send(method, params)?;
        self.answer(id, method)
    }

    fn send(&mut self, method: &str, params: &Value) -> Result<u64> {
        self.count += 1;
        let mut message = json!({"id": self.count, "method": method, "params": params});
        if !self.session.is_empty() && !method.starts_with("Target.") {
            message["sessionId"] = self.session.as_str().into();
        }
        self.socket.send(Message::text(message.to_string()))?;
        Ok(self.count)
    }

    /// Waits for the answer to a call; those to later calls are kept.
    fn answer(&mut self, id: u64, method: &str) -> Result<Value> {
        let mut early = self.early.remove(&id);
        loop {
            if let Some(message) = early.take() {
                return match message["error"].is_null() {
                    true => Ok(message["result"].clone()),
                    false => bail!("{method}: {}", message["error"]),
                };
            }
            let Message::Text(text) = self.socket.read()? else { continue };
            let message: Value = serde_json::from_str(&text)?;
            match message["id"].as_u64() {
                Some(of) if of == id => early = Some(message),
                Some(of) => {
                    self.early.insert(of, message);
                }
                None => {}
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
