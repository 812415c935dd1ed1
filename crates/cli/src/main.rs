//! The `capuchin` command with what we bring along; [`capuchin_cli`] is all of it.

use std::process::ExitCode;

fn main() -> ExitCode {
    capuchin_cli::main_with(&capuchin_cli::Extensions::default())
}
