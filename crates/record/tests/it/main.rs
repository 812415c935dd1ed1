//! Recordings and replays from outside: files, and simulated apps that restructure.

mod book;
mod convert;
mod format;
mod margin;
mod recorder;
mod replay;
mod replays;
mod samples;
