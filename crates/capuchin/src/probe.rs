//! A probe: asks an app and its device, without doing anything to it.
//!
//! On its own because a property, a monitor and whoever has a session ask the same questions: what
//! is on the screen is read there, and only what it cannot tell is asked of the device's powers.

use crate::judge;
use crate::step::guarded;
use capuchin_trace::{Expr, Prop};
use capuchin_ui::{
    AppLog, Camera, CodeCoverage, Coverage, Device, DeviceError, DeviceInfo, LogEntry, Picture,
    Powers, Recorded, Screen, Value,
};
use std::sync::Arc;
use std::time::Duration;

/// What is displayed, and the app behind it.
pub struct Probe<'a> {
    pub(crate) screen: &'a Screen,
    pub(crate) device: &'a mut dyn Device,
    /// The screen that somebody acts on, if it was asked for: that of the run may be older.
    pub(crate) recorded_on: Option<Arc<Screen>>,
}

impl<'a> Probe<'a> {
    /// The app on this device, which displays this.
    pub fn new(screen: &'a Screen, device: &'a mut dyn Device) -> Self {
        Probe { screen, device, recorded_on: None }
    }

    /// What is displayed.
    pub fn screen(&self) -> &'a Screen {
        self.screen
    }

    /// What the device is.
    pub fn info(&self) -> &DeviceInfo {
        self.device.info()
    }

    /// Whether a property holds now.
    pub fn holds(&mut self, prop: &Prop) -> Result<bool, DeviceError> {
        judge::holds(prop, self)
    }

    /// The value of an expression, if everything that it reads is on the screen.
    pub fn value(&mut self, expr: &Expr) -> Result<Option<Value>, DeviceError> {
        judge::evaluate(expr, self)
    }

    /// A picture of the screen; `None` where the device takes none.
    pub fn picture(&mut self) -> Result<Option<Picture>, DeviceError> {
        ask(self.device, |powers| powers.camera().map(Camera::picture))
    }

    /// What the app logged since this was last asked, or since the reset.
    pub fn app_log(&mut self) -> Result<Vec<LogEntry>, DeviceError> {
        let entries = ask(self.device, |powers| powers.app_log().map(AppLog::entries));
        entries.map(Option::unwrap_or_default)
    }

    /// What ran of the app's code so far, on this device; `None` where it is not counted.
    pub fn coverage(&mut self) -> Result<Option<CodeCoverage>, DeviceError> {
        coverage(self.device)
    }

    /// How much of the app's code has run for the first time since this was last asked; `None`
    /// where it is not counted.
    pub fn fresh_coverage(&mut self) -> Result<Option<u32>, DeviceError> {
        ask(self.device, |powers| powers.coverage().map(Coverage::fresh))
    }

    /// Waits for what a person or another program does next, for as long as `timeout`. The app has
    /// not seen it: a [pilot](crate::steering::Pilot) that records chooses the event as its next
    /// input, and its screen is then the one before that step.
    pub fn recorded(&mut self, timeout: Duration) -> Result<Recorded, DeviceError> {
        let recorder = |powers: &mut dyn Powers| powers.recorder().map(|it| it.recorded(timeout));
        let Some(recorded) = ask(self.device, recorder)? else {
            return Err(self.device.info().unsupported("recorder"));
        };
        if let Recorded::Event(_, screen) = &recorded {
            self.recorded_on = Some(Arc::clone(screen));
        }
        Ok(recorded)
    }
}

/// What ran of the app's code so far, on this device; `None` where it is not counted.
pub fn coverage(device: &mut dyn Device) -> Result<Option<CodeCoverage>, DeviceError> {
    ask(device, |powers| powers.coverage().map(Coverage::so_far))
}

/// Asks the powers of a device; `None` where it does not have the one that is asked.
pub(crate) fn ask<T>(
    device: &mut dyn Device,
    question: impl FnOnce(&mut dyn Powers) -> Option<Result<T, DeviceError>>,
) -> Result<Option<T>, DeviceError> {
    guarded(device, |device| device.powers().and_then(question).transpose())
}
