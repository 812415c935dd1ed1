//! Lazy greedy best-first search with preferred operators, after LAMA (Richter and Westphal 2010).
//!
//! States are evaluated when they are expanded, not when they are generated. Each heuristic has two
//! open lists, one of all successors and one of the preferred ones. The lists take turns; after
//! progress, the preferred ones get many more turns.

use super::ff::Ff;
use super::landmarks::{Landmarks, Progress};
use super::mutex::Mutexes;
use super::open::{AllSuccessors, SomeSuccessors};
use super::registry::Registry;
use super::successors::Successors;
use super::{Limits, Stopped};
use crate::compiled::{CompiledCondition, CompiledOperator, Scratch};
use crate::pddl::Fact;
use crate::reduce::Reduced;
use crate::relaxed::Relaxed;

/// How many turns the preferred lists gain when a heuristic sees a lower value than ever.
const BOOST: i64 = 1000;

/// One heuristic's lists.
#[derive(Debug, Default)]
struct Lists {
    all: AllSuccessors,
    preferred: SomeSuccessors,
    all_turns: i64,
    preferred_turns: i64,
    best: Option<u32>,
}

/// A search for one goal.
pub(crate) struct LazySearch<'a> {
    reduced: &'a Reduced,
    operators: &'a [CompiledOperator],
    successors: Successors,
    goal: CompiledCondition,
    ff: Ff,
    landmarks: Landmarks,
    progress: Progress,
    registry: Registry,
    /// For the FF heuristic, and for landmarks if there are any.
    lists: Vec<Lists>,
    scratch: Scratch,
    pub(crate) evaluated: u64,
}

impl<'a> LazySearch<'a> {
    pub(crate) fn new(
        reduced: &'a Reduced,
        operators: &'a [CompiledOperator],
        names: &[Fact],
    ) -> Self {
        let facts = reduced.facts.len();
        let relaxed = Relaxed::new(facts, &reduced.operators, &reduced.goal);
        let mut ff = Ff::new(relaxed, reduced.operators.len());
        let used = ff.relaxed_plan(&reduced.init);
        let mutexes = Mutexes::find(reduced, names);
        let landmarks = Landmarks::find(ff.relaxed(), reduced, &used, &mutexes);
        let lists = if landmarks.len() > 0 { 2 } else { 1 };
        LazySearch {
            operators,
            successors: Successors::new(facts, &reduced.operators),
            goal: CompiledCondition::new(&reduced.goal),
            ff,
            progress: Progress::new(&landmarks),
            landmarks,
            registry: Registry::new(reduced.init.len()),
            lists: (0..lists).map(|_| Lists::default()).collect(),
            scratch: Scratch::new(),
            evaluated: 0,
            reduced,
        }
    }

    /// Operators that lead to the goal; `None` if there are none.
    pub(crate) fn run(&mut self, limits: &mut Limits<'_>) -> Result<Option<Vec<u32>>, Stopped> {
        let mut state = self.reduced.init.clone();
        self.registry.insert(&state, 0, 0);
        if self.goal.holds(&state) {
            return Ok(Some(Vec::new()));
        }
        self.progress.start(&self.landmarks, &state);
        self.evaluate(0, &state);
        while let Some((from, operator)) = self.next() {
            state.copy_from_slice(self.registry.state(from));
            let compiled = &self.operators[operator as usize];
            compiled.apply(&mut state, &mut self.scratch);
            let Some(number) = self.registry.insert(&state, from, operator) else { continue };
            if self.goal.holds(&state) {
                return Ok(Some(self.registry.path(number)));
            }
            self.progress.follow(&self.landmarks, from, &state);
            self.evaluate(number, &state);
            let bytes = self.registry.bytes() + self.progress.bytes();
            limits.check(self.evaluated, bytes)?;
        }
        Ok(None)
    }

    /// Finds the values of a new state, and puts its successors into the open lists.
    fn evaluate(&mut self, number: u32, state: &[u64]) {
        self.evaluated += 1;
        let Some(length) = self.ff.evaluate(state) else { return };
        let mut has_progress = false;
        let left = self.progress.left(&self.landmarks, number, state);
        for (lists, value) in self.lists.iter_mut().zip([length, left]) {
            if lists.best.is_none_or(|best| value < best) {
                has_progress |= lists.best.is_some();
                lists.best = Some(value);
            }
            lists.all.push(value, number);
            for operator in &self.ff.preferred {
                lists.preferred.push(value, number, *operator);
            }
        }
        if has_progress {
            self.lists.iter_mut().for_each(|lists| lists.preferred_turns -= BOOST);
        }
    }

    /// The next successor: of the list that had the fewest turns.
    fn next(&mut self) -> Option<(u32, u32)> {
        let turns = |(number, lists): (usize, &Lists)| {
            let all = (!lists.all.is_empty()).then_some((lists.all_turns, number, false));
            let some =
                (!lists.preferred.is_empty()).then_some((lists.preferred_turns, number, true));
            [all, some]
        };
        let (_, number, is_preferred) =
            self.lists.iter().enumerate().flat_map(turns).flatten().min_by_key(|turn| turn.0)?;
        let lists = &mut self.lists[number];
        if is_preferred {
            lists.preferred_turns += 1;
            return lists.preferred.pop();
        }
        lists.all_turns += 1;
        let (registry, successors, operators) = (&self.registry, &self.successors, self.operators);
        let generate = |state: u32, to: &mut Vec<u32>| {
            successors.of(registry.state(state), operators, to);
        };
        match lists.all.pop(generate) {
            Some(next) => Some(next),
            // Its last states had no successors; the other lists may have some.
            None => self.next(),
        }
    }
}
