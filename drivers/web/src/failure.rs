//! Why something that was begun on a page did not come to its end.

use capuchin_ui::DeviceError;

/// Why something that was begun did not come to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The device is at fault.
    Device(DeviceError),
    /// The browser refused.
    Refused(String),
    /// The page shows a dialog and waits.
    Dialog,
    /// The tab's process died, or the tab was closed.
    TabGone,
    /// The page does not answer.
    Hangs,
    /// One document follows the other, and each goes before it has answered.
    Fleeting,
}

impl From<DeviceError> for Failure {
    fn from(error: DeviceError) -> Self {
        Failure::Device(error)
    }
}
