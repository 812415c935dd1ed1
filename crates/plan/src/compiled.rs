//! Operators as masks of words: to test and to apply one touches a few words of a state.
//!
//! The simulator and the search share them: both derive states by the million.

use crate::condition::{Condition, Literal};
use crate::instantiate::{GroundEffect, Operator};

/// A conjunction: the bits of `mask` in word `at` have these values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Test {
    at: u32,
    mask: u64,
    value: u64,
}

/// A condition: masks, and the clauses that no mask can express.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledCondition {
    tests: Box<[Test]>,
    clauses: Box<[Vec<Condition>]>,
}

impl CompiledCondition {
    pub(crate) fn new(condition: &Condition) -> Self {
        let mut tests: Vec<Test> = Vec::new();
        for literal in &condition.literals {
            let (at, bit) = place(literal.fact());
            let value = if literal.is_negated() { 0 } else { bit };
            match tests.last_mut().filter(|test| test.at == at) {
                Some(test) => {
                    test.mask |= bit;
                    test.value |= value;
                }
                None => tests.push(Test { at, mask: bit, value }),
            }
        }
        CompiledCondition { tests: tests.into(), clauses: condition.clauses.clone().into() }
    }

    #[inline]
    pub(crate) fn holds(&self, state: &[u64]) -> bool {
        self.tests.iter().all(|test| state[test.at as usize] & test.mask == test.value)
            && self.clauses.iter().all(|clause| clause.iter().any(|one| one.holds(state)))
    }
}

fn place(fact: u32) -> (u32, u64) {
    (fact / 64, 1 << (fact % 64))
}

/// What an effect does to one word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    at: u32,
    keep: u64,
    add: u64,
}

#[derive(Clone, Debug)]
struct CompiledEffect {
    condition: CompiledCondition,
    changes: Box<[Change]>,
}

/// An operator that is quick to test and to apply.
#[derive(Clone, Debug)]
pub(crate) struct CompiledOperator {
    precondition: CompiledCondition,
    always: Box<[Change]>,
    conditional: Box<[CompiledEffect]>,
}

impl CompiledOperator {
    pub(crate) fn new(operator: &Operator) -> Self {
        let (mut always, mut conditional) = (Vec::new(), Vec::new());
        for effect in &operator.effects {
            let changes = changes(effect);
            match effect.condition.is_empty() {
                true => always.extend(changes),
                false => conditional.push(CompiledEffect {
                    condition: CompiledCondition::new(&effect.condition),
                    changes: changes.into(),
                }),
            }
        }
        CompiledOperator {
            precondition: CompiledCondition::new(&operator.precondition),
            always: always.into(),
            conditional: conditional.into(),
        }
    }

    #[inline]
    pub(crate) fn is_applicable(&self, state: &[u64]) -> bool {
        self.precondition.holds(state)
    }

    /// Turns the state into the one after. Conditions are about the state before; what is both
    /// deleted and added is true. `scratch` saves an allocation.
    #[inline]
    pub(crate) fn apply(&self, state: &mut [u64], scratch: &mut Vec<Change>) {
        if self.conditional.is_empty() {
            for change in &self.always {
                let word = &mut state[change.at as usize];
                *word = *word & change.keep | change.add;
            }
            return;
        }
        self.apply_conditional(state, scratch);
    }

    fn apply_conditional(&self, state: &mut [u64], scratch: &mut Vec<Change>) {
        scratch.clear();
        for effect in &self.conditional {
            if effect.condition.holds(state) {
                scratch.extend_from_slice(&effect.changes);
            }
        }
        for change in self.always.iter().chain(scratch.iter()) {
            state[change.at as usize] &= change.keep;
        }
        for change in self.always.iter().chain(scratch.iter()) {
            state[change.at as usize] |= change.add;
        }
    }
}

/// The changes of one application: what [`CompiledOperator::apply`] keeps between calls.
pub(crate) type Scratch = Vec<Change>;

fn changes(effect: &GroundEffect) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let adds = effect.adds.iter().map(|fact| Literal::new(*fact, false));
    let deletes = effect.deletes.iter().map(|fact| Literal::new(*fact, true));
    let mut all: Vec<Literal> = adds.chain(deletes).collect();
    all.sort_unstable();
    for literal in all {
        let (at, bit) = place(literal.fact());
        if changes.last().is_none_or(|change| change.at != at) {
            changes.push(Change { at, keep: !0, add: 0 });
        }
        if let Some(change) = changes.last_mut() {
            match literal.is_negated() {
                true => change.keep &= !bit,
                false => change.add |= bit,
            }
        }
    }
    changes
}
