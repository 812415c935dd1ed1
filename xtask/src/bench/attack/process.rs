//! Commands that are watched: with an end, what they said, and what they left behind.

use anyhow::{Context, Result};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long what was started may take to go away after the command has ended.
const GRACE: Duration = Duration::from_secs(10);

/// A command that has ended, or was killed.
pub(super) struct Watched {
    /// `None` if it had to be killed.
    pub(super) status: Option<ExitStatus>,
    pub(super) said: String,
}

impl Watched {
    pub(super) fn has_panicked(&self) -> bool {
        let signalled = self.status.is_some_and(|status| status.code().is_none());
        signalled || self.code() == Some(101) || self.said.contains("panicked at")
    }

    pub(super) fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }
}

/// Runs a command in a directory of its own, with its own place for temporary files, and kills it
/// with SIGKILL after this time.
pub(super) fn watch(mut command: Command, home: &Path, time: Duration) -> Result<Watched> {
    let temporary = home.join("tmp");
    std::fs::create_dir_all(&temporary)?;
    let said = home.join("said.txt");
    let out = File::create(&said)?;
    command.env("TMPDIR", &temporary).env("NO_COLOR", "1");
    command.stdin(std::process::Stdio::null()).stdout(out.try_clone()?).stderr(out);
    let mut child = command.spawn().context("the command cannot be started")?;
    let id = nix::unistd::Pid::from_raw(i32::try_from(child.id())?);
    let (sender, ended) = channel();
    let waiting = std::thread::spawn(move || {
        let status = child.wait();
        let _ = sender.send(());
        status
    });
    let in_time = ended.recv_timeout(time) != Err(RecvTimeoutError::Timeout);
    if !in_time {
        // It may have ended just now, and nobody has waited for it yet but the thread above.
        let _ = nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGKILL);
    }
    let status = waiting.join().ok().and_then(Result::ok);
    let said = String::from_utf8_lossy(&std::fs::read(&said)?).into_owned();
    Ok(Watched { status: status.filter(|_| in_time), said })
}

/// What is left of a command that has ended: processes that know its home, and what browsers keep
/// in its place for temporary files. They have a while to go away.
pub(super) fn left_behind(home: &Path) -> Vec<String> {
    let deadline = Instant::now() + GRACE;
    loop {
        let mut left = processes(home);
        let kept = std::fs::read_dir(home.join("tmp")).into_iter().flatten().flatten();
        left.extend(kept.map(|entry| entry.path().display().to_string()));
        if left.is_empty() || Instant::now() > deadline {
            return left;
        }
        std::thread::park_timeout(Duration::from_millis(50));
    }
}

/// The processes whose command line names the directory.
fn processes(home: &Path) -> Vec<String> {
    let home = home.display().to_string();
    let directories = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = directories.filter_map(|entry| {
        let line: PathBuf = entry.path().join("cmdline");
        let line = String::from_utf8_lossy(&std::fs::read(line).ok()?).replace('\0', " ");
        line.contains(&home).then(|| line.chars().take(200).collect())
    });
    lines.collect()
}
