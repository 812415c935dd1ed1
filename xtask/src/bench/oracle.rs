//! The planner beside Fast Downward: the test cases of the WordPad model, and the problems of the
//! planning competitions, each plan judged by a validator that is not ours.
//!
//! Each problem that both solve is solved in a process of its own, so that its processor time is
//! its own and a limit on it can be enforced.

mod field;
mod figure_11;
mod goals;
mod wordpad;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::PathBuf;

/// unified-planning validates, up-fast-downward brings Fast Downward.
const PACKAGES: &str = "unified-planning==1.3.0 up-fast-downward==1.0.0";

pub(super) const USAGE: &str = "\
cargo xtask bench oracle -- [OPTIONS]
  --field DIR      more problems: a directory for each domain, with domain.pddl and the problems, and
                   (unless --run-fd) an INDEX.csv with what Fast Downward needs for each
  --only NAME      domains whose name contains this; may be given several times
  --seconds N      processor time for each problem: 30
  --run-fd         runs Fast Downward's LAMA-first beside ours, instead of reading INDEX.csv
  --without-validator
  --web N          executes each Nth case on the web page, verified at each level: figure 11
  --without-sample Fast Downward solves no WordPad problem beside ours";

/// What was asked for.
struct Asked {
    field: Option<PathBuf>,
    only: Vec<String>,
    seconds: u64,
    runs_fast_downward: bool,
    validates: bool,
    samples: bool,
    web: Option<usize>,
}

pub(super) fn run(args: &[&str]) -> Result<()> {
    // What runs in a process of its own.
    if let ["--solve", domain, problem, plan, seconds] = args {
        return field::solve(domain, problem, plan, seconds.parse()?);
    }
    let asked = read(args)?;
    let directory = super::scratch("oracle")?;
    let mut figures = wordpad::run(&asked, &directory)?;
    if let Some(field) = &asked.field {
        figures.insert("field".to_owned(), field::run(&asked, field, &directory)?);
    }
    println!("{}", Value::Object(figures));
    Ok(())
}

fn read(args: &[&str]) -> Result<Asked> {
    let mut asked = Asked {
        field: None,
        only: Vec::new(),
        seconds: 30,
        runs_fast_downward: false,
        validates: true,
        samples: true,
        web: None,
    };
    let mut words = args.iter().filter(|word| **word != "--");
    while let Some(option) = words.next() {
        match *option {
            "--run-fd" => asked.runs_fast_downward = true,
            "--without-validator" => asked.validates = false,
            "--without-sample" => asked.samples = false,
            "--field" | "--only" | "--seconds" | "--web" => {
                let value = words.next();
                let value = value.with_context(|| format!("{option} wants a value\n{USAGE}"))?;
                match *option {
                    "--field" => asked.field = Some(PathBuf::from(value).canonicalize()?),
                    "--web" => asked.web = Some(value.parse::<usize>()?.max(1)),
                    "--only" => asked.only.push((*value).to_owned()),
                    _ => asked.seconds = value.parse()?,
                }
            }
            _ => bail!("there is no option {option}\n{USAGE}"),
        }
    }
    Ok(asked)
}
