//! The planner: heuristic search on a ground task.
//!
//! What each part does is in its file; here is what a caller sees of them.

mod ff;
mod landmarks;
mod lazy;
mod mutex;
mod open;
mod plans;
mod registry;
mod shorten;
mod successors;

use crate::compiled::CompiledOperator;
use crate::condition::Condition;
use crate::ground::{GroundError, Task};
use crate::lifted::LiftedState;
use crate::model::Model;
use crate::pddl::{Formula, Step};
use crate::reduce::reduce;
use lazy::LazySearch;
pub use plans::Plans;
use thiserror::Error;

/// When a search gives up. It looks at no clock: a caller who has one passes `stop`.
pub struct Limits<'a> {
    /// The most states that are evaluated.
    pub evaluations: u64,
    /// The most bytes that states and open lists take, roughly.
    pub memory: usize,
    /// Asked now and then whether to give up.
    pub stop: Option<&'a mut dyn FnMut() -> bool>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits { evaluations: u64::MAX, memory: 2 << 30, stop: None }
    }
}

/// How often `stop` is asked: once in so many evaluations.
const STOP_INTERVAL: u64 = 64;

impl Limits<'_> {
    fn check(&mut self, evaluations: u64, memory: usize) -> Result<(), Stopped> {
        if evaluations >= self.evaluations {
            return Err(Stopped::Evaluations);
        }
        if memory > self.memory {
            return Err(Stopped::Memory);
        }
        let asks = evaluations.is_multiple_of(STOP_INTERVAL);
        let is_stopped = asks && self.stop.as_mut().is_some_and(|stop| stop());
        if is_stopped { Err(Stopped::Asked) } else { Ok(()) }
    }
}

/// A search that gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Stopped {
    /// It evaluated as many states as it may.
    #[error("the search has evaluated as many states as it may")]
    Evaluations,
    /// It took as much memory as it may.
    #[error("the search has taken as much memory as it may")]
    Memory,
    /// The caller stopped it.
    #[error("the search was stopped")]
    Asked,
}

/// A search from another state that cannot be made, or that gave up.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolveError {
    /// The goal is too large.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// It gave up.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The state has a fact that the problem never reaches.
    #[error("`{0}` cannot be reached from the problem's initial state; ground a problem with it")]
    Unreachable(String),
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The plan; `None` if there is none.
    pub plan: Option<Vec<Step>>,
    /// How many states were evaluated.
    pub evaluated: u64,
    /// How long the plan was before it was shortened.
    pub found_length: usize,
}

impl Task {
    /// Searches for a plan for the goal of the problem.
    pub fn solve(&self, limits: &mut Limits<'_>) -> Result<Found, Stopped> {
        match &self.goal {
            Some(goal) => self.solve_from(&self.init, goal, limits),
            None => Ok(Found { plan: None, evaluated: 0, found_length: 0 }),
        }
    }

    /// Searches for a plan from another state, for another goal. The task knows the facts that can
    /// be reached from the initial state of its problem; a fact of `from` that is not among them is
    /// an error.
    pub fn solve_goal(
        &self,
        model: &Model,
        from: &LiftedState,
        goal: &Formula,
        limits: &mut Limits<'_>,
    ) -> Result<Found, SolveError> {
        let init = self.state(model, from).map_err(SolveError::Unreachable)?;
        match self.condition(model, goal)? {
            Some(goal) => Ok(self.solve_from(&init, &goal, limits)?),
            None => Ok(Found { plan: None, evaluated: 0, found_length: 0 }),
        }
    }

    pub(crate) fn solve_from(
        &self,
        init: &[u64],
        goal: &Condition,
        limits: &mut Limits<'_>,
    ) -> Result<Found, Stopped> {
        let Some(reduced) = reduce(self.facts.len(), &self.operators, init, goal) else {
            return Ok(Found { plan: None, evaluated: 0, found_length: 0 });
        };
        let operators: Vec<CompiledOperator> =
            reduced.operators.iter().map(CompiledOperator::new).collect();
        let mut search = LazySearch::new(&reduced, &operators, &self.facts);
        let path = search.run(limits)?;
        let evaluated = search.evaluated;
        drop(search);
        let found_length = path.as_ref().map_or(0, Vec::len);
        let plan = path.map(|path| {
            let short = shorten::shorten(&reduced, &operators, path);
            short.into_iter().map(|it| reduced.operators[it as usize].step.clone()).collect()
        });
        Ok(Found { plan, evaluated, found_length })
    }
}
