//! Runs one trace from a reset to its verdict, and holds what was really done.
//!
//! On its own because it is what checking and shrinking see of a run: a trace in, an [`Execution`]
//! out.

use crate::budget::{Budget, Spent};
use crate::event::VerdictKind;
use crate::monitor::{Monitor, Monitors};
use crate::pilot::{Pilot, PilotPool};
use crate::probe::Probe;
use crate::property::{Judged, Property};
use crate::session::{Flow, Session};
use crate::verdict::{Verdict, Violation};
use capuchin_trace::{Move, Slot, Trace};
use capuchin_ui::{Device, DeviceError, Event, Lack, Screen, Stop, Str};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What became of a trace, and what was really done.
#[derive(Clone, Debug)]
pub struct Execution {
    /// How it ended.
    pub verdict: Verdict,
    /// The events that were performed, with their slot in the trace; wildcards filled in.
    pub executed: Vec<(Slot, Event)>,
    /// What was run in the place of each `auto`, in order: see
    /// [`Sample::settled`](capuchin_trace::Sample::settled).
    pub moves: Vec<Move>,
    /// How many events were tried, those that were blocked in a try included.
    pub attempts: usize,
    /// What kept the app busy, if it did not come to rest at some point.
    pub unsettled: Option<Str>,
    /// What the app asked for and the device does not have, each once.
    pub lacked: Vec<Lack>,
    /// It was interrupted, or its budget is spent; the verdict says nothing.
    pub interrupted: bool,
    /// How much was judged of each of [`Rules::properties`].
    pub judged: Vec<Judged>,
    /// The first event that was blocked in a try, and why.
    pub blocked: Option<Box<Verdict>>,
    /// What was displayed at the beginning, if the app was at rest then.
    pub first_screen: Option<Arc<Screen>>,
    /// What was displayed at the end.
    pub screen: Arc<Screen>,
}

impl Execution {
    /// The executed trace, ending in what went wrong: it runs again as it stands.
    pub fn trace(&self) -> Trace {
        let split = |at: usize| {
            let (before, since) = self.executed.split_at(at);
            (sequence(before), sequence(since))
        };
        match &self.verdict {
            Verdict::Succeeded
            | Verdict::Crashed(_)
            | Verdict::Failed(Violation::Found { .. } | Violation::Temporal { .. }) => {
                self.events()
            }
            Verdict::Blocked { event, .. } => {
                Trace::seq([self.events(), Trace::from((**event).clone())])
            }
            Verdict::Failed(Violation::Assert { prop, held_at, .. }) => {
                let (before, since) = split(held_at.unwrap_or(0));
                let assert = Trace::Assert(prop.bound.clone());
                let held = held_at.map_or(Trace::Unit, |_| assert.clone());
                Trace::seq([before, held, since, assert])
            }
            Verdict::Failed(Violation::Always { prop, since, .. }) => {
                let (before, during) = split(since.unwrap_or(0));
                Trace::seq([before, Trace::Always(Box::new(during), prop.bound.clone())])
            }
            Verdict::Failed(Violation::Keeps { value, since, .. }) => {
                let (before, during) = split(*since);
                Trace::seq([before, Trace::Keeps(Box::new(during), value.bound.clone())])
            }
        }
    }

    /// How the run ended. One that ended before a property of it was decided has not succeeded.
    pub fn kind(&self) -> VerdictKind {
        match VerdictKind::from(&self.verdict) {
            VerdictKind::Succeeded if self.judged.iter().any(|one| one.undecided > 0) => {
                VerdictKind::Undecided
            }
            kind => kind,
        }
    }

    /// Only the events of it, without what went wrong.
    pub fn events(&self) -> Trace {
        sequence(&self.executed)
    }
}

fn sequence(executed: &[(Slot, Event)]) -> Trace {
    Trace::seq(executed.iter().map(|(_, event)| Trace::from(event.clone())))
}

/// Hears of what a pilot has learned from its move, and may ask the app.
pub type OnMove<'a> = &'a dyn Fn(&dyn Pilot, &mut Probe<'_>);

/// What a run needs beyond the trace and the device.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct Rules<'a> {
    /// Where everything random comes from, on the device and in the choice of wildcards.
    pub seed: u64,
    /// Who watches.
    pub monitors: &'a [Arc<dyn Monitors>],
    /// Set from outside to interrupt the run.
    pub interrupt: Option<&'a Arc<AtomicBool>>,
    /// The properties of which is counted how often they were judged.
    pub properties: &'a [Property],
    /// What the run may spend, with others.
    pub budget: Option<&'a Budget>,
    /// Whether its events are taken from the budget. Those of a rerun are not: only its time is.
    pub spends_events: bool,
    /// Who steers where the trace says `auto`.
    pub pilots: Option<&'a PilotPool>,
    /// Called when a pilot took over, and after each of its moves.
    pub on_move: Option<OnMove<'a>>,
}

impl Rules<'_> {
    /// Where is counted how much of a property was judged, if it is.
    pub(crate) fn judged<'j>(
        &self,
        all: &'j mut [Judged],
        is_it: impl Fn(&Property) -> bool,
    ) -> Option<&'j mut Judged> {
        let index = self.properties.iter().position(is_it)?;
        all.get_mut(index)
    }

    /// Set when the run is interrupted, or its time is up.
    pub fn stop(&self) -> Stop {
        let time = self.budget.map(|budget| budget.flag(Spent::Time));
        Stop::when(self.interrupt.cloned().into_iter().chain(time))
    }

    /// Just a seed.
    pub fn seed(seed: u64) -> Self {
        Rules { seed, ..Rules::default() }
    }
}

/// A part of a run in which the device was told to stop, by whoever interrupts the run.
pub(crate) fn interrupted_if_stopped(flow: Result<Flow, DeviceError>) -> Result<Flow, DeviceError> {
    match flow {
        Err(DeviceError::Stopped { .. }) => Ok(Flow::Interrupted),
        flow => flow,
    }
}

/// Resets the device and runs the trace on it.
pub fn execute(
    trace: &Trace,
    device: &mut dyn Device,
    rules: &Rules<'_>,
) -> Result<Execution, DeviceError> {
    execute_watched(trace, device, rules, Vec::new())
}

/// The same with monitors for this run alone; they see each step before those of the rules do.
pub(crate) fn execute_watched<'a>(
    trace: &Trace,
    device: &'a mut dyn Device,
    rules: &Rules<'a>,
    monitors: Vec<Box<dyn Monitor + 'a>>,
) -> Result<Execution, DeviceError> {
    let (mut session, mut flow) = Session::start_watched(device, rules, monitors)?;
    if let Flow::Go = flow {
        flow = interrupted_if_stopped(session.run(trace))?;
    }
    session.finish(flow)
}
