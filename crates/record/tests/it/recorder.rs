//! A person at a simulated device is recorded: events, screens, marks, assertions, on disk as well.

use capuchin::prelude::*;
use capuchin::steering::PilotPool;
use capuchin::ui::{Crash, DeviceError, Event, Rng, Selector, Target};
use capuchin::{Rules, execute};
use capuchin_record::{Ending, RECORDING, Recording, RecordingLog};
use capuchin_sim::{App, Input, Os, Page, SimDevice, numbered};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Counter {
    count: i64,
}

impl App for Counter {
    fn view(&self, page: &mut Page<'_>) {
        page.place("counter");
        page.label("count", numbered("", self.count));
        page.button("more", "More");
        page.field("note", "Note", "");
    }

    fn handle(&mut self, input: Input<'_>, _: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Click("more") if self.count == 2 => Err(Crash::new("it cannot count to 3")),
            Input::Click("more") => {
                self.count += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// A file that stays readable while somebody writes to it.
#[derive(Clone, Default)]
struct SharedFile(Arc<Mutex<Vec<u8>>>);

impl Write for SharedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn click(id: &str) -> Event {
    Event::Click(Target::id(id))
}

fn record(log: &RecordingLog, events: Vec<Event>) -> Result<(), DeviceError> {
    let mut device = SimDevice::new("sim:counter", Counter::default()).person(events);
    let pilots = PilotPool::new(Arc::new(log.clone()));
    let mut rules = Rules::seed(7);
    rules.pilots = Some(&pilots);
    let trace = auto(RECORDING, u32::MAX).sample(Rng::new(1)).to_trace();
    execute(&trace, &mut device, &rules).map(|_| ())
}

#[test]
fn each_event_is_there_with_the_screen_before_the_app_consumed_it() {
    let file = SharedFile::default();
    let (heard, marks) = (SharedFile::default(), RecordingLog::new());
    let (mut told, marking) = (heard.clone(), marks.clone());
    let log = marks.written_to(file.clone()).on_recorded(move |index, recorded| {
        writeln!(told, "{index} {}", recorded.event).unwrap();
    });
    record(&log, vec![click("more"), Event::Type(Target::id("note"), "a".into()), click("more")])
        .unwrap();
    marking.mark_key(2, true);
    let recording = log.recording();
    assert_eq!(recording.ending, Ending::Complete);
    let origin = &recording.origin;
    assert_eq!((&*origin.app, &*origin.device, origin.seed), ("counter", "sim:counter", 7));
    let counts: Vec<_> =
        recording.events.iter().map(|e| e.screen.elements[0].text.clone()).collect();
    assert_eq!(counts, ["0", "1", "1"]);
    let receivers: Vec<_> =
        recording.events.iter().map(|e| e.receiver().unwrap().id.clone()).collect();
    assert_eq!(receivers, ["more", "note", "more"]);
    assert_eq!(recording.last_screen.as_ref().unwrap().elements[0].text, "2");
    assert_eq!(
        String::from_utf8(heard.0.lock().unwrap().clone()).unwrap(),
        "0 Click(#more)\n1 Type(#note, \"a\")\n2 Click(#more)\n"
    );
    let read = Recording::read(&file.0.lock().unwrap()).unwrap();
    assert_eq!(read.events[..2], recording.events[..2]);
    assert!(recording.events[2].is_key);
}

#[test]
fn who_is_told_of_an_event_may_ask_and_stop_the_log() {
    let log = RecordingLog::new().written_to(SharedFile::default());
    let asked = log.clone();
    let log = log.on_recorded(move |index, _| {
        assert_eq!(asked.mark_last(), Some(index));
        assert_eq!(asked.recording().events.len(), index + 1);
        assert!(asked.size().1 > 0);
        if index == 1 {
            asked.stop();
        }
    });
    record(&log, vec![click("more"), click("note")]).unwrap();
    let keys: Vec<bool> = log.recording().events.iter().map(|event| event.is_key).collect();
    assert_eq!(keys, [true, true]);
}

#[test]
fn what_was_recorded_before_a_crash_is_there() {
    let file = SharedFile::default();
    let log = RecordingLog::new().of_app("the counter").written_to(file.clone());
    record(&log, vec![click("more"), click("more"), click("more"), click("more")]).unwrap();
    let read = Recording::read(&file.0.lock().unwrap()).unwrap();
    assert_eq!(read.events.len(), 3, "the third click crashes it");
    assert_eq!((&*read.origin.app, read.ending), ("the counter", Ending::Complete));
}

#[test]
fn a_full_disk_ends_the_file_and_not_the_recording() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("no space left"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let log = RecordingLog::new().written_to(Full);
    record(&log, vec![click("more")]).unwrap();
    assert_eq!(log.error().unwrap().to_string(), "no space left");
    assert_eq!(log.recording().events.len(), 1);
}

#[test]
fn only_what_holds_is_asserted() {
    let log = RecordingLog::new();
    let (asking, said) = (log.clone(), SharedFile::default());
    let told = said.clone();
    let log = log.on_recorded(move |index, _| {
        if index > 0 {
            return;
        }
        // It is asked on the screen after this event, on which the count is 1.
        for count in ["1", "2"] {
            let mut told = told.clone();
            asking.assert_if_it_holds(has_text(Selector::id("count"), count), move |holds| {
                writeln!(told, "{count} {holds}").unwrap();
            });
        }
    });
    record(&log, vec![click("more"), click("more")]).unwrap();
    assert_eq!(String::from_utf8(said.0.lock().unwrap().clone()).unwrap(), "1 true\n2 false\n");
    let recording = log.recording();
    let asserted: Vec<_> =
        recording.assertions.iter().map(|it| (it.after, it.property.to_string())).collect();
    assert_eq!(asserted, [(1, "hasText(#count, \"1\")".to_owned())]);
}
