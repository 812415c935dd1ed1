//! `cargo xtask test`: everything that must pass before a change is merged, in one command.
//!
//! On its own because it is the one command that a newcomer runs, and what a build server runs too.

use crate::tidy;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Sets up, then runs the stages in order. Stops at the first that fails.
pub(crate) fn run(root: &Path) -> Result<ExitCode> {
    setup()?;

    header("format");
    require_component("fmt", "rustfmt")?;
    cargo(root, &["fmt", "--all", "--check"], &[])?;

    header("clippy");
    require_component("clippy", "clippy")?;
    let check = ["--workspace", "--locked", "--features", "capuchin/proptest"];
    let strict = ["--all-targets", "--", "-D", "warnings"];
    cargo(root, &[&["clippy"][..], &check, &strict].concat(), &[])?;

    header("tidy");
    if tidy::run(root)? != ExitCode::SUCCESS {
        return Ok(ExitCode::FAILURE);
    }

    header("tests and examples in documentation");
    cargo(root, &[&["test"][..], &check].concat(), &[])?;

    header("documentation");
    cargo(root, &[&["doc", "--no-deps"][..], &check].concat(), &[("RUSTDOCFLAGS", "-D warnings")])?;

    println!("\nall stages passed");
    Ok(ExitCode::SUCCESS)
}

/// Debian's packages with what the tests need and the toolchain does not bring: the program, and
/// the package that it is in.
const PROGRAMS: [(&str, &str); 2] =
    [("chromium", "chromium"), ("chromium-headless-shell", "chromium-headless-shell")];

/// Gets what the tests need. A machine that has it all is left alone.
fn setup() -> Result<()> {
    let missing: Vec<&str> = PROGRAMS
        .iter()
        .filter(|(program, _)| !is_on_path(program))
        .map(|(_, package)| *package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    header("set up");
    let advice =
        format!("install them yourself and try again: apt-get install {}", missing.join(" "));
    for args in [&["update", "-qq"][..], &[&["install", "-y", "-qq"][..], &missing].concat()] {
        println!("apt-get {}", args.join(" "));
        let status = Command::new("apt-get")
            .args(args)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null())
            .status()
            .with_context(|| format!("cannot start apt-get; {advice}"))?;
        if !status.success() {
            bail!("apt-get failed; {advice}");
        }
    }
    Ok(())
}

fn is_on_path(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
}

fn header(stage: &str) {
    println!("\n== {stage} ==");
}

fn command() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn cargo(root: &Path, args: &[&str], env: &[(&str, &str)]) -> Result<()> {
    let shown = format!("cargo {}", args.join(" "));
    println!("{shown}");
    let status = command()
        .args(args)
        .envs(env.iter().copied())
        .current_dir(root)
        .status()
        .with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed; the later stages were not run");
    }
    Ok(())
}

fn require_component(subcommand: &str, component: &str) -> Result<()> {
    let found = command()
        .args([subcommand, "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !found {
        bail!(
            "`cargo {subcommand}` is missing; install it with `rustup component add {component}`, \
             or from your system's packages"
        );
    }
    Ok(())
}
