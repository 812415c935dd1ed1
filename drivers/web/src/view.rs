//! What is known of the page that is shown, and how a snapshot of it is taken.
//!
//! The collector takes a snapshot when it is asked, when so much of the page's time has passed, or
//! at the end of the next event, which it plans by itself: that saves one way to the browser and
//! back for each event.

use crate::calls::{COLLECTOR, in_world};
use crate::device::WebDevice;
use crate::failure::Failure;
use crate::protocol_types::Evaluated;
use crate::snapshot::{self, Head};
use crate::tab::Announced;
use crate::waits::Wait;
use capuchin_ui::{Screen, Size, Str};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long after the end of a slice the collector's snapshot may arrive.
const SNAPSHOT_GRACE: Duration = Duration::from_millis(40);
/// What is due at the end of a slice is not done any more: so it ends this much later, which is not
/// lost in the arithmetic on the way.
const BEYOND_SNAPSHOT: Duration = Duration::from_micros(2);

/// Where a snapshot is planned: in this document of this tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Planned {
    pub(crate) session: String,
    pub(crate) world: String,
}

/// What the collector says when it begins to look at a large page, and now and then while it does.
const LOOK_BEGINS: &str = "begin";
const LOOK_GOES_ON: &str = "";

/// How long the collector has looked at large pages. It is our time, not the page's: nobody may
/// call a page slow, or say that it hangs, because of it.
#[derive(Debug, Default)]
pub(crate) struct LookClock {
    spent: Duration,
    /// When the look that is going on was last heard of.
    heard: Option<Instant>,
}

impl LookClock {
    /// The collector said something of its work; `false` if that is something else.
    pub(crate) fn hear(&mut self, said: &str) -> bool {
        let is_begun = said == LOOK_BEGINS;
        if !is_begun && said != LOOK_GOES_ON {
            return false;
        }
        if !is_begun {
            self.spent += self.under_way(Duration::MAX);
        }
        self.heard = Some(Instant::now());
        true
    }

    /// A look has come to its end, or to nothing.
    fn end(&mut self) {
        self.spent += self.under_way(Duration::MAX);
        self.heard = None;
    }

    /// How long it has taken up to now. A look that is not heard of for as long as `hang` is not
    /// going on.
    pub(crate) fn spent(&self, hang: Duration) -> Duration {
        self.spent + self.under_way(hang)
    }

    fn under_way(&self, most: Duration) -> Duration {
        self.heard.map_or(Duration::ZERO, |heard| heard.elapsed().min(most))
    }
}

/// The page as it was last seen.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) screen: Arc<Screen>,
    pub(crate) head: Head,
    /// Whether the next snapshot must be of everything.
    pub(crate) is_stale: bool,
    /// Whether the page was looked at when it was last heard of.
    pub(crate) is_seen: bool,
    /// The snapshot that the page has planned, for the end of the next event.
    pub(crate) planned: Option<Planned>,
    /// The state that was due when the last frame was drawn.
    framed: u64,
    pub(crate) look_clock: LookClock,
    /// Why the page did not come to rest.
    pub(crate) unsettled: Option<Str>,
}

impl View {
    pub(crate) fn new() -> Self {
        View {
            screen: Arc::default(),
            head: Head::default(),
            is_stale: true,
            is_seen: true,
            planned: None,
            framed: 0,
            look_clock: LookClock::default(),
            unsettled: None,
        }
    }

    /// Another document or another tab is shown: nothing of the last snapshot can be built on.
    pub(crate) fn restart(&mut self) {
        self.is_stale = true;
        self.framed = 0;
    }

    /// Nothing is shown.
    pub(crate) fn clear(&mut self, viewport: Size, place: Str) {
        self.screen = Arc::new(Screen { viewport, place, elements: Vec::new() });
        self.is_stale = true;
    }

    /// The page does not come to rest, for this reason. The first reason stays.
    pub(crate) fn note_unsettled(&mut self, reason: String) {
        self.unsettled.get_or_insert(reason.into());
    }

    /// Whether something in the page waits for a frame that has not been drawn.
    pub(crate) fn needs_frame(&self) -> bool {
        self.head.due != 0 && self.head.due != self.framed
    }

    /// What waits for a frame gets it now.
    pub(crate) fn note_frame(&mut self) {
        self.framed = self.head.due;
    }

    /// What listens to the device hears of a change with the next frame.
    pub(crate) fn expect_frame(&mut self) {
        self.framed = u64::MAX;
    }
}

impl WebDevice {
    /// Takes a snapshot of the page.
    pub(crate) fn collect(&mut self) -> Result<(), Failure> {
        self.take_snapshot(false)
    }

    /// The same, unless the page is in the middle of something: then it is only heard of.
    pub(crate) fn collect_if_settled(&mut self) -> Result<(), Failure> {
        self.take_snapshot(true)
    }

    fn take_snapshot(&mut self, may_wait: bool) -> Result<(), Failure> {
        let (whole, unrest) = (self.view.is_stale, self.settling.unrest());
        let collect = format!("collect({whole}, {may_wait}, {unrest})");
        let snapshot: String =
            self.during(Wait::Snapshot, |device| device.ask_collector(collect))?;
        self.show(&snapshot)
    }

    /// Lets virtual time pass and takes a snapshot, if the page is not in the middle of something:
    /// one way to the browser and back, because the page has planned a snapshot for the end of the
    /// event, or is told beforehand when to take it.
    pub(crate) fn pass_and_collect(&mut self, time: Duration) -> Result<(), Failure> {
        self.during(Wait::Slice, |device| device.pass_slice(time))
    }

    fn pass_slice(&mut self, time: Duration) -> Result<(), Failure> {
        let world = self.tabs.world().cloned();
        let (Some(world), false) = (world, time.is_zero()) else {
            self.pass(time)?;
            return self.collect_if_settled();
        };
        let here = Planned { session: self.tabs.session(), world };
        let is_planned = !self.view.is_stale && self.view.planned.as_ref() == Some(&here);
        if time == self.options.event_takes && is_planned {
            self.view.planned = None;
            return self.pass_until_announced(time, &here);
        }
        let (whole, unrest) = (self.view.is_stale, self.settling.unrest());
        let expression = format!("{COLLECTOR}.collectIn({}, {whole}, {unrest})", time.as_millis());
        let asked = self.send("Runtime.evaluate", in_world(&here.world, &expression))?;
        // It is about to make another plan.
        self.view.planned = None;
        let answered = match self.pass(time + BEYOND_SNAPSHOT) {
            // A long timer may go off a little after the end.
            Ok(()) => {
                self.wait(SNAPSHOT_GRACE, |device| device.link.is_answered(asked)).map(|_| ())
            }
            failure => failure,
        };
        let reply = self.take_reply(asked);
        // A snapshot that nobody sees: the next one cannot tell what is different.
        self.view.is_stale |= reply.is_none() || answered.is_err();
        answered?;
        match reply {
            Some(Ok(reply)) => {
                let evaluated: Evaluated = self.read(Ok(reply))?;
                self.show(&evaluated.value::<String>().unwrap_or_default())
            }
            // Another document is there now, or the page sleeps.
            Some(Err(_)) | None => self.collect_if_settled(),
        }
    }

    /// Lets virtual time pass until the page has sent the snapshot that it has planned.
    fn pass_until_announced(&mut self, time: Duration, here: &Planned) -> Result<(), Failure> {
        let replace = |device: &mut WebDevice, announced| {
            let tab = device.tabs.of_session(&here.session);
            tab.map(|(tab, _)| std::mem::replace(&mut tab.announced, announced)).unwrap_or_default()
        };
        replace(self, Announced::Expected);
        let is_announced = |device: &WebDevice| {
            let tab = device.tabs.current();
            tab.is_none_or(|tab| {
                matches!(tab.announced, Announced::Snapshot(_))
                    || tab.world.as_ref() != Some(&here.world)
            })
        };
        let passed = self.pass(time + BEYOND_SNAPSHOT);
        let passed = passed.and_then(|()| self.wait(SNAPSHOT_GRACE, is_announced));
        let announced = replace(self, Announced::Unexpected);
        let is_here = self.tabs.current().is_some_and(|tab| {
            tab.session == here.session && tab.world.as_ref() == Some(&here.world)
        });
        match (passed, announced) {
            (Ok(_), Announced::Snapshot(snapshot)) if is_here => self.show(&snapshot),
            (passed, _) => {
                self.view.is_stale = true;
                passed?;
                self.collect_if_settled()
            }
        }
    }

    /// The snapshot that a page has planned is not taken: the time passes for something else.
    pub(crate) fn cancel_planned(&mut self) -> Result<(), Failure> {
        match self.view.planned.take() {
            Some(planned) => self.cancel(&planned),
            None => Ok(()),
        }
    }

    /// The snapshot that is planned there is not taken.
    pub(crate) fn cancel(&mut self, planned: &Planned) -> Result<(), Failure> {
        let params = json!({
            "expression": format!("{COLLECTOR}.unplan()"), "uniqueContextId": planned.world,
        });
        self.tell_to(&planned.session, "Runtime.evaluate", params)
    }

    /// How long the collector has looked at large pages up to now.
    pub(crate) fn looked(&self) -> Duration {
        self.view.look_clock.spent(self.options.hang)
    }

    /// A moment that is put off by as long as the collector has looked since the last time.
    pub(crate) fn put_off(&self, deadline: &mut Instant, looked: &mut Duration) {
        let now = self.looked();
        *deadline += now.saturating_sub(*looked);
        *looked = now;
    }

    /// The snapshot becomes the screen.
    fn show(&mut self, snapshot: &str) -> Result<(), Failure> {
        self.view.look_clock.end();
        let (head, screen) = match snapshot::read(snapshot, &self.view.screen) {
            Some(read) => read,
            None => {
                // Another document than the one that we know: ask for everything.
                let snapshot: String = self.ask_collector("collect(true)")?;
                snapshot::read(&snapshot, &Arc::default()).ok_or_else(|| {
                    Failure::Refused(format!("the page says nothing of itself: {snapshot:.300}"))
                })?
            }
        };
        self.note_worker_talk(&head.worker_talk);
        self.view.head = head;
        self.view.is_seen = screen.is_some();
        if let Some(screen) = screen {
            self.view.is_stale = false;
            self.view.screen = screen;
        }
        let tab = self.tabs.current().filter(|_| self.is_virtual());
        self.view.planned = tab.and_then(|tab| {
            Some(Planned { session: tab.session.clone(), world: tab.world.clone()? })
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests;
