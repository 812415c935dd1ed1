//! `cargo xtask bench`: the table of benchmarks. Each is a module of its own under `bench/`.

mod attack;
mod executor;
mod explore;
mod monkeys;
mod names;
mod operators;
mod oracle;
mod passive;
mod record;
mod relations;
mod replay;
mod sandbox;
mod sanity;
mod segments;
mod sockets;
mod todomvc;
mod web;

use crate::WRONG_REQUEST;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// A benchmark: its name, what it measures, its options (none, if that is empty), and what runs it.
type Bench = (&'static str, &'static str, &'static str, fn(&[&str]) -> Result<()>);

/// All benchmarks. A new one is a module under `bench/` and a line here.
///
/// Each prints a table for people and, as its last line, one JSON object of its figures.
const BENCHES: &[Bench] = &[
    (
        "attack",
        "fuzzers, kills, hostile pages and servers: panics, losses, orphans, false crashes",
        attack::USAGE,
        attack::run,
    ),
    ("executor", "steps a second on the simulated device", "", |_| executor::run()),
    (
        "web",
        "clicks a second in a browser, beside Playwright and Bombadil, and on large pages",
        "",
        |_| web::run(),
    ),
    (
        "todomvc",
        "one specification on every TodoMVC: what fails, how soon, and the minimal trace",
        todomvc::USAGE,
        todomvc::run,
    ),
    ("monkeys", "table 1 of the ChimpCheck paper: two monkeys and the score tracker", "", |_| {
        monkeys::run()
    }),
    ("names", "names of elements that are as the Web Platform Tests say", names::USAGE, names::run),
    (
        "explore",
        "table 2 of the SwiftHand paper: what each policy covers of an app",
        explore::USAGE,
        explore::run,
    ),
    (
        "operators",
        "operators learned from steps, beside a model written by hand and beside SAM",
        operators::USAGE,
        operators::run,
    ),
    (
        "oracle",
        "the planner on competition problems, beside Fast Downward, judged by unified-planning",
        oracle::USAGE,
        oracle::run,
    ),
    ("passive", "machines learned from traces, beside AALpy", passive::USAGE, passive::run),
    (
        "sanity",
        "the running example of the SwiftHand paper: restarts and inputs of each policy",
        "",
        |_| sanity::run(),
    ),
    (
        "record",
        "what recording adds to an event on real pages, beside the paper: milliseconds, bytes",
        record::USAGE,
        record::run,
    ),
    (
        "relations",
        "relations that need no model on real apps: judged, skipped, found, false alarms",
        relations::USAGE,
        relations::run,
    ),
    (
        "replay",
        "scenarios of real responsive apps, recorded on one device and replayed on another",
        replay::USAGE,
        replay::run,
    ),
    (
        "segments",
        "segments of real screens found again when a view is gone; milliseconds of matching",
        segments::USAGE,
        segments::run,
    ),
    (
        "sockets",
        "four apps that keep a line open: events a second, and starts with nothing to try",
        sockets::USAGE,
        sockets::run,
    ),
    (
        "versions",
        "recordings on an older version of an app, replayed on a newer one",
        replay::versions::USAGE,
        replay::versions::run,
    ),
];

/// Runs the benchmark of this name, with the arguments that it takes.
pub(crate) fn run(name: &str, args: &[&str]) -> Result<ExitCode> {
    match BENCHES.iter().find(|(known, ..)| *known == name) {
        Some((.., options, _)) if args.iter().any(|arg| ["--help", "-h"].contains(arg)) => {
            let none = format!("cargo xtask bench {name}");
            println!("{}", if options.is_empty() { &none } else { *options });
            Ok(ExitCode::SUCCESS)
        }
        Some((.., "", _)) if !args.is_empty() => {
            eprintln!("error: the benchmark {name} has no options");
            Ok(ExitCode::from(WRONG_REQUEST))
        }
        // What is measured is what users run: an optimised build.
        Some(_) if cfg!(debug_assertions) => {
            let status = Command::new(env!("CARGO"))
                .args(["run", "--quiet", "--release", "--package", "xtask", "--", "bench", name])
                .args(args)
                .status()
                .context("cargo cannot be started")?;
            Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Some((.., bench)) => {
            bench(args)?;
            Ok(ExitCode::SUCCESS)
        }
        None => {
            eprintln!("error: no benchmark is called `{name}`; {}", known());
            Ok(ExitCode::from(WRONG_REQUEST))
        }
    }
}

/// Lists the benchmarks. That is not what was asked for, so it is a wrong request.
pub(crate) fn list() -> Result<ExitCode> {
    eprintln!("usage: cargo xtask bench NAME; {}", known());
    Ok(ExitCode::from(WRONG_REQUEST))
}

fn known() -> String {
    let lines = BENCHES.iter().map(|(name, what, ..)| format!("\n  {name:<12}{what}"));
    format!("there are:{}", lines.collect::<String>())
}

/// A directory for what a benchmark fetches and makes; it stays for the next time.
fn scratch(name: &str) -> Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| manifest.join("../target"));
    let directory = target.join("bench").join(name);
    std::fs::create_dir_all(&directory)?;
    Ok(directory.canonicalize()?)
}

/// A Python that has these packages of pip's.
fn python(directory: &Path, packages: &str) -> Result<PathBuf> {
    let python = directory.join("venv/bin/python");
    let stamp = directory.join("installed");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == packages) {
        return Ok(python);
    }
    println!("pip install {packages}");
    let run = |program: &Path, args: &[&str]| -> Result<()> {
        let status = Command::new(program).args(args).current_dir(directory).status();
        let status =
            status.context("Python cannot be started; install python3 and python3-venv")?;
        if !status.success() {
            bail!("{} {} failed", program.display(), args.join(" "));
        }
        Ok(())
    };
    run(Path::new("python3"), &["-m", "venv", "venv"])?;
    let mut install = vec!["-m", "pip", "install", "--quiet"];
    install.extend(packages.split_whitespace());
    run(&python, &install)?;
    std::fs::write(&stamp, packages)?;
    Ok(python)
}

/// Installs packages of npm's there, unless they are there.
fn npm(directory: &Path, packages: &[&str]) -> Result<()> {
    let wanted = packages.join(" ");
    let stamp = directory.join("installed");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    println!("npm install {wanted}");
    let status = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--silent", "--legacy-peer-deps"])
        .args(packages)
        .current_dir(directory)
        .stdout(Stdio::null())
        .status()
        .context("npm cannot be started; install Node.js")?;
    if !status.success() {
        bail!("npm install {wanted} failed");
    }
    std::fs::write(&stamp, wanted)?;
    Ok(())
}
