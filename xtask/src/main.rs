//! Developer commands: `cargo xtask tidy`, `cargo xtask test`, `cargo xtask bench NAME`.
//!
//! A plain match on the arguments: three commands need no argument parser.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its terminal")]

mod bench;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  tidy        check what the compiler does not: edges between crates, module docs, file sizes,
              determinism, links of the documentation
  test        everything that must pass before a change is merged: format, clippy, tidy, tests, docs
  bench NAME  run one benchmark; without a name, list them
";

/// The exit code of a request that is wrong, as in the `capuchin` command.
const WRONG_REQUEST: u8 = 2;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["tidy"] => tidy::run(&root()),
        ["test"] => test::run(&root()),
        ["bench"] => bench::list(),
        ["bench", name, "--", args @ ..] | ["bench", name, args @ ..] => bench::run(name, args),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            eprint!("{USAGE}");
            Ok(ExitCode::from(WRONG_REQUEST))
        }
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

/// The root of the workspace: the directory that `xtask` is in.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
