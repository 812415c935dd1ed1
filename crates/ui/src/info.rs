//! What a device says of itself: its name, what it can do, and what that costs.
//!
//! On its own because those who decide what to do (generators, policies, the shrinker) read it and
//! need no device for that.

use crate::{DeviceError, Event, Size, Str};
use bitflags::bitflags;
use std::time::Duration;

bitflags! {
    /// The events that not every platform has. A device claims those that it performs; all events
    /// that are not in this list are performed by every device.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct DeviceEvents: u32 {
        /// [`Event::ClickBack`].
        const CLICK_BACK = 1;
        /// [`Event::ClickHome`].
        const CLICK_HOME = 1 << 1;
        /// [`Event::ClickMenu`].
        const CLICK_MENU = 1 << 2;
        /// [`Event::Settings`].
        const SETTINGS = 1 << 3;
        /// [`Event::Rotate`].
        const ROTATE = 1 << 4;
        /// [`Event::Pinch`].
        const PINCH = 1 << 5;
    }
}

impl DeviceEvents {
    /// What a device must claim to perform this event; empty if every device performs it.
    pub fn needed_for(event: &Event) -> Self {
        match event {
            Event::ClickBack => DeviceEvents::CLICK_BACK,
            Event::ClickHome => DeviceEvents::CLICK_HOME,
            Event::ClickMenu => DeviceEvents::CLICK_MENU,
            Event::Settings => DeviceEvents::SETTINGS,
            Event::Rotate => DeviceEvents::ROTATE,
            Event::Pinch(..) => DeviceEvents::PINCH,
            _ => DeviceEvents::empty(),
        }
    }
}

/// What a device is, what it can do, and what that costs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// Its name, as a user would pass it to `--device`.
    pub name: Str,
    /// The size of its screen after a reset.
    pub viewport: Size,
    /// What a reset costs, roughly; zero if the device does not say.
    pub reset_takes: Duration,
    /// What to do if an app keeps something that a reset does not clear; empty if there is nothing.
    pub reset_advice: Str,
    /// What an event costs, roughly; zero if the device does not say.
    pub event_takes: Duration,
    /// The device events that it can perform. What it does not claim is left out wherever it would
    /// only be one event of several: of interrupts, of monkeys, of what an exploration may choose.
    pub device_events: DeviceEvents,
    /// The predicates that it can answer.
    pub predicates: Vec<Str>,
    /// The environment events that it can perform, by name.
    pub environment: Vec<Str>,
    /// The language of the [`Script`](crate::Script)s that it evaluates: `js`, or none.
    pub scripts: Option<Str>,
}

impl DeviceInfo {
    /// A device of this name and viewport that claims all device events and no further powers, and
    /// does not say what its resets and events cost.
    ///
    /// All device events, because that is what a phone has. A driver that forgets to say otherwise
    /// fails the conformance suite; one that claims too little is silently tested less.
    pub fn new(name: impl Into<Str>, viewport: Size) -> Self {
        DeviceInfo {
            name: name.into(),
            viewport,
            reset_takes: Duration::ZERO,
            reset_advice: Str::default(),
            event_takes: Duration::ZERO,
            device_events: DeviceEvents::all(),
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

    /// Says what to do if an app keeps something that a reset does not clear.
    #[must_use]
    pub fn reset_advice(mut self, advice: impl Into<Str>) -> Self {
        self.reset_advice = advice.into();
        self
    }

    /// Says what an event costs.
    #[must_use]
    pub fn event_takes(mut self, cost: Duration) -> Self {
        self.event_takes = cost;
        self
    }

    /// Says which device events the device performs.
    #[must_use]
    pub fn device_events(mut self, events: DeviceEvents) -> Self {
        self.device_events = events;
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

    /// Whether the device claims to perform this event. Of keys only the driver can tell.
    pub fn performs(&self, event: &Event) -> bool {
        match event {
            Event::Environment(environment) => self.environment.contains(&environment.name),
            event => self.device_events.contains(DeviceEvents::needed_for(event)),
        }
    }

    /// An error unless the device claims to perform this event: what every driver's
    /// [`perform`](crate::Device::perform) begins with.
    pub fn require(&self, event: &Event) -> Result<(), DeviceError> {
        if self.performs(event) { Ok(()) } else { Err(self.unknown(event)) }
    }

    /// The one answer to an event that the device does not know.
    pub fn unknown(&self, event: &Event) -> DeviceError {
        self.unsupported(match event {
            Event::Environment(environment) => format!("environment event {}", environment.name),
            Event::Press(key) => format!("key {key}"),
            event => format!("event {}", event.name()),
        })
    }

    /// The one answer to a question or a request for something that the device does not have:
    /// `what` names its kind and its name, as in `predicate isEven`.
    pub fn unsupported(&self, what: impl Into<String>) -> DeviceError {
        DeviceError::Unsupported { device: self.name.clone(), what: what.into() }
    }

    /// How many events cost as much as a reset: what a policy weighs before it starts the app anew.
    /// Ten, if the device does not say what both of them cost; never less than two nor more than a
    /// hundred, so that a rough measurement makes no policy foolish.
    pub fn reset_in_events(&self) -> f64 {
        const UNKNOWN: f64 = 10.0;
        if self.reset_takes.is_zero() || self.event_takes.is_zero() {
            return UNKNOWN;
        }
        (self.reset_takes.as_secs_f64() / self.event_takes.as_secs_f64()).clamp(2.0, 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Environment;

    fn info() -> DeviceInfo {
        DeviceInfo::new("desk", Size::new(10, 10))
    }

    #[test]
    fn an_event_is_performed_unless_it_needs_a_claim_that_is_missing() {
        let desk = info().device_events(DeviceEvents::CLICK_BACK).environment(["network"]);
        let environment =
            |name: &str| Event::Environment(Environment { name: name.into(), args: Vec::new() });
        for event in [Event::ClickBack, Event::Skip, environment("network")] {
            assert_eq!(desk.require(&event), Ok(()), "{event}");
        }
        for (event, says) in [
            (Event::Rotate, "desk has no event Rotate"),
            (environment("moon"), "desk has no environment event moon"),
        ] {
            let error = desk.require(&event).map_err(|error| error.to_string());
            assert_eq!(error, Err(says.to_owned()));
            assert!(desk.unknown(&event).is_request());
        }
        assert_eq!(desk.unknown(&Event::Press("F99".into())).to_string(), "desk has no key F99");
        assert!(info().performs(&Event::Rotate), "a device that says nothing claims all");
    }

    #[test]
    fn a_reset_costs_ten_events_unless_the_device_says_otherwise() {
        let millis = Duration::from_millis;
        let ratio = |reset: u64, event: u64| {
            info().reset_takes(millis(reset)).event_takes(millis(event)).reset_in_events()
        };
        assert_eq!([ratio(0, 0), ratio(100, 0), ratio(0, 8)], [10.0; 3]);
        assert_eq!([ratio(100, 8), ratio(8, 100), ratio(10_000, 1)], [12.5, 2.0, 100.0]);
    }
}
