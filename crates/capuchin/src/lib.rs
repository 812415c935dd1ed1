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
//! The parts, from the inside out: [`step`] is the one way of an event to a device; [`execute`] runs one trace; [`shrink`] makes a failing trace small; [`Plan`] does both for case number *n* of a seed;
//! [`Check`] loops over cases; [`RunEvent`] is what it all tells the outside. A [`Pilot`] chooses events while
//! a trace runs, where that says `auto`.

mod case;
mod check;
mod claim;
mod event;
mod execute;
mod film;
mod judge;
mod outcome;
mod pilot;
mod shrink;
mod tally;
mod verdict;
mod wireframe;

pub use capuchin_trace as trace;
pub use capuchin_ui as ui;
pub use case::{Case, Config, Examined, Invariant, Plan};
pub use check::{Check, parse_seed};
pub use claim::Claim;
pub use event::{
    Covered, Explored, Exploring, Failure, LOG_VERSION, Map, MapEdge, MapState, Observer, RunEvent,
    Step, VerdictKind,
};
pub use execute::{Action, Execution, Flow, Rules, Session, coverage, execute, step};
pub use film::{Area, Entry, EntryKind, Frame};
pub use outcome::Outcome;
pub use pilot::{Choice, Crew, Effect, Pilot, Pilots, Seen};
pub use shrink::{Shrunk, shrink};
pub use tally::Tally;
pub use verdict::{Verdict, Violation};
pub use wireframe::wireframe;

/// What a test file imports.
pub mod prelude {
    pub use crate::{Check, Outcome, Verdict};
    pub use capuchin_trace::prelude::*;
    pub use capuchin_ui::Device;
}
