//! A fake app of web pages: screens as a snapshot has them, and where each press leads.
//!
//! On its own because simulated apps have neither addresses nor classes, by which pages are told
//! apart.

use capuchin::Rules;
use capuchin::ui::{
    Device, DeviceError, DeviceInfo, Element, Event, Observation, Rect, Role, Screen, Size, State,
    Target,
};
use capuchin_record::{Origin, RecordedEvent, Recording, Replay, ReplayReport};
use std::sync::Arc;

pub(crate) const PHONE: i32 = 411;
pub(crate) const DESK: i32 = 1280;

/// Screens, and which element leads from which screen to which.
pub(crate) struct Pages {
    info: DeviceInfo,
    screens: Vec<Arc<Screen>>,
    presses: Vec<(usize, usize, usize)>,
    texts: Vec<(usize, usize, usize)>,
    at: usize,
    /// What was done: the screen and the element.
    pub(crate) done: Vec<(usize, usize)>,
}

impl Pages {
    pub(crate) fn new(screens: Vec<Screen>) -> Self {
        let info = DeviceInfo::new("pages", screens[0].viewport);
        let screens = screens.into_iter().map(Arc::new).collect();
        Pages { info, screens, presses: Vec::new(), texts: Vec::new(), at: 0, done: Vec::new() }
    }

    /// The same, where a press of this element of this screen leads to that screen.
    pub(crate) fn press(mut self, screen: usize, element: usize, to: usize) -> Self {
        self.presses.push((screen, element, to));
        self
    }

    /// The same, where a change of the text of this element leads to that screen.
    pub(crate) fn text(mut self, screen: usize, element: usize, to: usize) -> Self {
        self.texts.push((screen, element, to));
        self
    }

    /// Replays a recording on it.
    pub(crate) fn replay(&mut self, events: Vec<RecordedEvent>) -> ReplayReport {
        let mut recording = Recording::new(Origin::new(&self.info, &events[0].screen, 1));
        recording.events = events;
        Replay::new(recording).run(self, &Rules::seed(1)).expect("the fake works")
    }
}

impl Device for Pages {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn reset(&mut self, _: u64) -> Result<Observation, DeviceError> {
        (self.at, self.done) = (0, Vec::new());
        Ok(Observation::of(Arc::clone(&self.screens[0])))
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.info.require(event)?;
        let screen = Arc::clone(&self.screens[self.at]);
        let index = match screen.locate(event) {
            Ok(index) => index,
            Err(reason) => return Ok(Observation::of(screen).blocked(reason)),
        };
        let moves = match event {
            Event::Type(..) | Event::Clear(_) => &self.texts,
            _ => &self.presses,
        };
        if let (Some(index), Event::Click(_) | Event::Type(..) | Event::Clear(_)) = (index, event) {
            self.done.push((self.at, index));
            let leads = moves.iter().find(|(from, at, _)| (*from, *at) == (self.at, index));
            self.at = leads.map_or(self.at, |(.., to)| *to);
        }
        Ok(Observation::of(Arc::clone(&self.screens[self.at])))
    }
}

/// A screen of this width; what has no place is put below what stands before it.
pub(crate) fn page(width: i32, place: &str, elements: Vec<Element>) -> Screen {
    let place = format!("http://app.test/{place}");
    let viewport = Size::new(width, 800);
    let mut screen = Screen { viewport, place: place.into(), elements };
    for (index, element) in screen.elements.iter_mut().enumerate() {
        if element.bounds.is_empty() {
            element.bounds = Rect::new(0, index as i32 * 30, 120, 28);
        }
    }
    screen
}

pub(crate) fn element(role: Role, native: &str, text: &str, parent: Option<u32>) -> Element {
    let presses = matches!(role, Role::Link | Role::Button) || native == "label";
    let mut state = State::DISPLAYED | State::ENABLED;
    state.set(State::CLICKABLE, presses);
    Element { role, native: native.into(), text: text.into(), state, parent, ..Element::default() }
}

pub(crate) fn link(text: &str, leads_to: &str, parent: Option<u32>) -> Element {
    Element { leads_to: leads_to.into(), ..element(Role::Link, "a", text, parent) }
}

/// The same, out of sight.
pub(crate) fn hidden(mut element: Element) -> Element {
    element.state.remove(State::DISPLAYED);
    element
}

/// A click on an element of a screen.
pub(crate) fn click(screen: &Screen, index: usize) -> RecordedEvent {
    let event = Event::Click(Target::One(screen.name_of(index)));
    let mut recorded = RecordedEvent::new(event, Arc::new(screen.clone()));
    recorded.receiver = Some(index);
    recorded
}
