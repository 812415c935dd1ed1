//! The simulated apps: a person at the device, and a device that shows no ids.
//!
//! On its own because ids are how the app knows its controls, and the replay is not to know them.

use super::{Setting, Stage};
use capuchin::prelude::auto;
use capuchin::steering::PilotPool;
use capuchin::{Rules, execute};
use capuchin_apps::responsive::Responsive;
use capuchin_record::{
    RECORDING, RecordedEvent, Recording, RecordingLog, Replay, ReplayOptions, ReplayReport,
};
use capuchin_sim::SimDevice;
use capuchin_ui::{Device, DeviceError, DeviceInfo, Event, Observation, Rng, Screen, Str, Target};
use std::sync::Arc;

/// The simulated device.
pub(crate) struct Simulated;

fn device(setting: Setting) -> SimDevice<Responsive> {
    Responsive::new(setting.app).mirrored(setting.is_mirrored).device(setting.size)
}

impl Stage for Simulated {
    fn record(&mut self, setting: Setting) -> Recording {
        let steps = setting.app.steps(setting.is_compact());
        let mut device = device(setting).person(steps.iter().map(|step| step.event()));
        let log = RecordingLog::new();
        let pilots = PilotPool::new(Arc::new(log.clone()));
        let mut rules = Rules::seed(1);
        rules.pilots = Some(&pilots);
        let trace = auto(RECORDING, u32::MAX).sample(Rng::new(1)).to_trace();
        execute(&trace, &mut device, &rules).unwrap();
        assert_eq!(device.app().done(), setting.app.done(), "{setting:?}");
        without_ids(log.recording())
    }

    fn replay(&mut self, recording: &Recording, setting: Setting) -> (ReplayReport, Vec<String>) {
        replay_with(ReplayOptions::default(), recording, setting)
    }
}

/// Replays in another way than is usual.
pub(crate) fn replay_with(
    options: ReplayOptions,
    recording: &Recording,
    setting: Setting,
) -> (ReplayReport, Vec<String>) {
    let mut device = WithoutIds(device(setting));
    let replay = Replay::with(recording.clone(), options);
    let report = replay.run(&mut device, &Rules::seed(1)).unwrap();
    (report, device.0.app().done().to_vec())
}

/// The same recording without the ids of the app.
fn without_ids(mut recording: Recording) -> Recording {
    for recorded in &mut recording.events {
        let screen = Arc::new(hidden(&recorded.screen));
        let event = match recorded.receiver {
            Some(index) => recorded.event.aimed_at(Target::One(screen.name_of(index))),
            None => recorded.event.clone(),
        };
        *recorded = RecordedEvent { event, screen, ..recorded.clone() };
    }
    recording
}

fn hidden(screen: &Screen) -> Screen {
    let mut screen = screen.clone();
    screen.elements.iter_mut().for_each(|element| element.id = Str::default());
    screen
}

/// A device that shows no ids.
struct WithoutIds(SimDevice<Responsive>);

impl WithoutIds {
    fn seen(mut seen: Observation) -> Observation {
        seen.screen = Arc::new(hidden(&seen.screen));
        seen
    }
}

impl Device for WithoutIds {
    fn info(&self) -> &DeviceInfo {
        self.0.info()
    }

    fn reset(&mut self, seed: u64) -> Result<Observation, DeviceError> {
        self.0.reset(seed).map(WithoutIds::seen)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.0.perform(event).map(WithoutIds::seen)
    }
}
