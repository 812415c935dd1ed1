//! Lines that a page keeps open (sockets, event streams, long polls), and waiting for what comes
//! over them.
//!
//! The page's clock knows nothing of sockets and stands for ever while a poll is open. So beside an
//! open line we do ourselves what the clock does else: wait for the requests that will be answered,
//! while moments pass that are too short to be seen. A page hears nothing while its clock stands.
//! When it has asked for something over a line, the answer is waited for, and a moment of quiet
//! after it; how long, is learned from the answers before.

use crate::device::WebDevice;
use crate::failure::Failure;
use crate::tab::{PendingRequest, Tab};
use crate::virtual_time::TICK;
use capuchin_ui::State;
use std::time::{Duration, Instant};

/// How long a request is waited for that is of a kind that stays open: its server may have
/// something to say at once.
pub(crate) const OPEN_GRACE: Duration = Duration::from_millis(30);
/// How much real time passes between two ticks.
const BETWEEN_TICKS: Duration = Duration::from_millis(4);
/// How long nothing must come before a line is quiet.
const QUIET: Duration = Duration::from_millis(40);
/// How long it is waited for.
const LONGEST_TALK: Duration = Duration::from_millis(500);
/// How long an answer is waited for: at first, and at least.
const FIRST_ANSWER: Duration = Duration::from_millis(500);
const LEAST_ANSWER: Duration = Duration::from_millis(25);
/// An answer is waited for so many times as long as the last one took.
const SPREAD: u32 = 4;
/// How much time passes between two looks at an app that has nothing to offer yet.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// The quiet of lines that had none so many times in a row is not waited for any more.
const TALKATIVE: u32 = 2;

/// What was said over the lines of a tab.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Talk {
    /// How often the page asked, and what it had heard when it did so last.
    asked: u64,
    heard_when_asked: u64,
    /// How often it heard something.
    heard: u64,
    /// The same when it was last listened to.
    asked_before: u64,
    heard_before: u64,
}

impl Talk {
    pub(crate) fn asks(&mut self) {
        self.asked += 1;
        self.heard_when_asked = self.heard;
    }

    pub(crate) fn hears(&mut self) {
        self.heard += 1;
    }

    fn has_asked(&self) -> bool {
        self.asked > self.asked_before
    }

    fn has_heard(&self) -> bool {
        self.heard > self.heard_before
    }

    fn is_answered(&self) -> bool {
        self.heard > self.heard_when_asked
    }

    fn is_over(&mut self) {
        (self.asked_before, self.heard_before) = (self.asked, self.heard);
    }
}

/// What is known of how the app talks over its lines. It outlives a reset.
#[derive(Debug)]
pub(crate) struct Lines {
    /// How long an answer is waited for.
    answer_timeout: Duration,
    /// How many times in a row a line was not quiet.
    restless: u32,
    /// Whether a first screen that offers nothing is one that is still to come.
    brings_first_screen: bool,
}

impl Lines {
    pub(crate) fn new() -> Self {
        Lines { answer_timeout: FIRST_ANSWER, restless: 0, brings_first_screen: true }
    }

    /// An answer came after so long, or did not come.
    fn note_answer(&mut self, took: Option<Duration>) {
        self.answer_timeout = match took {
            Some(took) => (took * SPREAD).clamp(QUIET * 2, FIRST_ANSWER),
            None => (self.answer_timeout / 2).max(LEAST_ANSWER),
        };
    }

    fn is_talkative(&self) -> bool {
        self.restless >= TALKATIVE
    }
}

impl WebDevice {
    /// Whether the page that is shown has a line open.
    pub(crate) fn keeps_line_open(&self) -> bool {
        self.tabs.current().is_some_and(|tab| self.settling.keeps_line_open(tab))
    }

    fn talk(&self) -> Talk {
        self.tabs.current().map(|tab| tab.talk).unwrap_or_default()
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
        let begun = Instant::now();
        while begun.elapsed() < self.options.patience {
            if !self.tick()? {
                return Ok(false);
            }
            let mut pending = self.tabs.current().into_iter().flat_map(|tab| tab.pending.values());
            if !pending.any(|request| is_awaited(self, request)) {
                break;
            }
        }
        self.give_up_requests();
        Ok(true)
    }

    /// What is still under way is not waited for any more, nor is what is like it.
    pub(crate) fn give_up_requests(&mut self) {
        let pending = self.tabs.current().into_iter().flat_map(|tab| tab.pending.values());
        let given_up: Vec<&PendingRequest> =
            pending.filter(|request| !self.settling.is_line(request)).collect();
        if given_up.is_empty() {
            return;
        }
        let kinds: Vec<_> = given_up.iter().map(|request| request.kind.clone()).collect();
        self.view.note_unsettled(format!("it waits for {}", self.tabs.awaited_list()));
        self.settling.note_open(&kinds);
    }

    /// Waits for requests and for what comes over lines; whether anything came.
    pub(crate) fn hear_lines(&mut self) -> Result<bool, Failure> {
        if !self.keeps_line_open() {
            return Ok(false);
        }
        let awaits = self.is_virtual() && self.settling.awaits_more(&self.tabs);
        if awaits {
            self.await_requests()?;
        }
        Ok(self.listen()? || awaits)
    }

    /// Waits for the answer to what the page asked for over a line, and then until the line is
    /// quiet; whether anything came.
    fn listen(&mut self) -> Result<bool, Failure> {
        if !self.talk().has_asked() && !self.talk().has_heard() {
            return Ok(false);
        }
        if self.talk().has_asked() {
            self.await_answer()?;
        }
        let is_heard = self.talk().has_heard();
        if is_heard && !self.settling.lines.is_talkative() {
            self.await_quiet()?;
        }
        if let Some(tab) = self.tabs.current_mut() {
            tab.talk.is_over();
        }
        Ok(is_heard)
    }

    fn await_answer(&mut self) -> Result<(), Failure> {
        let began = Instant::now();
        while !self.talk().is_answered() {
            if began.elapsed() > self.settling.lines.answer_timeout || !self.tick()? {
                self.settling.lines.note_answer(None);
                return Ok(());
            }
        }
        self.settling.lines.note_answer(Some(began.elapsed()));
        Ok(())
    }

    fn await_quiet(&mut self) -> Result<(), Failure> {
        let began = Instant::now();
        let longest = if self.settling.is_starting { self.options.patience } else { LONGEST_TALK };
        let mut last = (self.talk().heard, began);
        while last.1.elapsed() < QUIET {
            if began.elapsed() > longest {
                self.settling.lines.restless += 1;
                self.view.note_unsettled("a line that it keeps open is never quiet".to_owned());
                return Ok(());
            }
            if !self.tick()? {
                return Ok(());
            }
            if self.talk().heard != last.0 {
                last = (self.talk().heard, Instant::now());
            }
        }
        self.settling.lines.restless = 0;
        Ok(())
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
        let may_come = self.keeps_line_open() || self.view.head.has_traffic;
        let is_awaited = self.settling.is_starting && self.settling.lines.brings_first_screen;
        if !is_awaited || !may_come || offers() {
            return Ok(None);
        }
        let (began, heard) = (Instant::now(), self.talk().heard);
        while began.elapsed() < LOOK_AGAIN && self.talk().heard == heard {
            if Instant::now() > deadline || !self.tick()? {
                // It has nothing to offer, and that is not waited for again.
                self.settling.lines.brings_first_screen = false;
                return Ok(None);
            }
        }
        Ok(Some(LOOK_AGAIN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_after_a_question_answers_it() {
        let mut talk = Talk::default();
        talk.hears();
        talk.asks();
        assert!(talk.has_asked() && talk.has_heard() && !talk.is_answered());
        talk.hears();
        assert!(talk.is_answered());
        talk.is_over();
        assert!(!talk.has_asked() && !talk.has_heard());
    }

    #[test]
    fn answers_are_waited_for_as_long_as_they_take() {
        let mut lines = Lines::new();
        for _ in 0..9 {
            lines.note_answer(None);
        }
        assert_eq!(lines.answer_timeout, LEAST_ANSWER);
        lines.note_answer(Some(Duration::from_millis(50)));
        assert_eq!(lines.answer_timeout, Duration::from_millis(200));
        lines.note_answer(Some(Duration::from_secs(9)));
        assert_eq!(lines.answer_timeout, FIRST_ANSWER);
    }
}
