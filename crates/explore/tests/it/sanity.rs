//! The figures of the SwiftHand paper's running example, on the app rebuilt from its figure 2.

use crate::run::{Effort as Seen, Make, POLICIES, Request, explore};
use capuchin_apps::sanity::up_to_main;
use capuchin_automata::{Labels, Merger, Node, Order, Tree};
use capuchin_explore::{AbstractionKind, Inputs, Knowledge, LStarPolicy, Policy, Random};
use std::collections::BTreeSet;

/// The edges of figure 2: from where, by which input, to where.
const FIGURE_2: [(&str, &str, &str); 10] = [
    ("q1", "Click(#yes)", "q2"),
    ("q1", "Click(#no)", "End"),
    ("q1", "Swipe(#terms, Up)", "q1"),
    ("q1", "Swipe(#terms, Down)", "q1"),
    ("q2", "Click(#yes)", "q3"),
    ("q2", "Click(#no)", "End"),
    ("q3", "Click(#yes)", "qM"),
    ("q3", "Click(#no)", "End"),
    ("q3", "Swipe(#terms, Up)", "q3"),
    ("q3", "Swipe(#terms, Down)", "q3"),
];

/// Inputs and restarts.
type Effort = (u64, u64);

/// The paper's cost model.
fn seconds((inputs, restarts): Effort) -> u64 {
    5 * inputs + 30 * restarts
}

/// Where the app really is, and which edges of figure 2 were seen.
#[derive(Default)]
struct Truth {
    at: &'static str,
    seen: BTreeSet<usize>,
}

impl Truth {
    fn follow(&mut self, known: &Knowledge) {
        if known.at() == Tree::ROOT {
            self.at = "q1";
            return;
        }
        let input = known.name(known.tree().input(known.at()));
        let edge = FIGURE_2.iter().position(|(from, by, _)| *from == self.at && *by == input);
        self.at = edge.map_or("beyond", |edge| FIGURE_2[edge].2);
        self.seen.extend(edge);
    }
}

/// Whether the machine learned from the tree has the edges of figure 2 right.
fn has_figure_2(known: &Knowledge) -> bool {
    let mut merger = Merger::new(known.tree(), Labels::OfStates, Order::Nearest);
    merger.run();
    let step = |state: Node, by: &str| {
        let enabled = known.enabled(merger.label(state)).iter();
        let mut named = enabled.filter(|input| known.name(**input) == by);
        named.next().and_then(|input| Some(merger.step(state, *input)?.0))
    };
    let mut states = vec![Tree::ROOT];
    for _ in 0..3 {
        let Some(next) = states.last().and_then(|state| step(*state, "Click(#yes)")) else {
            return false;
        };
        states.push(next);
    }
    let named = |name: &str| {
        ["q1", "q2", "q3", "qM"].iter().position(|state| *state == name).map(|at| states[at])
    };
    FIGURE_2.iter().all(|(from, by, to)| {
        let reached = named(from).and_then(|state| step(state, by));
        let is_end = |state: Node| known.enabled(merger.label(state)).is_empty();
        match named(to) {
            Some(target) => reached == Some(target),
            None => reached.is_some_and(is_end),
        }
    })
}

fn request(seed: u64) -> Request {
    let (kind, inputs) = (AbstractionKind::STRUCTURE, Inputs::of_elements());
    Request { kind, inputs, seed, events: 3000, restarts: 3000 }
}

/// What a policy needs to get to Main.
fn to_main(make: impl Fn() -> Box<dyn Policy> + Send + Sync + 'static, seed: u64) -> Effort {
    let device = capuchin_apps::open("sanity").unwrap();
    let mut truth = Truth::default();
    let end = explore(make, &request(seed), device, |_, known| {
        truth.follow(known);
        truth.at == "qM"
    });
    assert_eq!(truth.at, "qM", "seed {seed}: {end:?}");
    (end.events, end.restarts)
}

/// What a policy needs to learn figure 2: all ten edges were seen, and what is learned from
/// everything that was executed has them right. For L*, its first table is closed.
fn to_learn(make: Make, seed: u64, by_table: bool) -> Effort {
    let device = up_to_main(capuchin_apps::open("sanity").unwrap());
    let (mut truth, mut done, mut before) = (Truth::default(), false, (0, 0));
    let end = explore(make, &request(seed), device, |now: &Seen, known| {
        truth.follow(known);
        done = match by_table {
            true => now.states.is_some_and(|states| states > 0),
            false => truth.seen.len() == FIGURE_2.len() && has_figure_2(known),
        };
        if !done {
            before = (now.events, now.restarts);
        }
        done
    });
    assert!(done, "seed {seed}: {end:?}");
    // The table was closed when L* was asked for the move after that.
    if by_table { before } else { (end.events, end.restarts) }
}

/// What random testing needs to get to Main in expectation: inputs, restarts.
///
/// Four unknowns: the effort from the first terms right after a start, where the policy never
/// restarts; from the same after scrolling; from the second; from the third. Each is a sum over
/// what comes next.
fn expected(restart: f64) -> (f64, f64) {
    // One row for each unknown: how likely each of them comes next. What is missing to 1 is Main.
    let go = 1.0 - restart;
    let scrolling = |next: usize, go: f64| {
        let mut row = [1.0 - go + go / 4.0, 0.0, 0.0, 0.0];
        row[if next == 2 { 1 } else { 3 }] += go / 2.0;
        if next < 4 {
            row[next] += go / 4.0;
        }
        row
    };
    let rows = [
        scrolling(2, 1.0),
        scrolling(2, go),
        [restart + go / 2.0, 0.0, 0.0, go / 2.0],
        scrolling(4, go),
    ];
    let inputs = [1.0, go, go, go];
    let restarts = [0.25, restart + go / 4.0, restart + go / 2.0, restart + go / 4.0];
    (solve(rows, inputs), solve(rows, restarts))
}

/// The first of the unknowns x where x = rows x + cost.
fn solve(rows: [[f64; 4]; 4], cost: [f64; 4]) -> f64 {
    let mut table: Vec<Vec<f64>> = (0..4)
        .map(|row| {
            let of = |column: usize| f64::from(u8::from(row == column)) - rows[row][column];
            (0..4).map(of).chain([cost[row]]).collect()
        })
        .collect();
    for pivot in 0..4 {
        let by = table[pivot].clone();
        for row in (0..4).filter(|row| *row != pivot) {
            let factor = table[row][pivot] / by[pivot];
            for (cell, by) in table[row].iter_mut().zip(&by) {
                *cell -= factor * by;
            }
        }
    }
    table[0][4] / table[0][0]
}

/// The mean of some numbers, and its standard error.
fn mean(numbers: &[u64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<u64>() as f64 / count;
    let squares: f64 = numbers.iter().map(|number| (*number as f64 - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

#[test]
fn random_testing_needs_24_inputs_and_7_restarts_to_main() {
    let (inputs, restarts) = expected(0.0);
    assert!((inputs - 24.0).abs() < 1e-9 && (restarts - 7.0).abs() < 1e-9, "{inputs} {restarts}");
    // With a restart now and then, but never right after a start.
    let (inputs, restarts) = expected(0.1);
    assert!((inputs - 30.617).abs() < 1e-3 && (restarts - 10.951).abs() < 1e-3);
    for restart in [0.0, 0.1] {
        let (inputs, restarts) = expected(restart);
        let efforts: Vec<Effort> =
            (0..600).map(|seed| to_main(move || Box::new(Random { restart }), seed)).collect();
        let seen = mean(&efforts.iter().map(|effort| effort.0).collect::<Vec<_>>());
        let again = mean(&efforts.iter().map(|effort| effort.1).collect::<Vec<_>>());
        for ((mean, error), expected) in [(seen, inputs), (again, restarts)] {
            assert!((mean - expected).abs() < 3.0 * error, "{mean} ± {error}, not {expected}");
        }
    }
}

#[test]
fn lstar_closes_its_table_after_29_starts_and_80_inputs() {
    for seed in 0..10 {
        // The first start is no restart.
        assert_eq!(
            to_learn(|| Box::new(LStarPolicy::default()), seed, true),
            (80, 28),
            "seed {seed}"
        );
    }
}

#[test]
fn our_policy_is_faster_than_all_three_in_the_mean_and_at_worst() {
    const SEEDS: u64 = 200;
    let measure = |effort: &dyn Fn(Make, u64, bool) -> Effort| {
        POLICIES.map(|(name, make)| {
            let times = (0..SEEDS).map(|seed| seconds(effort(make, seed, name == "lstar")));
            let times: Vec<u64> = times.collect();
            (name, mean(&times).0, times.iter().copied().max().unwrap_or(0))
        })
    };
    let main = measure(&|make, seed, _| to_main(make, seed));
    let learned = measure(&|make, seed, by_table| to_learn(make, seed, by_table));
    for figures in [main, learned] {
        let [others @ .., (_, ours, our_worst)] = figures;
        for (name, mean, worst) in others {
            assert!(ours < mean && our_worst < worst, "{name}: {mean} {worst}; {ours} {our_worst}");
        }
    }
}
