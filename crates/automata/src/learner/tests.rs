//! What every learner must do, on all small machines: learn the machine, minimal, in any order of
//! answers, and say where it was answered in two ways.

use super::*;
use crate::{LSharp, LStar, PerfectOracle, RandomWords, State};
use std::collections::{BTreeMap, BTreeSet};

/// All machines of so many states, two inputs and two outputs whose states are reached in the order
/// of their numbers: each is there once.
fn machines(states: u32) -> Vec<Mealy> {
    let mut empty = Mealy::new(2);
    (1..states).for_each(|_| _ = empty.add());
    // Edge by edge, with the number of states that are reached so far.
    let mut open = vec![(empty, 1)];
    for edge in 0..2 * states {
        let mut longer = Vec::new();
        for (machine, reached) in open.iter().filter(|(_, reached)| edge / 2 < *reached) {
            for target in 0..states.min(reached + 1) {
                for output in 0..2 {
                    let mut machine = machine.clone();
                    machine.set(edge / 2, edge % 2, target, output);
                    longer.push((machine, reached + u32::from(target == *reached)));
                }
            }
        }
        open = longer;
    }
    open.into_iter().filter(|(_, reached)| *reached == states).map(|(machine, _)| machine).collect()
}

/// How many states the smallest machine has that answers alike: partition refinement.
fn minimal(machine: &Mealy) -> usize {
    let mut classes: Vec<usize> = vec![0; machine.len()];
    loop {
        let mut numbers = BTreeMap::new();
        let signature = |state: usize| {
            let edges = machine.edges(state as State);
            let seen: Vec<_> =
                edges.map(|(_, to, output)| (classes[to as usize], output)).collect();
            (classes[state], seen)
        };
        let signatures: Vec<_> = (0..machine.len()).map(signature).collect();
        let finer: Vec<usize> = signatures
            .into_iter()
            .map(|signature| {
                let next = numbers.len();
                *numbers.entry(signature).or_insert(next)
            })
            .collect();
        let count = |classes: &[usize]| classes.iter().collect::<BTreeSet<_>>().len();
        if count(&finer) == count(&classes) {
            return count(&classes);
        }
        classes = finer;
    }
}

/// Learns a machine; the words of a question are answered the last one first, if so wanted. What
/// was learned, and the words in the order in which they were run.
fn run<L: Learner>(mut learner: L, target: &Mealy, backward: bool) -> (Mealy, Vec<Vec<Input>>) {
    let (mut oracle, mut words) = (PerfectOracle::new(target.clone()), Vec::new());
    for _ in 0..1000 {
        let outputs = |word: &[Input]| target.outputs(word.iter().copied()).unwrap();
        match learner.next() {
            Next::Ask(mut asked) => {
                assert!(!asked.is_empty() && asked.iter().all(|word| !word.is_empty()));
                if backward {
                    asked.reverse();
                }
                for word in asked {
                    learner.answer(&word, &outputs(&word)).unwrap();
                    words.push(word);
                }
            }
            Next::Hypothesis(hypothesis) => {
                assert!(
                    words
                        .iter()
                        .all(|word| { hypothesis.agreement(word, &outputs(word)) == word.len() })
                );
                oracle.begin(&hypothesis);
                let Some(word) = oracle.next_word() else { return (hypothesis, words) };
                learner.refute(&word, &outputs(&word)).unwrap();
            }
        }
    }
    panic!("it does not end: {target:?}")
}

/// What every learner must do.
fn check<L: Learner>(make: impl Fn(usize) -> L) {
    for (number, target) in (1..=3).flat_map(machines).enumerate() {
        let (learned, words) = run(make(2), &target, false);
        assert_eq!(learned.difference(&target), None, "{target:?}");
        assert_eq!(learned.len(), minimal(&target), "{target:?}");
        // What the answers depend on is seen on a part of the machines.
        if number % 7 != 0 {
            continue;
        }
        assert_eq!(run(make(2), &target, false), (learned.clone(), words), "{target:?}");
        assert_eq!(run(make(2), &target, true).0.difference(&learned), None, "{target:?}");
        // The alphabet may be met input by input.
        let mut narrow = make(1);
        let mut oracle = RandomWords::new(3).words(1).length(3..=3);
        let system = |word: &[Input]| target.outputs(word.iter().copied()).unwrap();
        let half = learn(&mut narrow, &mut oracle, system).unwrap();
        assert_eq!(half.inputs(), 1);
        narrow.widen(2);
        let whole = learn(&mut narrow, &mut PerfectOracle::new(target.clone()), system).unwrap();
        assert_eq!(whole.difference(&target), None, "{target:?}");
    }
    let mut learner = make(2);
    learner.answer(&[0, 1], &[5, 6]).unwrap();
    let wrong = learner.answer(&[0, 1, 1], &[5, 7, 7]).unwrap_err();
    assert_eq!(wrong, Contradiction { word: vec![0, 1], old: 6, new: 7 });
}

#[test]
fn there_are_as_many_small_machines_as_there_should_be() {
    // With two inputs, 1, 12 and 216 are the connected shapes; each edge has one of two outputs.
    assert_eq!([1, 2, 3].map(|states| machines(states).len()), [4, 12 * 16, 216 * 64]);
}

#[test]
fn lstar_learns_every_small_machine() {
    check(LStar::new);
}

#[test]
fn lsharp_learns_every_small_machine() {
    check(LSharp::new);
}
