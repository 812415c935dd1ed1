//! Relations on apps with planted bugs, and on the same apps without.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod explored;
mod memo;
mod samples;
mod simulated;
mod web;
