//! Screens of real apps with their true counterparts, kept in files: the matching is measured on
//! them in a second, without a browser.
//!
//! On its own because it is made by one run of the benchmark and read by many others.

use super::devices::{BenchDevice, MOBILE, PAPER};
use super::recorded::Recorded;
use anyhow::{Context, Result};
use capuchin::ui::{Event, Screen};
use capuchin_record::{Matched, RecordedEvent, Recording, ReplayOptions, counterpart};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// What is known of a recording beside its events.
#[derive(Deserialize, Serialize)]
struct Truths {
    /// For each event of the recording, its name if it is a key event.
    keys: Vec<Option<String>>,
    /// For each step of the layout, its name if it has a key event.
    steps: Vec<Option<String>>,
    /// For the screen before each step, where the true counterparts are.
    on_screens: Vec<BTreeMap<String, Vec<usize>>>,
}

/// Keeps a recording of a scenario on a device.
pub(super) fn keep(corpus: &Path, name: &str, recorded: &Recorded<'_>) -> Result<()> {
    std::fs::create_dir_all(corpus)?;
    let at = corpus.join(name.replace('/', "--"));
    let mut screens = Recording::new(recorded.recording.origin.clone());
    let on = |(screen, _): &(Arc<Screen>, _)| RecordedEvent::new(Event::Skip, Arc::clone(screen));
    screens.events = recorded.truths.iter().map(on).collect();
    let file = |extension: &str| at.with_added_extension(extension);
    recorded.recording.write(std::fs::File::create(file("recording"))?)?;
    screens.write(std::fs::File::create(file("screens"))?)?;
    let step_key = |step: &super::scenarios::Step| step.k.clone().filter(|_| step.key);
    let truths = Truths {
        keys: (0..recorded.recording.events.len())
            .map(|event| recorded.key(event).map(str::to_owned))
            .collect(),
        steps: recorded.steps.iter().map(step_key).collect(),
        on_screens: recorded.truths.iter().map(|(_, truths)| truths.clone()).collect(),
    };
    std::fs::write(file("json"), serde_json::to_string(&truths)?)?;
    Ok(())
}

/// A recording that was kept.
struct Kept {
    recording: Recording,
    screens: Vec<Arc<Screen>>,
    truths: Truths,
}

fn read(corpus: &Path, scenario: &str, on: &BenchDevice) -> Result<Option<Kept>> {
    let at = corpus.join(format!("{scenario}@{}", on.name));
    let file = |extension: &str| at.with_added_extension(extension);
    if !file("json").exists() {
        return Ok(None);
    }
    let recording = Recording::read(&std::fs::read(file("recording"))?)?;
    let screens = Recording::read(&std::fs::read(file("screens"))?)?;
    let truths = serde_json::from_str(&std::fs::read_to_string(file("json"))?)?;
    let screens = screens.events.into_iter().map(|event| event.screen).collect();
    Ok(Some(Kept { recording, screens, truths }))
}

/// What the matching came to.
#[derive(Default)]
struct Tally {
    right: usize,
    missed: usize,
    wrong: usize,
    rightly_absent: usize,
}

/// Looks for the receiver of each key event on the screens on which a replay would look for it.
pub(super) fn measure(corpus: &Path) -> Result<()> {
    let entries = std::fs::read_dir(corpus)
        .with_context(|| format!("{} cannot be read", corpus.display()))?;
    let mut scenarios: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(".json")?.rsplit_once('@')?.0.to_owned()))
        .collect();
    scenarios.sort();
    scenarios.dedup();
    let mut tally = Tally::default();
    for scenario in &scenarios {
        for set in [PAPER, MOBILE] {
            for from in &set {
                let Some(source) = read(corpus, scenario, from)? else { continue };
                for to in &set {
                    let Some(target) = read(corpus, scenario, to)? else { continue };
                    let what = format!("{scenario} {} → {}", from.name, to.name);
                    compare(&what, &source, &target, &mut tally);
                }
            }
        }
    }
    let Tally { right, missed, wrong, rightly_absent } = tally;
    println!("{right} right, {missed} missed, {wrong} wrong, {rightly_absent} rightly absent");
    Ok(())
}

fn compare(what: &str, source: &Kept, target: &Kept, tally: &mut Tally) {
    let options = ReplayOptions::default();
    for (event, key) in source.recording.events.iter().zip(&source.truths.keys) {
        let (Some(key), Some(_)) = (key, event.receiver) else { continue };
        let steps = &target.truths.steps;
        let Some(last) = steps.iter().position(|step| step.as_ref() == Some(key)) else { continue };
        // From the key event before, what stands there is on the way.
        let first = steps[..last].iter().rposition(Option::is_some).map_or(0, |before| before + 1);
        for at in 0..=last {
            let Some(screen) = target.screens.get(at) else { continue };
            let truths = target.truths.on_screens[at].get(key).map_or(&[][..], Vec::as_slice);
            let matched = counterpart(event, screen, &options);
            // Before that, a replay asks only whether the receiver is there already.
            if at < first && !matches!(matched, Some(Matched::Found { .. })) {
                continue;
            }
            judge(&format!("{what} {key} on screen {at}"), event, screen, truths, matched, tally);
        }
    }
}

fn judge(
    what: &str,
    event: &RecordedEvent,
    screen: &Screen,
    truths: &[usize],
    matched: Option<Matched>,
    tally: &mut Tally,
) {
    let is_nested = |one: usize, other: usize| {
        one == other
            || screen.ancestors(one).any(|above| above == other)
            || screen.ancestors(other).any(|above| above == one)
    };
    let there: Vec<usize> =
        truths.iter().copied().filter(|i| screen.is_reachable(&screen.elements[*i])).collect();
    let show = |indices: &[usize]| -> String {
        let one = |index: &usize| format!("{index} {}", screen.name_of(*index));
        indices.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    match matched {
        Some(Matched::Found { candidate, margin, .. }) => {
            if truths.iter().any(|truth| is_nested(candidate.index, *truth)) {
                tally.right += 1;
            } else {
                tally.wrong += 1;
                let found = show(&[candidate.index]);
                println!(
                    "WRONG  {what}: {} → {found} ({:.2}, {margin:.2}); right: {}",
                    event.event,
                    candidate.score,
                    show(truths)
                );
            }
        }
        _ if there.is_empty() => tally.rightly_absent += 1,
        Some(Matched::Ambiguous(candidates) | Matched::Absent(candidates)) => {
            tally.missed += 1;
            let told: Vec<String> = candidates
                .iter()
                .map(|one| format!("{} ({:.2})", show(&[one.index]), one.score))
                .collect();
            println!(
                "missed {what}: {}; right: {}; nearest: {}",
                event.event,
                show(&there),
                told.join(", ")
            );
        }
        None => {}
    }
}
