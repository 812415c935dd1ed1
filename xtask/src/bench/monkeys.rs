//! Table 1 of the ChimpCheck paper again: how soon two monkeys find the crash of the score tracker.

use anyhow::{Context, Result};
use capuchin::log::VerdictKind;
use capuchin::trace::Gen;
use capuchin::{Config, Plan};
use serde_json::{Value, json};

/// As in the paper: ten attempts of up to five thousand events.
const ATTEMPTS: u32 = 10;
const EVENTS: u32 = 5000;

pub(super) fn run() -> Result<()> {
    let rows = [
        ("relevantMonkey", Gen::RelevantMonkey(EVENTS), "10 of 10", "289"),
        ("monkey", Gen::Monkey(EVENTS), "5 of 10", "3177"),
    ];
    println!("{ATTEMPTS} attempts of up to {EVENTS} events each on sim:score, seed 1\n");
    println!("                 witnessed   mean steps   paper: witnessed   mean steps");
    let mut figures = serde_json::Map::new();
    for (name, generator, paper_witnessed, paper_steps) in rows {
        let steps = steps_to_crash(name, generator)?;
        let mean = steps.iter().sum::<usize>() as f64 / steps.len().max(1) as f64;
        println!(
            "{name:<16} {:>2} of {ATTEMPTS}    {mean:>10.0}   {paper_witnessed:>16}   {paper_steps:>10}",
            steps.len()
        );
        figures.insert(
            name.to_owned(),
            json!({ "attempts": ATTEMPTS, "witnessed": steps.len(), "mean_steps": mean.round() as u64 }),
        );
    }
    println!("\nmean steps: over the attempts that witnessed the crash, as in the paper");
    println!("{}", Value::Object(figures));
    Ok(())
}

/// The number of events of each attempt that ended in the crash.
fn steps_to_crash(name: &str, generator: Gen) -> Result<Vec<usize>> {
    let mut config = Config::default();
    config.seed = 1;
    config.cases = ATTEMPTS;
    let plan = Plan::new(name, generator, config);
    let mut device = capuchin_apps::open("score").context("no app `score`")?;
    let mut steps = Vec::new();
    for index in 0..ATTEMPTS {
        let (case, _) = plan.case(index, device.as_mut(), None)?;
        if case.verdict == VerdictKind::Crashed {
            steps.push(case.steps as usize);
        }
    }
    Ok(steps)
}
