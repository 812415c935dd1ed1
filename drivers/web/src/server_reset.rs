//! Brings the app's server back to its initial state: the command and the request of the options.
//!
//! On its own because it needs nothing of a browser.

use crate::http;
use crate::options::Options;
use capuchin_ui::Stop;
use std::io::{self, Read, Seek};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often whoever waits for a server looks whether to leave off.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs the command and sends the request of the options; the error says which of them failed, and
/// how. Leaves off when the stop is set, with an error that nobody reads.
pub(crate) fn reset_server(options: &Options, stop: &Stop) -> Result<(), String> {
    if let Some(command) = &options.reset_command {
        run(command, stop).map_err(|what| format!("the reset command `{command}` {what}"))?;
    }
    if let Some(url) = &options.reset_request {
        let failed = |what: String| format!("the reset request to {url} {what}");
        let asked = url.clone();
        let response = unless_stopped(stop, move || http::request("POST", &asked))
            .map_err(|error| failed(format!("failed: {error}")))?;
        if response.status >= 400 {
            return Err(failed(format!("was answered with {}", response.status)));
        }
    }
    Ok(())
}

fn run(command: &str, stop: &Stop) -> Result<(), String> {
    let cannot = |error: io::Error| format!("cannot be run: {error}");
    // Into a file and not a pipe: a server that it leaves behind would hold the pipe open.
    let mut errors = tempfile::tempfile().map_err(cannot)?;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).stdin(Stdio::null()).stdout(Stdio::null());
    let started = errors.try_clone().and_then(|log| shell.stderr(log).spawn());
    let mut child = started.map_err(cannot)?;
    let id = child.id().to_string();
    let status = unless_stopped(stop, move || child.wait()).inspect_err(|_| {
        // Nobody waits for it any more.
        let _ = Command::new("kill").arg(&id).status();
    });
    let status = status.map_err(cannot)?;
    if status.success() {
        return Ok(());
    }
    let mut said = String::new();
    let _ = errors.rewind().and_then(|()| errors.read_to_string(&mut said));
    Err(format!("failed: {status} {}", said.trim()))
}

/// Waits for work that cannot be told to stop; an error as soon as the stop is set.
pub(crate) fn unless_stopped<T: Send + 'static>(
    stop: &Stop,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let (sender, done) = channel();
    std::thread::spawn(move || sender.send(work()));
    loop {
        match done.recv_timeout(STOP_POLL_INTERVAL) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) if !stop.is_set() => {}
            Err(_) => return Err(io::Error::other("it was told to stop")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Instant;

    #[test]
    fn a_command_that_takes_long_is_not_waited_for_when_time_is_up() {
        let flag = Arc::new(AtomicBool::new(false));
        let stop = Stop::when([Arc::clone(&flag)]);
        assert_eq!(run("exit 0", &stop), Ok(()));
        assert!(run("echo no >&2; exit 3", &stop).unwrap_err().contains("no"));
        flag.store(true, Ordering::Relaxed);
        let began = Instant::now();
        assert!(run("exec sleep 30", &stop).unwrap_err().contains("told to stop"));
        assert!(began.elapsed() < Duration::from_secs(10));
    }
}
