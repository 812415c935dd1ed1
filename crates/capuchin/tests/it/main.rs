//! The tests of the crate as one binary: `rules` for the semantics, `checking` for the loop,
//! `filming` for the pictures of a failure, `steering` for policies.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod checking;
mod fake;
mod filming;
mod liveness;
mod monitors;
mod recording;
mod rules;
mod steering;
