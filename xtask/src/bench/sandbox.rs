//! Where the programs of strangers live while a benchmark uses them: a home of their own that is
//! thrown away, loopback, and an end for all their processes.
//!
//! On its own because several benchmarks start such programs, and none of them may see more.

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long an app may take until it answers.
const APP_TIMEOUT: Duration = Duration::from_secs(60);

/// The home of an app, and its port.
pub(super) struct Sandbox {
    pub(super) home: PathBuf,
    pub(super) port: u16,
}

impl Sandbox {
    pub(super) fn new(name: &str) -> Result<Self> {
        let own = format!("capuchin-{name}-{}", std::process::id());
        let home = std::env::temp_dir().join(own);
        std::fs::create_dir_all(&home)?;
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        Ok(Sandbox { home, port })
    }

    /// A command that sees nothing of ours: as nobody, if we are root and `as_nobody`.
    pub(super) fn command(&self, program: &Path, as_nobody: bool) -> Result<Command> {
        let mut command = if as_nobody && is_root() {
            let home = self.home.to_string_lossy();
            let status = Command::new("chown").args(["-R", "65534:65534", &home]).status()?;
            if !status.success() {
                bail!("chown {home} failed");
            }
            let mut command = Command::new("setpriv");
            command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        for name in ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] {
            command.env(name, &self.home);
        }
        command.env("IP", "127.0.0.1").current_dir(&self.home);
        Ok(command)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}

/// An app that runs until this is dropped, or until the benchmark ends in any other way.
pub(super) struct Running {
    app: Child,
    _watcher: Watcher,
}

/// Kills a group of processes if the benchmark is killed: then its input ends without a line.
struct Watcher(Child);

impl Watcher {
    /// Watches over the group, and removes the directory when it has killed it.
    fn start(group: u32, home: &Path) -> Result<Self> {
        let script = "read -r _ || { kill -s KILL -- \"-$0\"; rm -rf -- \"$1\"; }";
        let mut command = Command::new("sh");
        // What ends the benchmark at the keyboard must not end who cleans up after it.
        command.args(["-c", script, &group.to_string()]).arg(home).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Watcher(command.spawn().context("sh cannot be started")?))
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if let Some(mut input) = self.0.stdin.take() {
            let _ = input.write_all(b"\n");
        }
        let _ = self.0.wait();
    }
}

impl Running {
    /// Starts it and waits until it answers at the sandbox's port. What it says goes to `log`.
    pub(super) fn start(
        mut command: Command,
        sandbox: &Sandbox,
        log: Option<&File>,
    ) -> Result<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        let output = || -> Result<Stdio> {
            Ok(match log {
                Some(log) => log.try_clone()?.into(),
                None => Stdio::null(),
            })
        };
        command.stdin(Stdio::null()).stdout(output()?).stderr(output()?).process_group(0);
        let child = command.spawn().with_context(|| format!("{program} cannot be started"))?;
        let watcher = Watcher::start(child.id(), &sandbox.home)?;
        let mut running = Running { app: child, _watcher: watcher };
        let deadline = Instant::now() + APP_TIMEOUT;
        while TcpStream::connect(("127.0.0.1", sandbox.port)).is_err() {
            if let Some(status) = running.app.try_wait()? {
                bail!("{program} has ended before it answered: {status}");
            }
            if Instant::now() > deadline {
                bail!("{program} does not answer");
            }
            std::thread::yield_now();
        }
        Ok(running)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The group: some have children.
        let group = format!("-{}", self.app.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.app.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn what_is_left_of_a_benchmark_that_was_killed_is_killed() {
        let sandbox = Sandbox::new("watcher-test").unwrap();
        let mut app = Command::new("sh");
        // It reads what never comes.
        app.args(["-c", "cat"]).stdin(Stdio::piped()).process_group(0);
        let mut app = app.spawn().unwrap();
        drop(Watcher::start(app.id(), &sandbox.home).unwrap());
        assert_eq!(app.try_wait().unwrap(), None, "a benchmark that ends does that itself");
        assert!(sandbox.home.exists());
        let mut watcher = Watcher::start(app.id(), &sandbox.home).unwrap();
        drop(watcher.0.stdin.take());
        let _ = watcher.0.wait();
        assert_eq!(app.wait().unwrap().signal(), Some(9));
        assert!(!sandbox.home.exists());
    }
}
