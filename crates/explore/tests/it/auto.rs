//! Policies as the pilots of an `auto`: what they learn outlasts the check, and nothing else gets
//! into it.

use crate::run::{Told, recorder};
use capuchin::log::{Observer, RunEvent};
use capuchin::prelude::*;
use capuchin::steering::PilotPool;
use capuchin::ui::Crash;
use capuchin::{Config, Plan};
use capuchin_apps::Wrapped;
use capuchin_automata::{Node, Tree};
use capuchin_explore::{
    AbstractionKind, Abstractions, Entry, Explorers, Inputs, JournalError, Keeper, Knowledge,
    ModelError, Models,
};
use capuchin_sim::{App, Input, Os, Page, SimDevice};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A house with two wings; there is no way from one to the other. Each has rooms in a ring.
#[derive(Clone)]
struct House {
    at: String,
    /// Whether a lamp in the east explodes.
    fragile: bool,
}

const ROOMS: u32 = 5;

impl House {
    fn device(fragile: bool) -> SimDevice<House> {
        SimDevice::new("sim:house", House { at: "hall".to_owned(), fragile })
    }
}

impl App for House {
    fn view(&self, page: &mut Page<'_>) {
        page.place(self.at.as_str());
        let buttons = match self.at.as_str() {
            "hall" => ["east".to_owned(), "west".to_owned()],
            room => [format!("{room}-on"), format!("{room}-lamp")],
        };
        for button in buttons {
            page.button(button.as_str(), button.as_str());
        }
    }

    fn handle(&mut self, input: Input<'_>, _: &mut Os) -> Result<(), Crash> {
        let Input::Click(button) = input else { return Ok(()) };
        if self.fragile && button == "east-3-lamp" {
            return Err(Crash::new("the lamp explodes"));
        }
        let mut parts = button.split('-');
        let (wing, room, what) = (parts.next().unwrap(), parts.next(), parts.next());
        let room = room.and_then(|room| room.parse::<u32>().ok());
        match (room, what) {
            (None, _) => self.at = format!("{wing}-0"),
            (Some(room), Some("on")) => self.at = format!("{wing}-{}", (room + 1) % ROOMS),
            _ => {}
        }
        Ok(())
    }
}

/// Pilots that do only what the elements take, so that nobody leaves the app.
fn explorers(models: &Models) -> Explorers {
    let mut explorers = Explorers::default();
    (explorers.inputs, explorers.models) = (Inputs::of_elements(), models.clone());
    explorers
}

fn check(generator: &Gen, models: &Models) -> Check {
    Check::new("house", generator.clone()).pilots(explorers(models))
}

/// What is in the only journal of a check.
fn entries(directory: &Path) -> Vec<Entry> {
    let (kind, entries) =
        Keeper::load(&directory.join("house-1.jsonl"), &Abstractions::default()).unwrap();
    assert_eq!(kind, AbstractionKind::ADAPTIVE);
    entries
}

fn knowledge(entries: &[Entry]) -> Knowledge {
    let mut known = Knowledge::new(AbstractionKind::ADAPTIVE);
    entries.iter().for_each(|entry| known.take_in(entry));
    known
}

fn performed(entries: &[Entry]) -> usize {
    entries.iter().filter(|entry| matches!(entry, Entry::Performed(..))).count()
}

/// Runs a check that goes on from what is in a directory, if one is named, and keeps what it learns
/// in another.
fn run(generator: &Gen, device: &mut dyn Device, cases: u32, from: Option<&Path>, to: &Path) {
    let mut models = Models::new("house", generator);
    if let Some(from) = from {
        models.load(from, &Abstractions::default()).unwrap();
    }
    models.keep(to).unwrap();
    let outcome = check(generator, &models).cases(cases).run(device).unwrap();
    assert!(outcome.holds(), "{outcome}");
    assert!(models.problems().is_empty());
}

#[test]
fn one_that_has_seen_everything_does_nothing_when_it_is_resumed() {
    let place = tempfile::tempdir().unwrap();
    let [first, second, fresh] = ["first", "second", "fresh"].map(|name| place.path().join(name));
    let generator = click(id("east")) >> auto("capuchin", 60);
    run(&generator, &mut House::device(false), 5, None, &first);
    run(&generator, &mut House::device(false), 5, Some(&first), &second);
    run(&generator, &mut House::device(false), 5, None, &fresh);
    let [first, second, fresh] = [first, second, fresh].map(|path| entries(&path));
    assert_eq!(first, fresh, "a check is a function of its seed");
    assert!(performed(&first) > 0);
    assert_eq!(second[..first.len()], first);
    assert_eq!(performed(&second), performed(&first), "nothing was left to try");
    let restarts = second[first.len()..].len();
    assert_eq!(restarts, 5, "each case was begun");
}

/// How many transitions two checks see over some seeds: if the second goes on from the first, and
/// if not.
fn seen_by_two(generator: &Gen, cases: u32, open: fn() -> Box<dyn Device>) -> (usize, usize) {
    let (mut resumed, mut apart) = (0, 0);
    for seed in 0..10 {
        let place = tempfile::tempdir().unwrap();
        let learn = |seed: u64, from: Option<&str>, to: &str| {
            let mut models = Models::new("house", generator);
            from.map_or(Ok(()), |from| {
                models.load(&place.path().join(from), &Abstractions::default())
            })
            .unwrap();
            let to = place.path().join(to);
            models.keep(&to).unwrap();
            let check = check(generator, &models).cases(cases).seed(seed);
            check.run(open().as_mut()).unwrap().assert();
            entries(&to)
        };
        let first = learn(seed, None, "first");
        let second = learn(seed + 100, Some("first"), "second");
        let other = learn(seed + 100, None, "other");
        assert_eq!(second[..first.len()], first);
        assert_eq!(performed(&second), performed(&[first.clone(), other.clone()].concat()));
        resumed += knowledge(&second).transitions();
        apart += knowledge(&[first, other].concat()).transitions();
    }
    (resumed, apart)
}

#[test]
fn one_that_is_resumed_sees_more_than_two_that_know_nothing_of_each_other() {
    for policy in ["swifthand", "capuchin"] {
        let generator = click(id("east")) >> auto(policy, 8);
        let (resumed, apart) = seen_by_two(&generator, 1, || Box::new(House::device(false)));
        assert!(resumed > apart, "{policy:?}: {resumed} {apart}");
    }
    // Not so for SwiftHand, which goes for what is untried anywhere, by ways of any length: on this
    // app, whatever it knows, it sees less the longer it goes on.
    let shop = || capuchin_apps::open("shop-fixed").unwrap();
    let (resumed, apart) = seen_by_two(&auto("capuchin", 60), 2, shop);
    assert!(resumed > apart, "{resumed} {apart}");
}

#[test]
fn parts_that_begin_on_different_screens_are_kept_apart_and_all_explored() {
    for policy in ["random", "lstar", "swifthand", "capuchin"] {
        let place = tempfile::tempdir().unwrap();
        let generator = (click(id("east")) | click(id("west"))) >> auto(policy, 20);
        run(&generator, &mut House::device(false), 20, None, place.path());
        let entries = entries(place.path());
        let known = knowledge(&entries);
        let tree = known.tree();
        let wing = |name: &str| ["east", "west"].into_iter().find(|wing| name.contains(*wing));
        let of_node = |node: Node| {
            let enabled = known.enabled(tree.output(node)).first();
            enabled.and_then(|input| wing(known.name(*input)))
        };
        let is_start = |node: Node| known.name(tree.input(node)).starts_with("start => ");
        let mut others = 0;
        for node in 1..tree.len() as Node {
            let parent = tree.parent(node).unwrap();
            if is_start(node) {
                others += 1;
                assert_eq!(parent, Tree::ROOT);
                assert_ne!(of_node(node), of_node(parent), "{policy:?}");
            } else {
                assert_eq!(of_node(node), of_node(parent), "{policy:?}: no way leads across");
            }
        }
        assert_eq!(others, 1, "{policy:?}: the first start is the root, the other one is not");
        // L* asks one question a case, and begins anew where another start is: it is not that far
        // yet.
        if policy != "lstar" {
            let tried = |button: &String| {
                let tried = |entry: &Entry| matches!(entry, Entry::Performed(name, ..) if name.contains(button.as_str()));
                entries.iter().any(tried)
            };
            for button in ["east", "west"].into_iter().flat_map(|wing| {
                (0..ROOMS).flat_map(move |room| {
                    ["on", "lamp"].map(move |what| format!("{wing}-{room}-{what}"))
                })
            }) {
                assert!(tried(&button), "{policy:?} never tried {button}");
            }
        }
    }
}

#[test]
fn shrinking_is_no_part_of_what_is_learned() {
    let place = tempfile::tempdir().unwrap();
    let generator = click(id("east")) >> auto("random", 40);
    let mut models = Models::new("house", &generator);
    models.keep(place.path()).unwrap();
    let told = Told::default();
    let inner = Box::new(House::device(true));
    let mut device = recorder(inner, &told);
    let mut of_cases = 0;
    let mut observer = |event: &RunEvent| {
        if let RunEvent::CaseFinished { steps, .. } = event {
            of_cases += *steps as usize - 1;
        }
    };
    let outcome = check(&generator, &models)
        .cases(3)
        .run_with(&mut device, &mut observer as &mut dyn Observer);
    assert_eq!(outcome.failures.len(), 1, "{outcome}");
    let events = told.lock().unwrap().iter().flatten().count();
    assert!(events > of_cases + 3, "{events} events, {of_cases} of them by the policy");
    assert_eq!(performed(&entries(place.path())), of_cases);
}

/// A device that interrupts the check with so many events, or panics over the last of them.
fn impatient(left: u32, flag: Option<Arc<AtomicBool>>) -> impl Device {
    let inner = Box::new(House::device(false));
    Wrapped::new(inner, left, move |left, inner, call| {
        if call.event().is_some() {
            *left = left.wrapping_sub(1);
            match &flag {
                Some(flag) => flag.store(*left == 0, Ordering::Relaxed),
                None => assert_ne!(*left, 0, "the driver is broken"),
            }
        }
        call.on(inner)
    })
}

#[test]
fn a_move_that_was_interrupted_is_not_kept() {
    let place = tempfile::tempdir().unwrap();
    let generator = click(id("east")) >> auto("swifthand", 40);
    let mut models = Models::new("house", &generator);
    models.keep(place.path()).unwrap();
    let flag = Arc::new(AtomicBool::new(false));
    let mut device = impatient(8, Some(Arc::clone(&flag)));
    let check = check(&generator, &models).config(|config| config.interrupt = Some(flag));
    assert!(check.run(&mut device).unwrap().interrupted);
    let entries = entries(place.path());
    assert_eq!(performed(&entries), 7, "and one event of the script");
    let ends =
        |entry: &Entry| matches!(entry, Entry::Performed(_, summary, _) if summary.is_the_end());
    assert!(!entries.iter().any(ends));
}

#[test]
fn a_part_that_ended_in_a_panic_of_the_driver_is_over() {
    let place = tempfile::tempdir().unwrap();
    let generator = click(id("east")) >> auto("swifthand", 10);
    let mut models = Models::new("house", &generator);
    models.keep(place.path()).unwrap();
    let mut plan = Plan::new("house", generator, Config::default());
    plan.pilots = PilotPool::new(Arc::new(explorers(&models)));
    let mut device = impatient(6, None);
    let broken = plan.case(0, &mut device, None).unwrap_err();
    assert!(broken.to_string().contains("its driver panicked: "), "{broken}");
    plan.case(1, &mut device, None).unwrap();
    let entries = entries(place.path());
    let is_start = |entry: &&Entry| matches!(entry, Entry::Restarted(..));
    assert_eq!(entries.iter().filter(is_start).count(), 2);
    assert_eq!(performed(&entries), 4 + 10, "what panicked was not seen");
}

#[test]
fn each_part_has_a_file_and_says_what_is_wrong_with_it() {
    let place = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| place.path().join(name));
    let parts = auto("swifthand", 5) >> auto("monkey", 5) >> auto("random", 5);
    let generator = parts >> auto("swifthand", 9);
    let mut models = Models::new("house", &generator);
    assert!(matches!(
        models.load(&first, &Abstractions::default()),
        Err(ModelError::Unreadable { .. })
    ));
    models.keep(&first).unwrap();
    let mut names: Vec<_> =
        std::fs::read_dir(&first).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["house-1.jsonl", "house-2.jsonl"], "two that differ in moves are one");
    let again = models.keep(&first).unwrap_err();
    assert!(matches!(again, ModelError::Unwritable { .. }), "nothing is overwritten: {again}");

    // The abstraction is that of the journal.
    std::fs::remove_file(first.join("house-2.jsonl")).unwrap();
    Keeper::begin(&first.join("house-2.jsonl"), &AbstractionKind::TEXT, &[]).unwrap();
    let mut models = Models::new("house", &generator);
    models.load(&first, &Abstractions::default()).unwrap();
    models.keep(&second).unwrap();
    check(&generator, &models).cases(1).run(&mut House::device(false)).unwrap().assert();
    let kind = |name: &str| Keeper::load(&second.join(name), &Abstractions::default()).unwrap().0;
    assert_eq!(
        [kind("house-1.jsonl"), kind("house-2.jsonl")],
        [AbstractionKind::ADAPTIVE, AbstractionKind::TEXT]
    );

    std::fs::write(first.join("house-1.jsonl"), "").unwrap();
    let empty = models.load(&first, &Abstractions::default()).unwrap_err();
    assert!(matches!(empty, ModelError::Damaged { source: JournalError::Empty, .. }), "{empty}");
    assert!(Models::new("house", &auto("relevant", 5)).is_empty());
}
