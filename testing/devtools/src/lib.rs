//! A second client of a browser, over its DevTools address: whoever uses a page beside the driver
//! that records it.
//!
//! On its own because it knows nothing of the driver, and says what any tool would say. It is for
//! tests and benchmarks: [`Client`] panics at whatever goes wrong, [`Connection`] returns it.

#![expect(clippy::unwrap_used, reason = "it is for tests, which may panic")]

mod connection;

pub use connection::Connection;
use serde_json::{Value, json};

const MOUSE: &str = "Input.dispatchMouseEvent";

/// Another client of a browser, at one of its pages.
pub struct Client(Connection);

impl Client {
    /// At the first page whose address begins so. The endpoint is `http://HOST:PORT`.
    ///
    /// # Panics
    ///
    /// If there is no such browser or no such page.
    pub fn at(endpoint: &str, address: &str) -> Self {
        Client(Connection::to(endpoint, address).unwrap())
    }

    /// Calls the browser, and waits for the answer.
    ///
    /// # Panics
    ///
    /// If it refuses.
    #[expect(clippy::needless_pass_by_value, reason = "every caller makes them on the spot")]
    pub fn calls(&mut self, method: &str, params: Value) -> Value {
        self.0.call(method, &params).unwrap()
    }

    /// Calls the browser, and does not wait.
    pub fn sends(&mut self, method: &str, params: &Value) -> u64 {
        self.0.send(method, params).unwrap()
    }

    /// Evaluates in the page.
    pub fn asks(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        self.calls("Runtime.evaluate", params)["result"]["value"].clone()
    }

    /// Runs a script in a world of its own, as tools do.
    pub fn asks_in_a_world(&mut self, script: &str) {
        let params = json!({"frameId": self.0.target(), "worldName": "tool"});
        let world = self.calls("Page.createIsolatedWorld", params)["executionContextId"].clone();
        let expression = format!("(() => {{ {script} }})()");
        let params = json!({"expression": expression, "contextId": world});
        self.calls("Runtime.evaluate", params);
    }

    /// The middle of an element, in a frame or a shadow tree too: `outer/inner`, by ids.
    pub fn middle(&mut self, path: &str) -> (f64, f64) {
        let script = format!(
            "(() => {{ let [root, x, y, box] = [document, 0, 0, null]; for (const id of {}) {{
                const node = root.getElementById(id); box = node.getBoundingClientRect();
                if (node.shadowRoot) root = node.shadowRoot;
                else if (node.contentDocument) {{ root = node.contentDocument; x += box.left + node.clientLeft; y += box.top + node.clientTop; }}
            }} return [x + box.left + box.width / 2, y + box.top + box.height / 2] }})()",
            json!(path.split('/').collect::<Vec<_>>())
        );
        self.point(&script)
    }

    /// The middle of the first element of a CSS selector that is shown; it is brought into view.
    pub fn middle_of(&mut self, selector: &str) -> (f64, f64) {
        let script = format!(
            "(() => {{ const isShown = (node) => node.checkVisibility({{ visibilityProperty: true }})
                    && node.getBoundingClientRect().width > 0;
                const node = [...document.querySelectorAll({})].find(isShown);
                let box = node.getBoundingClientRect();
                if (box.top < 0 || box.bottom > innerHeight) node.scrollIntoView({{ block: 'center', behavior: 'instant' }});
                box = node.getBoundingClientRect();
                return [box.left + box.width / 2, box.top + box.height / 2] }})()",
            json!(selector)
        );
        self.point(&script)
    }

    fn point(&mut self, script: &str) -> (f64, f64) {
        let at = self.asks(script);
        let number = |index: usize| {
            at[index].as_f64().unwrap_or_else(|| panic!("nothing is there: {script}"))
        };
        (number(0), number(1))
    }

    /// Sends an event of the mouse, and waits until it is handled.
    pub fn mouse(&mut self, kind: &str, at: (f64, f64), more: &Value) {
        let id = self.sends_mouse(kind, at, more);
        self.0.answer(MOUSE, id).unwrap();
    }

    fn sends_mouse(&mut self, kind: &str, (x, y): (f64, f64), more: &Value) -> u64 {
        let mut params = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
        if kind == "mouseMoved" {
            params["button"] = "none".into();
        }
        if let (Some(params), Some(more)) = (params.as_object_mut(), more.as_object()) {
            params.extend(more.clone());
        }
        self.sends(MOUSE, &params)
    }

    /// Moves there, presses and releases.
    pub fn clicks_at(&mut self, at: (f64, f64), more: &Value) -> &mut Self {
        self.mouse("mouseMoved", at, &json!({}));
        // On a slow machine, a press that is waited for is a long one.
        self.sends_mouse("mousePressed", at, more);
        let id = self.sends_mouse("mouseReleased", at, more);
        self.0.answer(MOUSE, id).unwrap();
        self
    }

    /// Clicks an element by its id.
    pub fn clicks(&mut self, path: &str) -> &mut Self {
        let at = self.middle(path);
        self.clicks_at(at, &json!({}))
    }

    /// Presses a key that writes nothing.
    pub fn presses(&mut self, key: &str, number: u32, modifiers: u32) -> &mut Self {
        for kind in ["rawKeyDown", "keyUp"] {
            self.calls(
                "Input.dispatchKeyEvent",
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": number, "modifiers": modifiers}),
            );
        }
        self
    }

    /// Types one key after the other.
    pub fn types(&mut self, text: &str) -> &mut Self {
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
    pub fn inserts(&mut self, text: &str) -> &mut Self {
        self.calls("Input.insertText", json!({"text": text}));
        self
    }

    /// Goes back in the history of the page.
    pub fn goes_back(&mut self) {
        let history = self.calls("Page.getNavigationHistory", json!({}));
        let current = history["currentIndex"].as_u64().unwrap() as usize;
        let entry = history["entries"][current - 1]["id"].clone();
        self.calls("Page.navigateToHistoryEntry", json!({"entryId": entry}));
    }

    /// Closes the page.
    pub fn closes_the_page(&mut self) {
        let params = json!({"targetId": self.0.target()});
        self.calls("Target.closeTarget", params);
    }
}
