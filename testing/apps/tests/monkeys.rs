//! Table 1 and section 5.4: how long the monkeys take, as in the paper.
//!
//! These are the calibration of the sample apps: deterministic, so a change of an app's layout that
//! spoils the comparison is seen here.

#![allow(clippy::unwrap_used)]

mod play;

use capuchin_ui::{Direction, Event, Rng, Selector, Toward};
use play::{events_to_crash, id, monkey_move, says, start};

const RUNS: u64 = 100;
const MOST: u32 = 5000;

fn mean(results: &[Option<u32>]) -> f64 {
    let total: u32 = results.iter().map(|events| events.unwrap_or(MOST)).sum();
    f64::from(total) / results.len() as f64
}

#[test]
fn the_relevant_monkey_is_ten_times_as_fast_as_the_monkey() {
    let play = |relevant| -> Vec<Option<u32>> {
        (0..RUNS).map(|seed| events_to_crash("score", relevant, seed, MOST)).collect()
    };
    let (relevant, monkey) = (play(true), play(false));
    let hits: Vec<u32> = monkey.iter().flatten().copied().collect();
    let hit_mean = f64::from(hits.iter().sum::<u32>()) / hits.len().max(1) as f64;
    println!(
        "relevant: {} of {RUNS}, mean {:.0}, most {:?}; monkey: {} of {RUNS}, mean {:.0}, of hits {hit_mean:.0}",
        relevant.iter().flatten().count(),
        mean(&relevant),
        relevant.iter().flatten().max(),
        hits.len(),
        mean(&monkey),
    );
    assert!(relevant.iter().all(Option::is_some), "{relevant:?}");
    assert!(mean(&relevant) * 10.0 <= mean(&monkey));
    let share = hits.len() as f64 / RUNS as f64;
    assert!((0.4..=0.7).contains(&share), "the monkey witnesses {share}");
}

#[test]
fn nobody_crashes_the_fixed_apps() {
    for name in ["music-fixed", "reply-fixed", "picker-fixed", "score-fixed", "courses-fixed"] {
        for seed in 0..5 {
            for relevant in [false, true] {
                assert_eq!(events_to_crash(name, relevant, seed, 2000), None, "{name} {seed}");
            }
        }
    }
}

/// Plays `gorilla 50` with the directives of section 5.4; says whether the app crashed.
fn gorilla(name: &str, seed: u64, logs_in: bool, gets_past: bool) -> bool {
    let mut rng = Rng::stream(seed, 16);
    let (mut device, mut seen) = start(name, seed);
    for _ in 0..50 {
        let mut script = Vec::new();
        let shows = |text: &str, seen: &capuchin_ui::Observation| {
            seen.screen.count(&Selector::text(text)) > 0
        };
        if logs_in && shows("Login", &seen) {
            script.extend([
                Event::Click(says("Login")),
                Event::Type(says("User"), "test".into()),
                Event::Type(says("Password"), "1234".into()),
                Event::Click(says("Sign-in")),
            ]);
        }
        for event in script.drain(..) {
            seen = device.perform(&event).unwrap();
            assert_eq!(seen.blocked, None, "{event}");
        }
        if gets_past && shows("SD Card Access Framework", &seen) {
            if rng.below(2) == 0 {
                let swipe = Event::Swipe(id("content"), Toward::Direction(Direction::Up));
                script.extend(std::iter::repeat_n(swipe, 10));
                script.push(Event::Click(says("Select SD Card")));
            } else {
                script.push(Event::ClickBack);
            }
        }
        for event in script {
            seen = device.perform(&event).unwrap();
            assert_eq!(seen.blocked, None, "{event} on\n{}", seen.screen);
        }
        if let Some(event) = monkey_move(&seen.screen, true, &mut rng) {
            seen = device.perform(&event).unwrap();
        }
        if seen.crash.is_some() {
            return true;
        }
    }
    false
}

#[test]
fn the_gorilla_gets_where_the_monkey_gets_stuck() {
    let count = |name, logs_in, gets_past| {
        (0..100).filter(|seed| gorilla(name, *seed, logs_in, gets_past)).count()
    };
    let counts = [
        count("courses", true, true),
        count("courses", true, false),
        count("courses", false, true),
        count("courses", false, false),
    ];
    println!("crashes of a hundred: both, only login, only the page, none: {counts:?}");
    assert!(counts[0] >= 25, "{counts:?}");
    assert!(counts[1..].iter().all(|crashes| *crashes <= 2), "{counts:?}");
    assert_eq!(count("courses-fixed", true, true), 0);
}
