//! What can go wrong with a device, as opposed to with the app on it.
//!
//! On its own because every crate that runs something handles it, and most of them need no more of
//! a device than its errors.

use crate::Str;

/// A failure of the device or of the way to it, or a request that cannot be carried out; never a
/// verdict about the app.
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
    /// The device cannot do this at all, and was asked to all the same: the request is wrong.
    #[error("{device} has no {what}")]
    Unsupported {
        /// The device's name.
        device: Str,
        /// The event or the predicate that it does not know.
        what: String,
    },
    /// The device was told to leave off, and did so in the middle of something: nobody knows what
    /// would have come of it.
    #[error("{device} was told to stop")]
    Stopped {
        /// The device's name.
        device: Str,
    },
    /// The run was asked for something that nobody can do, on any device: the request is wrong.
    #[error("{0}")]
    Request(String),
}

impl DeviceError {
    /// Whether the request is wrong, and nothing the matter with the device. Another device of the
    /// same kind would give the same error.
    pub fn is_request(&self) -> bool {
        matches!(self, DeviceError::Unsupported { .. } | DeviceError::Request(_))
    }
}
