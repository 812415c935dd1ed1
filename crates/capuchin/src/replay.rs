//! A failure that was saved, run again: how that compares with what is expected of it.
//!
//! On its own because `capuchin run`, a check and an exploration all run saved failures, and must
//! mean the same by "it came again".

use crate::verdict::{Verdict, Violation};
use capuchin_trace::Gen;
use serde::{Deserialize, Serialize};

/// A failure that an earlier run saved. A plan runs it before the cases that it draws.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Its file, within the failures of that run.
    pub file: String,
    /// The seed that it failed with.
    pub seed: u64,
    /// Its smallest trace.
    pub trace: Gen,
    /// The failure that is expected ([`Verdict::expectation`]).
    pub expected: String,
}

/// The failures that the last run saved, when a run begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFailures {
    /// The directory of that run.
    pub directory: String,
    /// How many of them are run again.
    pub count: u32,
    /// Those that are not, because they do not fit the specification any more: file and reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfit: Vec<(String, String)>,
}

/// What came of running a failure that was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Replayed {
    /// The failure that is expected.
    AsExpected,
    /// Another failure.
    Otherwise,
    /// No failure: it is fixed, or was not reproduced.
    Succeeded,
    /// An event was blocked on the way: the app is in another state than it was then.
    AnotherState,
}

impl Replayed {
    /// Compares how a run ended with what is expected of it.
    pub fn of(expected: &str, verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Succeeded => Replayed::Succeeded,
            _ if [verdict.expectation(), verdict.signature()].iter().any(|it| it == expected) => {
                Replayed::AsExpected
            }
            // The app's source may have changed above the line that throws.
            Verdict::Crashed(_)
                if without_lines(expected) == without_lines(&verdict.expectation()) =>
            {
                Replayed::AsExpected
            }
            Verdict::Blocked { .. } => Replayed::AnotherState,
            Verdict::Crashed(_) | Verdict::Failed(_) => Replayed::Otherwise,
        }
    }
}

/// A crash without the numbers of lines and columns in it: `at f (app.js:9:35)` is
/// `at f (app.js)`.
fn without_lines(crash: &str) -> String {
    let mut parts = crash.split(':');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() == part.len() {
            kept.push(':');
        }
        kept.push_str(rest);
    }
    kept
}

impl Verdict {
    /// What tells the failure apart when its executed trace is run by itself, out of a file: there
    /// is no `let` that a value was remembered with, and no label of an `always`.
    pub fn expectation(&self) -> String {
        let mut verdict = self.again();
        if let Verdict::Failed(Violation::Always { label, .. }) = &mut verdict {
            *label = None;
        }
        verdict.signature()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin_ui::Crash;
    use std::sync::Arc;

    #[test]
    fn a_crash_is_the_same_on_another_line() {
        let crash =
            |message: &str, place: &str| Verdict::Crashed(Arc::new(Crash::new(message).at(place)));
        let expected = crash("Error: too many", "add (index.html:9:35)").expectation();
        let compared = |verdict: &Verdict| Replayed::of(&expected, verdict);
        let moved = crash("Error: too many", "add (index.html:12:3)");
        assert_eq!(compared(&moved), Replayed::AsExpected);
        for other in [
            crash("Error: too many", "remove (index.html:9:35)"),
            crash("Error: too few", "add (index.html:9:35)"),
        ] {
            assert_eq!(compared(&other), Replayed::Otherwise);
        }
    }
}
