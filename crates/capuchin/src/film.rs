//! The film of a failure: a run of its smallest trace, screen by screen, for people who look at it.
//!
//! It is a run of its own, after the failure has been judged and made small: taking pictures may
//! disturb an app, and nothing that is reported as a fact may depend on it. Whatever goes wrong with
//! it, the failure stands, and is shown without pictures.

use crate::execute::{Action, Rules, execute, step};
use crate::wireframe::wireframe;
use capuchin_trace::Trace;
use capuchin_ui as ui;
use capuchin_ui::{
    Device, DeviceError, DeviceInfo, Event, Observation, Picture, Place, Powers, Screen, Target,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A screen of a film.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    pub journal: Vec<Entry>,
    /// The event that came next, as the language writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Where on this screen that event went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Area>,
}

impl Frame {
    /// Gives the picture, if there is one, the name of its file.
    pub(crate) fn name_picture(&mut self, stem: &str, index: usize) {
        self.picture = self
            .image
            .as_ref()
            .map(|image| format!("{stem}/{index:02}.{}", image.format.extension()));
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
pub struct Entry {
    /// What it is.
    pub kind: EntryKind,
    /// What was said, or what was asked for and what came of it.
    pub text: String,
}

/// What an entry of the journal is. The log's own copy of [`ui::LogEntryKind`]: no type of `ui` is
/// serialized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryKind {
    /// A line for whoever debugs the app.
    Log,
    /// A warning.
    Warning,
    /// An error that the app reported.
    Error,
    /// A request that was answered.
    Request,
    /// A request that was not, or with an error.
    FailedRequest,
    /// A dialog of the platform's own.
    Dialog,
    /// The app went to another address.
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
        let mut filmed = Filmed::new(device);
        match execute(trace, &mut filmed, rules) {
            // What does not fail, or not like this, is not the film of this failure.
            Ok(run) if !run.interrupted && run.verdict.signature() == signature => {
                return filmed.frames;
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

/// A device that films what happens on the one inside.
struct Filmed<'a> {
    device: &'a mut dyn Device,
    frames: Vec<Frame>,
    /// What the last frame shows.
    screen: Arc<Screen>,
    /// A camera that fails is not asked again: it may have cost a long wait.
    camera_works: bool,
}

impl<'a> Filmed<'a> {
    fn new(device: &'a mut dyn Device) -> Self {
        Filmed { device, frames: Vec::new(), screen: Arc::default(), camera_works: true }
    }

    fn take(&mut self, observation: &Observation) {
        self.screen = Arc::clone(&observation.screen);
        let viewport = self.screen.viewport;
        let frame = Frame {
            place: self.screen.place.to_string(),
            viewport: (viewport.width, viewport.height),
            picture: None,
            image: self.picture().map(Arc::new),
            journal: self.journal(),
            next: None,
            target: None,
        };
        self.frames.push(frame);
    }

    /// A photograph, else a drawing, if there is anything to draw.
    fn picture(&mut self) -> Option<Picture> {
        if self.camera_works
            && let Some(camera) = self.device.powers().and_then(Powers::camera)
        {
            match camera.picture() {
                Ok(picture) => return Some(picture),
                Err(_) => self.camera_works = false,
            }
        }
        (!self.screen.elements.is_empty()).then(|| wireframe(&self.screen))
    }

    fn journal(&mut self) -> Vec<Entry> {
        let journal = self.device.powers().and_then(Powers::app_log);
        let mut entries = journal.and_then(|journal| journal.entries().ok()).unwrap_or_default();
        // The last ones are nearest to what went wrong.
        entries.drain(..entries.len().saturating_sub(MOST_ENTRIES));
        entries.into_iter().map(Entry::from).collect()
    }
}

impl Device for Filmed<'_> {
    fn info(&self) -> &DeviceInfo {
        self.device.info()
    }

    fn reset(&mut self, seed: u64) -> Result<Observation, DeviceError> {
        let observation = step(self.device, Action::Reset(seed))?;
        self.frames.clear();
        self.take(&observation);
        Ok(observation)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        if let Some(last) = self.frames.last_mut() {
            last.next = Some(event.to_string());
            last.target = target(&self.screen, event);
        }
        let observation = step(self.device, Action::Perform(event))?;
        // An event that is blocked changes nothing: the frame before it is the last.
        if observation.blocked.is_none() || observation.crash.is_some() {
            self.take(&observation);
        }
        Ok(observation)
    }

    fn powers(&mut self) -> Option<&mut dyn Powers> {
        self.device.powers()
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
    let ui::Rect { x, y, width, height } = element.bounds;
    Some(Area { x, y, width, height })
}

impl From<ui::LogEntry> for Entry {
    fn from(entry: ui::LogEntry) -> Self {
        let kind = match entry.kind {
            ui::LogEntryKind::Log => EntryKind::Log,
            ui::LogEntryKind::Warning => EntryKind::Warning,
            ui::LogEntryKind::Error => EntryKind::Error,
            ui::LogEntryKind::Request => EntryKind::Request,
            ui::LogEntryKind::FailedRequest => EntryKind::FailedRequest,
            ui::LogEntryKind::Dialog => EntryKind::Dialog,
            ui::LogEntryKind::Navigation => EntryKind::Navigation,
        };
        let text = match entry.text.char_indices().nth(LONGEST_ENTRY) {
            Some((end, _)) => format!("{}…", &entry.text[..end]),
            None => entry.text,
        };
        Entry { kind, text }
    }
}
