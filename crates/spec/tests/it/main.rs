//! The language from outside: one binary, so that it links once.

mod diagnostics;
mod figures;
mod files;
mod noise;
mod reference;
mod render;
mod round_trip;
mod strategies;
