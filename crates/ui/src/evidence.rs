//! Evidence for a report: pictures of the screen, and what the app said and asked for.
//!
//! On its own because no verdict ever depends on it: it is for people who look at a failure.

use crate::DeviceError;
use std::fmt;

/// The power to take pictures of the screen.
pub trait Camera {
    /// What is displayed now, as a picture of the whole viewport.
    fn picture(&mut self) -> Result<Picture, DeviceError>;
}

/// A picture of the screen.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// How it is encoded.
    pub format: PictureFormat,
    /// The picture, as a file would hold it.
    pub bytes: Vec<u8>,
}

impl fmt::Debug for Picture {
    /// Without the bytes: nobody reads them, and they would bury what stands around them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({:?}, {} bytes)", self.format, self.bytes.len())
    }
}

/// How a picture is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// WebP.
    Webp,
    /// SVG.
    Svg,
}

impl PictureFormat {
    /// All of them.
    pub const ALL: [PictureFormat; 4] =
        [PictureFormat::Jpeg, PictureFormat::Png, PictureFormat::Webp, PictureFormat::Svg];

    /// How the name of a file with such a picture ends.
    pub const fn extension(self) -> &'static str {
        match self {
            PictureFormat::Jpeg => "jpg",
            PictureFormat::Png => "png",
            PictureFormat::Webp => "webp",
            PictureFormat::Svg => "svg",
        }
    }

    /// What a browser calls it.
    pub const fn media_type(self) -> &'static str {
        match self {
            PictureFormat::Jpeg => "image/jpeg",
            PictureFormat::Png => "image/png",
            PictureFormat::Webp => "image/webp",
            PictureFormat::Svg => "image/svg+xml",
        }
    }
}

/// The power to tell what the app said and asked for.
pub trait AppLog {
    /// What was said since the last call, or since the last reset.
    fn entries(&mut self) -> Result<Vec<LogEntry>, DeviceError>;
}

/// Something that the app said or asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// What it is.
    pub kind: LogEntryKind,
    /// What was said, or what was asked for and what came of it.
    pub text: String,
}

/// What an entry of the log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogEntryKind {
    /// A line for whoever debugs the app.
    Log,
    /// A warning.
    Warning,
    /// An error that the app went on after, or that it reported itself.
    Error,
    /// A request over the network that was answered.
    Request,
    /// One that was not, or with an error.
    FailedRequest,
    /// A dialog of the platform's own.
    Dialog,
    /// The app went to another address.
    Navigation,
}
