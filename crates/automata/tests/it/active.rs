//! L* on the models, with a perfect judge: it learns them, and asks for about as much as LearnLib
//! 0.18 and AALpy 2.0 do.
//!
//! They count what is executed, and a word is not that begins another one which was: they ask for
//! the long ones first. Here words come the short ones first, so only those of one input are free.
//! Where no hypothesis is ever wrong the counts are equal. Where one is they are not: the order and
//! the judge's word make a difference, also between those two.

use crate::models;
use capuchin_automata::{EquivalenceOracle, Input, LStar, Mealy, PerfectOracle, learn};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What was executed.
#[derive(Default)]
struct Executed {
    words: usize,
    symbols: usize,
    wrong: usize,
    prefixes: BTreeSet<Vec<Input>>,
}

impl Executed {
    fn note(&mut self, word: &[Input]) {
        self.prefixes.extend((1..=word.len()).map(|length| word[..length].to_vec()));
    }
}

/// Notes the counterexamples, which cost nothing.
struct Noting<'e>(PerfectOracle, &'e RefCell<Executed>);

impl EquivalenceOracle for Noting<'_> {
    fn begin(&mut self, hypothesis: &Mealy) {
        self.0.begin(hypothesis);
    }

    fn next_word(&mut self) -> Option<Vec<Input>> {
        let word = self.0.next_word()?;
        let mut executed = self.1.borrow_mut();
        executed.note(&word);
        executed.wrong += 1;
        Some(word)
    }
}

/// Learns a machine; how many words were executed, how long they are together, and how many
/// hypotheses were wrong.
fn effort(machine: &Mealy) -> (usize, usize, usize) {
    let executed = RefCell::new(Executed::default());
    let mut oracle = Noting(PerfectOracle::new(machine.clone()), &executed);
    let learned = learn(&mut LStar::new(machine.inputs()), &mut oracle, |word| {
        let mut executed = executed.borrow_mut();
        if word.len() > 1 && !executed.prefixes.contains(word) {
            executed.words += 1;
            executed.symbols += word.len();
            executed.note(word);
        }
        machine.outputs(word.iter().copied()).unwrap()
    });
    assert_eq!(learned.unwrap().difference(machine), None);
    let Executed { words, symbols, wrong, .. } = executed.into_inner();
    (words, symbols, wrong)
}

#[test]
fn small_models_are_learned_exactly() {
    let check = |name: &str, expected: (usize, usize, usize)| {
        assert_eq!(effort(&models::one(name)), expected, "{name}");
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
