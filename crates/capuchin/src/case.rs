//! One case of a check: drawn from the seed, run, and, if it failed, shrunk and run again.
//!
//! Everything here is a function of the plan and the number of the case, so that cases can be run
//! in any order, on any number of devices, and give the same results. The exception is a plan that
//! is steered ([`Plan::is_steered`]): its pilots learn from every case, so its cases are run one
//! after the other, in their order and on one device.

use crate::event::{CaseReport, Executed, Failure, LoggedStep, VerdictKind, one_line};
use crate::execution::{Execution, OnMove, execute};
use crate::film::film;
use crate::pilot::Pilot;
use crate::plan::Plan;
use crate::property::difference;
use crate::replay::Replayed;
use crate::shrink::{Search, shrink};
use crate::verdict::Verdict;
use capuchin_trace::{Auto, Gen, Sample, Trace};
use capuchin_ui::{Device, DeviceError, Digest, Event, Quoted, Rng, Str};
use std::sync::Arc;

/// A failing case with all that it takes to shrink it. It stays with the worker that ran the case.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The number of the case, from 0.
    pub index: u32,
    /// Whether it is a saved failure, and no case.
    is_saved: bool,
    /// The seed of just this case.
    pub seed: u64,
    /// What was drawn. What a pilot chose is in it as if it had been drawn.
    pub sample: Sample,
    /// What became of it.
    pub execution: Execution,
    /// Where a pilot's move has led to the failure: its `auto`, and the events before that.
    steered: Option<(Arc<Auto>, Vec<Event>)>,
    /// Set if shrinking has begun, and was stopped: how many events the failure was found with, and
    /// how many runs shrinking took.
    begun: Option<(usize, u32)>,
}

/// What came of examining a failing case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Examined {
    /// The failure, as small as it got.
    pub failure: Failure,
    /// What it takes to shrink it further, if there was no time for it.
    pub rest: Option<Evidence>,
}

impl Evidence {
    /// How many runs shrinking has taken so far.
    pub(crate) fn runs(&self) -> u32 {
        self.begun.map_or(0, |(_, runs)| runs)
    }

    /// Whether it has been shrunk already, and there is more to try.
    pub(crate) fn is_begun(&self) -> bool {
        self.begun.is_some()
    }
}

impl Plan {
    /// Runs what is at this place of [`Plan::runs`]: a saved failure, or a case, which is drawn.
    /// Gives what became of it, and the evidence if it failed. `on_move` is called after each move
    /// of a pilot.
    pub fn case(
        &self,
        place: u32,
        device: &mut dyn Device,
        on_move: Option<OnMove<'_>>,
    ) -> Result<(CaseReport, Option<Evidence>), DeviceError> {
        let saved = self.saved.get(place as usize);
        let index = if saved.is_some() { place } else { place - self.saved.len() as u32 };
        let (seed, generator) = match saved {
            Some(saved) => (saved.seed, &saved.trace),
            None => (self.case_seed(index), &self.generator),
        };
        let sample = generator.sample_on(device.info(), Rng::stream(seed, 0));
        let mut rules = self.rules(seed);
        rules.properties = self.properties();
        if saved.is_none() {
            (rules.spends_events, rules.on_move) = (true, on_move);
        }
        let execution = execute(&sample.to_trace(), device, &rules)?;
        let mut report = CaseReport {
            index,
            seed,
            verdict: execution.kind(),
            signature: String::new(),
            steps: execution.attempts as u32,
            unsettled: execution.unsettled.as_ref().map(ToString::to_string),
            lacked: execution
                .lacked
                .iter()
                .map(|lack| (lack.what.to_string(), lack.reason.to_string()))
                .collect(),
            interrupted: execution.interrupted,
            began_otherwise: self
                .began_otherwise(execution.first_screen.as_ref().filter(|_| saved.is_none()))
                .map(|how| with_advice(&how, device)),
            judged: execution.judged.clone(),
            blocked_at: mostly_blocked(&execution),
            done: done(&execution),
            failure: None,
            replayed: saved
                .map(|saved| &saved.expected)
                .or(self.expected.as_ref())
                .map(|expected| Replayed::of(expected, &execution.verdict)),
            saved: saved.map(|saved| saved.file.clone()),
            executed: self.config.log_executed.then(|| Executed {
                events: one_line(execution.executed.iter().map(|(_, event)| event.to_string())),
                screen: execution.screen.to_string(),
            }),
        };
        if execution.verdict.is_success() {
            return Ok((report, None));
        }
        let steered = steered(&sample, &execution);
        let sample = sample.settled(&execution.executed, &execution.moves);
        let evidence = Evidence {
            index,
            is_saved: saved.is_some(),
            seed,
            sample,
            execution,
            steered,
            begun: None,
        };
        report.signature = evidence.execution.verdict.signature();
        report.failure = Some(Box::new(self.failure(&evidence, &evidence.execution)));
        Ok((report, Some(evidence)))
    }

    /// Runs a failing case again; if it fails again, shrinks it, runs the smallest trace again to
    /// confirm it, and films it.
    pub fn examine(
        &self,
        evidence: &Evidence,
        device: &mut dyn Device,
    ) -> Result<Examined, DeviceError> {
        let (mut shorter, mut began_otherwise) = (None, None);
        if evidence.begun.is_none() {
            self.pilots.violated(&evidence.execution.verdict.signature());
            let Reproduction { failed, began_otherwise: other } =
                self.reproduce(evidence, device)?;
            began_otherwise = other;
            if failed > 0 {
                let failure = self.failure(evidence, &evidence.execution);
                // What an earlier run has seen comes and goes, but it is no accident.
                let (again, not_reproduced) = (failed, !evidence.is_saved);
                let failure = Failure { again, not_reproduced, began_otherwise, ..failure };
                return Ok(Examined { failure, rest: None });
            }
            if self.config.shrink_budget > 0 {
                shorter = self.by_shortcut(evidence, device)?;
            }
        }
        let from = shorter.as_ref().unwrap_or(evidence);
        let Search { best, runs, finished, sample, out_of_time, .. } = shrink(self, from, device)?;
        let rules = self.rules(evidence.seed);
        let (signature, trace) = (best.verdict.again().signature(), best.trace());
        let (mut again, mut same) = (0, 0);
        for _ in 0..self.config.confirmations {
            let execution = execute(&trace, device, &rules)?;
            if execution.interrupted {
                break;
            }
            again += 1;
            same += u32::from(execution.verdict.signature() == signature);
        }
        let film = match self.config.film {
            true => film(&trace, &signature, device, &rules),
            false => Vec::new(),
        };
        let failure = self.failure(evidence, &best);
        let (shrink_runs, shrink_finished) = (runs, finished);
        let begun = Some((failure.found_steps as usize, shrink_runs));
        let rest =
            out_of_time.then(|| Evidence { sample, execution: best, begun, ..evidence.clone() });
        let failure =
            Failure { shrink_runs, shrink_finished, again, same, film, began_otherwise, ..failure };
        Ok(Examined { failure, rest })
    }

    /// Runs a failure again as it was found, until it comes again.
    fn reproduce(
        &self,
        evidence: &Evidence,
        device: &mut dyn Device,
    ) -> Result<Reproduction, DeviceError> {
        let Evidence { sample, execution, seed, .. } = evidence;
        // What is saved comes first. What was drawn may still name an element better than that.
        let (saved, drawn) = (execution.trace(), sample.to_trace());
        let known = [execution.verdict.signature(), execution.verdict.again().signature()];
        let mut reproduction = Reproduction::default();
        for rerun in 0..self.config.reproductions {
            let trace = if rerun % 2 == 0 { &saved } else { &drawn };
            let again = execute(trace, device, &self.rules(*seed))?;
            if let (Some(first), Some(now)) = (&execution.first_screen, &again.first_screen) {
                let other = difference(first, now).map(|how| with_advice(&how, device));
                reproduction.began_otherwise = reproduction.began_otherwise.or(other);
            }
            // If it was interrupted nobody knows: the failure is kept as it was found.
            if again.interrupted || known.contains(&again.verdict.signature()) {
                reproduction.failed = 0;
                break;
            }
            reproduction.failed += 1;
        }
        Ok(reproduction)
    }

    /// A failing case, with the smallest run of it that is known.
    fn failure(&self, evidence: &Evidence, smallest: &Execution) -> Failure {
        let Execution { verdict, executed, .. } = smallest;
        let found_steps =
            evidence.begun.map_or(evidence.execution.executed.len(), |(found, _)| found);
        let minimal = smallest.trace();
        let named = verdict.monitor().map(Str::as_str);
        let monitor = self.monitors.iter().find(|monitor| Some(monitor.name()) == named);
        let mut needs = monitor.map(|monitor| monitor.needs()).unwrap_or_default();
        needs.extend(verdict.property().map(|(_, formula)| formula.needs()).into_iter().flatten());
        Failure {
            number: 0,
            check: self.name.clone(),
            kind: VerdictKind::from(verdict),
            summary: verdict.to_string(),
            detail: verdict.detail(),
            compared: verdict.compared().to_vec(),
            expectation: verdict.expectation(),
            steps: executed
                .iter()
                .map(|(_, event)| LoggedStep { event: event.to_string() })
                .collect(),
            minimal: minimal.to_string(),
            needs: minimal.needs().into_iter().chain(needs).map(Into::into).collect(),
            monitor: verdict.monitor().map(ToString::to_string),
            property: verdict.property().map(|(label, formula)| match label {
                Some(label) => format!("property {}: {formula}", Quoted(label)),
                None => format!("property {formula}"),
            }),
            found_steps: found_steps as u32,
            case: evidence.index,
            saved: evidence.is_saved,
            seed: evidence.seed,
            shrink_runs: 0,
            shrink_finished: false,
            not_reproduced: false,
            began_otherwise: None,
            again: 0,
            same: 0,
            film: Vec::new(),
        }
    }

    /// The same failure by a shorter way, if the model of the pilot that made the last move knows
    /// one: the shortest way to where that was made, and then the same move.
    fn by_shortcut(
        &self,
        evidence: &Evidence,
        device: &mut dyn Device,
    ) -> Result<Option<Evidence>, DeviceError> {
        let executed = &evidence.execution.executed;
        let (Some((auto, ahead)), Some((_, last))) = (&evidence.steered, executed.last()) else {
            return Ok(None);
        };
        let way = self.pilots.ask(auto, Pilot::shortest_way).flatten();
        let Some(way) = way.filter(|way| ahead.len() + way.len() + 1 < executed.len()) else {
            return Ok(None);
        };
        let events = ahead.iter().cloned().chain(way).chain([last.clone()]);
        let sample = Gen::from(Trace::seq(events.map(Trace::from))).sample(Rng::new(0));
        let execution = execute(&sample.to_trace(), device, &self.rules(evidence.seed))?;
        let same = execution.verdict.signature() == evidence.execution.verdict.signature();
        Ok(same.then(|| Evidence { sample, execution, ..evidence.clone() }))
    }
}

/// What came of running a failure again as it was found.
#[derive(Default)]
struct Reproduction {
    /// In how many reruns it did not come again; 0 if it did at last.
    failed: u32,
    /// How a rerun began otherwise than the run that found it.
    began_otherwise: Option<String>,
}

/// How a run began otherwise, and what the device offers against that.
fn with_advice(how: &str, device: &dyn Device) -> String {
    match device.info().reset_advice.as_str() {
        "" => how.to_owned(),
        advice => format!("{how}; {advice}"),
    }
}

/// If most events of a run were blocked: one of them, and why.
fn mostly_blocked(execution: &Execution) -> Option<String> {
    let blocked = execution.attempts.saturating_sub(execution.executed.len());
    let verdict = execution.blocked.as_deref().filter(|_| 2 * blocked > execution.attempts)?;
    let Verdict::Blocked { event, reason, .. } = verdict else { return None };
    Some(format!("{event}: {reason}"))
}

/// A digest of what was done in a run.
fn done(execution: &Execution) -> u64 {
    let mut digest = Digest::default();
    execution.executed.iter().for_each(|(_, event)| digest.add(event));
    digest.0
}

/// Where a pilot's move has led to a failure that means something after any events.
fn steered(sample: &Sample, execution: &Execution) -> Option<(Arc<Auto>, Vec<Event>)> {
    let (slot, _) = execution.executed.last()?;
    let auto = slot.auto().filter(|_| execution.verdict.stands_alone())?;
    let ahead = execution.executed.iter().take_while(|(slot, _)| slot.auto() != Some(auto));
    Some((sample.auto(auto)?, ahead.map(|(_, event)| event.clone()).collect()))
}
