//! The language from outside: one binary, so that it links once.

#![expect(clippy::unwrap_used, reason = "a helper of a test may panic like a test")]

mod figures;
mod files;
mod meaning;
mod noise;
mod reference;
mod render;
mod round_trip;
mod strategies;
mod syntax;
