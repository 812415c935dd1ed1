//! What all runs came to: the table of the paper, rates, causes, and the JSON object.
//!
//! On its own because it is a function of the runs.

use super::baselines::Baseline;
use super::devices::BenchDevice;
use super::recorded::Recorded;
use super::run::{KeyOutcome, Run};
use capuchin_record::FailureCause as Cause;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A scenario, recorded on one device and replayed on another or on the same.
pub(super) struct Direction {
    scenario: String,
    from: &'static str,
    to: &'static str,
    pub(super) runs: Vec<Run>,
    /// Whether each baseline succeeded.
    pub(super) baselines: BTreeMap<Baseline, bool>,
}

impl Direction {
    pub(super) fn new(scenario: &str, from: &BenchDevice, to: &BenchDevice) -> Self {
        let (runs, baselines) = (Vec::new(), BTreeMap::new());
        Direction { scenario: scenario.to_owned(), from: from.name, to: to.name, runs, baselines }
    }

    fn is_success(&self) -> bool {
        self.runs.len() >= super::REPLAYS && self.runs.iter().all(Run::is_success)
    }

    fn is_same(&self) -> bool {
        self.from == self.to
    }

    /// Why it failed.
    fn cause(&self) -> Option<Cause> {
        match &self.runs[..] {
            _ if self.is_success() => None,
            // The first succeeded, and the second did not.
            [_, _, ..] => Some(Cause::DynamicContent),
            [one] => one.cause.or(Some(Cause::Tool)),
            [] => Some(Cause::Tool),
        }
    }

    /// One line of progress.
    pub(super) fn line(&self) -> String {
        let keys = |run: &Run| -> String {
            let letter = |outcome: &KeyOutcome| match outcome {
                KeyOutcome::Right => '+',
                KeyOutcome::Wrong => 'w',
                KeyOutcome::Missing => '-',
            };
            run.keys.iter().map(|(_, outcome)| letter(outcome)).collect()
        };
        let one = |run: &Run| {
            let goal = if run.goal { "goal" } else { "no goal" };
            let refused = if run.refused > 0 { ", refused" } else { "" };
            let why = run.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            format!("{goal} {}{refused}{why}", keys(run))
        };
        let runs: Vec<String> = self.runs.iter().map(one).collect();
        let mut runs = runs;
        runs.dedup();
        let word = if self.is_success() { "ok    " } else { "FAILED" };
        let plain: Vec<&str> =
            self.baselines.iter().filter(|(_, ok)| **ok).map(|(by, _)| by.name()).collect();
        let plain =
            if plain.is_empty() { String::new() } else { format!(" [{}]", plain.join(", ")) };
        let Direction { scenario, from, to, .. } = self;
        format!("{word} {scenario} {from} → {to}: {}{plain}", runs.join(" | "))
    }
}

/// All that was measured.
#[derive(Default)]
pub(super) struct Figures {
    pub(super) directions: Vec<Direction>,
    /// Apps that could not be installed or served, with the number of their scenarios.
    pub(super) not_installed: Vec<(String, usize)>,
    /// How many events were recorded, and how many of them the recorder handed over.
    recorded_events: usize,
    through_recorder: usize,
}

impl Figures {
    /// A scenario was recorded on a device.
    pub(super) fn recorded(&mut self, recorded: &Recorded<'_>) {
        self.recorded_events += recorded.recording.events.len();
        self.through_recorder += recorded.through_recorder;
    }

    /// A scenario could not be recorded on a device: all its directions have failed.
    pub(super) fn not_recorded(&mut self, scenario: &str, from: &BenchDevice, to: &[&BenchDevice]) {
        self.directions.extend(to.iter().map(|to| Direction::new(scenario, from, to)));
    }

    fn runs(&self) -> impl Iterator<Item = &Run> {
        self.directions.iter().flat_map(|direction| &direction.runs)
    }
}

/// How many of some directions, and how many of them succeeded.
fn rate<'a>(directions: impl Iterator<Item = &'a Direction>) -> (usize, usize) {
    directions.fold((0, 0), |(all, good), one| (all + 1, good + usize::from(one.is_success())))
}

fn percent((all, good): (usize, usize)) -> String {
    let share = 100.0 * good as f64 / all.max(1) as f64;
    format!("{good:>4} of {all:<4} {share:>5.1} %")
}

fn pairs(figures: &Figures) -> Vec<(&'static str, &'static str)> {
    let mut pairs: Vec<_> =
        figures.directions.iter().map(|direction| (direction.from, direction.to)).collect();
    let order = |name: &str| ["A", "B", "C", "P2", "L2", "D2"].iter().position(|one| *one == name);
    pairs.sort_by_key(|(from, to)| (from == to, order(from), order(to)));
    pairs.dedup();
    pairs
}

/// Prints the table of the paper and the rates.
pub(super) fn print(figures: &Figures) {
    let pairs = pairs(figures);
    let mut scenarios: Vec<&str> = Vec::new();
    for direction in &figures.directions {
        if !scenarios.contains(&direction.scenario.as_str()) {
            scenarios.push(&direction.scenario);
        }
    }
    println!("\n→ succeeded, × failed, w to a wrong element, r refused\n");
    print!("{:<34}", "");
    for (from, to) in &pairs {
        print!("{:>7}", format!("{from}→{to}"));
    }
    println!();
    for scenario in scenarios {
        print!("{scenario:<34}");
        for (from, to) in &pairs {
            let of =
                |one: &&Direction| one.scenario == scenario && one.from == *from && one.to == *to;
            let cell = match figures.directions.iter().find(of) {
                Some(one) if one.is_success() => "→",
                Some(one) if one.runs.iter().any(|run| run.wrong() > 0) => "w",
                Some(one) if one.runs.iter().any(|run| run.refused > 0) => "r",
                Some(_) => "×",
                None => "",
            };
            print!("{cell:>7}");
        }
        println!();
    }
    print_rates(figures, &pairs);
    for (app, lost) in &figures.not_installed {
        println!("not measured: {app}, {lost} scenarios");
    }
}

fn print_rates(figures: &Figures, pairs: &[(&str, &str)]) {
    let cross = || figures.directions.iter().filter(|one| !one.is_same());
    let same = || figures.directions.iter().filter(|one| one.is_same());
    println!("\n{:<34}{:<22}{:>8}", "", "here", "paper");
    println!("{:<34}{:<22}{:>8}", "another device", percent(rate(cross())), "86.7 %");
    println!("{:<34}{:<22}{:>8}", "the same device", percent(rate(same())), "83.7 %");
    for (from, to) in pairs.iter().filter(|(from, to)| from != to) {
        let of = cross().filter(|one| one.from == *from && one.to == *to);
        println!("{:<34}{:<22}", format!("  {from} → {to}"), percent(rate(of)));
    }
    for by in Baseline::ALL {
        let of: Vec<bool> = cross().filter_map(|one| one.baselines.get(&by).copied()).collect();
        let good = of.iter().filter(|ok| **ok).count();
        println!("{:<34}{:<22}", format!("baseline, {}", by.name()), percent((of.len(), good)));
    }
    let goals = cross().filter(|one| one.runs.iter().all(|run| run.goal) && !one.runs.is_empty());
    println!(
        "{:<34}{:<22}",
        "goal reached, first replay",
        percent((cross().count(), goals.count()))
    );
    let mut causes: BTreeMap<Cause, usize> = BTreeMap::new();
    for cause in figures.directions.iter().filter_map(Direction::cause) {
        *causes.entry(cause).or_default() += 1;
    }
    for (cause, count) in causes {
        println!("{count:>4} failed: {}", cause.name());
    }
}

/// The figures as they are compared over time.
pub(super) fn object(figures: &Figures) -> Value {
    let counted = |(runs, succeeded): (usize, usize)| json!({"runs": runs, "succeeded": succeeded});
    let cross = || figures.directions.iter().filter(|one| !one.is_same());
    let same = figures.directions.iter().filter(|one| one.is_same());
    let baseline = |by: Baseline| {
        let of: Vec<bool> = cross().filter_map(|one| one.baselines.get(&by).copied()).collect();
        counted((of.len(), of.iter().filter(|ok| **ok).count()))
    };
    let directions: Vec<Value> = pairs(figures)
        .into_iter()
        .map(|(from, to)| {
            let of = figures.directions.iter().filter(|one| one.from == from && one.to == to);
            let (runs, succeeded) = rate(of);
            json!({"from": from, "to": to, "runs": runs, "succeeded": succeeded})
        })
        .collect();
    let keys: usize = figures.runs().map(|run| run.keys.len()).sum();
    let right: usize = figures.runs().map(Run::right).sum();
    let extra: usize = figures.runs().map(|run| run.extra).sum();
    let revealed: usize = figures.runs().map(|run| run.revealed).sum();
    let mut causes: BTreeMap<&str, usize> = BTreeMap::new();
    for cause in figures.directions.iter().filter_map(Direction::cause) {
        *causes.entry(cause.name()).or_default() += 1;
    }
    json!({
        "causes": causes,
        "cross": counted(rate(cross())),
        "same": counted(rate(same)),
        "baseline_coordinates": baseline(Baseline::Coordinates),
        "baseline_selectors": baseline(Baseline::Css),
        "baseline_own_selectors": baseline(Baseline::Selector),
        "baseline_role_and_name": baseline(Baseline::RoleAndName),
        "directions": directions,
        "key_events": {"of": keys, "right": right},
        "refused": figures.runs().map(|run| run.refused).sum::<usize>(),
        "wrong": figures.runs().map(Run::wrong).sum::<usize>(),
        "extra_events_per_reveal": extra as f64 / revealed.max(1) as f64,
        "match_ms_500": super::super::segments::match_ms_500().ok(),
        "recorded_events": {
            "of": figures.recorded_events,
            "through_recorder": figures.through_recorder,
        },
        "not_installed": figures.not_installed.len(),
    })
}
