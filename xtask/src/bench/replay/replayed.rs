//! The replay itself, on a stage, and its decisions as text.
//!
//! On its own because it is the one place that hands the recording over: neither the goal nor the
//! true counterparts nor which events are key events come with it.

use super::recorded::{Recorded, SEED};
use super::run::{Run, judge};
use super::stage::{Performed, Stage};
use anyhow::Result;
use capuchin::Rules;
use capuchin_record::{Replay, ReplayReport, ReplayedEvent};
use std::fmt::Write;

/// Replays a recording, and judges what came of it.
pub(super) fn replay(recorded: &Recorded<'_>, stage: &mut Stage<'_>) -> Result<Run> {
    let replay = Replay::new(recorded.recording.clone());
    let report = replay.run(stage, &Rules::seed(SEED))?;
    let done = performed_for(&report, &stage.performed);
    let mut run = judge(recorded, stage, |event| done.get(event).copied().flatten())?;
    (run.extra, run.revealed) = report.extra_events();
    run.refused = report.refused();
    run.cause = report.cause(&recorded.recording);
    let refused = report.events.iter().find(|event| !event.is_performed() && event.is_key);
    run.why = refused.map(|event| format!("{} {}", event.index, event.decision));
    run.story = story(&report)?;
    Ok(run)
}

/// Of each event of the recording, which of the performed events was the one for it.
fn performed_for(report: &ReplayReport, performed: &[Performed]) -> Vec<Option<usize>> {
    let mut from = 0;
    let mut find = |event: &ReplayedEvent| {
        let wanted = event.performed.as_ref()?;
        let is_it = |one: &Performed| {
            one.event == *wanted && event.screen.as_ref().is_none_or(|screen| *screen == one.screen)
        };
        let found = from + performed.get(from..)?.iter().position(is_it)?;
        from = found + 1;
        Some(found)
    };
    report.events.iter().map(&mut find).collect()
}

/// What was decided, event by event.
fn story(report: &ReplayReport) -> Result<String> {
    let mut text = String::from("decided:\n");
    for event in &report.events {
        let key = if event.is_key { " (key)" } else { "" };
        let (score, margin) = event.fit;
        write!(text, "{:>3}{key} {}", event.index, event.decision)?;
        if let Some(performed) = &event.performed {
            write!(text, " {performed} (score {score:.2}, margin {margin:.2})")?;
        }
        writeln!(text, " {:?}", event.undo)?;
        for extra in &event.extra {
            let word = if extra.is_undo { "undo " } else { "" };
            writeln!(text, "      {word}{}: {}", extra.pattern, extra.event)?;
        }
    }
    for finding in &report.findings {
        writeln!(text, "finding: {finding:?}")?;
    }
    writeln!(text, "verdict: {:?}", report.verdict)?;
    Ok(text)
}
