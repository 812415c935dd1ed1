//! Frames, and what comes only with one: moved pointers, observers, scrolling, pictures.
//!
//! A browser draws when the machine has time for it: for one page at other moments in every run, and mostly
//! for nobody. So the browser that can be told when to draw (Chromium's headless shell) draws when something
//! waits for a frame, and not otherwise; that makes it half as fast again. Any other draws by itself, and we
//! wait for it.

use crate::connection::Ticket;
use crate::device::{COLLECTOR, Trouble, WebDevice};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A frame that takes longer than this waits for something.
const A_FRAME: Duration = Duration::from_millis(40);
/// After so long it is not waited for any more.
const LONGEST_FRAME: Duration = Duration::from_secs(1);
/// What it is then given of the page's time.
const IN_ADVANCE: Duration = Duration::from_millis(4);
/// How long the answer to what waited for a frame may be on its way after it.
const ON_ITS_WAY: Duration = Duration::from_millis(2);

impl WebDevice {
    /// Waits until a frame has been drawn.
    pub(crate) fn frame(&mut self) -> Result<(), Trouble> {
        self.receive_counts()?;
        let world = self.world()?;
        let params = json!({
            "expression": format!("{COLLECTOR}.frame()"), "uniqueContextId": world, "awaitPromise": true,
        });
        let ticket = self.send("Runtime.evaluate", params)?;
        match self.drawn(ticket) {
            // The document went: so did its frames.
            Ok(()) | Err(Trouble::Refused(_)) => Ok(()),
            Err(trouble) => Err(trouble),
        }
    }

    /// Waits for something that is answered when a frame is drawn.
    pub(crate) fn drawn(&mut self, ticket: Ticket) -> Result<(), Trouble> {
        let deadline = Instant::now() + LONGEST_FRAME;
        let mut frames = 0;
        while self.is_virtual() && !self.is_drawn(ticket, frames)? {
            if Instant::now() > deadline {
                // Some browsers draw nothing for a while. The page is well if it answers, and goes on
                // without the frame.
                self.link.forget(ticket);
                return self.call("Runtime.evaluate", json!({"expression": "1"})).map(|_| ());
            }
            frames += 1;
            if self.draws_on_command() {
                // Most need no more than that the page is made ready to be drawn.
                self.draw(json!({"noDisplayUpdates": frames < 3}))?;
            }
            if frames > 3 || !self.draws_on_command() {
                // While the virtual clock stands, what waits may stand with it; so it is given a little of the
                // time that the event takes in advance.
                self.grant("advance", IN_ADVANCE, self.options.hang)?;
                self.spent += IN_ADVANCE;
            }
        }
        self.reply(ticket).map(|_| ())
    }

    fn is_drawn(&mut self, ticket: Ticket, frames: u32) -> Result<bool, Trouble> {
        let patience = match (self.draws_on_command(), frames) {
            (true, 0) => Duration::ZERO,
            (true, _) => ON_ITS_WAY,
            (false, _) => A_FRAME,
        };
        self.wait(patience, |device| device.link.is_answered(ticket))
    }

    /// Whether the browser draws when we say so.
    pub(crate) fn draws_on_command(&self) -> bool {
        self.browser.draws_on_command
    }

    fn draw(&mut self, params: Value) -> Result<Value, Trouble> {
        self.receive_counts()?;
        let ticket = self.send("HeadlessExperimental.beginFrame", params)?;
        if self.wait(LONGEST_FRAME, |device| device.link.is_answered(ticket))? {
            return match self.reply(ticket) {
                // The one before it never came to its end; the page goes on without.
                Err(Trouble::Refused(_)) => Ok(Value::Null),
                reply => reply,
            };
        }
        self.link.forget(ticket);
        // Whether it is the page that does not answer, or the frame, which no other follows then.
        self.call("Runtime.evaluate", json!({"expression": "1"}))?;
        self.is_fresh = false;
        Ok(Value::Null)
    }

    /// A picture of what is shown: JPEG in base64.
    pub(crate) fn photograph(&mut self) -> Result<Value, Trouble> {
        const QUALITY: u32 = 75;
        if !self.draws_on_command() {
            let params = json!({"format": "jpeg", "quality": QUALITY, "optimizeForSpeed": true});
            return Ok(self.call("Page.captureScreenshot", params)?["data"].take());
        }
        // The first frames of a page may have nothing on them yet.
        for _ in 0..3 {
            let screenshot =
                json!({"format": "jpeg", "quality": QUALITY, "optimizeForSpeed": true});
            let mut drawn = self.draw(json!({"screenshot": screenshot}))?;
            if drawn["screenshotData"].is_string() {
                return Ok(drawn["screenshotData"].take());
            }
        }
        Err(Trouble::Refused("the browser draws nothing".to_owned()))
    }
}
