//! L* on the models, with a perfect judge: it learns them, and asks for about as much as LearnLib 0.18 and
//! AALpy 2.0 do.
//!
//! They count what is executed, and a word is not that begins another one which was: they ask for the long
//! ones first. Here words come the short ones first, so only those of one input are free. Where no
//! hypothesis is ever wrong the counts are equal. Where one is they are not: the order and the judge's word
//! make a difference, also between those two.

use crate::models;
use capuchin_automata::{Input, LStar, Mealy, Next};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What was executed.
#[derive(Default)]
struct Executed {
    words: usize,
    symbols: usize,
    prefixes: BTreeSet<Vec<Input>>,
}

impl Executed {
    fn note(&mut self, word: &[Input]) {
        self.prefixes.extend((1..=word.len()).map(|length| word[..length].to_vec()));
    }
}

/// Learns a machine; how many words were executed, how long they are together, and how many hypotheses
/// were wrong.
fn learn(machine: &Mealy) -> (usize, usize, usize) {
    let executed = RefCell::new(Executed::default());
    let mut learner = LStar::new(machine.inputs());
    let mut wrong = 0;
    loop {
        let next = learner.next(|word| {
            let mut executed = executed.borrow_mut();
            if word.len() > 1 && !executed.prefixes.contains(word) {
                executed.words += 1;
                executed.symbols += word.len();
                executed.note(word);
            }
            machine.outputs(word.iter().copied())?.last().copied()
        });
        let Next::Hypothesis(hypothesis) = next else { panic!("every word is answered") };
        let Some(word) = hypothesis.difference(machine) else {
            let Executed { words, symbols, .. } = executed.into_inner();
            return (words, symbols, wrong);
        };
        wrong += 1;
        executed.borrow_mut().note(&word);
        learner.refute(&word);
    }
}

#[test]
fn small_models_are_learned_exactly() {
    let check = |name: &str, expected: (usize, usize, usize)| {
        assert_eq!(learn(&models::one(name)), expected, "{name}");
    };
    // LearnLib and AALpy: 2475, 12125.
    check("random_Mealy_0", (2475, 12125, 0));
    check("MasterCard", (1176, 4704, 0));
    // LearnLib and AALpy: 27, 111.
    check("Angluin", (30, 125, 1));
    // LearnLib and AALpy: 1978, 9906.
    check("TCP_Linux_Client", (2359, 12253, 2));
    // LearnLib: 2522, 14612; AALpy: 2700, 16087.
    check("mosquitto", (3726, 23026, 5));
    check("DropBear", (3439, 20696, 1));
    check("GnuTLS_3.3.8", (4783, 27365, 5));
}
