//! Starts the command the way a user does.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The command with these arguments, in the root of the workspace.
pub(crate) fn command<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_capuchin"));
    command.args(args).current_dir(root()).env_remove("CAPUCHIN_SEED").env("NO_COLOR", "1");
    command
}

/// Runs it to its end.
pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    let output = command(args).output().unwrap();
    Ran::from(output)
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A command that has ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let ran = Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        };
        assert!(!ran.stderr.contains("panicked"), "a panic reached the user: {}", ran.stderr);
        ran
    }
}

impl Ran {
    /// Asserts the exit code and that these texts stand in what was printed, in this order.
    #[track_caller]
    pub(crate) fn expect(&self, code: i32, texts: &[&str]) -> &Self {
        assert_eq!(self.code, code, "{self:#?}");
        let all = format!("{}{}", self.stdout, self.stderr);
        let mut rest = all.as_str();
        for text in texts {
            let at = rest.find(text).unwrap_or_else(|| panic!("no {text:?} in {all}"));
            rest = &rest[at + text.len()..];
        }
        self
    }
}
