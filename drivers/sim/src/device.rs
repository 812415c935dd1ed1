//! The simulated device: one app, a virtual clock, a screen that is drawn after every change.
//!
//! Two screens are used in turn, so a caller that still holds the last one costs no memory.

use crate::guard::{guarded, install};
use crate::os::TimerLimit;
use crate::scroll::Scrolls;
use crate::{App, Away, Input, Os, Page};
use capuchin_ui::{
    Crash, Device, DeviceError, DeviceEvents, DeviceInfo, Direction, Event, Observation, Powers,
    Predicates, Recorded, Recorder, Screen, Size, State, Str, Toward, Value,
};
use std::sync::Arc;
use std::time::Duration;

/// How long every event but `Sleep` and `Skip` takes, in virtual milliseconds.
pub const EVENT_TAKES: u64 = 100;

/// The environment event that moves the virtual clock on. Every device takes it: the clock is its
/// own.
const CLOCK: &str = "clock";

/// The screen of a device that was not given another.
pub const VIEWPORT: Size = Size::new(360, 640);

/// A device that runs one app.
#[derive(Clone, Debug)]
pub struct SimDevice<A: App> {
    info: DeviceInfo,
    pristine: A,
    live: Live<A>,
    screen: Arc<Screen>,
    spare: Arc<Screen>,
    crash: Option<Arc<Crash>>,
    person: Option<Person>,
}

/// Somebody who does the same after every reset.
#[derive(Clone, Debug)]
struct Person {
    events: Vec<Event>,
    done: usize,
}

/// What changes while an app runs.
#[derive(Clone, Debug)]
struct Live<A> {
    app: A,
    os: Os,
    scrolls: Scrolls,
    focus: Str,
    changed: bool,
    unsettled: Option<Str>,
}

impl<A: App> SimDevice<A> {
    /// A device of this name with this app on it. It shows nothing before its first reset.
    pub fn new(name: impl Into<Str>, app: A) -> Self {
        install();
        let info = DeviceInfo::new(name, VIEWPORT)
            .predicates(A::PREDICATES.iter().copied())
            .environment(A::ENVIRONMENT.iter().copied().chain([CLOCK]));
        let live = Live {
            app: app.clone(),
            os: Os::new(VIEWPORT, 0),
            scrolls: Scrolls::default(),
            focus: Str::default(),
            changed: true,
            unsettled: None,
        };
        SimDevice {
            info,
            pristine: app,
            live,
            screen: Arc::default(),
            spare: Arc::default(),
            crash: None,
            person: None,
        }
    }

    /// The same device with a screen of another size.
    #[must_use]
    pub fn viewport(mut self, size: Size) -> Self {
        self.info.viewport = size;
        self
    }

    /// The same device, which performs only these device events.
    #[must_use]
    pub fn device_events(mut self, events: DeviceEvents) -> Self {
        self.info.device_events = events;
        self
    }

    /// The same device with a person at it, whom its recorder hands over: they do this after every
    /// reset, and then end. Each of these events is one of the person's, whatever else is performed
    /// in between.
    #[must_use]
    pub fn person(mut self, events: impl IntoIterator<Item = Event>) -> Self {
        self.person = Some(Person { events: events.into_iter().collect(), done: 0 });
        self
    }

    /// The app as it is now.
    pub fn app(&self) -> &A {
        &self.live.app
    }

    /// Runs the app's code, then draws the app if it may look different.
    fn step(&mut self, run: impl FnOnce(&mut Live<A>, &A, &Screen) -> Result<(), Crash>) {
        let SimDevice { live, pristine, screen, spare, .. } = self;
        live.unsettled = None;
        let result = guarded(|| {
            run(live, pristine, screen)?;
            if live.changed {
                live.draw(spare);
            }
            Ok(())
        });
        match result {
            Ok(()) if live.changed => {
                live.changed = false;
                std::mem::swap(screen, spare);
            }
            Ok(()) => {}
            Err(crash) => self.crash = Some(Arc::new(crash)),
        }
    }

    fn observation(&mut self) -> Observation {
        let mut observation = Observation::of(Arc::clone(&self.screen));
        observation.crash.clone_from(&self.crash);
        observation.unsettled.clone_from(&self.live.unsettled);
        observation.lacked = std::mem::take(&mut self.live.os.lacked);
        observation.app_time = Some(Duration::from_millis(self.live.os.now()));
        observation
    }
}

impl<A: App> Device for SimDevice<A> {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn reset(&mut self, seed: u64) -> Result<Observation, DeviceError> {
        self.crash = None;
        if let Some(person) = &mut self.person {
            person.done = 0;
        }
        let viewport = self.info.viewport;
        self.step(|live, pristine, _| {
            live.os.reset(viewport, seed);
            live.start(pristine)?;
            // What was set to run out at once runs out at once; no time passes.
            live.pass(pristine, 0)
        });
        if self.crash.is_some() {
            // It never got to draw itself: an empty screen, not that of the run before.
            self.screen = Arc::new(Screen { viewport, ..Screen::default() });
        }
        Ok(self.observation())
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.info.require(event)?;
        if self.crash.is_some() {
            return Ok(self.observation());
        }
        match self.screen.locate(event) {
            Err(blocked) => {
                self.live.unsettled = None;
                Ok(self.observation().blocked(blocked))
            }
            Ok(target) => {
                self.step(|live, pristine, screen| live.perform(pristine, screen, event, target));
                Ok(self.observation())
            }
        }
    }

    fn powers(&mut self) -> Option<&mut dyn Powers> {
        Some(self)
    }
}

impl<A: App> Powers for SimDevice<A> {
    fn predicates(&mut self) -> Option<&mut dyn Predicates> {
        Some(self)
    }

    fn recorder(&mut self) -> Option<&mut dyn Recorder> {
        if self.person.is_some() { Some(self) } else { None }
    }
}

impl<A: App> Recorder for SimDevice<A> {
    fn recorded(&mut self, _: Duration) -> Result<Recorded, DeviceError> {
        let Some(person) = &mut self.person else { return Ok(Recorded::End) };
        let Some(event) = person.events.get(person.done) else { return Ok(Recorded::End) };
        person.done += 1;
        Ok(Recorded::Event(event.clone(), Arc::clone(&self.screen)))
    }
}

impl<A: App> Predicates for SimDevice<A> {
    fn holds(&mut self, name: &str, args: &[Value]) -> Result<bool, DeviceError> {
        match guarded(|| Ok(self.live.app.predicate(name, args))) {
            Ok(Some(holds)) => Ok(holds),
            Ok(None) => Err(self.info.unsupported(format!("predicate {name}"))),
            Err(panic) => {
                let what = format!("predicate {name}: {}", panic.message);
                Err(DeviceError::NoAnswer { device: self.info.name.clone(), what })
            }
        }
    }
}

impl<A: App> Live<A> {
    /// The app from its initial value; what is stored stays.
    fn start(&mut self, pristine: &A) -> Result<(), Crash> {
        self.app.clone_from(pristine);
        self.os.relaunch();
        self.scrolls.clear();
        self.focus = Str::default();
        self.changed = true;
        self.app.handle(Input::Launch, &mut self.os)
    }

    fn send(&mut self, pristine: &A, input: Input<'_>) -> Result<(), Crash> {
        self.changed = true;
        self.app.handle(input, &mut self.os)?;
        if self.os.leaving { self.start(pristine) } else { Ok(()) }
    }

    /// Lets time pass, and with it the timers run out.
    fn pass(&mut self, pristine: &A, ms: u64) -> Result<(), Crash> {
        let until = self.os.now().saturating_add(ms);
        let mut limit = TimerLimit::new();
        loop {
            match self.os.next_due(until, &mut limit) {
                Ok(None) => return Ok(()),
                Ok(Some(due)) if due.background => {
                    self.send(pristine, Input::Background(&due.name))?;
                }
                Ok(Some(due)) => self.send(pristine, Input::Timer(&due.name))?,
                Err(name) => {
                    self.unsettled = Some(name);
                    return Ok(());
                }
            }
        }
    }

    fn perform(
        &mut self,
        pristine: &A,
        screen: &Screen,
        event: &Event,
        target: Option<usize>,
    ) -> Result<(), Crash> {
        match event {
            Event::Skip => return Ok(()),
            Event::Sleep(ms) => return self.pass(pristine, *ms),
            Event::Environment(environment) if environment.name == CLOCK => {
                let ms = match environment.args.first() {
                    Some(Value::Number(ms)) => ms.max(0.0) as u64,
                    _ => 0,
                };
                return self.pass(pristine, ms);
            }
            Event::Click(_) => {
                if let Some(id) = self.taker(screen, target, State::CLICKABLE) {
                    self.send(pristine, Input::Click(id))?;
                }
            }
            Event::LongClick(_) => {
                if let Some(id) = self.taker(screen, target, State::LONG_CLICKABLE) {
                    self.send(pristine, Input::LongClick(id))?;
                }
            }
            Event::DoubleClick(_) => {
                if let Some(id) = self.taker(screen, target, State::CLICKABLE) {
                    self.send(pristine, Input::Click(id))?;
                    self.send(pristine, Input::Click(id))?;
                    self.send(pristine, Input::DoubleClick(id))?;
                }
            }
            Event::Clear(_) => {
                if let Some(id) = self.taker(screen, target, State::EDITABLE) {
                    self.send(pristine, Input::Clear(id))?;
                }
            }
            Event::Type(_, text) => {
                if let Some(id) = self.taker(screen, target, State::EDITABLE) {
                    self.send(pristine, Input::Text { id, text })?;
                }
            }
            Event::Swipe(..) => {
                if let Some(id) = self.taker(screen, target, State::SCROLLABLE) {
                    let (dx, dy) = distance(screen, target, event);
                    match self.scrolls.by(id, -dy) {
                        Some(moved) => self.changed |= moved,
                        None => self.send(pristine, Input::Swipe { id, dx, dy })?,
                    }
                }
            }
            Event::Pinch(..) => self.send(pristine, Input::Pinch)?,
            Event::Press(key) => self.send(pristine, Input::Key(key))?,
            Event::ClickBack => self.send(pristine, Input::Back)?,
            Event::ClickMenu => self.send(pristine, Input::Menu)?,
            Event::ClickHome => self.interrupt(pristine, Away::Home)?,
            Event::Settings => self.interrupt(pristine, Away::Settings)?,
            Event::Rotate => {
                self.os.viewport = self.os.viewport.rotated();
                self.send(pristine, Input::Rotate(self.os.viewport))?;
            }
            Event::Environment(environment) => {
                self.send(pristine, Input::Environment(environment))?;
            }
            _ => {}
        }
        self.pass(pristine, EVENT_TAKES)
    }

    fn interrupt(&mut self, pristine: &A, away: Away) -> Result<(), Crash> {
        self.send(pristine, Input::Suspend(away))?;
        self.send(pristine, Input::Resume(away))
    }

    /// The name of the element that takes the event: the target, or what the target is part of.
    fn taker<'s>(
        &mut self,
        screen: &'s Screen,
        target: Option<usize>,
        takes: State,
    ) -> Option<&'s str> {
        let target = target?;
        let takes_it = |index: &usize| screen.elements[*index].is(takes | State::DISPLAYED);
        let index =
            Some(target).filter(takes_it).or_else(|| screen.ancestors(target).find(takes_it))?;
        let element = &screen.elements[index];
        if !element.is(State::ENABLED) {
            return None;
        }
        if element.is(State::EDITABLE) && self.focus != element.id {
            self.focus = element.id.clone();
            self.changed = true;
        }
        Some(if element.id.is_empty() { &element.text } else { &element.id })
    }

    /// Draws the app on a screen that nobody else looks at.
    fn draw(&mut self, spare: &mut Arc<Screen>) {
        if Arc::get_mut(spare).is_none() {
            let capacity = spare.elements.capacity();
            let elements = Vec::with_capacity(capacity);
            *spare = Arc::new(Screen { elements, ..Screen::default() });
        }
        let Some(screen) = Arc::get_mut(spare) else { return };
        screen.elements.clear();
        screen.place = Str::default();
        screen.viewport = self.os.viewport;
        self.scrolls.begin();
        let mut page = Page::new(screen, &mut self.scrolls);
        self.app.view(&mut page);
        let has_opaque = page.has_opaque;
        self.scrolls.end();
        if has_opaque {
            screen.mark_covered();
        }
        if !self.focus.is_empty() {
            let focused = screen.elements.iter_mut().find(|element| {
                element.is(State::EDITABLE | State::ENABLED) && element.id == self.focus
            });
            match focused {
                Some(element) => element.state |= State::FOCUSED,
                None => self.focus = Str::default(),
            }
        }
    }
}

/// How far the finger moves: a swipe in a direction covers four fifths of the element.
fn distance(screen: &Screen, target: Option<usize>, swipe: &Event) -> (i32, i32) {
    let bounds = target.map(|index| screen.elements[index].bounds).unwrap_or_default();
    if let Ok(Some(end)) = screen.swiped_to(swipe) {
        let start = screen.touched_at(swipe, target).unwrap_or(end);
        return (end.x - start.x, end.y - start.y);
    }
    let (across, down) = (bounds.width * 4 / 5, bounds.height * 4 / 5);
    match swipe {
        Event::Swipe(_, Toward::Direction(Direction::Up)) => (0, -down),
        Event::Swipe(_, Toward::Direction(Direction::Down)) => (0, down),
        Event::Swipe(_, Toward::Direction(Direction::Left)) => (-across, 0),
        Event::Swipe(_, Toward::Direction(Direction::Right)) => (across, 0),
        _ => (0, 0),
    }
}
