//! Relations on the sample apps: what they find is among the planted bugs, and the fixed variants
//! give no alarm.

use crate::explored::{explore, finds_nothing};
use capuchin_relations::Relation;

#[test]
fn the_fixed_sample_apps_give_no_alarm() {
    for sample in capuchin_apps::all().iter().filter(|sample| sample.has_bugs) {
        let mut device = capuchin_apps::open(&format!("{}-fixed", sample.name)).unwrap();
        finds_nothing(device.as_mut(), &["rotation"], 300);
    }
}

#[test]
fn rotations_that_lose_what_was_typed_are_found_in_two_apps() {
    let rotation = *Relation::named("rotation").unwrap();
    for (app, minimal) in [
        ("reply", "Click(#reply) :>> Type(#edit_area, \"hello\") :>> Rotate"),
        ("music", "Click(#enter) :>> Type(#username, \"hello\") :>> Rotate"),
    ] {
        let mut device = capuchin_apps::open(app).unwrap();
        let (outcome, _) = explore(device.as_mut(), &[rotation], (300, false));
        assert!(outcome.failures.iter().any(|it| it.minimal == minimal), "{app}: {outcome}");
    }
}
