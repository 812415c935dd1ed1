//! The language from outside: one binary, so that it links once.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod auto;
mod figures;
mod files;
mod mapping;
mod meaning;
mod meaning_beyond;
mod noise;
mod plans;
mod reference;
mod render;
mod round_trip;
mod scoped;
mod strategies;
mod syntax;
mod temporal;
