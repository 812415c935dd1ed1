//! State merging on random traces: what is learned explains all of them, and learning step by step
//! does not begin anew with each step.

use crate::models::{self, Model};
use capuchin_automata::{Input, Labels, Mealy, Merger, Order, Output, Tree};

fn explains(machine: &Mealy, traces: &[Vec<(Input, Output)>]) -> bool {
    traces.iter().all(|trace| {
        let answers = machine.outputs(trace.iter().map(|(input, _)| *input));
        answers
            .is_some_and(|answers| answers.iter().zip(trace).all(|(one, (_, other))| one == other))
    })
}

#[test]
fn what_is_learned_explains_every_trace_at_once_and_in_batches() {
    for Model { name, machine } in models::all() {
        let mut number = models::numbers();
        let traces: Vec<_> = (0..300).map(|_| models::trace(&machine, 50, &mut number)).collect();
        for order in [Order::First, Order::Nearest, Order::Evidence] {
            let mut tree = Tree::new(0);
            let mut grown = Merger::new(&tree, Labels::OfSteps, order);
            for (batch, some) in traces.chunks(75).enumerate() {
                for trace in some {
                    tree.insert(trace.iter().copied()).unwrap();
                }
                grown.grow(&tree);
                grown.run();
                let seen = &traces[..(batch * 75 + some.len())];
                assert!(explains(&grown.machine(), seen), "{name} {order:?} grown");
            }
            let mut at_once = Merger::new(&tree, Labels::OfSteps, order);
            at_once.run();
            assert!(explains(&at_once.machine(), &traces), "{name} {order:?} at once");
            assert_eq!(at_once.undone(), 0, "{name} {order:?}");
        }
    }
}

/// Learns after every single step of one long walk; how many decisions were taken back, and how
/// many states there are.
fn walk(machine: &Mealy, order: Order, steps: usize) -> (u64, usize) {
    let walk = models::trace(machine, steps, &mut models::numbers());
    assert_eq!(walk.len(), steps);
    let mut tree = Tree::new(0);
    let mut merger = Merger::new(&tree, Labels::OfSteps, order);
    let mut node = Tree::ROOT;
    for (input, output) in walk {
        node = tree.add(node, input, output).unwrap();
        merger.grow(&tree);
        merger.run();
    }
    (merger.undone(), merger.states().len())
}

#[test]
fn learning_step_by_step_redoes_little() {
    let machine = models::one("model3");
    for order in [Order::First, Order::Nearest] {
        let steps = 3000;
        let (undone, states) = walk(&machine, order, steps);
        // There are some 1,300 edges to decide about in the end. To learn anew after each step
        // would be to decide about most of them each time.
        assert!(undone < 50 * steps as u64, "{order:?}: {undone} taken back");
        assert!(states < 100, "{order:?}: {states} states, not 58");
    }
}
