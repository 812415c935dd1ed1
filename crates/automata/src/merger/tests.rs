//! A machine that is kept up to date explains the tree as well as one that is learned anew,
//! whatever the tree.

use super::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A machine of so many states and inputs, and words for it, all out of some numbers.
fn machine(states: u32, inputs: u32, numbers: &[u32]) -> Mealy {
    let mut machine = Mealy::new(inputs as usize);
    for _ in 1..states {
        machine.add();
    }
    let mut numbers = numbers.iter().copied().cycle();
    for state in 0..states {
        for input in 0..inputs {
            let target = numbers.next().unwrap_or(0) % states;
            machine.set(state, input, target, target % 3);
        }
    }
    machine
}

fn explains(merger: &Merger, tree: &Tree) -> bool {
    (1..tree.len() as Node).all(|node| {
        let parent = tree.parent(node).and_then(|parent| merger.state_of(parent));
        let step = parent.and_then(|state| merger.step(state, tree.input(node)));
        step.map(|(_, output)| output) == Some(tree.output(node))
    })
}

fn words() -> impl Strategy<Value = Vec<Vec<u32>>> {
    proptest::collection::vec(proptest::collection::vec(0..3u32, 1..12), 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_learned_machine_explains_what_was_seen_however_it_came_in(
        states in 1..6u32,
        numbers in proptest::collection::vec(0..100u32, 18),
        words in words(),
        batch in 1..10usize,
    ) {
        let machine = machine(states, 3, &numbers);
        for labels in [Labels::OfStates, Labels::OfSteps] {
            for order in [Order::First, Order::Nearest, Order::Evidence] {
                let mut tree = Tree::new(0);
                let mut grown = Merger::new(&tree, labels, order);
                for batch in words.chunks(batch) {
                    for word in batch {
                        let outputs = machine.outputs(word.iter().copied()).unwrap();
                        tree.insert(word.iter().copied().zip(outputs)).unwrap();
                    }
                    grown.grow(&tree);
                    grown.run();
                    prop_assert!(explains(&grown, &tree), "{labels:?} {order:?} grown");
                    prop_assert!(grown.blue.is_empty());
                }
                let mut at_once = Merger::new(&tree, labels, order);
                at_once.run();
                prop_assert!(explains(&at_once, &tree), "{labels:?} {order:?} at once");
                if labels == Labels::OfStates {
                    let same = |node| {
                        grown.state_of(node).map(|state| grown.label(state))
                            == Some(tree.output(node))
                    };
                    prop_assert!((0..tree.len() as Node).all(same), "{order:?} labels");
                }
            }
        }
    }
}

#[test]
fn the_screens_of_figure_3_are_told_apart_when_they_must_be() {
    // Yes, Yes, Yes of the paper's Sanity app: its first and third screens enable the same.
    let (yes, scroll) = (0, 1);
    let (eula, short, main) = (10, 11, 12);
    let mut tree = Tree::new(eula);
    let mut merger = Merger::new(&tree, Labels::OfStates, Order::Nearest);
    tree.insert([(yes, short), (yes, eula)]).unwrap();
    merger.grow(&tree);
    merger.run();
    assert_eq!(merger.states().len(), 2, "figure 3 (d): the third screen is taken for the first");
    tree.insert([(yes, short), (yes, eula), (yes, main)]).unwrap();
    merger.grow(&tree);
    merger.run();
    assert_eq!(merger.states().len(), 4, "figure 3 (f)");
    assert!(merger.undone() > 0);
    tree.insert([(scroll, eula)]).unwrap();
    merger.grow(&tree);
    merger.run();
    assert_eq!(merger.step(Tree::ROOT, scroll), Some((Tree::ROOT, eula)), "figure 3 (i)");
}

#[test]
fn enough_words_give_the_machine() {
    let machine = machine(5, 2, &[1, 2, 3, 4, 0, 3, 1, 1, 4, 2]);
    let mut tree = Tree::new(0);
    for number in 0..512u32 {
        let word: Vec<u32> = (0..9).map(|bit| number >> bit & 1).collect();
        let outputs = machine.outputs(word.iter().copied()).unwrap();
        tree.insert(word.into_iter().zip(outputs)).unwrap();
    }
    for order in [Order::First, Order::Nearest, Order::Evidence] {
        let mut merger = Merger::new(&tree, Labels::OfSteps, order);
        merger.run();
        assert_eq!(merger.machine().difference(&machine), None, "{order:?}");
    }
}
