//! A failure that was saved, run again: how that compares with what is expected of it.
//!
//! On its own because `capuchin run`, a check and an exploration all run saved failures, and must
//! mean the same by "it came again".

use crate::verdict::{Verdict, Violation};
use serde::{Deserialize, Serialize};

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
            Verdict::Blocked { .. } => Replayed::AnotherState,
            Verdict::Crashed(_) | Verdict::Failed(_) => Replayed::Otherwise,
        }
    }
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
