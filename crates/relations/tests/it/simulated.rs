//! Every relation on a simulated app that breaks it, and on the same app that does not.

use crate::explored::{finds, finds_nothing};
use crate::memo::memo;

/// The relation that is broken, and the smallest traces that show it.
const PLANTED: [(&str, &[&str]); 7] = [
    ("toggle", &["Click(#wrap) :>> Click(#wrap)"]),
    ("cancel", &["Click(#rename) :>> Type(#name, \"hello\") :>> Click(#cancel)"]),
    ("undo", &["Type(#new, \"hello\") :>> Click(#add) :>> Click(#remove) :>> Click(#undo)"]),
    ("rotation", &["Type(#new, \"hello\") :>> Rotate"]),
    ("reload", &["Click(#about) :>> reload()"]),
    ("back", &["Click(#about) :>> ClickBack"]),
    (
        "ways",
        &[
            "Click(#about) :>> ClickBack :>> Click(#about)",
            "Click(#about) :>> Click(#home) :>> Click(#about)",
        ],
    ),
];

#[test]
fn every_planted_bug_is_found_and_shrunk() {
    for (fault, minimal) in PLANTED {
        finds(memo(fault).as_mut(), fault, minimal, 600);
    }
}

#[test]
fn the_correct_app_gives_no_alarm_and_every_relation_is_judged() {
    let judged = PLANTED.map(|(name, _)| name);
    finds_nothing(memo("").as_mut(), &judged, 600);
}
