//! Which operators can be applied in a state.
//!
//! Each operator is filed under the rarest of the facts that it needs; a state looks at the
//! operators that are filed under its facts, and tests those.

use crate::compiled::CompiledOperator;
use crate::condition::ones;
use crate::instantiate::Operator;

/// Operators by a fact that they need.
#[derive(Debug)]
pub(crate) struct Successors {
    by_fact: Vec<Vec<u32>>,
    /// Those that need no fact to be true.
    others: Vec<u32>,
}

impl Successors {
    pub(crate) fn new(facts: usize, operators: &[Operator]) -> Self {
        let mut uses = vec![0u32; facts];
        let needs = |operator: &'_ Operator| -> Vec<u32> {
            let literals = operator.precondition.literals.iter();
            literals.filter(|literal| !literal.is_negated()).map(|literal| literal.fact()).collect()
        };
        for operator in operators {
            needs(operator).iter().for_each(|fact| uses[*fact as usize] += 1);
        }
        let mut successors = Successors { by_fact: vec![Vec::new(); facts], others: Vec::new() };
        for (number, operator) in (0..).zip(operators) {
            match needs(operator).into_iter().min_by_key(|fact| uses[*fact as usize]) {
                Some(fact) => successors.by_fact[fact as usize].push(number),
                None => successors.others.push(number),
            }
        }
        successors
    }

    /// The applicable operators, in the order of their numbers.
    pub(crate) fn of(&self, state: &[u64], operators: &[CompiledOperator], to: &mut Vec<u32>) {
        to.clear();
        let filed = ones(state).flat_map(|fact| &self.by_fact[fact as usize]);
        let applicable = filed.chain(&self.others);
        let is_applicable = |number: &&u32| operators[**number as usize].is_applicable(state);
        to.extend(applicable.filter(is_applicable));
        to.sort_unstable();
    }
}
