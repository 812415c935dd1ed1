//! Traces that are run once, in the terminal: what `capuchin run` prints.
//!
//! On its own because it says of every trace what became of it, where the report of a check says
//! only what failed.

use crate::printer::{Part, events};
use crate::terminal::{GREEN, Terminal, note};
use capuchin::log::RunEvent;
use std::io::{self, Write};

impl<W: Write> Terminal<W> {
    /// What happens in a run of traces.
    pub(crate) fn write_trace(&mut self, event: &RunEvent, with_screens: bool) -> io::Result<()> {
        match event {
            RunEvent::CheckStarted { check, .. } => {
                self.begin(check, false);
                Ok(())
            }
            RunEvent::CaseFinished { executed: Some(executed), unsettled, .. } => {
                if let Some(standing) = self.check.take().filter(|it| it.check != "main") {
                    self.out.line([])?;
                    self.out.line([standing.check.into()])?;
                }
                match self.seen.take() {
                    Some(failure) => self.what_failed("", &failure)?,
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
                if with_screens {
                    self.out.line([])?;
                    self.out.lines("", &executed.screen)?;
                }
                Ok(())
            }
            RunEvent::DeviceLacked { what, reason, .. } => {
                self.out.line(note(format!("the device lacked {what}: {reason}")))
            }
            RunEvent::RunFinished { interrupted: true, .. } => {
                self.out.line(note("the run was interrupted"))
            }
            _ => Ok(()),
        }
    }
}
