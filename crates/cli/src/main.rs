//! The `capuchin` command: arguments, wiring, exit codes. Nothing in here knows how to test.

mod args;
mod check;
mod device;
mod exit;
mod explore;
mod interrupt;
mod launch;
mod progress;
mod readers;
mod report;
mod resume;
mod run;
mod source;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use exit::Exit;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Check(args) => check::check(args),
        Command::Explore(args) => explore::explore(args),
        Command::Run(args) => run::run(args),
        Command::Devices => device::list(),
        Command::Report(args) => report::report(args),
        Command::Help { topic } => help(topic.as_deref()),
    };
    let exit = result.unwrap_or_else(|problem| {
        // Nobody is left to tell if this fails too.
        let _ = writeln!(anstream::stderr(), "{problem}");
        problem.exit
    });
    ExitCode::from(exit.code())
}

/// `capuchin help`, `capuchin help check`, `capuchin help spec`.
fn help(topic: Option<&str>) -> Result<Exit, exit::Problem> {
    let mut command = Cli::command();
    // So that the usage of a subcommand begins with the name of the command.
    command.build();
    let text = match topic {
        None => command.render_long_help().ansi().to_string(),
        Some("spec") => capuchin_spec::REFERENCE.to_owned(),
        Some("web") => device::web_help(),
        Some("exit-codes") => exit::REFERENCE.to_owned(),
        Some(name) => match command.find_subcommand_mut(name) {
            Some(command) => command.render_long_help().ansi().to_string(),
            None => {
                let commands: Vec<String> =
                    command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
                let topics =
                    commands.iter().map(String::as_str).chain(["spec", "web", "exit-codes"]);
                return Err(exit::Problem::request(format!("there is no help on `{name}`"))
                    .suggest(name, topics));
            }
        },
    };
    exit::print(&text)
}
