//! Traces that are run once, in the terminal: what `capuchin run` prints.
//!
//! On its own because it says of every trace what became of it, where the report of a check says
//! only what failed.

use crate::terminal::{GREEN, Terminal};
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
                    writeln!(self.out, "\n{}", standing.check)?;
                }
                match self.seen.take() {
                    Some(failure) => self.what_failed("", &failure)?,
                    None => {
                        let events = &executed.events;
                        writeln!(self.out, "{GREEN}Succeeded{GREEN:#} after: {events}")?;
                    }
                }
                if let Some(busy) = unsettled {
                    writeln!(self.out, "    note: the app did not come to rest: {busy}")?;
                }
                if with_screens { write!(self.out, "\n{}", executed.screen) } else { Ok(()) }
            }
            RunEvent::DeviceLacked { what, reason, .. } => {
                self.note(format_args!("the device lacked {what}: {reason}"))
            }
            RunEvent::RunFinished { interrupted: true, .. } => {
                self.note(format_args!("the run was interrupted"))
            }
            _ => Ok(()),
        }
    }
}
