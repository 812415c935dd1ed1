//! Finds a browser, starts it, and leaves nothing of it behind.

use crate::allowed_origins::AllowedOrigins;
use crate::connection::Connection;
use crate::http;
use crate::options::{Clock, Options, Program};
use crate::protocol_types::DebuggerAddress;
use crate::transport::{self, PipeReceiver, PipeTransmitter};
use command_fds::{CommandFdExt, FdMapping};
use std::io::{self, PipeReader, PipeWriter, Read, Seek};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// What a Chromium without windows is called on a PATH: a page costs it half of what it costs the
/// other, which has all of its windows even when nobody sees them.
const HEADLESS_SHELLS: [&str; 2] = ["chromium-headless-shell", "chrome-headless-shell"];
/// What Chromium and its relatives are called.
const BROWSERS: [&str; 6] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
];

const HOW_TO_GET_ONE: &str = "install it (Debian: apt-get install chromium-headless-shell or chromium), or say where it is \
                              with browser=/path/to/chrome, or browser=http://host:9222 for one that runs already";

/// Runs the browser and removes its profile when it has gone, whoever ended it: it outlives us by
/// that much, and so nothing stays behind even if we are killed. The helpers of a browser that did
/// not go by itself write into its profile for a moment longer.
const RUN_AND_REMOVE_PROFILE: &str = r#""$0" "$@"; status=$?
test $status -eq 0 || { trap '' TERM; kill -TERM 0; sleep 0.3; }
for attempt in 1 2 3 4 5; do rm -rf -- "$CAPUCHIN_PROFILE" && break; sleep 0.2; done
exit $status"#;

/// A browser with windows makes `.org.chromium.Chromium.123456/SingletonSocket` in its directory
/// for temporary files, and the path of a socket has 107 characters at most (103 on macOS).
const LONGEST_TMPDIR: usize = 55;

/// Where a browser's standard error goes, in its profile.
const STDERR: &str = "capuchin-stderr";

/// A browser process that we started.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    profile: PathBuf,
    pub(crate) draws_on_command: bool,
    /// The port at which other programs reach it.
    pub(crate) port: Option<u16>,
}

impl Process {
    /// Waits until it has gone and taken its profile with it; ends it if it does not go by itself.
    pub(crate) fn end(self) {
        let (group, profile) = (format!("-{}", self.child.id()), self.profile);
        let mut child = self.child;
        let (sender, gone) = channel();
        let waiting = std::thread::spawn(move || {
            let _ = child.wait();
            let _ = sender.send(());
        });
        let is_gone = gone.recv_timeout(Duration::from_secs(5)).is_ok();
        // If somebody ended the shell, the browser may be there still, and its profile is.
        if !is_gone || profile.exists() {
            // The whole group: the shell, the browser and all its children.
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            let _ = waiting.join();
            let _ = std::fs::remove_dir_all(profile);
        }
    }
}

/// Starts a browser, or connects to one that runs. The error says what to do.
pub(crate) fn launch(
    options: &Options,
    allowed: &AllowedOrigins,
) -> Result<(Arc<Connection>, Option<Process>), String> {
    let start = |path: &Path| {
        start(path, options, allowed).map(|(connection, process)| (connection, Some(process)))
    };
    match &options.program {
        Program::At(address) => attach(address).map(|connection| (connection, None)),
        Program::File(path) => start(path),
        Program::OnPath => {
            let path = find(options.visible).ok_or_else(|| {
                format!("there is no Chromium or Chrome on the PATH; {HOW_TO_GET_ONE}")
            })?;
            start(&path)
        }
    }
}

fn find(visible: bool) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let directories: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let shells = HEADLESS_SHELLS.iter().filter(|_| !visible);
    let mut candidates =
        shells.chain(&BROWSERS).flat_map(|name| directories.iter().map(move |dir| dir.join(name)));
    candidates.find(|file| file.is_file())
}

fn start(
    program: &Path,
    options: &Options,
    allowed: &AllowedOrigins,
) -> Result<(Arc<Connection>, Process), String> {
    let cannot = |error: io::Error| format!("{}: {error}", program.display());
    if program.components().count() > 1 && !program.is_file() {
        return Err(format!("there is no browser at {}; {HOW_TO_GET_ONE}", program.display()));
    }
    let profile = make_profile().map_err(|error| {
        format!("cannot make a profile directory: {error}; TMPDIR says where there is room for one")
    })?;
    let port = match options.debugging_port {
        Some(0) => Some(free_port().map_err(cannot)?),
        port => port,
    };
    let mut flags = flags(program, &profile, options, allowed);
    // It listens on the loopback address only.
    flags.extend(port.map(|port| format!("--remote-debugging-port={port}")));
    let started = spawn(program, &profile, &flags).map_err(cannot);
    let (child, reader, writer) = match started {
        Ok(started) => started,
        Err(reason) => {
            let _ = std::fs::remove_dir_all(&profile);
            return Err(reason);
        }
    };
    let receiver = Box::new(PipeReceiver::new(reader));
    let connection = Connection::open(receiver, Box::new(PipeTransmitter(writer)));
    let draws_on_command = draws_on_command(program, options);
    Ok((connection, Process { child, profile, draws_on_command, port }))
}

/// A port of this machine that nobody listens at.
fn free_port() -> io::Result<u16> {
    let listener = std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

/// A directory for everything that a browser keeps, which nobody else can read: cookies and what
/// the app stored are in it.
fn make_profile() -> io::Result<PathBuf> {
    let private = std::fs::Permissions::from_mode(0o700);
    let made =
        tempfile::Builder::new().prefix("capuchin-profile-").permissions(private).tempdir()?;
    Ok(made.keep())
}

/// The browser reads its commands on descriptor 3 and answers on 4.
fn spawn(
    program: &Path,
    profile: &Path,
    flags: &[String],
) -> io::Result<(Child, PipeReader, PipeWriter)> {
    let (commands, writer) = io::pipe()?;
    let (reader, answers) = io::pipe()?;
    let log = std::fs::File::create(profile.join(STDERR))?;
    let mut command = Command::new("sh");
    command.arg("-c").arg(RUN_AND_REMOVE_PROFILE).arg(program).args(flags);
    command.env("CAPUCHIN_PROFILE", profile);
    if profile.as_os_str().len() <= LONGEST_TMPDIR {
        // What a browser that is killed had not yet removed goes with the profile.
        command.env("TMPDIR", profile);
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    // Ctrl-C is for us: we end the browser when the report is written.
    command.process_group(0);
    command
        .fd_mappings(vec![
            FdMapping { parent_fd: commands.into(), child_fd: 3 },
            FdMapping { parent_fd: answers.into(), child_fd: 4 },
        ])
        .map_err(io::Error::other)?;
    Ok((command.spawn()?, reader, writer))
}

/// Whether the browser can and should be told when to draw. Touches wait for frames at every turn,
/// so those who use fingers have them drawn as ever.
fn draws_on_command(program: &Path, options: &Options) -> bool {
    let name = program.file_name().unwrap_or_default();
    let is_headless_shell = HEADLESS_SHELLS.iter().any(|shell| name == *shell);
    is_headless_shell && options.clock == Clock::Virtual && !options.touch && !options.visible
}

fn flags(
    program: &Path,
    profile: &Path,
    options: &Options,
    allowed: &AllowedOrigins,
) -> Vec<String> {
    let mut flags: Vec<String> = [
        "--remote-debugging-pipe",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--disable-gpu",
        "--disable-extensions",
        "--disable-default-apps",
        "--disable-dev-shm-usage",
        "--disable-search-engine-choice-screen",
        "--disable-breakpad",
        "--disable-domain-reliability",
        "--disable-client-side-phishing-detection",
        "--metrics-recording-only",
        // A page must not be slowed down because another window is in front of it.
        "--disable-background-timer-throttling",
        "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        "--disable-hang-monitor",
        // Whether a window was asked for soon enough after a click is a matter of the machine's
        // time.
        "--disable-popup-blocking",
        // Without the first of these, work is put off after an input until a frame is drawn, and on
        // a clock that stands none is.
        "--disable-features=DeferRendererTasksAfterInput,Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider,\
         AutofillServerCommunication,CertificateTransparencyComponentUpdater",
        // There is a mouse, whatever is plugged in: pages show what is for mice, and what hovering
        // shows.
        "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
        "--autoplay-policy=no-user-gesture-required",
        "--password-store=basic",
        "--use-mock-keychain",
        "--mute-audio",
    ]
    .map(str::to_owned)
    .into();
    flags.push(format!("--user-data-dir={}", profile.display()));
    if !options.visible {
        flags.push("--headless".to_owned());
    }
    if draws_on_command(program, options) {
        let drawing = ["--enable-begin-frame-control", "--run-all-compositor-stages-before-draw"];
        flags.extend(drawing.map(str::to_owned));
    }
    if is_root() {
        flags.push("--no-sandbox".to_owned());
    }
    match allowed.resolver_rules() {
        Some(rules) => {
            // Each context has a proxy that refuses other origins. What uses no proxy finds nobody:
            // the browser's own errands, names that a page has looked up and does not ask, calls
            // between browsers.
            flags.push(format!("--host-resolver-rules={rules}"));
            // One name is that of a browser with windows, the other that of one without.
            for name in ["webrtc-ip-handling-policy", "force-webrtc-ip-handling-policy"] {
                flags.push(format!("--{name}=disable_non_proxied_udp"));
            }
        }
        None => flags.extend(options.proxy.iter().map(|proxy| format!("--proxy-server={proxy}"))),
    }
    flags.extend(options.flags.iter().cloned());
    flags.push("about:blank".to_owned());
    flags
}

/// Chromium refuses to run as root with its sandbox.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}

/// What to do about a program that started and did not answer.
pub(crate) fn advice(options: &Options) -> String {
    match &options.program {
        Program::File(path) => {
            format!("is {} a Chromium or Chrome? If not, {HOW_TO_GET_ONE}", path.display())
        }
        Program::OnPath => {
            "is there room and memory for a browser? Try it by hand, or name another \
                            with browser=/path/to/chrome"
                .to_owned()
        }
        Program::At(_) => {
            "is it a Chromium or Chrome that runs with --remote-debugging-port?".to_owned()
        }
    }
}

/// The end of what the browser wrote to its standard error.
pub(crate) fn stderr_tail(process: &Process) -> String {
    let said = std::fs::read_to_string(process.profile.join(STDERR)).unwrap_or_default();
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(3)..].join("; ")
}

/// How much is read at once of what a browser wrote to its standard error, in bytes.
const LONGEST_STDERR: u64 = 256 * 1024;

/// What the browser wrote to its standard error from there on.
pub(crate) fn stderr_from(process: &Process, start: u64) -> String {
    let read = || -> io::Result<Vec<u8>> {
        let mut file = std::fs::File::open(process.profile.join(STDERR))?;
        file.seek(io::SeekFrom::Start(start))?;
        let mut written = Vec::new();
        file.take(LONGEST_STDERR).read_to_end(&mut written)?;
        Ok(written)
    };
    String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
}

/// How much the browser wrote to its standard error.
pub(crate) fn stderr_length(process: &Process) -> u64 {
    process.profile.join(STDERR).metadata().map_or(0, |file| file.len())
}

fn attach(address: &str) -> Result<Arc<Connection>, String> {
    let unreachable = |error: &dyn std::fmt::Display| {
        format!(
            "no browser answers at {address}: {error}; start one with --remote-debugging-port=9222, \
             or leave browser= out to have one started"
        )
    };
    let socket = if address.starts_with("ws://") {
        address.to_owned()
    } else {
        let about =
            http::request("GET", &format!("{}/json/version", address.trim_end_matches('/')))
                .map_err(|error| unreachable(&error))?;
        let about: DebuggerAddress =
            serde_json::from_slice(&about.body).map_err(|error| unreachable(&error))?;
        match about.web_socket_debugger_url {
            Some(socket) => socket,
            None => return Err(unreachable(&"it names no webSocketDebuggerUrl")),
        }
    };
    let (receiver, transmitter) =
        transport::connect(&socket).map_err(|error| unreachable(&error))?;
    Ok(Connection::open(receiver, transmitter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_for_nobody_else() {
        let (first, second) = (make_profile().unwrap(), make_profile().unwrap());
        let mode = first.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        assert_ne!(first, second);
        for made in [first, second] {
            std::fs::remove_dir(made).unwrap();
        }
    }
}
