//! `cargo xtask bench`: the table of benchmarks. Each is a module of its own under `bench/`.

use crate::WRONG_REQUEST;
use anyhow::Result;
use std::process::ExitCode;

/// A benchmark: its name, what it measures, and what runs it.
type Bench = (&'static str, &'static str, fn() -> Result<()>);

/// All benchmarks. A new one is a module under `bench/` and a line here.
const BENCHES: &[Bench] = &[];

/// Runs the benchmark of this name.
pub(crate) fn run(name: &str) -> Result<ExitCode> {
    match BENCHES.iter().find(|(known, ..)| *known == name) {
        Some((_, _, bench)) => {
            bench()?;
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
    if BENCHES.is_empty() {
        return "there are none yet".to_owned();
    }
    let lines = BENCHES.iter().map(|(name, what, _)| format!("\n  {name:<12}{what}"));
    format!("there are:{}", lines.collect::<String>())
}
