//! The film of a failure: a run of its smallest trace, screen by screen, for people who look at it.
//!
//! It is a run of its own, after the failure has been judged and shrunk: taking pictures may
//! disturb an app, and nothing that is reported as a fact may depend on it. Whatever goes wrong
//! with it, the failure stands, and is shown without pictures.

use crate::execution::{Rules, execute_watched};
use crate::monitor::{Monitor, Watched};
use crate::probe::Probe;
use crate::step::{Action, Step};
use crate::wireframe::wireframe;
use capuchin_trace::Trace;
use capuchin_ui::{Device, Event, LogEntry, LogEntryKind, Picture, Place, Rect, Screen, Target};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::sync::Arc;

/// A screen of a film.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Frame {
    /// Where the app was: an address, an activity, a window title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The width and height of the screen.
    pub viewport: (i32, i32),
    /// The picture: the name of a file within the run directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// The picture itself, until it has been written to that file. It is no part of the log.
    #[serde(skip)]
    pub image: Option<Arc<Picture>>,
    /// What the app said and asked for on the way to this screen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub journal: Vec<LoggedEntry>,
    /// The event that came next, as the language writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Where on this screen that event went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Area>,
}

impl Frame {
    /// A screen with the place where an event goes. Without a photograph it is drawn, if there is
    /// anything to draw.
    pub fn of(screen: &Screen, target: Option<Area>, photograph: Option<Arc<Picture>>) -> Self {
        let drawn = || (!screen.elements.is_empty()).then(|| Arc::new(wireframe(screen)));
        Frame {
            place: screen.place.to_string(),
            viewport: (screen.viewport.width, screen.viewport.height),
            image: photograph.or_else(drawn),
            target,
            ..Frame::default()
        }
    }
}

impl From<Rect> for Area {
    fn from(Rect { x, y, width, height }: Rect) -> Self {
        Area { x, y, width, height }
    }
}

/// A rectangle on a screen. Without width and height it is a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// The left edge.
    pub x: i32,
    /// The top edge.
    pub y: i32,
    /// Pixels across.
    pub width: i32,
    /// Pixels down.
    pub height: i32,
}

/// Something that the app said or asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedEntry {
    /// What it is.
    #[serde(with = "WrittenKind")]
    pub kind: LogEntryKind,
    /// What was said, or what was asked for and what came of it.
    pub text: String,
}

/// How the log writes a [`LogEntryKind`]: no type of `ui` serializes itself.
#[derive(Serialize, Deserialize)]
#[serde(remote = "LogEntryKind", rename_all = "kebab-case")]
enum WrittenKind {
    Log,
    Warning,
    Error,
    Request,
    FailedRequest,
    Dialog,
    Navigation,
}

/// Runs the trace once more and films it. Without a film if the failure does not show itself again,
/// or the device fails over it.
pub(crate) fn film(
    trace: &Trace,
    signature: &str,
    device: &mut dyn Device,
    rules: &Rules<'_>,
) -> Vec<Frame> {
    for _ in 0..ATTEMPTS {
        let frames = RefCell::default();
        let film = Film { frames: &frames, camera_works: true };
        match execute_watched(trace, device, rules, vec![Box::new(film)]) {
            // What does not fail, or not like this, is not the film of this failure.
            Ok(run) if !run.interrupted && run.verdict.signature() == signature => {
                return frames.into_inner();
            }
            Ok(run) if !run.interrupted => {}
            _ => return Vec::new(),
        }
    }
    Vec::new()
}

/// How often a failure that comes and goes is given the chance to be filmed.
const ATTEMPTS: u32 = 3;
/// The most entries that a frame keeps, and the most characters of each: an app that talks without
/// end must not fill the disk.
const MOST_ENTRIES: usize = 200;
const LONGEST_ENTRY: usize = 4000;

/// The monitor that films.
struct Film<'a> {
    frames: &'a RefCell<Vec<Frame>>,
    /// A camera that fails is not asked again: it may have cost a long wait.
    camera_works: bool,
}

impl Monitor for Film<'_> {
    fn wants_before(&self) -> bool {
        true
    }

    fn watch(&mut self, step: &Step<'_>, app: &mut Probe<'_>) -> Watched {
        if let (Action::Perform(event), Some(before)) = (step.action, step.before)
            && let Some(last) = self.frames.borrow_mut().last_mut()
        {
            last.next = Some(event.to_string());
            last.target = target(before, event);
        }
        // An event that is blocked changes nothing: the frame before it is the last.
        if !step.is_blocked() {
            let frame = self.frame(app);
            self.frames.borrow_mut().push(frame);
        }
        Ok(None)
    }
}

impl Film<'_> {
    fn frame(&mut self, app: &mut Probe<'_>) -> Frame {
        let screen = app.screen();
        let mut entries = app.app_log().unwrap_or_default();
        // The last ones are nearest to what went wrong.
        entries.drain(..entries.len().saturating_sub(MOST_ENTRIES));
        let photograph = self.photograph(app).map(Arc::new);
        Frame {
            journal: entries.into_iter().map(cut).collect(),
            ..Frame::of(screen, None, photograph)
        }
    }

    fn photograph(&mut self, app: &mut Probe<'_>) -> Option<Picture> {
        if self.camera_works {
            match app.picture() {
                Ok(Some(picture)) => return Some(picture),
                Ok(None) => {}
                Err(_) => self.camera_works = false,
            }
        }
        None
    }
}

/// Where an event goes on a screen; where it would go if it is blocked.
fn target(screen: &Screen, event: &Event) -> Option<Area> {
    let target = event.target()?;
    if let Target::Place(place) = target {
        let Place::At(point) = place else { return None };
        return Some(Area { x: point.x, y: point.y, width: 0, height: 0 });
    }
    let element = match (screen.locate(event), target) {
        (Ok(Some(index)), _) => &screen.elements[index],
        (Err(_), Target::One(selector)) => screen.first(selector)?,
        _ => return None,
    };
    Some(element.bounds.into())
}

/// An entry, cut where it is too long.
fn cut(LogEntry { kind, mut text }: LogEntry) -> LoggedEntry {
    if let Some((end, _)) = text.char_indices().nth(LONGEST_ENTRY) {
        text.replace_range(end.., "…");
    }
    LoggedEntry { kind, text }
}
