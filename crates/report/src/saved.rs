//! What came of the failures that the last run saved, in a line that every report has.

use crate::standing::plural;
use capuchin::log::{Replayed, RunEvent, SavedFailures};

/// The saved failures of a run, as far as they have been run.
#[derive(Debug, Default)]
pub(crate) struct SavedRuns {
    told: Option<SavedFailures>,
    finished: Vec<Replayed>,
}

impl SavedRuns {
    pub(crate) fn observe(&mut self, event: &RunEvent) {
        match event {
            RunEvent::SavedFailures(told) => self.told = Some(told.clone()),
            RunEvent::SavedFinished { replayed, .. } => self.finished.push(*replayed),
            _ => {}
        }
    }

    /// How many of them still fail, and what became of those that say nothing.
    pub(crate) fn line(&self) -> Option<String> {
        let SavedFailures { count, unfit, .. } = self.told.as_ref()?;
        let all = *count as usize + unfit.len();
        let came =
            |wanted: &[Replayed]| self.finished.iter().filter(|it| wanted.contains(it)).count();
        let failing = came(&[Replayed::AsExpected, Replayed::Otherwise]);
        let verb = if all == 1 { "fails" } else { "fail" };
        let failures = plural(all, "failure");
        let mut parts = match self.finished.is_empty() && unfit.is_empty() {
            true => vec![format!("{failures} of the last run")],
            false => vec![format!("{failing} of {failures} of the last run still {verb}")],
        };
        for (many, what) in [
            (came(&[Replayed::AnotherState]), "blocked, for the app is in another state"),
            (unfit.len(), "no longer fit the specification"),
            ((*count as usize).saturating_sub(self.finished.len()), "not run"),
        ] {
            if many > 0 {
                parts.push(format!("{what}: {many}"));
            }
        }
        Some(parts.join("; "))
    }
}
