//! Who steers: the seam between a run and the policies that choose its events, for `auto`.
//!
//! On its own because policies live elsewhere. A run knows a [`Pilot`] and nothing of how it decides. What
//! a pilot learns lasts over the cases of a check, so the [`Crew`] of a check keeps its pilots.

use crate::verdict::Verdict;
use capuchin_trace::{Auto, Policy};
use capuchin_ui::{Blocked, DeviceError, DeviceInfo, Event, Screen};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Steers a part of a run: what an `auto` asks for its next event.
///
/// In each part come [`take_over`](Pilot::take_over); then, up to `n` times, [`choose`](Pilot::choose) and
/// [`saw`](Pilot::saw); then [`hand_back`](Pilot::hand_back). In between, `take_over` comes again whenever
/// something else was done: a script, with `auto ... with`.
///
/// What it chooses may depend on its seed and on what it was shown, and on nothing else: a run is a
/// function of its seed.
pub trait Pilot: Send {
    /// It takes over here. `performed` is how many events the run has had since the reset: none if this
    /// is the first screen of the app.
    fn take_over(&mut self, screen: &Screen, performed: usize);

    /// The next move. `offered` says whether the script of an `auto ... offering` may be chosen here.
    fn choose(&mut self, screen: &Screen, offered: bool) -> Choice;

    /// What the move came to. Only a move that was broken off from outside, or over which the device
    /// failed, is not seen.
    fn saw(&mut self, seen: &Seen<'_>);

    /// The part is over: all moves are made, it chose to stop, or the run ended here.
    fn hand_back(&mut self);
}

/// A pilot's next move.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time, and nearly all are events")]
pub enum Choice {
    /// This event. A wildcard in it is filled in by the seed of the run.
    Event(Event),
    /// The script that is offered. Where none is, it is blocked as an event would be.
    Script,
    /// Nothing: there is no more to try from here without a reset. What follows the `auto` is done.
    Stop,
}

/// What a pilot sees after a move.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Seen<'a> {
    /// What is displayed now.
    pub screen: &'a Screen,
    /// What became of the move.
    pub effect: Effect<'a>,
    /// How much of the app's code ran for the first time; `None` if the device does not count that.
    pub fresh: Option<u32>,
}

/// What became of a pilot's move.
#[derive(Clone, Copy, Debug)]
pub enum Effect<'a> {
    /// It was done.
    Done,
    /// It could not be done, and nothing has changed.
    Blocked(&'a Blocked),
    /// The run is over: the app crashed, a property does not hold, or the chosen script was blocked.
    Ended(&'a Verdict),
}

/// Where pilots come from.
pub trait Pilots: Send + Sync {
    /// A pilot for this part, one that has learned nothing in this check; `None` if the policy is not known here.
    /// Everything random in it comes from the seed. It chooses for the device of this description.
    fn pilot(&self, auto: &Auto, seed: u64, info: &DeviceInfo) -> Option<Box<dyn Pilot>>;
}

/// The pilots of a check, each with what it has learned so far.
///
/// There is one for each `auto` of the check; two that differ only in their number of moves share it. A
/// copy of a crew has learned nothing.
#[derive(Default)]
pub struct Crew {
    pilots: Option<Arc<dyn Pilots>>,
    aboard: Mutex<BTreeMap<String, Shared>>,
}

/// A pilot that is aboard. Runs of a check that are steered come one after the other, so nobody waits.
pub(crate) type Shared = Arc<Mutex<Box<dyn Pilot>>>;

impl Crew {
    /// A crew whose pilots come from here.
    pub fn new(pilots: Arc<dyn Pilots>) -> Self {
        Crew { pilots: Some(pilots), aboard: Mutex::default() }
    }

    /// Everybody goes, and all that was learned with them: a check begins.
    pub(crate) fn dismiss(&self) {
        self.aboard.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The pilot of this `auto`; the seed is that of the first run that needs it.
    pub(crate) fn pilot(
        &self,
        auto: &Auto,
        seed: u64,
        info: &DeviceInfo,
    ) -> Result<Shared, DeviceError> {
        let key = auto.key();
        let mut aboard = self.aboard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pilot) = aboard.get(&key) {
            return Ok(Arc::clone(pilot));
        }
        let pilot = self.pilots.as_ref().and_then(|pilots| pilots.pilot(auto, seed, info));
        let pilot = Arc::new(Mutex::new(pilot.ok_or_else(|| nobody(auto.policy))?));
        aboard.insert(key, Arc::clone(&pilot));
        Ok(pilot)
    }
}

/// The error of a request for a policy that nobody brought along.
pub(crate) fn nobody(policy: Policy) -> DeviceError {
    let (policy, drawn) = (policy.name(), [Policy::Relevant, Policy::Monkey].map(Policy::name));
    DeviceError::Request(format!(
        "there is no pilot for `auto {policy}`; give the check one (`Check::pilots`), or write `auto {}` or \
         `auto {}`, which need none",
        drawn[0], drawn[1]
    ))
}

impl Clone for Crew {
    fn clone(&self) -> Self {
        Crew { pilots: self.pilots.clone(), aboard: Mutex::default() }
    }
}

impl fmt::Debug for Crew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aboard = self.aboard.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("Crew").field("aboard", &aboard.keys()).finish_non_exhaustive()
    }
}
