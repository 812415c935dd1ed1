//! Recordings of real responsive apps, replayed on devices with another layout: how many succeed,
//! beside the paper and beside replays that know nothing of layouts.
//!
//! The scenarios are strangers': each says what is done on each layout, when it has been done, and
//! which elements correspond. The replay is shown none of that but the events.

mod baselines;
mod corpus;
mod devices;
mod dump;
mod installed;
mod person;
mod recorded;
mod replayed;
mod run;
mod scenarios;
mod stage;
mod steps;
mod table;
pub(super) mod versions;

use anyhow::{Context, Result, bail};
use baselines::Baseline;
use devices::{BenchDevice, MOBILE, PAPER};
use installed::Served;
use run::Run;
use scenarios::{Case, Scenario};
use stage::Stage;
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Mutex;
use table::{Direction, Figures};

pub(super) const USAGE: &str = "\
cargo xtask bench replay -- --scenarios DIR [OPTIONS]
  --scenarios DIR    the directory of scenarios.json, or such a file
  --only APP         this app; may be given several times
  --scenario TEXT    only scenarios whose names have this in them
  --set NAME         paper (A, B, C), mobile (P2, L2, D2) or all: all
  --directions LIST  only these: A>C,C>A; A>A is a replay on the same device
  --jobs N           apps at a time: 1
  --no-baselines     only the replay
  --record-only      neither: the steps of each layout, for --keep
  --failures DIR     write there what was recorded and done in each run that failed
  --keep DIR         keep recordings, screens and true counterparts there
  --match DIR        no browser: only match what was kept there
  --out FILE         write the JSON object there, too
Needs npm and python3 with venv; what they fetch is kept for the next time.";

/// A success is so many replays in a row.
const REPLAYS: usize = 2;

/// What is asked for.
#[derive(Default)]
struct Request {
    scenarios: PathBuf,
    only: Vec<String>,
    scenario: Option<String>,
    sets: Vec<[BenchDevice; 3]>,
    directions: Option<Vec<(String, String)>>,
    jobs: usize,
    has_baselines: bool,
    is_record_only: bool,
    failures: Option<PathBuf>,
    keep: Option<PathBuf>,
    kept: Option<PathBuf>,
    out: Option<PathBuf>,
}

impl Request {
    fn parse(args: &[&str]) -> Result<Self> {
        let mut request = Request { jobs: 1, has_baselines: true, ..Request::default() };
        let mut set = "all";
        let mut words = args.iter().skip_while(|word| **word == "--");
        while let Some(word) = words.next() {
            match *word {
                "--no-baselines" => request.has_baselines = false,
                "--record-only" => request.is_record_only = true,
                _ => {}
            }
            if ["--no-baselines", "--record-only"].contains(word) {
                continue;
            }
            let value = *words.next().with_context(|| format!("{word} needs a value\n{USAGE}"))?;
            match *word {
                "--scenarios" => request.scenarios = value.into(),
                "--only" => request.only.extend(value.split(',').map(str::to_owned)),
                "--scenario" => request.scenario = Some(value.to_owned()),
                "--set" => set = value,
                "--directions" => request.directions = Some(directions(value)?),
                "--jobs" => request.jobs = value.parse().context("--jobs takes a number")?,
                "--failures" => request.failures = Some(value.into()),
                "--keep" => request.keep = Some(value.into()),
                "--match" => request.kept = Some(value.into()),
                "--out" => request.out = Some(value.into()),
                _ => bail!("unexpected {word} {value}\n{USAGE}"),
            }
        }
        request.sets = match set {
            "paper" => vec![PAPER],
            "mobile" => vec![MOBILE],
            "all" => vec![PAPER, MOBILE],
            _ => bail!("--set is paper, mobile or all\n{USAGE}"),
        };
        if request.scenarios.as_os_str().is_empty() && request.kept.is_none() {
            bail!("--scenarios is missing\n{USAGE}");
        }
        Ok(request)
    }

    fn wants(&self, from: &BenchDevice, to: &BenchDevice) -> bool {
        let is_this = |(one, other): &(String, String)| one == from.name && other == to.name;
        self.directions.as_ref().is_none_or(|wanted| wanted.iter().any(is_this))
    }
}

fn directions(text: &str) -> Result<Vec<(String, String)>> {
    let one = |text: &str| -> Result<(String, String)> {
        let (from, to) = text.split_once('>').context("a direction is written A>C")?;
        Ok((from.to_owned(), to.to_owned()))
    };
    text.split(',').map(one).collect()
}

pub(super) fn run(args: &[&str]) -> Result<()> {
    let request = Request::parse(args)?;
    if let Some(corpus) = &request.kept {
        return corpus::measure(corpus);
    }
    let mut cases = scenarios::read(&request.scenarios)?;
    cases.retain(|case| request.only.is_empty() || request.only.contains(&case.id));
    if cases.is_empty() {
        bail!("there is no such app in {}", request.scenarios.display());
    }
    let scratch = super::scratch("replay")?;
    let figures = Mutex::new(Figures::default());
    let queue = Mutex::new(cases.iter().collect::<VecDeque<&Case>>());
    std::thread::scope(|scope| {
        for _ in 0..request.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    // The queue is not locked while an app is measured.
                    let next = locked(&queue).pop_front();
                    let Some(case) = next else { break };
                    match Served::start(case, &scratch) {
                        Ok(served) => {
                            run_case(&request, case, &served, &figures);
                            if let Err(error) = write_out(&request, &locked(&figures)) {
                                println!("the JSON object cannot be written: {error:#}");
                            }
                        }
                        Err(error) => {
                            println!("{}: cannot be installed or served: {error:#}", case.id);
                            let lost = case.scenarios.len();
                            locked(&figures).not_installed.push((case.id.clone(), lost));
                        }
                    }
                }
            });
        }
    });
    let figures = figures.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    table::print(&figures);
    write_out(&request, &figures)?;
    println!("\n{}", table::object(&figures));
    Ok(())
}

/// Writes the JSON object where it is wanted: after each app, for a run that is interrupted.
fn write_out(request: &Request, figures: &Figures) -> Result<()> {
    if let Some(out) = &request.out {
        std::fs::write(out, format!("{:#}\n", table::object(figures)))?;
    }
    Ok(())
}

fn locked<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// All scenarios of an app, on all sets of devices.
fn run_case(request: &Request, case: &Case, served: &Served, figures: &Mutex<Figures>) {
    let wanted = |scenario: &&Scenario| {
        request.scenario.as_ref().is_none_or(|part| scenario.id.contains(part))
    };
    for scenario in case.scenarios.iter().filter(wanted) {
        for set in &request.sets {
            run_set(request, case, scenario, served, set, figures);
        }
    }
}

/// One scenario on three devices: recorded on each, replayed on each.
fn run_set(
    request: &Request,
    case: &Case,
    scenario: &Scenario,
    served: &Served,
    set: &[BenchDevice; 3],
    figures: &Mutex<Figures>,
) {
    let mut stages: BTreeMap<&str, Stage<'_>> = BTreeMap::new();
    for from in set {
        let wanted: Vec<&BenchDevice> = set.iter().filter(|to| request.wants(from, to)).collect();
        if wanted.is_empty() {
            continue;
        }
        let record = || {
            let mut stage = Stage::open(case, scenario, served, from, true)?;
            recorded::record(&mut stage, scenario, from.layout, true)
        };
        // An app that is slow to begin is given a second time.
        let by_person = record().or_else(|_| record());
        if let Err(error) = &by_person {
            println!("{} on {}: not through the recorder: {error:#}", scenario.id, from.name);
        }
        let recorded = by_person.or_else(|_| {
            on_stage(&mut stages, case, scenario, served, from, |stage| {
                recorded::record(stage, scenario, from.layout, false).inspect_err(|error| {
                    if let Some(failures) = &request.failures {
                        let _ = dump::write_lost(failures, stage, error, scenario, from);
                    }
                })
            })
        });
        let recorded = match recorded {
            Ok(recorded) => {
                locked(figures).recorded(&recorded);
                recorded
            }
            Err(error) => {
                println!("{} on {}: cannot be recorded: {error:#}", scenario.id, from.name);
                locked(figures).not_recorded(&scenario.id, from, &wanted);
                continue;
            }
        };
        if let Some(corpus) = &request.keep {
            let name = format!("{}@{}", scenario.id, from.name);
            if let Err(error) = corpus::keep(corpus, &name, &recorded) {
                println!("{name} cannot be kept: {error:#}");
            }
        }
        if request.is_record_only {
            println!("{} on {}: recorded", scenario.id, from.name);
            continue;
        }
        for to in wanted {
            let mut direction = Direction::new(&scenario.id, from, to);
            for _ in 0..REPLAYS {
                let run = on_stage(&mut stages, case, scenario, served, to, |stage| {
                    let run = replayed::replay(&recorded, stage).inspect_err(|error| {
                        if let Some(failures) = &request.failures {
                            let _ = dump::write_lost(failures, stage, error, scenario, to);
                        }
                    })?;
                    if let (Some(failures), false) = (&request.failures, run.is_success()) {
                        dump::write(failures, &recorded, stage, &run, scenario, from, to)?;
                    }
                    Ok(run)
                });
                direction.runs.push(run.unwrap_or_else(|error| Run::failed(&error)));
                // A second one that may agree is needed only where the first succeeded.
                if !direction.runs.iter().all(Run::is_success) {
                    break;
                }
            }
            let baselines = Baseline::ALL.iter().filter(|_| request.has_baselines && from != to);
            for by in baselines {
                let run = on_stage(&mut stages, case, scenario, served, to, |stage| {
                    baselines::replay(&recorded, stage, *by)
                });
                direction.baselines.insert(*by, run.is_ok_and(|run| run.is_success()));
            }
            println!("{}", direction.line());
            locked(figures).directions.push(direction);
        }
    }
}

/// Does something on a device; one that failed is opened again for the next time.
fn on_stage<'a, T>(
    stages: &mut BTreeMap<&'static str, Stage<'a>>,
    case: &'a Case,
    scenario: &'a Scenario,
    served: &'a Served,
    on: &BenchDevice,
    work: impl FnOnce(&mut Stage<'a>) -> Result<T>,
) -> Result<T> {
    let mut stage = match stages.remove(on.name) {
        Some(stage) => stage,
        None => Stage::open(case, scenario, served, on, false)?,
    };
    let result = work(&mut stage);
    if result.is_ok() {
        stages.insert(on.name, stage);
    }
    result
}
