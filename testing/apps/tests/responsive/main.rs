//! The apps that restructure, recorded on one layout and replayed on the other: for each responsive
//! pattern, on the simulated device, in a browser, and from the one to the other.
//!
//! The replay is shown neither the ids of the simulated app nor the keys of the page. What the app
//! says that was done is the truth.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod browser;
mod simulated;

use browser::Browser;
use capuchin_apps::responsive::{ResponsiveApp, Step};
use capuchin_record::{Decision, Recording, ReplayOptions, ReplayReport};
use capuchin_ui::Size;

/// Each app, and the pattern that its compact layout needs.
///
/// Whether what expands is in the segment of the receiver or around it is for the segmentation to
/// say: of these two patterns, each stands for both.
const TABLE: [(ResponsiveApp, &str); 14] = [
    (ResponsiveApp::Accordion, "expand around"),
    (ResponsiveApp::Ribbon, "expand"),
    (ResponsiveApp::Labels, "expand"),
    (ResponsiveApp::SearchIcon, "expand described"),
    (ResponsiveApp::LongList, "scroll"),
    (ResponsiveApp::Overflow, "options"),
    (ResponsiveApp::Drawer, "menu"),
    (ResponsiveApp::TabList, "tab"),
    (ResponsiveApp::Panels, "tab around"),
    (ResponsiveApp::Pager, "pager"),
    (ResponsiveApp::Calculator, "pager child"),
    (ResponsiveApp::Split, "detail to list"),
    (ResponsiveApp::Preview, "list to detail"),
    (ResponsiveApp::Sections, "navigate up"),
];

/// Where a click that chooses what is shown cannot be told from one that only opens the way, the
/// person says which events are key events.
const MARKED: [ResponsiveApp; 1] = [ResponsiveApp::Sections];

const PHONE: Size = Size::new(411, 731);
const DESK: Size = Size::new(1280, 900);

/// An app on one layout: on the phone or on the desktop, whichever of them is the compact one.
#[derive(Clone, Copy, Debug)]
struct Setting {
    app: ResponsiveApp,
    size: Size,
    /// Whether the compact layout is the one of the desktop.
    is_mirrored: bool,
}

impl Setting {
    fn is_compact(self) -> bool {
        (self.size == PHONE) != self.is_mirrored
    }

    fn other(self) -> Self {
        Setting { size: if self.size == PHONE { DESK } else { PHONE }, ..self }
    }
}

/// Marks the key events of a recording, where that is needed.
fn marked(mut recording: Recording, setting: Setting) -> Recording {
    if MARKED.contains(&setting.app) {
        let steps = setting.app.steps(setting.is_compact());
        for (event, step) in recording.events.iter_mut().zip(steps) {
            event.is_key = !matches!(step, Step::Back | Step::Click("up"));
        }
    }
    recording
}

/// Both layouts of an app.
fn layouts(app: ResponsiveApp, is_mirrored: bool) -> [Setting; 2] {
    [PHONE, DESK].map(|size| Setting { app, size, is_mirrored })
}

/// Where an app runs.
trait Stage {
    /// What a person does on a layout, recorded.
    fn record(&mut self, setting: Setting) -> Recording;

    /// Replays on a layout; what the app says that was done.
    fn replay(&mut self, recording: &Recording, setting: Setting) -> (ReplayReport, Vec<String>);
}

/// The two ways to expand are one.
fn family(pattern: &str) -> &str {
    pattern.strip_suffix(" around").filter(|first| *first == "expand").unwrap_or(pattern)
}

/// What is wrong with a replay, or nothing.
fn fault(
    stage: &mut dyn Stage,
    recording: &Recording,
    setting: Setting,
    expected: Option<&str>,
) -> Option<String> {
    let (report, done) = stage.replay(recording, setting);
    let (again, _) = stage.replay(recording, setting);
    let mut patterns: Vec<&str> = Vec::new();
    for event in &report.events {
        if let Decision::Revealed { patterns: these } = &event.decision {
            patterns.extend(these);
        }
    }
    patterns.dedup_by_key(|pattern| family(pattern));
    let families = patterns.iter().map(|pattern| family(pattern));
    let is_expected = families.eq(expected.map(family));
    let what = if done != setting.app.done() {
        format!("it did {done:?}")
    } else if !report.succeeded() {
        "a key event was not performed".to_owned()
    } else if !is_expected {
        format!("revealed by {patterns:?}, expected {expected:?}")
    } else if !report.agrees_with(&again) {
        format!("a second replay decided otherwise:{}", story(&again, recording))
    } else {
        return None;
    };
    Some(format!("{what}{}", story(&report, recording)))
}

fn story(report: &ReplayReport, recording: &Recording) -> String {
    let mut text = String::new();
    for event in &report.events {
        let recorded = &recording.events[event.index].event;
        let key = if event.is_key { "key " } else { "" };
        text += &format!("\n    {key}{recorded}: {} {:.2?}", event.decision, event.fit);
        for extra in &event.extra {
            let undo = if extra.is_undo { "undo " } else { "" };
            text += &format!(" [{undo}{} {}]", extra.pattern, extra.event);
        }
    }
    text
}

/// Replays on the other layout and on the same one, and adds what is wrong.
fn check(
    faults: &mut Vec<String>,
    (from, to): (&mut dyn Stage, Option<&mut dyn Stage>),
    setting: Setting,
    pattern: &str,
) {
    let recording = marked(from.record(setting), setting);
    let other = setting.other();
    let expected = other.is_compact().then_some(pattern);
    let found = match to {
        Some(to) => fault(to, &recording, other, expected),
        None => fault(from, &recording, other, expected),
    };
    faults.extend(found.map(|fault| format!("{setting:?}, replayed on the other layout: {fault}")));
}

#[test]
fn every_pattern_on_simulated_apps() {
    let (mut faults, mut stage) = (Vec::new(), simulated::Simulated);
    for (app, pattern) in TABLE {
        for setting in [false, true].into_iter().flat_map(|is_mirrored| layouts(app, is_mirrored)) {
            check(&mut faults, (&mut stage, None), setting, pattern);
            let recording = stage.record(setting);
            let found = fault(&mut stage, &recording, setting, None);
            faults.extend(found.map(|fault| format!("{setting:?}, on itself: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// The pattern of the table is enough, and without any pattern the app is not replayed.
#[test]
fn each_pattern_is_enough_and_none_is_not() {
    for (app, pattern) in TABLE {
        let [phone, desk] = layouts(app, false);
        let recording = simulated::Simulated.record(desk);
        for is_there in [true, false] {
            let mut options = ReplayOptions::default();
            let is_left = |name: &str| is_there && family(name) == family(pattern);
            options.patterns.retain(|pattern| is_left(pattern.name()));
            let (report, done) = simulated::replay_with(options, &recording, phone);
            let told = story(&report, &recording);
            assert_eq!(done == app.done(), is_there, "{app:?} with {pattern}: {is_there}{told}");
            assert_eq!(report.succeeded(), is_there, "{app:?} with {pattern}: {is_there}{told}");
        }
    }
}

#[test]
fn every_pattern_on_web_pages_and_from_one_platform_to_the_other() {
    let (mut faults, mut web) = (Vec::new(), Browser::open());
    let mut sim = simulated::Simulated;
    for (app, pattern) in TABLE {
        for setting in layouts(app, false) {
            let recording = marked(web.record(setting), setting);
            let other = setting.other();
            let expected = other.is_compact().then_some(pattern);
            let mut add = |what: &str, fault: Option<String>| {
                faults.extend(fault.map(|fault| format!("{setting:?}, {what}: {fault}")));
            };
            add("web to web", fault(&mut web, &recording, other, expected));
            add("on itself", fault(&mut web, &recording, setting, None));
            add("web to sim", fault(&mut sim, &recording, other, expected));
            let recording = marked(sim.record(setting), setting);
            add("sim to web", fault(&mut web, &recording, other, expected));
        }
        // The spacious layout on the phone, to the compact one on the desktop.
        let setting = Setting { app, size: PHONE, is_mirrored: true };
        check(&mut faults, (&mut web, None), setting, pattern);
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
