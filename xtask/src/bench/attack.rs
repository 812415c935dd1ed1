//! The tool under attack: fuzzers, kills, and pages and servers that mean no good.
//!
//! Everything is drawn from one seed, which is printed. An input that does harm is written to a
//! file, which is named. The last line is one JSON object; all its figures but the first of each
//! kind of attack should be zero.

mod fuzz;
mod generate;
mod hostile;
mod kills;
mod planning;
mod process;

use anyhow::{Context, Result, bail};
use capuchin::ui::Rng;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub(super) const USAGE: &str = "\
cargo xtask bench attack -- [OPTIONS]
  --seconds N   how long the fuzzers run: 120
  --kills N     how many runs are killed: 200
  --seed N      what everything is drawn from: 1
  --only NAME   one of fuzz, kills, hostile; may be given several times";

/// What an attack came to.
#[derive(Debug, Default)]
struct Damage {
    /// What was tried.
    inputs: u64,
    /// What panicked, or ended in another way that no user should see.
    panics: u64,
    /// What took more memory than it may.
    over_memory: u64,
    /// What was saved or reported and is not there, or cannot be read.
    lost: u64,
    /// What was left behind: browsers and their profiles.
    orphans: u64,
    /// What was called a crash of the app and is none.
    false_crashes: u64,
}

impl Damage {
    /// Says what happened, and counts it.
    fn note(count: &mut u64, what: &str) {
        *count += 1;
        println!("  {what}");
    }
}

/// What was asked for.
struct Asked {
    time: Duration,
    kills: u32,
    seed: u64,
    only: Vec<String>,
    /// The fuzzer itself, which runs in a process of its own: the directory for its inputs.
    child: Option<PathBuf>,
}

/// Runs it.
pub(super) fn run(args: &[&str]) -> Result<()> {
    let asked = read(args)?;
    if let Some(directory) = &asked.child {
        return fuzz::child(asked.seed, asked.time, directory);
    }
    let directory = super::scratch("attack")?;
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory)?;
    let command = built()?;
    println!("seed {}, {}", asked.seed, command.display());
    let wants = |name: &str| asked.only.is_empty() || asked.only.iter().any(|only| only == name);
    let (mut fuzzed, mut killed, mut visited) = Default::default();
    if wants("fuzz") {
        fuzzed = fuzz::run(&asked, &directory, &command)?;
    }
    if wants("kills") {
        killed = kills::run(asked.kills, Rng::stream(asked.seed, 1), &directory, &command)?;
    }
    if wants("hostile") {
        visited = hostile::run(&directory, &command)?;
    }
    let attacks: [&Damage; 3] = [&fuzzed, &killed, &visited];
    let sum = |figure: fn(&Damage) -> u64| attacks.into_iter().map(figure).sum::<u64>();
    let figures = json!({
        "inputs": fuzzed.inputs,
        "panics": sum(|damage| damage.panics),
        "over_memory": sum(|damage| damage.over_memory),
        "kills": killed.inputs,
        "lost": sum(|damage| damage.lost),
        "orphans": sum(|damage| damage.orphans),
        "hostile": visited.inputs,
        "false_crashes": sum(|damage| damage.false_crashes),
    });
    println!("\nwhat was found is in {}", directory.display());
    println!("{figures}");
    let harmless = ["panics", "over_memory", "lost", "orphans", "false_crashes"];
    match harmless.iter().all(|figure| figures[figure] == 0) {
        true => Ok(()),
        false => bail!("an attack did harm: see the figures"),
    }
}

fn read(args: &[&str]) -> Result<Asked> {
    let time = Duration::from_secs(120);
    let mut asked = Asked { time, kills: 200, seed: 1, only: Vec::new(), child: None };
    let mut words = args.iter().filter(|word| **word != "--");
    while let Some(option) = words.next() {
        let value = words.next().with_context(|| format!("{option} wants a value\n{USAGE}"))?;
        match *option {
            "--seconds" => asked.time = Duration::from_secs(value.parse()?),
            "--kills" => asked.kills = value.parse()?,
            "--seed" => asked.seed = value.parse()?,
            "--only" => asked.only.push((*value).to_owned()),
            "--child" => asked.child = Some(PathBuf::from(value)),
            _ => bail!("there is no option {option}\n{USAGE}"),
        }
    }
    Ok(asked)
}

/// The command as users have it.
fn built() -> Result<PathBuf> {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--package", "capuchin-cli"])
        .status()
        .context("cargo cannot be started")?;
    if !status.success() {
        bail!("the command cannot be built");
    }
    let here = std::env::current_exe()?;
    Ok(here.parent().unwrap_or(Path::new(".")).join("capuchin"))
}
