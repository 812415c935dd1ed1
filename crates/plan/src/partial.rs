//! Expected states of which some facts are unknown.
//!
//! On its own because a simulator derives states from a known one, by the million. Whoever follows
//! an app does not know everything: something was done that the model has no operator for, and a
//! fact cannot be seen now. What depends on an unknown fact is unknown, and never guessed.

use crate::condition::{Condition, bit, set_bit};
use crate::instantiate::{Instantiation, Operator};
use crate::lifted::{Invalid, LiftedState};
use crate::model::Model;
use crate::pddl::{Fact, Formula, Step};
use crate::simulate::Facts;
use std::collections::BTreeMap;

/// Whether something is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    /// It is not.
    False,
    /// Nobody knows.
    Unknown,
    /// It is.
    True,
}

impl From<bool> for Truth {
    fn from(value: bool) -> Self {
        if value { Truth::True } else { Truth::False }
    }
}

impl Truth {
    fn not(self) -> Self {
        match self {
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
            Truth::True => Truth::False,
        }
    }
}

/// A state in which some facts may be unknown. Facts have the numbers of a [`Follower`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialState {
    /// The facts that are true.
    certain: Vec<u64>,
    /// The facts that are not false.
    possible: Vec<u64>,
}

impl PartialState {
    /// What is known of a fact.
    pub fn truth(&self, fact: u32) -> Truth {
        match (bit(&self.certain, fact), bit(&self.possible, fact)) {
            (true, _) => Truth::True,
            (false, true) => Truth::Unknown,
            (false, false) => Truth::False,
        }
    }

    /// Makes this known of a fact.
    pub fn set(&mut self, fact: u32, truth: Truth) {
        let put = |bits: &mut Vec<u64>, value: bool| {
            let word = &mut bits[fact as usize / 64];
            *word = *word & !(1 << (fact % 64)) | u64::from(value) << (fact % 64);
        };
        put(&mut self.certain, truth == Truth::True);
        put(&mut self.possible, truth != Truth::False);
    }

    fn holds(&self, condition: &Condition) -> Truth {
        let literals = condition.literals.iter().map(|literal| {
            let truth = self.truth(literal.fact());
            if literal.is_negated() { truth.not() } else { truth }
        });
        let one_of = |clause: &Vec<Condition>| {
            clause.iter().map(|one| self.holds(one)).max().unwrap_or(Truth::False)
        };
        let clauses = condition.clauses.iter().map(one_of);
        literals.chain(clauses).min().unwrap_or(Truth::True)
    }
}

/// Follows an app by a model: steps and facts have numbers, and states may be known in part. It is
/// made once and shared by all who follow.
#[derive(Debug)]
pub struct Follower {
    facts: Vec<Fact>,
    numbers: BTreeMap<Fact, u32>,
    /// The facts that never change.
    always: Vec<Fact>,
    steps: Vec<Step>,
    /// `None` for a step that can never be taken.
    operators: Vec<Option<Operator>>,
    initial: PartialState,
}

impl Follower {
    /// A follower that knows these steps, and these facts beside those that the steps mention.
    pub fn new(
        model: &Model,
        steps: Vec<Step>,
        facts: impl IntoIterator<Item = Fact>,
    ) -> Result<Self, Invalid> {
        let mut numbered = Facts::new(model);
        let initially = numbered.facts.len() as u32;
        for fact in facts {
            numbered.number(fact.predicate, &fact.arguments);
        }
        let mut operators = Vec::with_capacity(steps.len());
        for step in &steps {
            model.check_step(step)?;
            let operator = Instantiation::new(model, &mut numbered).operator(step.clone());
            let too_large = |_| Invalid::TooLarge { step: model.step_text(step) };
            operators.push(operator.map_err(too_large)?);
        }
        let Facts { facts, always, .. } = numbered;
        let mut certain = vec![0; facts.len().div_ceil(64)];
        (0..initially).for_each(|fact| set_bit(&mut certain, fact));
        let initial = PartialState { possible: certain.clone(), certain };
        let numbers = facts.iter().cloned().zip(0..).collect();
        let always = always.into_iter().cloned().collect();
        Ok(Follower { facts, numbers, always, steps, operators, initial })
    }

    /// The facts, by number.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// The number of a fact.
    pub fn number(&self, fact: &Fact) -> Option<u32> {
        self.numbers.get(fact).copied()
    }

    /// The steps, by number.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The state in which the problem begins: all of it is known.
    pub fn initial(&self) -> PartialState {
        self.initial.clone()
    }

    /// Whether a step can be taken.
    pub fn precondition(&self, step: usize, state: &PartialState) -> Truth {
        self.operators[step].as_ref().map_or(Truth::False, |it| state.holds(&it.precondition))
    }

    /// The facts because of which a step cannot be taken, each with what it would have to be.
    /// Nothing if it can, or if they are in a disjunction.
    pub fn missing(&self, step: usize, state: &PartialState) -> Vec<(u32, bool)> {
        let literals = self.operators[step].iter().flat_map(|it| &it.precondition.literals);
        let wanted = literals.map(|literal| (literal.fact(), !literal.is_negated()));
        wanted.filter(|(fact, value)| state.truth(*fact) != Truth::from(*value)).collect()
    }

    /// Turns a state into the one after a step whose precondition holds, and returns the facts that
    /// the step is about: those of its effects whose condition may have held.
    pub fn apply(&self, step: usize, state: &mut PartialState) -> Vec<u32> {
        #[derive(Clone, Copy, Default)]
        struct Change {
            adds: bool,
            may_add: bool,
            deletes: bool,
            may_delete: bool,
        }
        let mut changes: BTreeMap<u32, Change> = BTreeMap::new();
        for effect in self.operators[step].iter().flat_map(|it| &it.effects) {
            let truth = state.holds(&effect.condition);
            if truth == Truth::False {
                continue;
            }
            for fact in &effect.adds {
                let change = changes.entry(*fact).or_default();
                change.may_add = true;
                change.adds |= truth == Truth::True;
            }
            for fact in &effect.deletes {
                let change = changes.entry(*fact).or_default();
                change.may_delete = true;
                change.deletes |= truth == Truth::True;
            }
        }
        for (fact, change) in &changes {
            let before = state.truth(*fact);
            // What a step both deletes and adds is true afterwards.
            let certain = change.adds || (before == Truth::True && !change.may_delete);
            let possible = change.may_add || (before != Truth::False && !change.deletes);
            state.set(
                *fact,
                match (certain, possible) {
                    (true, _) => Truth::True,
                    (false, true) => Truth::Unknown,
                    (false, false) => Truth::False,
                },
            );
        }
        changes.into_keys().collect()
    }

    /// The facts that are known to be true, with those that never change.
    pub fn lifted(&self, state: &PartialState) -> LiftedState {
        let known = (0..).zip(&self.facts).filter(|(fact, _)| state.truth(*fact) == Truth::True);
        known.map(|(_, fact)| fact).chain(&self.always).cloned().collect()
    }

    /// Whether a formula without free variables holds, with what is unknown taken for false.
    pub fn holds(&self, model: &Model, formula: &Formula, state: &PartialState) -> bool {
        model.holds(formula, &self.lifted(state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMAIN: &str = "(define (domain editor) (:requirements :adl)
      (:predicates (clipboard ?t) (shown ?t) (open))
      (:action open :parameters () :precondition (not (open)) :effect (open))
      (:action paste :parameters (?t) :precondition (open)
        :effect (and (forall (?u) (not (shown ?u)))
          (forall (?u) (when (clipboard ?u) (shown ?u)))))
      (:action copy :parameters (?t) :precondition (or (shown ?t) (open))
        :effect (and (forall (?u) (not (clipboard ?u))) (clipboard ?t))))";
    const PROBLEM: &str = "(define (problem p) (:domain editor) (:objects a b)
      (:init (clipboard a)) (:goal (open)))";

    #[test]
    fn what_depends_on_an_unknown_fact_is_unknown_until_it_is_set() {
        let model = Model::parse(DOMAIN, PROBLEM).expect("it is a model");
        let steps = ["(open)", "(paste a)", "(copy b)"];
        let steps = steps.map(|step| model.step(step).expect("it is a step")).to_vec();
        let follower = Follower::new(&model, steps, []).expect("it is small");
        let fact = |text: &str| {
            let found = follower.facts().iter().position(|fact| model.fact_text(fact) == text);
            found.unwrap_or_else(|| panic!("no {text}")) as u32
        };
        let mut state = follower.initial();
        assert_eq!(follower.precondition(1, &state), Truth::False);
        assert_eq!(follower.missing(1, &state), [(fact("(open)"), true)]);
        assert_eq!(follower.apply(0, &mut state), [fact("(open)")]);
        state.set(fact("(clipboard a)"), Truth::Unknown);
        state.set(fact("(shown b)"), Truth::True);
        follower.apply(1, &mut state);
        assert_eq!(state.truth(fact("(shown a)")), Truth::Unknown);
        assert_eq!(state.truth(fact("(shown b)")), Truth::False);
        // The step decides what was unknown.
        assert_eq!(follower.precondition(2, &state), Truth::True);
        follower.apply(2, &mut state);
        assert_eq!(state.truth(fact("(clipboard a)")), Truth::False);
        assert_eq!(state.truth(fact("(clipboard b)")), Truth::True);
    }

    #[test]
    fn of_a_known_state_it_derives_what_the_definition_does() {
        let model = Model::parse(DOMAIN, PROBLEM).expect("it is a model");
        let steps = ["(open)", "(paste a)", "(copy b)", "(paste b)"];
        let steps = steps.map(|step| model.step(step).expect("it is a step")).to_vec();
        let follower = Follower::new(&model, steps.clone(), []).expect("it is small");
        let (mut state, mut lifted) = (follower.initial(), model.initial_state());
        for (number, step) in steps.iter().enumerate() {
            assert_eq!(follower.precondition(number, &state), Truth::True);
            follower.apply(number, &mut state);
            lifted = model.apply(step, &lifted).expect("it can be taken");
            assert_eq!(follower.lifted(&state), lifted);
        }
    }
}
