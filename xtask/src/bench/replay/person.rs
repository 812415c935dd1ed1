//! Somebody who uses a page that is being recorded: a second client of the browser, over its
//! DevTools address.
//!
//! On its own because it knows nothing of the driver: it sends what a mouse and a keyboard send,
//! and the recorder makes events of that.

use anyhow::{Result, bail};
use capuchin_devtools::Connection;
use serde_json::{Value, json};

/// A person at a page.
pub(super) struct Person {
    connection: Connection,
    is_on_phone: bool,
}

impl Person {
    /// At the page that the browser with this DevTools address shows.
    pub(super) fn at(endpoint: &str, is_on_phone: bool) -> Result<Self> {
        Ok(Person { connection: Connection::to(endpoint, "http")?, is_on_phone })
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
        self.connection.call_all(&calls)
    }

    /// Writes a text where the cursor is.
    pub(super) fn write(&mut self, text: &str) -> Result<()> {
        self.connection.call("Input.insertText", &json!({"text": text})).map(|_| ())
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
            self.connection.call("Input.dispatchKeyEvent", &params)?;
        }
        Ok(())
    }
}
