//! Relations that need no model: what is true of nearly every app, whatever it is for.
//!
//! A reload changes nothing that is shown, Back returns, Cancel discards, a switch that is flipped
//! twice is as it was, Undo restores, a rotation keeps what was typed, and two ways to the same
//! page show the same. Each is a [`Relation`]: a monitor by name that watches whatever is run, says
//! how often it was judged and what it skipped, and proposes the inputs that exercise it.
//!
//! The list is [`Relation::all`]; which of them an exploration watches unless told otherwise is a
//! measured decision (`cargo xtask bench relations`).

mod back;
mod cancel;
mod exercise;
mod names;
mod relation;
mod reload;
mod rotation;
mod shown;
mod toggle;
mod undo;
mod ways;

pub use relation::Relation;
