//! What a scenario's steps came to on one device, as a recording, with the names of its key events.
//!
//! On its own because the names are the benchmark's: the replay is given the recording without
//! them.

use super::scenarios::{Scenario, Step};
use super::stage::Stage;
use super::steps;
use anyhow::{Context, Result, bail};
use capuchin::ui::{Device, Screen};
use capuchin_record::{Origin, Recording};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The seed of every reset: the apps are to be the same each time.
pub(super) const SEED: u64 = 1;

/// The elements of a screen that are the true counterparts of each key event.
type Counterparts = BTreeMap<String, Vec<usize>>;

/// A recording, and of each of its events which step it belongs to.
pub(super) struct Recorded<'a> {
    pub(super) recording: Recording,
    pub(super) steps: &'a [Step],
    /// For each event, its step.
    pub(super) step_of: Vec<usize>,
    /// For each event, whether it is the key event of its step.
    is_key: Vec<bool>,
    /// How many of its events the recorder handed over; the others were performed directly.
    pub(super) through_recorder: usize,
    /// On each screen before a step and on the last one, where the true counterparts are.
    pub(super) truths: Vec<(Arc<Screen>, Counterparts)>,
}

impl Recorded<'_> {
    /// The name of an event, if it is a key event.
    pub(super) fn key(&self, event: usize) -> Option<&str> {
        let step = self.steps.get(*self.step_of.get(event)?)?;
        let is_key = step.key && *self.is_key.get(event)?;
        is_key.then(|| step.k.as_deref().unwrap_or_default())
    }
}

/// Performs the steps of a layout and records them: a person does, whom the recorder listens to, or
/// the device does. An error says which step could not be done.
pub(super) fn record<'a>(
    stage: &mut Stage<'_>,
    scenario: &'a Scenario,
    layout: &str,
    by_person: bool,
) -> Result<Recorded<'a>> {
    let steps = scenario.steps(layout)?;
    let first = stage.reset(SEED)?;
    if stage.reaches_goal()? {
        bail!("the goal is reached before anything has been done");
    }
    if by_person {
        stage.invite()?;
    }
    let mut through_recorder = 0;
    let mut recording = Recording::new(Origin::new(stage.info(), &first.screen, SEED));
    let mut step_of = Vec::new();
    let mut truths = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        truths.push((Arc::clone(&stage.screen), stage.truths_on_screen()?));
        let before = recording.events.len();
        let is_heard = steps::perform(stage, step, &mut recording.events)
            .with_context(|| format!("step {} ({step})", number + 1))?;
        if is_heard {
            through_recorder += recording.events.len() - before;
        }
        step_of.resize(recording.events.len(), number);
    }
    if !stage.reaches_goal()? {
        bail!("the goal is not reached when all steps have been done");
    }
    truths.push((Arc::clone(&stage.screen), stage.truths_on_screen()?));
    recording.last_screen = Some(Arc::clone(&stage.screen));
    recording.ending = capuchin_record::Ending::Complete;
    // Which events are key events is for the replay to find out.
    let events = recording.events.iter_mut();
    let is_key = events.map(|event| std::mem::take(&mut event.is_key)).collect();
    Ok(Recorded { recording, steps, step_of, is_key, through_recorder, truths })
}
