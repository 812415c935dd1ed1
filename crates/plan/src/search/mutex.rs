//! Groups of facts of which never two are true at once (Helmert 2009).
//!
//! A candidate is a set of predicates, each with at most one argument that is counted; the other
//! arguments name a group. It is an invariant if every ground operator that adds a fact of a group
//! deletes another one that it needs. A candidate that fails is extended by what the operator
//! deletes, as in the synthesis of invariants that Fast Downward does on the lifted task.

use crate::condition::{Literal, bit};
use crate::pddl::{Fact, PredicateId};
use crate::reduce::Reduced;
use std::collections::{BTreeMap, BTreeSet};

/// The most candidates that are tried, and the most predicates of one.
const MOST_CANDIDATES: usize = 200;
const MOST_PARTS: usize = 6;
/// The most work, in facts of operators that are looked at.
const MOST_WORK: usize = 30_000_000;

/// A predicate and the position of its argument that is counted.
type Part = (PredicateId, Option<usize>);

/// For each fact, the groups that it is in.
#[derive(Debug)]
pub(crate) struct Mutexes {
    groups: Vec<Vec<u32>>,
}

impl Mutexes {
    /// `names` are the facts of the task that was reduced.
    pub(crate) fn find(reduced: &Reduced, names: &[Fact]) -> Self {
        let name = |fact: u32| &names[reduced.facts[fact as usize] as usize];
        let mut candidates: Vec<BTreeSet<Part>> = Vec::new();
        let mut predicates = BTreeMap::new();
        for fact in 0..reduced.facts.len() as u32 {
            predicates.insert(name(fact).predicate, name(fact).arguments.len());
        }
        for (predicate, arity) in predicates {
            candidates.push(BTreeSet::from([(predicate, None)]));
            candidates.extend((0..arity).map(|at| BTreeSet::from([(predicate, Some(at))])));
        }
        let (mut at, mut work) = (0, 0);
        let mut mutexes = Mutexes { groups: vec![Vec::new(); reduced.facts.len()] };
        let mut group_count = 0;
        while at < candidates.len() && at < MOST_CANDIDATES && work < MOST_WORK {
            let candidate = candidates[at].clone();
            at += 1;
            match check(&candidate, reduced, &name, &mut work) {
                Ok(()) => mutexes.add(&candidate, reduced, &name, &mut group_count),
                Err(extensions) if candidate.len() < MOST_PARTS => {
                    for part in extensions {
                        let mut extended = candidate.clone();
                        if extended.insert(part) && !candidates.contains(&extended) {
                            candidates.push(extended);
                        }
                    }
                }
                Err(_) => {}
            }
        }
        mutexes
    }

    /// Whether two different facts are never true at once.
    pub(crate) fn exclude(&self, one: u32, other: u32) -> bool {
        let groups = &self.groups[other as usize];
        one != other && self.groups[one as usize].iter().any(|group| groups.contains(group))
    }

    /// Makes groups of an invariant: those of which one fact is true initially.
    fn add<'a>(
        &mut self,
        candidate: &BTreeSet<Part>,
        reduced: &Reduced,
        name: &dyn Fn(u32) -> &'a Fact,
        group_count: &mut u32,
    ) {
        let mut groups: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
        for fact in 0..reduced.facts.len() as u32 {
            for key in keys(candidate, name(fact)) {
                groups.entry(key).or_default().push(fact);
            }
        }
        for facts in groups.into_values().filter(|facts| facts.len() > 1) {
            if facts.iter().filter(|fact| bit(&reduced.init, **fact)).count() <= 1 {
                facts.iter().for_each(|fact| self.groups[*fact as usize].push(*group_count));
                *group_count += 1;
            }
        }
    }
}

/// The groups of a candidate that a fact is in, by their names.
fn keys<'a>(candidate: &'a BTreeSet<Part>, fact: &'a Fact) -> impl Iterator<Item = Vec<u32>> + 'a {
    let parts = candidate.iter().filter(|(predicate, _)| *predicate == fact.predicate);
    parts.map(|(_, counted)| {
        let named = fact.arguments.iter().enumerate().filter(|(at, _)| Some(*at) != *counted);
        named.map(|(_, object)| *object).collect()
    })
}

/// Whether no operator adds to a group without taking from it; else, what could be added to the
/// candidate so that the first operator that does would not.
fn check<'a>(
    candidate: &BTreeSet<Part>,
    reduced: &Reduced,
    name: &dyn Fn(u32) -> &'a Fact,
    work: &mut usize,
) -> Result<(), BTreeSet<Part>> {
    for operator in &reduced.operators {
        let needs = |fact: &u32| {
            operator.precondition.literals.binary_search(&Literal::new(*fact, false)).is_ok()
        };
        let mut balance: BTreeMap<Vec<u32>, i32> = BTreeMap::new();
        let mut taken: Vec<u32> = Vec::new();
        for effect in &operator.effects {
            *work += effect.adds.len() + effect.deletes.len();
            for fact in effect.adds.iter().filter(|fact| !needs(fact)) {
                for key in keys(candidate, name(*fact)) {
                    *balance.entry(key).or_default() += 1;
                }
            }
            if effect.condition.is_empty() {
                taken.extend(effect.deletes.iter().filter(|fact| needs(fact)));
            }
        }
        if balance.is_empty() {
            continue;
        }
        for fact in &taken {
            for key in keys(candidate, name(*fact)) {
                balance.entry(key).and_modify(|left| *left -= 1);
            }
        }
        let Some((key, left)) = balance.into_iter().find(|(_, left)| *left > 0) else { continue };
        if left > 1 {
            return Err(BTreeSet::new());
        }
        let extensions = taken.iter().flat_map(|fact| {
            let fact = name(*fact);
            let counted = (0..fact.arguments.len()).map(Some).chain([None]);
            let parts = counted.map(|counted| (fact.predicate, counted));
            parts.filter(|part| keys(&BTreeSet::from([*part]), fact).any(|other| other == key))
        });
        return Err(extensions.collect());
    }
    Ok(())
}
