//! The replay of algorithm 1 of the Rx paper, as a pilot over the run loop: greedy, one pass, no
//! restart.
//!
//! For each recorded event its receiver is looked for on the present screen. If it is not there,
//! responsive actions are tried, the simplest first, each with its inverse on a stack. If nothing
//! reveals it, what was done is undone, and the event is dropped as a triggering one, or refused.

use crate::decision::{Decision, DropReason, RefusalReason, ReplayedEvent, UndoOutcome};
use crate::key_events::{is_scroll, is_there, key_events};
use crate::matching::{Candidate, Matched};
use crate::options::ReplayOptions;
use crate::recording::{RecordedEvent, Recording};
use crate::report::ReplayReport;
use crate::reveal::{Attempt, OPENERS, Proposal};
use crate::situation::Situation;
use capuchin::steering::{Choice, Effect, NamedTrace, Pilot, PilotPool, Pilots};
use capuchin::trace::{Auto, Prop, Trace};
use capuchin::ui::{
    Device, DeviceError, DeviceInfo, Event, Place, Point, Screen, State, Target, Toward,
};
use capuchin::{Flow, Probe, Rules, Session};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of the policy: `auto "replay"`.
pub const REPLAY: &str = "replay";

/// A recording that is to be replayed, and what came of it.
#[derive(Clone)]
pub struct Replay {
    recording: Arc<Recording>,
    options: Arc<ReplayOptions>,
    /// Of each event, whether it is a key event; the others only open the way.
    keys: Arc<Vec<bool>>,
    goal: Option<Prop>,
    report: Arc<Mutex<ReplayReport>>,
}

impl Replay {
    /// A replay as it is usual.
    pub fn new(recording: impl Into<Arc<Recording>>) -> Self {
        Replay::with(recording, ReplayOptions::default())
    }

    /// A replay that decides otherwise.
    pub fn with(recording: impl Into<Arc<Recording>>, options: ReplayOptions) -> Self {
        let recording = recording.into();
        let keys = key_events(&recording, &options);
        Replay {
            recording,
            options: Arc::new(options),
            keys: Arc::new(keys),
            goal: None,
            report: Arc::default(),
        }
    }

    /// The same with a property that must hold at the end.
    #[must_use]
    pub fn goal(mut self, goal: Prop) -> Self {
        self.goal = Some(goal);
        self
    }

    /// What is replayed.
    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// How it decides.
    pub fn options(&self) -> &ReplayOptions {
        &self.options
    }

    /// How many events were decided so far.
    pub fn settled(&self) -> usize {
        self.lock().events.len()
    }

    /// What came of it so far.
    pub fn report(&self) -> ReplayReport {
        self.lock().clone()
    }

    /// Resets a device and replays on it, under these rules; their pilots are not asked.
    pub fn run(
        &self,
        device: &mut dyn Device,
        rules: &Rules<'_>,
    ) -> Result<ReplayReport, DeviceError> {
        let pilots = PilotPool::new(Arc::new(self.clone()));
        let mut rules = *rules;
        rules.pilots = Some(&pilots);
        let auto = capuchin::trace::prelude::auto(REPLAY, u32::MAX);
        let trace: Trace = auto.sample(capuchin::ui::Rng::new(rules.seed)).to_trace();
        let (mut session, mut flow) = Session::start(device, &rules)?;
        if let Flow::Go = flow {
            flow = session.run(&trace)?;
        }
        let goal = match &self.goal {
            Some(goal) => Some(session.holds(goal)?),
            None => None,
        };
        let execution = session.finish(flow)?;
        let mut report = self.lock();
        report.goal = goal;
        report.verdict = Some(execution.verdict);
        report.last_screen = Some(execution.screen);
        Ok(report.clone())
    }

    fn lock(&self) -> MutexGuard<'_, ReplayReport> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pilots for Replay {
    fn pilot(&self, auto: &Auto, _: &DeviceInfo, _: u64) -> Option<Box<dyn Pilot>> {
        (auto.policy == REPLAY).then(|| Box::new(ReplayPilot::new(self.clone())) as _)
    }
}

/// Replays a recording.
pub struct ReplayPilot {
    replay: Replay,
    /// The event that is replayed next.
    at: usize,
    attempt: Attempt,
    sent: Option<Sent>,
}

/// What was sent last.
enum Sent {
    /// The recorded event, to this element, which fits so well.
    Recorded { event: Event, receiver: Option<usize>, fit: (f64, f64), is_same: bool },
    /// Something to reveal its receiver.
    Reveal(Box<Proposal>),
    /// Something to undo that.
    Undo(Event),
}

/// What to do about the present event.
enum Next {
    Send(Box<(Event, Sent)>),
    Settle(Decision),
    /// What was done is to be undone, the last of it first.
    Undo,
    /// It is to be decided again, on the same screen.
    Again,
}

impl Next {
    fn send(event: Event, sent: Sent) -> Self {
        Next::Send(Box::new((event, sent)))
    }
}

impl ReplayPilot {
    /// A pilot that begins with the first event.
    pub fn new(replay: Replay) -> Self {
        ReplayPilot { replay, at: 0, attempt: Attempt::default(), sent: None }
    }

    /// The element of the screen to which it sends the recorded event now; `None` where it sends
    /// another event, or goes to no element.
    pub fn receiver(&self) -> Option<usize> {
        match &self.sent {
            Some(Sent::Recorded { receiver, .. }) => *receiver,
            _ => None,
        }
    }

    fn next(&mut self, screen: &Screen, info: &DeviceInfo) -> Option<Event> {
        let recording = Arc::clone(&self.replay.recording);
        loop {
            let recorded = recording.events.get(self.at)?;
            if self.attempt.is_undoing() {
                if let Some(event) = self.attempt.next_undo(screen, info) {
                    self.sent = Some(Sent::Undo(event.clone()));
                    return Some(event);
                }
                continue;
            }
            match self.decide(recorded, screen, info) {
                Next::Send(message) => {
                    let (event, sent) = *message;
                    self.sent = Some(sent);
                    return Some(event);
                }
                Next::Undo => self.attempt.begin_undo(),
                Next::Again => {}
                Next::Settle(decision) => self.settle(decision, screen, None),
            }
        }
    }

    /// Decides what to do about the present event on this screen.
    fn decide(&mut self, recorded: &RecordedEvent, screen: &Screen, info: &DeviceInfo) -> Next {
        if let Some(decision) = self.attempt.outcome.clone() {
            return if self.attempt.is_clean() { Next::Settle(decision) } else { Next::Undo };
        }
        if !info.performs(&recorded.event) {
            return Next::Settle(Decision::Dropped(DropReason::Unsupported));
        }
        let options = Arc::clone(&self.replay.options);
        let Some(mut situation) = Situation::new(&options, recorded, screen) else {
            return self.without_receiver(recorded, screen);
        };
        situation.takes_equivalent = self.attempt.takes_equivalent;
        let recording = Arc::clone(&self.replay.recording);
        situation.previous = self.at.checked_sub(1).map(|before| &recording.events[before]);
        match situation.matched() {
            Matched::Found { candidate, margin, is_same }
                if !self.attempt.is_blocked(&situation) =>
            {
                if let Some(next) = self.look_for_better(&situation, &candidate) {
                    return next;
                }
                // What was done is done again, unless there is no doubt that it is in vain, or
                // nothing comes of a press there.
                let is_pressed = screen.elements[candidate.index].is(State::CLICKABLE);
                if !situation.chooses(&candidate) && self.is_not_needed(screen, is_pressed) {
                    return Next::Settle(Decision::Dropped(DropReason::NotNeeded));
                }
                let Some(event) = aimed(recorded, &situation, &candidate) else {
                    let candidates = vec![candidate];
                    let why = RefusalReason::NoEnd;
                    return self.give_up(Decision::Refused { why, candidates });
                };
                let fit = (candidate.score, margin);
                let receiver = Some(candidate.index);
                Next::send(event.clone(), Sent::Recorded { event, receiver, fit, is_same })
            }
            Matched::Ambiguous(candidates) => {
                if self.is_not_needed(screen, false) {
                    return Next::Settle(Decision::Dropped(DropReason::NotNeeded));
                }
                self.give_up(Decision::Refused { why: RefusalReason::Ambiguous, candidates })
            }
            Matched::Found { candidate, .. } => {
                situation.blocked = Some(candidate.index);
                self.reveal(&situation, vec![candidate])
            }
            Matched::Absent(candidates) => {
                if self.is_not_needed(screen, false) || self.has_opened_way(screen) {
                    return Next::Settle(Decision::Dropped(DropReason::NotNeeded));
                }
                self.reveal(&situation, candidates)
            }
        }
    }

    /// Tries the next responsive action; if there is none, takes back the last one, and gives up
    /// when nothing is left to take back.
    fn reveal(&mut self, situation: &Situation<'_>, candidates: Vec<Candidate>) -> Next {
        let recorded = &self.replay.recording.events[self.at];
        self.attempt.note_equivalent(situation);
        if let Some(proposal) =
            self.attempt.propose(&self.replay.options, situation, recorded, None)
        {
            let event = proposal.reveal.event.clone();
            return Next::send(event, Sent::Reveal(Box::new(proposal)));
        }
        if !self.attempt.is_clean() {
            return Next::Undo;
        }
        if self.attempt.turns_to_equivalent() {
            return Next::Again;
        }
        let blocked = self.attempt.blocked.take();
        let decision = match blocked {
            Some((reason, _)) => {
                Decision::Refused { why: RefusalReason::Blocked(reason), candidates }
            }
            None if self.replay.keys[self.at] => {
                Decision::Refused { why: RefusalReason::Absent, candidates }
            }
            None => Decision::Dropped(DropReason::NoCounterpart),
        };
        self.give_up(decision)
    }

    /// Opens what is closed before a candidate in another part of the screen is taken. `None` if
    /// the candidate is to be taken.
    fn look_for_better(
        &mut self,
        situation: &Situation<'_>,
        candidate: &Candidate,
    ) -> Option<Next> {
        if self.attempt.takes_elsewhere
            || self.attempt.takes_equivalent
            || !situation.is_elsewhere(candidate)
            || self.attempt.has_opened(&situation.present().elements[candidate.index])
        {
            return None;
        }
        let recorded = &self.replay.recording.events[self.at];
        let options = &self.replay.options;
        if let Some(proposal) = self.attempt.propose(options, situation, recorded, Some(&OPENERS)) {
            let event = proposal.reveal.event.clone();
            return Some(Next::send(event, Sent::Reveal(Box::new(proposal))));
        }
        if !self.attempt.is_clean() {
            return Some(Next::Undo);
        }
        self.attempt.takes_elsewhere = true;
        None
    }

    /// Undoes what was done, and then says why it was in vain.
    fn give_up(&mut self, decision: Decision) -> Next {
        if self.attempt.is_clean() {
            return Next::Settle(decision);
        }
        self.attempt.outcome = Some(decision);
        Next::Undo
    }

    /// An event that goes to no element: a key, a button of the device, a point on empty ground.
    fn without_receiver(&self, recorded: &RecordedEvent, screen: &Screen) -> Next {
        if self.is_not_needed(screen, false) {
            return Next::Settle(Decision::Dropped(DropReason::NotNeeded));
        }
        if let Some((reason, _)) = &self.attempt.blocked {
            let why = RefusalReason::Blocked(reason.clone());
            return Next::Settle(Decision::Refused { why, candidates: Vec::new() });
        }
        let event = scaled_event(recorded, screen);
        match event.target() {
            Some(Target::Place(Place::At(point))) => {
                let is_press = !matches!(event, Event::Swipe(..));
                if is_press && screen.hit(*point, State::CLICKABLE).is_some() {
                    return Next::Settle(Decision::Dropped(DropReason::NoCounterpart));
                }
            }
            Some(_) => {
                let why = RefusalReason::Absent;
                return Next::Settle(Decision::Refused { why, candidates: Vec::new() });
            }
            None => {}
        }
        if matches!(event, Event::Press(_)) && self.was_refused() {
            let why = RefusalReason::BelongsToRefused;
            return Next::Settle(Decision::Refused { why, candidates: Vec::new() });
        }
        let sent =
            Sent::Recorded { event: event.clone(), receiver: None, fit: (0.0, 0.0), is_same: true };
        Next::send(event, sent)
    }

    /// Whether the last event that went to an element was refused: keys go to what it left focused.
    fn was_refused(&self) -> bool {
        let before = &self.replay.recording.events[..self.at];
        let has_aim = |event: &RecordedEvent| event.event.target().is_some();
        let Some(last) = before.iter().rposition(has_aim) else { return false };
        let report = self.replay.lock();
        let decision = report.events.get(last).map(|event| &event.decision);
        matches!(decision, Some(Decision::Refused { .. }))
    }

    /// Whether the present event only opens the way to a later one whose receiver is there already;
    /// if `is_sure`, without any doubt.
    fn is_not_needed(&self, screen: &Screen, is_sure: bool) -> bool {
        let Replay { recording, options, keys, .. } = &self.replay;
        let event = &recording.events[self.at];
        if keys[self.at] || !self.attempt.is_untouched() {
            return false;
        }
        for ahead in self.at + 1..recording.events.len() {
            let later = &recording.events[ahead];
            if later.receiver.is_some() {
                let was_there =
                    !is_scroll(&event.event) && is_there(later, &event.screen, options, false);
                if !was_there && is_there(later, screen, options, is_sure) {
                    return true;
                }
            }
            if keys[ahead] {
                return false;
            }
        }
        // Nothing follows that it could open the way for.
        is_scroll(&event.event)
    }

    /// Whether what was done to reveal the receiver of an event that only opens the way opened that
    /// way: the control has lost its name, and what it leads to is there now.
    fn has_opened_way(&self, screen: &Screen) -> bool {
        let Replay { recording, options, keys, .. } = &self.replay;
        let Some(before) = self.attempt.first_screen().filter(|_| !keys[self.at]) else {
            return false;
        };
        let ahead =
            recording.events.iter().skip(self.at + 1).find(|later| later.receiver.is_some());
        ahead.is_some_and(|later| {
            is_there(later, screen, options, false) && !is_there(later, before, options, false)
        })
    }

    /// Writes down what became of the present event, and goes on with the next.
    fn settle(&mut self, decision: Decision, screen: &Screen, sent: Option<Sent>) {
        let mut attempt = std::mem::take(&mut self.attempt);
        let extra = attempt.take_extra();
        let (performed, receiver, fit) = match sent {
            Some(Sent::Recorded { event, receiver, fit, .. }) => (Some(event), receiver, fit),
            _ => (None, None, (0.0, 0.0)),
        };
        let index = self.at;
        let screen = attempt.decided_on.unwrap_or_else(|| Arc::new(screen.clone()));
        let event = ReplayedEvent {
            index,
            is_key: self.replay.keys[index],
            decision,
            performed,
            extra,
            undo: attempt.undo,
            screen: Some(screen),
            receiver,
            fit,
        };
        let recorded = &self.replay.recording.events[index];
        let findings = crate::accessibility::findings(recorded, &event, &attempt.misleading);
        let mut report = self.replay.lock();
        report.findings.extend(findings);
        report.events.push(event);
        self.at += 1;
    }

    fn done(&mut self, sent: Sent, screen: &Screen) {
        match sent {
            Sent::Recorded { is_same, .. } => {
                let patterns = self.attempt.patterns();
                let decision = match is_same {
                    _ if !patterns.is_empty() => Decision::Revealed { patterns },
                    true => Decision::Performed,
                    false => Decision::Healed,
                };
                self.settle(decision, screen, Some(sent));
            }
            Sent::Reveal(proposal) => self.attempt.did(*proposal),
            Sent::Undo(event) => self.attempt.undid(event),
        }
    }
}

impl Pilot for ReplayPilot {
    fn take_over(&mut self, _: &mut Probe<'_>, _: u32) {
        if self.at == 0 {
            *self.replay.lock() = ReplayReport::default();
        }
    }

    fn choose(&mut self, app: &mut Probe<'_>, _: &[NamedTrace]) -> Result<Choice, DeviceError> {
        let screen = app.screen();
        let event = self.next(screen, app.info());
        if event.is_some() {
            self.attempt.decided_on = Some(Arc::new(screen.clone()));
        }
        Ok(event.map_or(Choice::Stop, Choice::event))
    }

    fn saw(&mut self, effect: Effect<'_>, _: Option<u32>, app: &mut Probe<'_>) {
        let Some(sent) = self.sent.take() else { return };
        let screen = app.screen();
        match (effect, sent) {
            (Effect::Done | Effect::Ended(_), sent) => self.done(sent, screen),
            (Effect::Blocked(reason), Sent::Recorded { .. }) => {
                self.attempt.was_blocked(reason.clone(), screen);
            }
            (Effect::Blocked(_), Sent::Undo(event)) => self.attempt.undid(event),
            // It counts as tried.
            (Effect::Blocked(_), Sent::Reveal(proposal)) => self.attempt.could_not(&proposal),
            (Effect::Interrupted, _) => {}
        }
    }

    fn hand_back(&mut self) {
        let mut report = self.replay.lock();
        for index in report.events.len()..self.replay.recording.events.len() {
            report.events.push(ReplayedEvent {
                index,
                is_key: self.replay.keys[index],
                decision: Decision::NotReached,
                performed: None,
                extra: Vec::new(),
                undo: UndoOutcome::NotNeeded,
                screen: None,
                receiver: None,
                fit: (0.0, 0.0),
            });
        }
    }
}

/// The event, aimed at the counterpart of its receiver; where it ends at an element, at the
/// counterpart of that.
fn aimed(
    recorded: &RecordedEvent,
    situation: &Situation<'_>,
    candidate: &Candidate,
) -> Option<Event> {
    let mut event = recorded.event.aimed_at(Target::One(candidate.name.clone()));
    if let Event::Swipe(_, toward) = &mut event {
        match toward {
            Toward::Element(end) => {
                let (end_at, _) = recorded.screen.find(end).next()?;
                *end = situation.selector(situation.counterpart(end_at)?);
            }
            Toward::Place(Place::At(point)) => {
                *point = scaled(*point, &recorded.screen, situation.present());
            }
            Toward::Place(Place::Anywhere) | Toward::Direction(_) => {}
        }
    }
    Some(event)
}

/// An event that goes to points, at the same share of another screen.
fn scaled_event(recorded: &RecordedEvent, screen: &Screen) -> Event {
    let scale = |place: &mut Place| {
        if let Place::At(point) = place {
            *point = scaled(*point, &recorded.screen, screen);
        }
    };
    let mut event = match recorded.event.target() {
        Some(Target::Place(Place::At(point))) => {
            recorded.event.aimed_at(scaled(*point, &recorded.screen, screen).into())
        }
        _ => recorded.event.clone(),
    };
    match &mut event {
        Event::Swipe(_, Toward::Place(end)) => scale(end),
        Event::Pinch(from, to) => [from, to].into_iter().for_each(scale),
        _ => {}
    }
    event
}

/// The point at the same share of another screen.
fn scaled(point: Point, from: &Screen, to: &Screen) -> Point {
    let scale = |at: i32, from: i32, to: i32| {
        (i64::from(at) * i64::from(to) / i64::from(from.max(1))) as i32
    };
    Point::new(
        scale(point.x, from.viewport.width, to.viewport.width),
        scale(point.y, from.viewport.height, to.viewport.height),
    )
}
