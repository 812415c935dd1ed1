//! A crash in a bundle is reported where its author wrote it, in Chromium.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use capuchin_ui::{Crash, Device, Event, Target};
use capuchin_web::{Opener, Options, WebDevice};
use std::sync::Arc;

fn open(options: &str) -> WebDevice {
    let page =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../testing/apps/web/driver/mapped/index.html");
    let options = Options::parse(&format!("{page} {options}")).unwrap();
    Opener::new("web:mapped", options).open().unwrap()
}

fn crash(device: &mut WebDevice, clicks: &[&str]) -> Arc<Crash> {
    device.reset(1).unwrap();
    let mut seen = None;
    for id in clicks {
        assert!(seen.is_none(), "it crashed too early");
        seen = device.perform(&Event::Click(Target::id(*id))).unwrap().crash;
    }
    seen.expect("a crash")
}

#[test]
fn a_crash_is_where_the_source_is() {
    // With and without the debugger, which knows the scripts.
    for options in ["", "coverage"] {
        let mut device = open(options);
        for _ in 0..2 {
            let crash = crash(&mut device, &["take", "take", "take"]);
            assert_eq!(crash.message, "RangeError: there are -1 left");
            assert_eq!(crash.place, "take (src/stock.ts:8:13)");
            assert_eq!(
                crash.report,
                "RangeError: there are -1 left\n    \
                 at take (src/stock.ts:8:13)\n    \
                 at src/main.ts:9:59\n\
                 on /index.html"
            );
        }
        let crash = crash(&mut device, &["order"]);
        assert_eq!(crash.message, "unhandled rejection: Error: nobody delivers");
        assert_eq!(crash.place, "order (src/stock.ts:15:11)");
    }
}

#[test]
fn a_page_hangs_where_the_source_is() {
    let mut device = open("hang=500 coverage");
    let crash = crash(&mut device, &["wait"]);
    assert_eq!(crash.message, "the page hangs: no answer for 0.5 s");
    assert!(crash.place.contains("wait (src/stock.ts:"), "{}", crash.place);
    // And the device is as good as new.
    device.reset(2).unwrap();
    let seen = device.perform(&Event::Click(Target::id("take"))).unwrap();
    assert!(seen.crash.is_none() && seen.screen.to_string().contains("1 left"));
}
