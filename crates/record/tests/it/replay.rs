//! Replays on simulated apps that restructure: in both directions, for each pattern, and on the
//! device that was recorded.

use capuchin::prelude::*;
use capuchin::steering::PilotPool;
use capuchin::ui::{Event, Rng, Screen, Selector, Size, Target};
use capuchin::{Finding, Monitors, Rules, each_step};
use capuchin_apps::responsive::{ResponsiveApp as Sample, Step};
use capuchin_record::{
    Decision, FailureCause, RECORDING, RecordedEvent, Recording, RecordingLog, Replay,
    ReplayOptions, ReplayReport, UndoOutcome, WayFinder, key_events, leave_one_out,
};
use std::sync::Arc;

pub(crate) const PHONE: Size = Size::new(411, 731);
pub(crate) const DESK: Size = Size::new(1280, 900);

pub(crate) fn record(sample: Sample, viewport: Size) -> Recording {
    let steps = sample.steps(viewport == PHONE);
    let count = steps.len();
    let mut device = sample.device(viewport).person(steps.iter().map(|step| step.event()));
    let log = RecordingLog::new();
    let pilots = PilotPool::new(Arc::new(log.clone()));
    let mut rules = Rules::seed(1);
    rules.pilots = Some(&pilots);
    let trace = auto(RECORDING, u32::MAX).sample(Rng::new(1)).to_trace();
    let execution = capuchin::execute(&trace, &mut device, &rules).expect("sim works");
    assert_eq!(execution.executed.len(), count, "{sample:?} on {viewport}: a step is blocked");
    assert_eq!(device.app().done(), sample.done(), "{sample:?} on {viewport}");
    let mut recording = log.recording();
    // A click that chooses what is shown looks like one that only opens the way.
    if matches!(sample, Sample::Split | Sample::Sections) {
        for (event, step) in recording.events.iter_mut().zip(steps) {
            event.is_key = !matches!(step, Step::Back | Step::Click("up"));
        }
    }
    recording
}

fn told(report: &ReplayReport, recording: &Recording) -> String {
    let mut text = String::new();
    for event in &report.events {
        let recorded = &recording.events[event.index].event;
        text += &format!("{recorded}: {}", event.decision);
        for extra in &event.extra {
            text += &format!(
                " [{}{} {}]",
                if extra.is_undo { "undo " } else { "" },
                extra.pattern,
                extra.event
            );
        }
        text += &format!(" {:?} fit {:.2?} key {}\n", event.undo, event.fit, event.is_key);
    }
    text
}

fn replay(sample: Sample, from: Size, to: Size) -> ReplayReport {
    let recording = record(sample, from);
    let replay = Replay::new(recording.clone());
    let mut device = sample.device(to);
    let report = replay.run(&mut device, &Rules::seed(1)).expect("sim works");
    let told = told(&report, &recording);
    assert_eq!(device.app().done(), sample.done(), "{sample:?} from {from} to {to}:\n{told}");
    assert!(report.succeeded(), "{sample:?} from {from} to {to}:\n{told}");
    let again = replay.run(&mut device, &Rules::seed(1)).expect("sim works");
    assert!(report.agrees_with(&again), "{sample:?} from {from} to {to}");
    report
}

/// Both directions, and both devices with themselves.
fn check(sample: Sample, pattern: &str) {
    for viewport in [PHONE, DESK] {
        let report = replay(sample, viewport, viewport);
        assert_eq!(report.extra_events(), (0, 0), "{sample:?} on {viewport}");
    }
    replay(sample, PHONE, DESK);
    let report = replay(sample, DESK, PHONE);
    let told = told(&report, &record(sample, DESK));
    assert!(told.contains(&format!("[{pattern} ")), "{sample:?} without {pattern}:\n{told}");
}

/// Replays what was recorded of one app on another device, whatever comes of it.
fn replayed(recording: Recording, device: &mut dyn Device) -> ReplayReport {
    Replay::new(recording).run(device, &Rules::seed(1)).expect("sim works")
}

#[test]
fn a_sidebar_that_is_a_drawer() {
    check(Sample::Drawer, "menu");
    check(Sample::UnnamedDrawer, "toggle");
}

#[test]
fn a_toolbar_whose_rest_is_in_an_overflow_menu() {
    check(Sample::Overflow, "options");
}

#[test]
fn groups_that_are_an_accordion() {
    check(Sample::Accordion, "expand");
}

#[test]
fn a_field_behind_an_icon() {
    check(Sample::SearchIcon, "expand described");
}

#[test]
fn a_list_that_is_longer_than_the_screen() {
    check(Sample::LongList, "scroll");
}

#[test]
fn tabs_that_are_a_drop_down_list() {
    check(Sample::TabList, "tab");
}

#[test]
fn panels_that_are_tabs() {
    check(Sample::Panels, "tab around");
}

#[test]
fn pages_that_are_a_pager() {
    check(Sample::Pager, "pager");
}

#[test]
fn a_panel_that_is_pulled_out() {
    check(Sample::Calculator, "pager child");
}

#[test]
fn a_list_beside_its_detail() {
    check(Sample::Split, "detail to list");
}

#[test]
fn sections_that_are_a_level_up() {
    check(Sample::Sections, "navigate up");
}

#[test]
fn what_the_recording_of_another_app_asks_for_is_refused_and_the_screen_comes_back() {
    let recording = record(Sample::Calculator, DESK);
    let mut drawer = Sample::Drawer.device(PHONE);
    let report = replayed(recording.clone(), &mut drawer);
    assert!(drawer.app().done().is_empty(), "{}", told(&report, &recording));
    assert!(!report.succeeded());
    assert_eq!(report.refused(), recording.events.len());
    for event in &report.events {
        assert_ne!(event.undo, UndoOutcome::Failed, "{}", told(&report, &recording));
    }
    assert_eq!(report.last_screen.map(|screen| screen.elements.len()), Some(3), "it is closed");
    let cause = Replay::new(recording.clone());
    assert!(
        cause.run(&mut drawer, &Rules::seed(1)).expect("sim works").cause(&recording).is_some()
    );
}

#[test]
fn a_receiver_that_never_existed_is_refused_and_the_rest_is_replayed() {
    let mut recording = record(Sample::Overflow, DESK);
    let event = &mut recording.events[1];
    let mut screen = Screen::clone(&event.screen);
    let ghost = &mut screen.elements[event.receiver.expect("it has one")];
    (ghost.id, ghost.text) = ("do-frobnicate".into(), "Frobnicate".into());
    event.screen = Arc::new(screen);
    let mut overflow = Sample::Overflow.device(PHONE);
    let report = replayed(recording.clone(), &mut overflow);
    let told = told(&report, &recording);
    assert_eq!(overflow.app().done(), ["save", "share"], "{told}");
    assert!(matches!(report.events[1].decision, Decision::Refused { .. }), "{told}");
    assert_eq!(report.events[1].undo, UndoOutcome::CameBack, "the menu was opened in vain: {told}");
    let mut seen = Vec::new();
    for extra in report.events[1].extra.iter().filter(|extra| !extra.is_undo) {
        assert!(!seen.contains(&&extra.event), "tried twice: {told}");
        seen.push(&extra.event);
    }
}

#[test]
fn a_screen_that_does_not_come_back_is_reported_and_the_replay_goes_on() {
    let mut recording = record(Sample::StuckDrawer, DESK);
    let mut screen = Screen::clone(&recording.events[0].screen);
    let ghost = &mut screen.elements[recording.events[0].receiver.expect("it has one")];
    (ghost.id, ghost.text) = ("do-frobnicate".into(), "Frobnicate".into());
    recording.events[0].screen = Arc::new(screen);
    let mut stuck = Sample::StuckDrawer.device(PHONE);
    let report = replayed(recording.clone(), &mut stuck);
    let told = told(&report, &recording);
    assert_eq!(report.events[0].undo, UndoOutcome::Failed, "{told}");
    assert_eq!(stuck.app().done(), ["archive"], "what is in the drawer is at hand now: {told}");
}

#[test]
fn a_drawer_that_stayed_open_is_dismissed() {
    let recording = record(Sample::Drawer, PHONE);
    let mut device = Sample::Drawer.device(PHONE);
    // The toggle is clicked, and then something behind the drawer is asked for.
    let mut events = recording.events.clone();
    events.swap(0, 1);
    events[0].is_key = true;
    events[1].is_key = true;
    let report = replayed(Recording { events, ..recording.clone() }, &mut device);
    assert_eq!(device.app().done(), ["compose", "archive"], "{}", told(&report, &recording));
    assert_eq!(report.events[1].decision, Decision::Revealed { patterns: vec!["dismiss"] });
}

#[test]
fn an_event_without_a_receiver_field_is_no_reason_to_stop() {
    let mut recording = record(Sample::Drawer, DESK);
    recording.events.iter_mut().for_each(|event| event.receiver = None);
    let report = replayed(recording, &mut Sample::Drawer.device(PHONE));
    assert_eq!(report.refused(), 2, "{report:?}");
}

#[test]
fn marked_key_events_are_those_that_count() {
    let mut recording = record(Sample::Drawer, PHONE);
    let options = ReplayOptions::default();
    assert_eq!(key_events(&recording, &options), [true, false, true], "the toggle opens the way");
    recording.events[0].is_key = true;
    assert_eq!(key_events(&recording, &options), [true, false, false]);
}

#[test]
fn a_goal_and_monitors_watch_a_replay() {
    let recording = record(Sample::Drawer, DESK);
    let goal = |text: &str| is_displayed(Selector::text(text));
    for (text, is_reached) in [("Compose", true), ("Nothing like it", false)] {
        let replay = Replay::new(recording.clone()).goal(goal(text));
        let report = replay.run(&mut Sample::Drawer.device(PHONE), &Rules::seed(1));
        let report = report.expect("sim works");
        assert_eq!((report.goal, report.succeeded()), (Some(is_reached), is_reached));
    }
    let monitor: Arc<dyn Monitors> = Arc::new(each_step("no drawer", |step, _| {
        let is_open = step.after.screen.first(&Selector::id("drawer")).is_some();
        Ok(is_open.then(|| Finding::new("the drawer is open")))
    }));
    let mut rules = Rules::seed(1);
    rules.monitors = std::slice::from_ref(&monitor);
    let replay = Replay::new(recording.clone());
    let report = replay.run(&mut Sample::Drawer.device(PHONE), &rules).expect("sim works");
    assert!(!report.succeeded());
    assert_eq!(report.events[1].decision, Decision::NotReached);
    assert_eq!(report.cause(&recording), Some(FailureCause::AppBug));
}

#[test]
fn a_model_is_asked_for_the_way_first() {
    struct KnowsTheWay;
    impl WayFinder for KnowsTheWay {
        fn way(&self, _: &Screen, _: &RecordedEvent) -> Vec<Event> {
            vec![Event::Click(Target::id("b2"))]
        }
    }
    let mut options = ReplayOptions::default();
    options.way_finder = Some(Arc::new(KnowsTheWay));
    let recording = record(Sample::UnnamedDrawer, DESK);
    let replay = Replay::with(recording, options);
    let report = replay.run(&mut Sample::UnnamedDrawer.device(PHONE), &Rules::seed(1));
    let report = report.expect("sim works");
    let revealed = Decision::Revealed { patterns: vec!["model"] };
    assert_eq!((&report.events[1].decision, report.succeeded()), (&revealed, true));
}

#[test]
fn segments_are_found_again_when_a_view_is_gone() {
    let (mut right, mut of) = (0, 0);
    for sample in
        [Sample::Drawer, Sample::Overflow, Sample::TabList, Sample::Split, Sample::Calculator]
    {
        for viewport in [PHONE, DESK] {
            for event in record(sample, viewport).events {
                let (found, views) = leave_one_out(&event.screen, &ReplayOptions::default());
                (right, of) = (right + found, of + views);
            }
        }
    }
    assert!(of > 60 && right * 100 >= of * 95, "{right} of {of}");
}
