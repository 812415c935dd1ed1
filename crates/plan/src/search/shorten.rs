//! Makes plans shorter: those of a greedy search have detours.
//!
//! On its own because it knows nothing of how a plan was found.

use crate::compiled::{CompiledCondition, CompiledOperator, Scratch};
use crate::reduce::Reduced;

/// The plan without operators that it can do without.
pub(crate) fn shorten(
    reduced: &Reduced,
    operators: &[CompiledOperator],
    mut plan: Vec<u32>,
) -> Vec<u32> {
    let goal = CompiledCondition::new(&reduced.goal);
    eliminate(&reduced.init, operators, &goal, &mut plan);
    plan
}

/// Action elimination (Nakhost and Müller 2010): leaves out an operator, and all those after it
/// that cannot be applied then, if the goal is still reached.
fn eliminate(
    init: &[u64],
    operators: &[CompiledOperator],
    goal: &CompiledCondition,
    plan: &mut Vec<u32>,
) {
    let mut scratch = Scratch::new();
    let mut prefix = init.to_vec();
    let mut at = 0;
    let mut kept = Vec::new();
    while at < plan.len() {
        let mut state = prefix.clone();
        kept.clear();
        for operator in &plan[at + 1..] {
            let compiled = &operators[*operator as usize];
            if compiled.is_applicable(&state) {
                compiled.apply(&mut state, &mut scratch);
                kept.push(*operator);
            }
        }
        if goal.holds(&state) {
            plan.truncate(at);
            plan.append(&mut kept);
        } else {
            operators[plan[at] as usize].apply(&mut prefix, &mut scratch);
            at += 1;
        }
    }
}
