//! The tests of the command, through the command: `planted` finds what is planted in the sample
//! apps, `readme` runs what the README says, `requests` is about bad input and interruptions,
//! `same` about runs that must not differ.

mod capuchin;
mod planted;
mod readme;
mod requests;
mod same;
