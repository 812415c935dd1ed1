//! How many steps a second the bare device performs: `cargo run --release --example speed`.

#![allow(clippy::print_stdout)]

use capuchin_apps::contract::Contract;
use capuchin_sim::SimDevice;
use capuchin_ui::{Device, DeviceError, Event, Target};
use std::time::Instant;

fn main() -> Result<(), DeviceError> {
    let mut device = SimDevice::new("sim:contract", Contract::default());
    let events = [
        Event::Click(Target::id("increment")),
        Event::Click(Target::id("tick")),
        Event::ClickHome,
        Event::Rotate,
        Event::Sleep(10),
    ];
    let mut last = device.reset(1)?;
    let elements = last.screen.elements.len();
    let steps = 2_000_000;
    let begin = Instant::now();
    for step in 0..steps {
        if step % 20 == 0 {
            last = device.reset(step as u64)?;
        }
        let seen = device.perform(&events[step % events.len()])?;
        assert!(seen.blocked.is_none() && !last.screen.elements.is_empty());
        last = seen;
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!("{elements} elements: {:.0} steps a second", steps as f64 / seconds);
    Ok(())
}
