//! `capuchin replay` on simulated apps: what it prints, writes and returns, and what it makes of
//! files that are not what they should be. What needs a browser is in `web/replays.rs`.

use crate::capuchin::{Ran, run};
use capuchin::ui::{Event, Rng, Screen, Selector, Target};
use capuchin_record::{Assertion, Ending, Origin, RecordedEvent, Recording};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What somebody did to a simulated app.
pub(crate) fn recorded(app: &str, events: &[&str]) -> Recording {
    let mut device = capuchin_apps::open(app).unwrap();
    let mut screen = device.reset(1).unwrap().screen;
    let mut origin = Origin::new(device.info(), &screen, 1);
    origin.device = format!("sim:{app}").into();
    let mut recording = Recording::new(origin);
    for text in events {
        let event = event(text);
        recording.events.push(RecordedEvent::new(event.clone(), screen));
        screen = device.perform(&event).unwrap().screen;
    }
    recording.last_screen = Some(screen);
    recording.ending = Ending::Complete;
    recording
}

fn event(text: &str) -> Event {
    let trace = capuchin_spec::parse_gen(text).unwrap().sample(Rng::new(0)).to_trace();
    let capuchin::trace::Trace::Event(_, event) = trace else { panic!("{text} is no event") };
    event
}

pub(crate) fn bytes(recording: &Recording) -> Vec<u8> {
    let mut bytes = Vec::new();
    recording.write(&mut bytes).unwrap();
    bytes
}

/// A place for files.
pub(crate) struct Place(tempfile::TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Replays a file, with the run directory `out` in here.
    pub(crate) fn replay(&self, file: &str, more: &[&str]) -> Ran {
        let out = self.path("out");
        run(["replay", file, "-o", &out].iter().chain(more))
    }
}

/// Adds a note in a folder.
const NOTES: [&str; 2] = ["Click(#folder-2)", "ClickBack"];

#[test]
fn on_the_same_device_everything_is_performed_and_reported() {
    let place = Place::new();
    let file = place.write("notes.capr", bytes(&recorded("notes", &NOTES)));
    let ran = place.replay(&file, &[]);
    ran.expect(
        0,
        &[
            "on sim:notes · seed 1",
            "replay 1, recorded on sim:notes",
            "   1  key  Click(#folder-2)  performed",
            "   2  key  ClickBack  performed",
            "replay 2 did the same as replay 1",
            "succeeded 2 of 2 key events in 2 replays that agree",
            "events    2 performed",
            "look at",
        ],
    );
    let page = place.read("out/report.html");
    for text in ["Succeeded in 2 replays that agree", "Replay 1 succeeded", "data:image/svg+xml"] {
        assert!(page.contains(text), "no {text} in the page");
    }
    for loads in ["src=\"http", "href=\"http", "url(", "@import"] {
        assert!(!page.contains(loads), "the page loads something: {loads}");
    }
    let junit = place.read("out/junit.xml");
    assert!(junit.contains("name=\"replay 1\"") && junit.contains("failures=\"0\""), "{junit}");
    // The same comes out of the log again.
    let again = run(["report", &place.path("out")]);
    again.expect(0, &["Click(#folder-2)  performed", "succeeded 2 of 2 key events"]);
    let html = run(["report", &place.path("out"), "--format", "html"]);
    assert!(html.stdout.contains("data:image/svg+xml"), "with its pictures");
}

#[test]
fn the_goal_decides() {
    let place = Place::new();
    let file = place.write("a.capr", bytes(&recorded("notes", &NOTES[..1])));
    let goal = |text: &str| place.replay(&file, &["-q", "--times", "1", "--goal", text]);
    goal("!isDisplayed(#folder-2)").expect(0, &["goal      !isDisplayed(#folder-2): held"]);
    goal("isDisplayed(#folder-2)").expect(
        1,
        &["failed    the goal isDisplayed(#folder-2) does not hold at the end", "does not hold"],
    );
    goal("isDisplayed(").expect(2, &["--goal", "is not closed"]);
    goal("Click(#a)").expect(2, &["--goal"]);
    goal("true :>> Rotate").expect(2, &["is not one property", "isDisplayed(#saved)"]);
}

#[test]
fn what_is_asserted_in_the_recording_is_judged() {
    let place = Place::new();
    let mut recording = recorded("notes", &NOTES);
    let assertion = |after, text: &str| Assertion { after, property: text.into() };
    recording.assertions.push(assertion(0, "isDisplayed(#folder-2)"));
    let file = place.write("a.capr", bytes(&recording));
    place.replay(&file, &[]).expect(0, &["assert isDisplayed(#folder-2)  held"]);
    recording.assertions.push(assertion(1, "isDisplayed(#folder-2)"));
    recording.assertions.push(assertion(2, "no property {{{"));
    let file = place.write("b.capr", bytes(&recording));
    let ran = place.replay(&file, &[]);
    ran.expect(1, &["assert isDisplayed(#folder-2)  does not hold", "does not hold after event 1"]);
    assert!(ran.stderr.contains("`assert no property {{{` is left out"), "{}", ran.stderr);
}

/// The same recording with an element that is called otherwise.
fn renamed(mut recording: Recording, from: &str, to: &str) -> Recording {
    for recorded in &mut recording.events {
        let mut screen = Screen::clone(&recorded.screen);
        let named = screen.elements.iter_mut().filter(|element| element.id == from);
        named.for_each(|element| element.id = to.into());
        if recorded.event.target() == Some(&Target::id(from)) {
            recorded.event = recorded.event.aimed_at(Target::id(to));
        }
        recorded.screen = Arc::new(screen);
    }
    recording
}

#[test]
fn a_healed_event_is_told_counted_and_written_back() {
    let place = Place::new();
    let old = renamed(recorded("notes", &NOTES), "folder-2", "work");
    let file = place.write("old.capr", bytes(&old));
    let healed = place.path("new.capu");
    place.replay(&file, &["--write", &healed]).expect(
        0,
        &[
            "Click(#work) → Click(#folder-2)  healed (fit ",
            "events    1 performed, 1 healed",
            "wrote 2 events; run them as they are: capuchin run",
        ],
    );
    let text = place.read("new.capu");
    assert!(text.contains("Click(#folder-2) :>>") && !text.contains("#work"), "{text}");
    run(["run", &healed]).expect(0, &["Succeeded after: Click(#folder-2) :>> ClickBack"]);
    let recording = place.path("new.capr");
    place.replay(&file, &["-q", "--write", &recording]).expect(0, &["capuchin replay"]);
    place.replay(&recording, &[]).expect(0, &["events    2 performed"]);
    place.replay(&file, &["--write", &file]).expect(2, &["is what is replayed"]);
}

#[test]
fn a_receiver_that_never_existed_is_refused_and_the_rest_is_replayed() {
    let place = Place::new();
    let mut recording = recorded("notes", &NOTES);
    let mut other = recording.events[0].clone();
    let mut screen = Screen::clone(&other.screen);
    let mut element = screen.elements[other.receiver.unwrap()].clone();
    (element.id, element.text) = ("teleport".into(), "Teleport to Mars".into());
    element.bounds.y += 300;
    other.receiver = Some(screen.elements.len());
    screen.elements.push(element);
    other.screen = Arc::new(screen);
    other.event = Event::Click(Target::One(Selector::id("teleport")));
    recording.events.insert(0, other);
    let file = place.write("a.capr", bytes(&recording));
    let written = place.path("healed.capr");
    let ran = place.replay(&file, &["--write", &written]);
    ran.expect(
        1,
        &[
            "Click(#teleport)  refused: its receiver is not there",
            "Click(#folder-2)  performed",
            "failed    event 1, Click(#teleport): refused",
            "1 refused",
        ],
    );
    assert!(ran.stderr.contains("is not written: the replay did not succeed"), "{}", ran.stderr);
    assert!(!Path::new(&written).exists());
    assert!(place.read("out/junit.xml").contains("failures=\"2\""), "one for each replay");
    // Whoever knows that it does not matter says which events do.
    place.replay(&file, &["--key", "2,3"]).expect(0, &["dropped", "succeeded 2 of 2 key events"]);
    place.replay(&file, &["--key", "4"]).expect(2, &["there is no event 4", "from 1 to 3"]);
}

#[test]
fn the_recording_of_another_app_is_said_to_be_that() {
    let place = Place::new();
    let file = place.write("a.capr", bytes(&recorded("notes", &NOTES)));
    for (app, said) in [
        ("sim:calculator", "no event has a counterpart here; if the recording is of another app"),
        ("sim:preferences", "nothing was replayed: "),
    ] {
        let ran = place.replay(&file, &["--device", app]);
        ran.expect(4, &["nothing   nothing was replayed: ", "--device"]);
        ran.expect(4, &[said]);
    }
}

#[test]
fn a_file_that_is_cut_is_replayed_as_far_as_it_goes() {
    let place = Place::new();
    let whole = bytes(&recorded("notes", &NOTES));
    // Somewhere between the first event and the end, whatever the compression.
    let cut = (0..whole.len()).rev().find(|length| {
        Recording::read(&whole[..*length]).is_ok_and(|recording| recording.events.len() == 1)
    });
    let file = place.write("cut.capr", &whole[..cut.unwrap()]);
    let ran = place.replay(&file, &[]);
    ran.expect(0, &["Click(#folder-2)  performed", "succeeded 1 of 1 key event"]);
    assert!(ran.stderr.contains("has no end: whoever recorded it was stopped"), "{}", ran.stderr);
}

#[test]
fn what_is_no_recording_is_told_with_what_to_do() {
    let place = Place::new();
    let origin = bytes(&recorded("notes", &[]));
    for (file, code, said) in [
        (place.write("empty", ""), 2, "the file is empty"),
        (place.write("text", "hello\n"), 2, "not a recording; `capuchin record` makes one"),
        (
            place.write("newer", "capuchin recording 99\n"),
            2,
            "version 99, this release reads up to",
        ),
        (place.write("none.capr", origin), 4, "has no event, so there is nothing to replay"),
        (place.write("a.capu", "Rotate"), 2, "a specification, and not a recording"),
        (place.write("list.json", "{\"a\": 1}"), 2, "has no `steps`"),
        (place.write("broken.json", "{\"steps\": ["), 2, "no JSON"),
        (place.path("missing"), 2, "name a recording"),
        (place.path(""), 2, "name a recording"),
        ("/dev/zero".to_owned(), 2, "not a recording"),
    ] {
        for words in [&["replay", &file, "-q"][..], &["show", &file]] {
            let code = if words[0] == "show" && code == 4 { 0 } else { code };
            let ran = run(words);
            assert_eq!(ran.code, code, "{file}: {ran:#?}");
            assert!(code == 0 || ran.stderr.contains(said), "{file}: {}", ran.stderr);
        }
    }
}

#[test]
fn properties_watch_a_replay_as_they_watch_everything() {
    let place = Place::new();
    let file = place.write("a.capr", bytes(&recorded("notes", &NOTES)));
    let spec = place.write("a.capu", "always \"a folder is open\": isDisplayed(#folder-2)\n");
    let ran = place.replay(&file, &["--spec", &spec]);
    ran.expect(
        1,
        &["a folder is open", "after: Click(#folder-2)", "violated  replay", "not reached"],
    );
    let saved: Vec<PathBuf> = std::fs::read_dir(place.path("out/failures"))
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    let saved = saved.iter().find(|it| it.extension().is_some()).unwrap();
    run(["run", saved.to_str().unwrap()])
        .expect(1, &["Failed always isDisplayed(#folder-2)", "as expected"]);
    let empty = place.write("b.capu", "check a = Rotate");
    let ran = place.replay(&file, &["--spec", &empty]);
    assert!(ran.stderr.contains("has no `always`"), "{}", ran.stderr);
    place.replay(&file, &["--monitor", "nobody"]).expect(2, &["nobody"]);
}

#[test]
fn a_model_proposes_the_way_to_a_receiver() {
    let place = Place::new();
    let mut recording = recorded("preferences", &["Click(#display)", "Click(#fonts)"]);
    // The way there is not recorded.
    recording.events.remove(0);
    let file = place.write("a.capr", bytes(&recording));
    let model = place.path("model");
    run(["explore", "sim:preferences", "--seed", "1", "-n", "400", "-q", "-o", &model]);
    let with = place.replay(&file, &["--model", &model]);
    with.expect(0, &["revealed by model", "model: Click(#display)", "succeeded"]);
    let journal = format!("{model}/model.jsonl");
    place.replay(&file, &["--model", &journal]).expect(0, &["revealed by model"]);
    place.replay(&file, &["--model", &place.path("")]).expect(2, &["--model takes"]);
}

#[test]
fn without_time_nothing_is_replayed() {
    let place = Place::new();
    let file = place.write("a.capr", bytes(&recorded("notes", &NOTES)));
    let ran = place.replay(&file, &["--time", "0s"]);
    assert_eq!(ran.code, 4, "{ran:#?}");
}
