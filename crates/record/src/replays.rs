//! A recording that is replayed several times as the cases of one check: a success is so many
//! replays in a row that agree.
//!
//! On its own because it is the composition for the run loop: a [`Replay`] decides what to do about
//! each event, and this says when a replay begins anew, when it is given up, what it must reach and
//! what is told of it. Monitors, budgets, lost devices and the log are those of every check.

use crate::healed::Performed;
use crate::recording::Recording;
use crate::replay::{REPLAY, Replay, ReplayPilot};
use crate::report::ReplayReport;
use crate::{another_app, described, healed, replay_account};
use capuchin::log::RecordingReplay;
use capuchin::steering::{Choice, Effect, NamedTrace, Pilot, PilotPool, Pilots};
use capuchin::trace::prelude::auto;
use capuchin::trace::{Auto, Prop};
use capuchin::ui::{Blocked, DeviceError, DeviceInfo, Picture, Screen};
use capuchin::{Conclusion, Config, Plan, Probe, Verdict};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the check is called in reports.
const CHECK: &str = "replay";

/// A recording that is replayed several times, and what came of each.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use capuchin::{Config, Conclusion, log::RunEvent};
/// use capuchin_record::{Recording, Replay, Replays};
///
/// # let recording = Recording::default();
/// let replays = Replays::of(Replay::new(recording), "signin.capr");
/// let plan = replays.plan(2, Config::default());
/// # let _ = (plan, RunEvent::Unknown, Conclusion::Held);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Replays {
    replay: Replay,
    name: Arc<str>,
    goal: Option<Prop>,
    /// The properties of the recording's assertions, in their order.
    assertions: Arc<[Prop]>,
    takes_pictures: bool,
    /// Whether the recording has selectors instead of screens.
    is_described: bool,
    done: Arc<Mutex<Vec<Done>>>,
}

/// A replay that was begun.
#[derive(Clone, Default)]
pub(crate) struct Done {
    pub(crate) report: ReplayReport,
    /// Of each assertion, whether it held; `None` if the replay did not come so far.
    pub(crate) assertions: Vec<Option<bool>>,
    /// Why it was over before the last event, if it was.
    pub(crate) ended: Option<String>,
    /// Whether that is because nothing of the recording is there.
    pub(crate) is_another_app: bool,
    /// Whether it came to an end: its device was not lost, and nobody interrupted it.
    pub(crate) is_over: bool,
    /// Photographs of the screens on which events were decided, by the number of the event; that of
    /// the last screen is after them.
    pub(crate) pictures: BTreeMap<usize, Arc<Picture>>,
    /// What was sent to the device, in order.
    pub(crate) performed: Vec<Performed>,
}

impl Done {
    /// Whether every key event was performed, and everything that was to hold did.
    pub(crate) fn succeeded(&self, recording: &Recording) -> bool {
        let holds = !self.assertions.contains(&Some(false));
        self.is_over
            && self.ended.is_none()
            && holds
            && self.did_something(recording)
            && self.report.succeeded()
    }

    /// Whether an event was performed that says something about the app: a key or Back can be
    /// pressed in any.
    pub(crate) fn did_something(&self, recording: &Recording) -> bool {
        let has_receiver = |index: usize| recording.events[index].receiver.is_some();
        let is_needed = (0..recording.events.len()).any(has_receiver);
        let mut performed = self.report.events.iter().filter(|event| event.is_performed());
        performed.any(|event| !is_needed || has_receiver(event.index))
    }
}

impl Replays {
    /// Replays of this recording, which is called so in reports.
    pub fn of(replay: Replay, name: &str) -> Self {
        let is_described = replay.recording().is_described();
        Replays {
            replay,
            is_described,
            name: name.into(),
            goal: None,
            assertions: Arc::default(),
            takes_pictures: false,
            done: Arc::default(),
        }
    }

    /// The same with a property that must hold at the end of each.
    #[must_use]
    pub fn goal(mut self, goal: Prop) -> Self {
        self.goal = Some(goal);
        self
    }

    /// The same with the properties of the recording's assertions, in their order: a recording has
    /// them as text. What is asserted after an event is judged once that was replayed or left out.
    #[must_use]
    pub fn assertions(mut self, properties: impl IntoIterator<Item = Prop>) -> Self {
        self.assertions = properties.into_iter().collect();
        self
    }

    /// The same with photographs of the screens, where the device takes them. Without, screens are
    /// drawn.
    #[must_use]
    pub fn pictures(mut self) -> Self {
        self.takes_pictures = true;
        self
    }

    /// The check that replays so many times, with the seed of this configuration. Monitors can be
    /// added to it.
    pub fn plan(&self, times: u32, config: Config) -> Plan {
        let mut config = config;
        (config.cases, config.same_seed) = (times, true);
        let mut plan = Plan::new(CHECK, auto(REPLAY, u32::MAX), config);
        plan.pilots = PilotPool::new(Arc::new(self.clone()));
        plan
    }

    /// What is replayed.
    pub fn recording(&self) -> &Recording {
        self.replay.recording()
    }

    /// What came of each replay so far.
    pub fn reports(&self) -> Vec<ReplayReport> {
        self.lock().iter().map(|done| done.report.clone()).collect()
    }

    /// What the run comes to, where its check came to this: it holds if as many replays as there
    /// should be succeeded and agree. If no event was performed in any, nothing was checked.
    pub fn conclusion(&self, times: u32, check: Conclusion) -> Conclusion {
        if check != Conclusion::Held {
            return check;
        }
        let done = self.lock();
        let is_whole = done.len() == times as usize
            && done.iter().all(|done| done.succeeded(self.recording()));
        let agree = done.windows(2).all(|two| two[0].report.agrees_with(&two[1].report));
        match is_whole && agree {
            true => Conclusion::Held,
            false if !done.iter().any(|done| done.did_something(self.recording())) => {
                Conclusion::NothingChecked
            }
            false => Conclusion::Violated,
        }
    }

    /// The recording as it was replayed last: the events that were performed, aimed at the elements
    /// that got them, with those that revealed receivers. `None` unless that replay succeeded.
    pub fn healed(&self, device: &str) -> Option<Recording> {
        let done = self.lock();
        let last = done.last().filter(|done| done.succeeded(self.recording()))?;
        Some(healed::recording(self.recording(), last, device))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Done>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accounts(&self) -> Vec<RecordingReplay> {
        let done = self.lock();
        let number = |index: usize| index as u32 + 1;
        let one = |(index, one): (usize, &Done)| {
            let before = index.checked_sub(1).map(|before| &done[before]);
            let mut account = replay_account::account(number(index), self.recording(), one, before);
            account.recording = self.name.to_string();
            account.goal = self.goal.as_ref().map(|goal| (goal.to_string(), one.report.goal));
            account
        };
        done.iter().enumerate().map(one).collect()
    }
}

impl Pilots for Replays {
    fn pilot(&self, auto: &Auto, _: &DeviceInfo, _: u64) -> Option<Box<dyn Pilot>> {
        self.lock().clear();
        let pilot = ReplaysPilot {
            pilot: ReplayPilot::new(self.replay.clone()),
            replays: self.clone(),
            now: Done::default(),
            sent: None,
        };
        (auto.policy == REPLAY).then(|| Box::new(pilot) as _)
    }
}

/// Replays once for each case.
struct ReplaysPilot {
    replays: Replays,
    /// That of the replay that is going on.
    pilot: ReplayPilot,
    now: Done,
    sent: Option<Performed>,
}

impl ReplaysPilot {
    /// How many events were decided.
    fn settled(&self) -> usize {
        self.replays.replay.settled()
    }

    /// Judges what is asserted after what was decided so far.
    fn judge_assertions(&mut self, app: &mut Probe<'_>) -> Result<(), DeviceError> {
        let settled = self.settled();
        let asserted = self.replays.replay.recording().assertions.iter();
        for (index, (assertion, property)) in
            asserted.zip(self.replays.assertions.iter()).enumerate()
        {
            if assertion.after <= settled && self.now.assertions[index].is_none() {
                self.now.assertions[index] = Some(app.holds(property)?);
            }
        }
        Ok(())
    }

    /// Why it makes no sense to go on, if it does not.
    fn gives_up(&mut self, screen: &Screen) -> Option<String> {
        let reason = match self.replays.lock().last() {
            Some(Done { is_another_app: true, ended, .. }) if self.settled() == 0 => ended.clone(),
            _ => another_app::reason(&self.replays.replay, screen),
        };
        self.now.is_another_app |= reason.is_some();
        reason
    }

    /// Whether the recorded event is about to go to an element that is only like the one that was
    /// described. Each screen is refused once, so this comes to an end.
    fn is_guessed(&self, screen: &Screen) -> bool {
        let recording = self.replays.recording();
        let element = self.pilot.receiver().and_then(|index| screen.elements.get(index));
        let recorded = recording.events.get(self.settled());
        self.replays.is_described
            && matches!((element, recorded), (Some(it), Some(event)) if !described::is_it(event, it))
    }

    fn stop(&mut self, app: &mut Probe<'_>) -> Result<Choice, DeviceError> {
        let goal = match &self.replays.goal {
            Some(goal) if self.now.ended.is_none() => Some(app.holds(goal)?),
            _ => None,
        };
        self.now.report.goal = goal;
        self.end(Verdict::Succeeded, app);
        Ok(Choice::Stop)
    }

    fn end(&mut self, verdict: Verdict, app: &mut Probe<'_>) {
        self.now.report.verdict = Some(verdict);
        self.now.report.last_screen = Some(Arc::new(app.screen().clone()));
        self.now.is_over = true;
    }

    /// A camera that fails costs a picture and nothing else.
    fn photograph(&self, app: &mut Probe<'_>) -> Option<Arc<Picture>> {
        let picture = self.replays.takes_pictures.then(|| app.picture().ok().flatten());
        picture.flatten().map(Arc::new)
    }
}

impl Pilot for ReplaysPilot {
    fn take_over(&mut self, app: &mut Probe<'_>, fresh: u32) {
        // A replay whose device was lost is run again, from its beginning.
        self.replays.lock().pop_if(|done| !done.is_over);
        self.pilot = ReplayPilot::new(self.replays.replay.clone());
        let assertions = vec![None; self.replays.assertions.len()];
        (self.now, self.sent) = (Done { assertions, ..Done::default() }, None);
        self.pilot.take_over(app, fresh);
    }

    fn choose(
        &mut self,
        app: &mut Probe<'_>,
        offered: &[NamedTrace],
    ) -> Result<Choice, DeviceError> {
        self.judge_assertions(app)?;
        let before = self.settled();
        let picture = self.photograph(app);
        if let Some(reason) = self.gives_up(app.screen()) {
            self.now.ended = Some(reason);
            return self.stop(app);
        }
        let mut choice = self.pilot.choose(app, offered)?;
        while self.is_guessed(app.screen()) {
            self.pilot.saw(Effect::Blocked(&Blocked::Absent), None, app);
            choice = self.pilot.choose(app, offered)?;
        }
        if let Some(picture) = picture {
            let decided = before..=self.settled();
            self.now.pictures.extend(decided.map(|event| (event, Arc::clone(&picture))));
        }
        match &choice {
            Choice::Stop => {
                self.judge_assertions(app)?;
                self.stop(app)
            }
            Choice::Run(trace) => {
                self.sent = Performed::new(trace, app.screen(), self.settled());
                Ok(choice)
            }
        }
    }

    fn saw(&mut self, effect: Effect<'_>, fresh: Option<u32>, app: &mut Probe<'_>) {
        self.pilot.saw(effect, fresh, app);
        if let (Some(mut sent), Effect::Done | Effect::Ended(_)) = (self.sent.take(), effect) {
            sent.is_recorded = self.settled() > sent.event_index;
            self.now.performed.push(sent);
        }
        if let Effect::Ended(verdict) = effect {
            self.now.ended = Some(verdict.to_string());
            self.end(verdict.clone(), app);
        }
    }

    fn hand_back(&mut self) {
        self.pilot.hand_back();
        let mut done = std::mem::take(&mut self.now);
        let ReplayReport { verdict, goal, last_screen, .. } = std::mem::take(&mut done.report);
        done.report = ReplayReport { verdict, goal, last_screen, ..self.replays.replay.report() };
        if !done.is_over {
            done.ended = Some(
                "the run ended in the middle of it: interrupted, out of time, or without a device"
                    .to_owned(),
            );
        }
        self.replays.lock().push(done);
    }

    fn replays(&self) -> Vec<RecordingReplay> {
        self.replays.accounts()
    }
}
