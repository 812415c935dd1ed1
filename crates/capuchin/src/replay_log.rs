//! What the log says of a recording that was replayed: each recorded event beside what was done for
//! it, with both screens.
//!
//! On its own because reports read it, and know neither recordings nor pilots: these are plain
//! values, and a part of the format of the log.

use crate::film::Frame;
use serde::{Deserialize, Serialize};

/// A recording that was replayed once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordingReplay {
    /// Which replay of the run it is, from 1.
    pub number: u32,
    /// The recording, as it was named.
    pub recording: String,
    /// The device that it was recorded on, as far as that is known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub recorded_on: String,
    /// Each event of the recording, in order.
    pub events: Vec<ReplayedStep>,
    /// Whether every key event was performed, and everything that was to hold did.
    pub succeeded: bool,
    /// The property that was to hold at the end, and whether it did; `None` for that if the replay
    /// did not come so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<(String, Option<bool>)>,
    /// What was asserted in the recording.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<JudgedAssertion>,
    /// Controls without a name, or with a wrong one, that cost the replay something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accessibility: Vec<String>,
    /// Why it failed, as one of the classes of section 5.4 of the Rx paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Why it ended before the last event, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// How it differs from the replay before it, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs: Option<String>,
    /// What was displayed at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Frame>,
}

/// What became of a recorded event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepOutcome {
    /// It was performed on the same element.
    Performed,
    /// It was performed on an element with another role, name or id.
    Healed,
    /// It was performed after other events had revealed its receiver.
    Revealed,
    /// It was left out.
    Dropped,
    /// It was not performed, because no element is clearly its receiver.
    Refused,
    /// The replay ended before it.
    #[default]
    #[serde(other)]
    NotReached,
}

impl StepOutcome {
    /// All of them, in the order in which reports count them.
    pub const ALL: [StepOutcome; 6] = [
        StepOutcome::Performed,
        StepOutcome::Healed,
        StepOutcome::Revealed,
        StepOutcome::Dropped,
        StepOutcome::Refused,
        StepOutcome::NotReached,
    ];

    /// What it is called in reports.
    pub const fn name(self) -> &'static str {
        match self {
            StepOutcome::Performed => "performed",
            StepOutcome::Healed => "healed",
            StepOutcome::Revealed => "revealed",
            StepOutcome::Dropped => "dropped",
            StepOutcome::Refused => "refused",
            StepOutcome::NotReached => "not reached",
        }
    }

    /// Whether the event was performed, in whichever way.
    pub const fn is_performed(self) -> bool {
        matches!(self, StepOutcome::Performed | StepOutcome::Healed | StepOutcome::Revealed)
    }
}

/// A recorded event, and what was done for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReplayedStep {
    /// The event as it was recorded, as the language writes it.
    pub recorded: String,
    /// The element that it was recorded for: its role and its text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub receiver: String,
    /// Whether it must happen on every device.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_key: bool,
    /// What became of it.
    pub outcome: StepOutcome,
    /// Why, in a line.
    pub why: String,
    /// The event that was performed for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub performed: Option<String>,
    /// How well its receiver fits, and how much better than the next candidate, in percent; `None`
    /// where nothing was compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<(u32, u32)>,
    /// What was done beyond it to reveal its receiver, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<ExtraStep>,
    /// Whether the screen did not come back after what was tried in vain.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undo_failed: bool,
    /// The screen that it was recorded on, with its receiver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_screen: Option<Frame>,
    /// The screen that it was replayed on, with the element that got it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replayed_screen: Option<Frame>,
}

/// An event that was not recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtraStep {
    /// The event, as the language writes it.
    pub event: String,
    /// The responsive pattern that it belongs to.
    pub pattern: String,
    /// Whether it undoes what the pattern did.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_undo: bool,
}

/// Something that was asserted in a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedAssertion {
    /// After how many events of the recording.
    pub after: u32,
    /// The property.
    pub property: String,
    /// Whether it held; `None` if the replay did not come so far.
    pub held: Option<bool>,
}

impl RecordingReplay {
    /// How many events became what, in the order of [`StepOutcome::ALL`]; only what occurs.
    pub fn counts(&self) -> Vec<(StepOutcome, usize)> {
        let count = |outcome| self.events.iter().filter(|step| step.outcome == outcome).count();
        let all = StepOutcome::ALL.into_iter().map(|outcome| (outcome, count(outcome)));
        all.filter(|(_, count)| *count > 0).collect()
    }

    /// How many key events were performed, and how many there are.
    pub fn key_events(&self) -> (usize, usize) {
        let keys = || self.events.iter().filter(|step| step.is_key);
        (keys().filter(|step| step.outcome.is_performed()).count(), keys().count())
    }

    /// How many events were sent for revealed receivers beyond the recorded ones, and how many
    /// receivers that revealed.
    pub fn extra_events(&self) -> (usize, usize) {
        let revealed = self.events.iter().filter(|step| step.outcome == StepOutcome::Revealed);
        revealed.fold((0, 0), |(extra, count), step| (extra + step.extra.len(), count + 1))
    }

    /// All of its screens.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        let steps = self.events.iter();
        steps
            .flat_map(|step| step.recorded_screen.iter().chain(&step.replayed_screen))
            .chain(&self.last)
    }

    /// All of its screens, to be changed.
    pub fn frames_mut(&mut self) -> impl Iterator<Item = &mut Frame> {
        let steps = self.events.iter_mut();
        steps
            .flat_map(|step| step.recorded_screen.iter_mut().chain(&mut step.replayed_screen))
            .chain(&mut self.last)
    }
}
