//! The device contract: three methods, and a window to optional powers.
//!
//! On its own because it is what a driver implements: everything else here is given to it.
//! `testing/conformance` states this contract as tests, and every driver passes it.

use crate::{AppLog, Camera, DeviceError, DeviceInfo, Event, Observation, Recorder, Stop, Value};

/// Something that performs events and shows screens.
///
/// - [`reset`](Device::reset) and [`perform`](Device::perform) return a *settled* observation: the
///   app has handled everything it was given and is idle.
/// - An event on an element that is absent, hidden, disabled, covered or out of reach is *blocked*:
///   nothing is sent, nothing changes, and the observation says so.
/// - A crash is seen no later than the observation of the event that caused it, and whatever else
///   that observation says, the crash counts.
/// - An event that the device does not know (a device event or an environment event that it does
///   not claim in its [`DeviceInfo`], a key that its platform does not have) is the error
///   [`DeviceError::Unsupported`]: nothing is sent, nothing changes, and the device goes on. It is
///   neither blocked nor left out in silence, because the request is wrong and not the app.
/// - A device that is lost is a [`DeviceError`], never a verdict about the app.
/// - Same seed, same app, same events: same observations.
///
/// Events that reach a device are concrete: the executor has filled in every wildcard.
pub trait Device: Send {
    /// What it is. The same for the whole life of the device.
    fn info(&self) -> &DeviceInfo;

    /// Brings the app to its initial state. Everything random in it comes from `seed` from now on.
    fn reset(&mut self, seed: u64) -> Result<Observation, DeviceError>;

    /// Performs one concrete event and waits until the app is idle.
    ///
    /// It begins with [`DeviceInfo::require`], which gives the one answer to an event that the
    /// device does not know, also after a crash. Where only the driver can tell (the name of a key,
    /// an event that is younger than the driver), it returns [`DeviceInfo::unknown`].
    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError>;

    /// What it can do beyond that.
    fn powers(&mut self) -> Option<&mut dyn Powers> {
        None
    }
}

impl<D: Device + ?Sized> Device for Box<D> {
    fn info(&self) -> &DeviceInfo {
        (**self).info()
    }

    fn reset(&mut self, seed: u64) -> Result<Observation, DeviceError> {
        (**self).reset(seed)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        (**self).perform(event)
    }

    fn powers(&mut self) -> Option<&mut dyn Powers> {
        (**self).powers()
    }
}

/// The optional powers of a device. Each is a small trait of its own, so that a driver without it
/// writes nothing, and one with several hands out one after the other.
pub trait Powers {
    /// Answers predicates that only the app can answer.
    fn predicates(&mut self) -> Option<&mut dyn Predicates> {
        None
    }

    /// Takes pictures of the screen.
    fn camera(&mut self) -> Option<&mut dyn Camera> {
        None
    }

    /// Tells what the app said and asked for.
    fn app_log(&mut self) -> Option<&mut dyn AppLog> {
        None
    }

    /// Says which code of the app ran.
    fn coverage(&mut self) -> Option<&mut dyn crate::Coverage> {
        None
    }

    /// Hands over what somebody else does to the app.
    fn recorder(&mut self) -> Option<&mut dyn Recorder> {
        None
    }

    /// Leaves off in the middle of something. A driver that never waits for long needs no such
    /// power.
    fn stoppable(&mut self) -> Option<&mut dyn Stoppable> {
        None
    }
}

/// The power to answer user-defined predicates, and to compute user-defined values.
pub trait Predicates {
    /// Whether the predicate `name` holds now for these arguments.
    fn holds(&mut self, name: &str, args: &[Value]) -> Result<bool, DeviceError>;

    /// The value `name` of these arguments as it is now; `None` if there is none.
    fn value(&mut self, name: &str, args: &[Value]) -> Result<Option<Value>, DeviceError> {
        let _ = args;
        let what = format!("value {name}");
        Err(DeviceError::Unsupported { device: "the device".into(), what })
    }
}

/// The power to leave off in the middle of something.
pub trait Stoppable {
    /// From now on, until it is given another, whatever the device is asked ends soon after `stop`
    /// is set: within a fraction of a second, and with [`DeviceError::Stopped`] unless it was done
    /// by then.
    ///
    /// What was cut short says nothing of the app: it is no observation, and neither a crash nor a
    /// hang. The device may be anywhere afterwards, and the next reset, with a stop that is not
    /// set, brings it to its initial state.
    fn stop_when(&mut self, stop: &Stop);
}
