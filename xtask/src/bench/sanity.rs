//! The running example of the SwiftHand paper: what each policy needs to get past the terms, and to
//! learn the partial model of figure 2, over a thousand seeds.

use anyhow::{Context, Result};
use capuchin::cases::{Spent, Tally};
use capuchin::log::RunEvent;
use capuchin::steering::{Pilot, PilotPool};
use capuchin::trace::prelude::auto;
use capuchin::{Config, Exploration, Plan, Probe};
use capuchin_apps::sanity;
use capuchin_automata::{Labels, Merger, Order, Tree};
use capuchin_explore::{
    AbstractionKind, CapuchinPolicy, Explorer, Explorers, Inputs, Knowledge, LStarPolicy, Models,
    Policy, Random, SwiftHand,
};
use serde_json::{Value, json};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

const SEEDS: u64 = 1000;
/// The paper's cost model: seconds for a restart and for an input.
const RESTART: f64 = 30.0;
const INPUT: f64 = 5.0;
/// More than any policy should need.
const MOST_EVENTS: u64 = 5000;

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

type Make = fn() -> Box<dyn Policy>;

const POLICIES: [(&str, Make, &str); 4] = [
    ("random", || Box::new(Random::default()), "24 inputs, 7 restarts to Main; 330 s"),
    ("lstar", || Box::new(LStarPolicy::default()), "64 inputs, 29 restarts to learn; 1190 s"),
    (
        "swifthand",
        || Box::new(SwiftHand::default()),
        "11 inputs, 4 restarts after 4 iterations; 190 s",
    ),
    ("capuchin", || Box::new(CapuchinPolicy::new(RESTART / INPUT)), ""),
];

pub(super) fn run() -> Result<()> {
    println!(
        "the Sanity app of the SwiftHand paper, {SEEDS} seeds; {RESTART} s a restart, {INPUT} s an input"
    );
    println!(
        "mean (worst) of inputs, restarts and modelled seconds; the first start is no restart\n"
    );
    let mut figures = serde_json::Map::new();
    for (name, make, paper) in POLICIES {
        let (mut main, mut learned) = (Vec::new(), Vec::new());
        for seed in 0..SEEDS {
            main.push(measure(make, seed, false, |_, truth| truth.at == "qM")?);
            let by_table = name == "lstar";
            learned.push(measure(make, seed, true, |known, truth| {
                if by_table { truth.states > 0 } else { truth.is_complete() && agrees(known) }
            })?);
        }
        let to_main = Spread::of(&main);
        let to_learn = Spread::of(&learned);
        println!("{name:<10} to Main:  {to_main}\n           to learn: {to_learn}");
        if !paper.is_empty() {
            println!("           paper:    {paper}");
        }
        figures
            .insert(name.to_owned(), json!({ "main": to_main.json(), "learned": to_learn.json() }));
    }
    println!(
        "\nlearned: all ten edges of figure 2 were seen, and the machine learned from everything that was"
    );
    println!(
        "executed has them right; for lstar, its table is closed (29 starts: its trial begins with one more restart)"
    );
    println!("{}", Value::Object(figures));
    Ok(())
}

/// What a policy needed.
struct Effort {
    inputs: u64,
    restarts: u64,
    /// Whether it got there at all.
    done: bool,
}

impl Effort {
    fn seconds(&self) -> f64 {
        self.inputs as f64 * INPUT + self.restarts as f64 * RESTART
    }
}

/// Runs a policy until `is_enough`.
fn measure(
    make: Make,
    seed: u64,
    partial: bool,
    is_enough: impl Fn(&Knowledge, &Truth) -> bool,
) -> Result<Effort> {
    let inner = capuchin_apps::open("sanity").context("no app `sanity`")?;
    let mut device = if partial { sanity::up_to_main(inner) } else { inner };
    let plan = plan(make, seed);
    let truth = RefCell::new(Truth::default());
    let (starts, effort) = (Cell::new(0), Cell::new(None));
    let on_move = |pilot: &dyn Pilot, _: &mut Probe<'_>| {
        let Some(explorer) = (pilot as &dyn Any).downcast_ref::<Explorer>() else { return };
        let mut truth = truth.borrow_mut();
        truth.follow(explorer.knowledge());
        truth.states = pilot.progress().and_then(|progress| progress.states).unwrap_or(0);
        if effort.get().is_none() && is_enough(explorer.knowledge(), &truth) {
            effort.set(Some((plan.budget.taken(), starts.get())));
            plan.budget.set(Spent::Time, true);
        }
    };
    let mut observer = |_: &RunEvent| {};
    let mut tally = Tally::begin(&plan, 1, &mut observer);
    for index in 0..plan.config.cases {
        if tally.is_over() {
            break;
        }
        starts.set(index.into());
        let (report, _) = plan.case(index, device.as_mut(), Some(&on_move))?;
        tally.case(&report);
    }
    let (inputs, restarts) = effort.get().unwrap_or((plan.budget.taken(), starts.get()));
    Ok(Effort { inputs, restarts, done: effort.get().is_some() })
}

/// An exploration with this policy.
fn plan(make: Make, seed: u64) -> Plan {
    let generator = auto("random", u32::MAX);
    let mut explorers = Explorers::default();
    explorers.policies.add("random", "the one that is measured", move |_| make());
    explorers.models = Models::of_exploration(&generator, &AbstractionKind::STRUCTURE);
    (explorers.inputs, explorers.may_restart) = (Inputs::of_elements(), true);
    let mut config = Config::default();
    (config.seed, config.cases, config.events) = (seed, u32::MAX, Some(MOST_EVENTS));
    let mut plan = Plan::exploration("sanity", generator, Exploration::default(), config);
    plan.pilots = PilotPool::new(Arc::new(explorers));
    plan
}

/// Where the app really is, and which edges of figure 2 were seen.
#[derive(Default)]
struct Truth {
    at: &'static str,
    seen: std::collections::BTreeSet<usize>,
    states: usize,
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

    fn is_complete(&self) -> bool {
        self.seen.len() == FIGURE_2.len()
    }
}

/// Whether the machine learned from the tree has the edges of figure 2 right.
fn agrees(known: &Knowledge) -> bool {
    let tree = known.tree();
    let mut merger = Merger::new(tree, Labels::OfStates, Order::Nearest);
    merger.run();
    let yes =
        known.enabled(tree.output(Tree::ROOT)).iter().find(|i| known.name(**i) == "Click(#yes)");
    let Some(yes) = yes else { return false };
    let step = |state, input| merger.step(state, input).map(|(to, _)| to);
    let q1 = Tree::ROOT;
    let Some(q2) = step(q1, *yes) else { return false };
    let Some(q3) = step(q2, *yes) else { return false };
    let Some(main) = step(q3, *yes) else { return false };
    let named = |name: &str| match name {
        "q1" => Some(q1),
        "q2" => Some(q2),
        "q3" => Some(q3),
        "qM" => Some(main),
        _ => None,
    };
    FIGURE_2.iter().all(|(from, by, to)| {
        let Some(state) = named(from) else { return false };
        let enabled = known.enabled(merger.label(state));
        let input = enabled.iter().find(|input| known.name(**input) == *by);
        let reached = input.and_then(|input| step(state, *input));
        match named(to) {
            Some(target) => reached == Some(target),
            None => reached.is_some_and(|end| known.enabled(merger.label(end)).is_empty()),
        }
    })
}

struct Spread {
    inputs: (f64, u64),
    restarts: (f64, u64),
    seconds: (f64, f64),
    failed: usize,
}

impl Spread {
    fn of(efforts: &[Effort]) -> Self {
        let count = efforts.len() as f64;
        let mean = |of: fn(&Effort) -> f64| efforts.iter().map(of).sum::<f64>() / count;
        let most = |of: fn(&Effort) -> u64| efforts.iter().map(of).max().unwrap_or(0);
        Spread {
            inputs: (mean(|e| e.inputs as f64), most(|e| e.inputs)),
            restarts: (mean(|e| e.restarts as f64), most(|e| e.restarts)),
            seconds: (
                mean(Effort::seconds),
                efforts.iter().map(Effort::seconds).fold(0.0, f64::max),
            ),
            failed: efforts.iter().filter(|effort| !effort.done).count(),
        }
    }

    fn json(&self) -> Value {
        let round = |number: f64| (number * 100.0).round() / 100.0;
        json!({
            "inputs": round(self.inputs.0), "inputs_worst": self.inputs.1,
            "restarts": round(self.restarts.0), "restarts_worst": self.restarts.1,
            "seconds": round(self.seconds.0), "seconds_worst": self.seconds.1,
            "not_reached": self.failed,
        })
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Spread { inputs, restarts, seconds, failed } = self;
        write!(
            f,
            "{:6.1} ({:4}) inputs  {:5.1} ({:3}) restarts  {:6.0} ({:5.0}) s",
            inputs.0, inputs.1, restarts.0, restarts.1, seconds.0, seconds.1
        )?;
        if *failed > 0 {
            write!(f, "; {failed} never")?;
        }
        Ok(())
    }
}
