//! Traces that are run by themselves, in the terminal: what `capuchin run` prints.
//!
//! On its own because it says of every trace what became of it, where the report of a check says
//! only what failed. A trace that is run several times has each of its outcomes once, with a count.

use crate::printer::{Part, events};
use crate::standing::plural;
use crate::terminal::{GREEN, Terminal, YELLOW, note};
use capuchin::log::{Executed, Failure, PropertyTally, Replayed, RunEvent, VerdictKind};
use std::io::{self, Write};

/// The runs of the trace that is going on.
#[derive(Default)]
pub(crate) struct Runs {
    check: String,
    /// How often it is run.
    times: u32,
    /// The failure that is expected.
    expected: Option<String>,
    /// What came of it, each once.
    outcomes: Vec<TraceOutcome>,
}

/// How some of the runs ended.
struct TraceOutcome {
    failure: Option<Failure>,
    /// The number of the failure in the run.
    number: Option<u32>,
    /// Whether it ended before a property of the run was decided.
    is_undecided: bool,
    replayed: Option<Replayed>,
    executed: Executed,
    unsettled: Option<String>,
    count: u32,
}

impl Runs {
    /// How many runs there were that ended so.
    fn count(&self, is_so: impl Fn(&TraceOutcome) -> bool) -> u32 {
        self.outcomes.iter().filter(|outcome| is_so(outcome)).map(|outcome| outcome.count).sum()
    }

    /// How often it failed, of how many times: and how, if a failure is expected.
    fn sum(&self) -> String {
        let failed = self.count(|outcome| outcome.failure.is_some());
        let all = plural(self.count(|_| true) as usize, "run");
        if self.expected.is_none() {
            return format!("failed in {failed} of {all}");
        }
        let came = |wanted| self.count(|outcome| outcome.replayed == Some(wanted));
        let mut parts =
            vec![format!("failed as expected in {} of {all}", came(Replayed::AsExpected))];
        for (count, what) in [
            (came(Replayed::Otherwise), "failed otherwise"),
            (came(Replayed::AnotherState), "blocked on the way"),
            (came(Replayed::Succeeded), "succeeded"),
        ] {
            if count > 0 {
                parts.push(format!("{what} in {count}"));
            }
        }
        parts.join(", ")
    }
}

impl<W: Write> Terminal<W> {
    /// What happens in a run of traces.
    pub(crate) fn write_trace(&mut self, event: &RunEvent, with_screens: bool) -> io::Result<()> {
        match event {
            RunEvent::CheckStarted { check, cases, expected, .. } => {
                let (check, times, expected) = (check.clone(), *cases, expected.clone());
                self.runs = Runs { check, times, expected, outcomes: Vec::new() };
                Ok(())
            }
            RunEvent::CaseFinished {
                executed: Some(executed),
                verdict,
                unsettled,
                replayed,
                failure,
                ..
            } => {
                let is_undecided = *verdict == VerdictKind::Undecided;
                let is_same = |known: &&mut TraceOutcome| {
                    (known.number, known.is_undecided) == (*failure, is_undecided)
                };
                let known = self.runs.outcomes.iter_mut().find(is_same);
                if let Some(known) = known {
                    known.count += 1;
                    return Ok(());
                }
                self.runs.outcomes.push(TraceOutcome {
                    failure: self.seen.take(),
                    number: *failure,
                    is_undecided,
                    replayed: *replayed,
                    executed: executed.clone(),
                    unsettled: unsettled.clone(),
                    count: 1,
                });
                Ok(())
            }
            RunEvent::CheckFinished { properties, .. } => self.write_runs(with_screens, properties),
            RunEvent::DeviceLacked { what, reason, .. } => {
                self.out.line(note(format!("the device lacked {what}: {reason}")))
            }
            RunEvent::RunFinished { interrupted: true, .. } => {
                self.out.line(note("the run was interrupted"))
            }
            _ => Ok(()),
        }
    }

    /// What came of a trace.
    fn write_runs(&mut self, with_screens: bool, properties: &[PropertyTally]) -> io::Result<()> {
        let runs = std::mem::take(&mut self.runs);
        if runs.check != "main" && !runs.outcomes.is_empty() {
            self.out.line([])?;
            self.out.line([(&runs.check).into()])?;
        }
        for outcome in &runs.outcomes {
            match &outcome.failure {
                Some(failure) => self.what_failed("", failure)?,
                None => {
                    let word = match outcome.is_undecided {
                        true => Part::styled(YELLOW, "Not decided"),
                        false => Part::styled(GREEN, "Succeeded"),
                    };
                    let mut parts = vec![word, " after: ".into()];
                    let all: Vec<&str> = outcome.executed.events.split(" :>> ").collect();
                    parts.extend(events(all.into_iter()));
                    self.out.line(parts)?;
                }
            }
            let undecided = properties.iter().filter(|tally| tally.undecided > 0);
            for tally in undecided.filter(|_| outcome.is_undecided) {
                let said = format!("    {} was not decided when it ended", tally.property);
                self.out.line([said.into()])?;
            }
            self.compared(outcome, &runs)?;
            if let Some(busy) = &outcome.unsettled {
                self.out.line(["    note: the app did not come to rest: ".into(), busy.into()])?;
            }
            if with_screens {
                self.out.line([])?;
                self.out.lines("", &outcome.executed.screen)?;
            }
        }
        if runs.times > 1 {
            self.out.line([])?;
            self.out.line([runs.sum().into()])?;
        }
        Ok(())
    }

    /// How often it ended so, and how that compares with what was expected.
    fn compared(&mut self, outcome: &TraceOutcome, runs: &Runs) -> io::Result<()> {
        let is_once = runs.times == 1;
        let (what, advice) = match outcome.replayed {
            None if is_once => return Ok(()),
            None => ("", ""),
            Some(Replayed::AsExpected) => ("as expected", ""),
            Some(Replayed::Otherwise) => ("expected another failure: ", ""),
            Some(Replayed::AnotherState) => {
                ("expected another failure: ", "the app is in another state than when it was saved")
            }
            Some(Replayed::Succeeded) if is_once => (
                "expected a failure: ",
                "it is fixed, or did not come this time: --times 20 runs it more often",
            ),
            Some(Replayed::Succeeded) => ("expected a failure: ", ""),
        };
        let count = match is_once {
            true => String::new(),
            false => format!("{} of {}", outcome.count, plural(runs.times as usize, "run")),
        };
        let between = if count.is_empty() || what.is_empty() { "" } else { ", " };
        // What tells failures apart may have several lines: a message of the app's does.
        let expected = runs.expected.iter().filter(|_| what.ends_with(": "));
        let lines: Vec<&str> = expected.flat_map(|expected| expected.lines()).collect();
        let said = format!("    {count}{between}");
        self.out.line([said.into(), Part::styled(YELLOW, what), lines.join(" ").into()])?;
        if advice.is_empty() { Ok(()) } else { self.out.line(["    ".into(), advice.into()]) }
    }
}
