//! A run as terminal text, as JUnit XML and as an HTML page; an exploration as JSON; the code that
//! ran as lcov and as Istanbul's JSON.
//!
//! A report is a function of the run's events and of nothing else: no clock, no device, no disk
//! (the pictures of a page are handed to it). So it can be made while the run goes on, or again
//! from the log years later, and comes out the same.

mod exploration;
mod html;
mod istanbul;
mod junit;
mod lcov;
mod printer;
mod replays;
mod saved;
mod secrets;
mod shell;
mod standing;
mod terminal;
mod traces;

pub use exploration::exploration_json;
pub use html::{HtmlReport, Pictures, html};
pub use istanbul::istanbul;
pub use junit::junit;
pub use lcov::lcov;
pub use printer::{Part, Printer};
pub use secrets::without_secrets;
pub use shell::{explore_command, quoted};
pub use terminal::Terminal;
