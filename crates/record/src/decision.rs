//! What a replay decided for each event, and why: plain values that reports render.
//!
//! On its own because others read it: the command, the side-by-side report, benchmarks.

use crate::matching::Candidate;
use capuchin::ui::{Blocked, Event, Screen, Str};
use std::fmt;
use std::sync::Arc;

/// What became of a recorded event.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Decision {
    /// It was performed on the same element, by role, name and id.
    Performed,
    /// It was performed on an element that has another role, name or id.
    Healed,
    /// It was performed after other events had revealed its receiver.
    Revealed {
        /// The patterns that did, in order.
        patterns: Vec<&'static str>,
    },
    /// It was left out: on this device it only opens the way, or means nothing.
    Dropped(DropReason),
    /// It was not performed, because no element is clearly its receiver.
    Refused {
        /// Why.
        why: RefusalReason,
        /// The elements that fit best, the best first.
        candidates: Vec<Candidate>,
    },
    /// The replay ended before it: the app crashed, a property did not hold, the run was
    /// interrupted.
    NotReached,
}

/// Why an event was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DropReason {
    /// What it opened when recording is there already.
    NotNeeded,
    /// Nothing on this device corresponds to its receiver, and nothing revealed one.
    NoCounterpart,
    /// The device does not have such an event.
    Unsupported,
}

/// Why an event was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalReason {
    /// Several elements fit about equally well.
    Ambiguous,
    /// A key event whose receiver is not there, and nothing revealed it.
    Absent,
    /// Its receiver is there, and the device could not perform the event.
    Blocked(Blocked),
    /// It belongs to an event that was refused: a key that was pressed in a field.
    BelongsToRefused,
    /// Its receiver is there, and what it is dragged to is not.
    NoEnd,
}

/// Whether a screen came back that was changed in vain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UndoOutcome {
    /// Nothing had to be undone.
    #[default]
    NotNeeded,
    /// It came back.
    CameBack,
    /// It did not: what follows happens on another screen.
    Failed,
}

/// A recorded event and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayedEvent {
    /// Which event of the recording, from 0.
    pub index: usize,
    /// Whether it is a key event, marked or found.
    pub is_key: bool,
    /// What became of it.
    pub decision: Decision,
    /// The event that was performed for it, aimed at this screen.
    pub performed: Option<Event>,
    /// The events beyond it that were sent to reveal its receiver, those that were in vain and
    /// their undoing included.
    pub extra: Vec<ExtraEvent>,
    /// Whether what was tried in vain was undone.
    pub undo: UndoOutcome,
    /// The screen on which it was decided.
    pub screen: Option<Arc<Screen>>,
    /// The element of that screen that got the event.
    pub receiver: Option<usize>,
    /// How well that fits, and how much better than the next; 0 where nothing was compared.
    pub fit: (f64, f64),
}

/// An event that was not recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtraEvent {
    /// What was done.
    pub event: Event,
    /// The pattern that it belongs to.
    pub pattern: &'static str,
    /// Whether it undoes what the pattern did.
    pub is_undo: bool,
    /// Whether it led to the receiver: it was neither undone nor in vain.
    pub is_kept: bool,
}

impl ReplayedEvent {
    /// Whether it was performed, in whichever way.
    pub fn is_performed(&self) -> bool {
        matches!(self.decision, Decision::Performed | Decision::Healed | Decision::Revealed { .. })
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decision::Performed => f.write_str("performed"),
            Decision::Healed => f.write_str("healed"),
            Decision::Revealed { patterns } => write!(f, "revealed by {}", patterns.join(", ")),
            Decision::Dropped(reason) => write!(f, "dropped: {reason}"),
            Decision::Refused { why, candidates } => {
                write!(f, "refused: {why}")?;
                for (number, candidate) in candidates.iter().enumerate() {
                    let before = if number == 0 { "; nearest " } else { ", " };
                    write!(f, "{before}{} ({:.2})", candidate.name, candidate.score)?;
                }
                Ok(())
            }
            Decision::NotReached => f.write_str("not reached"),
        }
    }
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DropReason::NotNeeded => "what it opens is there already",
            DropReason::NoCounterpart => "nothing corresponds to it on this device",
            DropReason::Unsupported => "the device has no such event",
        })
    }
}

impl fmt::Display for RefusalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefusalReason::Ambiguous => f.write_str("several elements fit about equally well"),
            RefusalReason::Absent => f.write_str("its receiver is not there"),
            RefusalReason::Blocked(reason) => write!(f, "its receiver is there, but {reason}"),
            RefusalReason::BelongsToRefused => f.write_str("the event before it was refused"),
            RefusalReason::NoEnd => f.write_str("what it is dragged to is not there"),
        }
    }
}

/// A control without a name, or with a wrong one, that cost the replay something.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessibilityFinding {
    /// Which event of the recording it cost.
    pub event: usize,
    /// Whether the control is that of the recorded screen, or one of the replayed.
    pub is_recorded: bool,
    /// The control, as a selector of its screen.
    pub control: Str,
    /// What is wrong with it.
    pub what: AccessibilityProblem,
}

/// What is wrong with a control for whoever cannot see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AccessibilityProblem {
    /// It has no name.
    Unnamed,
    /// Its name says that it leads to something, and it does not.
    Misleading,
}
