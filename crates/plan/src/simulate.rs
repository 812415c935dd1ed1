//! Expected states at speed: `ExpStateGen` of Memon, Pollack and Soffa (2000) on states of bits.
//!
//! Nothing is grounded before it is needed. A step is compiled to masks of words when it is taken
//! for the first time, and facts get their numbers when a step mentions them. So a model with
//! millions of ground actions costs what a test case uses of it.

use crate::compiled::{CompiledOperator, Scratch};
use crate::condition::{bit, ones, set_bit};
use crate::instantiate::{Instantiation, Resolver, Value};
use crate::lifted::{Invalid, LiftedState};
use crate::model::Model;
use crate::pddl::{Fact, ObjectId, PredicateId, Step};
use crate::table::{IdTable, hash_ids};

/// A state of a [`Simulator`]: the facts that are true and that some action can change.
#[derive(Clone, Debug, Default)]
pub struct State {
    bits: Vec<u64>,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        // A state may be older than some facts, which are false in it.
        let longest = self.bits.len().max(other.bits.len());
        let word = |state: &State, at: usize| state.bits.get(at).copied().unwrap_or(0);
        (0..longest).all(|at| word(self, at) == word(other, at))
    }
}

/// A step that a [`Simulator`] has compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompiledStep(u32);

/// Derives the states that a test case must lead to.
///
/// ```
/// use capuchin_plan::{Model, Simulator};
/// let domain = "(define (domain windows) (:predicates (open ?w) (current ?w))
///   (:action close :parameters (?w) :precondition (open ?w)
///     :effect (and (not (open ?w)) (not (current ?w)))))";
/// let problem = "(define (problem one) (:domain windows) (:objects find)
///   (:init (open find) (current find)) (:goal (not (open find))))";
/// let model = Model::parse(domain, problem)?;
/// let mut simulator = Simulator::new(&model);
/// let mut state = simulator.initial();
/// let close = simulator.compile(&model.step("(close find)")?)?;
/// simulator.apply(close, &mut state)?;
/// assert_eq!(simulator.facts(&state).count(), 0);
/// assert!(simulator.apply(close, &mut state).is_err(), "the case is invalid");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Simulator<'a> {
    model: &'a Model,
    facts: Facts<'a>,
    steps: IdTable,
    compiled: Vec<(Step, Option<CompiledOperator>)>,
    initial: State,
    scratch: Scratch,
}

/// The facts that have a number.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    model: &'a Model,
    pub(crate) facts: Vec<Fact>,
    table: IdTable,
    /// The facts that never change, in order.
    pub(crate) always: Vec<&'a Fact>,
}

fn hash(predicate: PredicateId, arguments: &[ObjectId]) -> u64 {
    hash_ids(arguments) ^ u64::from(predicate).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl<'a> Facts<'a> {
    /// All that is true at first gets its number now: what gets one later was false.
    pub(crate) fn new(model: &'a Model) -> Self {
        let init = &model.problem().init;
        let mut always: Vec<&Fact> =
            init.iter().filter(|fact| !model.is_fluent(fact.predicate)).collect();
        always.sort();
        let mut facts = Facts { model, facts: Vec::new(), table: IdTable::default(), always };
        for fact in init.iter().filter(|fact| model.is_fluent(fact.predicate)) {
            facts.number(fact.predicate, &fact.arguments);
        }
        facts
    }

    fn find(&self, predicate: PredicateId, arguments: &[ObjectId]) -> Option<u32> {
        self.table.find(hash(predicate, arguments), |number| {
            let fact = &self.facts[number as usize];
            fact.predicate == predicate && fact.arguments == arguments
        })
    }

    pub(crate) fn number(&mut self, predicate: PredicateId, arguments: &[ObjectId]) -> u32 {
        self.find(predicate, arguments).unwrap_or_else(|| {
            let number = self.facts.len() as u32;
            self.facts.push(Fact { predicate, arguments: arguments.to_vec() });
            let facts = &self.facts;
            let hash_of = |number: u32| {
                let Fact { predicate, arguments } = &facts[number as usize];
                hash(*predicate, arguments)
            };
            self.table.insert(hash(predicate, arguments), number, hash_of);
            number
        })
    }

    fn is_always(&self, predicate: PredicateId, arguments: &[ObjectId]) -> bool {
        let order =
            |fact: &&Fact| (fact.predicate, fact.arguments.as_slice()).cmp(&(predicate, arguments));
        self.always.binary_search_by(order).is_ok()
    }
}

impl Resolver for &mut Facts<'_> {
    fn resolve(&mut self, predicate: PredicateId, arguments: &[ObjectId]) -> Value {
        match self.model.is_fluent(predicate) {
            true => Value::Fact(self.number(predicate, arguments)),
            false => Value::Always(self.is_always(predicate, arguments)),
        }
    }
}

impl<'a> Simulator<'a> {
    /// A simulator of a model. Nothing is grounded yet.
    pub fn new(model: &'a Model) -> Self {
        let facts = Facts::new(model);
        let mut bits = vec![0; facts.facts.len().div_ceil(64)];
        (0..facts.facts.len() as u32).for_each(|number| set_bit(&mut bits, number));
        Simulator {
            model,
            facts,
            steps: IdTable::default(),
            compiled: Vec::new(),
            initial: State { bits },
            scratch: Scratch::new(),
        }
    }

    /// The state in which the problem begins.
    pub fn initial(&self) -> State {
        self.initial.clone()
    }

    /// Compiles a step, unless it is compiled.
    pub fn compile(&mut self, step: &Step) -> Result<CompiledStep, Invalid> {
        let hash = hash(step.action, &step.arguments);
        let known = self.steps.find(hash, |it| self.compiled[it as usize].0 == *step);
        if let Some(known) = known {
            return Ok(CompiledStep(known));
        }
        self.model.check_step(step)?;
        let operator = Instantiation::new(self.model, &mut self.facts).operator(step.clone());
        let Ok(operator) = operator else {
            return Err(Invalid::TooLarge { step: self.model.step_text(step) });
        };
        let number = self.compiled.len() as u32;
        self.compiled.push((step.clone(), operator.as_ref().map(CompiledOperator::new)));
        let compiled = &self.compiled;
        let hash_of = |it: u32| {
            let Step { action, arguments } = &compiled[it as usize].0;
            self::hash(*action, arguments)
        };
        self.steps.insert(hash, number, hash_of);
        Ok(CompiledStep(number))
    }

    /// Turns a state into the one that is expected after the step. If the precondition fails, the
    /// state stays as it is: the test case is invalid.
    #[inline]
    pub fn apply(&mut self, step: CompiledStep, state: &mut State) -> Result<(), Invalid> {
        let words = self.facts.facts.len().div_ceil(64);
        if state.bits.len() < words {
            state.bits.resize(words, 0);
        }
        match &self.compiled[step.0 as usize] {
            (_, Some(operator)) if operator.is_applicable(&state.bits) => {
                operator.apply(&mut state.bits, &mut self.scratch);
                Ok(())
            }
            (step, _) => Err(Invalid::Precondition { step: self.model.step_text(step) }),
        }
    }

    /// The facts that are true in a state and that some action can change.
    pub fn facts<'b>(&'b self, state: &'b State) -> impl Iterator<Item = &'b Fact> + 'b {
        ones(&state.bits).map(|number| &self.facts.facts[number as usize])
    }

    /// Whether a fact is true in a state.
    pub fn holds(&self, fact: &Fact, state: &State) -> bool {
        if !self.model.is_fluent(fact.predicate) {
            return self.facts.is_always(fact.predicate, &fact.arguments);
        }
        let number = self.facts.find(fact.predicate, &fact.arguments);
        number.is_some_and(|it| it as usize / 64 < state.bits.len() && bit(&state.bits, it))
    }

    /// All facts that are true in a state, with those that never change.
    pub fn lifted(&self, state: &State) -> LiftedState {
        let always = self.facts.always.iter().copied();
        self.facts(state).chain(always).cloned().collect()
    }
}
