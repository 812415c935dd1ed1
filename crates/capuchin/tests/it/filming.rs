//! The film of a failure: what is on it, and that nothing depends on it.

use crate::fake::Fake;
use capuchin::log::{Area, Failure, LogEntryKind, RunEvent};
use capuchin::prelude::*;
use capuchin::ui::{AppLog, Camera, DeviceError, LogEntry, Picture, PictureFormat, Powers};
use capuchin_apps::Wrapped;

/// The camera and the journal of a device.
#[derive(Default)]
struct Witness {
    said: Vec<LogEntry>,
    /// What was performed since the reset.
    performed: Vec<String>,
    /// How often the camera was used.
    pictures: usize,
    camera_is_broken: bool,
    /// Be lost as soon as a picture was taken.
    lost_when_filmed: bool,
}

/// The fake device, with a camera and a journal.
fn witness(state: Witness) -> Wrapped<Witness> {
    let device = Wrapped::new(Box::new(Fake::new()), state, |witness, inner, call| {
        let Some(event) = call.event() else {
            let (kind, text) = (LogEntryKind::Log, "started".into());
            (witness.said, witness.performed) = (vec![LogEntry { kind, text }], Vec::new());
            return call.on(inner);
        };
        if witness.lost_when_filmed && witness.pictures > 0 {
            return Err(DeviceError::Lost { device: "fake".into(), reason: "dazzled".into() });
        }
        let kind = LogEntryKind::FailedRequest;
        witness.said.push(LogEntry { kind, text: format!("{event} 500") });
        let seen = call.on(inner)?;
        if seen.blocked.is_none() {
            witness.performed.push(event.to_string());
        }
        Ok(seen)
    });
    device.with_powers(|witness| Some(witness))
}

impl Powers for Witness {
    fn camera(&mut self) -> Option<&mut dyn Camera> {
        Some(self)
    }

    fn app_log(&mut self) -> Option<&mut dyn AppLog> {
        Some(self)
    }
}

impl Camera for Witness {
    fn picture(&mut self) -> Result<Picture, DeviceError> {
        self.pictures += 1;
        if self.camera_is_broken {
            return Err(DeviceError::NoAnswer { device: "fake".into(), what: "a picture".into() });
        }
        Ok(Picture { format: PictureFormat::Jpeg, bytes: self.performed.concat().into() })
    }
}

impl AppLog for Witness {
    fn entries(&mut self) -> Result<Vec<LogEntry>, DeviceError> {
        Ok(std::mem::take(&mut self.said))
    }
}

/// The only failure that a check of this trace finds, as it is told: what is kept for the rest of
/// the run is without its pictures.
#[track_caller]
fn failure(trace: Gen, device: &mut dyn Device) -> Failure {
    let check = Check::new("a b", trace).cases(3).config(|config| config.film = true);
    let mut told = Vec::new();
    let outcome = check.run_with(device, &mut |event: &RunEvent| {
        if let RunEvent::FailureFound(failure) = event {
            told.push(failure.clone());
        }
    });
    assert_eq!((outcome.failures.len(), told.len()), (1, 1), "{outcome}");
    assert!(outcome.failures[0].film.iter().all(|frame| frame.image.is_none()));
    told.remove(0)
}

fn to_a_crash() -> Gen {
    click(id("a")) >> click(id("crash"))
}

#[test]
fn there_is_a_screen_before_each_event_and_a_last_one() {
    let mut device = witness(Witness::default());
    let failure = failure(click(id("off")).attempt() >> to_a_crash(), &mut device);
    assert_eq!(failure.minimal, "Click(#crash)");
    let [first, last] = failure.film.as_slice() else { panic!("{:?}", failure.film) };
    assert_eq!(first.viewport, (100, 200));
    assert_eq!(first.next.as_deref(), Some("Click(#crash)"));
    assert_eq!(first.target, Some(Area { x: 0, y: 20, width: 100, height: 10 }));
    assert_eq!(first.picture.as_deref(), Some("failures/1-a_b/00.jpg"));
    assert_eq!(first.journal.len(), 1);
    assert_eq!((last.next.as_ref(), last.target), (None, None));
    assert_eq!(last.picture.as_deref(), Some("failures/1-a_b/01.jpg"));
    assert_eq!(last.image.as_ref().unwrap().bytes, b"Click(#crash)");
    assert_eq!(last.journal.len(), 1);
    assert_eq!(last.journal[0].kind, LogEntryKind::FailedRequest);
    assert_eq!(last.journal[0].text, "Click(#crash) 500");
    assert_eq!(device.state.pictures, 2, "no other run is filmed");
}

#[test]
fn a_blocked_event_is_marked_where_it_would_have_gone() {
    let failure = failure(click(id("a")) >> click(id("off")), &mut witness(Witness::default()));
    let [_, last] = failure.film.as_slice() else { panic!("{:?}", failure.film) };
    assert_eq!(last.next.as_deref(), Some("Click(#off)"));
    assert_eq!(last.target, Some(Area { x: 0, y: 50, width: 100, height: 10 }));
}

#[test]
fn a_device_without_a_camera_is_drawn() {
    let mut broken = witness(Witness { camera_is_broken: true, ..Witness::default() });
    let drawn = failure(to_a_crash(), &mut Fake::new());
    let fallback = failure(to_a_crash(), &mut broken);
    assert_eq!(broken.state.pictures, 1, "a camera that fails is not asked again");
    for failure in [drawn, fallback] {
        assert_eq!(failure.film.len(), 2);
        for frame in &failure.film {
            let image = frame.image.as_ref().unwrap();
            assert_eq!(image.format, PictureFormat::Svg);
            assert!(String::from_utf8_lossy(&image.bytes).contains("Button crash"));
        }
    }
}

#[test]
fn nothing_is_filmed_unless_asked_for_or_when_all_holds() {
    let mut device = witness(Witness::default());
    let outcome = Check::new("a", click(id("crash"))).cases(3).run(&mut device).unwrap();
    assert!(outcome.failures[0].film.is_empty());
    let check = Check::new("b", click(id("a"))).cases(3).config(|config| config.film = true);
    check.run(&mut device).unwrap().assert();
    assert_eq!(device.state.pictures, 0);
}

#[test]
fn a_device_that_is_lost_over_the_film_leaves_the_failure_as_it_is() {
    let mut device = witness(Witness { lost_when_filmed: true, ..Witness::default() });
    let check = Check::new("a", click(id("crash")))
        .config(|config| (config.film, config.stop_at_first) = (true, true));
    let outcome = check.run(&mut device).unwrap();
    assert!(outcome.device_error.is_none());
    let failure = &outcome.failures[0];
    assert!(failure.shrink_finished && failure.film.is_empty());
    assert_eq!((failure.again, failure.same), (2, 2));
}

#[test]
fn a_flaky_failure_is_filmed_when_it_shows_itself() {
    let mut device = Fake::new();
    device.flaky = true;
    let failure = failure(click(id("crash")), &mut device);
    assert!(failure.is_flaky());
    assert_eq!(failure.film.len(), 2, "two screens of a run that crashed");
}
