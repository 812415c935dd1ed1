//! Reads a recording of the Recorder panel: each step is an event, an assertion, or said to be left
//! out.
//!
//! On its own because a step says what was done and not on which screen: each event has a screen
//! with the one element that its selectors describe.

use super::selector::{described, is_text_field};
use super::{DevtoolsError, MOST_STEPS};
use crate::{Assertion, Ending, RecordedEvent, Recording};
use capuchin::ui::{Element, Environment, Event, Role, Screen, Size, State, Str, Target};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A press that is at least so long is a long one, in milliseconds.
const LONG_PRESS: i64 = 500;

/// Reads a recording of the Recorder panel. What has no event of ours is left out; each is said in
/// a line.
pub fn from_devtools(text: &str) -> Result<(Recording, Vec<String>), DevtoolsError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let all: Value = serde_json::from_str(text).map_err(DevtoolsError::NotJson)?;
    let steps = all.get("steps").and_then(Value::as_array).ok_or(DevtoolsError::NoSteps)?;
    if steps.len() > MOST_STEPS {
        return Err(DevtoolsError::TooLong);
    }
    let mut reader = Reader {
        recording: Recording::default(),
        left_out: Vec::new(),
        held: Vec::new(),
        network: "on",
        values: Vec::new(),
    };
    for (index, step) in steps.iter().enumerate() {
        reader.read(index + 1, step);
    }
    reader.know_fields();
    reader.recording.ending = Ending::Complete;
    Ok((reader.recording, reader.left_out))
}

struct Reader {
    recording: Recording,
    left_out: Vec<String>,
    /// The modifier keys that are down.
    held: Vec<Str>,
    network: &'static str,
    /// What was set so far: which element, and to what.
    values: Vec<(Value, Str)>,
}

impl Reader {
    fn read(&mut self, number: usize, step: &Value) {
        let text = |key: &str| step.get(key).and_then(Value::as_str).unwrap_or_default();
        let integer = |key: &str| step.get(key).and_then(Value::as_i64);
        let kind = text("type");
        match kind {
            "setViewport" => {
                let side = |key: &str| integer(key).unwrap_or(0).clamp(1, 10_000) as i32;
                self.recording.origin.viewport = Size::new(side("width"), side("height"));
            }
            "navigate" => self.navigate(number, text("url")),
            "click" => {
                let is_long = integer("duration").is_some_and(|millis| millis >= LONG_PRESS);
                match text("button") {
                    "secondary" => self.add(number, step, Event::LongClick),
                    "" | "primary" if is_long => self.add(number, step, Event::LongClick),
                    "" | "primary" => self.add(number, step, Event::Click),
                    "back" => self.push(Event::ClickBack, None),
                    _ => self.leave_out(number, kind, "no event presses that button"),
                }
            }
            "doubleClick" => self.add(number, step, Event::DoubleClick),
            "hover" => self.add(number, step, Event::Hover),
            "change" => self.change(number, step, text("value").into()),
            "keyDown" => self.key_down(text("key")),
            "keyUp" => self.held.retain(|held| held != text("key")),
            "scroll" => {
                self.leave_out(number, kind, "a replay scrolls to what it needs by itself");
            }
            "waitForElement" => self.wait_for(number, step),
            "waitForExpression" => {
                let why = "a device waits until the app is idle; check it with --goal or --spec";
                self.leave_out(number, kind, why);
            }
            "emulateNetworkConditions" => self.network(integer("download"), integer("upload")),
            // A replay ends with its last event.
            "close" => {}
            "customStep" => self.leave_out(number, kind, "only its author knows what it does"),
            "" => self.leave_out(number, "a step", "it has no type"),
            _ => self.leave_out(number, kind, "no event stands for it"),
        }
    }

    /// The first address is that of the app; what the panel itself opens is none.
    fn navigate(&mut self, number: usize, url: &str) {
        let origin = &mut self.recording.origin;
        if ["chrome:", "about:", "devtools:"].iter().any(|scheme| url.starts_with(scheme)) {
            return;
        }
        if origin.app.is_empty() {
            origin.app = url.into();
        } else if origin.app != url || !self.recording.events.is_empty() {
            let why = "no event goes to an address; record from there, or click the way to it";
            self.leave_out(number, "navigate", why);
        }
    }

    /// The panel says what a field holds in the end; an event says what is typed after what is
    /// there. The first time nobody knows what that is, so a field for texts is emptied; a list or
    /// a slider could not be.
    fn change(&mut self, number: usize, step: &Value, value: Str) {
        let which = step.get("selectors").cloned().unwrap_or_default();
        let known = self.values.iter().position(|(known, _)| *known == which);
        let before = known.map(|known| self.values.remove(known).1).unwrap_or_default();
        let is_unknown = known.is_none() && is_text_field(step) && !value.is_empty();
        let typed = match value.strip_prefix(before.as_str()) {
            Some(rest) if !is_unknown => Str::from(rest),
            _ => {
                self.add(number, step, Event::Clear);
                value.clone()
            }
        };
        if value.is_empty() && before.is_empty() {
            self.add(number, step, Event::Clear);
        } else if !typed.is_empty() {
            self.add(number, step, |target| Event::Type(target, typed.clone()));
        }
        self.values.push((which, value));
    }

    fn key_down(&mut self, key: &str) {
        if ["Shift", "Control", "Alt", "Meta"].contains(&key) {
            self.held.push(key.into());
        } else if !key.is_empty() {
            // What is written with Shift is another key already.
            let is_letter = key.chars().count() == 1;
            let held = self.held.iter().filter(|held| !(is_letter && *held == "Shift"));
            let mut name: String = held.map(|held| format!("{held}+")).collect();
            name.push_str(key);
            self.push(Event::Press(name.into()), None);
        }
    }

    fn wait_for(&mut self, number: usize, step: &Value) {
        let Some(element) = described(step) else {
            self.leave_out(number, "waitForElement", "its selectors describe nothing");
            return;
        };
        let selector = self.screen(Some(element)).name_of(0);
        let count = step.get("count").and_then(Value::as_i64);
        let operator = step.get("operator").and_then(Value::as_str).unwrap_or(">=");
        let is_hidden = step.get("visible").and_then(Value::as_bool) == Some(false);
        let property = match (count, operator) {
            _ if is_hidden => format!("!isDisplayed({selector})"),
            (None | Some(1), ">=") => format!("isDisplayed({selector})"),
            (Some(0), "==" | "<=") => format!("!isDisplayed({selector})"),
            (count, ">=" | "==" | "<=") => {
                format!("count({selector}) {operator} {}", count.unwrap_or(1))
            }
            _ => {
                self.leave_out(number, "waitForElement", "its operator is not known");
                return;
            }
        };
        let after = self.recording.events.len();
        self.recording.assertions.push(Assertion { after, property: property.into() });
    }

    fn network(&mut self, download: Option<i64>, upload: Option<i64>) {
        let state = match (download.unwrap_or(-1), upload.unwrap_or(-1)) {
            (0, 0) => "off",
            (..0, _) => "on",
            _ => "slow",
        };
        // As it is from the beginning.
        if std::mem::replace(&mut self.network, state) == state {
            return;
        }
        let args = vec![capuchin::ui::Value::Text(state.into())];
        self.push(Event::Environment(Environment { name: "network".into(), args }), None);
    }

    fn add(&mut self, number: usize, step: &Value, event: impl Fn(Target) -> Event) {
        let Some(mut element) = described(step) else {
            let kind = step.get("type").and_then(Value::as_str).unwrap_or_default();
            self.leave_out(number, kind, "its selectors describe nothing");
            return;
        };
        if matches!(event(Target::any()), Event::Type(..) | Event::Clear(_)) {
            element.state |= State::EDITABLE;
            if element.role == Role::Group {
                element.role = Role::Field;
            }
        } else {
            element.state |= State::CLICKABLE;
        }
        let screen = self.screen(Some(element));
        let event = event(Target::One(screen.name_of(0)));
        self.push(event, Some(screen));
    }

    /// What is typed into is a field also where it is only clicked.
    fn know_fields(&mut self) {
        let key = |element: &Element| (element.id.clone(), element.text.clone());
        let events = &mut self.recording.events;
        let typed = events.iter().filter(|event| matches!(event.event, Event::Type(..)));
        let fields: BTreeMap<(Str, Str), Role> =
            typed.filter_map(|event| event.receiver().map(|it| (key(it), it.role))).collect();
        for event in events {
            let Some(receiver) = event.receiver() else { continue };
            if let (Role::Group, Some(role)) = (receiver.role, fields.get(&key(receiver))) {
                let mut screen = Screen::clone(&event.screen);
                screen.elements.iter_mut().for_each(|element| element.role = *role);
                event.screen = Arc::new(screen);
            }
        }
    }

    fn push(&mut self, event: Event, screen: Option<Screen>) {
        let screen = Arc::new(screen.unwrap_or_else(|| self.screen(None)));
        // Key events are found by what was on the screens, which the panel does not say.
        let is_key = !matches!(event, Event::Hover(_));
        let event = RecordedEvent::new(event, screen);
        self.recording.events.push(RecordedEvent { is_key, ..event });
    }

    fn leave_out(&mut self, number: usize, kind: &str, why: &str) {
        self.left_out.push(format!("step {number} ({kind}) is left out: {why}"));
    }

    fn screen(&self, element: Option<Element>) -> Screen {
        let origin = &self.recording.origin;
        let elements = element.into_iter().collect();
        Screen { viewport: origin.viewport, place: origin.app.clone(), elements }
    }
}
