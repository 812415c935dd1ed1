//! The format of recordings on disk.
//!
//! A line of text that says what the file is and of which version, then one compressed stream of
//! records: where it was recorded, each event with its screen, marks, assertions, the end. Each
//! record is flushed when it is written and has a checksum, so a file that was cut anywhere reads
//! up to its last whole record. The decision record on the format says why it is so.

mod bytes;
mod event_code;
mod pools;
mod reader;
mod screen_code;
mod view_code;
mod writer;

pub use writer::Writer;

/// The first bytes of every recording; its version and the end of the line follow.
const MAGIC: &str = "capuchin recording ";

/// The version that is written; older ones are read.
const VERSION: u32 = 2;

// The kinds of records. A kind that a reader does not know is left out.
const ORIGIN: u8 = 1;
const EVENT: u8 = 2;
const KEY: u8 = 3;
const ASSERTION: u8 = 4;
const END: u8 = 5;

/// Why nothing can be read from a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// There is nothing in it.
    #[error("the file is empty; the recording was killed before its first event, record again")]
    Empty,
    /// It does not begin like one.
    #[error("this is not a recording; `capuchin record` makes one")]
    NotARecording,
    /// It is of a later release.
    #[error("the recording is of version {version}, this release reads up to {VERSION}; update")]
    Version {
        /// Its version.
        version: u32,
    },
    /// It begins like one, and ends before it says where it was made.
    #[error("the recording ends in its first bytes, and has no event; record again")]
    Nothing,
}
