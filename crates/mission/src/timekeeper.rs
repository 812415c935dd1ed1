//! Keeps the time of a plan: says when its cases, its shrinking and all of it are over.
//!
//! On its own because it has the clock. Cases and shrinking ask the plan's budget, which has none.

use capuchin::Plan;
use capuchin::cases::{Budget, Spent};
use capuchin::ui::Stop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What the timekeeper is told.
pub(crate) enum Moment {
    /// A failure begins to be shrunk; so many share what is left of the time for that.
    ShrinkingBegins { sharers: u32 },
    /// A failure has been shrunk; or not, for there was no time for it.
    ShrinkingEnds { is_finished: bool },
    /// No more cases come.
    CasesEnd,
}

/// Of the whole time, what is left for the last reruns and pictures when shrinking ends.
const LAST_PART: u32 = 20;

/// Time that runs out while devices are opened, before there is a run that could keep it.
#[derive(Debug)]
pub struct Countdown {
    /// When it began.
    pub began: Instant,
    is_over: Arc<AtomicBool>,
    _end: Sender<()>,
}

impl Countdown {
    /// It begins now, and ends after this time, if there is an end.
    pub fn start(time: Option<Duration>) -> Self {
        let (began, is_over) = (Instant::now(), Arc::new(AtomicBool::new(false)));
        let (end, ended) = channel::<()>();
        if let Some(time) = time {
            let flag = Arc::clone(&is_over);
            std::thread::spawn(move || {
                if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                    flag.store(true, Ordering::Relaxed);
                }
            });
        }
        Countdown { began, is_over, _end: end }
    }

    /// Set when the time is over, or as soon as this flag is.
    pub fn stop(&self, interrupt: Option<&Arc<AtomicBool>>) -> Stop {
        Stop::when(interrupt.cloned().into_iter().chain([Arc::clone(&self.is_over)]))
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// The time of a plan. What it is asked and told comes with how much of that has passed.
struct Timekeeper<'a> {
    budget: &'a Budget,
    time: Duration,
    /// What shrinking may take of it.
    share: Duration,
    /// What it took, and since when it is going on.
    shrinking: Duration,
    since: Option<Duration>,
    /// What it may have taken at the end of what is going on.
    until: Duration,
    /// Whether a failure waits to be shrunk further.
    is_unfinished: bool,
    cases_are_over: bool,
}

/// Keeps the time of a plan, since it began, until nobody has anything to tell any more.
pub(crate) fn keep_time(
    plan: &Plan,
    (begun, time): (Instant, Duration),
    moments: &Receiver<Moment>,
) {
    let mut keeper = Timekeeper::new(&plan.budget, time, plan.config.shrink_time);
    while let Some(next) = keeper.look(begun.elapsed()) {
        match moments.recv_timeout(next) {
            Ok(moment) => keeper.take(&moment, begun.elapsed()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

impl<'a> Timekeeper<'a> {
    fn new(budget: &'a Budget, time: Duration, share: Option<Duration>) -> Self {
        Timekeeper {
            budget,
            time,
            share: share.unwrap_or(time / 3).min(time),
            shrinking: Duration::ZERO,
            since: None,
            until: Duration::ZERO,
            is_unfinished: false,
            cases_are_over: false,
        }
    }

    fn take(&mut self, moment: &Moment, now: Duration) {
        match moment {
            Moment::ShrinkingBegins { sharers } => {
                self.since = Some(now);
                let left = self.share.saturating_sub(self.shrinking);
                self.until = self.shrinking + left / (*sharers).max(1);
            }
            Moment::ShrinkingEnds { is_finished } => {
                self.shrinking = self.shrunk_for(now);
                self.since = None;
                self.is_unfinished |= !is_finished;
                self.budget.set(Spent::Shrinking, false);
            }
            Moment::CasesEnd => self.cases_are_over = true,
        }
    }

    fn shrunk_for(&self, now: Duration) -> Duration {
        self.shrinking + self.since.map_or(Duration::ZERO, |since| now - since)
    }

    /// Says what is over now, and for how long nothing else will be; `None` if all of it is.
    fn look(&self, now: Duration) -> Option<Duration> {
        let mut next = self.time.saturating_sub(now);
        if next.is_zero() {
            self.budget.set(Spent::Time, true);
            return None;
        }
        let mut ends = |share: Spent, left: Duration| {
            self.budget.set(share, left.is_zero());
            next = if left.is_zero() { next } else { next.min(left) };
        };
        if self.since.is_some() {
            let last = self.time - self.time / LAST_PART;
            let left = self.until.saturating_sub(self.shrunk_for(now));
            ends(Spent::Shrinking, left.min(last.saturating_sub(now)));
        }
        // The rest of the shrinking comes at the end.
        if self.is_unfinished && !self.cases_are_over {
            let reserved = self.share.saturating_sub(self.shrunk_for(now));
            ends(Spent::Cases, (self.time - reserved).saturating_sub(now));
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn shrinking_takes_a_third_and_its_rest_comes_at_the_end() {
        let budget = Budget::default();
        let over = |share| budget.is_over(share);
        let mut keeper = Timekeeper::new(&budget, at(90), None);
        assert_eq!(keeper.look(at(0)), Some(at(90)));
        // While cases go on, a failure gets half of what is left of the third.
        keeper.take(&Moment::ShrinkingBegins { sharers: 2 }, at(10));
        assert_eq!(keeper.look(at(10)), Some(at(15)));
        assert!(!over(Spent::Shrinking));
        keeper.look(at(25));
        assert!(over(Spent::Shrinking) && !over(Spent::Cases));
        keeper.take(&Moment::ShrinkingEnds { is_finished: false }, at(25));
        // The other half is kept for the end.
        assert!(!over(Spent::Shrinking));
        assert_eq!(keeper.look(at(25)), Some(at(50)));
        keeper.look(at(75));
        assert!(over(Spent::Cases) && !over(Spent::Time));
        keeper.take(&Moment::CasesEnd, at(75));
        keeper.take(&Moment::ShrinkingBegins { sharers: 1 }, at(75));
        assert_eq!(keeper.look(at(75)), Some(Duration::from_millis(10_500)));
        keeper.look(at(86));
        assert!(over(Spent::Shrinking), "the last reruns and pictures need some time");
        assert_eq!(keeper.look(at(90)), None);
        assert!(over(Spent::Time));
    }

    #[test]
    fn cases_have_all_of_the_time_if_no_failure_waits() {
        let budget = Budget::default();
        let mut keeper = Timekeeper::new(&budget, at(90), Some(at(60)));
        keeper.take(&Moment::ShrinkingBegins { sharers: 2 }, at(0));
        assert_eq!(keeper.look(at(0)), Some(at(30)), "as much as was asked for");
        keeper.take(&Moment::ShrinkingEnds { is_finished: true }, at(20));
        assert_eq!(keeper.look(at(20)), Some(at(70)));
        assert!(!budget.is_spent());
    }
}
