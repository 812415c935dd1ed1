//! Table 2 of the SwiftHand paper again: what each policy covers of an app within the same budget,
//! on simulated apps and in a browser.

use anyhow::{Context, Result, bail};
use capuchin::log::{Explored, RunEvent};
use capuchin::steering::PilotPool;
use capuchin::trace::prelude::auto;
use capuchin::ui::{CodeCoverage, Device, DeviceError, Rng, Stop, Str};
use capuchin::{Config, Exploration, Plan};
use capuchin_apps::Wrapped;
use capuchin_explore::{
    AbstractionKind, Abstractions, CapuchinPolicy, Decision, Explorers, Knowledge, LStarPolicy,
    Models, Policy, Random, SwiftHand,
};
use capuchin_mission::{Fleet, Open};
use capuchin_web::{Opener, Options, Server};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const POLICIES: [&str; 4] = ["random", "lstar", "swifthand", "capuchin"];
/// What a restart costs, in events: the paper's thirty seconds and five. In a browser we measure 11
/// to 14, where restarts weigh more than here.
const RESTART: f64 = 6.0;
/// What a run may cost, in events.
const SIM_BUDGET: u64 = 1000;
const WEB_BUDGET: u64 = 300;

/// Where a web app is: its name, the package of npm's that it is in, the directory that is served,
/// and the page.
type WebApp = (&'static str, &'static str, &'static str, &'static str);

const WEB_APPS: &[WebApp] = &[
    ("todomvc-react", "todomvc@0.1.1", "todomvc", "examples/react/index.html"),
    ("todomvc-backbone", "todomvc@0.1.1", "todomvc", "examples/backbone/index.html"),
    ("todomvc-knockout", "todomvc@0.1.1", "todomvc", "examples/knockoutjs/index.html"),
    ("todomvc-ember", "todomvc@0.1.1", "todomvc", "examples/emberjs/index.html"),
    ("react-calculator", "react-calculator@0.0.2", "react-calculator", "demo/demo.html"),
    ("minesweeper", "react-minesweeper@1.0.2", "react-minesweeper", "demo/dist/index.html"),
    ("spreadsheet", "x-data-spreadsheet@1.1.9", "x-data-spreadsheet", "dist/index.html"),
    ("jsoneditor", "jsoneditor@10.4.3", "jsoneditor", "examples/01_basic_usage.html"),
    ("sb-admin", "startbootstrap-sb-admin-2@4.1.4", "startbootstrap-sb-admin-2", "index.html"),
    ("split-view", "framework7@1.7.1", "framework7", "examples/split-view-panel/index.html"),
    ("tab-bar", "framework7@1.7.1", "framework7", "examples/tab-bar/index.html"),
];

pub(super) const USAGE: &str = "\
cargo xtask bench explore -- [OPTIONS]
  --only NAME    this app; may be given several times
  --kind KIND    only sim, or only web
  --policy NAME  this policy; may be given several times
  --budget N     what each run may cost, in events; a restart costs 6: 1000 (sim), 300 (web)
  --seeds N      so many runs of each: 5
  --jobs N       browsers at the same time: 2
  --abstraction NAME  bounds (the paper's), structure, state, text or adaptive, for all policies: adaptive";

pub(super) fn run(args: &[&str]) -> Result<()> {
    let request = Request::read(args)?;
    println!(
        "abstraction {}; coverage: mean (least to most of {} seeds) in percent; reset share: of the budget,\n\
         where a reset costs as much as {RESTART} events\n",
        request.abstraction.name(),
        request.seeds
    );
    println!(
        "{:<18}{:<11}{:>22}{:>9}{:>13}{:>10}{:>8}",
        "app", "policy", "coverage", "resets", "reset share", "prefixes", "states"
    );
    let mut apps = Vec::new();
    if request.wants_kind("sim") {
        for sample in capuchin_apps::all().iter().filter(|sample| request.wants(sample.name)) {
            apps.extend(simulated(sample, &request)?);
        }
    }
    if request.wants_kind("web") {
        let directory = super::scratch("explore")?;
        let apps_wanted: Vec<&WebApp> =
            WEB_APPS.iter().filter(|(name, ..)| request.wants(name)).collect();
        if !apps_wanted.is_empty() {
            let mut packages: Vec<&str> =
                WEB_APPS.iter().map(|(_, package, ..)| *package).collect();
            packages.dedup();
            super::npm(&directory, &packages)?;
        }
        for app in apps_wanted {
            apps.extend(on_the_web(app, &directory, &request)?);
        }
    }
    summarize(&apps, &request);
    println!("\n{}", json!({ "apps": apps.iter().map(Row::json).collect::<Vec<_>>() }));
    if let Some(row) = apps.iter().find(|row| (row.coverage.len() as u64) < request.seeds) {
        bail!("{} was not explored by {} as often as by others", row.app, row.policy);
    }
    Ok(())
}

struct Request {
    only: Vec<String>,
    kinds: Vec<String>,
    policies: Vec<String>,
    budget: Option<u64>,
    seeds: u64,
    jobs: u32,
    /// The same for all policies: they are compared by nothing but their choices.
    abstraction: AbstractionKind,
}

impl Request {
    fn read(args: &[&str]) -> Result<Self> {
        let mut request = Request {
            only: Vec::new(),
            kinds: Vec::new(),
            policies: Vec::new(),
            budget: None,
            seeds: 5,
            jobs: 2,
            abstraction: AbstractionKind::ADAPTIVE,
        };
        let mut args = args.iter();
        while let Some(option) = args.next() {
            let value = args.next().with_context(|| format!("{option} needs a value\n{USAGE}"))?;
            match *option {
                "--only" => request.only.push((*value).to_owned()),
                "--kind" => request.kinds.push((*value).to_owned()),
                "--policy" => request.policies.push((*value).to_owned()),
                "--budget" => request.budget = Some(value.parse()?),
                "--jobs" => request.jobs = value.parse()?,
                "--seeds" => request.seeds = value.parse()?,
                "--abstraction" => {
                    let kind = Abstractions::default().get(value);
                    request.abstraction =
                        kind.with_context(|| format!("no abstraction {value}\n{USAGE}"))?;
                }
                _ => bail!("there is no option {option}\n{USAGE}"),
            }
        }
        Ok(request)
    }

    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    fn wants_kind(&self, kind: &str) -> bool {
        self.kinds.is_empty() || self.kinds.iter().any(|wanted| wanted == kind)
    }

    fn policies(&self) -> impl Iterator<Item = &'static str> + '_ {
        POLICIES
            .into_iter()
            .filter(|name| self.policies.is_empty() || self.policies.iter().any(|one| one == name))
    }

    /// An exploration with this policy that ends when the budget is spent. What is found is not
    /// shrunk here: that would cover more, and costs what is not counted.
    fn plan(&self, policy: &'static str, seed: u64, budget: u64) -> Plan {
        let generator = auto("random", u32::MAX);
        let mut explorers = Explorers::default();
        explorers.policies.add("random", policy, move |_| {
            let inner: Box<dyn Policy> = match policy {
                "random" => Box::new(Random::default()),
                "lstar" => Box::new(LStarPolicy::default()),
                "swifthand" => Box::new(SwiftHand::default()),
                _ => Box::new(CapuchinPolicy::new(RESTART)),
            };
            Box::new(Budgeted { inner, budget })
        });
        explorers.models = Models::of_exploration(&generator, &self.abstraction);
        explorers.may_restart = true;
        let mut config = Config::default();
        (config.seed, config.cases) = (seed, u32::MAX);
        (config.shrink_budget, config.confirmations) = (0, 0);
        let mut plan = Plan::exploration("explore", generator, Exploration::default(), config);
        plan.pilots = PilotPool::new(Arc::new(explorers));
        plan
    }
}

/// A policy that stops when its budget is spent.
struct Budgeted {
    inner: Box<dyn Policy>,
    budget: u64,
}

impl Policy for Budgeted {
    fn next(&mut self, known: &Knowledge, rng: &mut Rng) -> Decision {
        let (events, starts) = known.steps();
        let spent = events as f64 + RESTART * starts.saturating_sub(1) as f64;
        if spent >= self.budget as f64 { Decision::Stop } else { self.inner.next(known, rng) }
    }

    fn may_wander(&self) -> bool {
        self.inner.may_wander()
    }

    fn states(&self) -> Option<usize> {
        self.inner.states()
    }
}

/// The runs of one policy on one app.
struct Row {
    app: String,
    kind: &'static str,
    policy: &'static str,
    coverage: Vec<f64>,
    resets: f64,
    reset_share: f64,
    prefixes: f64,
    states: f64,
}

/// One run: how far it came, and how much it covered.
struct Run {
    progress: Explored,
    covered: usize,
}

impl Row {
    fn of(app: &str, kind: &'static str, policy: &'static str, all: usize, runs: &[Run]) -> Row {
        let count = runs.len().max(1) as f64;
        let mean = |of: &dyn Fn(&Run) -> f64| runs.iter().map(of).sum::<f64>() / count;
        let resets = mean(&|run| run.progress.restarts as f64);
        let events = mean(&|run| run.progress.events as f64);
        Row {
            app: app.to_owned(),
            kind,
            policy,
            coverage: runs
                .iter()
                .map(|run| run.covered as f64 * 100.0 / all.max(1) as f64)
                .collect(),
            resets,
            reset_share: resets * RESTART / (resets * RESTART + events).max(1.0),
            prefixes: mean(&|run| run.progress.prefixes as f64),
            states: mean(&|run| run.progress.states as f64),
        }
    }

    fn mean(&self) -> f64 {
        self.coverage.iter().sum::<f64>() / self.coverage.len().max(1) as f64
    }

    fn spread(&self) -> (f64, f64) {
        let least = self.coverage.iter().copied().fold(100.0, f64::min);
        (least, self.coverage.iter().copied().fold(0.0, f64::max))
    }

    fn print(&self) {
        let (least, most) = self.spread();
        let coverage = format!("{:.1} ({least:.1} to {most:.1})", self.mean());
        println!(
            "{:<18}{:<11}{coverage:>22}{:>9.1}{:>12.0}%{:>10.0}{:>8.0}",
            self.app,
            self.policy,
            self.resets,
            self.reset_share * 100.0,
            self.prefixes,
            self.states
        );
    }

    fn json(&self) -> Value {
        let round = |number: f64| (number * 100.0).round() / 100.0;
        let (least, most) = self.spread();
        json!({
            "name": self.app, "kind": self.kind, "policy": self.policy,
            "runs": self.coverage.len(), "coverage": round(self.mean()), "spread": [round(least), round(most)],
            "resets": round(self.resets), "reset_share": round(self.reset_share),
            "prefixes": round(self.prefixes), "states": round(self.states),
        })
    }
}

/// Explores, and gives the last point of the curve and what ran.
pub(super) fn explore(
    plan: &Plan,
    device: Box<dyn Device>,
    open: &Open<'_>,
) -> Result<(Explored, Option<CodeCoverage>)> {
    let lost = |error: &DeviceError| eprintln!("going on with another device: {error}");
    let mut fleet = Fleet::new(vec![device], open).on_loss(&lost);
    let mut last = Explored::default();
    let outcome = fleet.run(plan, 1, &mut |event: &RunEvent| {
        if let RunEvent::Explored(point) = event {
            last = *point;
        }
    });
    match outcome.device_error {
        Some(error) => bail!(error),
        None => Ok((last, fleet.coverage())),
    }
}

/// A simulated app: 100 percent is all that any run of any policy has covered.
fn simulated(sample: &capuchin_apps::Sample, request: &Request) -> Result<Vec<Row>> {
    let mut union: BTreeSet<Str> = BTreeSet::new();
    let mut all: Vec<(&'static str, Vec<Run>)> = Vec::new();
    for policy in request.policies() {
        let mut runs = Vec::new();
        for seed in 0..request.seeds {
            let inner = capuchin_apps::open(sample.name).context("no such app")?;
            let covered = Arc::new(Mutex::new(BTreeSet::new()));
            let device = counted(inner, Arc::clone(&covered));
            let open = |_: &Stop| unreachable!("a simulated device is never lost");
            let plan = request.plan(policy, seed, request.budget.unwrap_or(SIM_BUDGET));
            let (progress, _) = explore(&plan, device, &open)?;
            let covered = lock(&covered);
            runs.push(Run { progress, covered: covered.len() });
            union.extend(covered.iter().cloned());
        }
        all.push((policy, runs));
    }
    let rows: Vec<Row> = all
        .into_iter()
        .map(|(policy, runs)| Row::of(sample.name, "sim", policy, union.len(), &runs))
        .collect();
    rows.iter().for_each(Row::print);
    Ok(rows)
}

/// A device that notes what was done where and where that led to: the branches of a simulated app.
fn counted(inner: Box<dyn Device>, covered: Arc<Mutex<BTreeSet<Str>>>) -> Box<dyn Device> {
    let device = Wrapped::new(inner, Str::default(), move |place, inner, call| {
        let seen = call.on(inner)?;
        if seen.blocked.is_none() {
            if let Some(event) = call.event() {
                // The rows of a list, by number, are one place in the code.
                let what: String = event.to_string().replace(|c: char| c.is_ascii_digit(), "");
                let end = if seen.crash.is_some() { "a crash" } else { &seen.screen.place };
                lock(&covered).insert(format!("{place}: {what} to {end}").into());
            }
            *place = seen.screen.place.clone();
        }
        Ok(seen)
    });
    Box::new(device)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A web app: the branches of its code that ran; to enter a function is one of them, as other tools
/// count what V8 tells. It tells the branches of a function when that has run, so 100 percent are
/// those of the run that knew of the most.
fn on_the_web(app: &WebApp, directory: &Path, request: &Request) -> Result<Vec<Row>> {
    let (name, _, root, page) = *app;
    let server = Server::start(&directory.join("node_modules").join(root))?;
    let url = format!("{}/{page}", server.origin());
    let turns: Vec<(&str, u64)> = request
        .policies()
        .flat_map(|policy| (0..request.seeds).map(move |seed| (policy, seed)))
        .collect();
    let queue = Mutex::new(turns.into_iter());
    let all: Mutex<Vec<(&str, u64, Run, usize)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..request.jobs {
            scope.spawn(|| {
                loop {
                    let next = lock(&queue).next();
                    let Some((policy, seed)) = next else { return };
                    match in_a_browser(&url, policy, seed, request) {
                        Ok((run, branches)) => lock(&all).push((policy, seed, run, branches)),
                        Err(error) => println!("{name:<18}{policy:<11} seed {seed}: {error:#}"),
                    }
                }
            });
        }
    });
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.sort_by_key(|(_, seed, ..)| *seed);
    let most = all.iter().map(|(.., branches)| *branches).max().unwrap_or(0);
    let mut rows = Vec::new();
    for policy in request.policies() {
        let (ours, rest) = all.into_iter().partition(|(of, ..)| *of == policy);
        all = rest;
        let runs: Vec<Run> = Vec::into_iter(ours).map(|(_, _, run, _)| run).collect();
        let row = Row::of(name, "web", policy, most, &runs);
        row.print();
        rows.push(row);
    }
    Ok(rows)
}

/// One run in a browser of its own, and how many branches the code has that it knows of.
fn in_a_browser(
    url: &str,
    policy: &'static str,
    seed: u64,
    request: &Request,
) -> Result<(Run, usize)> {
    let options = Options::parse(&format!("{url} coverage crash=-exceptions crash=-rejections"))?;
    let opener = Opener::new(format!("web:{url}"), options);
    let reopen =
        |stop: &Stop| opener.open_until(stop).map(|device| Box::new(device) as Box<dyn Device>);
    let plan = request.plan(policy, seed, request.budget.unwrap_or(WEB_BUDGET));
    let (progress, ran) = explore(&plan, reopen(&Stop::default())?, &reopen)?;
    let ran = ran.context("the browser counts what runs")?;
    let [branches, functions] = [ran.branches(), ran.functions()];
    let covered = branches.covered + functions.covered;
    Ok((Run { progress, covered }, branches.total + functions.total))
}

/// The means over the apps, and where our own policy loses.
fn summarize(rows: &[Row], request: &Request) {
    println!();
    let means = |kind: &str, of_kind: &[&Row]| {
        for policy in request.policies() {
            let of: Vec<&&Row> = of_kind.iter().filter(|row| row.policy == policy).collect();
            let count = of.len().max(1) as f64;
            let coverage = of.iter().map(|row| row.mean()).sum::<f64>() / count;
            let resets = of.iter().map(|row| row.resets).sum::<f64>() / count;
            println!(
                "{kind}, mean of {} apps: {policy:<11}{coverage:>6.1} %{resets:>8.1} resets",
                of.len()
            );
        }
    };
    let mut kinds = 0;
    for kind in ["sim", "web"] {
        let of_kind: Vec<&Row> = rows.iter().filter(|row| row.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        kinds += 1;
        means(kind, &of_kind);
        let ours = of_kind.iter().filter(|row| row.policy == "capuchin");
        for ours in ours {
            let best = of_kind
                .iter()
                .filter(|row| row.app == ours.app && row.policy != "capuchin")
                .max_by(|a, b| a.mean().total_cmp(&b.mean()));
            if let Some(best) = best.filter(|best| best.mean() > ours.mean()) {
                let beyond = best.mean() > ours.spread().1;
                println!(
                    "  loses on {}: {:.1} % to {:.1} % of {}{}",
                    ours.app,
                    ours.mean(),
                    best.mean(),
                    best.policy,
                    if beyond { ", beyond the spread of the seeds" } else { "" }
                );
            }
        }
    }
    if kinds > 1 {
        means("all", &rows.iter().collect::<Vec<_>>());
    }
}
