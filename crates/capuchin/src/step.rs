//! A step: what was done to an app, and the screens on both sides of it.
//!
//! On its own because everything stands on it: [`step`] is the one function that touches a device,
//! and a [`Step`] is what a session makes of a call of it, for whoever watches the run.

use capuchin_trace::Slot;
use capuchin_ui::{Device, DeviceError, Event, Observation, Screen};

/// What a device can be told.
#[derive(Clone, Copy, Debug)]
pub enum Action<'a> {
    /// Back to the initial state, with this seed for everything random.
    Reset(u64),
    /// One concrete event.
    Perform(&'a Event),
}

/// The one function that touches a device. It returns when the app is idle again.
pub fn step(device: &mut dyn Device, action: Action<'_>) -> Result<Observation, DeviceError> {
    match action {
        Action::Reset(seed) => device.reset(seed),
        Action::Perform(event) => device.perform(event),
    }
}

/// One step of a run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Step<'a> {
    /// Which event of the trace it is; `None` for a reset.
    pub slot: Option<Slot>,
    /// What was done.
    pub action: Action<'a>,
    /// What was displayed before. Kept only if a monitor [wants it](crate::Monitor::wants_before),
    /// and not there before a reset.
    pub before: Option<&'a Screen>,
    /// What is displayed now, and what went wrong. An event that was blocked changed nothing.
    pub after: &'a Observation,
}

impl<'a> Step<'a> {
    /// The event that was performed; `None` for a reset, and for an event that was blocked.
    pub fn performed(&self) -> Option<&'a Event> {
        match self.action {
            Action::Perform(event) if !self.is_blocked() => Some(event),
            _ => None,
        }
    }

    /// Whether the event was blocked: nothing was sent, nothing has changed. A crash counts more.
    pub fn is_blocked(&self) -> bool {
        self.after.blocked.is_some() && self.after.crash.is_none()
    }
}
