//! Record what somebody does to an app, and replay it on a device whose layout is different, or on
//! another version of the app.
//!
//! A [`Recording`] has each event with the screen that it happened on. A [`RecordingPilot`] makes
//! one from what a device's recorder hands over; a [`Writer`] writes it as it grows. A [`Replay`]
//! finds the counterpart of each receiver on the present screen, reveals it where the layout hides
//! it, and says in a [`ReplayReport`] what it did with each event and why.
//!
//! Nothing in here knows which device it runs on: recording and replaying are pilots over the run
//! loop of `capuchin`, so monitors and properties watch them as they watch everything.

mod accessibility;
mod address;
mod another_app;
mod assignment;
mod convert;
mod decision;
mod described;
mod format;
mod healed;
mod key_events;
mod layers;
mod leave_one_out;
mod matching;
mod measures;
mod merge;
mod options;
mod outline;
mod patterns;
mod recorder;
mod recording;
mod region;
mod replay;
mod replay_account;
mod replays;
mod report;
mod reveal;
mod same_screen;
mod score;
mod segment;
mod similarity;
mod situation;
mod undo;
mod words;

pub use convert::{DevtoolsError, from_devtools};
pub use decision::{
    AccessibilityFinding, AccessibilityProblem, Decision, DropReason, ExtraEvent, RefusalReason,
    ReplayedEvent, UndoOutcome,
};
pub use format::{FormatError, Writer};
pub use key_events::key_events;
pub use leave_one_out::leave_one_out;
pub use matching::{Candidate, Margins, Matched};
pub use merge::merged;
pub use options::{ReplayOptions, WayFinder};
pub use outline::Outline;
pub use recorder::{OnLack, OnRecorded, RECORDING, RecordingLog, RecordingPilot};
pub use recording::{Assertion, Ending, Origin, RecordedEvent, Recording};
pub use replay::{REPLAY, Replay, ReplayPilot};
pub use replays::Replays;
pub use report::{FailureCause, ReplayReport};
pub use segment::{NaturalBisection, Segment, Segmenter};
pub use similarity::{Parted, Similarity, WordsAndPlace};
pub use situation::{ResponsivePattern, Reveal, Situation, Undo};

use capuchin::ui::Screen;

/// The counterpart of the receiver of a recorded event on another screen; `None` if the event has
/// no receiver.
pub fn counterpart(
    recorded: &RecordedEvent,
    screen: &Screen,
    options: &ReplayOptions,
) -> Option<Matched> {
    Situation::new(options, recorded, screen).map(|situation| situation.matched())
}
