//! A device made for the semantics tests: a handful of elements, and a record of what reached it.

use capuchin::ui::{
    Crash, Device, DeviceError, DeviceEvents, DeviceInfo, Element, Event, Observation, Powers,
    Predicates, Rect, Role, Screen, Size, State, Str, Target, Value,
};
use std::sync::Arc;

/// Buttons `a` and `b` are logged; `crash` crashes; `toggle` shows and hides `extra`; `off` is
/// disabled; `late` crashes the app at the event after the next, as background work would; `f` is a
/// field; `count` says how often `a` was clicked.
pub(crate) struct Fake {
    info: DeviceInfo,
    /// The events that were performed since the last reset.
    pub(crate) performed: Vec<String>,
    /// How often it was reset.
    pub(crate) resets: u32,
    /// Fail like a device that is gone after so many events in all.
    pub(crate) lost_after: Option<usize>,
    /// Crash only on every second run.
    pub(crate) flaky: bool,
    /// Crash in the first run only.
    pub(crate) once: bool,
    events: usize,
    extra: bool,
    count: u32,
    late: Option<u32>,
    text: String,
}

impl Fake {
    pub(crate) fn new() -> Self {
        Fake {
            info: DeviceInfo::new("fake", Size::new(100, 200)).predicates(["even"]),
            performed: Vec::new(),
            resets: 0,
            lost_after: None,
            flaky: false,
            once: false,
            events: 0,
            extra: false,
            count: 0,
            late: None,
            text: String::new(),
        }
    }

    /// One that does not perform these device events.
    pub(crate) fn without(events: DeviceEvents) -> Self {
        let mut fake = Fake::new();
        fake.info.device_events -= events;
        fake
    }

    fn screen(&self) -> Arc<Screen> {
        let mut screen = Screen { viewport: Size::new(100, 200), ..Screen::default() };
        let shown = State::DISPLAYED | State::ENABLED;
        let button = shown | State::CLICKABLE;
        let mut add = |role, id: &str, text: String, state| {
            let y = screen.elements.len() as i32 * 10;
            screen.elements.push(Element {
                role,
                id: id.into(),
                text: text.into(),
                bounds: Rect::new(0, y, 100, 10),
                state,
                ..Element::default()
            });
        };
        for id in ["a", "b", "crash", "toggle", "late"] {
            add(Role::Button, id, format!("Button {id}"), button);
        }
        add(Role::Button, "off", "Off".into(), State::DISPLAYED | State::CLICKABLE);
        add(Role::Label, "count", format!("{} clicks", self.count), shown);
        if self.extra {
            add(Role::Button, "extra", "Extra".into(), button);
        }
        add(Role::Field, "f", String::new(), shown | State::EDITABLE);
        if let Some(field) = screen.elements.last_mut() {
            field.value = self.text.as_str().into();
        }
        Arc::new(screen)
    }
}

impl Device for Fake {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn reset(&mut self, _seed: u64) -> Result<Observation, DeviceError> {
        let kept = Fake { info: self.info.clone(), ..Fake::new() };
        let (resets, lost_after, events) = (self.resets + 1, self.lost_after, self.events);
        let Fake { flaky, once, .. } = *self;
        *self = Fake { resets, lost_after, flaky, once, events, ..kept };
        Ok(Observation::of(self.screen()))
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        assert!(event.is_concrete(), "a wildcard reached the device: {event}");
        self.info.require(event)?;
        self.events += 1;
        if self.lost_after.is_some_and(|most| self.events > most) {
            return Err(DeviceError::Lost { device: "fake".into(), reason: "unplugged".into() });
        }
        let screen = self.screen();
        let located = match screen.locate(event) {
            Ok(located) => located,
            Err(reason) => {
                return Ok(Observation::of(screen).blocked(reason));
            }
        };
        self.performed.push(event.to_string());
        let id = located.map_or("", |index| screen.elements[index].id.as_str());
        let mut crash = None;
        match (event, id) {
            (Event::Click(Target::One(_)), "a") => self.count += 1,
            (Event::Click(_), "toggle") => self.extra = !self.extra,
            (Event::Click(_), "crash")
                if (!self.flaky || self.resets.is_multiple_of(2))
                    && (!self.once || self.resets == 1) =>
            {
                crash = Some(Crash::new("NullPointerException").at("Main.java:7"));
            }
            (Event::Click(_), "late") => self.late = Some(2),
            (Event::Type(_, text), _) => self.text.push_str(text),
            _ => {}
        }
        self.late = self.late.map(|left| left - 1);
        if self.late == Some(0) {
            crash = Some(Crash::new("IllegalStateException").at("Timer.java:1"));
        }
        Ok(Observation::of(self.screen()).crashed(crash.map(Arc::new)))
    }

    fn powers(&mut self) -> Option<&mut dyn Powers> {
        Some(self)
    }
}

impl Powers for Fake {
    fn predicates(&mut self) -> Option<&mut dyn Predicates> {
        Some(self)
    }
}

impl Predicates for Fake {
    fn holds(&mut self, name: &str, _args: &[Value]) -> Result<bool, DeviceError> {
        match name {
            "even" => Ok(self.count.is_multiple_of(2)),
            _ => Err(self.info.unsupported(name)),
        }
    }

    fn value(&mut self, name: &str, args: &[Value]) -> Result<Option<Value>, DeviceError> {
        match (name, args) {
            ("plus", [Value::Number(more)]) => {
                Ok(Some(Value::Number(f64::from(self.count) + more)))
            }
            ("nothing", _) => Ok(None),
            _ => Err(self.info.unsupported(name)),
        }
    }
}

/// A click on the element with this id.
pub(crate) fn click_on(id: &str) -> Event {
    Event::Click(Target::id(Str::from(id)))
}
