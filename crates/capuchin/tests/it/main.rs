//! The tests of the crate as one binary: `rules` for the semantics, `checking` for the loop.

mod checking;
mod fake;
mod rules;
