//! The pilot that records: it chooses what a person is about to do, and keeps it with the screen.
//!
//! On its own because it is where a recording comes from. The device says what somebody is about to
//! do before the app sees it (`Probe::recorded`); the pilot chooses that as its next input, so it
//! is performed, watched and judged like any other.

use crate::format::Writer;
use crate::recording::{Assertion, Ending, Origin, RecordedEvent, Recording};
use capuchin::Probe;
use capuchin::prelude::{has_text, is_displayed};
use capuchin::steering::{Choice, Effect, NamedTrace, Pilot, Pilots};
use capuchin::trace::{Auto, Prop};
use capuchin::ui::{DeviceError, DeviceInfo, Lack, Recorded, Screen, Selector, Str};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The name of the policy: `auto "recording"`.
pub const RECORDING: &str = "recording";

/// How long the pilot waits for somebody before it looks whether it is to stop.
const LOOK_UP: Duration = Duration::from_millis(100);

/// Hears of each event when it was recorded, before it is performed. It may call the log.
pub type OnRecorded = Box<dyn FnMut(usize, &RecordedEvent) + Send>;

/// Hears of what somebody did that no event stands for. It may call the log.
pub type OnLack = Box<dyn FnMut(&Lack) + Send>;

/// A recording that is being made: kept in memory, written as it grows, told to whoever listens.
///
/// It is shared: the pilot adds events to it, and whoever talks to the person marks some of them.
#[derive(Clone, Default)]
pub struct RecordingLog(Arc<Mutex<State>>);

/// Is told whether something holds.
type OnAnswer = Box<dyn FnOnce(bool) + Send>;

#[derive(Default)]
struct State {
    recording: Recording,
    to: Option<Box<dyn Write + Send>>,
    writer: Option<Writer<Box<dyn Write + Send>>>,
    on_recorded: Option<OnRecorded>,
    on_lack: Option<OnLack>,
    /// What is to be asserted if it holds, and who is told.
    asked: Vec<(Prop, OnAnswer)>,
    is_stopped: bool,
    interrupt: Option<Arc<AtomicBool>>,
    /// What the user calls the device.
    device: Option<Str>,
    /// The first error of the writer. The recording goes on in memory.
    error: Option<io::Error>,
    /// What the user calls the app.
    app: Option<Str>,
    has_begun: bool,
}

impl RecordingLog {
    /// A recording in memory.
    pub fn new() -> Self {
        RecordingLog::default()
    }

    /// The same, written to a file as it grows.
    #[must_use]
    pub fn written_to(self, to: impl Write + Send + 'static) -> Self {
        self.lock().to = Some(Box::new(to));
        self
    }

    /// The same, which tells of each event.
    #[must_use]
    pub fn on_recorded(self, tell: impl FnMut(usize, &RecordedEvent) + Send + 'static) -> Self {
        self.lock().on_recorded = Some(Box::new(tell));
        self
    }

    /// The same, which tells of what somebody did that no event stands for.
    #[must_use]
    pub fn on_lack(self, tell: impl FnMut(&Lack) + Send + 'static) -> Self {
        self.lock().on_lack = Some(Box::new(tell));
        self
    }

    /// The same, which ends when this is set.
    #[must_use]
    pub fn stopped_by(self, interrupt: Arc<AtomicBool>) -> Self {
        self.lock().interrupt = Some(interrupt);
        self
    }

    /// The same on a device that is called so: the one that is recorded on may have more options.
    #[must_use]
    pub fn on_device(self, device: impl Into<Str>) -> Self {
        self.lock().device = Some(device.into());
        self
    }

    /// The same of an app that is called so, instead of the place where it begins.
    #[must_use]
    pub fn of_app(self, app: impl Into<Str>) -> Self {
        self.lock().app = Some(app.into());
        self
    }

    /// Marks an event as a key event, or takes the mark away; whether there is such an event.
    pub fn mark_key(&self, index: usize, is_key: bool) -> bool {
        let mut state = self.lock();
        let Some(event) = state.recording.events.get_mut(index) else { return false };
        event.is_key = is_key;
        state.write(|writer| writer.mark_key(index, is_key));
        true
    }

    /// Adds something that is to hold now.
    pub fn assert(&self, property: impl Into<Str>) {
        let mut state = self.lock();
        let after = state.recording.events.len();
        let assertion = Assertion { after, property: property.into() };
        state.write(|writer| writer.assertion(&assertion));
        state.recording.assertions.push(assertion);
    }

    /// Adds a property if it holds on the screen that is there when the pilot looks up next, and
    /// says whether it does.
    pub fn assert_if_it_holds(&self, property: Prop, told: impl FnOnce(bool) + Send + 'static) {
        self.lock().asked.push((property, Box::new(told)));
    }

    /// Answers what was asked.
    fn answer(&self, app: &mut Probe<'_>) -> Result<(), DeviceError> {
        // Who is told may ask the log, which must not be locked then.
        let asked = std::mem::take(&mut self.lock().asked);
        for (property, told) in asked {
            let holds = app.holds(&property)?;
            if holds {
                self.assert(property.to_string());
            }
            told(holds);
        }
        Ok(())
    }

    /// Marks the last event as a key event; its index, if there is one.
    pub fn mark_last(&self) -> Option<usize> {
        let last = self.lock().recording.events.len().checked_sub(1)?;
        self.mark_key(last, true).then_some(last)
    }

    /// Adds that an element is displayed now, with this text unless it is empty.
    pub fn expect(&self, element: &Selector, text: &str) {
        let property = match text {
            "" => is_displayed(element.clone()),
            text => has_text(element.clone(), text),
        };
        self.assert(property.to_string());
    }

    /// Ends the recording when the pilot looks up next: nobody need do anything for that.
    pub fn stop(&self) {
        self.lock().is_stopped = true;
    }

    fn is_stopped(&self) -> bool {
        let state = self.lock();
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        state.is_stopped || state.interrupt.as_ref().is_some_and(is_set)
    }

    fn lacks(&self, lack: &Lack) {
        let mut state = self.lock();
        // Who is told may ask the log, which must not be locked then.
        let told = state.on_lack.take();
        drop(state);
        if let Some(mut tell) = told {
            tell(lack);
            self.lock().on_lack.get_or_insert(tell);
        }
    }

    /// What was recorded so far.
    pub fn recording(&self) -> Recording {
        self.lock().recording.clone()
    }

    /// Why the file could not be written, if it could not.
    pub fn error(&self) -> Option<io::Error> {
        self.lock().error.take()
    }

    /// How many bytes were written, and how many these were before they were compressed.
    pub fn size(&self) -> (u64, u64) {
        self.lock().writer.as_ref().map_or((0, 0), Writer::size)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, device: &DeviceInfo, screen: &Screen, seed: u64) {
        let mut state = self.lock();
        if std::mem::replace(&mut state.has_begun, true) {
            return;
        }
        let mut origin = Origin::new(device, screen, seed);
        origin.app = state.app.take().unwrap_or(origin.app);
        origin.device = state.device.take().unwrap_or(origin.device);
        if let Some(to) = state.to.take() {
            match Writer::new(to, &origin) {
                Ok(writer) => state.writer = Some(writer),
                Err(error) => state.error = Some(error),
            }
        }
        state.recording = Recording::new(origin);
    }

    fn add(&self, event: &RecordedEvent) {
        let mut state = self.lock();
        state.write(|writer| writer.event(event));
        let index = state.recording.events.len();
        state.recording.events.push(event.clone());
        // Who is told may mark it, or stop the log, which must not be locked then.
        let told = state.on_recorded.take();
        drop(state);
        if let Some(mut tell) = told {
            tell(index, event);
            self.lock().on_recorded.get_or_insert(tell);
        }
    }

    /// What is displayed now, which is where the recording ends if nothing follows.
    fn saw(&self, screen: &Screen) {
        self.lock().recording.last_screen = Some(Arc::new(screen.clone()));
    }

    fn end(&self) {
        let mut state = self.lock();
        let last = state.recording.last_screen.clone();
        state.write(|writer| writer.finish(last.as_deref()));
        state.recording.ending = Ending::Complete;
    }
}

impl State {
    fn write(&mut self, write: impl FnOnce(&mut Writer<Box<dyn Write + Send>>) -> io::Result<()>) {
        let Some(writer) = &mut self.writer else { return };
        if let Err(error) = write(writer) {
            // What was written until then reads.
            self.writer = None;
            self.error.get_or_insert(error);
        }
    }
}

/// Chooses what a person does until they have ended, and records it.
pub struct RecordingPilot {
    log: RecordingLog,
    seed: u64,
}

impl RecordingPilot {
    /// A pilot that records here.
    pub fn new(log: RecordingLog, seed: u64) -> Self {
        RecordingPilot { log, seed }
    }
}

impl RecordingPilot {
    fn stop(&mut self) -> Choice {
        self.log.end();
        Choice::Stop
    }
}

impl Pilots for RecordingLog {
    fn pilot(&self, auto: &Auto, _: &DeviceInfo, seed: u64) -> Option<Box<dyn Pilot>> {
        (auto.policy == RECORDING).then(|| Box::new(RecordingPilot::new(self.clone(), seed)) as _)
    }
}

impl Pilot for RecordingPilot {
    fn take_over(&mut self, app: &mut Probe<'_>, _: u32) {
        self.log.begin(app.info(), app.screen(), self.seed);
        self.log.saw(app.screen());
    }

    fn choose(&mut self, app: &mut Probe<'_>, _: &[NamedTrace]) -> Result<Choice, DeviceError> {
        let (event, screen) = loop {
            self.log.answer(app)?;
            match app.recorded(LOOK_UP)? {
                Recorded::Event(event, screen) => break (event, screen),
                Recorded::KeyEvent => _ = self.log.mark_last(),
                Recorded::Expected(element, text, _) => self.log.expect(&element, &text),
                Recorded::Lack(lack) => self.log.lacks(&lack),
                Recorded::End => return Ok(self.stop()),
                _ if self.log.is_stopped() => return Ok(self.stop()),
                _ => {}
            }
        };
        self.log.add(&RecordedEvent::new(event.clone(), screen));
        // As a try: what a person clicks in vain ends nothing.
        Ok(Choice::event(event))
    }

    fn saw(&mut self, effect: Effect<'_>, _: Option<u32>, app: &mut Probe<'_>) {
        self.log.saw(app.screen());
        // After a crash nobody can go on.
        if let Effect::Ended(_) = effect {
            self.log.end();
        }
    }

    fn hand_back(&mut self) {}
}
