//! Brings the app's server back to its initial state: the command and the request of the options.
//!
//! On its own because it needs nothing of a browser.

use crate::http;
use crate::options::Options;
use std::io::{self, Read, Seek};
use std::process::{Command, Stdio};

/// Runs the command and sends the request of the options; the error says which of them failed, and
/// how.
pub(crate) fn reset_server(options: &Options) -> Result<(), String> {
    if let Some(command) = &options.reset_command {
        run(command).map_err(|what| format!("the reset command `{command}` {what}"))?;
    }
    if let Some(url) = &options.reset_request {
        let failed = |what: String| format!("the reset request to {url} {what}");
        let response =
            http::request("POST", url).map_err(|error| failed(format!("failed: {error}")))?;
        if response.status >= 400 {
            return Err(failed(format!("was answered with {}", response.status)));
        }
    }
    Ok(())
}

fn run(command: &str) -> Result<(), String> {
    let cannot = |error: io::Error| format!("cannot be run: {error}");
    // Into a file and not a pipe: a server that it leaves behind would hold the pipe open.
    let mut errors = tempfile::tempfile().map_err(cannot)?;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).stdin(Stdio::null()).stdout(Stdio::null());
    let status = errors.try_clone().and_then(|log| shell.stderr(log).status()).map_err(cannot)?;
    if status.success() {
        return Ok(());
    }
    let mut said = String::new();
    let _ = errors.rewind().and_then(|()| errors.read_to_string(&mut said));
    Err(format!("failed: {status} {}", said.trim()))
}
