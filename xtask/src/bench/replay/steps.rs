//! The steps of a scenario, performed on a device: what a person does who knows the layout.
//!
//! On its own because it is the one place that knows where an element of the page stands on the
//! screen: scenarios name elements by CSS, devices by what a person sees.

use super::scenarios::Step;
use super::stage::Stage;
use anyhow::{Context, Result, bail};
use capuchin::ui::{Device, Element, Event, Screen, State, Target};
use capuchin_record::RecordedEvent;
use serde_json::{Value, json};
use std::sync::Arc;

/// How often, and how far apart in the page's time, somebody looks for an element.
const LOOKS: usize = 8;
const LOOK_PAUSE: u64 = 500;

/// How long a person pauses after a step: what moves comes to rest.
const STEP_PAUSE: u64 = 450;

/// Performs a step, and adds what was done to a recording; whether a person did it, and the
/// recorder handed it over.
pub(super) fn perform(
    stage: &mut Stage<'_>,
    step: &Step,
    recorded: &mut Vec<RecordedEvent>,
) -> Result<bool> {
    if stage.has_person() && perform_by_person(stage, step, recorded)? {
        stage.wait(step.settle.unwrap_or(STEP_PAUSE))?;
        return Ok(true);
    }
    perform_within(stage, step, recorded, LOOKS)?;
    Ok(false)
}

/// Lets a person do it; whether the recorder handed anything over. What the page of a person cannot
/// be told by mouse and keyboard alone (a list of choices, which the browser shows) is not done.
fn perform_by_person(
    stage: &mut Stage<'_>,
    step: &Step,
    recorded: &mut Vec<RecordedEvent>,
) -> Result<bool> {
    let words = step.words();
    let is_key = step.action == "press" && ["Enter", "Escape", "Tab"].contains(&words.as_str());
    let (point, found) = match step.selector.as_deref() {
        None | Some("body") if is_key => (None, None),
        Some(selector)
            if ["click", "dblclick", "type", "typekeys", "press"].contains(&&*step.action) =>
        {
            let found = find(stage, selector, LOOKS)?;
            let answer = stage.ask(&json!({"ask": "show", "selector": selector}))?;
            let at = |index: usize| answer[index].as_f64();
            let (Some(x), Some(y)) = (at(0), at(1)) else { return Ok(false) };
            (Some((x, y)), Some(found))
        }
        _ => return Ok(false),
    };
    let mut events = Vec::new();
    if let (Some(point), Some(found)) = (point, &found) {
        let is_field = found.screen.elements[found.index].is(State::EDITABLE);
        match step.action.as_str() {
            "click" => events.extend(stage.let_person(|person| person.click(point, 1))?),
            "dblclick" => events.extend(stage.let_person(|person| person.click(point, 2))?),
            _ if is_field => {
                let is_focused = found.screen.elements[found.index].is(State::FOCUSED);
                if !is_focused {
                    events.extend(stage.let_person(|person| person.click(point, 1))?);
                }
            }
            _ if step.action != "press" => return Ok(false),
            _ => {}
        }
        if step.action == "type" && !found.value.is_empty() {
            stage.ask(&json!({"ask": "selectAll", "selector": step.selector}))?;
        }
        if step.action.starts_with("type") {
            events.extend(stage.let_person(|person| person.write(&words))?);
        }
    }
    if is_key {
        events.extend(stage.let_person(|person| person.press(&words))?);
    }
    let is_click = |(event, _): &(Event, _)| matches!(event, Event::Click(_));
    if step.action == "click" && !events.iter().all(is_click) {
        let events: Vec<String> = events.iter().map(|(event, _)| event.to_string()).collect();
        bail!("the recorder says {} of a click", events.join(", "));
    }
    let right = stage.performed.last().and_then(|done| done.right.get(step.k.as_deref()?));
    if step.key && right == Some(&false) {
        let said = events.last().map(|(event, _)| event.to_string()).unwrap_or_default();
        bail!("the recorder says {said}, which is to another element");
    }
    let count = events.len();
    for (index, (event, screen)) in events.into_iter().enumerate() {
        let mut one = RecordedEvent::new(event, screen);
        one.is_key = step.key && index + 1 == count;
        recorded.push(one);
    }
    Ok(count > 0)
}

/// A person waits for what takes longer than the app is busy.
fn wait_after(stage: &mut Stage<'_>, step: &Step) -> Result<()> {
    match step.settle {
        Some(millis) if millis > 1000 => stage.wait(millis),
        _ => Ok(()),
    }
}

/// The same, but what is not there at once is not waited for.
pub(super) fn perform_at_once(
    stage: &mut Stage<'_>,
    step: &Step,
    recorded: &mut Vec<RecordedEvent>,
) -> Result<()> {
    perform_within(stage, step, recorded, 1)
}

fn perform_within(
    stage: &mut Stage<'_>,
    step: &Step,
    recorded: &mut Vec<RecordedEvent>,
    looks: usize,
) -> Result<()> {
    let words = step.words();
    let Some(selector) = &step.selector else {
        return match step.action.as_str() {
            "press" => act(stage, Event::Press(words.into()), step.key, recorded),
            "back" => act(stage, Event::ClickBack, step.key, recorded),
            "wait" => stage.wait(step.ms.unwrap_or(500)),
            // Whatever is to be seen next is brought into view then.
            "scroll" => Ok(()),
            other => bail!("unknown action {other} without a selector"),
        };
    };
    if step.action == "scroll" {
        return Ok(());
    }
    if step.action == "press" && selector == "body" {
        return act(stage, Event::Press(words.into()), step.key, recorded);
    }
    let found = find(stage, selector, looks)?;
    let target = || Target::One(found.screen.name_of(found.index));
    match step.action.as_str() {
        "click" => act(stage, Event::Click(target()), step.key, recorded)?,
        "dblclick" => act(stage, Event::DoubleClick(target()), step.key, recorded)?,
        "hover" => act(stage, Event::Hover(target()), step.key, recorded)?,
        "type" => {
            // What is in it is replaced.
            if !found.value.is_empty() {
                act(stage, Event::Clear(target()), false, recorded)?;
            }
            act(stage, Event::Type(target(), words.into()), step.key, recorded)?;
        }
        "typekeys" | "select" => {
            act(stage, Event::Type(target(), words.into()), step.key, recorded)?;
        }
        "press" => {
            let element = &found.screen.elements[found.index];
            if !element.is(State::FOCUSED) && element.is(State::EDITABLE) {
                act(stage, Event::Click(target()), false, recorded)?;
            }
            act(stage, Event::Press(words.into()), step.key, recorded)?;
        }
        other => bail!("unknown action {other}"),
    }
    wait_after(stage, step)
}

/// An element of the page on the screen.
struct Found {
    screen: Arc<Screen>,
    index: usize,
    value: String,
}

/// Looks for the first element of a selector until it can be reached.
fn find(stage: &mut Stage<'_>, selector: &str, looks: usize) -> Result<Found> {
    let mut why = String::new();
    for look in 0..looks {
        if look > 0 {
            stage.wait(LOOK_PAUSE)?;
        }
        let answer = stage.ask(&json!({"ask": "find", "selector": selector}))?;
        let screen = Arc::clone(&stage.screen);
        match on_screen(&screen, &answer) {
            Some(index) if screen.is_reachable(&screen.elements[index]) => {
                let value = answer["value"].as_str().unwrap_or_default().to_owned();
                return Ok(Found { screen, index, value });
            }
            Some(index) => why = format!("it cannot be reached: {:?}", screen.elements[index]),
            None if answer.is_null() => "nothing in the page fits it".clone_into(&mut why),
            None => why = format!("it is not on the screen: {}", answer["chain"]),
        }
    }
    bail!("{selector}: {why}")
}

/// The element of the screen that stands for the first of these of the page, from the inside out.
fn on_screen(screen: &Screen, answer: &Value) -> Option<usize> {
    answer["chain"].as_array()?.iter().find_map(|node| standing_for(screen, node))
}

/// The element of the screen that stands for an element of the page, as the page describes it.
pub(super) fn standing_for(screen: &Screen, node: &Value) -> Option<usize> {
    let said = |key: &str| node[key].as_str().unwrap_or_default();
    let bounds: Vec<i32> =
        node["bounds"].as_array()?.iter().map(|n| n.as_i64().unwrap_or(0) as i32).collect();
    let stands_there = |element: &Element| {
        let there = element.bounds;
        let there = [there.x, there.y, there.width, there.height];
        element.is(State::DISPLAYED)
            && element.native.as_str() == said("tag")
            && there.iter().zip(&bounds).all(|(a, b)| (a - b).abs() <= 1)
    };
    // Several may be at one place; an id may be an attribute for tests.
    let likeness = |element: &Element| {
        let signs = [
            element.id.as_str() == said("id"),
            element.classes.as_str() == said("classes"),
            element.text.as_str() == said("text"),
            screen.is_reachable(element),
        ];
        signs.into_iter().filter(|sign| *sign).count()
    };
    let there = screen.elements.iter().enumerate().filter(|(_, one)| stands_there(one));
    // Of equals, the first.
    there.rev().max_by_key(|(_, one)| likeness(one)).map(|(index, _)| index)
}

/// Performs an event, and records it with the screen before.
fn act(
    stage: &mut Stage<'_>,
    event: Event,
    is_key: bool,
    recorded: &mut Vec<RecordedEvent>,
) -> Result<()> {
    let screen = Arc::clone(&stage.screen);
    let seen = stage.perform(&event).with_context(|| event.to_string())?;
    if let Some(reason) = seen.blocked {
        bail!("{event}: {reason}");
    }
    let mut one = RecordedEvent::new(event, screen);
    one.is_key = is_key;
    recorded.push(one);
    Ok(())
}
