//! Traces that are run once, as text for a person: what `capuchin run` prints.
//!
//! On its own because it says of every trace what became of it, where the report of a check says
//! only what failed.

use crate::terminal::{GREEN, RED, YELLOW};
use capuchin::log::{Failure, Observer, RunEvent};
use std::io::{self, Write};

/// Writes what became of each trace, with colours; strip them where they are not wanted.
pub struct TraceReport<W> {
    out: W,
    /// Whether the screen at the end is written, too.
    screens: bool,
    check: String,
    failure: Option<Failure>,
    problem: Option<io::Error>,
}

impl<W: Write> TraceReport<W> {
    /// Writes to `out`; with the screen at the end of each trace, if that is wanted.
    pub fn new(out: W, screens: bool) -> Self {
        TraceReport { out, screens, check: String::new(), failure: None, problem: None }
    }

    /// What could not be written, if something could not.
    pub fn problem(&self) -> Option<&io::Error> {
        self.problem.as_ref()
    }

    fn write(&mut self, event: &RunEvent) -> io::Result<()> {
        match event {
            RunEvent::RunStarted { spec, device, seed, .. } => {
                writeln!(self.out, "{spec} on {device} · seed {seed}")
            }
            RunEvent::CheckStarted { check, .. } => {
                self.check.clone_from(check);
                Ok(())
            }
            RunEvent::FailureSeen(failure) => {
                self.failure = Some(failure.clone());
                Ok(())
            }
            RunEvent::CaseFinished { executed: Some(executed), unsettled, .. } => {
                if self.check != "main" {
                    writeln!(self.out, "\n{}", self.check)?;
                }
                match self.failure.take() {
                    Some(failure) => {
                        let (summary, after) = (&failure.summary, failure.after());
                        writeln!(self.out, "{RED}{summary}{RED:#} after: {after}")?;
                        for line in failure.detail.lines() {
                            writeln!(self.out, "    {line}")?;
                        }
                    }
                    None => {
                        let events = &executed.events;
                        writeln!(self.out, "{GREEN}Succeeded{GREEN:#} after: {events}")?;
                    }
                }
                if let Some(busy) = unsettled {
                    writeln!(self.out, "    note: the app did not come to rest: {busy}")?;
                }
                if self.screens { write!(self.out, "\n{}", executed.screen) } else { Ok(()) }
            }
            RunEvent::DeviceLacked { what, reason, .. } => {
                writeln!(self.out, "{YELLOW}note{YELLOW:#}: the device lacked {what}: {reason}")
            }
            RunEvent::DeviceFailed { error } => {
                writeln!(self.out, "{RED}the device failed{RED:#}: {error}")
            }
            RunEvent::RunFinished { interrupted: true, .. } => {
                writeln!(self.out, "{YELLOW}note{YELLOW:#}: the run was interrupted")
            }
            _ => Ok(()),
        }
    }
}

impl<W: Write> Observer for TraceReport<W> {
    fn observe(&mut self, event: &RunEvent) {
        if let (Err(error), None) = (self.write(event), &self.problem) {
            self.problem = Some(error);
        }
    }
}
