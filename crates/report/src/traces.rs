//! Traces that are run once, as text for a person: what `capuchin run` prints.
//!
//! On its own because it says of every trace what became of it, where the report of a check says
//! only what failed.

use crate::printer::{Part, Printer, events};
use crate::terminal::{GREEN, RED, note};
use capuchin::log::{Failure, Observer, RunEvent};
use std::io::{self, Write};

/// Writes what became of each trace, with colours; strip them where they are not wanted.
pub struct TraceReport<W> {
    out: Printer<W>,
    /// Whether the screen at the end is written, too.
    screens: bool,
    check: String,
    failure: Option<Failure>,
    problem: Option<io::Error>,
}

impl<W: Write> TraceReport<W> {
    /// Writes to `out`; with the screen at the end of each trace, if that is wanted.
    pub fn new(out: W, screens: bool) -> Self {
        TraceReport {
            out: Printer::new(out),
            screens,
            check: String::new(),
            failure: None,
            problem: None,
        }
    }

    /// What could not be written, if something could not.
    pub fn problem(&self) -> Option<&io::Error> {
        self.problem.as_ref()
    }

    fn write(&mut self, event: &RunEvent) -> io::Result<()> {
        match event {
            RunEvent::RunStarted { spec, device, seed, .. } => {
                self.out.line([format!("{spec} on {device} · seed {seed}").into()])
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
                    self.out.line([])?;
                    self.out.line([(&self.check).into()])?;
                }
                match self.failure.take() {
                    Some(failure) => {
                        let mut parts =
                            vec![Part::styled(RED, &failure.summary), " after: ".into()];
                        parts.extend(events(failure.steps.iter().map(|step| step.event.as_str())));
                        self.out.line(parts)?;
                        self.out.lines("    ", &failure.detail)?;
                    }
                    None => {
                        let mut parts = vec![Part::styled(GREEN, "Succeeded"), " after: ".into()];
                        let all: Vec<&str> = executed.events.split(" :>> ").collect();
                        parts.extend(events(all.into_iter()));
                        self.out.line(parts)?;
                    }
                }
                if let Some(busy) = unsettled {
                    self.out
                        .line(["    note: the app did not come to rest: ".into(), busy.into()])?;
                }
                if self.screens {
                    self.out.line([])?;
                    self.out.lines("", &executed.screen)?;
                }
                Ok(())
            }
            RunEvent::DeviceLacked { what, reason, .. } => {
                self.out.line(note(format!("the device lacked {what}: {reason}")))
            }
            RunEvent::DeviceFailed { error } => {
                let failed = Part::styled(RED, "the device failed");
                self.out.line([failed, ": ".into(), error.into()])
            }
            RunEvent::RunFinished { interrupted: true, .. } => {
                self.out.line(note("the run was interrupted"))
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
