//! A recording as something that other programs and people read, and back.
//!
//! On its own because each of these is a function of a recording: none of them needs a device.

mod devtools;
mod dialogs;
mod locator;
mod playwright;
mod properties;
mod trace;

pub use devtools::{DevtoolsError, from_devtools};

use crate::{RecordedEvent, Recording};
use capuchin::ui::Str;

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

    /// What [`to_devtools`](Recording::to_devtools) leaves out, each in a line.
    pub fn left_out_of_devtools(&self) -> Vec<String> {
        devtools::left_out(self)
    }
}

/// The events as people read them, and what is asserted before, between and after them: a part is
/// an event, or the assertions of one place.
fn with_assertions(recording: &Recording) -> Vec<(Option<RecordedEvent>, Vec<Str>)> {
    let Recording { events, assertions, .. } = recording.merged();
    let holds = |after: usize| -> Vec<Str> {
        let here = assertions.iter().filter(|one| one.after == after);
        here.map(|assertion| assertion.property.clone()).collect()
    };
    let mut parts = vec![(None, holds(0))];
    let numbered = events.into_iter().zip(1..);
    parts.extend(
        numbered.flat_map(|(event, after)| [(Some(event), Vec::new()), (None, holds(after))]),
    );
    parts
}
