//! Recordings and replays from outside: files, and simulated apps that restructure.

mod format;
mod layouts;
mod margin;
mod pages;
mod recorder;
mod replay;
mod samples;
