//! A run as one HTML file that opens anywhere: the failing traces as filmstrips, with all that is
//! needed to understand them and to run them again.
//!
//! It is gathered from the run's events, in little memory, while the run goes on; `page` writes
//! what surrounds the failures, `failure` each of them, `exploration` what was learned of the app,
//! and `replay` what became of a recording. Styles and script are files beside this one.

mod chart;
mod data_uri;
mod exploration;
mod failure;
mod graph;
mod layout;
mod markup;
mod page;
mod picture_size;
mod replay;
mod states;
mod thumbnails;

use crate::exploration::Exploration;
use crate::saved::SavedRuns;
use crate::secrets::without_secrets;
use crate::standing::{Standing, note};
use capuchin::log::{Covered, ExplorationRequest, Failure, Observer, RecordingReplay, RunEvent};

/// Where a page finds the pictures: from a name in the log to the bytes, if they are there.
pub type Pictures<'a> = dyn Fn(&str) -> Option<Vec<u8>> + 'a;

/// The run's events as one HTML file. `directory` is how the reader would name the run directory in
/// a command.
pub fn html<'a>(
    events: impl IntoIterator<Item = &'a RunEvent>,
    directory: &str,
    pictures: &Pictures<'_>,
) -> String {
    let mut page = HtmlReport::default();
    for event in events {
        page.observe(event);
    }
    page.render(directory, pictures)
}

/// Gathers a run for its HTML report.
#[derive(Debug, Default)]
pub struct HtmlReport {
    spec: String,
    device: String,
    seed: u64,
    checks: Vec<Checked>,
    /// How it was asked for, if it is an exploration.
    asked: Option<ExplorationRequest>,
    /// Whether the run came to its end, and was not interrupted.
    finished: bool,
    /// How much of the app's code ran, if that was counted.
    covered: Option<Covered>,
    not_run: Vec<String>,
    saved: SavedRuns,
}

/// A check as far as it has got.
#[derive(Debug, Default)]
struct Checked {
    standing: Standing,
    generator: String,
    /// How many cases were planned.
    cases: u32,
    failures: Vec<Failure>,
    /// A failure of which no more is known yet than that it was seen.
    seen: Option<Failure>,
    /// What kept the app from coming to rest, and in how many cases.
    unsettled: Vec<(String, u32)>,
    device_failed: Option<String>,
    /// What else is to be said of it.
    notes: Vec<String>,
    /// What it has told of the app, if it is an exploration.
    exploration: Exploration,
    /// The replays of a recording, if that is what it does.
    replays: Vec<RecordingReplay>,
}

/// The most different reasons for which an app did not come to rest that are listed.
const MOST_REASONS: usize = 8;

impl Checked {
    fn note_unsettled(&mut self, reason: &str) {
        let room = self.unsettled.len() < MOST_REASONS;
        match self.unsettled.iter_mut().find(|(known, _)| known == reason) {
            Some((_, cases)) => *cases += 1,
            None if room => {
                self.unsettled.push((reason.to_owned(), 1));
            }
            None => {}
        }
    }

    /// In how many cases a failure was seen.
    fn times_seen(&self, number: u32) -> u32 {
        let known = self.standing.seen.iter().find(|(known, _)| *known == number);
        known.map_or(1, |(_, count)| *count)
    }
}

impl Observer for HtmlReport {
    fn observe(&mut self, event: &RunEvent) {
        self.saved.observe(event);
        if let RunEvent::RunStarted { spec, device, seed, .. } = event {
            (self.spec, self.device, self.seed) = (spec.clone(), without_secrets(device), *seed);
        }
        if let RunEvent::ExplorationStarted(asked) = event {
            self.asked = Some(asked.clone());
            let (check, open) = (asked.check.clone(), true);
            let standing = Standing { check, open, ..Standing::default() };
            self.checks.push(Checked { standing, ..Checked::default() });
        }
        if let RunEvent::CheckStarted { check, generator, cases, .. } = event {
            self.checks.push(Checked {
                standing: Standing { check: check.clone(), ..Standing::default() },
                generator: generator.clone(),
                cases: *cases,
                ..Checked::default()
            });
        }
        if let RunEvent::RunFinished { interrupted, covered, not_run } = event {
            self.finished = !interrupted;
            self.covered = *covered;
            self.not_run.clone_from(not_run);
        }
        let Some(checked) = self.checks.last_mut() else { return };
        match event {
            RunEvent::CaseFinished { verdict, steps, failure, unsettled, .. } => {
                checked.standing.add(*verdict, *steps, *failure);
                if let Some(reason) = unsettled {
                    checked.note_unsettled(reason);
                }
            }
            RunEvent::SavedFinished { verdict, failure: Some(number), .. } => {
                checked.standing.add(*verdict, 0, Some(*number));
            }
            RunEvent::RecordingReplayed(replay) => {
                let mut replay = (**replay).clone();
                // They are on disk.
                replay.frames_mut().for_each(|frame| frame.image = None);
                checked.replays.push(replay);
            }
            RunEvent::FailureSeen(failure) => checked.seen = Some(failure.clone()),
            RunEvent::FailureFound(failure) => {
                checked.seen = None;
                let mut failure = failure.clone();
                // They are on disk: a long run with many failures must not keep them in memory too.
                failure.film.iter_mut().for_each(|frame| frame.image = None);
                checked.failures.push(failure);
            }
            RunEvent::FailureShrunk(shrunk) => {
                let known = checked.failures.iter_mut().find(|known| known.number == shrunk.number);
                if let Some(known) = known {
                    *known = shrunk.clone();
                    known.film.iter_mut().for_each(|frame| frame.image = None);
                }
            }
            RunEvent::DeviceFailed { error } => {
                checked.device_failed = Some(without_secrets(error));
            }
            RunEvent::CheckFinished { .. } => {
                let standing = Standing::finished(event, checked.standing.open);
                checked.standing = standing.unwrap_or_default();
                // Replays are to do the same.
                if checked.replays.is_empty() {
                    checked.notes.extend(checked.standing.waste());
                }
            }
            RunEvent::ResetDiffers { .. } | RunEvent::DeviceLacked { .. } => {
                checked.notes.extend(note(event));
            }
            _ => checked.exploration.observe(event),
        }
    }
}
