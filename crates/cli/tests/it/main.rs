//! The tests of the command, through the command: `covered` is about the code that ran, `explore`
//! about explorations, `extensions` about the command with more than we bring along, `hostile`
//! about what others write and a terminal must not be told, `last_run` about failures that an
//! earlier run has saved, `models` about planning models, `trust` about what a file may start,
//! `saved` runs failing traces again, `readme` runs what the README says, `replay` replays
//! recordings, `requests` is about bad input and interruptions, `resumed` about checks that go on
//! from others, `same` about runs that must not differ, `web` about browsers and what may happen
//! to them.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod capuchin;
mod covered;
mod explore;
mod extensions;
mod hostile;
mod last_run;
mod models;
mod readme;
mod replay;
mod requests;
mod resumed;
mod same;
mod saved;
mod temporal;
mod trust;
mod web;
