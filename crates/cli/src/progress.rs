//! How far a run has got, on one line of a terminal that is wiped when it is over.

use capuchin::Plan;
use capuchin::log::{Explored, Observer, RunEvent};
use capuchin::ui::Visible;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How much of a check's name is shown, in characters.
const LONGEST_NAME: usize = 40;

/// Shows progress on standard error, if that is a terminal.
pub(crate) struct ProgressLine {
    shown: bool,
    wanted: bool,
    last: Option<Instant>,
    check: String,
    cases: u32,
    done: u32,
    failures: u32,
    /// The failure that is being shrunk.
    shrinking: Option<u32>,
    /// How far an exploration is.
    explored: Option<Explored>,
    /// When it ends, as far as that is known.
    events: Option<u64>,
    time: Option<Duration>,
    begun: Instant,
}

impl ProgressLine {
    /// For a run of these plans.
    pub(crate) fn new(quiet: bool, plans: &[Plan]) -> Self {
        let config = plans.first().map(|plan| &plan.config);
        ProgressLine {
            shown: false,
            wanted: !quiet && std::io::stderr().is_terminal(),
            last: None,
            check: String::new(),
            cases: 0,
            done: 0,
            failures: 0,
            shrinking: None,
            explored: None,
            events: config.and_then(|config| config.events),
            time: config.and_then(|config| config.time),
            begun: Instant::now(),
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
        if let Some(number) = self.shrinking {
            failures.push_str(&format!(" · shrinking [{number}]"));
        }
        failures
    }

    fn draw(&mut self) {
        if !self.may_draw() {
            return;
        }
        let what = match &self.explored {
            Some(point) => self.exploring(point),
            None => format!("{} of {} cases", self.done, self.cases),
        };
        let (check, failures) = (Visible(&self.check).cut(LONGEST_NAME), self.failures());
        let _ = write!(std::io::stderr(), "\r\x1b[2K  {check} · {what}{failures}");
        self.drawn();
    }

    fn exploring(&self, point: &Explored) -> String {
        let Explored { events, restarts, screens, states, .. } = point;
        let states = match states {
            0 => String::new(),
            states => format!(" · {states} states"),
        };
        let covered = point.covered.map_or_else(String::new, |covered| {
            let (taken, all) = covered.branches;
            format!(" · {} % of branches", 100 * taken / all.max(1))
        });
        let of = self.events.map(|most| format!(" of {most}")).unwrap_or_default();
        let time = self.time.map_or_else(String::new, |time| {
            format!("{} s of {} s · ", self.begun.elapsed().as_secs(), time.as_secs())
        });
        format!(
            "{time}{events}{of} events · {restarts} restarts · {screens} screens{states}{covered}"
        )
    }
}

impl Observer for ProgressLine {
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
                self.shrinking = Some(failure.number);
                self.last = None;
                self.draw();
            }
            RunEvent::FailureFound(_) => self.shrinking = None,
            RunEvent::ExplorationStarted(asked) => {
                self.check.clone_from(&asked.check);
                self.explored = Some(Explored::default());
            }
            RunEvent::Explored(point) => {
                self.explored = Some(*point);
                self.draw();
            }
            _ => self.clear(),
        }
    }
}
