//! Goals made by coverage: plans that take every step of a model, every two steps one after the
//! other, or make every fact true.

use crate::condition::{Condition, Ground, Literal};
use crate::ground::Task;
use crate::instantiate::Operator;
use crate::pddl::{Fact, Step};
use crate::search::{Found, Limits, Stopped};

/// What test cases should cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every step that can be reached.
    Steps,
    /// Every two steps of which the second can come directly after the first.
    Pairs,
    /// Every fact that can become true and is not true initially.
    Facts,
}

/// One thing to cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A plan that ends with this step.
    Step(Step),
    /// A plan that ends with these two steps.
    Pair(Step, Step),
    /// A plan after which this is true.
    Fact(Fact),
}

/// A target with what must hold before its last steps.
#[derive(Clone, Debug)]
pub struct CoverageGoal {
    target: Target,
    condition: Condition,
}

impl CoverageGoal {
    /// What is covered by a plan for it.
    pub fn target(&self) -> &Target {
        &self.target
    }
}

impl Task {
    /// The goals of a coverage, in the order of the model. Those for which there is no plan are
    /// found out by [`Task::cover`].
    pub fn goals(&self, coverage: Coverage) -> Box<dyn Iterator<Item = CoverageGoal> + '_> {
        match coverage {
            Coverage::Steps => Box::new(self.operators.iter().map(|operator| CoverageGoal {
                target: Target::Step(operator.step.clone()),
                condition: operator.precondition.clone(),
            })),
            Coverage::Pairs => Box::new(self.operators.iter().flat_map(|first| {
                self.operators.iter().filter_map(|second| {
                    let condition = before(first, &second.precondition)?;
                    let target = Target::Pair(first.step.clone(), second.step.clone());
                    Some(CoverageGoal { target, condition })
                })
            })),
            Coverage::Facts => Box::new((0..).zip(&self.facts).filter_map(|(number, fact)| {
                let literal = Literal::new(number, false);
                let condition = Condition { literals: vec![literal], clauses: Vec::new() };
                let is_new = !literal.holds(&self.init);
                is_new.then(|| CoverageGoal { target: Target::Fact(fact.clone()), condition })
            })),
        }
    }

    /// Searches for a plan that covers a goal.
    pub fn cover(&self, goal: &CoverageGoal, limits: &mut Limits<'_>) -> Result<Found, Stopped> {
        let mut found = self.solve_from(&self.init, &goal.condition, limits)?;
        if let Some(plan) = &mut found.plan {
            match &goal.target {
                Target::Step(step) => plan.push(step.clone()),
                Target::Pair(first, second) => plan.extend([first.clone(), second.clone()]),
                Target::Fact(_) => {}
            }
        }
        Ok(found)
    }
}

/// What must hold so that the operator can be applied and the condition holds after it: the
/// regression of the condition. `None` if nothing can.
fn before(operator: &Operator, condition: &Condition) -> Option<Condition> {
    let first = Ground::from(operator.precondition.clone());
    Ground::all(vec![first, regress(operator, condition)]).into_condition()
}

fn regress(operator: &Operator, condition: &Condition) -> Ground {
    let literals = condition.literals.iter().map(|literal| regress_literal(operator, *literal));
    let clauses = condition
        .clauses
        .iter()
        .map(|clause| Ground::any(clause.iter().map(|one| regress(operator, one)).collect()));
    Ground::all(literals.chain(clauses).collect())
}

/// A fact is true after an operator if it is added, or if it was true and is not deleted.
fn regress_literal(operator: &Operator, literal: Literal) -> Ground {
    let fact = literal.fact();
    let (mut added, mut deleted) = (Vec::new(), Vec::new());
    for effect in &operator.effects {
        if effect.adds.contains(&fact) {
            added.push(Ground::from(effect.condition.clone()));
        }
        if effect.deletes.contains(&fact) {
            deleted.push(Ground::from(effect.condition.clone()));
        }
    }
    let (added, deleted) = (Ground::any(added), Ground::any(deleted));
    match literal.is_negated() {
        false => {
            let kept = Ground::all(vec![Ground::Literal(literal), negated(&deleted)]);
            Ground::any(vec![added, kept])
        }
        true => {
            let gone = Ground::any(vec![Ground::Literal(literal), deleted]);
            Ground::all(vec![negated(&added), gone])
        }
    }
}

fn negated(ground: &Ground) -> Ground {
    match ground {
        Ground::Literal(literal) => {
            Ground::Literal(Literal::new(literal.fact(), !literal.is_negated()))
        }
        Ground::And(parts) => Ground::any(parts.iter().map(negated).collect()),
        Ground::Or(parts) => Ground::all(parts.iter().map(negated).collect()),
    }
}
