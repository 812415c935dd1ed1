//! Recordings and replays from outside: files, and simulated apps that restructure.

mod book;
mod convert;
mod drawers;
mod format;
mod layouts;
mod margin;
mod pages;
mod recorder;
mod replay;
mod replays;
mod undo;
