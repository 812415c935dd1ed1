//! The `capuchin` command: arguments, wiring, exit codes. Nothing in here knows how to test.
//!
//! It is a library so that a crate of the user's can build the command with policies, screen
//! abstractions, drivers and monitors of its own ([`Extensions`]):
//!
//! ```no_run
//! use capuchin::{Finding, each_step, trace::prelude::id};
//! use capuchin_cli::Extensions;
//! use std::{process::ExitCode, sync::Arc};
//!
//! fn main() -> ExitCode {
//!     let mut ours = Extensions::default();
//!     // `auto careful 200`, `capuchin explore --policy careful`
//!     ours.policies.add("careful", "SwiftHand, by another name", |_| {
//!         Box::new(capuchin_explore::SwiftHand::default())
//!     });
//!     // `monitor "total"`, `capuchin check --monitor total`
//!     ours.monitors.push(Arc::new(each_step("total", |step, _| {
//!         let total = step.after.screen.number(&id("total"));
//!         Ok((total < Some(0.0) && total.is_some()).then(|| Finding::new("a negative total")))
//!     })));
//!     capuchin_cli::main_with(&ours)
//! }
//! ```

mod args;
mod check;
mod device;
mod driver;
mod exit;
mod explore;
mod extensions;
mod interrupt;
mod launch;
mod model_ways;
mod oracle;
mod plan;
mod progress;
mod readers;
mod record;
mod replay;
mod report;
mod resume;
mod run;
mod saved;
mod show;
mod source;

pub use driver::{Driver, Drivers, NameOptions, OpenDevice, OpenRequest};
pub use exit::Problem;
pub use extensions::Extensions;
pub use model_ways::ModelWays;

use args::{Cli, Command};
use capuchin::Conclusion;
use capuchin::ui::Visible;
use capuchin_report::Printer;
use clap::FromArgMatches;
use exit::code;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Runs the command that the process was started with.
pub fn main_with(extensions: &Extensions) -> ExitCode {
    ExitCode::from(run_command(std::env::args_os(), extensions))
}

/// Runs a command, of which the first word is the program, and returns its exit code.
pub fn run_command(
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    extensions: &Extensions,
) -> u8 {
    std::panic::set_hook(Box::new(|panic| {
        let panic = panic.to_string();
        let _ = Printer::new(anstream::stderr()).lines("", &panic);
    }));
    let matches = args::command(extensions).try_get_matches_from(words);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            let said = error.to_string();
            // Nobody is left to tell if this fails too. (A request for help is such an error.)
            let _ = match said.lines().all(|line| Visible(line).is_unchanged()) {
                true => error.print(),
                // It quotes an argument that is not fit for a terminal.
                false => Printer::new(anstream::stderr()).lines("", &said),
            };
            return u8::try_from(error.exit_code()).unwrap_or(code(Conclusion::WrongRequest));
        }
    };
    let result = match &cli.command {
        Command::Check(args) => check::check(args, extensions),
        Command::Explore(args) => explore::explore(args, extensions),
        Command::Run(args) => run::run(args, extensions),
        Command::Record(args) => record::record(args, extensions),
        Command::Replay(args) => replay::replay(args, extensions),
        Command::Plan(args) => plan::plan(args, extensions),
        Command::Show(args) => show::show(args),
        Command::Devices => device::list(extensions),
        Command::Report(args) => report::report(args, extensions),
        Command::Help { topic } => help(topic.as_deref(), extensions),
    };
    let conclusion = result.unwrap_or_else(|problem| {
        // As above.
        let _ = writeln!(anstream::stderr(), "{problem}");
        problem.conclusion
    });
    code(conclusion)
}

/// `capuchin help`, `capuchin help check`, `capuchin help spec`, `capuchin help web`.
fn help(topic: Option<&str>, extensions: &Extensions) -> Result<Conclusion, Problem> {
    let mut command = args::command(extensions);
    // So that the usage of a subcommand begins with the name of the command.
    command.build();
    let Some(name) = topic else {
        return exit::print(&command.render_long_help().ansi().to_string());
    };
    let drivers = extensions.drivers.all();
    let mut manuals = drivers.iter().filter_map(|driver| Some((driver.scheme(), driver.manual()?)));
    let text = match name {
        "spec" => Some(capuchin_spec::REFERENCE.to_owned()),
        "exit-codes" => Some(exit::REFERENCE.to_owned()),
        _ => manuals.clone().find(|(scheme, _)| *scheme == name).map(|(_, manual)| manual),
    };
    let of_command = |command: &mut clap::Command| command.render_long_help().ansi().to_string();
    let text = text.or_else(|| command.find_subcommand_mut(name).map(of_command));
    let Some(text) = text else {
        let topics = command.get_subcommands().map(clap::Command::get_name);
        let topics: Vec<&str> = topics
            .chain(["spec", "exit-codes"])
            .chain(manuals.by_ref().map(|(scheme, _)| scheme))
            .collect();
        return Err(Problem::request(format!("there is no help on `{name}`"))
            .suggest(name, topics.into_iter()));
    };
    exit::print(&text)
}
