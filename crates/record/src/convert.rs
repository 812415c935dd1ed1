//! A recording as something that other programs and people read, and back.
//!
//! On its own because each of these is a function of a recording: none of them needs a device.

mod devtools;
mod locator;
mod playwright;
mod properties;
mod trace;

pub use devtools::{DevtoolsError, from_devtools};

use crate::{RecordedEvent, Recording, merged};

impl Recording {
    /// A `.capu` file whose trace does what was recorded.
    pub fn to_capu(&self) -> String {
        trace::capu(self)
    }

    /// A `.capu` file that proposes properties, to be edited: what was the same on every screen,
    /// and what each event changed.
    pub fn to_properties(&self) -> String {
        properties::capu(self)
    }

    /// A script for Playwright, for `playwright-core` and Chromium.
    pub fn to_playwright(&self) -> String {
        playwright::script(self)
    }

    /// A recording of the Recorder panel of Chrome's DevTools, as JSON.
    pub fn to_devtools(&self) -> String {
        devtools::json(self)
    }
}

/// The events as people read them, each with the assertions that hold before it; what holds at the
/// end stands with no event.
fn with_assertions(recording: &Recording) -> Vec<(Option<RecordedEvent>, Vec<&str>)> {
    let holds = |range: std::ops::Range<usize>| -> Vec<&str> {
        let within = |after: usize| range.contains(&after);
        let assertions = recording.assertions.iter().filter(|one| within(one.after));
        assertions.map(|assertion| assertion.property.as_str()).collect()
    };
    let mut parts = Vec::new();
    let mut begin = 0;
    // What is asserted in between is not merged away.
    let mut stops: Vec<usize> = recording.assertions.iter().map(|one| one.after).collect();
    stops.push(recording.events.len());
    stops.sort_unstable();
    stops.dedup();
    for stop in stops {
        let events = merged(&recording.events[begin..stop.min(recording.events.len())]);
        parts.extend(events.into_iter().map(|event| (Some(event), Vec::new())));
        parts.push((None, holds(stop..stop + 1)));
        begin = stop.min(recording.events.len());
    }
    parts
}
