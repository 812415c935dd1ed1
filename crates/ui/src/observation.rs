//! What a device shows after an event, and what went wrong.
//!
//! On its own because it is all that a verdict is made of: what is not in an observation cannot
//! make a run fail.

use crate::{Blocked, Screen, Str};
use std::sync::Arc;
use std::time::Duration;

/// What a device shows once it has settled, and what went wrong on the way.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Observation {
    /// What is displayed now.
    pub screen: Arc<Screen>,
    /// The event could not be performed: nothing was sent, nothing changed.
    pub blocked: Option<Blocked>,
    /// The app crashed no later than now.
    pub crash: Option<Arc<Crash>>,
    /// The app never came to rest; what kept it busy.
    pub unsettled: Option<Str>,
    /// What the app asked for since the observation before, and the device does not have; most
    /// often nothing.
    ///
    /// Never a verdict: the app may be right, and would get what it asked for elsewhere. The run
    /// goes on. Whoever runs it counts these, and tells the user once of each that a result may
    /// depend on.
    pub lacked: Vec<Lack>,
    /// The app's own time since the reset, where the device gives the app its time: the same in
    /// every run that does the same. `None` on a device whose apps live on a real clock.
    pub app_time: Option<Duration>,
}

impl Observation {
    /// The screen of an app that is at rest and well.
    pub fn of(screen: Arc<Screen>) -> Self {
        let (blocked, crash, unsettled, lacked) = (None, None, None, Vec::new());
        Observation { screen, blocked, crash, unsettled, lacked, app_time: None }
    }

    /// The same, but the event was blocked.
    #[must_use]
    pub fn blocked(mut self, reason: Blocked) -> Self {
        self.blocked = Some(reason);
        self
    }

    /// The same, but the app has crashed, if there is a crash.
    #[must_use]
    pub fn crashed(mut self, crash: Option<Arc<Crash>>) -> Self {
        self.crash = crash;
        self
    }
}

/// Something that the app asked for and the device does not have: an origin that is blocked, a
/// service of the system that is missing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lack {
    /// What was asked for, by name: `https://cdn.example.org`, `camera`. Two of the same name are
    /// one.
    pub what: Str,
    /// Why the device does not have it, and what to do about it if something can be done.
    pub reason: Str,
}

/// The report of a crash.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Crash {
    /// What happened, in one line. Two crashes with the same message and place are one.
    pub message: String,
    /// Where it happened: the topmost frame in the app's own code, if known.
    pub place: String,
    /// The whole report, as the platform gives it.
    pub report: String,
}

impl Crash {
    /// A crash of which only the message is known.
    pub fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        Crash { report: message.clone(), message, place: String::new() }
    }

    /// Says where it happened.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place = place.into();
        self.report = format!("{}\n    at {}", self.message, self.place);
        self
    }
}
