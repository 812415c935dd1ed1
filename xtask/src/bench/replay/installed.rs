//! An app on this machine: its packages, fetched once and kept, and what serves it.
//!
//! On its own because everything here is somebody else's program: it is given a home that is thrown
//! away, and it may fail without ending the benchmark.

use super::super::sandbox::{Running, Sandbox};
use super::scenarios::{Case, Package};
use anyhow::{Context, Result, bail};
use capuchin_web::Server;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An app that is being served.
pub(super) struct Served {
    /// Its address, with a slash at the end.
    pub(super) base: String,
    directory: PathBuf,
    reset: Option<String>,
    sandbox: Sandbox,
    _server: Option<Server>,
    _running: Option<Running>,
}

impl Served {
    /// Installs an app below a directory, unless it is there, and serves it.
    pub(super) fn start(case: &Case, scratch: &Path) -> Result<Self> {
        let directory = scratch.join(&case.id);
        let mut sandbox = Sandbox::new(&format!("replay-{}", case.id.replace('/', "-")))?;
        install(case, &directory, &sandbox)?;
        let reset = case.reset.command.clone();
        if let Some(root) = &case.serve.root {
            let root = directory.join(root);
            let server = Server::start(&root)
                .with_context(|| format!("{} cannot be served", root.display()))?;
            let base = format!("{}/", server.origin());
            let (server, running) = (Some(server), None);
            return Ok(Served {
                base,
                directory,
                reset,
                sandbox,
                _server: server,
                _running: running,
            });
        }
        let command = case.serve.command.as_ref().context("it says neither root nor command")?;
        sandbox.port = case.serve.port.unwrap_or(sandbox.port);
        if let Some(reset) = &reset {
            shell(reset, &directory, &sandbox)?;
        }
        let command = command.replace("{PORT}", &sandbox.port.to_string());
        let mut server = sandbox.command(Path::new("bash"), false)?;
        server.args(["-c", &format!("exec {command}")]).current_dir(&directory);
        server.envs(&case.serve.env);
        let log = File::create(directory.join("server.log"))?;
        let running = Running::start(server, &sandbox, Some(&log))?;
        let base = format!("http://127.0.0.1:{}/", sandbox.port);
        let (server, running) = (None, Some(running));
        Ok(Served { base, directory, reset, sandbox, _server: server, _running: running })
    }

    /// Brings the data of its server back.
    pub(super) fn reset(&self) -> Result<()> {
        match &self.reset {
            Some(command) => shell(command, &self.directory, &self.sandbox),
            None => Ok(()),
        }
    }
}

/// Fetches packages, writes files and prepares, unless that has been done.
fn install(case: &Case, directory: &Path, sandbox: &Sandbox) -> Result<()> {
    let stamp = directory.join(".installed");
    let signature = format!("{:?}", (&case.install, &case.files, &case.prepare, directory));
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == signature) {
        return Ok(());
    }
    if directory.exists() {
        std::fs::remove_dir_all(directory)?;
    }
    std::fs::create_dir_all(directory)?;
    for package in std::iter::once(&case.install).chain(&case.install.also) {
        fetch(package, directory)?;
    }
    for (name, text) in &case.files {
        let file = directory.join(name);
        std::fs::create_dir_all(file.parent().unwrap_or(directory))?;
        std::fs::write(file, text)?;
    }
    for command in &case.prepare {
        shell(command, directory, sandbox)?;
    }
    std::fs::write(&stamp, signature)?;
    Ok(())
}

/// Fetches one package in the way that it asks for.
fn fetch(package: &Package, directory: &Path) -> Result<()> {
    let Package { registry, name, version, mode, pins, .. } = package;
    let below = |kind: &str| -> Result<PathBuf> {
        let there = directory.join(kind).join(name);
        std::fs::create_dir_all(&there)?;
        Ok(there)
    };
    match (registry.as_str(), mode.as_deref()) {
        ("npm", Some("install")) => {
            std::fs::write(directory.join("package.json"), r#"{"private":true}"#)?;
            let package = format!("{name}@{version}");
            fetching(
                Command::new("npm")
                    .args(["install", &package, "--silent", "--no-audit", "--no-fund"])
                    .arg("--omit=optional")
                    .current_dir(directory),
            )
        }
        ("npm", _) => {
            let there = below("npm")?;
            let package = format!("{name}@{version}");
            fetching(Command::new("npm").args(["pack", &package, "--silent"]).current_dir(&there))?;
            unpack(&there)
        }
        (_, Some("sdist")) => {
            let there = below("sdist")?;
            let package = format!("{name}=={version}");
            let mut pip = Command::new("pip");
            pip.args(["download", "-q", "--no-deps", "--no-binary", ":all:", &package]);
            fetching(pip.args(["-d", "."]).current_dir(&there))?;
            unpack(&there)
        }
        _ => {
            if !directory.join("venv/bin").exists() {
                let mut python = Command::new("python3");
                fetching(python.args(["-m", "venv", "venv"]).current_dir(directory))?;
            }
            let mut pip = Command::new("venv/bin/pip");
            pip.args(["install", "-q", "--disable-pip-version-check"]);
            pip.arg(format!("{name}=={version}"));
            pip.args(pins.iter().map(|(name, version)| format!("{name}=={version}")));
            fetching(pip.current_dir(directory))
        }
    }
}

/// Unpacks the one archive in a directory, and removes it.
fn unpack(directory: &Path) -> Result<()> {
    let script = r#"f=$(ls -- *.tgz *.tar.gz 2>/dev/null | tail -1) &&
        tar xzf "$f" --strip-components=1 && rm -- "$f""#;
    fetching(Command::new("bash").args(["-c", script]).current_dir(directory))
}

fn fetching(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}");
    let output = command.stdin(Stdio::null()).output().with_context(|| shown.clone())?;
    if !output.status.success() {
        bail!("{shown} failed: {}", tail(&output.stderr));
    }
    Ok(())
}

/// Runs a command of a case where it lives.
fn shell(command: &str, directory: &Path, sandbox: &Sandbox) -> Result<()> {
    let mut bash = sandbox.command(Path::new("bash"), false)?;
    bash.args(["-c", command]).current_dir(directory).stdin(Stdio::null());
    let output = bash.output()?;
    if !output.status.success() {
        bail!("{command} failed: {}", tail(&output.stderr));
    }
    Ok(())
}

/// The last of what a program said.
fn tail(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    let lines: Vec<&str> = said.trim().lines().rev().take(6).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join(" / ")
}
