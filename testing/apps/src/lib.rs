//! Sample apps with planted bugs, and who must find which.
//!
//! Every app but the contract app has two variants: with its bugs, and fixed. Both behave the same
//! but for the bugs, so what a test reports on the fixed one is a false alarm.

mod bugs;
pub mod contract;
pub mod courses;
pub mod music;
pub mod nearby;
pub mod picker;
mod registry;
pub mod reply;
pub mod score;
mod web;

pub use bugs::{BUGS, Bug, Verdict};
pub use registry::{Sample, Variant, all, open, open_with};
pub use web::{web_dir, web_page};

/// Types into a field that takes no more than so much.
fn type_into(field: &mut String, text: &str) {
    const MOST: usize = 200;
    let room = MOST.saturating_sub(field.chars().count());
    field.extend(text.chars().take(room));
}
