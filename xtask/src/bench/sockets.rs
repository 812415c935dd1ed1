//! Apps that keep a line open (sockets, streams, long polls): how fast they are explored, and how
//! often their first screen has nothing to try.
//!
//! They are strangers' programs, and one of them manages files: each runs with a home and a working
//! directory of its own that are thrown away, on loopback, as nobody where we may do that.

use super::explore::explore;
use anyhow::{Context, Result, bail};
use capuchin::steering::PilotPool;
use capuchin::trace::prelude::auto;
use capuchin::ui::Device;
use capuchin::{Config, Exploration, Plan};
use capuchin_explore::{AbstractionKind, Explorers, Inputs, Models};
use capuchin_web::{Opener, Options};
use serde_json::{Value, json};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const EVENTS: u64 = 150;
const STARTS: u64 = 20;
/// How long an app may take until it answers.
const APP_TIMEOUT: Duration = Duration::from_secs(60);
const THELOUNGE: &str = "thelounge@2.6.0";
const CLOUDCMD: &str = "cloudcmd@18.8.11";
const STREAMLIT: &str = "streamlit==1.67.0";

pub(super) const USAGE: &str = "\
cargo xtask bench sockets -- [OPTIONS]
  --only NAME    this app: streamlit, syncthing, thelounge or cloudcmd; may be given several times
  --starts N     so many starts of each: 20
Needs npm, python3 and, for syncthing, Debian's apt-get and dpkg.";

/// An app: its name, and how it is installed and started.
type App = (&'static str, fn(&Path, &Sandbox) -> Result<Command>);

const APPS: &[App] = &[
    ("streamlit", streamlit),
    ("syncthing", syncthing),
    ("thelounge", thelounge),
    ("cloudcmd", cloudcmd),
];

pub(super) fn run(args: &[&str]) -> Result<()> {
    let (mut only, mut starts) = (Vec::new(), STARTS);
    let mut words = args.iter().skip_while(|word| **word == "--");
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value\n{USAGE}"))?;
        match *word {
            "--only" if APPS.iter().any(|(name, _)| name == value) => only.push(*value),
            "--starts" => starts = value.parse().context("--starts takes a number")?,
            _ => bail!("unexpected {word} {value}\n{USAGE}"),
        }
    }
    let directory = super::scratch("sockets")?;
    println!("{EVENTS} events of an exploration, then {starts} starts\n");
    println!(
        "{:<12}{:>10}{:>10}{:>10}{:>18}",
        "", "events", "a second", "to open", "nothing to try"
    );
    let mut rows = Vec::new();
    for (name, start) in APPS.iter().filter(|(name, _)| only.is_empty() || only.contains(name)) {
        let of_app = directory.join(name);
        std::fs::create_dir_all(&of_app)?;
        let sandbox = Sandbox::new(name)?;
        let command = start(&of_app, &sandbox)?;
        let _running = Running::start(command, &sandbox)?;
        rows.push(measure(name, sandbox.port, starts)?);
    }
    let per_second = |row: &Value| row["events_per_s"].as_f64().unwrap_or_default();
    let slowest = rows.iter().map(per_second).fold(f64::INFINITY, f64::min);
    let nothing: u64 = rows.iter().filter_map(|row| row["nothing"].as_u64()).sum();
    println!("\n{:<44}{:>8}{:>8}", "", "here", "aim");
    println!("{:<44}{slowest:>8.1}{:>8}", "events a second, the slowest", ">= 10");
    println!("{:<44}{nothing:>8}{:>8}", "starts with nothing to try", "0");
    println!("\n{}", json!({"slowest_per_s": slowest, "nothing": nothing, "apps": rows}));
    Ok(())
}

/// Explores an app, and then starts it again and again.
fn measure(name: &str, port: u16, starts: u64) -> Result<Value> {
    let options = format!("http://127.0.0.1:{port}/ crash=-exceptions crash=-rejections");
    let opener = Opener::new(format!("web:{name}"), Options::parse(&options)?);
    let open = || opener.open().map(|device| Box::new(device) as Box<dyn Device>);
    let began = Instant::now();
    let device = open()?;
    let to_open = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let (explored, _) = explore(&plan(), device, &open)?;
    let per_second = explored.events as f64 / began.elapsed().as_secs_f64();
    let mut nothing = 0;
    for seed in 0..starts {
        let seen = open()?.reset(seed)?;
        let offers = Inputs::default().on(&seen.screen, &AbstractionKind::ADAPTIVE);
        nothing += u64::from(offers.is_empty());
    }
    let shown = format!("{nothing} of {starts}");
    println!("{name:<12}{:>10}{per_second:>10.1}{to_open:>8.1} s{shown:>18}", explored.events);
    Ok(json!({
        "name": name, "events": explored.events, "events_per_s": per_second,
        "open_s": to_open, "starts": starts, "nothing": nothing,
    }))
}

fn plan() -> Plan {
    let generator = auto("capuchin", u32::MAX);
    let mut explorers = Explorers::default();
    explorers.models = Models::of_exploration(&generator, &AbstractionKind::ADAPTIVE);
    explorers.may_restart = true;
    let mut config = Config::default();
    (config.seed, config.cases, config.events) = (1, u32::MAX, Some(EVENTS));
    (config.shrink_budget, config.confirmations) = (0, 0);
    let mut plan = Plan::exploration("explore", generator, Exploration::default(), config);
    plan.pilots = PilotPool::new(Arc::new(explorers));
    plan
}

/// The directory in which an app lives, and its port.
struct Sandbox {
    home: PathBuf,
    port: u16,
}

impl Sandbox {
    fn new(name: &str) -> Result<Self> {
        let own = format!("capuchin-sockets-{name}-{}", std::process::id());
        let home = std::env::temp_dir().join(own);
        std::fs::create_dir_all(home.join("files/more"))?;
        std::fs::write(home.join("files/a.txt"), "one\n")?;
        std::fs::write(home.join("files/more/b.txt"), "two\n")?;
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        Ok(Sandbox { home, port })
    }

    /// A command that sees nothing of ours: as nobody, if we are root and `as_nobody`.
    fn command(&self, program: &Path, as_nobody: bool) -> Result<Command> {
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
struct Running(Child);

impl Running {
    fn start(mut command: Command, sandbox: &Sandbox) -> Result<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
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

fn streamlit(directory: &Path, sandbox: &Sandbox) -> Result<Command> {
    let python = super::python(directory, STREAMLIT)?;
    // Its interpreter may be where nobody else can read.
    let mut command = sandbox.command(&python, false)?;
    command.args(["-m", "streamlit", "hello", "--server.address", "127.0.0.1"]);
    command.args(["--server.headless", "true", "--browser.gatherUsageStats", "false"]);
    command.args(["--server.port", &sandbox.port.to_string()]);
    Ok(command)
}

fn syncthing(directory: &Path, sandbox: &Sandbox) -> Result<Command> {
    let program = directory.join("usr/bin/syncthing");
    if !program.exists() {
        println!("apt-get download syncthing");
        let script = "apt-get -qq download syncthing && dpkg -x syncthing_*.deb .";
        let status = Command::new("sh").args(["-c", script]).current_dir(directory).status()?;
        if !status.success() {
            bail!("syncthing cannot be installed; it takes Debian, or --only another app");
        }
    }
    let home = sandbox.home.join("syncthing");
    let named = home.to_string_lossy();
    let config = ["generate", "--no-default-folder", "--home", &named];
    let made = sandbox.command(&program, true)?.args(config).stdout(Stdio::null()).status()?;
    if !made.success() {
        bail!("syncthing generate failed");
    }
    // It finds nobody, and nobody finds it.
    let file = home.join("config.xml");
    let mut text = std::fs::read_to_string(&file)?;
    for name in ["globalAnnounceEnabled", "localAnnounceEnabled", "relaysEnabled", "natEnabled"] {
        text = text.replace(&format!("<{name}>true"), &format!("<{name}>false"));
    }
    text = text.replace("<listenAddress>default", "<listenAddress>tcp://127.0.0.1:0");
    std::fs::write(&file, text)?;
    let mut command = sandbox.command(&program, true)?;
    let address = format!("127.0.0.1:{}", sandbox.port);
    command.args(["--no-browser", "--no-restart", "--home", &named, "--gui-address", &address]);
    Ok(command)
}

fn thelounge(directory: &Path, sandbox: &Sandbox) -> Result<Command> {
    super::npm(directory, &[THELOUNGE])?;
    let mut command = node(directory, "lounge", sandbox)?;
    command.arg("--home").arg(&sandbox.home).args(["start", "--public", "--host", "127.0.0.1"]);
    command.args(["--port", &sandbox.port.to_string()]);
    Ok(command)
}

fn cloudcmd(directory: &Path, sandbox: &Sandbox) -> Result<Command> {
    super::npm(directory, &[CLOUDCMD])?;
    let mut command = node(directory, "cloudcmd", sandbox)?;
    command.args(["--no-open", "--no-console", "--no-terminal", "--no-auth", "--root"]);
    command.arg(sandbox.home.join("files")).args(["--port", &sandbox.port.to_string()]);
    Ok(command)
}

/// A program of a package of npm's.
fn node(directory: &Path, name: &str, sandbox: &Sandbox) -> Result<Command> {
    let mut command = sandbox.command(Path::new("node"), true)?;
    command.arg(directory.join("node_modules/.bin").join(name));
    Ok(command)
}
