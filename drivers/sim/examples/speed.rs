//! How many steps a second the bare device performs, with a reset after every script:
//! `cargo run --release -p capuchin-sim --example speed`.

#![allow(clippy::print_stdout)]

use capuchin_ui::{DeviceError, Event, Target};
use std::time::Instant;

fn click(id: &str) -> Event {
    Event::Click(Target::id(id))
}

fn typed(id: &str, text: &str) -> Event {
    Event::Type(Target::id(id), text.into())
}

fn measure(name: &str, script: &[Event]) -> Result<(), DeviceError> {
    let Some(mut device) = capuchin_apps::open(name) else { return Ok(()) };
    let (mut steps, mut elements) = (0_u64, 0);
    let begin = Instant::now();
    while steps < 2_000_000 {
        let mut last = device.reset(steps)?;
        for event in script {
            let seen = device.perform(event)?;
            assert!(seen.blocked.is_none(), "{event} is blocked on\n{}", last.screen);
            elements += seen.screen.elements.len();
            last = seen;
        }
        steps += script.len() as u64;
    }
    let rate = steps as f64 / begin.elapsed().as_secs_f64();
    let mean = elements as f64 / steps as f64;
    println!("{name}: {rate:.0} steps a second, {mean:.1} elements on a screen");
    Ok(())
}

fn main() -> Result<(), DeviceError> {
    let sign_in = [click("enter"), typed("username", "test"), typed("password", "1234")];
    let play = [click("signin"), click("play"), Event::Sleep(10), Event::ClickHome, click("stop")];
    measure("music", &[sign_in.as_slice(), play.as_slice()].concat())?;
    let game = [click("plus"), click("clock"), Event::Sleep(1000), click("clock"), Event::Rotate];
    measure("score", &game)?;
    measure("contract", &[click("increment"), click("tick"), Event::ClickHome, Event::Rotate])
}
