//! Hands over what a person or another program does to the page.
//!
//! The script in `page/recorder` stops every event that is not ours before the page hears of it,
//! and says what it is. Here it becomes an event of the language, on a screen that is looked at
//! before anything is performed. What the device performs passes: the device says when that is, in
//! a world that the page cannot reach.

mod aim;
mod gesture;

use crate::device::WebDevice;
use crate::dialog;
use crate::failure::Failure;
use crate::keys::Key;
use crate::protocol_types::NavigationHistory;
use crate::tab::Dialog;
use capuchin_ui::{DeviceError, Event, Lack, Recorded, Recorder, Screen, Selector, Str, Target};
use gesture::{Elements, Gesture, Kind, Meaning};
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The function with which the script says what somebody does.
pub(crate) const GESTURE_BINDING: &str = "__capuchin_gesture";
/// What the script is called in the collector's world.
pub(crate) const RECORDER: &str = "__capuchin_recorder";

/// For how long what may be part of one gesture is held, in milliseconds: texts, turns of a wheel,
/// and clicks where somebody listens to double clicks. A program has no pauses.
pub(crate) fn pauses(is_person: bool) -> Value {
    match is_person {
        true => json!({"typing": 600, "wheel": 150, "double": 300}),
        false => json!({"typing": 25, "wheel": 60, "double": 60}),
    }
}

/// What somebody does, until it is handed over.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    gestures: VecDeque<Heard>,
    /// What somebody did that no event stands for: each is told once. What was lost because the
    /// page changed is told each time, since each is an event that a replay lacks.
    told: BTreeSet<Str>,
    /// Whether what happens in the page passes.
    is_open: bool,
    /// What has happened already when it is performed: the browser asks nobody before it goes back,
    /// or closes a dialog.
    done: Option<Event>,
    /// The document whose controls are known, by the world of the collector in it.
    known: Option<String>,
    /// The place in the history when something was last looked at.
    history: Option<usize>,
    /// The entry of the history there, by its number.
    entry: Option<i64>,
    /// Until when the page had been looked at, in navigations of its tab.
    navigations: u64,
}

/// Something that somebody did, and where.
#[derive(Debug)]
struct Heard {
    what: Gesture,
    /// The document, by the world of the collector in it.
    world: Option<String>,
    /// A dialog that was answered, and the screen with it.
    dialog: Option<Dialog>,
}

impl Recording {
    /// What was begun before a reset is dropped.
    pub(crate) fn start_over(&mut self) {
        *self = Recording { told: std::mem::take(&mut self.told), ..Recording::default() };
    }

    /// The script says that somebody does something.
    pub(crate) fn on_gesture(&mut self, world: Option<String>, said: &str) {
        // A number of the page's that is none, as a turn of infinity.
        let what = serde_json::from_str(said).unwrap_or_else(|_| Gesture::new(Kind::Lack, ""));
        if world.is_some() {
            self.gestures.push_back(Heard { what, world, dialog: None });
        }
    }

    /// Somebody has answered a dialog: the page is not asked about it.
    pub(crate) fn on_dialog(&mut self, mut dialog: Dialog, accepted: bool, input: &str) {
        if accepted && dialog.kind == "prompt" && input != dialog.answer.as_str() {
            // What the page proposes goes first: a text is typed behind what is there.
            for text in ["", input] {
                if text != dialog.answer.as_str() {
                    let what = Gesture::new(Kind::Replace, text);
                    let dialog = Some(dialog.clone());
                    self.gestures.push_back(Heard { what, world: None, dialog });
                }
                dialog.answer = text.into();
            }
        }
        let what = Gesture::new(Kind::Click, if accepted { "accept" } else { "refuse" });
        self.gestures.push_back(Heard { what, world: None, dialog: Some(dialog) });
    }

    /// The next gesture: all parts of it that are there.
    fn next(&mut self) -> Option<Heard> {
        let mut heard = self.gestures.pop_front()?;
        while let Some(next) = self.gestures.front()
            && next.world == heard.world
            && let Some(joined) = heard.what.joined(&next.what)
        {
            heard.what = joined;
            self.gestures.pop_front();
        }
        Some(heard)
    }

    /// Whether this event has happened before it was performed.
    pub(crate) fn is_done(&mut self, event: &Event) -> bool {
        self.done.take().is_some_and(|done| done == *event)
    }

    /// What is told, unless it was told before.
    fn tell(&mut self, lack: Lack) -> Option<Recorded> {
        self.told.insert(lack.what.clone()).then_some(Recorded::Lack(lack))
    }
}

impl WebDevice {
    /// What the device does from now on reaches the page.
    pub(crate) fn let_input_pass(&mut self, event: &Event) -> Result<(), Failure> {
        if !self.options.record {
            return Ok(());
        }
        self.recording.is_open = true;
        let (text, key) = match event {
            Event::Type(_, text) => (text.as_str(), None),
            Event::Clear(_) => ("", Key::named("Delete")),
            Event::ClickMenu => ("", Key::named("ContextMenu")),
            Event::Press(name) => ("", Key::named(name)),
            _ => ("", None),
        };
        let keys: Vec<Key> = text.chars().filter_map(Key::writing).chain(key).collect();
        let keys: Vec<&str> = keys.iter().map(Key::key).collect();
        let has_no_key = |c: &char| Key::writing(*c).is_none();
        let texts: Vec<String> = text.chars().filter(has_no_key).map(String::from).collect();
        self.ask_recorder(&format!("open({}, {})", json!(keys), json!(texts)))
    }

    /// What anybody does from now on is handed over. A page that shows a dialog or has gone is told
    /// later, or never: nobody can do anything there.
    pub(crate) fn stop_input(&mut self) -> Result<(), Failure> {
        if !self.options.record || !self.recording.is_open {
            return Ok(());
        }
        match self.ask_recorder("close()") {
            Err(Failure::Device(error)) => return Err(Failure::Device(error)),
            Err(Failure::Dialog) => return Ok(()),
            _ => self.recording.is_open = false,
        }
        Ok(())
    }

    fn ask_recorder(&mut self, call: &str) -> Result<(), Failure> {
        // Another document has a recorder of its own, which lets nothing pass.
        self.evaluate::<Value>(&format!("{RECORDER}?.{call}")).map(|_| ())
    }

    /// Waits until somebody has done something; whether they have.
    fn wait_for_somebody(&mut self, deadline: Instant) -> Result<bool, Failure> {
        loop {
            self.handle_events()?;
            let is_gone = self.tabs.current().is_none_or(|tab| tab.closed || tab.crashed);
            let has_navigated = self.navigations() != self.recording.navigations;
            if is_gone || has_navigated || !self.recording.gestures.is_empty() {
                return Ok(true);
            }
            if !self.pump(deadline)? {
                return Ok(false);
            }
        }
    }

    /// What was performed may have led to another page, from which somebody may go back.
    pub(crate) fn note_history(&mut self) -> Result<(), DeviceError> {
        let has_navigated = self.navigations() != self.recording.navigations;
        if !self.options.record || !has_navigated {
            return Ok(());
        }
        match self.look_at_history() {
            Err(Failure::Device(error)) => Err(error),
            _ => {
                self.recording.done = None;
                Ok(())
            }
        }
    }

    fn navigations(&self) -> u64 {
        self.tabs.current().map_or(0, |tab| tab.navigations)
    }

    /// Looks whether somebody has gone back: what the browser does by itself is not stopped.
    fn look_at_history(&mut self) -> Result<Option<Recorded>, Failure> {
        let navigations = self.navigations();
        let history: NavigationHistory = self.ask("Page.getNavigationHistory", Value::Null)?;
        self.recording.navigations = navigations;
        let before = self.recording.history.replace(history.current_index);
        let entry = history.entries.get(history.current_index);
        let known = std::mem::replace(&mut self.recording.entry, entry.map(|entry| entry.id));
        if before.is_some_and(|before| history.current_index < before) {
            self.recording.done = Some(Event::ClickBack);
            let screen = Arc::clone(&self.view.screen);
            return Ok(Some(Recorded::Event(Event::ClickBack, screen)));
        }
        let is_new = known.is_some() && known != self.recording.entry;
        let typed = entry.filter(|entry| is_new && entry.is_typed());
        Ok(typed.and_then(|entry| self.recording.tell(gesture::went_to(&entry.url))))
    }

    fn next_recorded(&mut self, deadline: Instant) -> Result<Recorded, Failure> {
        self.stop_input()?;
        if self.tabs.world().is_some_and(|world| self.recording.known.as_ref() != Some(world)) {
            self.recording.known = self.tabs.world().cloned();
            self.ask_recorder("close()")?;
        }
        if self.recording.history.is_none() {
            self.look_at_history()?;
        }
        loop {
            if !self.wait_for_somebody(deadline)? {
                // The page may say that it is shown before the browser knows of it in its history.
                return Ok(self.look_at_history()?.unwrap_or(Recorded::Nothing));
            }
            if self.tabs.current().is_none_or(|tab| tab.closed) {
                if self.tabs.len() < 2 {
                    return Ok(Recorded::End);
                }
                // Back is what closes a popup.
                self.recording.done = Some(Event::ClickBack);
                return Ok(Recorded::Event(Event::ClickBack, Arc::clone(&self.view.screen)));
            }
            if self.tabs.current().is_some_and(|tab| tab.crashed) || self.crashes.any() {
                // Performing anything tells of it.
                let screen = Arc::clone(&self.view.screen);
                return Ok(Recorded::Event(Event::Sleep(1), screen));
            }
            if self.navigations() != self.recording.navigations {
                match self.look_at_history() {
                    Ok(Some(recorded)) => return Ok(recorded),
                    Ok(None) => {}
                    // The page before has gone, and the next has not come.
                    Err(Failure::Refused(_)) => match self.pump(deadline)? {
                        true => continue,
                        false => return Ok(Recorded::Nothing),
                    },
                    Err(failure) => return Err(failure),
                }
            }
            let before = Arc::clone(&self.view.screen);
            if self.recording.gestures.front().is_some_and(|next| next.dialog.is_none()) {
                if self.recording.gestures.front().is_some_and(|next| next.what.has_parts()) {
                    self.ask_recorder("flushParts()")?;
                }
                // All that was said before the page answers is there then.
                self.collect()?;
            }
            let Some(heard) = self.recording.next() else { continue };
            if let Some(recorded) = self.understand(heard, before)? {
                return Ok(recorded);
            }
        }
    }

    /// What somebody did becomes an event, on the screen that is displayed now. `None` is something
    /// that has no effect, or was told before.
    fn understand(
        &mut self,
        heard: Heard,
        before: Arc<Screen>,
    ) -> Result<Option<Recorded>, Failure> {
        let Heard { what, world, dialog } = heard;
        if let Some(dialog) = dialog {
            return Ok(Some(self.answered(&what, &dialog)));
        }
        if self.tabs.world() != world.as_ref() && what.needs_elements() {
            return Ok(Some(Recorded::Lack(what.too_late())));
        }
        let elements = match what.needs_elements() {
            true => self.elements_of(&what)?,
            false => Elements::default(),
        };
        if elements.is_gone {
            return Ok(Some(Recorded::Lack(what.too_late())));
        }
        let screen = match what.screen_before(&self.view.screen, &elements) {
            Some(screen) => Arc::new(screen),
            None => Arc::clone(&self.view.screen),
        };
        let has_wheels = self.view.head.has_wheels;
        let meaning = what.meaning(&screen, &before, &elements, has_wheels);
        Ok(match meaning {
            Meaning::Nothing => None,
            Meaning::Lack(lack) => self.recording.tell(lack),
            Meaning::KeyEvent => Some(Recorded::KeyEvent),
            Meaning::Expected(element, text) => Some(Recorded::Expected(element, text, screen)),
            Meaning::Event(event, rest) => {
                let shown = if matches!(event, Event::Hover(_)) { before } else { screen };
                if let Some(rest) = rest {
                    self.recording.gestures.push_front(Heard { what: *rest, world, dialog: None });
                }
                Some(Recorded::Event(event, shown))
            }
        })
    }

    fn elements_of(&mut self, what: &Gesture) -> Result<Elements, Failure> {
        let (id, x, y) = (what.id, what.x, what.y);
        let said: String = self.evaluate(&format!("{RECORDER}?.elements({id}, {x}, {y})"))?;
        Ok(serde_json::from_str(&said).unwrap_or_default())
    }

    /// A dialog that somebody else has closed: it is gone when it is performed.
    fn answered(&mut self, what: &Gesture, shown: &Dialog) -> Recorded {
        let screen = Arc::new(dialog::overlay(&self.view.screen, shown));
        let event = match what.kind {
            Kind::Replace => {
                let field = Selector::role(capuchin_ui::Role::Field);
                let field = Target::One(named(&screen, field));
                match what.text.as_str() {
                    "" => Event::Clear(field),
                    text => Event::Type(field, text.into()),
                }
            }
            _ => {
                let (accept, refuse) = dialog::buttons(shown);
                let text = if what.text == "accept" { accept } else { refuse.unwrap_or(accept) };
                Event::Click(Target::One(named(&screen, Selector::text(text))))
            }
        };
        self.recording.done = Some(event.clone());
        Recorded::Event(event, screen)
    }
}

/// The name of the last element that a selector finds: a dialog is on top of everything.
fn named(screen: &Screen, selector: Selector) -> Selector {
    let last = screen.find(&selector).last().map(|(index, _)| index);
    last.map_or(selector, |index| screen.name_of(index))
}

impl Recorder for WebDevice {
    fn recorded(&mut self, timeout: Duration) -> Result<Recorded, DeviceError> {
        let deadline = Instant::now() + timeout;
        loop {
            // One document goes and the next is not there yet, or the page shows a dialog: it is
            // asked again when the browser says more.
            let failure = match self.next_recorded(deadline) {
                Ok(recorded) => return Ok(recorded),
                Err(failure @ (Failure::Device(_) | Failure::TabGone)) => failure,
                Err(_) if Instant::now() >= deadline => return Ok(Recorded::Nothing),
                Err(_) => match self.pump(deadline) {
                    Ok(true) => continue,
                    Ok(false) => return Ok(Recorded::Nothing),
                    Err(failure) => failure,
                },
            };
            return match failure {
                Failure::Device(error) => Err(error),
                Failure::TabGone => Ok(Recorded::End),
                _ => Ok(Recorded::Nothing),
            };
        }
    }

    fn endpoint(&self) -> Option<Str> {
        self.browser.endpoint.as_deref().map(Str::from)
    }
}
