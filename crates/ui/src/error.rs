//! What can go wrong with a device, as opposed to with the app on it.

use crate::Str;

/// A failure of the device or of the way to it; never a verdict about the app.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceError {
    /// The device is gone: the browser was killed, the cable pulled.
    #[error("{device} is lost: {reason}")]
    Lost {
        /// The device's name.
        device: Str,
        /// What was seen of it last.
        reason: String,
    },
    /// The device could not be started.
    #[error("{device} cannot be started: {reason}")]
    Start {
        /// The device's name.
        device: Str,
        /// What is missing, and how to get it.
        reason: String,
    },
    /// The app could not be asked: its answer to a question was a failure of its own.
    #[error("{device} cannot answer {what}")]
    NoAnswer {
        /// The device's name.
        device: Str,
        /// The question, and what came of it.
        what: String,
    },
    /// The device cannot do this at all.
    #[error("{device} has no {what}")]
    Unsupported {
        /// The device's name.
        device: Str,
        /// The event or the predicate that it does not know.
        what: String,
    },
}
