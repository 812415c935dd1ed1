//! Sample apps with planted bugs, and who must find which.
//!
//! Every app but the contract app and `sanity` has two variants: with its bugs, and fixed. Both
//! behave the same but for the bugs, so what a test reports on the fixed one is a false alarm.
//!
//! Some are there to be explored: ways of exploring are compared on them, and each is hard in a way
//! of its own. Every bug of the others is in the table, with the example that finds it.

mod bugs;
pub mod calculator;
pub mod clock;
pub mod contract;
pub mod courses;
pub mod editor;
pub mod feed;
pub mod mileage;
pub mod music;
pub mod nearby;
pub mod notes;
pub mod picker;
pub mod preferences;
mod registry;
pub mod reply;
pub mod responsive;
pub mod sanity;
pub mod score;
pub mod shop;
#[cfg(test)]
mod walk;
mod web;
pub mod wizard;
mod wrapped;

pub use bugs::{BUGS, Bug, Verdict};
pub use registry::{Sample, Variant, all, open, open_with};
pub use web::{web_dir, web_page};
pub use wrapped::{Call, Wrapped};

use std::collections::BTreeSet;

/// Types into a field that takes no more than so much.
fn type_into(field: &mut String, text: &str) {
    const MOST: usize = 200;
    let room = MOST.saturating_sub(field.chars().count());
    field.extend(text.chars().take(room));
}

/// The number behind the prefix of an id: `order-3` is 3 behind `order-`.
fn number_of(id: &str, prefix: &str) -> Option<usize> {
    id.strip_prefix(prefix)?.parse().ok()
}

/// Puts something into a set, or takes it out if it is there.
fn flip<T: Ord>(set: &mut BTreeSet<T>, item: T) {
    if !set.remove(&item) {
        set.insert(item);
    }
}

/// Whether it is a PIN, a code or the like.
fn has_four_digits(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}
