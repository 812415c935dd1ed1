//! `capuchin run`: one trace, once, and what became of it.

use crate::args::RunArgs;
use crate::check::{interrupt, invariants};
use crate::device;
use crate::exit::{Exit, Problem, print};
use crate::source;
use anstyle::AnsiColor;
use capuchin::ui::Rng;
use capuchin::{Crew, Execution, Rules, execute};
use capuchin_explore::Explorers;
use std::sync::Arc;

/// Runs each trace of a file once. A generator is drawn from once.
pub(crate) fn run(args: &RunArgs) -> Result<Exit, Problem> {
    let (name, spec) = match (&args.trace, &args.file) {
        (Some(text), _) => ("the trace".to_owned(), source::parse_named("--trace", text)?),
        (None, Some(file)) => source::load(file)?,
        (None, None) => return Err(Problem::request("nothing to run").help("name a file")),
    };
    let device_name = device::name(&args.device, &spec)?;
    let source = device::Source::new(&device_name, &spec, None)?;
    let mut device = source.open()?;
    let seed = device::seed(&args.device, &spec);
    let interrupt = interrupt();
    let invariants = invariants(&spec);
    let crew = Crew::new(Arc::new(Explorers::default()));
    print(&format!("{name} on {device_name} · seed {seed}\n"))?;
    let mut exit = if spec.checks.is_empty() { Exit::NothingChecked } else { Exit::Held };
    for check in &spec.checks {
        let trace = check.generator.sample_on(device.info(), Rng::stream(seed, 0)).to_trace();
        let mut rules = Rules::seed(seed);
        rules.invariants = &invariants;
        rules.interrupt = Some(&interrupt);
        rules.crew = Some(&crew);
        let execution = match execute(&trace, device.as_mut(), &rules) {
            Ok(execution) => execution,
            Err(error) if exit == Exit::Violated => {
                print(&format!("{}: ended early: {error}\n", check.name))?;
                return Ok(exit);
            }
            Err(error) => return Err(Problem::device(&error)),
        };
        if execution.interrupted {
            return Ok(if exit == Exit::Violated { exit } else { Exit::Interrupted });
        }
        if !execution.verdict.is_success() {
            exit = Exit::Violated;
        }
        print(&rendered(&check.name, &execution))?;
        if args.screen {
            print(&format!("\n{}", execution.screen))?;
        }
    }
    Ok(exit)
}

fn rendered(name: &str, execution: &Execution) -> String {
    let colour = if execution.verdict.is_success() { AnsiColor::Green } else { AnsiColor::Red };
    let style = colour.on_default().bold();
    let events = if execution.executed.is_empty() {
        "nothing".to_owned()
    } else {
        execution.events().to_string()
    };
    let mut text = String::new();
    if name != "main" {
        text.push_str(&format!("\n{name}\n"));
    }
    text.push_str(&format!("{style}{}{style:#} after: {events}\n", execution.verdict));
    for line in execution.verdict.detail().lines() {
        text.push_str(&format!("    {line}\n"));
    }
    if let Some(busy) = &execution.unsettled {
        text.push_str(&format!("    note: the app did not come to rest: {busy}\n"));
    }
    text
}
