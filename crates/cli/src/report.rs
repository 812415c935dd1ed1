//! `capuchin report`: a run that is over, rendered again from its log.

use crate::args::ReportArgs;
use crate::exit::{Problem, print, warn};
use crate::extensions::Extensions;
use capuchin::Conclusion;
use capuchin::log::{Observer, RunEvent};
use capuchin::ui::{Visible, write_whole};
use capuchin_explore::{Keeper, map_of};
use capuchin_mission::{RunDirectory, read_log};
use capuchin_report::{Terminal, html, junit};
use clap::ValueEnum;
use std::borrow::Cow;
use std::io::IsTerminal;
use std::path::Path;

/// What a run can be rendered as. It is here, so that a new format is one file and one line of
/// `report`, and this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people, as `check` prints it.
    Terminal,
    /// One HTML file that opens anywhere, with the failing traces as filmstrips.
    Html,
    /// JUnit XML, for build servers.
    Junit,
    /// The event log, as JSON lines.
    Json,
}

/// Renders the log of a run directory.
pub(crate) fn report(args: &ReportArgs, extensions: &Extensions) -> Result<Conclusion, Problem> {
    let mut log = read_log(&args.directory).map_err(|error| {
        Problem::request(error.to_string())
            .help("a run directory is what `capuchin check` names in its last line")
    })?;
    log.events.extend(learned(&args.directory, &log.events, extensions));
    match &args.output {
        Some(file) => {
            write_whole(file, rendered(args, &log.events)?).map_err(|error| {
                Problem::request(format!("cannot write {}: {error}", file.display()))
            })?;
        }
        None => _ = print(&harmless(&rendered(args, &log.events)?, args.format))?,
    }
    if let Some(cut) = log.cut {
        let (line, reason) = (cut.line, cut.reason);
        warn(&format!("the log is cut in line {line}: {reason}; the report has what comes before"));
    }
    Ok(Conclusion::Held)
}

/// A report for other programs as it may be shown on a terminal: what a terminal would obey is
/// written as the format escapes it. The text for people is harmless already.
fn harmless(text: &str, format: Format) -> Cow<'_, str> {
    if format == Format::Terminal || !std::io::stdout().is_terminal() {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    let mut one = [0; 4];
    for c in text.chars() {
        let is_harmless = c == '\n' || Visible(c.encode_utf8(&mut one)).is_unchanged();
        match format {
            _ if is_harmless => shown.push(c),
            Format::Json => shown.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => shown.push_str(&format!("&#x{:x};", u32::from(c))),
        }
    }
    shown.into()
}

/// What a killed exploration had learned: it writes its map at the end, which it did not reach.
fn learned(directory: &Path, events: &[RunEvent], extensions: &Extensions) -> Option<RunEvent> {
    let explored = events.iter().any(|event| matches!(event, RunEvent::ExplorationStarted(_)));
    if !explored || events.iter().any(|event| matches!(event, RunEvent::Learned(_))) {
        return None;
    }
    let (kind, entries) =
        Keeper::load(&directory.join(RunDirectory::MODEL), &extensions.abstractions).ok()?;
    Some(RunEvent::Learned(map_of(kind, &entries)))
}

fn rendered(args: &ReportArgs, events: &[RunEvent]) -> Result<String, Problem> {
    Ok(match args.format {
        Format::Terminal => terminal(events, args.output.is_some()),
        Format::Html => {
            let directory = args.directory.display().to_string();
            let pictures = |name: &str| RunDirectory::read_picture(&args.directory, name);
            html(events, &directory, &pictures)
        }
        Format::Junit => junit(events),
        Format::Json => {
            let mut lines = String::new();
            for event in events {
                let line = serde_json::to_string(event)
                    .map_err(|error| Problem::request(error.to_string()))?;
                lines.push_str(&line);
                lines.push('\n');
            }
            lines
        }
    })
}

/// As `check` prints it; a file gets no colours.
fn terminal(events: &[RunEvent], plain: bool) -> String {
    let mut bytes = Vec::new();
    let mut terminal = Terminal::new(&mut bytes);
    for event in events {
        terminal.observe(event);
    }
    if !matches!(events.last(), Some(RunEvent::RunFinished { .. })) {
        terminal.observe(&RunEvent::RunFinished {
            interrupted: true,
            covered: None,
            not_run: Vec::new(),
        });
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if plain { anstream::adapter::strip_str(&text).to_string() } else { text }
}
