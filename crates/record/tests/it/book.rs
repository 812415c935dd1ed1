//! The example of the book.

use crate::replay::record;
use crate::replay::{DESK, PHONE};
use capuchin::Rules;
use capuchin::ui::{Device, DeviceError};
use capuchin_apps::responsive::ResponsiveApp as Sample;
use capuchin_record::{Recording, Replay};

/// What was recorded elsewhere works on this device, twice in the same way.
fn works_here(recording: Recording, device: &mut dyn Device) -> Result<(), DeviceError> {
    let replay = Replay::new(recording);
    let first = replay.run(device, &Rules::seed(1))?;
    let second = replay.run(device, &Rules::seed(1))?;
    assert!(first.succeeded(), "{:?}: {:#?}", first.cause(replay.recording()), first.events);
    assert!(first.agrees_with(&second));
    Ok(())
}

#[test]
fn a_recording_of_a_desktop_works_on_a_phone() {
    let recording = record(Sample::Drawer, DESK);
    works_here(recording, &mut Sample::Drawer.device(PHONE)).expect("sim works");
}
