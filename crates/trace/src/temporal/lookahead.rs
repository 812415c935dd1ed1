//! Whether obligations can still come true: the search for a continuation of the run that meets
//! them.
//!
//! On its own because it is the only part that looks ahead. It is needed only where a fact is to be
//! true in one place and false in another; anywhere else everything that is asked for can come true
//! together. The search has an end: where it would take too long, the answer is that they can, and
//! the run will tell.

use super::obligation::{Alternative, Facts, Id, Obligation, Parts, TooMany};
use std::collections::BTreeMap;

/// So many sets of obligations are looked at for one question.
const MOST_SETS: usize = 256;

/// What is known already of sets of obligations.
pub(super) type Known = BTreeMap<Vec<Obligation>, bool>;

/// Any facts, after any time.
struct Free;

impl Facts for Free {
    type Error = TooMany;

    fn fact(&mut self, _: usize) -> Result<Option<bool>, TooMany> {
        Ok(None)
    }

    fn elapsed(&self) -> Option<u64> {
        None
    }
}

/// A set of obligations, and the sets that a step may lead to.
struct Set {
    obligations: Vec<Obligation>,
    /// Where to, and what is put off on the way.
    steps: Vec<(usize, Vec<Id>)>,
}

/// Whether there is a continuation in which all of these come true.
pub(super) fn can_come_true(parts: &Parts, obligations: &[Obligation], known: &mut Known) -> bool {
    if obligations.is_empty() {
        return true;
    }
    if let Some(answer) = known.get(obligations) {
        return *answer;
    }
    let answer = search(parts, obligations).is_none_or(|sets| can_go_on_for_ever(&sets));
    known.insert(obligations.to_vec(), answer);
    answer
}

/// All that can be reached; nothing if that is too much, or if it ends where nothing is left to do.
fn search(parts: &Parts, from: &[Obligation]) -> Option<Vec<Set>> {
    let mut sets = vec![Set { obligations: from.to_vec(), steps: Vec::new() }];
    let mut numbers = BTreeMap::from([(from.to_vec(), 0)]);
    let mut next = 0;
    while next < sets.len() {
        let obligations = sets[next].obligations.clone();
        for Alternative { later, put_off, .. } in parts.step(&obligations, &mut Free).ok()? {
            if later.is_empty() {
                return None;
            }
            let to = *numbers.entry(later.clone()).or_insert_with(|| {
                sets.push(Set { obligations: later, steps: Vec::new() });
                sets.len() - 1
            });
            sets[next].steps.push((to, put_off));
        }
        if sets.len() > MOST_SETS {
            return None;
        }
        next += 1;
    }
    Some(sets)
}

/// Whether there is a cycle on which nothing is put off for ever.
fn can_go_on_for_ever(sets: &[Set]) -> bool {
    let reach: Vec<Vec<bool>> = (0..sets.len()).map(|from| reached(sets, from)).collect();
    (0..sets.len()).any(|here| {
        // The steps among the sets that lead to one another.
        let together = |other: usize| reach[here][other] && reach[other][here];
        let members = (0..sets.len()).filter(|member| together(*member));
        let steps: Vec<&Vec<Id>> = members
            .flat_map(|member| &sets[member].steps)
            .filter(|(to, _)| together(*to))
            .map(|(_, put_off)| put_off)
            .collect();
        let in_all = |id: &Id| steps.iter().all(|put_off| put_off.contains(id));
        steps.first().is_some_and(|first| !first.iter().any(in_all))
    })
}

/// Which sets one or more steps lead to.
fn reached(sets: &[Set], from: usize) -> Vec<bool> {
    let mut reached = vec![false; sets.len()];
    let mut open = vec![from];
    while let Some(set) = open.pop() {
        for (to, _) in &sets[set].steps {
            if !std::mem::replace(&mut reached[*to], true) {
                open.push(*to);
            }
        }
    }
    reached
}
