//! The curve of an exploration: how far it is, point by point, and where its time goes.
//!
//! On its own because it has the clock: nothing that an exploration does depends on it.

use crate::worker::Done;
use capuchin::log::{Covered, Explored, RunEvent};
use capuchin::steering::{Pilot, Progress};
use capuchin::ui::CodeCoverage;
use capuchin::{Plan, Probe};
use std::cell::RefCell;
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Code coverage is summed up every so many events: that takes as long as some events do.
const SUM_UP_EVERY: u64 = 50;
/// After so many points the curve is half as fine: nobody knows how long it gets.
const POINTS: u64 = 200;

/// What an exploration is doing.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Restarting,
    Exploring,
    Examining,
}

/// The curve of an exploration, as its worker sees it.
pub(crate) struct Curve<'a> {
    plan: &'a Plan,
    /// What ran on devices that were lost.
    lost: &'a Mutex<Option<CodeCoverage>>,
    results: Sender<Done>,
    state: RefCell<Figures>,
}

/// The figures of an exploration so far.
pub(crate) struct Figures {
    starts: u64,
    phase: Phase,
    since: Instant,
    restarting: Duration,
    exploring: Duration,
    examining: Duration,
    progress: Progress,
    covered: Option<Covered>,
    /// After how many events coverage was summed up, if it was.
    summed_up: Option<u64>,
    /// After how many events the next point is due, and how many there are.
    next: u64,
    points: u64,
}

impl Figures {
    /// From now on it is doing something else.
    fn enter(&mut self, phase: Phase) {
        let passed = self.since.elapsed();
        self.since += passed;
        match std::mem::replace(&mut self.phase, phase) {
            // The first start is no restart.
            Phase::Restarting if self.points == 0 => {}
            Phase::Restarting => self.restarting += passed,
            Phase::Exploring => self.exploring += passed,
            Phase::Examining => self.examining += passed,
        }
    }

    /// The last point, with as many states as the map has: a policy learns as it goes along, the
    /// map is drawn from all that was seen, and they may differ by a few.
    pub(crate) fn last(
        mut self,
        plan: &Plan,
        states: usize,
        coverage: Option<&CodeCoverage>,
    ) -> Explored {
        self.enter(self.phase);
        self.progress = plan.pilots.find(Pilot::progress).unwrap_or(self.progress);
        self.progress.states = self.progress.states.map(|_| states);
        self.covered = coverage.map(Covered::from).or(self.covered);
        self.point(plan.budget.taken())
    }

    fn point(&mut self, events: u64) -> Explored {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.points += 1;
        self.next = events + (1 << (self.points / POINTS));
        Explored {
            events,
            restarts: self.starts.saturating_sub(1),
            screens: self.progress.screens as u64,
            transitions: self.progress.transitions as u64,
            prefixes: self.progress.prefixes as u64,
            states: self.progress.states.unwrap_or(0) as u64,
            covered: self.covered,
            millis: millis(self.restarting + self.exploring),
            restart_millis: millis(self.restarting),
            examine_millis: millis(self.examining),
        }
    }
}

impl<'a> Curve<'a> {
    pub(crate) fn new(
        plan: &'a Plan,
        lost: &'a Mutex<Option<CodeCoverage>>,
        results: Sender<Done>,
    ) -> Self {
        let state = RefCell::new(Figures {
            starts: 0,
            phase: Phase::Exploring,
            since: Instant::now(),
            restarting: Duration::ZERO,
            exploring: Duration::ZERO,
            examining: Duration::ZERO,
            progress: Progress::default(),
            covered: None,
            summed_up: None,
            next: 0,
            points: 0,
        });
        Curve { plan, lost, results, state }
    }

    /// The app is restarted.
    pub(crate) fn case_begins(&self) {
        let mut state = self.state.borrow_mut();
        state.enter(Phase::Restarting);
        state.starts += 1;
    }

    /// The run is over.
    pub(crate) fn case_ends(&self) {
        self.state.borrow_mut().enter(Phase::Exploring);
    }

    /// A failure is examined.
    pub(crate) fn examines(&self) {
        self.state.borrow_mut().enter(Phase::Examining);
    }

    /// The pilot has made a move.
    pub(crate) fn moved(&self, pilot: &dyn Pilot, app: &mut Probe<'_>) {
        let (Some(_), Some(progress)) = (&self.plan.exploration, pilot.progress()) else { return };
        let events = self.plan.budget.taken();
        let mut state = self.state.borrow_mut();
        state.enter(Phase::Exploring);
        state.progress = progress;
        if state.summed_up.is_none_or(|then| events >= then + SUM_UP_EVERY) {
            state.summed_up = Some(events);
            if let Ok(Some(mut sum)) = app.coverage() {
                if let Some(lost) = &*self.lost.lock().unwrap_or_else(PoisonError::into_inner) {
                    sum.merge(lost);
                }
                state.covered = Some(Covered::from(&sum));
            }
        }
        if events >= state.next {
            let point = state.point(events);
            // Nobody listens any more: the check is over.
            let _ = self.results.send(Done::Told(RunEvent::Explored(point)));
        }
    }

    /// What remains when the worker is done.
    pub(crate) fn figures(self) -> Figures {
        self.state.into_inner()
    }
}
