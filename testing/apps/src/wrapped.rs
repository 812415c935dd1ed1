//! A device around another one: for tests and benchmarks that count, record, change or break what
//! passes through.
//!
//! On its own because it is no app. It is here, and not in each test, because a device that
//! forwards all but one thing is easy to get wrong: what a wrapper forgets to forward is silently
//! not tested.

use capuchin_ui::{Device, DeviceError, DeviceInfo, Event, Observation, Powers};

/// What a device is asked to do.
#[derive(Clone, Copy, Debug)]
pub enum Call<'a> {
    /// A reset with this seed.
    Reset(u64),
    /// This event.
    Perform(&'a Event),
}

impl<'a> Call<'a> {
    /// Does it on a device.
    pub fn on(self, device: &mut dyn Device) -> Result<Observation, DeviceError> {
        match self {
            Call::Reset(seed) => device.reset(seed),
            Call::Perform(event) => device.perform(event),
        }
    }

    /// The event, if it is one.
    pub fn event(self) -> Option<&'a Event> {
        match self {
            Call::Reset(_) => None,
            Call::Perform(event) => Some(event),
        }
    }
}

type Handle<S> =
    Box<dyn FnMut(&mut S, &mut dyn Device, Call<'_>) -> Result<Observation, DeviceError> + Send>;
type GivePowers<S> = fn(&mut S) -> Option<&mut dyn Powers>;

/// A device around another one. A function handles each call: it may do it on the inner device
/// ([`Call::on`]), change what comes of it, do something else, or fail. Everything else is the
/// inner device's own unless it is given.
///
/// ```
/// use capuchin_apps::{Call, Wrapped, open};
/// use capuchin_ui::{Device, Event};
///
/// let inner = open("music").expect("it is there");
/// let mut counted = Wrapped::new(inner, 0, |events, inner, call| {
///     *events += u32::from(call.event().is_some());
///     call.on(inner)
/// });
/// counted.reset(1)?;
/// counted.perform(&Event::Rotate)?;
/// assert_eq!(counted.state, 1);
/// # Ok::<(), capuchin_ui::DeviceError>(())
/// ```
pub struct Wrapped<S> {
    /// What the function keeps between calls.
    pub state: S,
    inner: Box<dyn Device>,
    handle: Handle<S>,
    info: Option<DeviceInfo>,
    powers: Option<GivePowers<S>>,
}

impl<S> Wrapped<S> {
    /// A device around this one whose calls are handled by this function.
    pub fn new(
        inner: Box<dyn Device>,
        state: S,
        handle: impl FnMut(&mut S, &mut dyn Device, Call<'_>) -> Result<Observation, DeviceError>
        + Send
        + 'static,
    ) -> Self {
        Wrapped { state, inner, handle: Box::new(handle), info: None, powers: None }
    }

    /// Says something else of itself than the inner device does.
    #[must_use]
    pub fn with_info(mut self, change: impl FnOnce(DeviceInfo) -> DeviceInfo) -> Self {
        self.info = Some(change(self.info().clone()));
        self
    }

    /// Has these powers in the place of the inner device's: most often those of the state.
    #[must_use]
    pub fn with_powers(mut self, powers: GivePowers<S>) -> Self {
        self.powers = Some(powers);
        self
    }

    fn info(&self) -> &DeviceInfo {
        self.info.as_ref().unwrap_or_else(|| self.inner.info())
    }
}

impl<S: Send> Device for Wrapped<S> {
    fn info(&self) -> &DeviceInfo {
        Wrapped::info(self)
    }

    fn reset(&mut self, seed: u64) -> Result<Observation, DeviceError> {
        (self.handle)(&mut self.state, self.inner.as_mut(), Call::Reset(seed))
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        (self.handle)(&mut self.state, self.inner.as_mut(), Call::Perform(event))
    }

    fn powers(&mut self) -> Option<&mut dyn Powers> {
        match self.powers {
            Some(powers) => powers(&mut self.state),
            None => self.inner.powers(),
        }
    }
}
