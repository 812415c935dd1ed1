//! `cargo xtask bench versions`: recordings on an older version of an app, replayed on a newer one:
//! of each key event, whether its receiver was found again, refused, or another element got it.
//!
//! On its own because the device is the same and the app is not. A version is a layout of the
//! scenarios: what is done is written down for the old one, the true counterparts for both, and the
//! replay is shown neither.

use super::devices::{BenchDevice, NEW, OLD};
use super::installed::Served;
use super::recorded::{self, Recorded};
use super::replayed;
use super::run::{KeyOutcome, Run};
use super::scenarios::{Case, Scenario};
use super::stage::Stage;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::json;
use std::path::{Path, PathBuf};

pub(in crate::bench) const USAGE: &str = "\
cargo xtask bench versions -- [OPTIONS]
  --only APP         this app; may be given several times
  --scenario TEXT    only scenarios whose names have this in them
  --stories          print what was decided for each event of each replay
  --out FILE         write the JSON object there, too
Needs npm and node; what they fetch is kept for the next time.";

/// The apps, their versions, what is done with them, and the true counterparts.
const PAIRS: &str = include_str!("versions/pairs.json");

/// An app in two versions.
#[derive(Deserialize)]
struct Pair {
    old: String,
    new: String,
    #[serde(flatten)]
    case: Case,
}

impl Pair {
    /// The app in one of them.
    fn version(&self, version: &str) -> Case {
        let mut case = self.case.clone();
        case.id = format!("{}@{version}", case.id);
        version.clone_into(&mut case.install.version);
        case
    }
}

/// What is asked for.
#[derive(Default)]
struct Request {
    only: Vec<String>,
    scenario: Option<String>,
    has_stories: bool,
    out: Option<PathBuf>,
}

impl Request {
    fn parse(args: &[&str]) -> Result<Self> {
        let mut request = Request::default();
        let mut words = args.iter().skip_while(|word| **word == "--");
        while let Some(word) = words.next() {
            if *word == "--stories" {
                request.has_stories = true;
                continue;
            }
            let value = *words.next().with_context(|| format!("{word} needs a value\n{USAGE}"))?;
            match *word {
                "--only" => request.only.push(value.to_owned()),
                "--scenario" => request.scenario = Some(value.to_owned()),
                "--out" => request.out = Some(value.into()),
                _ => bail!("unexpected {word} {value}\n{USAGE}"),
            }
        }
        Ok(request)
    }

    fn wants(&self, scenario: &Scenario) -> bool {
        self.scenario.as_ref().is_none_or(|part| scenario.id.contains(part))
    }
}

/// How many key events were found again, refused, and sent to another element.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    found: usize,
    refused: usize,
    wrong: usize,
    scenarios: usize,
    reached: usize,
    /// Scenarios that could not be recorded or replayed at all.
    lost: usize,
}

impl Tally {
    fn of(self) -> usize {
        self.found + self.refused + self.wrong
    }

    fn add(&mut self, run: &Run) {
        let count = |wanted: KeyOutcome| run.keys.iter().filter(|(_, key)| *key == wanted).count();
        self.found += count(KeyOutcome::Right);
        self.refused += count(KeyOutcome::Missing);
        self.wrong += count(KeyOutcome::Wrong);
        self.scenarios += 1;
        self.reached += usize::from(run.goal);
    }

    fn plus(self, other: Tally) -> Tally {
        Tally {
            found: self.found + other.found,
            refused: self.refused + other.refused,
            wrong: self.wrong + other.wrong,
            scenarios: self.scenarios + other.scenarios,
            reached: self.reached + other.reached,
            lost: self.lost + other.lost,
        }
    }

    fn line(self, name: &str) {
        let share = 100.0 * self.found as f64 / self.of().max(1) as f64;
        let Tally { found, refused, wrong, scenarios, reached, lost } = self;
        println!(
            "{name:<40}{found:>6}{refused:>9}{wrong:>7}{:>5} {share:>6.1} %{reached:>8} of \
             {scenarios:<3}{}",
            self.of(),
            if lost > 0 { format!(" {lost} lost") } else { String::new() },
        );
    }
}

/// Runs it.
pub(in crate::bench) fn run(args: &[&str]) -> Result<()> {
    let request = Request::parse(args)?;
    let mut pairs: Vec<Pair> =
        serde_json::from_str(PAIRS).context("the pairs are not understood")?;
    pairs.retain(|pair| request.only.is_empty() || request.only.contains(&pair.case.id));
    if pairs.is_empty() {
        bail!("there is no such app\n{USAGE}");
    }
    let scratch = super::super::scratch("versions")?;
    let mut rows = Vec::new();
    for pair in &pairs {
        let name = format!("{} {} → {}", pair.case.id, pair.old, pair.new);
        let tally = measure(&request, pair, &scratch).unwrap_or_else(|error| {
            println!("{name}: {error:#}");
            Tally { lost: pair.case.scenarios.len(), ..Tally::default() }
        });
        rows.push((name, tally));
    }
    println!(
        "\n{:<40}{:>6}{:>9}{:>7}{:>5} {:>8}{:>8}",
        "", "found", "refused", "wrong", "of", "", "goal"
    );
    for (name, tally) in &rows {
        tally.line(name);
    }
    let all = rows.iter().fold(Tally::default(), |all, (_, tally)| all.plus(*tally));
    all.line("all; the aim is 95 % found, none wrong");
    let object = json!({
        "found": all.found,
        "refused": all.refused,
        "wrong": all.wrong,
        "of": all.of(),
        "pairs": rows.len(),
        "scenarios": all.scenarios,
        "goals": all.reached,
        "lost": all.lost,
    });
    if let Some(out) = &request.out {
        std::fs::write(out, format!("{object:#}\n"))?;
    }
    println!("\n{object}");
    Ok(())
}

/// All scenarios of a pair.
fn measure(request: &Request, pair: &Pair, scratch: &Path) -> Result<Tally> {
    let (old, new) = (pair.version(&pair.old), pair.version(&pair.new));
    let (old_served, new_served) = (Served::start(&old, scratch)?, Served::start(&new, scratch)?);
    let mut tally = Tally::default();
    let wanted = |case: &'_ Case| -> Vec<Scenario> {
        case.scenarios.iter().filter(|scenario| request.wants(scenario)).cloned().collect()
    };
    for (recorded_of, replayed_of) in wanted(&old).iter().zip(&wanted(&new)) {
        match replay(request, (&old, recorded_of, &old_served), (&new, replayed_of, &new_served)) {
            Ok(run) => {
                tell(&recorded_of.id, &run);
                tally.add(&run);
            }
            Err(error) => {
                println!("lost   {}: {error:#}", recorded_of.id);
                tally.lost += 1;
            }
        }
    }
    Ok(tally)
}

type Version<'a> = (&'a Case, &'a Scenario, &'a Served);

/// Records on the old version, replays on the new one.
fn replay(request: &Request, old: Version<'_>, new: Version<'_>) -> Result<Run> {
    let recorded: Recorded<'_> =
        recorded::record(&mut open(old, &OLD)?, old.1, OLD.layout, false).context("old version")?;
    let mut stage = open(new, &NEW)?;
    let run = replayed::replay(&recorded, &mut stage)?;
    if request.has_stories {
        for (index, event) in recorded.recording.events.iter().enumerate() {
            println!("{index:>3} {} {}", event.event, recorded.key(index).unwrap_or_default());
        }
        println!("{}", run.story);
    }
    Ok(run)
}

fn open<'a>((case, scenario, served): Version<'a>, on: &BenchDevice) -> Result<Stage<'a>> {
    Stage::open(case, scenario, served, on, false)
}

/// One line of progress; what was lost is told.
fn tell(scenario: &str, run: &Run) {
    let letter = |outcome: &KeyOutcome| match outcome {
        KeyOutcome::Right => '+',
        KeyOutcome::Wrong => 'w',
        KeyOutcome::Missing => '-',
    };
    let keys: String = run.keys.iter().map(|(_, outcome)| letter(outcome)).collect();
    let goal = if run.goal { "goal" } else { "no goal" };
    let why = run.why.as_ref().map(|why| format!(": event {why}")).unwrap_or_default();
    let word = if run.is_success() { "ok    " } else { "FAILED" };
    println!("{word} {scenario}: {goal} {keys}{why}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_key_event_of_the_pairs_has_a_counterpart_in_both_versions() {
        let pairs: Vec<Pair> = serde_json::from_str(PAIRS).unwrap();
        let apps: BTreeSet<&str> =
            pairs.iter().map(|pair| pair.case.install.name.as_str()).collect();
        assert!(pairs.len() >= 3 && apps.len() >= 3, "{apps:?}");
        for pair in &pairs {
            assert_ne!(pair.old, pair.new);
            assert_eq!(pair.version("7.0").install.version, "7.0");
            for scenario in &pair.case.scenarios {
                let keys = scenario.steps(OLD.layout).unwrap().iter().filter(|step| step.key);
                for key in keys.map(|step| step.k.clone().unwrap()) {
                    let of = |on: &BenchDevice| scenario.truths(on.layout).contains_key(&key);
                    assert!(of(&OLD) && of(&NEW), "{} {key}", scenario.id);
                }
            }
        }
    }
}
