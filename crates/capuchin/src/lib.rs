//! Run traces on a device, judge them, shrink the bad ones: what Rust tests depend on.
//!
//! ```
//! use capuchin::prelude::*;
//!
//! // Whatever is clicked, and however the device is turned, the count never goes below zero.
//! let traces = (click(id("increment")) | rotate() | click_home()).repeat(0..=20);
//! let outcome = Check::new("counter", traces)
//!     .always("never below zero", |screen| screen.number(&id("count")) >= Some(0.0))
//!     .run(&mut capuchin_apps::open("contract").unwrap())
//!     .unwrap(); // the device worked
//! outcome.assert(); // the property held
//! ```
//!
//! The parts, from the inside out: [`step`] is the one function that touches a device, and a
//! [`Step`] is what came of it; a [`Session`] runs a trace step by step, and shows each to the
//! [`Monitor`]s of the run; [`Plan`] runs case number *n* of a seed, and shrinks it if it fails;
//! [`Check`] loops over cases; [`log::RunEvent`] is what it all tells the outside. A
//! [`steering::Pilot`] chooses inputs where a trace says `auto`.

mod budget;
mod case;
mod check;
mod claim;
mod event;
mod execution;
mod film;
mod judge;
mod monitor;
mod outcome;
mod pilot;
mod plan;
mod probe;
mod property;
mod replay;
mod replay_log;
mod session;
mod shrink;
mod steer;
mod step;
mod tally;
mod temporal;
mod verdict;
mod wildcard;
mod wireframe;

pub use capuchin_trace as trace;
pub use capuchin_ui as ui;
pub use check::{Check, parse_seed};
pub use execution::{Execution, Rules, execute};
pub use judge::compare_values;
pub use monitor::{Always, Finding, Monitor, Monitors, Watched, each_step};
pub use outcome::{Conclusion, Outcome};
pub use plan::{Config, Exploration, Plan};
pub use probe::{Probe, coverage};
pub use property::Property;
pub use session::{Flow, Session};
pub use step::{Action, Step, step};
pub use temporal::Temporal;
pub use verdict::{Verdict, Violation};
pub use wireframe::wireframe;

/// The log: what a run tells the outside, and whoever reads it.
pub mod log {
    pub use crate::event::{
        Compared, Covered, Executed, ExplorationRequest, Explored, Failure, LOG_VERSION, LoggedStep, Map,
        MapEdge, MapState, Observer, RunEvent, VerdictKind,
    };
    pub use crate::film::{Area, Frame, LoggedEntry};
    pub use crate::property::{Judged, PropertyTally, Wasted};
    pub use crate::replay::{Replayed, SavedFailures};
    pub use crate::replay_log::{
        ExtraStep, JudgedAssertion, RecordingReplay, ReplayedStep, StepOutcome,
    };
    pub use capuchin_ui::LogEntryKind;
}

/// Who chooses inputs where a trace says `auto`.
pub mod steering {
    pub use crate::execution::OnMove;
    pub use crate::pilot::{Choice, Effect, NamedTrace, Pilot, PilotPool, Pilots, Progress};
}

/// Cases by themselves, for a loop of one's own: what mission control is made of.
pub mod cases {
    pub use crate::budget::{Budget, Spent};
    pub use crate::case::{Evidence, Examined};
    pub use crate::claim::Claim;
    pub use crate::event::CaseReport;
    pub use crate::replay::Saved;
    pub use crate::step::{driver_panicked, name_of, panic_message};
    pub use crate::tally::Tally;
}

/// What a test file imports.
pub mod prelude {
    pub use crate::{Check, Outcome, Verdict};
    pub use capuchin_trace::prelude::*;
    pub use capuchin_ui::Device;
}
