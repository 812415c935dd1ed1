//! Temporal properties: formulas over the steps of a run, and how they are judged step by step.
//!
//! On its own, and without a word of the rest of the crate, because it is about facts that change
//! from step to step and nothing else: what a fact is, its user says. [`Formula`] is what a user
//! writes, [`Progression`] what is left of it after the steps so far, with the three answers of
//! QuickLTL (O'Connor and Wickström, PLDI 2022): held, violated, not decided yet.

mod formula;
mod lookahead;
mod obligation;
mod progression;

pub use formula::{Formula, Limit};
pub use progression::{Answer, Progression, Stuck};
