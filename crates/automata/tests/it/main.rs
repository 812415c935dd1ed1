//! The learners on real protocol models: one binary, so that it links once.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod active;
mod models;
mod passive;
