//! Waiting until the app is at rest, without sleeping.
//!
//! With the virtual clock an event takes a fixed slice of the page's time. Within it timers fire, and the
//! clock stands still while requests are under way. More slices follow while animations run that come to an
//! end, while the document loads, and while the page still changes by itself. Where the virtual clock knows
//! nothing of what is going on (sockets, workers), we wait for a moment of quiet in our own time.

use crate::connection::Ticket;
use crate::device::{COLLECTOR, Trouble, WebDevice};
use crate::screen;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A page that changed this shortly before the end of a slice may be in the middle of something.
const STILL_CHANGING: u64 = 25;
/// How many more slices such a page gets.
const MORE_SLICES: u32 = 6;
/// How long animations are waited for, in the page's time.
const LONGEST_ANIMATION: u64 = 3000;
/// How long a socket must be quiet.
const QUIET: Duration = Duration::from_millis(40);
/// A frame that takes longer than this waits for something.
const A_FRAME: Duration = Duration::from_millis(40);
/// After so long it is not waited for any more.
const LONGEST_FRAME: Duration = Duration::from_secs(1);
/// What it is then given of the page's time.
const IN_ADVANCE: Duration = Duration::from_millis(4);

impl WebDevice {
    /// Lets so much of the page's time pass, and more if it needs it; then looks at the page.
    pub(crate) fn settle(&mut self, takes: Duration) -> Result<(), Trouble> {
        if self.is_virtual() { self.settle_virtually(takes) } else { self.settle_really(takes) }
    }

    fn settle_virtually(&mut self, takes: Duration) -> Result<(), Trouble> {
        let spent = std::mem::take(&mut self.spent);
        self.pass(takes.saturating_sub(spent))?;
        let deadline = Instant::now() + self.options.patience;
        let (mut slices, mut animated, mut talked) = (0, 0, false);
        loop {
            let windows = self.new_windows;
            self.collect()?;
            if self.new_windows > windows {
                // The app opened a window, and that is what is shown now.
                self.pass(takes)?;
                continue;
            }
            let head = &self.head;
            let out_of_patience = Instant::now() > deadline;
            if !head.is_loaded {
                if out_of_patience {
                    let what = self.pending_requests();
                    self.busy(format!("the page is still loading{what}"));
                    return Ok(());
                }
                self.pass(self.options.event_takes)?;
            } else if head.animating > 0 && animated < LONGEST_ANIMATION && !out_of_patience {
                let more = head.animating.min(LONGEST_ANIMATION - animated).max(16);
                animated += more;
                self.pass(Duration::from_millis(more))?;
            } else if head.needs_frames && head.changes != self.framed && !out_of_patience {
                self.framed = head.changes;
                self.frame()?;
            } else if head.has_traffic && !talked {
                talked = true;
                if self.traffic()? {
                    self.pass(takes.min(self.options.event_takes))?;
                }
            } else if head.changed_ago < STILL_CHANGING && !self.restless && !takes.is_zero() {
                slices += 1;
                if slices > MORE_SLICES || out_of_patience {
                    self.restless = true;
                    let place = self.head.changed_where.clone();
                    self.busy(format!("the page does not stop changing, last at {place}"));
                    return Ok(());
                }
                self.pass(Duration::from_millis(2 * STILL_CHANGING))?;
            } else {
                if head.animating > 0 {
                    self.busy("an animation runs on and on".to_owned());
                }
                return Ok(());
            }
        }
    }

    fn busy(&mut self, what: String) {
        self.unsettled.get_or_insert(what.into());
    }

    fn pending_requests(&self) -> String {
        let pending = self.tabs.last().map(|tab| tab.pending.values().cloned().collect::<Vec<_>>());
        match pending {
            Some(pending) if !pending.is_empty() => {
                format!(": it waits for {}", pending.join(", "))
            }
            _ => String::new(),
        }
    }

    /// Lets virtual time pass.
    pub(crate) fn pass(&mut self, time: Duration) -> Result<(), Trouble> {
        if time.is_zero() {
            return Ok(());
        }
        let waits = {
            let endless = &self.endless;
            let tab = self.tabs.last();
            !tab.is_some_and(|tab| {
                !tab.pending.is_empty() && tab.pending.values().all(|url| endless.contains(url))
            })
        };
        let policy = if waits { "pauseIfNetworkFetchesPending" } else { "advance" };
        if self.grant(policy, time, self.options.patience)? {
            return Ok(());
        }
        // It may be the page that does not answer, or a request that never ends.
        self.call("Runtime.evaluate", json!({"expression": "1"}))?;
        let pending: Vec<String> =
            self.tabs.last().map(|tab| tab.pending.values().cloned().collect()).unwrap_or_default();
        if pending.is_empty() {
            self.busy("the page's clock does not move on".to_owned());
        } else {
            self.busy(format!("it waits for {}", pending.join(", ")));
            self.endless.extend(pending);
        }
        let limit = self.options.patience;
        self.grant("advance", time, limit)?;
        Ok(())
    }

    pub(crate) fn grant(
        &mut self,
        policy: &str,
        time: Duration,
        limit: Duration,
    ) -> Result<bool, Trouble> {
        if let Some(tab) = self.tab() {
            tab.time_is_up = false;
        }
        let params = json!({
            "policy": policy, "budget": time.as_millis() as u64,
            // A page that never rests must not stop the clock.
            "maxVirtualTimeTaskStarvationCount": 10_000,
        });
        self.tell("Emulation.setVirtualTimePolicy", params)?;
        self.wait(limit, |device| device.tabs.last().is_some_and(|tab| tab.time_is_up))
    }

    /// Waits until a frame has been drawn.
    pub(crate) fn frame(&mut self) -> Result<(), Trouble> {
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

    /// Waits for something that is answered when a frame is drawn. While the virtual clock stands, frames
    /// may stand with it; then a little of the time that the event takes is given in advance.
    pub(crate) fn drawn(&mut self, ticket: Ticket) -> Result<(), Trouble> {
        let deadline = Instant::now() + LONGEST_FRAME;
        while self.is_virtual() {
            if self.wait(A_FRAME, |device| device.link.is_answered(ticket))? {
                break;
            }
            if Instant::now() > deadline {
                // Some browsers draw nothing for a while. The page is well if it answers, and goes on
                // without the frame.
                self.link.forget(ticket);
                return self.call("Runtime.evaluate", json!({"expression": "1"})).map(|_| ());
            }
            self.grant("advance", IN_ADVANCE, self.options.hang)?;
            self.spent += IN_ADVANCE;
        }
        self.reply(ticket).map(|_| ())
    }

    /// Waits for a moment in which nobody says anything; whether anybody did.
    fn traffic(&mut self) -> Result<bool, Trouble> {
        let deadline = Instant::now() + Duration::from_millis(500);
        let mut talked = false;
        loop {
            let quiet = (Instant::now() + QUIET).min(deadline);
            if !self.link.pump(quiet).map_err(|error| self.trouble(error))? {
                return Ok(talked);
            }
            talked = true;
            self.hear()?;
        }
    }

    fn settle_really(&mut self, takes: Duration) -> Result<(), Trouble> {
        let event_takes = self.options.event_takes;
        if takes != event_takes {
            // Only a sleep takes another time than an event does.
            self.wait(takes, |_| false)?;
        }
        let deadline = Instant::now() + self.options.patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let quiet = event_takes.min(Duration::from_millis(60)).as_millis();
            self.evaluate(&format!("{COLLECTOR}.quiet({quiet}, {})", left.as_millis()))?;
            let windows = self.new_windows;
            self.collect()?;
            let endless = &self.endless;
            let waits = self
                .tabs
                .last()
                .is_some_and(|tab| tab.pending.values().any(|request| !endless.contains(request)));
            if self.head.is_loaded && !waits && self.new_windows == windows {
                if self.head.changed_ago < STILL_CHANGING && !self.restless {
                    self.restless = true;
                    let place = self.head.changed_where.clone();
                    self.busy(format!("the page does not stop changing, last at {place}"));
                }
                return Ok(());
            }
            if left.is_zero() {
                let what = self.pending_requests();
                self.busy(format!("the page is not ready{what}"));
                if let Some(tab) = self.tabs.last() {
                    self.endless.extend(tab.pending.values().cloned());
                }
                return Ok(());
            }
            let end = (Instant::now() + QUIET).min(deadline);
            self.wait(end.saturating_duration_since(Instant::now()), |_| false)?;
        }
    }

    /// Looks at the page.
    pub(crate) fn collect(&mut self) -> Result<(), Trouble> {
        let whole = self.whole;
        let said = self.evaluate(&format!("{COLLECTOR}.collect({whole})"))?;
        let read = said.as_str().and_then(|text| screen::read(text, &self.screen));
        let (head, screen) = match read {
            Some(read) => read,
            None => {
                // Another document than the one that we know: ask for everything.
                let said = self.evaluate(&format!("{COLLECTOR}.collect(true)"))?;
                let nothing = Arc::default();
                said.as_str().and_then(|text| screen::read(text, &nothing)).ok_or_else(|| {
                    Trouble::Refused(format!(
                        "the page says nothing of itself: {:.300}",
                        said.to_string()
                    ))
                })?
            }
        };
        self.whole = false;
        self.head = head;
        self.screen = screen;
        Ok(())
    }
}
