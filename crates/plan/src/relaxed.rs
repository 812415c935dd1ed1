//! The delete relaxation: what could be reached if nothing ever became false.
//!
//! Propositions are the facts, the negations of those facts that some condition wants to be false,
//! and the clauses of conditions. Each is reached by relaxed operators: an effect of an operator
//! with its condition, or (for nothing) a disjunct of a clause. So negation and disjunction need no
//! axioms and no copies of operators.

use crate::condition::{Condition, Literal, bit, ones};
use crate::instantiate::{GroundEffect, Operator};
use std::collections::BTreeMap;

/// No number.
pub(crate) const NONE: u32 = u32::MAX;

/// Lists of numbers, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new() -> Self {
        Lists { starts: vec![0], items: Vec::new() }
    }

    fn push(&mut self, list: &[u32]) {
        self.items.extend_from_slice(list);
        self.starts.push(self.items.len() as u32);
    }

    pub(crate) fn get(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// For each number up to `count`, the lists that it is in.
    fn inverse(&self, count: usize) -> Lists {
        let mut starts = vec![0u32; count + 1];
        for item in &self.items {
            starts[*item as usize + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let (mut next, mut items) = (starts.clone(), vec![0; self.items.len()]);
        for list in 0..self.len() as u32 {
            for item in self.get(list) {
                items[next[*item as usize] as usize] = list;
                next[*item as usize] += 1;
            }
        }
        Lists { starts, items }
    }
}

/// The relaxed task. Its operators are numbered in the order in which they were made.
#[derive(Clone, Debug)]
pub(crate) struct Relaxed {
    pub(crate) propositions: usize,
    /// The facts whose negation is a proposition, and that proposition.
    pub(crate) negations: Vec<(u32, u32)>,
    pub(crate) preconditions: Lists,
    pub(crate) adds: Lists,
    /// The relaxed operators that a proposition is a precondition of.
    pub(crate) users: Lists,
    /// The relaxed operators that add a proposition.
    pub(crate) achievers: Lists,
    /// The operator and the number of its effect that a relaxed operator stands for, or [`NONE`].
    pub(crate) origins: Vec<(u32, u32)>,
    pub(crate) without_precondition: Vec<u32>,
    pub(crate) goal: Vec<u32>,
}

struct Builder<'a> {
    negation: Vec<u32>,
    relaxed: Relaxed,
    clauses: BTreeMap<&'a [Condition], u32>,
}

impl Relaxed {
    /// The relaxation of these operators on so many facts.
    pub(crate) fn new(facts: usize, operators: &[Operator], goal: &Condition) -> Self {
        let mut builder = Builder {
            negation: vec![NONE; facts],
            relaxed: Relaxed {
                propositions: facts,
                negations: Vec::new(),
                preconditions: Lists::new(),
                adds: Lists::new(),
                users: Lists::default(),
                achievers: Lists::default(),
                origins: Vec::new(),
                without_precondition: Vec::new(),
                goal: Vec::new(),
            },
            clauses: BTreeMap::new(),
        };
        builder.negate(goal);
        for operator in operators {
            builder.negate(&operator.precondition);
            operator.effects.iter().for_each(|effect| builder.negate(&effect.condition));
        }
        let mut propositions = Vec::new();
        for (number, operator) in (0..).zip(operators) {
            propositions.clear();
            builder.condition(&operator.precondition, &mut propositions);
            let shared = propositions.len();
            for (effect_number, effect) in (0..).zip(&operator.effects) {
                builder.condition(&effect.condition, &mut propositions);
                builder.effect((number, effect_number), effect, &propositions);
                propositions.truncate(shared);
            }
        }
        let mut wanted = Vec::new();
        builder.condition(goal, &mut wanted);
        let mut relaxed = builder.relaxed;
        relaxed.goal = wanted;
        relaxed.users = relaxed.preconditions.inverse(relaxed.propositions);
        relaxed.achievers = relaxed.adds.inverse(relaxed.propositions);
        let all = 0..relaxed.len() as u32;
        relaxed.without_precondition =
            all.filter(|operator| relaxed.preconditions.get(*operator).is_empty()).collect();
        relaxed
    }

    /// How many relaxed operators there are.
    pub(crate) fn len(&self) -> usize {
        self.origins.len()
    }

    /// The steps of an exploration that reaches everything.
    pub(crate) fn size(&self) -> usize {
        self.preconditions.items.len() + self.adds.items.len() + self.len()
    }

    /// The propositions that hold in a state, but for clauses.
    pub(crate) fn holding<'a>(&'a self, state: &'a [u64]) -> impl Iterator<Item = u32> + 'a {
        let false_facts = self.negations.iter().filter(|(fact, _)| !bit(state, *fact));
        ones(state).chain(false_facts.map(|(_, proposition)| *proposition))
    }

    /// Which relaxed operators can be reached from a state. `without` leaves out the operators
    /// that add this proposition. Also, which propositions.
    pub(crate) fn reached(&self, state: &[u64], without: Option<u32>) -> (Vec<bool>, Vec<bool>) {
        let mut left: Vec<u32> =
            (0..self.len() as u32).map(|it| self.preconditions.get(it).len() as u32).collect();
        let mut fired = vec![false; self.len()];
        let mut reached = vec![false; self.propositions];
        let mut queue: Vec<u32> = Vec::new();
        let reach = |proposition: u32, reached: &mut Vec<bool>, queue: &mut Vec<u32>| {
            if Some(proposition) != without && !reached[proposition as usize] {
                reached[proposition as usize] = true;
                queue.push(proposition);
            }
        };
        self.holding(state).for_each(|proposition| reach(proposition, &mut reached, &mut queue));
        let fire = |operator: u32,
                    fired: &mut Vec<bool>,
                    reached: &mut Vec<bool>,
                    queue: &mut Vec<u32>| {
            fired[operator as usize] = true;
            for add in self.adds.get(operator) {
                reach(*add, reached, queue);
            }
        };
        for operator in &self.without_precondition {
            fire(*operator, &mut fired, &mut reached, &mut queue);
        }
        while let Some(proposition) = queue.pop() {
            for user in self.users.get(proposition) {
                left[*user as usize] -= 1;
                if left[*user as usize] == 0 {
                    fire(*user, &mut fired, &mut reached, &mut queue);
                }
            }
        }
        (fired, reached)
    }
}

impl<'a> Builder<'a> {
    /// Makes propositions of the negated literals.
    fn negate(&mut self, condition: &Condition) {
        condition.each_literal(&mut |literal| {
            let negation = &mut self.negation[literal.fact() as usize];
            if literal.is_negated() && *negation == NONE {
                *negation = self.relaxed.propositions as u32;
                self.relaxed.negations.push((literal.fact(), *negation));
                self.relaxed.propositions += 1;
            }
        });
    }

    fn literal(&self, literal: Literal) -> u32 {
        match literal.is_negated() {
            true => self.negation[literal.fact() as usize],
            false => literal.fact(),
        }
    }

    /// The propositions of a condition, sorted and without repetitions where it was empty.
    fn condition(&mut self, condition: &'a Condition, to: &mut Vec<u32>) {
        to.extend(condition.literals.iter().map(|literal| self.literal(*literal)));
        for clause in &condition.clauses {
            let proposition = self.clause(clause);
            to.push(proposition);
        }
    }

    fn clause(&mut self, clause: &'a [Condition]) -> u32 {
        if let Some(known) = self.clauses.get(clause) {
            return *known;
        }
        let proposition = self.relaxed.propositions as u32;
        self.relaxed.propositions += 1;
        self.clauses.insert(clause, proposition);
        for disjunct in clause {
            let mut propositions = Vec::new();
            self.condition(disjunct, &mut propositions);
            self.push((NONE, NONE), &propositions, &[proposition]);
        }
        proposition
    }

    fn effect(&mut self, origin: (u32, u32), effect: &GroundEffect, propositions: &[u32]) {
        let false_now = effect.deletes.iter().map(|fact| self.negation[*fact as usize]);
        let adds: Vec<u32> =
            effect.adds.iter().copied().chain(false_now.filter(|it| *it != NONE)).collect();
        if !adds.is_empty() {
            self.push(origin, propositions, &adds);
        }
    }

    fn push(&mut self, origin: (u32, u32), propositions: &[u32], adds: &[u32]) {
        let mut unique = propositions.to_vec();
        unique.sort_unstable();
        unique.dedup();
        // What is needed anyway is not achieved.
        let adds: Vec<u32> =
            adds.iter().copied().filter(|add| unique.binary_search(add).is_err()).collect();
        self.relaxed.preconditions.push(&unique);
        self.relaxed.adds.push(&adds);
        self.relaxed.origins.push(origin);
    }
}
