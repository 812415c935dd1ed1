//! Apps that keep a line open (sockets, streams, long polls): how fast they are explored, and how
//! often their first screen has nothing to try.
//!
//! They are strangers' programs, and one of them manages files: each runs with a home and a working
//! directory of its own that are thrown away, on loopback, as nobody where we may do that.

use super::explore::explore;
use super::sandbox::{Running, Sandbox};
use anyhow::{Context, Result, bail};
use capuchin::steering::PilotPool;
use capuchin::trace::prelude::auto;
use capuchin::ui::{Device, Stop};
use capuchin::{Config, Exploration, Plan};
use capuchin_explore::{AbstractionKind, Explorers, Inputs, Models};
use capuchin_web::{Opener, Options, Wait, Waits};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const EVENTS: u64 = 150;
const STARTS: u64 = 20;
const THELOUNGE: &str = "thelounge@2.6.0";
const CLOUDCMD: &str = "cloudcmd@18.8.11";
const STREAMLIT: &str = "streamlit==1.67.0";

pub(super) const USAGE: &str = "\
cargo xtask bench sockets -- [OPTIONS]
  --only NAME    this app: streamlit, syncthing, thelounge or cloudcmd; may be given several times
  --starts N     so many starts of each: 20
Needs npm, python3 and, for syncthing, Debian's apt-get and dpkg.";

/// An app: its name, and how it is installed and started.
type App = (&'static str, fn(&Path, &Sandbox) -> Result<Command>);

const APPS: &[App] = &[
    ("streamlit", streamlit),
    ("syncthing", syncthing),
    ("thelounge", thelounge),
    ("cloudcmd", cloudcmd),
];

pub(super) fn run(args: &[&str]) -> Result<()> {
    let (mut only, mut starts) = (Vec::new(), STARTS);
    let mut words = args.iter().skip_while(|word| **word == "--");
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value\n{USAGE}"))?;
        match *word {
            "--only" if APPS.iter().any(|(name, _)| name == value) => only.push(*value),
            "--starts" => starts = value.parse().context("--starts takes a number")?,
            _ => bail!("unexpected {word} {value}\n{USAGE}"),
        }
    }
    let directory = super::scratch("sockets")?;
    println!("{EVENTS} events of an exploration, then {starts} starts\n");
    println!(
        "{:<12}{:>10}{:>10}{:>10}{:>18}",
        "", "events", "a second", "to open", "nothing to try"
    );
    let mut rows = Vec::new();
    for (name, start) in APPS.iter().filter(|(name, _)| only.is_empty() || only.contains(name)) {
        let of_app = directory.join(name);
        std::fs::create_dir_all(&of_app)?;
        let sandbox = Sandbox::new(&format!("sockets-{name}"))?;
        std::fs::create_dir_all(sandbox.home.join("files/more"))?;
        std::fs::write(sandbox.home.join("files/a.txt"), "one\n")?;
        std::fs::write(sandbox.home.join("files/more/b.txt"), "two\n")?;
        let command = start(&of_app, &sandbox)?;
        let _running = Running::start(command, &sandbox, None)?;
        rows.push(measure(name, sandbox.port, starts)?);
    }
    let per_second = |row: &Value| row["events_per_s"].as_f64().unwrap_or_default();
    let slowest = rows.iter().map(per_second).fold(f64::INFINITY, f64::min);
    let nothing: u64 = rows.iter().filter_map(|row| row["nothing"].as_u64()).sum();
    println!("\n{:<44}{:>8}{:>8}", "", "here", "aim");
    println!("{:<44}{slowest:>8.1}{:>8}", "events a second, the slowest", ">= 10");
    println!("{:<44}{nothing:>8}{:>8}", "starts with nothing to try", "0");
    println!("\n{}", json!({"slowest_per_s": slowest, "nothing": nothing, "apps": rows}));
    Ok(())
}

/// Explores an app, and then starts it again and again.
fn measure(name: &str, port: u16, starts: u64) -> Result<Value> {
    let options = format!("http://127.0.0.1:{port}/ crash=-exceptions crash=-rejections");
    let opener = Opener::new(format!("web:{name}"), Options::parse(&options)?).with_waits();
    let open =
        |stop: &Stop| opener.open_until(stop).map(|device| Box::new(device) as Box<dyn Device>);
    let began = Instant::now();
    let device = open(&Stop::default())?;
    let to_open = began.elapsed().as_secs_f64();
    opener.take_waits();
    let began = Instant::now();
    let (explored, _) = explore(&plan(), device, &open)?;
    let per_second = explored.events as f64 / began.elapsed().as_secs_f64();
    let waits = opener.take_waits();
    let mut nothing = 0;
    for seed in 0..starts {
        let seen = open(&Stop::default())?.reset(seed)?;
        let offers = Inputs::default().on(&seen.screen, &AbstractionKind::ADAPTIVE);
        nothing += u64::from(offers.is_empty());
    }
    let shown = format!("{nothing} of {starts}");
    println!("{name:<12}{:>10}{per_second:>10.1}{to_open:>8.1} s{shown:>18}", explored.events);
    let (resets, of_resets) = show_waits(&waits, true, explored.events);
    let (_, of_events) = show_waits(&waits, false, explored.events);
    Ok(json!({
        "name": name, "events": explored.events, "events_per_s": per_second,
        "open_s": to_open, "starts": starts, "nothing": nothing,
        "resets": resets, "waits_of_resets": of_resets, "waits_of_events": of_events,
    }))
}

/// Prints what the time of resets or events went into, for each event of the run. What is idle is
/// our own patience; the rest depends on how busy the machine is. How many there were, and the same
/// as JSON.
fn show_waits(waits: &Waits, in_resets: bool, events: u64) -> (u64, Value) {
    let within = waits.iter().filter(|((is_reset, _), _)| *is_reset == in_resets);
    let per_event = |time: Duration| time.as_secs_f64() * 1000.0 / events.max(1) as f64;
    let (mut count, mut parts) = (0, Vec::new());
    let mut json = serde_json::Map::new();
    for ((_, wait), waited) in within {
        if matches!(wait, Wait::Reset | Wait::Event) {
            count += waited.times;
        }
        let (time, idle) = (per_event(waited.time), per_event(waited.idle));
        parts.push((time, format!("{wait:?} {time:.1} ({idle:.1})")));
        let row = json!({"times": waited.times, "ms": time, "idle_ms": idle});
        json.insert(format!("{wait:?}"), row);
    }
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let all: f64 = parts.iter().map(|(time, _)| time).sum();
    let parts: Vec<String> = parts.into_iter().map(|(_, part)| part).collect();
    let what = if in_resets { "resets" } else { "events" };
    println!("  {count} {what}, {all:.1} ms for each event (of that idle): {}", parts.join(", "));
    (count, Value::Object(json))
}

fn plan() -> Plan {
    let generator = auto("capuchin", u32::MAX);
    let mut explorers = Explorers::default();
    explorers.models = Models::of_exploration(&generator, &AbstractionKind::ADAPTIVE);
    explorers.may_restart = true;
    let mut config = Config::default();
    (config.seed, config.cases, config.events) = (1, u32::MAX, Some(EVENTS));
    (config.shrink_budget, config.confirmations) = (0, 0);
    let mut plan = Plan::exploration("explore", generator, Exploration::default(), config);
    plan.pilots = PilotPool::new(Arc::new(explorers));
    plan
}

fn streamlit(directory: &Path, sandbox: &Sandbox) -> Result<Command> {
    let python = super::python(directory, STREAMLIT)?;
    // Its interpreter may be where nobody else can read.
    let mut command = sandbox.command(&python, false)?;
    command.args(["-m", "streamlit", "hello", "--server.address", "127.0.0.1"]);
    command.args(["--server.headless", "true", "--browser.gatherUsageStats", "false"]);
    command.args(["--server.port", &sandbox.port.to_string()]);
    Ok(command)
}

fn syncthing(directory: &Path, sandbox: &Sandbox) -> Result<Command> {
    let program = directory.join("usr/bin/syncthing");
    if !program.exists() {
        println!("apt-get download syncthing");
        let script = "apt-get -qq download syncthing && dpkg -x syncthing_*.deb .";
        let status = Command::new("sh").args(["-c", script]).current_dir(directory).status()?;
        if !status.success() {
            bail!("syncthing cannot be installed; it takes Debian, or --only another app");
        }
    }
    let home = sandbox.home.join("syncthing");
    let named = home.to_string_lossy();
    let config = ["generate", "--no-default-folder", "--home", &named];
    let made = sandbox.command(&program, true)?.args(config).stdout(Stdio::null()).status()?;
    if !made.success() {
        bail!("syncthing generate failed");
    }
    // It finds nobody, and nobody finds it.
    let file = home.join("config.xml");
    let mut text = std::fs::read_to_string(&file)?;
    for name in ["globalAnnounceEnabled", "localAnnounceEnabled", "relaysEnabled", "natEnabled"] {
        text = text.replace(&format!("<{name}>true"), &format!("<{name}>false"));
    }
    text = text.replace("<listenAddress>default", "<listenAddress>tcp://127.0.0.1:0");
    std::fs::write(&file, text)?;
    // It has a button that ends it. Whoever explores it starts it again, as a service would be.
    let mut command = sandbox.command(Path::new("sh"), true)?;
    command.args(["-c", "while :; do \"$0\" \"$@\"; done"]).arg(&program);
    let address = format!("127.0.0.1:{}", sandbox.port);
    command.args(["--no-browser", "--no-restart", "--home", &named, "--gui-address", &address]);
    Ok(command)
}

fn thelounge(directory: &Path, sandbox: &Sandbox) -> Result<Command> {
    super::npm(directory, &[THELOUNGE])?;
    let mut command = node(directory, "lounge", sandbox)?;
    command.arg("--home").arg(&sandbox.home).args(["start", "--public", "--host", "127.0.0.1"]);
    command.args(["--port", &sandbox.port.to_string()]);
    Ok(command)
}

fn cloudcmd(directory: &Path, sandbox: &Sandbox) -> Result<Command> {
    super::npm(directory, &[CLOUDCMD])?;
    let mut command = node(directory, "cloudcmd", sandbox)?;
    command.args(["--no-open", "--no-console", "--no-terminal", "--no-auth", "--root"]);
    command.arg(sandbox.home.join("files")).args(["--port", &sandbox.port.to_string()]);
    Ok(command)
}

/// A program of a package of npm's.
fn node(directory: &Path, name: &str, sandbox: &Sandbox) -> Result<Command> {
    let mut command = sandbox.command(Path::new("node"), true)?;
    command.arg(directory.join("node_modules/.bin").join(name));
    Ok(command)
}
