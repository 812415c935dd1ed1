//! What runs of an app's code is counted, in Chromium: of a page of which every number is known by
//! heart.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use capuchin_ui::{CodeCoverage, Device, Event, FileCoverage, Powers, Target};
use capuchin_web::{Opener, Options, WebDevice};

fn opener() -> Opener {
    let page =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../testing/apps/web/driver/covered/index.html");
    Opener::new("web:covered", Options::parse(&format!("{page} coverage")).unwrap())
}

fn click(device: &mut WebDevice, id: &str) {
    let seen = device.perform(&Event::Click(Target::id(id))).unwrap();
    assert_eq!(seen.blocked, None, "{id}: {}", seen.screen);
    assert_eq!(seen.crash, None, "{id}");
}

fn fresh(device: &mut WebDevice) -> u32 {
    device.powers().and_then(Powers::coverage).unwrap().fresh().unwrap()
}

fn so_far(device: &mut WebDevice) -> CodeCoverage {
    device.powers().and_then(Powers::coverage).unwrap().so_far().unwrap()
}

fn hits(file: &FileCoverage, name: &str) -> u64 {
    file.functions.values().find(|function| function.name == name).unwrap().hits
}

/// How often each branch was taken, by the lines where it begins and ends.
fn branches(file: &FileCoverage) -> Vec<(u32, u32, u64)> {
    file.branches.iter().map(|(span, hits)| (span.from.line, span.to.line, *hits)).collect()
}

fn lines_not_run(file: &FileCoverage) -> Vec<u32> {
    file.lines.iter().filter(|(_, hits)| **hits == 0).map(|(line, _)| *line).collect()
}

#[test]
fn the_numbers_are_those_of_the_page() {
    let mut device = opener().open().unwrap();
    device.reset(1).unwrap();
    // All of the file but its functions.
    assert_eq!(fresh(&mut device), 1);
    click(&mut device, "add");
    // `add`, `one` and `show`.
    assert_eq!(fresh(&mut device), 3);
    click(&mut device, "add");
    // The other branch, and `many`.
    assert_eq!(fresh(&mut device), 2);
    click(&mut device, "add");
    assert_eq!(fresh(&mut device), 0);
    device.reset(2).unwrap();
    click(&mut device, "add");
    assert_eq!(fresh(&mut device), 0, "what ran before the reset is not new");

    let all = so_far(&mut device);
    assert_eq!(all.files.keys().collect::<Vec<_>>(), ["app.js"]);
    let app = &all.files["app.js"];
    assert_eq!(app.loads, 1);
    assert_eq!(hits(app, "add"), 1);
    assert_eq!(hits(app, "many"), 1);
    assert_eq!(hits(app, "show"), 1);
    assert_eq!(hits(app, "never"), 0);
    assert_eq!(all.functions().to_string(), "4 of 6");
    assert_eq!(branches(app), [(5, 7, 1), (7, 9, 1)]);
    assert_eq!(all.branches().to_string(), "2 of 2");
    assert_eq!(lines_not_run(app), [20, 21, 22]);
    assert_eq!(all.lines().total, 23);
}

#[test]
fn what_ran_in_a_document_that_is_left_is_not_lost() {
    let mut device = opener().open().unwrap();
    device.reset(1).unwrap();
    click(&mut device, "add");
    click(&mut device, "add");
    // Nobody asked before the document went, for another one or for itself.
    click(&mut device, "next");
    click(&mut device, "back");
    assert!(fresh(&mut device) > 0);
    click(&mut device, "add");
    assert_eq!(fresh(&mut device), 0);
    let all = so_far(&mut device);
    assert_eq!(hits(&all.files["app.js"], "many"), 1);
}

#[test]
fn windows_that_the_app_opens_are_counted() {
    let mut device = opener().open().unwrap();
    device.reset(1).unwrap();
    click(&mut device, "open");
    // A reset closes it, and the counting goes on.
    device.reset(2).unwrap();
    fresh(&mut device);
    click(&mut device, "open");
    click(&mut device, "answer");
    assert!(fresh(&mut device) > 0);
    click(&mut device, "close");
    // It goes on when such a window has closed itself, too.
    click(&mut device, "add");
    assert_eq!(fresh(&mut device), 3, "`many`, the branch to it, and what closes the window");
    let all = so_far(&mut device);
    assert_eq!(hits(&all.files["popup.js"], "answer"), 1);
    assert_eq!(hits(&all.files["app.js"], "many"), 1);
}

#[test]
fn what_ran_on_two_devices_adds_up() {
    let opener = opener();
    let (mut one, mut two) = (opener.open().unwrap(), opener.open().unwrap());
    for device in [&mut one, &mut two] {
        device.reset(1).unwrap();
        click(device, "add");
    }
    // Of branches that ran equally often between two takes, V8 makes one.
    fresh(&mut two);
    click(&mut two, "add");
    let mut all = so_far(&mut one);
    assert_eq!(all.functions().to_string(), "3 of 6");
    all.merge(&so_far(&mut two));
    assert_eq!(all.functions().to_string(), "4 of 6");
    // On both of them, on one of them.
    assert_eq!(hits(&all.files["app.js"], "add"), 2);
    assert_eq!(hits(&all.files["app.js"], "many"), 1);
}

#[test]
fn nothing_is_counted_unless_somebody_wants_it() {
    let page =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../testing/apps/web/driver/covered/index.html");
    let mut device = Opener::new("web:covered", Options::parse(page).unwrap()).open().unwrap();
    assert!(device.powers().and_then(Powers::coverage).is_none());
}
