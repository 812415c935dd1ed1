//! Frames, and what comes only with one: moved pointers, observers, scrolling, pictures.
//!
//! A browser draws when the machine has time for it: for one page at other moments in every run,
//! and mostly for nobody. So the browser that can be told when to draw (Chromium's headless shell)
//! draws when something waits for a frame, and not otherwise; that makes it half as fast again. Any
//! other draws by itself, and we wait for it.

use crate::calls::{COLLECTOR, in_world};
use crate::device::WebDevice;
use crate::failure::Failure;
use crate::link::Ticket;
use crate::protocol_types::{FrameDrawn, Screenshot};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long a browser that draws by itself may take for a frame; one that takes longer waits for
/// something.
const OWN_FRAME_TIMEOUT: Duration = Duration::from_millis(40);
/// After so long a frame is not waited for any more.
const FRAME_TIMEOUT: Duration = Duration::from_secs(1);
/// What a frame that waits is given of the page's time.
const FRAME_TIME: Duration = Duration::from_millis(4);
/// How long the reply to what waited for a frame may take after the frame was drawn.
const REPLY_GRACE: Duration = Duration::from_millis(2);
/// The quality of a screenshot, in per cent.
const JPEG_QUALITY: u32 = 75;

impl WebDevice {
    /// Waits until a frame has been drawn.
    pub(crate) fn frame(&mut self) -> Result<(), Failure> {
        self.receive_counts()?;
        let world = self.world()?;
        let expression = format!("{COLLECTOR}.frame()");
        let ticket = self.send("Runtime.evaluate", in_world(&world, &expression))?;
        match self.wait_for_frame(ticket) {
            // The document went: so did its frames.
            Ok(()) | Err(Failure::Refused(_)) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// Waits for something that is answered when a frame is drawn.
    pub(crate) fn wait_for_frame(&mut self, ticket: Ticket) -> Result<(), Failure> {
        let mut deadline = Instant::now() + FRAME_TIMEOUT;
        let mut frames = 0;
        while self.is_virtual() && !self.is_drawn(ticket, frames)? {
            if Instant::now() >= deadline {
                // Some browsers draw nothing for a while. The page is well if it answers, and goes
                // on without the frame.
                self.link.forget(ticket);
                return self.ping();
            }
            frames += 1;
            if self.draws_on_command() {
                // Most need no more than that the page is made ready to be drawn.
                self.draw(json!({"noDisplayUpdates": frames < 3}))?;
                if self.tabs.current().is_some_and(|tab| tab.is_frame_lost) {
                    // Nobody waits for it a second time.
                    deadline = Instant::now();
                    continue;
                }
            }
            if frames > 3 || !self.draws_on_command() {
                // While the virtual clock stands, what waits may stand with it; so it is given a
                // little of the time that the event takes in advance.
                self.advance(FRAME_TIME, self.options.hang)?;
                self.clock.advanced += FRAME_TIME;
            }
        }
        self.done(ticket)
    }

    /// Shows what a wheel has scrolled. A browser that draws on command hands it to the page with
    /// each frame that it draws until it has shown one: the page would scroll on and on.
    pub(crate) fn show_scrolled(&mut self) -> Result<(), Failure> {
        if self.draws_on_command() {
            self.draw(json!({}))?;
        }
        Ok(())
    }

    fn is_drawn(&mut self, ticket: Ticket, frames: u32) -> Result<bool, Failure> {
        let timeout = match (self.draws_on_command(), frames) {
            (true, 0) => Duration::ZERO,
            (true, _) => REPLY_GRACE,
            (false, _) => OWN_FRAME_TIMEOUT,
        };
        self.wait(timeout, |device| device.link.is_answered(ticket))
    }

    /// Whether the browser draws when we say so.
    pub(crate) fn draws_on_command(&self) -> bool {
        self.browser.draws_on_command
    }

    fn draw(&mut self, params: Value) -> Result<FrameDrawn, Failure> {
        self.receive_counts()?;
        let ticket = self.send("HeadlessExperimental.beginFrame", params)?;
        if self.wait(FRAME_TIMEOUT, |device| device.link.is_answered(ticket))? {
            return match self.reply(ticket) {
                // The one before it never came to its end; the page goes on without.
                Err(Failure::Refused(_)) => Ok(FrameDrawn::default()),
                reply => {
                    self.note_frame_lost(false);
                    reply
                }
            };
        }
        self.link.forget(ticket);
        // Whether it is the page that does not answer, or the frame, which no other follows then.
        self.ping()?;
        self.tabs.is_reusable = false;
        self.note_frame_lost(true);
        Ok(FrameDrawn::default())
    }

    fn note_frame_lost(&mut self, is_lost: bool) {
        if let Some(tab) = self.tabs.current_mut() {
            tab.is_frame_lost = is_lost;
        }
    }

    /// A screenshot: JPEG in base64.
    pub(crate) fn screenshot(&mut self) -> Result<String, Failure> {
        let params = json!({"format": "jpeg", "quality": JPEG_QUALITY, "optimizeForSpeed": true});
        if !self.draws_on_command() {
            return Ok(self.ask::<Screenshot>("Page.captureScreenshot", params)?.data);
        }
        // The first frames of a page may have nothing on them yet.
        for _ in 0..3 {
            let drawn = self.draw(json!({"screenshot": params}))?;
            if let Some(data) = drawn.screenshot_data {
                return Ok(data);
            }
        }
        Err(Failure::Refused("the browser draws nothing".to_owned()))
    }
}
