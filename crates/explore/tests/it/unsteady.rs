//! Apps that do not always do the same after the same inputs: no policy is stopped by one.

use crate::run::{POLICIES, Request, explore_to_the_end};
use capuchin::ui::{Crash, Str};
use capuchin_automata::Node;
use capuchin_explore::{AbstractionKind, Inputs, Knowledge};
use capuchin_sim::{App, Input, Os, Page, SimDevice};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What changes from one time to the next. Restarts do not change it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moody {
    /// A toss shows heads and tails in turn.
    Toss,
    /// The first start shows a welcome, no other one does.
    Welcome,
    /// The first toss shows heads, every other one tails.
    HeadsOnce,
}

#[derive(Clone)]
struct Coin {
    moody: Moody,
    times: Arc<AtomicU32>,
    at: &'static str,
}

impl Coin {
    fn device(moody: Moody) -> SimDevice<Coin> {
        SimDevice::new("sim:coin", Coin { moody, times: Arc::default(), at: "table" })
    }

    fn buttons(&self) -> &'static [&'static str] {
        match self.at {
            "welcome" => &["thanks", "help"],
            "table" => &["toss", "drawer", "lamp"],
            "heads" => &["table", "laugh"],
            "tails" => &["table", "weep"],
            "drawer" => &["table", "box"],
            "box" => &["drawer", "treasure"],
            _ => &["table"],
        }
    }
}

impl App for Coin {
    fn view(&self, page: &mut Page<'_>) {
        page.place(self.at);
        for button in self.buttons() {
            page.button(*button, *button);
        }
    }

    fn handle(&mut self, input: Input<'_>, _: &mut Os) -> Result<(), Crash> {
        if input == Input::Launch && self.moody == Moody::Welcome {
            let times = self.times.fetch_add(1, Ordering::Relaxed);
            self.at = if times == 0 { "welcome" } else { "table" };
        }
        let Input::Click(button) = input else { return Ok(()) };
        self.at = match (button, self.moody) {
            ("toss", Moody::Welcome) => "tails",
            ("toss", moody) => {
                let times = self.times.fetch_add(1, Ordering::Relaxed);
                let heads = if moody == Moody::Toss { times.is_multiple_of(2) } else { times == 0 };
                if heads { "heads" } else { "tails" }
            }
            ("table" | "thanks", _) => "table",
            ("drawer", _) => "drawer",
            ("box", _) => "box",
            ("treasure", _) => "treasure",
            _ => self.at,
        };
        Ok(())
    }
}

/// Whether the tree and the inputs of its edges are what the documentation says.
fn is_sound(known: &Knowledge) {
    let tree = known.tree();
    for node in 1..tree.len() as Node {
        let (input, parent) = (tree.input(node), tree.parent(node).unwrap());
        let base = known.base(input);
        assert_eq!(known.base(base), base, "{}", known.name(input));
        let enabled = known.enabled(tree.output(parent));
        let is_start = known.name(input).starts_with("start => ");
        assert_eq!(enabled.contains(&base), !is_start, "{}", known.name(input));
        // An outcome is never an input that one could choose.
        assert!(base == input || !enabled.contains(&input), "{}", known.name(input));
    }
    assert!(known.enabled_now().iter().all(|input| known.name_now(*input).is_some()));
}

fn names(known: &Knowledge) -> BTreeSet<Str> {
    let tree = known.tree();
    (1..tree.len() as Node).map(|node| known.name(known.base(tree.input(node))).into()).collect()
}

fn check(moody: Moody, kind: &AbstractionKind) {
    for (policy, make) in POLICIES {
        for seed in 0..3 {
            let device = Box::new(Coin::device(moody));
            let inputs = Inputs::of_elements();
            let request = Request { kind: kind.clone(), inputs, seed, events: 600, restarts: 1200 };
            let sound = |_: &_, known: &_| {
                is_sound(known);
                false
            };
            explore_to_the_end(make, &request, device, sound, |end, known| {
                let run = format!("{policy} on {moody:?} by {kind:?}, seed {seed}: {end:?}");
                assert!(end.is_done || end.events == 600, "{run}");
                // What never comes again is given up.
                if policy == "capuchin" && moody == Moody::HeadsOnce {
                    assert!(end.is_done, "{run}");
                }
                for button in ["toss", "treasure", "lamp", "weep"] {
                    assert!(
                        names(known).contains(&*format!("Click(#{button})")),
                        "{run}: no {button}"
                    );
                }
                // Both outcomes are in the tree, each as an input of its own if they followed the
                // same inputs.
                if moody != Moody::Welcome {
                    let outcomes: BTreeSet<_> = (0..known.inputs() as u32)
                        .filter(|input| known.base(*input) != *input)
                        .map(|input| known.name(known.base(input)))
                        .collect();
                    assert!(
                        outcomes.iter().all(|name| *name == "Click(#toss)"),
                        "{run}: {outcomes:?}"
                    );
                    assert!(policy != "lstar" || !outcomes.is_empty(), "{run}: it asks again");
                    let labels: BTreeSet<_> = (1..known.tree().len() as Node)
                        .filter(|node| known.name(known.tree().input(*node)).contains("toss"))
                        .map(|node| known.tree().output(node))
                        .collect();
                    assert_eq!(labels.len(), 2, "{run}");
                }
            });
        }
    }
}

#[test]
fn an_input_with_two_outcomes_stops_no_policy() {
    check(Moody::Toss, &AbstractionKind::STRUCTURE);
    check(Moody::Toss, &AbstractionKind::ADAPTIVE);
}

#[test]
fn an_outcome_that_never_comes_again_stops_no_policy() {
    check(Moody::HeadsOnce, &AbstractionKind::STRUCTURE);
}

#[test]
fn a_start_that_never_comes_again_stops_no_policy() {
    check(Moody::Welcome, &AbstractionKind::STRUCTURE);
    check(Moody::Welcome, &AbstractionKind::ADAPTIVE);
}
