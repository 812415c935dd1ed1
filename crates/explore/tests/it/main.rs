//! Policies on devices, from outside: one binary, so that it links once.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod apps;
mod auto;
mod inputs;
mod mishaps;
mod music;
mod run;
mod sanity;
mod unsteady;
