//! Lines that a page keeps open (sockets, event streams, long polls) and its workers, and waiting
//! for what comes from there.
//!
//! The page's clock knows nothing of sockets and stands for ever while a poll is open. So beside an
//! open line we do ourselves what the clock does else: wait for the requests that will be answered,
//! while moments pass that are too short to be seen. A page hears nothing while its clock stands.
//! When it has asked for something over a line or of a worker, the answer is waited for, and a
//! moment of quiet after it; how long, is learned from the answers before.

use crate::device::WebDevice;
use crate::failure::Failure;
use crate::tab::{PendingRequest, Tab};
use crate::talk::{Partner, QUIET, Talk};
use crate::virtual_time::TICK;
use crate::waits::Wait;
use capuchin_ui::State;
use std::time::{Duration, Instant};

/// How long a request is waited for that is of a kind that stays open: its server may have
/// something to say at once.
pub(crate) const OPEN_GRACE: Duration = Duration::from_millis(30);
/// How much real time passes between two ticks.
const BETWEEN_TICKS: Duration = Duration::from_millis(4);
/// How long a tick takes all together where nothing else keeps the machine busy.
const TICK_TAKES: Duration = Duration::from_millis(5);
/// How much time passes between two looks at an app that has nothing to offer yet.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// How long was waited, tick by tick. Where other programs keep the machine busy, ticks take longer
/// and so does what is waited for: that time does not count.
struct Waiting {
    began: Instant,
    ticks: u32,
}

impl Waiting {
    fn begin() -> Self {
        Waiting { began: Instant::now(), ticks: 0 }
    }

    fn time(&self) -> Duration {
        self.began.elapsed().min(TICK_TAKES * self.ticks)
    }
}

impl WebDevice {
    /// Whether the page that is shown has a line open.
    pub(crate) fn keeps_line_open(&self) -> bool {
        self.tabs.current().is_some_and(|tab| self.settling.keeps_line_open(tab))
    }

    /// Whether the page that is shown has a request under way that stays open, and holds its clock.
    pub(crate) fn keeps_request_open(&self) -> bool {
        self.tabs.current().is_some_and(|tab| self.settling.keeps_request_open(tab))
    }

    fn talk(&self, partner: Partner) -> Talk {
        let talk = |tab: &Tab| match partner {
            Partner::Lines => tab.talk,
            Partner::Workers => tab.worker_talk,
        };
        self.tabs.current().map(talk).unwrap_or_default()
    }

    /// How often the page has heard anything.
    fn heard(&self) -> u64 {
        self.talk(Partner::Lines).heard + self.talk(Partner::Workers).heard
    }

    /// Takes in what the page and its workers said to one another, as the collector counts it.
    pub(crate) fn note_worker_talk(&mut self, counted: &str) {
        if let Some(tab) = self.tabs.current_mut() {
            tab.worker_talk.count(counted);
        }
    }

    fn has_workers(&self) -> bool {
        self.talk(Partner::Workers).asked > 0
    }

    /// Lets a moment pass that is too short to be seen, and waits for what follows from it in real
    /// time. `false` if the page's clock does not move.
    fn tick(&mut self) -> Result<bool, Failure> {
        if self.is_virtual() && !self.advance(TICK, self.options.patience)? {
            return Ok(false);
        }
        let state = |tab: Option<&Tab>| tab.map(|tab| (tab.pending.len(), tab.talk.heard));
        let before = state(self.tabs.current());
        self.wait(BETWEEN_TICKS, |device| state(device.tabs.current()) != before)?;
        if self.has_workers() {
            let counted: String = self.ask_collector("workerTalk()")?;
            self.note_worker_talk(&counted);
        }
        Ok(true)
    }

    /// Waits for the requests that are under way and will be answered, each as long as the patience
    /// for it lasts, and all together no longer than that for one: an app that asks again and again
    /// has never asked for everything. What is not answered then is known to stay open. `false` if
    /// the page's clock does not move.
    pub(crate) fn await_requests(&mut self) -> Result<bool, Failure> {
        let is_awaited = |device: &WebDevice, request: &PendingRequest| {
            request.sent.elapsed() < device.settling.timeout(request, device.options.patience)
        };
        let is_over = |device: &WebDevice| {
            let mut pending =
                device.tabs.current().into_iter().flat_map(|tab| tab.pending.values());
            !pending.any(|request| is_awaited(device, request))
        };
        let begun = Instant::now();
        while begun.elapsed() < self.options.patience && !is_over(self) {
            if !self.tick()? {
                return Ok(false);
            }
        }
        self.give_up_requests(false);
        Ok(true)
    }

    /// What is still under way is not waited for any more, nor is what is like it. If it holds the
    /// page's clock, that is so of answers that the page is still reading as well.
    pub(crate) fn give_up_requests(&mut self, holds_clock: bool) {
        let pending = || self.tabs.current().into_iter().flat_map(|tab| tab.pending.values());
        let mut given_up: Vec<&PendingRequest> =
            pending().filter(|request| self.settling.is_answerable(request)).collect();
        if given_up.is_empty() && holds_clock {
            given_up = pending().filter(|request| !self.settling.is_line(request)).collect();
        }
        if given_up.is_empty() {
            return;
        }
        let kinds: Vec<_> = given_up.iter().map(|request| request.kind.clone()).collect();
        given_up.iter().for_each(|request| self.server.suspect(&request.origin));
        self.view.note_unsettled(format!("it waits for {}", self.tabs.awaited_list()));
        self.settling.note_open(&kinds);
    }

    /// Waits for requests, and for what comes over lines and from workers; whether anything came.
    pub(crate) fn hear_lines(&mut self) -> Result<bool, Failure> {
        // Where nothing holds the page's clock, the clock has waited for them.
        let awaits =
            self.is_virtual() && self.keeps_request_open() && self.settling.awaits_more(&self.tabs);
        if awaits {
            self.during(Wait::Requests, WebDevice::await_requests)?;
        }
        let is_heard = self.keeps_line_open() && self.listen(Partner::Lines)?;
        Ok(self.listen(Partner::Workers)? || is_heard || awaits)
    }

    /// Waits for the answer to what the page asked for, and then until there is quiet; whether
    /// anything came. If the talk of an event did not end in time, the rest of it is not listened
    /// to.
    fn listen(&mut self, partner: Partner) -> Result<bool, Failure> {
        let is_over = self.settling.learned(partner).talk_timeout.is_over();
        if self.talk(partner).has_asked() && !is_over {
            self.during(Wait::Answer, |device| device.await_answer(partner))?;
        }
        let mut is_heard = self.talk(partner).has_heard() && !is_over;
        if is_heard {
            is_heard = self.during(Wait::Quiet, |device| device.await_quiet(partner))?;
        }
        if let Some(tab) = self.tabs.current_mut() {
            match partner {
                Partner::Lines => tab.talk.is_over(),
                Partner::Workers => tab.worker_talk.is_over(),
            }
        }
        Ok(is_heard)
    }

    fn await_answer(&mut self, partner: Partner) -> Result<(), Failure> {
        let is_connecting = self.talk(partner).is_connecting;
        let timeout = self.settling.learned(partner).timeout(is_connecting).0;
        let mut waiting = Waiting::begin();
        let mut is_over = false;
        while !is_over && !self.talk(partner).is_answered() {
            waiting.ticks += 1;
            is_over = !self.tick()? || waiting.time() > timeout;
        }
        let took = self.talk(partner).is_answered().then(|| waiting.time());
        self.settling.learned(partner).timeout(is_connecting).note(took);
        Ok(())
    }

    /// Waits until there is quiet; `false` if there was no time left to wait for it.
    fn await_quiet(&mut self, partner: Partner) -> Result<bool, Failure> {
        let patience = self.settling.is_starting.then_some(self.options.patience);
        let (mut talking, mut quiet) = (Waiting::begin(), Waiting::begin());
        let mut heard = self.talk(partner).heard;
        let mut talked = Duration::ZERO;
        loop {
            let talk_timeout = &mut self.settling.learned(partner).talk_timeout;
            if talk_timeout.is_up(&self.view.head.url, talked, patience) {
                let who = match partner {
                    Partner::Lines => "a line that it keeps open is never quiet",
                    Partner::Workers => "a worker is never quiet",
                };
                self.view.note_unsettled(who.to_owned());
                return Ok(talking.ticks > 0);
            }
            if quiet.time() >= QUIET {
                talk_timeout.note_talk(talking.time());
                return Ok(true);
            }
            if !self.tick()? {
                return Ok(true);
            }
            (talking.ticks, quiet.ticks) = (talking.ticks + 1, quiet.ticks + 1);
            if self.talk(partner).heard != heard {
                heard = self.talk(partner).heard;
                talked = talking.time();
                quiet = Waiting::begin();
            }
        }
    }

    /// Whether the app that was opened has nothing to offer yet and may get it over a line or from
    /// a worker. Then it was given a moment of real time, is to be given the same of its own, and
    /// is to be looked at again. (If its own time passed faster, it would give up its server.)
    pub(crate) fn await_first_screen(
        &mut self,
        deadline: Instant,
    ) -> Result<Option<Duration>, Failure> {
        let takes_something = |state: State| {
            state.contains(State::DISPLAYED | State::ENABLED)
                && state.intersects(State::CLICKABLE | State::EDITABLE)
        };
        let offers =
            || self.view.screen.elements.iter().any(|element| takes_something(element.state));
        let may_come = self.keeps_line_open() || self.has_workers();
        let is_awaited = self.settling.is_starting && self.settling.lines.brings_first_screen;
        if !is_awaited || !may_come || offers() {
            return Ok(None);
        }
        let (began, heard) = (Instant::now(), self.heard());
        while began.elapsed() < LOOK_AGAIN && self.heard() == heard {
            if Instant::now() > deadline || !self.tick()? {
                // It has nothing to offer, and that is not waited for again.
                self.settling.lines.brings_first_screen = false;
                return Ok(None);
            }
        }
        Ok(Some(LOOK_AGAIN))
    }
}
