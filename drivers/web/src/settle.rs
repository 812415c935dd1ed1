//! Waiting until the app is at rest, without sleeping.
//!
//! With the virtual clock an event takes a fixed slice of the page's time. Within it timers fire, and the
//! clock stands still while requests are under way. More slices follow while animations run that come to an
//! end, while the document loads, and while the page still changes by itself. Where the virtual clock knows
//! nothing of what is going on (sockets, workers), we wait for a moment of quiet in our own time.

use crate::device::{COLLECTOR, Trouble, WebDevice};
use crate::screen;
use crate::tab::{Said, Tab};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A page that changed this shortly before the end of a slice may be in the middle of something.
const STILL_CHANGING: u64 = 25;
/// How many more slices such a page gets.
const MORE_SLICES: u32 = 6;
/// How long animations are waited for, in the page's time.
const LONGEST_ANIMATION: u64 = 3000;
/// How long after the end of a slice the page may say what it sees.
const A_LITTLE: Duration = Duration::from_millis(40);
/// How long a socket must be quiet.
const QUIET: Duration = Duration::from_millis(40);
/// What is due at the end of a slice is not done any more: so it ends a moment later, and one that is not lost
/// in the arithmetic on the way.
const BEYOND: Duration = Duration::from_micros(2);
const A_MOMENT: Duration = Duration::from_micros(2);
/// The same in real time, and in virtual time if the answer did not come within so many moments: they add up.
const A_WHILE: Duration = Duration::from_millis(5);
const SOON: u32 = 50;

/// How long a clock is waited for that is known to be held, and one that may wait for what is known not to come.
const HELD: Duration = Duration::from_millis(100);
const BRIEF: Duration = Duration::from_millis(300);

/// Where a look is planned: in this document of this tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Planned {
    pub(crate) session: String,
    pub(crate) world: String,
}

impl WebDevice {
    /// Lets so much of the page's time pass, and more if it needs it; then looks at the page.
    pub(crate) fn settle(&mut self, takes: Duration) -> Result<(), Trouble> {
        let settled = if self.is_virtual() {
            self.settle_virtually(takes)
        } else {
            self.settle_really(takes)
        };
        self.spent = Duration::ZERO;
        settled
    }

    fn settle_virtually(&mut self, takes: Duration) -> Result<(), Trouble> {
        let spent = std::mem::take(&mut self.spent);
        let mut deadline = Instant::now() + self.options.patience;
        let (mut slices, mut animated, mut talked, mut asked) = (0, 0, false, 0);
        let mut windows = self.new_windows;
        self.pass_and_collect(takes.saturating_sub(spent))?;
        if self.is_starting {
            // Now it is there.
            deadline = Instant::now() + self.options.patience;
        }
        loop {
            if self.arrive()? {
                self.pass_and_collect(takes)?;
            }
            if self.new_windows > windows {
                // The app opened a window, and that is what is shown now.
                windows = self.new_windows;
                if Instant::now() > deadline {
                    self.busy("the app opens one window after the other".to_owned());
                    return Ok(());
                }
                self.pass_and_collect(takes)?;
                continue;
            }
            let head = &self.head;
            let out_of_patience = Instant::now() > deadline;
            let world = self.tabs.last().and_then(|tab| tab.world.as_ref());
            let is_known_to_load = (world.is_some() && self.unloaded.as_ref() == world)
                || (head.is_parsed && self.tabs.last().is_some_and(|tab| self.is_endless(tab)));
            if !head.is_loaded && !is_known_to_load {
                if out_of_patience {
                    self.unloaded = world.cloned();
                    let what = self.pending_requests();
                    self.busy(format!("the page is still loading{what}"));
                    return Ok(());
                }
                self.pass_and_collect(self.options.event_takes)?;
            } else if head.animating > 0 && animated < LONGEST_ANIMATION && !out_of_patience {
                let more = head.animating.min(LONGEST_ANIMATION - animated).max(16);
                animated += more;
                self.pass_and_collect(Duration::from_millis(more))?;
            } else if head.due != 0 && head.due != self.framed && !out_of_patience {
                self.framed = head.due;
                self.frame()?;
                self.collect()?;
            } else if head.has_asked && asked < MORE_SLICES && !out_of_patience {
                asked += 1;
                self.answered(deadline)?;
                self.pass_and_collect(takes.min(self.options.event_takes))?;
            } else if head.has_traffic && !talked {
                talked = true;
                if self.traffic()? {
                    self.pass(takes.min(self.options.event_takes))?;
                }
                self.collect()?;
            } else if head.changed_ago < STILL_CHANGING && !self.restless && !takes.is_zero() {
                slices += 1;
                if slices > MORE_SLICES || out_of_patience {
                    self.restless = true;
                    let place = self.head.changed_where.clone();
                    self.busy(format!("the page does not stop changing, last at {place}"));
                    return Ok(());
                }
                self.pass_and_collect(Duration::from_millis(2 * STILL_CHANGING))?;
            } else {
                if head.animating > 0 {
                    self.busy("an animation runs on and on".to_owned());
                }
                return Ok(());
            }
        }
    }

    pub(crate) fn busy(&mut self, what: String) {
        self.unsettled.get_or_insert(what.into());
    }

    pub(crate) fn pending_requests(&self) -> String {
        match self.awaited().as_slice() {
            [] => String::new(),
            awaited => format!(": it waits for {}", awaited.join(", ")),
        }
    }

    /// What the page has asked for.
    fn awaited(&self) -> Vec<String> {
        let pending = self.tabs.last().into_iter().flat_map(|tab| tab.pending.values());
        pending.map(|request| request.shown.clone()).collect()
    }

    /// Lets virtual time pass and then looks at the page: one way to the browser and back, because the page
    /// has planned a look for when the event is over, or is told beforehand when to look.
    fn pass_and_collect(&mut self, time: Duration) -> Result<(), Trouble> {
        let world = self.tabs.last().and_then(|tab| tab.world.clone());
        let (Some(world), false) = (world, time.is_zero()) else {
            self.pass(time)?;
            return self.collect();
        };
        let here = Planned { session: self.session(), world };
        if time == self.options.event_takes && !self.whole && self.planned.as_ref() == Some(&here) {
            self.planned = None;
            return self.pass_and_hear(time, &here);
        }
        let world = here.world;
        let expression = format!("{COLLECTOR}.collectIn({}, {})", time.as_millis(), self.whole);
        let params = json!({
            "expression": expression, "uniqueContextId": world,
            "returnByValue": true, "awaitPromise": true,
        });
        let asked = self.send("Runtime.evaluate", params)?;
        // It is about to make another plan.
        self.planned = None;
        let answered = match self.pass(time + BEYOND) {
            // A long timer may go off a little after the end.
            Ok(()) => self.wait(A_LITTLE, |device| device.link.is_answered(asked)).map(|_| ()),
            trouble => trouble,
        };
        let said = self.link.take(asked);
        if said.is_none() {
            self.link.forget(asked);
        }
        // A look that nobody sees: the next one cannot tell what is different.
        self.whole |= said.is_none() || answered.is_err();
        answered?;
        match said {
            Some(Ok(said)) => self.read(said["result"]["value"].as_str().unwrap_or_default()),
            // Another document is there now, or the page sleeps.
            Some(Err(_)) | None => self.collect(),
        }
    }

    /// Lets virtual time pass until the page has said what it sees.
    fn pass_and_hear(&mut self, time: Duration, here: &Planned) -> Result<(), Trouble> {
        let tab = self.tabs.len().saturating_sub(1);
        let expect = |device: &mut WebDevice, said| {
            let tab = device.tabs.get_mut(tab).filter(|tab| tab.session == here.session);
            tab.map(|tab| std::mem::replace(&mut tab.said, said)).unwrap_or_default()
        };
        expect(self, Said::NotYet);
        let heard = |device: &WebDevice| {
            let tab = device.tabs.last();
            tab.is_none_or(|tab| {
                matches!(tab.said, Said::This(_)) || tab.world.as_ref() != Some(&here.world)
            })
        };
        let passed = self.pass(time + BEYOND).and_then(|()| self.wait(A_LITTLE, heard));
        let said = expect(self, Said::Unexpected);
        let is_here = self.tabs.last().is_some_and(|tab| {
            tab.session == here.session && tab.world.as_ref() == Some(&here.world)
        });
        match (passed, said) {
            (Ok(_), Said::This(said)) if is_here => self.read(&said),
            (passed, _) => {
                self.whole = true;
                passed?;
                self.collect()
            }
        }
    }

    /// The look that a page has planned comes to nothing: the time passes for something else.
    pub(crate) fn unplan(&mut self, planned: &Planned) -> Result<(), Trouble> {
        let params = json!({
            "expression": format!("{COLLECTOR}.unplan()"), "uniqueContextId": planned.world,
        });
        let told = self.link.tell(&planned.session, "Runtime.evaluate", params);
        told.map_err(|error| self.trouble(error))
    }

    /// Lets virtual time pass.
    pub(crate) fn pass(&mut self, time: Duration) -> Result<(), Trouble> {
        if time.is_zero() {
            return Ok(());
        }
        let patience = self.options.patience;
        let waits = !self.tabs.last().is_some_and(|tab| self.is_endless(tab));
        let policy = if waits { "pauseIfNetworkFetchesPending" } else { "advance" };
        // A clock that is known to be held by something stands for a moment, in which the page may ask for more.
        let brief = match (self.is_held, waits && !self.endless.is_empty()) {
            (true, _) => HELD.min(patience),
            (false, true) => BRIEF.min(patience),
            (false, false) => patience,
        };
        let windows = self.give(policy, time)?;
        let mut given = self.is_given(windows, brief)?;
        if !given && waits && brief < patience {
            self.wait(patience, |device| device.is_up(windows) || !device.awaits_more())?;
            given = self.is_up(windows);
        }
        if !given && self.is_starting && self.is_held_up() {
            // An app that waits for its own scripts is nothing without them.
            self.wait(self.start_patience, |device| device.is_up(windows) || !device.is_held_up())?;
            if self.is_held_up() {
                self.start_patience = Duration::ZERO;
            }
            given = self.is_given(windows, patience)?;
        }
        if given {
            self.is_held = false;
            return Ok(());
        }
        // It may be the page that does not answer, or a request that never ends.
        let is_there = match self.call("Runtime.evaluate", json!({"expression": "1"})) {
            Ok(_) => true,
            // Who goes to another page is there, and holds nothing.
            Err(Trouble::Refused(_)) => false,
            Err(trouble) => return Err(trouble),
        };
        let pending = self.awaited();
        if pending.is_empty() {
            self.is_held |= is_there;
            self.busy("the page's clock does not move on".to_owned());
        } else {
            self.busy(format!("it waits for {}", pending.join(", ")));
            self.endless.extend(pending);
        }
        let limit = if self.is_frozen { HELD.min(patience) } else { patience };
        self.is_frozen = !self.grant("advance", time, limit)?;
        Ok(())
    }

    /// Whether the page waits for something that may come.
    fn awaits_more(&self) -> bool {
        let mut pending = self.tabs.last().into_iter().flat_map(|tab| tab.pending.values());
        pending.any(|request| !self.endless.contains(&request.shown))
    }

    /// Whether the document may be waiting for a part of itself.
    fn is_held_up(&self) -> bool {
        self.tabs.last().is_some_and(|tab| tab.pending.values().any(|request| request.holds_up))
    }

    /// Whether all that a tab waits for is known not to come.
    fn is_endless(&self, tab: &Tab) -> bool {
        !tab.pending.is_empty()
            && tab.pending.values().all(|request| self.endless.contains(&request.shown))
    }

    /// Lets the page's clock move on so far, and waits until it has; `false` if it does not.
    pub(crate) fn grant(
        &mut self,
        policy: &str,
        time: Duration,
        limit: Duration,
    ) -> Result<bool, Trouble> {
        let windows = self.give(policy, time)?;
        self.is_given(windows, limit)
    }

    /// Lets the page's clock move on, and says how many windows the app has opened before.
    fn give(&mut self, policy: &str, time: Duration) -> Result<u64, Trouble> {
        if let Some(planned) = self.planned.take() {
            self.unplan(&planned)?;
        }
        // The event is not over yet, so they are not all.
        self.receive_counts()?;
        for tab in &mut self.tabs {
            tab.time_is_up = false;
        }
        let params = json!({
            "policy": policy, "budget": time.as_secs_f64() * 1000.0,
            // A page that never rests must not stop the clock.
            "maxVirtualTimeTaskStarvationCount": 10_000,
        });
        self.tell("Emulation.setVirtualTimePolicy", params)?;
        self.clock.pass(time);
        Ok(self.new_windows)
    }

    fn is_given(&mut self, windows: u64, limit: Duration) -> Result<bool, Trouble> {
        self.wait(limit, |device| device.is_up(windows))
    }

    fn is_up(&self, windows: u64) -> bool {
        // If the app opens a window meanwhile, its clock begins anew, and with it that of the page that opened it.
        // Pages that opened one another share a clock, and any of them may be told that its time is up.
        self.new_windows > windows || self.tabs.iter().any(|tab| tab.time_is_up)
    }

    /// Waits until the browser has answered the page: databases, files, permissions. No page hears anything
    /// while its clock stands, so it is given moments that are too short to be seen.
    fn answered(&mut self, deadline: Instant) -> Result<(), Trouble> {
        // An answer may lead to another question.
        let (mut quiet, mut turns) = (0, 0);
        while quiet < 3 {
            turns += 1;
            let open = self.evaluate(&format!("{COLLECTOR}.open()"))?;
            quiet = if open.as_i64().unwrap_or_default() > 0 { 0 } else { quiet + 1 };
            if Instant::now() > deadline {
                self.busy("the browser does not answer the page".to_owned());
                break;
            }
            if self.is_virtual() {
                self.grant("advance", A_MOMENT, self.options.hang)?;
            }
            if !self.is_virtual() || turns > SOON {
                self.wait(A_WHILE, |_| false)?;
            }
        }
        self.evaluate(&format!("{COLLECTOR}.abandon()")).map(|_| ())
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
        let quiet = event_takes.min(Duration::from_millis(60));
        // Nobody waits twice for a page that is known not to come to rest.
        let patience = if self.restless { quiet } else { self.options.patience };
        let deadline = Instant::now() + self.options.patience;
        let start_deadline = deadline + self.start_patience;
        let calm = Instant::now() + patience;
        let quiet = quiet.as_millis();
        let mut asked = 0;
        loop {
            self.arrive()?;
            let left = calm.saturating_duration_since(Instant::now());
            self.evaluate(&format!("{COLLECTOR}.quiet({quiet}, {})", left.as_millis()))?;
            let windows = self.new_windows;
            self.collect()?;
            if self.head.has_asked && asked < MORE_SLICES && Instant::now() < deadline {
                asked += 1;
                self.answered(deadline)?;
                continue;
            }
            let endless = &self.endless;
            let waits = self.tabs.last().is_some_and(|tab| {
                tab.pending.values().any(|request| !endless.contains(&request.shown))
            });
            let world = self.tabs.last().and_then(|tab| tab.world.as_ref());
            let is_loaded =
                self.head.is_loaded || (world.is_some() && self.unloaded.as_ref() == world);
            if is_loaded && !waits && self.new_windows == windows {
                if self.head.changed_ago < STILL_CHANGING && !self.restless {
                    if !left.is_zero() {
                        // Something happened after the quiet and before the look.
                        continue;
                    }
                    self.restless = true;
                    let place = self.head.changed_where.clone();
                    self.busy(format!("the page does not stop changing, last at {place}"));
                }
                return Ok(());
            }
            let is_slow = self.is_starting && self.is_held_up() && Instant::now() < start_deadline;
            if Instant::now() > deadline && !is_slow {
                if !self.head.is_loaded {
                    self.unloaded = world.cloned();
                }
                if self.is_starting && self.is_held_up() {
                    self.start_patience = Duration::ZERO;
                }
                let what = self.pending_requests();
                self.busy(format!("the page is not ready{what}"));
                self.endless.extend(self.awaited());
                return Ok(());
            }
            self.wait(QUIET, |_| false)?;
        }
    }

    /// Looks at the page.
    pub(crate) fn collect(&mut self) -> Result<(), Trouble> {
        let said = self.evaluate(&format!("{COLLECTOR}.collect({})", self.whole))?;
        self.read(said.as_str().unwrap_or_default())
    }

    /// What the page says becomes the screen.
    fn read(&mut self, said: &str) -> Result<(), Trouble> {
        let (head, screen) = match screen::read(said, &self.screen) {
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
        let tab = self.tabs.last().filter(|_| self.is_virtual());
        self.planned = tab.and_then(|tab| {
            Some(Planned { session: tab.session.clone(), world: tab.world.clone()? })
        });
        Ok(())
    }
}
