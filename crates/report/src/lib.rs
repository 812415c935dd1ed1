//! A run as terminal text, as JUnit XML and as an HTML page.
//!
//! A report is a function of the run's events and of nothing else: no clock, no device, no disk (the
//! pictures of a page are handed to it). So it can be made while the run goes on, or again from the log years later, and comes out the same.

mod html;
mod junit;
mod standing;
mod terminal;

pub use html::{HtmlReport, Pictures, html};
pub use junit::junit;
pub use terminal::Terminal;
