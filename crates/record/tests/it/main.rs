//! Recordings and replays from outside: files, and simulated apps that restructure.

mod format;
mod margin;
mod recorder;
mod replay;
mod samples;
mod undo;
