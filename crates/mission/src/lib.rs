//! Mission control: many cases over many devices, and the run directory.
//!
//! The paper's coordinator of the same name hands each trace to a device of its own. So does
//! [`Fleet`]; results are taken in the order of the cases, so one device and eight give the same
//! output to the byte. [`RunDirectory`] keeps what was found, as it is found.

mod board;
mod curve;
mod directory;
mod fleet;
mod log;
mod timekeeper;
mod worker;

pub use directory::{DirectoryError, RunDirectory, SavedFile};
pub use fleet::{Debrief, Fleet, OnLoss, Open, Run};
pub use log::{Cut, Log, LogError, read_log};
pub use timekeeper::Countdown;
