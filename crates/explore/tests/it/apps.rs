//! Every policy on every sample app: none panics, none hangs, and a run is a function of its seed.

use crate::run::{Make, POLICIES, Request, Told, explore_to_the_end, recorder};
use capuchin::ui::Event;
use capuchin_apps::Variant;
use capuchin_explore::{AbstractionKind, Abstractions, Inputs};
use capuchin_sim::VIEWPORT;

const EVENTS: u64 = 150;

/// What the device was told, restarts included, and whether nothing was left to try.
fn told(
    sample: &capuchin_apps::Sample,
    make: Make,
    kind: AbstractionKind,
    seed: u64,
) -> Vec<Option<Event>> {
    let inner = (sample.open)(Variant::Buggy, VIEWPORT);
    let told = Told::default();
    let device = recorder(inner, &told);
    let (events, restarts) = (EVENTS, 2 * EVENTS as u32);
    let request = Request { kind, inputs: Inputs::default(), seed, events, restarts };
    let name = sample.name;
    let no = |_: &_, _: &_| false;
    explore_to_the_end(make, &request, device, no, |end, known| {
        assert!(end.is_done || end.events == EVENTS, "{name}: only {end:?}");
        let done = (end.events, end.restarts + 1);
        assert_eq!(known.steps(), done, "{name}: all that was done is known");
    });
    let told = told.lock().unwrap();
    told.clone()
}

#[test]
fn every_policy_explores_every_app_and_does_the_same_again() {
    for sample in capuchin_apps::all() {
        for (policy, make) in POLICIES {
            let first = told(sample, make, AbstractionKind::ADAPTIVE, 7);
            let second = told(sample, make, AbstractionKind::ADAPTIVE, 7);
            assert_eq!(first, second, "{policy} on {}", sample.name);
        }
    }
}

#[test]
fn every_abstraction_does_for_every_app() {
    for sample in capuchin_apps::all() {
        for kind in Abstractions::default().iter() {
            told(sample, POLICIES[3].1, kind.clone(), 3);
        }
    }
}
