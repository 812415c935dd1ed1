//! The planner as a pilot: `auto plan "goal" n` chooses the operators that lead to a goal.
//!
//! On its own because it chooses, where the oracle only watches. It reads the state off the screen
//! where it takes over, plans, and plans again whenever the app is elsewhere than it expected.

use crate::oracle::{Goal, Oracle};
use crate::readings::{FactReader, ReadingMemory};
use capuchin::Probe;
use capuchin::steering::{Choice, Effect, NamedTrace, Pilot, Pilots};
use capuchin::trace::Auto;
use capuchin::ui::{DeviceError, DeviceInfo};
use capuchin_plan::pddl::Step;
use capuchin_plan::{Limits, PartialState, Truth};
use capuchin_spec::PLAN;
use std::sync::Arc;

/// How many states a search may evaluate for one move.
const EVALUATIONS: u64 = 200_000;

/// Pilots that plan, and those of somebody else for all other policies.
pub struct PlanPilots {
    oracle: Arc<Oracle>,
    others: Arc<dyn Pilots>,
}

impl PlanPilots {
    /// Pilots that plan with this model, beside others.
    pub fn new(oracle: Arc<Oracle>, others: Arc<dyn Pilots>) -> Self {
        PlanPilots { oracle, others }
    }
}

impl Pilots for PlanPilots {
    fn pilot(&self, auto: &Auto, device: &DeviceInfo, seed: u64) -> Option<Box<dyn Pilot>> {
        if auto.policy != PLAN {
            return self.others.pilot(auto, device, seed);
        }
        let goal = self.oracle.goal(auto.argument.as_deref()?).ok()?;
        let state = self.oracle.follower.initial();
        let oracle = Arc::clone(&self.oracle);
        let memory = ReadingMemory::default();
        Some(Box::new(Planner { oracle, goal, state, plan: Vec::new(), chosen: None, memory }))
    }
}

/// Leads to a goal.
struct Planner {
    oracle: Arc<Oracle>,
    goal: Goal,
    state: PartialState,
    /// What is left of the plan, the next step last.
    plan: Vec<Step>,
    /// The step that was chosen, by number.
    chosen: Option<usize>,
    memory: ReadingMemory,
}

impl Planner {
    /// What is seen counts more than what was thought. Whether it was otherwise.
    fn read(&mut self, app: &mut Probe<'_>) -> Result<bool, DeviceError> {
        let mut reader = FactReader::new(&self.oracle.readings, &mut self.memory, app);
        let mut is_otherwise = false;
        for fact in 0..self.oracle.follower.facts().len() as u32 {
            if let Some(seen) = reader.read(fact)? {
                is_otherwise |= self.state.truth(fact) != Truth::from(seen);
                self.state.set(fact, seen.into());
            }
        }
        Ok(is_otherwise)
    }

    /// The next step to the goal, by number; `None` if it is reached or there is no way.
    fn next(&mut self) -> Option<usize> {
        let oracle = &self.oracle;
        if oracle.follower.holds(&oracle.model, &self.goal.condition, &self.state) {
            return None;
        }
        if self.plan.is_empty() {
            let mut limits = Limits { evaluations: EVALUATIONS, ..Limits::default() };
            self.plan = oracle.plan_from(&self.state, &self.goal, &mut limits)?;
            self.plan.reverse();
        }
        let number = oracle.number(&self.plan.pop()?)?;
        (oracle.follower.precondition(number, &self.state) == Truth::True).then_some(number)
    }
}

impl Pilot for Planner {
    fn take_over(&mut self, app: &mut Probe<'_>, _fresh: u32) {
        self.state = self.oracle.follower.initial();
        (self.plan, self.chosen) = (Vec::new(), None);
        // A device that fails here fails at the next move, too, which tells.
        let _ = self.read(app);
    }

    fn choose(
        &mut self,
        app: &mut Probe<'_>,
        _offered: &[NamedTrace],
    ) -> Result<Choice, DeviceError> {
        if self.read(app)? {
            self.plan.clear();
        }
        self.chosen = self.next();
        let trace = self.chosen.and_then(|step| self.oracle.operators.trace(step));
        Ok(trace.map_or(Choice::Stop, Choice::Run))
    }

    fn saw(&mut self, effect: Effect<'_>, _fresh: Option<u32>, _app: &mut Probe<'_>) {
        match (effect, self.chosen.take()) {
            (Effect::Done, Some(step)) => _ = self.oracle.follower.apply(step, &mut self.state),
            _ => self.plan.clear(),
        }
    }

    fn hand_back(&mut self) {
        self.plan.clear();
    }
}
