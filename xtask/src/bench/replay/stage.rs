//! An app on one device, ready for a scenario: its data and its log-in are brought back at every
//! reset, and whoever performs events on it is watched.
//!
//! On its own because it is a device like any other to the replay, which is not shown what the page
//! answers here: goals and true counterparts.

use super::devices::BenchDevice;
use super::installed::Served;
use super::person::Person;
use super::scenarios::{Case, Scenario};
use super::steps;
use anyhow::{Context, Result, anyhow};
use capuchin::ui::{
    Device, DeviceError, DeviceInfo, Element, Event, Observation, Place, Powers, Recorded, Role,
    Screen, Script, State, Target, Value as Argument,
};
use capuchin_web::{Opener, Options, WebDevice};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Asks the page. What it may be asked is in the script.
const PAGE: &str = include_str!("page.js");
/// How much of the page's time passes before a goal is asked for again, and how often.
const GOAL_PAUSE: u64 = 500;
const GOAL_QUESTIONS: usize = 4;

/// How long the recorder may take to hand over what the person did, and what belongs to it.
const FIRST_GESTURE: Duration = Duration::from_secs(5);
const NEXT_GESTURE: Duration = Duration::from_millis(300);

/// The windows of the browser in which an app asks something, and how many in a row are accepted.
const DIALOGS: [&str; 4] = ["alert", "confirm", "prompt", "beforeunload"];
const MOST_DIALOGS: usize = 20;

/// An event that was performed, and what the page said of its receiver.
#[derive(Clone, Debug)]
pub(super) struct Performed {
    pub(super) event: Event,
    /// Of which key events this element is a true counterpart.
    pub(super) right: BTreeMap<String, bool>,
    pub(super) blocked: Option<String>,
    /// What was displayed before.
    pub(super) screen: Arc<Screen>,
}

/// An app on a device.
pub(super) struct Stage<'a> {
    device: WebDevice,
    /// Who uses the app where it is recorded.
    person: Option<Person>,
    is_phone: bool,
    case: &'a Case,
    scenario: &'a Scenario,
    served: &'a Served,
    truths: BTreeMap<String, String>,
    pub(super) screen: Arc<Screen>,
    pub(super) performed: Vec<Performed>,
}

impl<'a> Stage<'a> {
    /// Opens the app of a scenario on a device.
    pub(super) fn open(
        case: &'a Case,
        scenario: &'a Scenario,
        served: &'a Served,
        on: &BenchDevice,
        is_recorded: bool,
    ) -> Result<Self> {
        let start = scenario.start.as_deref().unwrap_or(&case.serve.index);
        let address = format!("{}{start}", served.base);
        let record = if is_recorded { " record debugging-port=0" } else { "" };
        let text =
            format!("{address} {} crash=-exceptions,-rejections,-hangs{record}", on.options());
        let mut options = Options::parse(&text)?;
        options.scripts = vec![Script {
            name: "page".into(),
            parameters: vec!["question".into()],
            source: PAGE.to_owned(),
            is_value: true,
        }];
        let device = Opener::new(format!("web:{}-{}", case.id, on.name), options).open()?;
        let truths = scenario.truths(on.layout);
        let (screen, performed, person) = (Arc::default(), Vec::new(), None);
        let is_phone = on.is_mobile;
        Ok(Stage { device, person, is_phone, case, scenario, served, truths, screen, performed })
    }

    /// Lets a person come to the page: from now on, steps go through the recorder.
    pub(super) fn invite(&mut self) -> Result<()> {
        let recorder = self.device.powers().and_then(Powers::recorder);
        let endpoint = recorder.and_then(|recorder| recorder.endpoint());
        let endpoint = endpoint.context("the device has no address")?;
        self.person = Some(Person::at(&endpoint, self.is_phone)?);
        Ok(())
    }

    /// Whether steps go through the recorder.
    pub(super) fn has_person(&self) -> bool {
        self.person.is_some()
    }

    /// Lets the person do something, performs what the recorder makes of it, and returns each event
    /// with the screen that it happened on. Nothing, if the recorder heard nothing.
    pub(super) fn let_person(
        &mut self,
        act: impl FnOnce(&mut Person) -> Result<()>,
    ) -> Result<Vec<(Event, Arc<Screen>)>> {
        act(self.person.as_mut().context("there is nobody")?)?;
        let mut events = Vec::new();
        let mut timeout = FIRST_GESTURE;
        loop {
            let recorder = self.device.powers().and_then(Powers::recorder);
            let recorder = recorder.context("the device records nothing")?;
            match recorder.recorded(timeout)? {
                Recorded::Event(event, screen) => {
                    self.screen = Arc::clone(&screen);
                    let seen = self.perform(&event)?;
                    if let Some(reason) = seen.blocked {
                        anyhow::bail!("{event}: {reason}");
                    }
                    events.push((event, screen));
                    timeout = NEXT_GESTURE;
                }
                Recorded::Nothing | Recorded::End => return Ok(events),
                _ => {}
            }
        }
    }

    /// Asks the page something.
    pub(super) fn ask(&mut self, question: &Value) -> Result<Value> {
        let predicates = self.device.powers().and_then(Powers::predicates);
        let predicates = predicates.context("the device answers no questions")?;
        let question = question.to_string();
        match predicates.value("page", &[Argument::Text(question.into())])? {
            Some(Argument::Text(answer)) => Ok(serde_json::from_str(&answer)?),
            other => Err(anyhow!("the page answers {other:?}")),
        }
    }

    /// Whether the goal of the scenario is reached, now or soon.
    pub(super) fn reaches_goal(&mut self) -> Result<bool> {
        let question = json!({"ask": "goal", "goal": self.scenario.goal});
        for _ in 1..GOAL_QUESTIONS {
            if self.ask(&question)? == Value::Bool(true) {
                return Ok(true);
            }
            self.wait(GOAL_PAUSE)?;
        }
        Ok(self.ask(&question)? == Value::Bool(true))
    }

    /// The true counterparts that are on the screen now: of each key event, their indices.
    pub(super) fn truths_on_screen(&mut self) -> Result<BTreeMap<String, Vec<usize>>> {
        let answer = self.ask(&json!({"ask": "truths", "truths": self.truths}))?;
        let screen = Arc::clone(&self.screen);
        let of = |nodes: &Value| -> Vec<usize> {
            let nodes = nodes.as_array().map_or(&[][..], Vec::as_slice);
            nodes.iter().filter_map(|node| steps::standing_for(&screen, node)).collect()
        };
        let answer = answer.as_object().cloned().unwrap_or_default();
        Ok(answer.iter().map(|(k, nodes)| (k.clone(), of(nodes))).collect())
    }

    /// Lets time pass, as somebody who waits.
    pub(super) fn wait(&mut self, millis: u64) -> Result<()> {
        let seen = self.device.perform(&Event::Sleep(millis))?;
        self.past_dialogs(seen)?;
        Ok(())
    }

    /// Resets the app, logs in, and goes to where the scenario begins.
    fn begin(&mut self, seed: u64) -> Result<Observation> {
        self.served.reset()?;
        let seen = self.device.reset(seed)?;
        let mut seen = self.past_dialogs(seen)?;
        if let Some(millis) = self.case.serve.wait {
            seen = self.device.perform(&Event::Sleep(millis))?;
            seen = self.past_dialogs(seen)?;
        }
        for step in &self.case.setup {
            steps::perform(self, step, &mut Vec::new())
                .with_context(|| format!("setup: {step}"))?;
        }
        if !self.case.setup.is_empty() {
            if let Some(start) = &self.scenario.start {
                let url = format!("{}{start}", self.served.base);
                self.ask(&json!({"ask": "go", "url": url}))?;
            }
            seen = self.device.perform(&Event::Sleep(1))?;
            seen = self.past_dialogs(seen)?;
        }
        self.performed.clear();
        Ok(seen)
    }

    /// Accepts what the app asks in a window of the browser, as whoever wrote the scenarios did.
    fn past_dialogs(&mut self, mut seen: Observation) -> Result<Observation, DeviceError> {
        for _ in 0..MOST_DIALOGS {
            let asks = |element: &Element| {
                element.role == Role::Dialog && DIALOGS.contains(&element.native.as_str())
            };
            if !seen.screen.elements.iter().any(asks) {
                break;
            }
            let blocked = seen.blocked.take();
            seen = self.device.perform(&Event::Press("Enter".into()))?;
            seen.blocked = blocked;
        }
        self.screen = Arc::clone(&seen.screen);
        Ok(seen)
    }

    /// Of which key events the receiver of an event is a true counterpart.
    fn judge(&mut self, event: &Event) -> BTreeMap<String, bool> {
        if self.truths.is_empty() {
            return BTreeMap::new();
        }
        let question = match (event, event.target()) {
            (_, Some(Target::Place(Place::At(point)))) => json!({"point": [point.x, point.y]}),
            (Event::Press(_), _) => {
                let focused = |element: &&Element| element.is(State::FOCUSED);
                match self.screen.elements.iter().rev().find(focused) {
                    Some(element) => json!({"row": row(&self.screen, element)}),
                    None => return BTreeMap::new(),
                }
            }
            _ => match self.screen.locate(event) {
                Ok(Some(index)) => {
                    json!({"row": row(&self.screen, &self.screen.elements[index])})
                }
                _ => return BTreeMap::new(),
            },
        };
        let mut question = question;
        question["ask"] = json!("judge");
        question["truths"] = json!(self.truths);
        let answer = self.ask(&question).unwrap_or_default();
        let right = answer["right"].as_object().cloned().unwrap_or_default();
        right.into_iter().map(|(k, is_right)| (k, is_right == Value::Bool(true))).collect()
    }
}

/// An element as the page finds it again. A choice stands where the select is that it belongs to.
fn row(screen: &Screen, element: &Element) -> Value {
    let outer = element.parent.and_then(|parent| screen.elements.get(parent as usize));
    let mut shown = element;
    if element.native == "option" {
        shown = outer.filter(|outer| outer.native == "select").unwrap_or(element);
    }
    let bounds = shown.bounds;
    json!({
        "text": shown.text.as_str(), "isReachable": screen.is_reachable(shown),
        "tag": shown.native.as_str(), "id": shown.id.as_str(), "classes": shown.classes.as_str(),
        "bounds": [bounds.x, bounds.y, bounds.width, bounds.height],
        "leadsTo": shown.leads_to.as_str(),
    })
}

/// An error of ours as one of the device.
fn as_device_error(error: &anyhow::Error) -> DeviceError {
    match error.downcast_ref::<DeviceError>() {
        Some(error) => error.clone(),
        None => DeviceError::Request(format!("{error:#}")),
    }
}

impl Device for Stage<'_> {
    fn info(&self) -> &DeviceInfo {
        self.device.info()
    }

    fn reset(&mut self, seed: u64) -> Result<Observation, DeviceError> {
        self.begin(seed).map_err(|error| as_device_error(&error))
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        let right = self.judge(event);
        let screen = Arc::clone(&self.screen);
        let seen = self.device.perform(event)?;
        let blocked = seen.blocked.as_ref().map(ToString::to_string);
        self.performed.push(Performed { event: event.clone(), right, blocked, screen });
        self.past_dialogs(seen)
    }

    fn powers(&mut self) -> Option<&mut dyn Powers> {
        self.device.powers()
    }
}
