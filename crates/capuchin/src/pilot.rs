//! Who steers: the seam between a run and the policies that choose its inputs, for `auto`.
//!
//! On its own because policies live elsewhere. A run knows a [`Pilot`] and nothing of how it
//! decides. What a pilot learns lasts over the cases of a check, so the [`PilotPool`] of a check
//! keeps its pilots.

use crate::event::Map;
use crate::probe::Probe;
use crate::replay_log::RecordingReplay;
use crate::verdict::Verdict;
use capuchin_trace::{Auto, Trace};
use capuchin_ui::{Blocked, DeviceError, DeviceInfo, Event, Str};
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Steers a part of a run: what an `auto` asks for its next input.
///
/// In each part come [`take_over`](Pilot::take_over); then, up to `n` times,
/// [`choose`](Pilot::choose) and [`saw`](Pilot::saw); then [`hand_back`](Pilot::hand_back). In
/// between, `take_over` comes again whenever something else was done: a script, with
/// `auto ... with`.
///
/// What it chooses may depend on its seed and on what it was shown, and on nothing else: a run is a
/// function of its seed. (Where a pilot [records](Probe::recorded), it is one of the person, too.)
pub trait Pilot: Any + Send {
    /// It takes over here. `fresh` is how much of the app's code the reset made run for the first
    /// time; what events before it did is none of its doing.
    fn take_over(&mut self, app: &mut Probe<'_>, fresh: u32);

    /// The next move. `offered` are the inputs that the trace offers here, beside what the screen
    /// does. An error is one of the device that it asked, and ends the run.
    fn choose(
        &mut self,
        app: &mut Probe<'_>,
        offered: &[NamedTrace],
    ) -> Result<Choice, DeviceError>;

    /// What the move came to, and how much of the app's code ran for the first time; `None` if the
    /// device does not count that. Only a move over which the device failed is not seen.
    fn saw(&mut self, effect: Effect<'_>, fresh: Option<u32>, app: &mut Probe<'_>);

    /// The part is over: all moves are made, it chose to stop, or the run ended here.
    fn hand_back(&mut self);

    /// How far it has explored; `None` if it does not learn.
    fn progress(&self) -> Option<Progress> {
        None
    }

    /// Whether nothing new is left to try, in this run or another.
    fn is_done(&self) -> bool {
        false
    }

    /// The shortest way that it knows from where it took over to where it made its last move.
    fn shortest_way(&self) -> Option<Vec<Event>> {
        None
    }

    /// A run ended in a violation with this signature, which was not known before.
    fn violated(&mut self, signature: &str) {
        let _ = signature;
    }

    /// What it has learned, for a report.
    fn map(&self) -> Option<Map> {
        None
    }

    /// The recording that it has replayed, once for each run, for a report. Their pictures are in
    /// them.
    fn replays(&self) -> Vec<RecordingReplay> {
        Vec::new()
    }
}

/// An input that can be chosen: a trace, and what it is called. A single event is the common case.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedTrace {
    /// What it is called: by its name it is the same input on another screen.
    pub name: Str,
    /// What is run.
    pub trace: Trace,
}

/// A pilot's next move.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time, and nearly all are traces")]
pub enum Choice {
    /// Run this trace. Wildcards in it are filled in by the seed of the run. If it is a try, a
    /// block is an effect that the pilot [sees](Effect::Blocked), and the run goes on.
    Run(Trace),
    /// Nothing: there is no more to try from here without a reset. What follows the `auto` is done.
    Stop,
}

impl Choice {
    /// One event, as a try.
    pub fn event(event: Event) -> Choice {
        Choice::Run(Trace::Try(Box::new(event.into())))
    }
}

/// How far a pilot has explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Different screens seen, by its abstraction.
    pub screens: usize,
    /// Different transitions between them.
    pub transitions: usize,
    /// Different sequences of inputs from where it took over.
    pub prefixes: usize,
    /// The states of its model, if it has one.
    pub states: Option<usize>,
}

/// What became of a pilot's move.
#[derive(Clone, Copy, Debug)]
pub enum Effect<'a> {
    /// It was done.
    Done,
    /// It could not be done, and nothing has changed.
    Blocked(&'a Blocked),
    /// It was not done: the run was interrupted, or its budget is spent.
    Interrupted,
    /// The run is over: the app crashed, a property does not hold, or the chosen script was
    /// blocked.
    Ended(&'a Verdict),
}

/// Where pilots come from.
pub trait Pilots: Send + Sync {
    /// A pilot for this part, one that has learned nothing in this check; `None` if the policy is
    /// not known here. Everything random in it comes from the seed.
    fn pilot(&self, auto: &Auto, device: &DeviceInfo, seed: u64) -> Option<Box<dyn Pilot>>;
}

/// The pilots of a check, each with what it has learned so far.
///
/// There is one for each `auto` of the check; two that differ only in their number of moves share
/// it. A copy of a pool has no pilots yet.
#[derive(Default)]
pub struct PilotPool {
    source: Option<Arc<dyn Pilots>>,
    pilots: Mutex<BTreeMap<String, Shared>>,
    /// Violations that were found before there was a pilot to tell.
    untold: Mutex<Vec<String>>,
}

/// A pilot of the pool. Runs of a check that are steered come one after the other, so nobody waits.
pub(crate) type Shared = Arc<Mutex<Box<dyn Pilot>>>;

impl PilotPool {
    /// A pool whose pilots come from here.
    pub fn new(source: Arc<dyn Pilots>) -> Self {
        PilotPool { source: Some(source), ..PilotPool::default() }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Shared>> {
        self.pilots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The pilot of this `auto`; the seed is that of the first run that needs it.
    pub(crate) fn pilot(
        &self,
        auto: &Auto,
        seed: u64,
        device: &DeviceInfo,
    ) -> Result<Shared, DeviceError> {
        let key = auto.key();
        let mut pilots = self.lock();
        if let Some(pilot) = pilots.get(&key) {
            return Ok(Arc::clone(pilot));
        }
        let pilot = self.source.as_ref().and_then(|source| source.pilot(auto, device, seed));
        let mut pilot = pilot.ok_or_else(|| unknown_policy(auto))?;
        let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
        untold.drain(..).for_each(|signature| pilot.violated(&signature));
        let pilot = Arc::new(Mutex::new(pilot));
        pilots.insert(key, Arc::clone(&pilot));
        Ok(pilot)
    }

    /// A check begins: there are no pilots, and nothing to tell them.
    pub(crate) fn clear(&self) {
        self.lock().clear();
        self.untold.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Whether there are pilots, and none of them has anything new to try.
    pub fn is_done(&self) -> bool {
        let pilots = self.lock();
        !pilots.is_empty() && pilots.values().all(|pilot| locked(pilot).is_done())
    }

    /// Tells all pilots of a violation that was not known before.
    pub fn violated(&self, signature: &str) {
        let pilots = self.lock();
        pilots.values().for_each(|pilot| locked(pilot).violated(signature));
        if pilots.is_empty() {
            // A saved failure comes before the first of them has anything to do.
            let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
            untold.push(signature.to_owned());
        }
    }

    /// Asks one pilot after the other until one answers. Whoever knows what they are finds more in
    /// them, by `&dyn Any`.
    pub fn find<T>(&self, mut question: impl FnMut(&dyn Pilot) -> Option<T>) -> Option<T> {
        self.lock().values().find_map(|pilot| question(locked(pilot).as_ref()))
    }

    /// What the pilot of this `auto` can say.
    pub(crate) fn ask<T>(&self, auto: &Auto, question: impl FnOnce(&dyn Pilot) -> T) -> Option<T> {
        let pilot = self.lock().get(&auto.key()).map(Arc::clone)?;
        let answer = question(locked(&pilot).as_ref());
        Some(answer)
    }
}

/// A pilot whose run ended in a panic, its own or a monitor's, is told that its part is over.
pub(crate) fn locked(pilot: &Shared) -> MutexGuard<'_, Box<dyn Pilot>> {
    pilot.lock().unwrap_or_else(|poisoned| {
        pilot.clear_poison();
        let mut pilot = poisoned.into_inner();
        pilot.hand_back();
        pilot
    })
}

/// The error of a request for a policy that is not known here.
pub(crate) fn unknown_policy(auto: &Auto) -> DeviceError {
    let (policy, [monkey, relevant]) = (&auto.policy, Auto::DRAWN);
    DeviceError::Request(format!(
        "there is no pilot for `auto {policy}`; give the check one (`Check::pilots`), or write \
         `auto {relevant}` or `auto {monkey}`, which need none"
    ))
}

impl Clone for PilotPool {
    fn clone(&self) -> Self {
        PilotPool { source: self.source.clone(), ..PilotPool::default() }
    }
}

impl fmt::Debug for PilotPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PilotPool").field("pilots", &self.lock().keys()).finish_non_exhaustive()
    }
}
