//! The device contract: three methods, and a window to optional powers.
//!
//! `testing/conformance` states this contract as tests, and every driver passes it.

use crate::{Camera, DeviceError, Event, Journal, Observation, Size, Str, Value};
use std::time::Duration;

/// Something that performs events and shows screens.
///
/// - [`reset`](Device::reset) and [`perform`](Device::perform) return a *settled* observation: the
///   app has handled everything it was given and is idle.
/// - An event on an element that is absent, hidden, disabled, covered or out of reach is *blocked*:
///   nothing is sent, nothing changes, and the observation says so.
/// - A crash is seen no later than the observation of the event that caused it, and whatever else
///   that observation says, the crash counts.
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

/// What a device is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// Its name, as a user would pass it to `--device`.
    pub name: Str,
    /// The size of its screen after a reset.
    pub viewport: Size,
    /// What a reset costs, roughly: the search for a smaller trace is bounded by it.
    pub reset_takes: Duration,
    /// The predicates that it can answer.
    pub predicates: Vec<Str>,
    /// The environment events that it can perform, by name.
    pub environment: Vec<Str>,
    /// The language of the [`Script`](crate::Script)s that it evaluates: `js`, or none.
    pub scripts: Option<Str>,
}

impl DeviceInfo {
    /// A device of this name and viewport without further powers.
    pub fn new(name: impl Into<Str>, viewport: Size) -> Self {
        DeviceInfo {
            name: name.into(),
            viewport,
            reset_takes: Duration::ZERO,
            predicates: Vec::new(),
            environment: Vec::new(),
            scripts: None,
        }
    }

    /// Says what a reset costs.
    #[must_use]
    pub fn reset_takes(mut self, cost: Duration) -> Self {
        self.reset_takes = cost;
        self
    }

    /// Says which predicates the device answers.
    #[must_use]
    pub fn predicates(mut self, names: impl IntoIterator<Item = impl Into<Str>>) -> Self {
        self.predicates = names.into_iter().map(Into::into).collect();
        self
    }

    /// Says in which language the device evaluates scripts.
    #[must_use]
    pub fn scripts(mut self, language: impl Into<Str>) -> Self {
        self.scripts = Some(language.into());
        self
    }

    /// Says which environment events the device performs.
    #[must_use]
    pub fn environment(mut self, names: impl IntoIterator<Item = impl Into<Str>>) -> Self {
        self.environment = names.into_iter().map(Into::into).collect();
        self
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
    fn journal(&mut self) -> Option<&mut dyn Journal> {
        None
    }

    /// Says which code of the app ran.
    fn coverage(&mut self) -> Option<&mut dyn crate::Coverage> {
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
