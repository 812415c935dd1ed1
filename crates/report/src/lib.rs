//! A run as terminal text and as JUnit XML.
//!
//! A report is a function of the run's events and of nothing else: no clock, no device, no disk. So
//! it can be made while the run goes on, or again from the log years later, and comes out the same.

mod junit;
mod terminal;

pub use junit::junit;
pub use terminal::Terminal;
