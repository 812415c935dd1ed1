//! The connection to a page of a browser: calls and their answers.
//!
//! On its own because what goes wrong is an error here: a benchmark goes on with the next app,
//! where a test panics.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long the browser may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// A connection to one page of a browser, beside the driver's own.
pub struct Connection {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: String,
    target: String,
    count: u64,
    /// Answers that came before they were waited for.
    early: BTreeMap<u64, Value>,
}

impl Connection {
    /// To the first page whose address begins so. The endpoint is `http://HOST:PORT`.
    pub fn to(endpoint: &str, address: &str) -> Result<Self> {
        let (socket, _) = tungstenite::connect(socket_of(endpoint)?)?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
        }
        let (session, target, early) = (String::new(), String::new(), BTreeMap::new());
        let mut connection = Connection { socket, session, target, count: 0, early };
        let targets = connection.call("Target.getTargets", &json!({}))?;
        let is_it = |one: &&Value| {
            let is_there = one["url"].as_str().is_some_and(|url| url.starts_with(address));
            one["type"] == "page" && is_there
        };
        let page = targets["targetInfos"].as_array().and_then(|all| all.iter().find(is_it));
        let page = page.with_context(|| format!("no page at {address}: {targets}"))?;
        connection.target = page["targetId"].as_str().unwrap_or_default().to_owned();
        let params = json!({"targetId": connection.target, "flatten": true});
        let attached = connection.call("Target.attachToTarget", &params)?;
        connection.session = attached["sessionId"].as_str().unwrap_or_default().to_owned();
        Ok(connection)
    }

    /// The number of the page.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// Calls the browser, and waits for the answer.
    pub fn call(&mut self, method: &str, params: &Value) -> Result<Value> {
        let id = self.send(method, params)?;
        self.answer(method, id)
    }

    /// Makes several calls at once, and waits for all answers.
    pub fn call_all(&mut self, calls: &[(&str, Value)]) -> Result<()> {
        let mut sent = Vec::new();
        for (method, params) in calls {
            sent.push((*method, self.send(method, params)?));
        }
        sent.into_iter().try_for_each(|(method, id)| self.answer(method, id).map(|_| ()))
    }

    /// Calls the browser, and does not wait; the number of the call.
    pub fn send(&mut self, method: &str, params: &Value) -> Result<u64> {
        self.count += 1;
        let mut message = json!({"id": self.count, "method": method, "params": params});
        if !self.session.is_empty() && !method.starts_with("Target.") {
            message["sessionId"] = self.session.as_str().into();
        }
        self.socket.send(Message::text(message.to_string()))?;
        Ok(self.count)
    }

    /// Waits for the answer to a call; those to other calls are kept.
    pub fn answer(&mut self, method: &str, id: u64) -> Result<Value> {
        let mut early = self.early.remove(&id);
        loop {
            if let Some(message) = early.take() {
                // A document that goes takes what it was asked with it.
                let is_refused = !message["error"].is_null() && method != "Runtime.evaluate";
                if is_refused {
                    bail!("{method}: {}", message["error"]);
                }
                return Ok(message["result"].clone());
            }
            let Message::Text(text) = self.socket.read()? else { continue };
            let message: Value = serde_json::from_str(&text)?;
            match message["id"].as_u64() {
                Some(of) if of == id => early = Some(message),
                Some(of) => _ = self.early.insert(of, message),
                None => {}
            }
        }
    }
}

/// The address of the socket of a browser.
fn socket_of(endpoint: &str) -> Result<String> {
    let host = endpoint.strip_prefix("http://").context("not an http address")?;
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
