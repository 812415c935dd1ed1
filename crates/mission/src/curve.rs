//! The curve of an exploration: how far it is, point by point, and where its time goes.
//!
//! On its own because it has the clock: nothing that an exploration does depends on it.

use capuchin::log::{Covered, Explored};
use capuchin::steering::{Pilot, Progress};
use capuchin::ui::CodeCoverage;
use capuchin::{Plan, Probe};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Code coverage is summed up every so many events: that takes as long as some events do.
const SUM_UP_EVERY: u64 = 50;
/// After so many points the curve is half as fine: nobody knows how long it gets.
const POINTS: u64 = 200;

/// What an exploration is doing.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Phase {
    /// The app is restarted, and a run begins.
    Restarting,
    Exploring,
    /// A failure is examined.
    Examining,
}

/// The curve of an exploration, as its worker sees it.
pub(crate) struct Curve<'a> {
    plan: &'a Plan,
    /// What ran on devices that were lost.
    lost: &'a Mutex<Option<CodeCoverage>>,
    phase: Phase,
    since: Instant,
    /// How long each phase took.
    times: [Duration; 3],
    starts: u64,
    progress: Progress,
    covered: Option<Covered>,
    /// After how many events coverage was summed up, if it was.
    summed_up: Option<u64>,
    /// After how many events the next point is due, and how many there are.
    next: u64,
    points: u64,
}

impl<'a> Curve<'a> {
    pub(crate) fn new(plan: &'a Plan, lost: &'a Mutex<Option<CodeCoverage>>) -> Self {
        Curve {
            plan,
            lost,
            phase: Phase::Exploring,
            since: Instant::now(),
            times: [Duration::ZERO; 3],
            starts: 0,
            progress: Progress::default(),
            covered: None,
            summed_up: None,
            next: 0,
            points: 0,
        }
    }

    /// From now on it is doing something else.
    pub(crate) fn enter(&mut self, phase: Phase) {
        let passed = self.since.elapsed();
        self.since += passed;
        // The first start is no restart.
        if self.phase != Phase::Restarting || self.points > 0 {
            self.times[self.phase as usize] += passed;
        }
        self.phase = phase;
        self.starts += u64::from(phase == Phase::Restarting);
    }

    /// The pilot has made a move: the next point, if it is due.
    pub(crate) fn moved(&mut self, pilot: &dyn Pilot, app: &mut Probe<'_>) -> Option<Explored> {
        self.plan.exploration.as_ref()?;
        self.progress = pilot.progress()?;
        self.enter(Phase::Exploring);
        let events = self.plan.budget.taken();
        if self.summed_up.is_none_or(|then| events >= then + SUM_UP_EVERY) {
            self.summed_up = Some(events);
            if let Ok(Some(mut sum)) = app.coverage() {
                if let Some(lost) = &*self.lost.lock().unwrap_or_else(PoisonError::into_inner) {
                    sum.merge(lost);
                }
                self.covered = Some(Covered::from(&sum));
            }
        }
        (events >= self.next).then(|| self.point(events))
    }

    /// The last point, with as many states as the map has: a policy learns as it goes along, the
    /// map is drawn from all that was seen, and they may differ by a few.
    pub(crate) fn last(mut self, states: usize, coverage: Option<&CodeCoverage>) -> Explored {
        self.enter(Phase::Exploring);
        self.progress = self.plan.pilots.find(Pilot::progress).unwrap_or(self.progress);
        self.progress.states = self.progress.states.map(|_| states);
        self.covered = coverage.map(Covered::from).or(self.covered);
        self.point(self.plan.budget.taken())
    }

    fn point(&mut self, events: u64) -> Explored {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let [restarting, exploring, examining] = self.times;
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
            millis: millis(restarting + exploring),
            restart_millis: millis(restarting),
            examine_millis: millis(examining),
        }
    }
}
