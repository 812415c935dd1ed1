//! Recordings in Chromium: one of ours on another layout, one of Chrome's Recorder panel, and what
//! `capuchin show` converts them to.

use crate::capuchin::{root, run};
use crate::replay::Place;

const PAGE: &str = "web:examples/notes.html viewport=1280x900";
const RECORDING: &str = "examples/notes.capr";
/// Every type of step and selector that the documentation of the panel has.
const RECORDER: &str = "crates/cli/tests/it/web/replays/recorder.json";
const STEPS: &str = "web:crates/cli/tests/it/web/replays/steps.html";

#[test]
fn what_was_recorded_on_a_desktop_is_replayed_on_a_phone_and_runs_there_by_itself() {
    let place = Place::new();
    let written = place.path("phone.capr");
    let goal = "hasText(#title, \"Archive\") /\\ hasText(#status, \"3 notes\")";
    place
        .replay(RECORDING, &["--viewport", "411x731", "--goal", goal, "--write", &written])
        .expect(
            0,
            &[
                "on web:examples/notes.html viewport=411x731",
                "Type(#note, \"Call Ada\")  performed",
                "revealed by ",
                "Click(#more)",
                "succeeded 5 of 5 key events in 2 replays that agree",
                "2 revealed; 2 more events to reveal receivers",
                "held",
                "wrote 7 events",
            ],
        );
    let ran = place.replay(&written, &["--goal", goal]);
    ran.expect(0, &["viewport=411x731", "7 performed", "held"]);
    // And back again: what only opens the way on a phone is left out on a desktop.
    let back = place.replay(&written, &["--viewport", "1280x900", "--goal", goal, "--pictures"]);
    back.expect(0, &["Click(#more)  dropped", "1 healed, 2 dropped", "held"]);
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("data:image/jpeg") || page.contains("data:image/png"), "photographs");
}

#[test]
fn every_step_of_the_recorder_panel_is_replayed_or_said_to_be_left_out() {
    let place = Place::new();
    let log = "name=Ada L size=l pop twice shadow framed far context offline online";
    let goal = format!("hasText(#log, {log:?})");
    let ran =
        place.replay(RECORDER, &["--device", STEPS, "--viewport", "900x700", "--goal", &goal]);
    ran.expect(
        0,
        &[
            "assert isDisplayed(#name)  held",
            "network(\"off\")  performed",
            "Press(\"Control+a\")  performed",
            "succeeded",
            "held",
        ],
    );
    for left in ["(scroll) is left out", "(waitForExpression) is left", "(customStep) is left out"]
    {
        assert_eq!(ran.stderr.matches(left).count(), 1, "{left}: {}", ran.stderr);
    }
    assert_eq!(ran.stderr.matches("left out").count(), 3, "{}", ran.stderr);
}

#[test]
fn a_name_that_is_merely_like_the_one_in_a_selector_is_refused() {
    let place = Place::new();
    let steps = r##"{"steps": [{"type": "click", "selectors": [["aria/Archive everything"]]}]}"##;
    let file = place.write("like.json", steps);
    let ran = place.replay(&file, &["--device", PAGE]);
    ran.expect(4, &["refused: its receiver is not there", "nothing was replayed"]);
}

#[test]
fn what_a_recording_is_converted_to_works_there() {
    let place = Place::new();
    let converted = |form: &str, name: &str| {
        let path = place.path(name);
        run(["show", RECORDING, "--as", form, "-o", &path]).expect(0, &[]);
        path
    };
    run(["run", &converted("trace", "trace.capu")]).expect(0, &["Succeeded after: Click(#note)"]);
    let properties = converted("properties", "properties.capu");
    let out = place.path("checked");
    run(["check", &properties, "-n", "2", "--seed", "1", "-o", &out]).expect(0, &["held"]);
    // Back from the panel's format: the same events, but it does not say that a field was empty.
    let json = converted("recorder", "recorder.json");
    let [ours, theirs] = [RECORDING, &json].map(|file| {
        let ran = run(["show", file]);
        let events = ran.stdout.lines().skip(1).map(|line| line[6..].replace("key  ", ""));
        events.collect::<Vec<_>>()
    });
    let is_clear = |line: &&String| line.starts_with("Clear(#note)");
    assert_eq!(theirs.iter().filter(is_clear).count(), 1, "{theirs:?}");
    assert_eq!(ours, theirs.into_iter().filter(|line| !is_clear(&line)).collect::<Vec<_>>());
    place.replay(&json, &["--device", PAGE]).expect(0, &["succeeded 6 of 6 key events"]);
    let script = std::fs::read_to_string(converted("playwright", "script.mjs")).unwrap();
    let expected =
        std::fs::read_to_string(root().join("crates/cli/tests/it/web/replays/notes.mjs.expected"));
    assert_eq!(script, expected.unwrap());
}
