//! A task without what does not matter for one initial state and one goal: facts that never change,
//! operators that cannot be reached, and facts and operators that no plan needs.

use crate::condition::{Condition, Known, Literal, bit, ones, set_bit};
use crate::instantiate::{GroundEffect, Operator};
use crate::relaxed::{NONE, Relaxed};

/// What is left of a task.
#[derive(Clone, Debug)]
pub(crate) struct Reduced {
    /// The number that each fact had.
    pub(crate) facts: Vec<u32>,
    pub(crate) operators: Vec<Operator>,
    pub(crate) init: Vec<u64>,
    pub(crate) goal: Condition,
}

/// Reduces a task; `None` if not even its relaxation reaches the goal.
pub(crate) fn reduce(
    fact_count: usize,
    operators: &[Operator],
    init: &[u64],
    goal: &Condition,
) -> Option<Reduced> {
    let (changed, reached) = reachable(fact_count, operators, init, goal);
    let (operators, goal) = without_constants(operators, init, goal, &changed, &reached)?;
    let needed = needed(fact_count, &operators, &goal);
    Some(renumbered(fact_count, &operators, init, &goal, &needed))
}

/// For each fact whether it may become true, and false; and which effects are reached.
fn reachable(
    fact_count: usize,
    operators: &[Operator],
    init: &[u64],
    goal: &Condition,
) -> ([Vec<bool>; 2], Vec<Vec<bool>>) {
    let relaxed = Relaxed::new(fact_count, operators, goal);
    let (fired, _) = relaxed.reached(init, None);
    let mut reached: Vec<Vec<bool>> =
        operators.iter().map(|operator| vec![false; operator.effects.len()]).collect();
    // Effects that only delete what nobody wants to be false have no relaxed operator.
    for (operator, effects) in operators.iter().zip(&mut reached) {
        for (effect, is_reached) in operator.effects.iter().zip(effects) {
            *is_reached = effect.adds.is_empty();
        }
    }
    for ((operator, effect), fired) in relaxed.origins.iter().zip(&fired) {
        if *operator != NONE {
            reached[*operator as usize][*effect as usize] = *fired;
        }
    }
    let mut changed = [vec![false; fact_count], vec![false; fact_count]];
    for (operator, reached) in operators.iter().zip(&reached) {
        for (effect, _) in operator.effects.iter().zip(reached).filter(|(_, reached)| **reached) {
            effect.adds.iter().for_each(|fact| changed[0][*fact as usize] = true);
            effect.deletes.iter().for_each(|fact| changed[1][*fact as usize] = true);
        }
    }
    (changed, reached)
}

/// The operators and the goal without facts that always have their initial value.
fn without_constants(
    operators: &[Operator],
    init: &[u64],
    goal: &Condition,
    changed: &[Vec<bool>; 2],
    reached: &[Vec<bool>],
) -> Option<(Vec<Operator>, Condition)> {
    let known = |literal: Literal| {
        let initially = bit(init, literal.fact());
        match changed[usize::from(initially)][literal.fact() as usize] {
            true => Known::Literal(literal),
            false if initially != literal.is_negated() => Known::True,
            false => Known::False,
        }
    };
    let goal = goal.map(&known)?;
    let mut left = Vec::new();
    for (operator, reached) in operators.iter().zip(reached) {
        let Some(precondition) = operator.precondition.map(&known) else { continue };
        let effects = operator.effects.iter().zip(reached).filter(|(_, reached)| **reached);
        let effects = effects.filter_map(|(effect, _)| {
            let condition = effect.condition.map(&known)?;
            Some(GroundEffect { condition, ..effect.clone() })
        });
        let effects: Vec<GroundEffect> = effects.collect();
        if !effects.is_empty() {
            let (step, cost) = (operator.step.clone(), operator.cost);
            left.push(Operator { step, cost, precondition, effects });
        }
    }
    Some((left, goal))
}

/// For each fact whether a plan may need it to become true, and false.
fn needed(fact_count: usize, operators: &[Operator], goal: &Condition) -> [Vec<bool>; 2] {
    let mut needed = [vec![false; fact_count], vec![false; fact_count]];
    let mut queue: Vec<Literal> = Vec::new();
    let mut want = |condition: &Condition, queue: &mut Vec<Literal>| {
        condition.each_literal(&mut |literal| {
            let needed = &mut needed[usize::from(literal.is_negated())][literal.fact() as usize];
            if !*needed {
                *needed = true;
                queue.push(literal);
            }
        });
    };
    let mut achievers: [Vec<Vec<(u32, u32)>>; 2] =
        [vec![Vec::new(); fact_count], vec![Vec::new(); fact_count]];
    for (operator, of) in (0..).zip(operators) {
        for (effect, does) in (0..).zip(&of.effects) {
            for (polarity, facts) in [&does.adds, &does.deletes].into_iter().enumerate() {
                for fact in facts {
                    achievers[polarity][*fact as usize].push((operator, effect));
                    // Whether a condition holds matters even if the effect does harm.
                    if !does.condition.is_empty() {
                        achievers[1 - polarity][*fact as usize].push((operator, effect));
                    }
                }
            }
        }
    }
    let mut is_wanted = vec![false; operators.len()];
    want(goal, &mut queue);
    while let Some(literal) = queue.pop() {
        let polarity = usize::from(literal.is_negated());
        for (operator, effect) in std::mem::take(&mut achievers[polarity][literal.fact() as usize])
        {
            let of = &operators[operator as usize];
            want(&of.effects[effect as usize].condition, &mut queue);
            if !std::mem::replace(&mut is_wanted[operator as usize], true) {
                want(&of.precondition, &mut queue);
            }
        }
    }
    needed
}

fn renumbered(
    fact_count: usize,
    operators: &[Operator],
    init: &[u64],
    goal: &Condition,
    needed: &[Vec<bool>; 2],
) -> Reduced {
    let facts: Vec<u32> = (0..fact_count as u32)
        .filter(|fact| needed[0][*fact as usize] || needed[1][*fact as usize])
        .collect();
    let mut number = vec![NONE; fact_count];
    for (new, old) in (0..).zip(&facts) {
        number[*old as usize] = new;
    }
    let renumber = |literal: Literal| {
        Known::Literal(Literal::new(number[literal.fact() as usize], literal.is_negated()))
    };
    let kept = |facts: &[u32]| -> Vec<u32> {
        facts.iter().map(|fact| number[*fact as usize]).filter(|fact| *fact != NONE).collect()
    };
    let mut left = Vec::new();
    for operator in operators {
        let helps = |effect: &GroundEffect| {
            effect.adds.iter().any(|fact| needed[0][*fact as usize])
                || effect.deletes.iter().any(|fact| needed[1][*fact as usize])
        };
        if !operator.effects.iter().any(helps) {
            continue;
        }
        let effects = operator.effects.iter().filter_map(|effect| {
            let (adds, deletes) = (kept(&effect.adds), kept(&effect.deletes));
            if adds.is_empty() && deletes.is_empty() {
                return None;
            }
            Some(GroundEffect { condition: effect.condition.map(&renumber)?, adds, deletes })
        });
        left.push(Operator {
            step: operator.step.clone(),
            cost: operator.cost,
            precondition: operator.precondition.map(&renumber).unwrap_or_default(),
            effects: effects.collect(),
        });
    }
    let mut bits = vec![0; facts.len().div_ceil(64).max(1)];
    for fact in ones(init).filter(|fact| number[*fact as usize] != NONE) {
        set_bit(&mut bits, number[fact as usize]);
    }
    let goal = goal.map(&renumber).unwrap_or_default();
    Reduced { facts, operators: left, init: bits, goal }
}
