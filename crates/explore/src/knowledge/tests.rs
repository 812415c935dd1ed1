//! The tree is the history, however summaries come to be looked at, and however moody the app is.

use super::*;
use crate::capuchin_policy::CapuchinPolicy;
use crate::offer::Inputs;
use crate::policy::{Decision, Policy, Random};

fn summary(names: &[&str]) -> ScreenSummary {
    let offers = names.iter().map(|name| (Str::from(*name), Str::from(*name))).collect();
    ScreenSummary { offers, ..ScreenSummary::default() }
}

impl Knowledge {
    fn restarted(&mut self, summary: &ScreenSummary, fresh: u32) {
        self.take_in(&Entry::Restarted(summary.clone(), fresh));
    }

    fn performed(&mut self, name: &Str, summary: &ScreenSummary, fresh: u32) {
        self.take_in(&Entry::Performed(name.clone(), summary.clone(), fresh));
    }
}

/// The history, step by step, is a walk in the tree, and leads to where the app stands.
fn check(known: &Knowledge) {
    let tree = known.tree();
    let (mut at, mut depth) = (Tree::ROOT, 0);
    let mut labels: Vec<Option<Str>> = vec![None; tree.len()];
    let mut before: Option<AbstractScreen> = None;
    for seen in &known.history {
        let abstract_screen =
            known.abstraction.abstract_screen(known.summaries.symbol(seen.summary).unwrap());
        let label = known.derived.labels.find(&abstract_screen.label).unwrap();
        if let (Some(name), Some(before)) = (seen.name, before) {
            let name = known.names.symbol(name).unwrap();
            let input = before.inputs.iter().find(|input| input.name == *name);
            let input = known.derived.inputs.find(input.map_or(name, |input| &input.key)).unwrap();
            let mut next = tree
                .children(at)
                .filter(|child| known.base(tree.input(*child)) == input)
                .filter(|child| tree.output(*child) == label);
            at = next.next().unwrap();
            assert_eq!(next.next(), None);
            depth += 1;
        } else {
            let mut starts = tree.children(Tree::ROOT).filter(|child| {
                known.name(tree.input(*child)).starts_with("start => ")
                    && tree.output(*child) == label
            });
            at = if tree.output(Tree::ROOT) == label { Tree::ROOT } else { starts.next().unwrap() };
            depth = 0;
        }
        // Two summaries at one node are the same screen.
        let known_as = labels[at as usize].get_or_insert_with(|| abstract_screen.label.clone());
        assert_eq!(*known_as, abstract_screen.label);
        before = Some(abstract_screen);
    }
    assert_eq!((at, depth), (known.at(), known.depth()));
    let of_root = u32::from(labels[0].is_none());
    assert_eq!(labels.iter().filter(|label| label.is_none()).count() as u32, of_root);
}

/// Explores an app; how often summaries came to be looked at differently.
fn explore(app: &str, policy: &mut dyn Policy, events: u32) -> u32 {
    let mut device = capuchin_apps::open(app).unwrap();
    let mut known = Knowledge::new(AbstractionKind::ADAPTIVE);
    let (mut rng, mut left, mut revision) = (Rng::new(5), events, 0);
    while left > 0 {
        let mut seen = device.reset(1).unwrap();
        let (mut summary, mut offers) =
            ScreenSummary::of(&seen.screen, &Inputs::default(), known.kind());
        known.restarted(&summary, 0);
        while left > 0 {
            if known.revision() != revision {
                revision = known.revision();
                check(&known);
            }
            left -= 1;
            let Decision::Perform(input) = policy.next(&known, &mut rng) else { break };
            let name = known.name_now(input).unwrap().clone();
            let offer = offers.iter().find(|offer| offer.name == name).unwrap();
            seen = device.perform(&offer.event).unwrap();
            (summary, offers) = match seen.crash {
                Some(_) => (ScreenSummary::of_the_end(None), Vec::new()),
                None => ScreenSummary::of(&seen.screen, &Inputs::default(), known.kind()),
            };
            known.performed(&name, &summary, 0);
        }
    }
    check(&known);
    known.revision()
}

#[test]
fn the_tree_stays_the_history_when_screens_are_looked_at_differently() {
    for app in ["feed", "wizard", "clock"] {
        let by_chance = explore(app, &mut Random::default(), 1200);
        let by_plan = explore(app, &mut CapuchinPolicy::new(6.0), 1200);
        assert!(by_chance + by_plan > 0, "{app}: {by_chance} {by_plan}");
    }
}

#[test]
fn outcomes_of_an_unsteady_input_are_inputs_of_their_own() {
    let (home, heads, tails) = (summary(&["toss", "other"]), summary(&["h"]), summary(&["t"]));
    let mut known = Knowledge::new(AbstractionKind::STRUCTURE);
    let toss = |known: &mut Knowledge, to: &ScreenSummary| {
        known.restarted(&home, 0);
        known.performed(&"toss".into(), to, 0);
        check(known);
    };
    toss(&mut known, &heads);
    assert_eq!((known.revision(), known.tree().len()), (0, 2));
    toss(&mut known, &tails);
    assert_eq!((known.revision(), known.tree().len()), (1, 3));
    toss(&mut known, &heads);
    assert_eq!((known.revision(), known.tree().len()), (1, 3), "it was seen before");
    let input = known.derived.inputs.find(&"toss".into()).unwrap();
    let outcomes: Vec<Input> =
        known.tree().children(Tree::ROOT).map(|child| known.tree().input(child)).collect();
    assert!(outcomes.iter().all(|outcome| *outcome != input && known.base(*outcome) == input));
    assert_eq!(known.enabled(known.tree().output(Tree::ROOT)).len(), 2, "toss and other");
    assert_eq!(known.counts(input).times, 3);
    // Elsewhere the same input is steady.
    known.performed(&"h".into(), &summary(&["toss"]), 0);
    known.performed(&"toss".into(), &heads, 0);
    check(&known);
    assert_eq!(known.tree().input(known.at()), input);
}

#[test]
fn an_app_that_starts_with_another_screen_is_where_it_is() {
    let (welcome, home) = (summary(&["thanks"]), summary(&["toss"]));
    let mut known = Knowledge::new(AbstractionKind::STRUCTURE);
    known.restarted(&welcome, 0);
    assert_eq!((known.at(), known.start(), known.depth()), (Tree::ROOT, Tree::ROOT, 0));
    known.performed(&"thanks".into(), &home, 0);
    for _ in 0..2 {
        known.restarted(&home, 0);
        check(&known);
        assert_ne!(known.at(), Tree::ROOT);
        assert_eq!((known.start(), known.depth()), (known.at(), 0));
        let names = known.enabled_now().iter().map(|input| known.name(*input));
        assert_eq!(names.collect::<Vec<_>>(), ["toss"]);
    }
    assert_eq!(known.tree().len(), 3);
    known.restarted(&welcome, 0);
    check(&known);
    assert_eq!(known.start(), Tree::ROOT);
}
