//! What one replay came to: the goal, and of each key event whether the right element received it.
//!
//! On its own because the replay and all baselines are judged by it, in the same way.

use super::recorded::Recorded;
use super::stage::{Performed, Stage};
use anyhow::Result;
use capuchin_record::FailureCause;

/// What became of a key event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyOutcome {
    /// A true counterpart received it.
    Right,
    /// Another element received it.
    Wrong,
    /// It was not performed.
    Missing,
}

/// What one replay came to.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    pub(super) goal: bool,
    pub(super) keys: Vec<(String, KeyOutcome)>,
    /// Events that were refused: no candidate was good enough, or several were.
    pub(super) refused: usize,
    /// Events that were performed in order to reveal receivers, and the receivers revealed.
    pub(super) extra: usize,
    pub(super) revealed: usize,
    /// Why it ended early, if it did.
    pub(super) why: Option<String>,
    /// Why it failed, by the classes of the paper.
    pub(super) cause: Option<FailureCause>,
    /// What was done, event by event, for people.
    pub(super) story: String,
}

impl Run {
    /// One that came to no end: the device or the benchmark failed.
    pub(super) fn failed(error: &anyhow::Error) -> Self {
        let (why, cause) = (Some(format!("{error:#}")), Some(FailureCause::Tool));
        Run { why, cause, ..Run::default() }
    }

    /// Whether all key events were received by the right elements and the goal is reached.
    pub(super) fn is_success(&self) -> bool {
        self.goal && self.keys.iter().all(|(_, outcome)| *outcome == KeyOutcome::Right)
    }

    pub(super) fn wrong(&self) -> usize {
        self.keys.iter().filter(|(_, outcome)| *outcome == KeyOutcome::Wrong).count()
    }

    pub(super) fn right(&self) -> usize {
        self.keys.iter().filter(|(_, outcome)| *outcome == KeyOutcome::Right).count()
    }
}

/// Judges a run: `done` says which of the performed events was the counterpart of each event of the
/// recording.
pub(super) fn judge(
    recorded: &Recorded<'_>,
    stage: &mut Stage<'_>,
    done: impl Fn(usize) -> Option<usize>,
) -> Result<Run> {
    let mut run = Run { goal: stage.reaches_goal()?, ..Run::default() };
    for event in 0..recorded.recording.events.len() {
        let Some(key) = recorded.key(event) else { continue };
        let performed = done(event).and_then(|index| stage.performed.get(index));
        run.keys.push((key.to_owned(), outcome(performed, key)));
    }
    Ok(run)
}

fn outcome(performed: Option<&Performed>, key: &str) -> KeyOutcome {
    match performed {
        Some(performed) if performed.blocked.is_none() => match performed.right.get(key) {
            Some(false) => KeyOutcome::Wrong,
            // Where no counterpart is known, what was done was right.
            Some(true) | None => KeyOutcome::Right,
        },
        _ => KeyOutcome::Missing,
    }
}
