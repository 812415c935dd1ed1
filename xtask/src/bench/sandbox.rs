//! Where the programs of strangers live while a benchmark uses them: a home of their own that is
//! thrown away, loopback, and an end for all their processes.
//!
//! On its own because several benchmarks start such programs, and none of them may see more.

use anyhow::{Context, Result, bail};
use std::fs::File;
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

/// An app that runs until this is dropped.
pub(super) struct Running(Child);

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
        let mut running = Running(child);
        let deadline = Instant::now() + APP_TIMEOUT;
        while TcpStream::connect(("127.0.0.1", sandbox.port)).is_err() {
            if let Some(status) = running.0.try_wait()? {
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
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.0.wait();
    }
}
