//! Relations on real web apps and on planted bugs: how often each was judged and skipped, what it
//! found, and how much of that is wrong.
//!
//! Whether a finding is a fault of the app is for people to say: `relations/findings.rs` has what
//! they said. What is not in it yet is printed as new.

mod apps;
mod findings;

use anyhow::{Context, Result, bail};
use apps::{APPS, App, PLANTED};
use capuchin::log::{Failure, PropertyTally, RunEvent};
use capuchin::steering::PilotPool;
use capuchin::trace::prelude::auto;
use capuchin::ui::{Device, Stop};
use capuchin::{Config, Exploration, Monitors, Plan};
use capuchin_explore::{Exercises, Explorers};
use capuchin_mission::{Fleet, Run};
use capuchin_relations::Relation;
use capuchin_web::{Opener, Options, Server};
use findings::{Judgement, judgement};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const SEED: u64 = 1;
const EVENTS: u64 = 300;
/// So long an app may take: some pages are slow.
const TIME: Duration = Duration::from_secs(600);

pub(super) const USAGE: &str = "\
cargo xtask bench relations -- [OPTIONS]
  --only NAME    this app; may be given several times
  --events N     events of each exploration: 300
Needs npm.";

/// What came of one app.
struct Row {
    name: &'static str,
    /// The relation that a planted bug breaks.
    planted: Option<&'static str>,
    properties: Vec<PropertyTally>,
    failures: Vec<Failure>,
}

pub(super) fn run(args: &[&str]) -> Result<()> {
    let (mut only, mut events) = (Vec::new(), EVENTS);
    let mut words = args.iter().skip_while(|word| **word == "--");
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value\n{USAGE}"))?;
        match *word {
            "--only" => only.push(*value),
            "--events" => events = value.parse().context("--events takes a number")?,
            _ => bail!("unexpected {word} {value}\n{USAGE}"),
        }
    }
    let directory = super::scratch("relations")?;
    let (mut rows, mut skipped) = (Vec::new(), Vec::new());
    let all = APPS.iter().chain(PLANTED);
    for app in all.filter(|app| only.is_empty() || only.contains(&app.name)) {
        println!("\n{}", app.name);
        match measure(app, &directory, events) {
            Ok(row) => rows.push(row),
            Err(error) => {
                println!("  left out: {error:#}");
                skipped.push(app.name);
            }
        }
    }
    let table = table(&rows);
    println!("\n{}", json!({ "events": events, "left_out": skipped, "relations": table }));
    Ok(())
}

/// Explores an app with all relations.
fn measure(app: &App, directory: &Path, events: u64) -> Result<Row> {
    let place = directory.join(app.name);
    std::fs::create_dir_all(&place)?;
    if !app.packages.is_empty() {
        super::npm(&place, app.packages)?;
    }
    let root = match app.packages {
        [] => capuchin_apps::web_dir().to_owned(),
        _ => place.join("node_modules"),
    };
    let server = match app.host_page {
        "" => Server::start(&root)?,
        page => {
            std::fs::write(place.join("index.html"), page)?;
            Server::start(&place)?
        }
    };
    let url = format!("{}/{}", server.origin(), app.page);
    let opener = Opener::new(format!("web:{}", app.name), Options::parse(&url)?);
    let open = |stop: &Stop| -> Result<Box<dyn Device>, _> {
        Ok(Box::new(opener.open_until(stop)?) as Box<dyn Device>)
    };
    let monitors: Vec<Arc<dyn Monitors>> = Relation::monitors();
    let mut config = Config::default();
    (config.seed, config.events, config.time) = (SEED, Some(events), Some(TIME));
    config.shrink_budget = 100;
    let generator = auto("capuchin", u32::MAX);
    let mut plan = Plan::exploration(app.name, generator, Exploration::default(), config);
    let mut explorers = Explorers::default();
    (explorers.may_restart, explorers.exercises) = (true, Exercises(monitors.clone()));
    (plan.pilots, plan.monitors) = (PilotPool::new(Arc::new(explorers)), monitors);
    let mut properties = Vec::new();
    let mut observer = |event: &RunEvent| {
        if let RunEvent::CheckFinished { properties: all, .. } = event {
            properties.clone_from(all);
        }
    };
    let run = Run { spec: "relations", device: app.name, seed: SEED, saved: None };
    let mut fleet = Fleet::new(vec![open(&Stop::default())?], &open);
    let debrief = fleet.run_as(&run, &[plan], &mut observer);
    let outcome = debrief.outcomes.into_iter().next().context("nothing was run")?;
    let failures: Vec<Failure> =
        outcome.failures.into_iter().filter(|failure| failure.monitor.is_some()).collect();
    for failure in &failures {
        let said = judgement(app.name, failure);
        println!("  {said:?}: {} after: {}", failure.summary, failure.minimal);
        failure.detail.lines().for_each(|line| println!("      {line}"));
    }
    Ok(Row { name: app.name, planted: app.breaks, properties, failures })
}

/// Prints the table, a line for each relation and app in which it was exercised.
fn table(rows: &[Row]) -> Vec<Value> {
    println!(
        "\n{:<10}{:<20}{:>8}{:>9}{:>7}{:>7}{:>6}",
        "relation", "app", "judged", "skipped", "found", "false", "new"
    );
    let mut table = Vec::new();
    for relation in Relation::all() {
        let name = relation.name();
        let (mut judged_sum, mut false_sum, mut found_sum) = (0, 0, 0);
        let (mut planted, mut planted_found) = (0, 0);
        let mut apps = Vec::new();
        for row in rows {
            let property = format!("monitor {name}");
            let tally = row.properties.iter().find(|tally| tally.property == property);
            let judged = tally.map_or(0, |tally| tally.alive);
            let skipped: u64 = tally.map_or(0, |tally| tally.skipped.values().sum());
            let of_relation = |it: &&Failure| it.monitor.as_deref() == Some(name);
            let found = row.failures.iter().filter(of_relation);
            let said: Vec<Judgement> = found.map(|it| judgement(row.name, it)).collect();
            let count = |wanted: Judgement| said.iter().filter(|it| **it == wanted).count();
            let (wrong, new) = (count(Judgement::FalseAlarm), count(Judgement::New));
            if judged + skipped > 0 {
                println!(
                    "{name:<10}{:<20}{judged:>8}{skipped:>9}{:>7}{wrong:>7}{new:>6}",
                    row.name,
                    said.len(),
                );
            }
            if row.planted == Some(name) {
                planted += 1;
                planted_found += u32::from(!said.is_empty());
            }
            (judged_sum, found_sum) = (judged_sum + judged, found_sum + said.len());
            false_sum += wrong;
            apps.push(json!({
                "app": row.name, "judged": judged, "skipped": skipped,
                "found": said.len(), "false": wrong, "new": new,
            }));
        }
        table.push(json!({
            "relation": name, "judged": judged_sum, "found": found_sum, "false": false_sum,
            "planted": planted, "planted_found": planted_found, "apps": apps,
        }));
    }
    table
}
