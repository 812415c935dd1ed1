//! The report of a replay: all decisions, whether it succeeded, and why not.
//!
//! On its own because it is judged after the run, from values alone.

use crate::decision::{
    AccessibilityFinding, AccessibilityProblem, Decision, DropReason, RefusalReason, ReplayedEvent,
    UndoOutcome,
};
use crate::recording::Recording;
use crate::reveal::{SCROLL, WAIT};
use capuchin::Verdict;
use capuchin::ui::{Blocked, Screen};
use std::sync::Arc;

/// What became of a replay.
#[derive(Clone, Debug, Default)]
pub struct ReplayReport {
    /// Each event of the recording, in order.
    pub events: Vec<ReplayedEvent>,
    /// How the run ended; `None` while it goes on.
    pub verdict: Option<Verdict>,
    /// Whether the goal was reached; `None` if none was given.
    pub goal: Option<bool>,
    /// Controls that cost something for want of a name.
    pub findings: Vec<AccessibilityFinding>,
    /// What was displayed at the end.
    pub last_screen: Option<Arc<Screen>>,
}

/// Why an event failed: the classes of section 5.4 of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FailureCause {
    /// The app shows other content than when it was recorded.
    DynamicContent,
    /// Something lies over the receiver.
    OverlappingViews,
    /// A list was scrolled, and the receiver did not come.
    UnstableScrolling,
    /// Patterns were tried, and none of them revealed the receiver.
    PatternNotModelled,
    /// No pattern applied.
    PatternNotRecognized,
    /// The replay could not tell candidates apart, or the device could not perform the event.
    Tool,
    /// The app crashed, or a property did not hold.
    AppBug,
    /// The receiver has no name.
    AccessibilityIncomplete,
    /// The receiver, or what should lead to it, has a wrong name.
    AccessibilityWrong,
}

impl FailureCause {
    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            FailureCause::DynamicContent => "dynamic content",
            FailureCause::OverlappingViews => "overlapping views",
            FailureCause::UnstableScrolling => "unstable scrolling",
            FailureCause::PatternNotModelled => "pattern not modelled",
            FailureCause::PatternNotRecognized => "pattern not recognized",
            FailureCause::Tool => "tool",
            FailureCause::AppBug => "bug of the app",
            FailureCause::AccessibilityIncomplete => "accessibility: no name",
            FailureCause::AccessibilityWrong => "accessibility: wrong name",
        }
    }
}

impl ReplayReport {
    /// The oracle of a replay: there is a key event, every one was performed, in order, the run
    /// ended well, and the goal was reached if one was given. (Events are replayed in the order of
    /// the recording.)
    pub fn succeeded(&self) -> bool {
        let is_well = self.verdict.as_ref().is_some_and(Verdict::is_success);
        let mut keys = self.key_events().peekable();
        let has_keys = keys.peek().is_some();
        is_well && self.goal != Some(false) && has_keys && keys.all(ReplayedEvent::is_performed)
    }

    /// The key events.
    pub fn key_events(&self) -> impl Iterator<Item = &ReplayedEvent> {
        self.events.iter().filter(|event| event.is_key)
    }

    /// Whether two replays did the same: a success is two in a row that agree.
    pub fn agrees_with(&self, other: &ReplayReport) -> bool {
        let done = |report: &ReplayReport| -> Vec<_> {
            let events = report.events.iter();
            events.map(|event| (event.decision.clone(), event.performed.clone())).collect()
        };
        self.succeeded() == other.succeeded() && done(self) == done(other)
    }

    /// How many events were sent to reveal receivers, waiting aside, and how many receivers were
    /// revealed.
    pub fn extra_events(&self) -> (usize, usize) {
        let revealed =
            self.events.iter().filter(|event| matches!(event.decision, Decision::Revealed { .. }));
        let sent = |event: &ReplayedEvent| {
            event.extra.iter().filter(|extra| extra.pattern != WAIT).count()
        };
        revealed.fold((0, 0), |(extra, count), event| (extra + sent(event), count + 1))
    }

    /// How many events were refused.
    pub fn refused(&self) -> usize {
        let is_refused =
            |event: &&ReplayedEvent| matches!(event.decision, Decision::Refused { .. });
        self.events.iter().filter(is_refused).count()
    }

    /// Why the replay failed: the cause of its first key event that was not performed, or of how it
    /// ended. `None` if it succeeded.
    pub fn cause(&self, recording: &Recording) -> Option<FailureCause> {
        if self.succeeded() {
            return None;
        }
        let failed = self.key_events().find(|event| !event.is_performed());
        match failed {
            Some(event) => Some(self.cause_of(event, recording)),
            None => Some(match &self.verdict {
                // A recording that has nothing to replay was cut short.
                Some(verdict) if verdict.is_success() && self.key_events().next().is_none() => {
                    FailureCause::Tool
                }
                Some(verdict) if verdict.is_success() => FailureCause::DynamicContent,
                _ => FailureCause::AppBug,
            }),
        }
    }

    fn cause_of(&self, event: &ReplayedEvent, recording: &Recording) -> FailureCause {
        let has_problem = |problem| {
            let is_it = |finding: &&AccessibilityFinding| {
                finding.event == event.index && finding.what == problem
            };
            self.findings.iter().any(|finding| is_it(&finding))
        };
        let tried = |pattern: &str| event.extra.iter().any(|extra| extra.pattern == pattern);
        match &event.decision {
            Decision::NotReached => FailureCause::AppBug,
            Decision::Refused { why: RefusalReason::Blocked(Blocked::Covered), .. } => {
                FailureCause::OverlappingViews
            }
            Decision::Refused { why: RefusalReason::Blocked(_), .. } => FailureCause::Tool,
            _ if has_problem(AccessibilityProblem::Unnamed) => {
                FailureCause::AccessibilityIncomplete
            }
            Decision::Refused { why: RefusalReason::Ambiguous, .. }
            | Decision::Dropped(DropReason::Unsupported) => FailureCause::Tool,
            _ if has_problem(AccessibilityProblem::Misleading) => FailureCause::AccessibilityWrong,
            _ if tried(SCROLL) && event.undo == UndoOutcome::Failed => {
                FailureCause::UnstableScrolling
            }
            _ if is_content(recording, event.index) => FailureCause::DynamicContent,
            _ if event.extra.iter().all(|extra| extra.pattern == WAIT) => {
                FailureCause::PatternNotRecognized
            }
            _ => FailureCause::PatternNotModelled,
        }
    }
}

/// Whether the receiver is content, which may be another tomorrow: it has two figures or more in
/// it, or a long text.
fn is_content(recording: &Recording, index: usize) -> bool {
    let Some(receiver) = recording.events.get(index).and_then(|event| event.receiver()) else {
        return false;
    };
    let digits = receiver.text.bytes().filter(u8::is_ascii_digit).count();
    digits >= 2 || receiver.text.len() > 80
}
