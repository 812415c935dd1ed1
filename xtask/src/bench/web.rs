//! How fast we click in a browser, beside a raw DevTools loop, Playwright and Bombadil: one page,
//! one machine, in turns, so that whatever else the machine does hits them alike.

use anyhow::{Context, Result, bail};
use capuchin::ui::{Device, Event, Powers, Selector, Stop, Target};
use capuchin::{Action, step};
use capuchin_web::{Opener, Options, Server, WebDevice};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PAGE: &str = include_str!("web/page.html");
/// What runs in node: the name of the file and its text.
const SCRIPTS: [(&str, &str); 5] = [
    ("raw.mjs", include_str!("web/raw.mjs")),
    ("playwright.mjs", include_str!("web/playwright.mjs")),
    ("bombadil.mjs", include_str!("web/bombadil.mjs")),
    ("snapshot.mjs", include_str!("web/snapshot.mjs")),
    ("bombadil-clicks.ts", include_str!("web/bombadil-clicks.ts")),
];
const PEERS: [&str; 2] = ["playwright-core@1.65.0", "@antithesishq/bombadil@0.7.0"];
/// How many buttons the large pages have, how often one of them is clicked, and what they are.
const LARGE: [usize; 3] = [2000, 10_000, 50_000];
const LARGE_CLICKS: usize = 10;
const LARGE_PAGE: &str = include_str!("web/large.html");
const BUTTONS: usize = 12;
const ROUNDS: u32 = 5;
/// How long each is measured in a round.
const ROUND: Duration = Duration::from_secs(3);
/// How long we are, before each of them: the machine is not as fast in one minute as in the next.
const BEFORE_EACH: Duration = Duration::from_millis(1200);
/// Bombadil starts slowly; its clock begins with its first action.
const BOMBADIL: Duration = Duration::from_secs(15);

/// Runs it.
pub(super) fn run() -> Result<()> {
    let directory = set_up()?;
    let page = directory.join("page");
    std::fs::create_dir_all(&page)?;
    std::fs::write(page.join("index.html"), PAGE)?;
    let server = Server::start(&page)?;
    let url = format!("{}/", server.origin());
    let program = program();
    println!("{BUTTONS} buttons among 97 elements, {}, {ROUNDS} rounds\n", program.display());

    let browser = format!("browser={}", program.display());
    let ours = Opener::new("web:bench", Options::parse(&format!("{url} {browser}"))?);
    let counted = Opener::new("web:bench", Options::parse(&format!("{url} {browser} coverage"))?);
    let mut device = ours.open()?;
    let mut covered = counted.open()?;
    let mut table = Table::default();
    let limit = ROUND.as_secs().to_string();
    let peer = |script| node(&directory, script, &[&url, &limit, &program.to_string_lossy()]);
    for _ in 0..ROUNDS {
        table.add("ours", clicks(&mut device, false, BEFORE_EACH)?);
        table.add("raw", peer("raw.mjs")?);
        table.add("ours", clicks(&mut device, false, BEFORE_EACH)?);
        table.add("ours, coverage taken at each event", clicks(&mut covered, true, ROUND)?);
        table.add("ours", clicks(&mut device, false, BEFORE_EACH)?);
        table.add("playwright", peer("playwright.mjs")?);
        table.add("ours", clicks(&mut device, false, BEFORE_EACH)?);
        table.add("resets", resets(&mut device)?);
    }
    let limit = BOMBADIL.as_secs().to_string();
    table.add("bombadil, default", node(&directory, "bombadil.mjs", &[&url, &limit])?);
    let clicks_only = ["bombadil.mjs", "bombadil-clicks.ts"];
    table.add(
        "bombadil, clicks only",
        node(&directory, clicks_only[0], &[&url, &limit, clicks_only[1]])?,
    );
    table.print();
    drop((device, covered));
    let large = LARGE.map(|buttons| (buttons, large(&directory, &browser, buttons)));

    let rate = |name| table.rate(name);
    let events = rate("ours");
    println!("\n{:<44}{:>8}{:>8}", "", "here", "aim");
    for (what, here, aim) in [
        ("ours to the raw loop, which does not settle", events / rate("raw"), "0.8"),
        ("ours to Playwright", events / rate("playwright"), "2"),
        ("ours to Bombadil's clicks", events / rate("bombadil, clicks only"), "20"),
        ("events that a reset costs", events / rate("resets"), "<= 30"),
        (
            "time per event with coverage, to without",
            events / rate("ours, coverage taken at each event"),
            "<= 1.33",
        ),
    ] {
        println!("{what:<44}{here:>8.2}{aim:>8}");
    }
    println!("\n{:<36}{:>12}{:>12}", "elements", "ms a reset", "ms a click");
    let mut of_large = serde_json::Map::new();
    for (buttons, measured) in large {
        let (reset, click) = measured?;
        println!("{buttons:<36}{reset:>12.0}{click:>12.0}");
        of_large.insert(buttons.to_string(), json!({"reset_ms": reset, "click_ms": click}));
    }
    let figures = json!({
        "large_pages": of_large,
        "events_per_s": events,
        "raw_per_s": rate("raw"),
        "playwright_per_s": rate("playwright"),
        "bombadil_per_s": rate("bombadil, default"),
        "bombadil_clicks_per_s": rate("bombadil, clicks only"),
        "reset_in_events": events / rate("resets"),
        "coverage_cost": events / rate("ours, coverage taken at each event"),
    });
    println!("\n{figures}");
    Ok(())
}

/// What was done, and in which time.
type Measured = (u64, Duration);

#[derive(Default)]
struct Table(Vec<(&'static str, Vec<Measured>)>);

impl Table {
    fn add(&mut self, name: &'static str, measured: Measured) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, all)) => all.push(measured),
            None => self.0.push((name, vec![measured])),
        }
    }

    /// Over all rounds.
    fn rate(&self, name: &str) -> f64 {
        let rounds = self.0.iter().find(|(known, _)| *known == name).map(|(_, all)| all.as_slice());
        let (count, time) = rounds
            .unwrap_or_default()
            .iter()
            .fold((0, Duration::ZERO), |sum, round| (sum.0 + round.0, sum.1 + round.1));
        count as f64 / time.as_secs_f64()
    }

    fn print(&self) {
        println!("{:<36}{:>8}   each round", "a second", "all");
        for (name, rounds) in &self.0 {
            let each: Vec<String> = rounds
                .iter()
                .map(|(count, time)| format!("{:.0}", *count as f64 / time.as_secs_f64()))
                .collect();
            println!("{name:<36}{:>8.1}   {}", self.rate(name), each.join(" "));
        }
    }
}

/// Clicks on one button after the other, and looks each time whether the page has counted it.
fn clicks(device: &mut WebDevice, with_coverage: bool, time: Duration) -> Result<Measured> {
    let mut seen = step(device, Action::Reset(1), &Stop::default())?;
    let buttons: Vec<Event> =
        (0..BUTTONS).map(|button| Event::Click(Target::id(format!("b{button}")))).collect();
    let total = Selector::id("total");
    let began = Instant::now();
    let mut events = 0;
    while began.elapsed() < time {
        seen =
            step(device, Action::Perform(&buttons[events as usize % BUTTONS]), &Stop::default())?;
        events += 1;
        if seen.screen.number(&total) != Some(events as f64) {
            bail!("{events} clicks, but the page says {:?}", seen.screen.text(&total));
        }
        if with_coverage && let Some(coverage) = device.powers().and_then(Powers::coverage) {
            coverage.fresh()?;
        }
    }
    drop(seen);
    Ok((events, began.elapsed()))
}

/// A page with so many buttons: how many milliseconds a reset takes there, and a click.
fn large(directory: &Path, browser: &str, buttons: usize) -> Result<(f64, f64)> {
    let page = directory.join(format!("large-{buttons}"));
    std::fs::create_dir_all(&page)?;
    std::fs::write(page.join("index.html"), LARGE_PAGE.replace("BUTTONS", &buttons.to_string()))?;
    let server = Server::start(&page)?;
    let options = Options::parse(&format!("{}/ {browser}", server.origin()))?;
    let mut device = Opener::new("web:bench", options).open()?;
    let began = Instant::now();
    let seen = step(&mut device, Action::Reset(1), &Stop::default())?;
    let reset = began.elapsed();
    if let Some(crash) = &seen.crash {
        bail!("{buttons} buttons: {}", crash.message);
    }
    let began = Instant::now();
    for click in 1..=LARGE_CLICKS {
        let target = Target::id(format!("b{}", click * 7919 % buttons));
        let seen = step(&mut device, Action::Perform(&Event::Click(target)), &Stop::default())?;
        let total = seen.screen.number(&Selector::id("total"));
        if total != Some(click as f64) {
            bail!("{click} clicks, but the page of {buttons} buttons says {total:?}");
        }
    }
    let click = began.elapsed() / LARGE_CLICKS as u32;
    Ok((reset.as_secs_f64() * 1000.0, click.as_secs_f64() * 1000.0))
}

fn resets(device: &mut WebDevice) -> Result<Measured> {
    let began = Instant::now();
    let mut resets = 0;
    while began.elapsed() < ROUND {
        // Something to clean up.
        step(device, Action::Perform(&Event::Click(Target::id("b1"))), &Stop::default())?;
        step(device, Action::Reset(resets), &Stop::default())?;
        resets += 1;
    }
    Ok((resets, began.elapsed()))
}

/// Runs a script of a peer's, which prints what it did as a line of JSON.
fn node(directory: &Path, script: &str, args: &[&str]) -> Result<Measured> {
    let output = Command::new("node")
        .arg(script)
        .args(args)
        .current_dir(directory)
        .stderr(Stdio::inherit())
        .output()
        .context("node cannot be started; install Node.js")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let line = said.lines().last().unwrap_or_default();
    let figures: Value = serde_json::from_str(line).with_context(|| format!("{script}: {said}"))?;
    let seconds = figures["seconds"].as_f64().context("no seconds")?;
    let actions = figures["actions"].as_u64().context("no actions")?;
    Ok((actions, Duration::from_secs_f64(seconds)))
}

/// Puts the peers into a directory of their own, once.
fn set_up() -> Result<PathBuf> {
    let directory = super::scratch("web")?;
    for (name, text) in SCRIPTS {
        std::fs::write(directory.join(name), text)?;
    }
    super::npm(&directory, &PEERS)?;
    Ok(directory)
}

/// The browser that we would take ourselves: the others get the same.
fn program() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = ["chromium-headless-shell", "chromium"].iter().find_map(|name| {
        std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
    });
    found.unwrap_or_else(|| "chromium".into())
}
