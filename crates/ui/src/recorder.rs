//! The power to hand over what a person or another program does to the app.
//!
//! On its own because it is the one power that waits for somebody else: what it hands over is a
//! value of its own, with the screen that it was done on.

use crate::{DeviceError, Event, Lack, Screen, Selector, Str};
use std::sync::Arc;
use std::time::Duration;

/// The power to hand over what a person or another program does to the app.
pub trait Recorder {
    /// Waits for what somebody does next.
    ///
    /// It returns [`Recorded::Nothing`] after `timeout`, so that whoever records can look up from
    /// it. What somebody began before a reset is dropped.
    fn recorded(&mut self, timeout: Duration) -> Result<Recorded, DeviceError>;

    /// The address at which another program connects to use the app; `None` if only a person can.
    fn endpoint(&self) -> Option<Str> {
        None
    }
}

/// What a recorder hands over.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Recorded {
    /// Somebody is about to perform this event, on this screen.
    ///
    /// The app has not seen the event, and will not unless it is given to
    /// [`Device::perform`](crate::Device::perform): so it is performed once, and judged like any
    /// other. It is concrete, the device knows it, and it names its target as this screen does. The
    /// screen is the one that is displayed now: while somebody thinks, an app may change by itself.
    /// Only a hover that has shown something already has the screen before that.
    Event(Event, Arc<Screen>),
    /// Somebody marks the last event as a key event: one that every replay must perform.
    KeyEvent,
    /// Somebody expects this element to be displayed with this text (none, if it is empty), on this
    /// screen.
    Expected(Selector, Str, Arc<Screen>),
    /// Somebody did what no event stands for: the app has not seen it, and it is not performed.
    /// Each is told once; what was lost because the app changed meanwhile is told each time.
    Lack(Lack),
    /// Nobody has done anything yet.
    Nothing,
    /// They have ended.
    End,
}
