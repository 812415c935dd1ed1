//! A run as terminal text and as JUnit XML; the code that ran as lcov and as Istanbul's JSON.
//!
//! A report is a function of the run's events and of nothing else: no clock, no device, no disk. So
//! it can be made while the run goes on, or again from the log years later, and comes out the same.

mod istanbul;
mod junit;
mod lcov;
mod terminal;

pub use istanbul::istanbul;
pub use junit::junit;
pub use lcov::lcov;
pub use terminal::Terminal;
