//! Recordings of the Recorder panel of Chrome's DevTools: JSON, written and read.
//!
//! On its own because its format is somebody else's: each step has a type and several selectors for
//! one element, and no screens. `reader` makes events of steps, `selector` an element of selectors.

mod reader;
mod selector;

pub use reader::from_devtools;

use super::locator::{aria, frames};
use crate::{RecordedEvent, Recording, merged};
use capuchin::ui::{Element, Event, Role};
use serde_json::{Value, json};

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
    steps.extend(merged(&recording.events).iter().flat_map(written));
    let title = format!("Recording of {}", origin.app);
    let all = json!({"title": title, "steps": steps});
    serde_json::to_string_pretty(&all).unwrap_or_default()
}

/// What the panel has no step for, each in a line.
pub(super) fn left_out(recording: &Recording) -> Vec<String> {
    let events = merged(&recording.events);
    let without = events.iter().enumerate().filter(|(_, event)| written(event).is_empty());
    let event = |(index, event): (usize, &RecordedEvent)| {
        format!(
            "event {} ({}) is left out: the Recorder has no step for it",
            index + 1,
            event.event
        )
    };
    let assertion = |assertion: &crate::Assertion| {
        format!("assert {} is left out: the Recorder has no step for it", assertion.property)
    };
    without.map(event).chain(recording.assertions.iter().map(assertion)).collect()
}

/// The steps that stand for an event; none where the panel has none.
fn written(recorded: &RecordedEvent) -> Vec<Value> {
    let step = |kind: &str| {
        let mut step = json!({"type": kind, "target": "main"});
        if let (Some(element), Some(index)) = (recorded.receiver(), recorded.receiver) {
            step["selectors"] = selectors(element);
            let frames = frames(&recorded.screen, index);
            if !frames.is_empty() {
                step["frame"] = frames.into();
            }
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
        // A step finds its element by selectors, and an empty place has none.
        event if event.target().is_some() && recorded.receiver.is_none() => Vec::new(),
        Event::Click(_) if is_option(recorded) => chosen(recorded).into_iter().collect(),
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
            match before.filter(|before| is_text && !before.is_empty()) {
                // Whoever reads it types the whole text, and not behind what is there.
                Some(before) => vec![
                    changed(step("change"), ""),
                    changed(step("change"), &format!("{before}{text}")),
                ],
                None => vec![changed(step("change"), text)],
            }
        }
        Event::Press(key) => pressed(key),
        Event::Environment(event) if event.name == "network" => {
            let state = event.args.first().map(ToString::to_string).unwrap_or_default();
            let speed = match state.trim_matches('"') {
                "off" => 0,
                "slow" => 50_000,
                _ => -1,
            };
            let latency = if speed > 0 { 400 } else { 0 };
            vec![json!({
                "type": "emulateNetworkConditions", "download": speed, "upload": speed,
                "latency": latency,
            })]
        }
        _ => Vec::new(),
    }
}

/// A key, with those that are held.
fn pressed(name: &str) -> Vec<Value> {
    // A plus may be the key itself.
    let last = name.char_indices().rev().skip(1).find(|(_, c)| *c == '+').map(|(at, _)| at);
    let (held, key) = last.map_or(("", name), |at| (&name[..at], &name[at + 1..]));
    let held: Vec<&str> = held.split('+').filter(|held| !held.is_empty()).collect();
    let step = |kind: &str, key: &str| json!({"type": kind, "target": "main", "key": key});
    let down = held.iter().map(|held| step("keyDown", held));
    let up = held.iter().rev().map(|held| step("keyUp", held));
    let both = [step("keyDown", key), step("keyUp", key)];
    down.chain(both).chain(up).collect()
}

fn is_option(recorded: &RecordedEvent) -> bool {
    recorded.receiver().is_some_and(|element| element.native == "option")
}

/// An option is chosen in its list.
fn chosen(recorded: &RecordedEvent) -> Option<Value> {
    let option = recorded.receiver()?;
    let list = recorded.screen.ancestors(recorded.receiver?).find_map(|index| {
        recorded.screen.elements.get(index).filter(|element| element.native == "select")
    })?;
    let value = if option.value.is_empty() { &option.text } else { &option.value };
    let step = json!({"type": "change", "target": "main", "selectors": selectors(list)});
    Some(changed(step, value))
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
