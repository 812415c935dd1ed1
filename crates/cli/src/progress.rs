//! How far a run has got, on one line of a terminal that is wiped when it is over.

use capuchin::{Observer, RunEvent};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Shows progress on standard error, if that is a terminal.
pub(crate) struct Progress {
    shown: bool,
    wanted: bool,
    last: Option<Instant>,
    check: String,
    cases: u32,
    done: u32,
    failures: u32,
    /// The failure that is being made small.
    small: Option<u32>,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        Progress {
            shown: false,
            wanted: !quiet && std::io::stderr().is_terminal(),
            last: None,
            check: String::new(),
            cases: 0,
            done: 0,
            failures: 0,
            small: None,
        }
    }

    /// Shows this instead of the number of cases.
    pub(crate) fn say(&mut self, what: &str) {
        if self.may_draw() {
            let failures = self.failures();
            let _ = write!(std::io::stderr(), "\r\x1b[2K  {} · {what}{failures}", self.check);
            self.drawn();
        }
    }

    /// Wipes the line: something else is about to be written.
    pub(crate) fn clear(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
            self.shown = false;
        }
    }

    fn may_draw(&self) -> bool {
        let too_soon = self.last.is_some_and(|last| last.elapsed() < Duration::from_millis(80));
        self.wanted && !too_soon
    }

    fn drawn(&mut self) {
        self.shown = true;
        self.last = Some(Instant::now());
    }

    fn failures(&self) -> String {
        let mut failures = match self.failures {
            0 => String::new(),
            n => format!(" · {n} failing"),
        };
        if let Some(number) = self.small {
            failures.push_str(&format!(" · looking for a smaller trace of [{number}]"));
        }
        failures
    }

    fn draw(&mut self) {
        // An exploration does not know how many runs it takes, and has more to say.
        if !self.may_draw() || self.cases == 0 {
            return;
        }
        let failures = self.failures();
        let _ = write!(
            std::io::stderr(),
            "\r\x1b[2K  {} · {} of {} cases{failures}",
            self.check,
            self.done,
            self.cases
        );
        self.drawn();
    }
}

impl Observer for Progress {
    fn observe(&mut self, event: &RunEvent) {
        match event {
            RunEvent::CheckStarted { check, cases, .. } => {
                (self.check, self.cases) = (check.clone(), *cases);
                (self.done, self.failures) = (0, 0);
                self.draw();
            }
            RunEvent::CaseFinished { case, failure, .. } => {
                self.done = case + 1;
                self.failures += u32::from(failure.is_some());
                self.draw();
            }
            RunEvent::FailureSeen(failure) => {
                self.small = Some(failure.number);
                self.last = None;
                self.draw();
            }
            RunEvent::FailureFound(_) => self.small = None,
            RunEvent::Explored(_) => {}
            _ => self.clear(),
        }
    }
}
