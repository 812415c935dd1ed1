//! Operators learned from runs: a monitor that reads facts off every screen, recognizes operators
//! in the steps, and notes which operators each screen showed as impossible.
//!
//! On its own because it expects nothing: it shows what it saw to the learner of
//! [`capuchin_plan::learn`], and does not compare. What was learned can judge other runs
//! ([`LearnedOracle`]).

use crate::oracle::Oracle;
use crate::readings::{FactReader, ReadingMemory};
use capuchin::ui::{DeviceError, Event, Screen, Str};
use capuchin::{Action, Finding, Monitor, Monitors, Probe, Step, Watched};
use capuchin_plan::learn::{LearnError, LearnOptions, Learned, Learner, Observed};
use capuchin_plan::{LiftedState, Truth, pddl};
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the monitor that learns.
pub const LEARNING: &str = "learned operators";

/// Learns operators from the runs that it watches.
///
/// A step is an example of the operator that its events fit; of several, of the one whose
/// precondition holds by the model. A step that fits several operators none of which is told apart
/// so is left out ([`OperatorLearning::ambiguous`]). An operator whose first event a screen shows
/// as disabled, covered or absent is a negative example.
#[derive(Clone)]
pub struct OperatorLearning {
    oracle: Arc<Oracle>,
    seen: Arc<Mutex<Seen>>,
}

struct Seen {
    learner: Learner,
    ambiguous: u32,
}

impl OperatorLearning {
    /// A learner of the operators of a mapping. Of the model's own preconditions and effects,
    /// nothing is learned; they only tell apart operators that one event does.
    /// Predicates that no screen shows are left out.
    pub fn new(oracle: Arc<Oracle>, mut options: LearnOptions) -> Result<Self, LearnError> {
        let facts = || (0..).zip(oracle.follower.facts());
        let is_seen = |predicate: u32| {
            let mut of = facts().filter(|(_, fact)| fact.predicate == predicate).peekable();
            of.peek().is_none() || of.any(|(number, _)| oracle.readings.is_seen(number))
        };
        let predicates = 0..oracle.model.domain().predicates.len() as u32;
        options.without.extend(predicates.filter(|predicate| !is_seen(*predicate)));
        let learner = Learner::new(&oracle.model, options)?;
        Ok(OperatorLearning { oracle, seen: Arc::new(Mutex::new(Seen { learner, ambiguous: 0 })) })
    }

    /// What is known now.
    pub fn learned(&self) -> Learned {
        self.with(|seen| seen.learner.learned())
    }

    /// How many steps were left out because they fit several operators.
    pub fn ambiguous(&self) -> u32 {
        self.with(|seen| seen.ambiguous)
    }

    /// What was learned so far, as an oracle of other runs.
    pub fn oracle(&self) -> LearnedOracle {
        LearnedOracle(self.clone())
    }

    fn with<T>(&self, look: impl FnOnce(&mut Seen) -> T) -> T {
        look(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Monitors for OperatorLearning {
    fn name(&self) -> &str {
        LEARNING
    }

    fn needs(&self) -> Vec<Str> {
        self.oracle.needs.clone()
    }

    fn monitor(&self) -> Box<dyn Monitor + '_> {
        Box::new(Watching::new(self, false))
    }
}

/// What was learned, as an oracle: a step that it covers and that came out otherwise than
/// everything seen before is a finding. It learns nothing more, so a verdict does not depend on
/// other runs.
pub struct LearnedOracle(OperatorLearning);

impl Monitors for LearnedOracle {
    fn name(&self) -> &str {
        LEARNING
    }

    fn needs(&self) -> Vec<Str> {
        self.0.oracle.needs.clone()
    }

    fn monitor(&self) -> Box<dyn Monitor + '_> {
        Box::new(Watching::new(&self.0, true))
    }
}

/// An operator of which some events have been done.
struct Begun {
    way: u32,
    done: usize,
    before: Arc<Observed>,
}

struct Watching<'a> {
    learning: &'a OperatorLearning,
    judges: bool,
    state: Arc<Observed>,
    begun: Vec<Begun>,
    memory: ReadingMemory,
}

impl Monitor for Watching<'_> {
    fn wants_before(&self) -> bool {
        true
    }

    fn watch(&mut self, step: &Step<'_>, app: &mut Probe<'_>) -> Watched {
        if step.after.crash.is_some() || step.is_blocked() {
            return Ok(None);
        }
        match (step.action, step.before) {
            (Action::Perform(Event::Skip), _) => Ok(None),
            (Action::Perform(event), Some(before)) => {
                if !self.judges {
                    self.note_impossible(before);
                }
                let meant = self.follow(event, before);
                let state = Arc::new(self.read(app)?);
                self.state = Arc::clone(&state);
                Ok(meant.and_then(|(step, before)| self.conclude(&step, &before, &state)))
            }
            _ => {
                self.begun.clear();
                self.state = Arc::new(self.read(app)?);
                Ok(None)
            }
        }
    }
}

impl<'a> Watching<'a> {
    fn new(learning: &'a OperatorLearning, judges: bool) -> Self {
        let (state, begun, memory) = Default::default();
        Watching { learning, judges, state, begun, memory }
    }

    /// The facts that are seen, and those that never change.
    fn read(&mut self, app: &mut Probe<'_>) -> Result<Observed, DeviceError> {
        let oracle = &self.learning.oracle;
        let fixed = |fact: &&pddl::Fact| !oracle.model.is_fluent(fact.predicate);
        let facts: LiftedState =
            oracle.model.problem().init.iter().filter(fixed).cloned().collect();
        let mut state = Observed::from(facts);
        let mut reader = FactReader::new(&oracle.readings, &mut self.memory, app);
        for (number, fact) in (0..).zip(oracle.follower.facts()) {
            match reader.read(number)? {
                Some(true) => _ = state.facts.insert(fact.clone()),
                Some(false) => {}
                None => _ = state.unknown.insert(fact.clone()),
            }
        }
        Ok(state)
    }

    /// Shows the learner the operators whose first event is not possible on the screen.
    fn note_impossible(&self, screen: &Screen) {
        let oracle = &self.learning.oracle;
        let events = &oracle.operators.events;
        let possible: Vec<bool> = events.iter().map(|event| is_possible(event, screen)).collect();
        let mut can = vec![false; oracle.follower.steps().len()];
        let mut has_way = vec![false; can.len()];
        for way in &oracle.operators.ways {
            has_way[way.step as usize] = true;
            can[way.step as usize] |= possible[way.events[0] as usize];
        }
        let steps = oracle.follower.steps().iter().zip(can).zip(has_way);
        let steps = steps.filter(|((_, can), has_way)| !can && *has_way);
        let steps: Vec<pddl::Step> = steps.map(|((step, _), _)| step.clone()).collect();
        // The steps are the model's own, so none of them is refused.
        let _ = self.learning.with(|seen| seen.learner.each_impossible(&self.state, &steps));
    }

    /// The operator that is done with this event, and what was seen before it.
    fn follow(&mut self, event: &Event, before: &Screen) -> Option<(pddl::Step, Arc<Observed>)> {
        let oracle = &self.learning.oracle;
        let ways = &oracle.operators.ways;
        let fitting = oracle.operators.fitting(event, before);
        self.begun.retain(|one| {
            let next = ways[one.way as usize].events.get(one.done);
            next.is_some_and(|event| fitting.contains(event))
        });
        for way in fitting.iter().flat_map(|event| oracle.operators.beginning_with(*event)) {
            self.begun.push(Begun { way: *way, done: 0, before: Arc::clone(&self.state) });
        }
        self.begun.iter_mut().for_each(|one| one.done += 1);
        let is_done = |one: &Begun| ways[one.way as usize].events.len() == one.done;
        let (done, begun) = std::mem::take(&mut self.begun).into_iter().partition(is_done);
        self.begun = begun;
        let done: Vec<Begun> = done;
        let step = |one: &Begun| ways[one.way as usize].step as usize;
        let can_be = |one: &&Begun| {
            let mut expected = oracle.follower.initial();
            for (number, fact) in (0..).zip(oracle.follower.facts()) {
                let truth = one.before.value(fact).map_or(Truth::Unknown, Truth::from);
                expected.set(number, truth);
            }
            oracle.follower.precondition(step(one), &expected) != Truth::False
        };
        let meant: Vec<&Begun> = match &done[..] {
            [only] => vec![only],
            several => several.iter().filter(can_be).collect(),
        };
        match meant[..] {
            [one] => {
                self.begun.clear();
                Some((oracle.follower.steps()[step(one)].clone(), Arc::clone(&one.before)))
            }
            [] => None,
            _ => {
                self.learning.with(|seen| seen.ambiguous += 1);
                None
            }
        }
    }

    /// Learns from a step, or judges it.
    fn conclude(&self, step: &pddl::Step, before: &Observed, after: &Observed) -> Option<Finding> {
        if !self.judges {
            let _ = self.learning.with(|seen| seen.learner.step(before, step, after));
            return None;
        }
        let surprises = self.learning.with(|seen| seen.learner.surprises(before, step, after));
        let wrong = surprises.ok().flatten().filter(|wrong| !wrong.is_empty())?;
        let model = &self.learning.oracle.model;
        let name = &model.domain().actions[step.action as usize].name;
        let what = format!("{name} did something else than in the runs before");
        let mut detail = model.step_text(step);
        let mut rows = Vec::new();
        for (fact, expected) in &wrong {
            let text = model.fact_text(fact);
            let not = format!("(not {text})");
            rows.push(if *expected { (text, not) } else { (not, text) });
        }
        for (expected, seen) in &rows {
            detail += &format!("\nexpected {expected}, seen {seen}");
        }
        let finding = Finding::new(what).detail(detail);
        Some(rows.into_iter().fold(finding, |it, (expected, seen)| it.compared(expected, seen)))
    }
}

/// Whether an event can be performed on a screen.
fn is_possible(event: &Event, screen: &Screen) -> bool {
    match event.target() {
        Some(capuchin::ui::Target::Any(_)) => screen.candidates(event).next().is_some(),
        _ => screen.locate(event).is_ok(),
    }
}
