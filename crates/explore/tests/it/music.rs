//! A script that a policy begins after, on the music app: `login :>> auto swifthand 200`.
//!
//! A policy types a few texts of its own, and the password is not among them.

use capuchin::prelude::*;
use capuchin_apps::Wrapped;
use capuchin_explore::{AbstractionKind, Explorers, Inputs, ScreenSummary};
use std::collections::BTreeSet;

const SEEDS: u64 = 20;

/// The screens that a device showed, each by its place and what it offers.
type Screens = BTreeSet<(String, ScreenSummary)>;

/// A device that keeps what it showed.
fn visitor() -> Wrapped<Screens> {
    let inner = capuchin_apps::open("music").unwrap();
    Wrapped::new(inner, Screens::new(), |screens, inner, call| {
        let seen = call.on(inner)?;
        let (summary, _) =
            ScreenSummary::of(&seen.screen, &Inputs::default(), &AbstractionKind::STRUCTURE);
        screens.insert((seen.screen.place.to_string(), summary));
        Ok(seen)
    })
}

/// In how many runs, each with a seed of its own, the player was seen, and how many screens in
/// each.
fn measure(generator: &Gen) -> (u64, Vec<usize>) {
    let (mut inside, mut screens) = (0, Vec::new());
    for seed in 0..SEEDS {
        let mut visitor = visitor();
        let check =
            Check::new("music", generator.clone()).seed(seed).cases(1).pilots(Explorers::default());
        check.run(&mut visitor).unwrap().assert();
        inside += u64::from(visitor.state.iter().any(|(place, _)| place == "PlayerActivity"));
        screens.push(visitor.state.len());
    }
    (inside, screens)
}

fn login_and_explore() -> Gen {
    let login = click(id("enter"))
        >> type_text(id("username"), "test")
        >> type_text(id("password"), "1234")
        >> click(id("signin"));
    login >> assert_that(is_displayed(id("welcome"))) >> auto("swifthand", 200)
}

#[test]
fn a_policy_needs_the_script_and_sees_more_with_it_in_half_the_events() {
    let (inside, with) = measure(&login_and_explore());
    let (inside_alone, alone) = measure(&auto("swifthand", 400));
    assert_eq!((inside, inside_alone), (SEEDS, 0));
    assert!(with.iter().zip(&alone).all(|(with, alone)| with > alone), "{with:?} {alone:?}");
}
