//! A step: what was done to an app, and the screens on both sides of it.
//!
//! On its own because everything stands on it: [`step`] is the one function that touches a device,
//! and a [`Step`] is what a session makes of a call of it, for whoever watches the run.

use capuchin_trace::Slot;
use capuchin_ui::{Device, DeviceError, Event, Observation, Powers, Screen, Stop, Str};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a device can be told.
#[derive(Clone, Copy, Debug)]
pub enum Action<'a> {
    /// Back to the initial state, with this seed for everything random.
    Reset(u64),
    /// One concrete event.
    Perform(&'a Event),
}

/// The one function that touches a device. It returns when the app is idle again. A driver that
/// panics is a device that is lost.
///
/// A reset hands `stop` to the device, which looks at it until the next one: what is under way when
/// it is set ends with [`DeviceError::Stopped`], on a device that can be stopped. Nothing is begun
/// on any device once it is set.
pub fn step(
    device: &mut dyn Device,
    action: Action<'_>,
    stop: &Stop,
) -> Result<Observation, DeviceError> {
    guarded(device, |device| {
        if stop.is_set() {
            return Err(DeviceError::Stopped { device: name_of(device) });
        }
        match action {
            Action::Reset(seed) => {
                if let Some(stoppable) = device.powers().and_then(Powers::stoppable) {
                    stoppable.stop_when(stop);
                }
                device.reset(seed)
            }
            Action::Perform(event) => device.perform(event),
        }
    })
}

/// Calls a driver. Its panics end here, so that those which get further are of whoever watches or
/// steers the run.
pub(crate) fn guarded<T>(
    device: &mut dyn Device,
    call: impl FnOnce(&mut dyn Device) -> Result<T, DeviceError>,
) -> Result<T, DeviceError> {
    catch_unwind(AssertUnwindSafe(|| call(device))).unwrap_or_else(|panic| {
        let (device, reason) = (name_of(device), driver_panicked(&*panic));
        Err(DeviceError::Lost { device, reason })
    })
}

/// The name of a device whose driver may panic over anything.
pub fn name_of(device: &dyn Device) -> Str {
    catch_unwind(AssertUnwindSafe(|| device.info().name.clone()))
        .unwrap_or_else(|_| "the device".into())
}

/// Why a device is lost, or cannot be opened, whose driver panicked.
pub fn driver_panicked(panic: &(dyn Any + Send)) -> String {
    format!("its driver panicked: {}; this is a bug, please report it", panic_message(panic))
}

/// What a panic says.
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default()
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
