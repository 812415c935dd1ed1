//! Recordings of the Recorder panel of Chrome's DevTools: JSON, written and read.
//!
//! On its own because its format is somebody else's: each step has a type and several selectors for
//! one element, and no screens. What is read has, for each event, a screen with the one element
//! that the selectors describe.

use super::locator::aria;
use crate::{Assertion, Ending, Origin, RecordedEvent, Recording, merged};
use capuchin::ui::{Element, Event, Rect, Role, Screen, Size, State, Str, Target};
use serde_json::{Value, json};
use std::sync::Arc;

/// How many steps are read.
const MOST_STEPS: usize = 10_000;

/// Why a text is no recording of the Recorder panel.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DevtoolsError {
    /// It is no JSON.
    #[error("this is no JSON: {0}; export it with Export > JSON")]
    NotJson(serde_json::Error),
    /// It has no steps.
    #[error("this JSON has no `steps`; a recording of Chrome's Recorder panel has them")]
    NoSteps,
    /// It has too many.
    #[error("this recording has more than {MOST_STEPS} steps; cut it in parts")]
    TooLong,
}

pub(super) fn json(recording: &Recording) -> String {
    let origin = &recording.origin;
    let viewport = origin.viewport;
    let mut steps = vec![
        json!({
            "type": "setViewport", "width": viewport.width, "height": viewport.height,
            "deviceScaleFactor": 1, "isMobile": false, "hasTouch": false, "isLandscape": false,
        }),
        json!({"type": "navigate", "url": origin.app.as_str()}),
    ];
    for event in merged(&recording.events) {
        steps.extend(written(&event));
    }
    let title = format!("Recording of {}", origin.app);
    let all = json!({"title": title, "steps": steps});
    serde_json::to_string_pretty(&all).unwrap_or_default()
}

/// The steps that stand for an event; none where the panel has none.
fn written(recorded: &RecordedEvent) -> Vec<Value> {
    let step = |kind: &str| {
        let mut step = json!({"type": kind, "target": "main"});
        if let Some(element) = recorded.receiver() {
            step["selectors"] = selectors(element);
        }
        step
    };
    let at = |mut step: Value| {
        if let Some(element) = recorded.receiver() {
            step["offsetX"] = (element.bounds.width / 2).into();
            step["offsetY"] = (element.bounds.height / 2).into();
        }
        step
    };
    match &recorded.event {
        Event::Click(_) => vec![at(step("click"))],
        Event::LongClick(_) => {
            let mut step = at(step("click"));
            step["button"] = "secondary".into();
            vec![step]
        }
        Event::DoubleClick(_) => vec![at(step("doubleClick"))],
        Event::Hover(_) => vec![step("hover")],
        Event::Clear(_) => vec![changed(step("change"), "")],
        Event::Type(_, text) => {
            let before = recorded.receiver().map(|element| element.value.as_str());
            let is_text = recorded.receiver().is_some_and(|element| {
                matches!(element.native.as_str(), "input" | "textarea")
                    && element.role == Role::Field
            });
            let value = match before.filter(|_| is_text) {
                Some(before) => format!("{before}{text}"),
                None => text.to_string(),
            };
            vec![changed(step("change"), &value)]
        }
        Event::Press(key) => ["keyDown", "keyUp"]
            .map(|kind| json!({"type": kind, "target": "main", "key": key.as_str()}))
            .into(),
        _ => Vec::new(),
    }
}

fn changed(mut step: Value, value: &str) -> Value {
    step["value"] = value.into();
    step
}

fn selectors(element: &Element) -> Value {
    let mut all = Vec::new();
    if !element.text.is_empty() {
        let role = aria(element).map(|role| format!("[role=\"{role}\"]")).unwrap_or_default();
        all.push(json!([format!("aria/{}{role}", element.text)]));
    }
    if !element.id.is_empty() {
        all.push(json!([format!("#{}", escaped(&element.id))]));
    }
    if !element.text.is_empty() {
        all.push(json!([format!("text/{}", element.text)]));
    }
    if all.is_empty() {
        let class = element.classes.split_ascii_whitespace().next();
        let class = class.map(|class| format!(".{}", escaped(class))).unwrap_or_default();
        all.push(json!([format!("{}{class}", element.native)]));
    }
    all.into()
}

fn escaped(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_".contains(c);
    name.chars().map(|c| if plain(c) { c.to_string() } else { format!("\\{c}") }).collect()
}

/// Reads a recording of the Recorder panel. What has no event of ours is left out; each is said in
/// a line.
pub fn from_devtools(text: &str) -> Result<(Recording, Vec<String>), DevtoolsError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let all: Value = serde_json::from_str(text).map_err(DevtoolsError::NotJson)?;
    let steps = all.get("steps").and_then(Value::as_array).ok_or(DevtoolsError::NoSteps)?;
    if steps.len() > MOST_STEPS {
        return Err(DevtoolsError::TooLong);
    }
    let mut reader = Reader::default();
    for (index, step) in steps.iter().enumerate() {
        reader.read(index + 1, step);
    }
    reader.recording.ending = Ending::Complete;
    Ok((reader.recording, reader.left_out))
}

#[derive(Default)]
struct Reader {
    recording: Recording,
    left_out: Vec<String>,
}

impl Reader {
    fn read(&mut self, number: usize, step: &Value) {
        let text = |key: &str| step.get(key).and_then(Value::as_str).unwrap_or_default();
        let kind = text("type");
        match kind {
            "setViewport" => {
                let side = |key: &str| step.get(key).and_then(Value::as_i64).unwrap_or(0);
                let side = |key: &str| side(key).clamp(1, 10_000) as i32;
                self.recording.origin.viewport = Size::new(side("width"), side("height"));
            }
            "navigate" if self.recording.origin.app.is_empty() => {
                self.recording.origin =
                    Origin { app: text("url").into(), ..self.recording.origin.clone() };
            }
            "click" if text("button") == "secondary" => self.add(number, step, Event::LongClick),
            "click" => self.add(number, step, Event::Click),
            "doubleClick" => self.add(number, step, Event::DoubleClick),
            "hover" => self.add(number, step, Event::Hover),
            "change" => {
                let value = Str::from(text("value"));
                match value.is_empty() {
                    true => self.add(number, step, Event::Clear),
                    false => self.add(number, step, |target| Event::Type(target, value.clone())),
                }
            }
            "keyDown" => {
                let key = text("key");
                let is_held = ["Shift", "Control", "Alt", "Meta"].contains(&key);
                if !is_held && !key.is_empty() {
                    let screen = Arc::new(self.screen(None));
                    let event = Event::Press(key.into());
                    self.recording.events.push(RecordedEvent::new(event, screen));
                }
            }
            "keyUp" => {}
            "waitForElement" => match described(step) {
                Some(element) => {
                    let screen = self.screen(Some(element));
                    let property = format!("isDisplayed({})", screen.name_of(0));
                    let after = self.recording.events.len();
                    self.recording.assertions.push(Assertion { after, property: property.into() });
                }
                None => self.leave_out(number, kind, "its selectors describe nothing"),
            },
            "navigate" => self.leave_out(number, kind, "no event goes to an address"),
            _ => self.leave_out(number, kind, "no event stands for it"),
        }
    }

    fn add(&mut self, number: usize, step: &Value, event: impl Fn(Target) -> Event) {
        let Some(mut element) = described(step) else {
            self.leave_out(number, "step", "its selectors describe nothing");
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
        let screen = Arc::new(self.screen(Some(element)));
        let event = event(Target::One(screen.name_of(0)));
        self.recording.events.push(RecordedEvent::new(event, screen));
    }

    fn leave_out(&mut self, number: usize, kind: &str, why: &str) {
        self.left_out.push(format!("step {number} ({kind}) is left out: {why}"));
    }

    fn screen(&self, element: Option<Element>) -> Screen {
        let Origin { viewport, app, .. } = &self.recording.origin;
        let elements = element.into_iter().collect();
        Screen { viewport: *viewport, place: app.clone(), elements }
    }
}

/// The element that the selectors of a step describe, as far as they do.
fn described(step: &Value) -> Option<Element> {
    let selectors = step.get("selectors").and_then(Value::as_array)?;
    let mut element = Element {
        state: State::DISPLAYED | State::ENABLED,
        bounds: Rect::new(0, 0, 10, 10),
        ..Element::default()
    };
    let mut is_described = false;
    for selector in selectors {
        // One that goes through shadow trees ends with the element.
        let last = match selector {
            Value::Array(parts) => parts.last().and_then(Value::as_str),
            selector => selector.as_str(),
        };
        is_described |= last.is_some_and(|last| describe(&mut element, last));
    }
    is_described.then_some(element)
}

fn describe(element: &mut Element, selector: &str) -> bool {
    if let Some(name) = selector.strip_prefix("aria/") {
        let (name, role) = match name.rsplit_once("[role=\"") {
            Some((name, role)) => (name, role.trim_end_matches("\"]")),
            None => (name, ""),
        };
        if element.text.is_empty() {
            element.text = name.trim().into();
        }
        let known = ROLES.iter().find(|(aria, _)| *aria == role);
        if let Some((_, role)) = known {
            element.role = *role;
        }
        return !name.trim().is_empty() || known.is_some();
    }
    if let Some(text) = selector.strip_prefix("text/") {
        if element.text.is_empty() {
            element.text = text.trim().into();
        }
        return !text.trim().is_empty();
    }
    if selector.starts_with("xpath/") {
        return false;
    }
    let css =
        selector.strip_prefix("pierce/").or(selector.strip_prefix("css/")).unwrap_or(selector);
    let last = css.rsplit([' ', '>']).next().unwrap_or_default();
    let begins = last.find(['#', '.', '[', ':']).unwrap_or(last.len());
    let (tag, rest) = last.split_at(begins);
    if !tag.is_empty() {
        element.native = tag.to_ascii_lowercase().into();
        if element.role == Role::Group {
            let role = TAGS.iter().find(|(name, _)| *name == element.native).map(|(_, role)| *role);
            element.role = role.unwrap_or(Role::Group);
        }
    }
    let word = |mark: char| {
        let (_, after) = rest.split_once(mark)?;
        let end = after.find(['#', '.', '[', ':']).unwrap_or(after.len());
        Some(after[..end].replace('\\', "")).filter(|word| !word.is_empty())
    };
    let attribute = ["[data-testid=", "[data-test="].iter().find_map(|begin| {
        let (_, after) = rest.split_once(begin)?;
        Some(after.split(']').next()?.trim_matches(['\'', '"']).to_owned())
    });
    if let Some(id) = word('#').filter(|_| !rest.contains("[")).or(attribute) {
        element.id = id.into();
    } else if let Some(class) = word('.') {
        element.classes = class.into();
    }
    !element.id.is_empty() || !element.classes.is_empty() || !element.native.is_empty()
}

/// ARIA roles, as the panel writes them.
const ROLES: &[(&str, Role)] = &[
    ("button", Role::Button),
    ("checkbox", Role::Checkbox),
    ("textbox", Role::Field),
    ("searchbox", Role::Field),
    ("heading", Role::Heading),
    ("link", Role::Link),
    ("img", Role::Image),
    ("image", Role::Image),
    ("radio", Role::Radio),
    ("switch", Role::Switch),
    ("slider", Role::Slider),
    ("combobox", Role::Combobox),
    ("option", Role::Choice),
    ("tab", Role::Tab),
    ("menuitem", Role::Command),
    ("listitem", Role::Item),
];

/// What a tag is, without a role.
const TAGS: &[(&str, Role)] = &[
    ("button", Role::Button),
    ("a", Role::Link),
    ("input", Role::Field),
    ("textarea", Role::Field),
    ("select", Role::Combobox),
    ("li", Role::Item),
    ("img", Role::Image),
    ("label", Role::Label),
];
