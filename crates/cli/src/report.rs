//! `capuchin report`: a run that is over, rendered again from its log.

use crate::args::{Format, ReportArgs};
use crate::exit::{Exit, Problem, print};
use capuchin::{Observer, RunEvent};
use capuchin_mission::read_log;
use capuchin_report::{Terminal, junit};
use std::io::Write;

/// Renders the log of a run directory.
pub(crate) fn report(args: &ReportArgs) -> Result<Exit, Problem> {
    let log = read_log(&args.directory).map_err(|error| {
        Problem::request(error.to_string())
            .help("a run directory is what `capuchin check` names in its last line")
    })?;
    match args.format {
        Format::Terminal => {
            let mut terminal = Terminal::new(anstream::stdout());
            for event in &log.events {
                terminal.observe(event);
            }
            if !matches!(log.events.last(), Some(RunEvent::RunFinished { .. })) {
                terminal.observe(&RunEvent::RunFinished { interrupted: true });
            }
            if let Some(error) = terminal.problem()
                && error.kind() != std::io::ErrorKind::BrokenPipe
            {
                return Err(Problem::request(format!("cannot write: {error}")));
            }
        }
        Format::Junit => _ = print(&junit(&log.events))?,
        Format::Json => {
            for event in &log.events {
                let line = serde_json::to_string(event)
                    .map_err(|error| Problem::request(error.to_string()))?;
                print(&format!("{line}\n"))?;
            }
        }
    }
    if let Some(cut) = log.cut {
        let _ = writeln!(
            anstream::stderr(),
            "warning: the log is cut in line {}: {}; this is what stands before",
            cut.line,
            cut.reason
        );
    }
    Ok(Exit::Held)
}
