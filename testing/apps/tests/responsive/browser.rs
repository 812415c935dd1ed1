//! The web pages: for each size a browser to record in and one to replay in, for all apps, and a
//! second client of the browser as the person who is recorded.
//!
//! On its own because a page is chosen by writing it to where the devices look for it: a device is
//! opened once, and reset for each app.

use super::{DESK, PHONE, Setting, Stage};
use capuchin::Rules;
use capuchin_apps::responsive::Step;
use capuchin_apps::web_dir;
use capuchin_devtools::Client;
use capuchin_record::{Ending, Origin, RecordedEvent, Recording, Replay, ReplayReport};
use capuchin_ui::{Device, Event, Powers, Recorded, Screen, Script, Size, Value};
use capuchin_web::{Opener, Options, Server, WebDevice};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// How long a recorder is asked to wait, and how often before nobody is expected any more.
const TIMEOUT: Duration = Duration::from_millis(250);
const TRIES: u32 = 40;

/// What the layouts are chosen by, and the opposite.
const NARROW: &str = "(width < 600px)";
const WIDE: &str = "(width >= 600px)";

/// A device for each size, to record on and to replay on.
pub(crate) struct Browser {
    directory: TempDir,
    _server: Server,
    recorders: [WebDevice; 2],
    players: [WebDevice; 2],
}

impl Browser {
    pub(crate) fn open() -> Self {
        let directory = tempfile::tempdir().unwrap();
        for name in ["responsive.css", "compact.css", "responsive.js"] {
            let from = web_dir().join("responsive").join(name);
            std::fs::copy(from, directory.path().join(name)).unwrap();
        }
        std::fs::write(directory.path().join("index.html"), "").unwrap();
        let server = Server::start(directory.path()).unwrap();
        let open = |size: Size, more: &str| {
            let text = format!("{}/index.html viewport={size} scale=1 {more}", server.origin());
            let mut options = Options::parse(&text).unwrap();
            options.scripts = vec![Script {
                name: "done".into(),
                parameters: Vec::new(),
                source: "document.documentElement.dataset.done".into(),
                is_value: true,
            }];
            Opener::new("web:responsive", options).open().unwrap()
        };
        let recorders = [PHONE, DESK].map(|size| open(size, "record debugging-port=0"));
        let players = [PHONE, DESK].map(|size| open(size, ""));
        Browser { directory, _server: server, recorders, players }
    }

    /// Writes the page of an app to where the devices look for it.
    fn show(&self, setting: Setting) {
        let page = std::fs::read_to_string(web_dir().join(setting.app.web_page())).unwrap();
        let page = if setting.is_mirrored { page.replace(NARROW, WIDE) } else { page };
        std::fs::write(self.directory.path().join("index.html"), page).unwrap();
    }
}

fn number(setting: Setting) -> usize {
    usize::from(setting.size == DESK)
}

/// What the page says that was done.
fn done(device: &mut WebDevice) -> Vec<String> {
    let predicates = device.powers().and_then(Powers::predicates).unwrap();
    match predicates.value("done", &[]).unwrap() {
        Some(Value::Text(text)) if text.is_empty() => Vec::new(),
        Some(Value::Text(text)) => text.split(',').map(str::to_owned).collect(),
        other => panic!("{other:?}"),
    }
}

/// What the recorder hands over next.
fn recorded(device: &mut WebDevice, step: Step) -> (Event, Arc<Screen>) {
    for _ in 0..TRIES {
        let recorder = device.powers().and_then(Powers::recorder).unwrap();
        if let Recorded::Event(event, screen) = recorder.recorded(TIMEOUT).unwrap() {
            return (event, screen);
        }
    }
    panic!("{step:?} was not recorded")
}

/// Does a step, as a person would.
fn act(person: &mut Client, step: Step) {
    let at = |person: &mut Client, key: &str| person.middle_of(&format!("[data-key=\"{key}\"]"));
    match step {
        Step::Click(key) | Step::Choose(key, _) => {
            let there = at(person, key);
            person.clicks_at(there, &json!({}));
        }
        Step::NextPage(_) => {
            let there = at(person, "next-page");
            person.clicks_at(there, &json!({}));
        }
        Step::Type(key, text) => {
            // Whoever tabs to a field is there without a click.
            person.asks(&format!("document.querySelector('[data-key={key}]').focus()"));
            person.types(text);
        }
        Step::Scroll(_) => {
            let there = person.middle_of("#list");
            person.mouse("mouseWheel", there, &json!({"deltaX": 0, "deltaY": 320}));
        }
        Step::Back => person.goes_back(),
    }
}

impl Stage for Browser {
    fn record(&mut self, setting: Setting) -> Recording {
        self.show(setting);
        let device = &mut self.recorders[number(setting)];
        let first = device.reset(1).unwrap();
        let mut recording = Recording::new(Origin::new(device.info(), &first.screen, 1));
        let recorder = device.powers().and_then(Powers::recorder).unwrap();
        let mut person = Client::at(&recorder.endpoint().unwrap(), "http");
        for step in setting.app.steps(setting.is_compact()) {
            act(&mut person, *step);
            let (event, screen) = recorded(device, *step);
            let seen = device.perform(&event).unwrap();
            assert_eq!(seen.blocked, None, "{setting:?}: {step:?} is {event}");
            recording.events.push(RecordedEvent::new(event, screen));
            recording.last_screen = Some(seen.screen);
        }
        recording.ending = Ending::Complete;
        assert_eq!(done(device), setting.app.done(), "{setting:?}");
        recording
    }

    fn replay(&mut self, recording: &Recording, setting: Setting) -> (ReplayReport, Vec<String>) {
        self.show(setting);
        let device = &mut self.players[number(setting)];
        let report = Replay::new(recording.clone()).run(device, &Rules::seed(1)).unwrap();
        (report, done(device))
    }
}
