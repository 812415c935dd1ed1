//! A directory of a test's own, in which browsers keep their profiles: the test sees which of them
//! run, and that none of them and nothing of theirs is left at the end.

use crate::capuchin::{Ran, command};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A directory for a run and for what its browsers keep.
pub(crate) struct Home {
    directory: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("tmp")).unwrap();
        Home { directory }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The run directory.
    pub(crate) fn out(&self) -> PathBuf {
        self.path("out")
    }

    /// Writes a specification.
    pub(crate) fn spec(&self, text: &str) -> String {
        let file = self.path("a.capu");
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    }

    /// `capuchin check` of this text.
    pub(crate) fn check(&self, text: &str, device: &str, more: &[&str]) -> Command {
        let (spec, out) = (self.spec(text), self.out());
        let mut command = command(["check", &spec, "--device", device, "--seed", "1", "--out"]);
        command.arg(out).args(more).env("TMPDIR", self.path("tmp"));
        command
    }

    /// `capuchin run` of this text.
    pub(crate) fn run(&self, text: &str, device: &str, more: &[&str]) -> Command {
        let mut command = command(["run", &self.spec(text), "--device", device]);
        command.args(more).env("TMPDIR", self.path("tmp"));
        command
    }

    /// `capuchin explore` of this app, into this directory of ours.
    pub(crate) fn explore(&self, device: &str, out: &str, more: &[&str]) -> Command {
        let mut command = command(["explore", device, "--seed", "1", "--out"]);
        command.arg(self.path(out)).args(more).env("TMPDIR", self.path("tmp"));
        command
    }

    /// Runs it to its end; nothing is left behind.
    #[track_caller]
    pub(crate) fn done(&self, mut command: Command) -> Ran {
        let ran = Ran::from(command.output().unwrap());
        self.is_clean();
        ran
    }

    /// Starts it. Its output ends when the last browser of it has gone and been cleaned up after.
    pub(crate) fn start(&self, command: &Command) -> Running {
        let mut wrapped = Command::new("sh");
        wrapped.args(["-c", r#"trap '' XFSZ; exec 9>&1; exec "$@""#, "sh"]);
        wrapped.arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => wrapped.env(name, value),
                None => wrapped.env_remove(name),
            };
        }
        wrapped.current_dir(command.get_current_dir().unwrap());
        wrapped.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = wrapped.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Running { child, stdout, seen: String::new() }
    }

    /// Browsers that run with a profile in here.
    pub(crate) fn browsers(&self) -> Vec<u32> {
        browsers_in(&self.path("tmp"))
    }

    /// Neither a browser nor a profile is left.
    #[track_caller]
    pub(crate) fn is_clean(&self) {
        assert!(self.browsers().is_empty(), "browsers are left: {:?}", self.browsers());
        let left: Vec<_> = std::fs::read_dir(self.path("tmp")).unwrap().flatten().collect();
        assert!(left.is_empty(), "left behind: {left:?}");
    }

    /// The saved failures.
    pub(crate) fn failures(&self) -> Vec<String> {
        let saved = std::fs::read_dir(self.out().join("failures")).unwrap();
        let mut names: Vec<String> = saved
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".capu"))
            .collect();
        names.sort();
        names
    }
}

/// A command that runs.
pub(crate) struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
    seen: String,
}

impl Running {
    /// Waits until it has printed this.
    #[track_caller]
    pub(crate) fn until(&mut self, text: &str) -> &mut Self {
        while !self.seen.contains(text) {
            let more = self.stdout.read_line(&mut self.seen).unwrap();
            assert_ne!(more, 0, "it ended by itself: {}", self.seen);
        }
        self
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&mut self, name: &str) -> &mut Self {
        signal(self.child.id(), name);
        self
    }

    /// Waits until it and its browsers have gone.
    pub(crate) fn end(mut self) -> Ran {
        self.stdout.read_to_string(&mut self.seen).unwrap();
        let mut output = self.child.wait_with_output().unwrap();
        output.stdout = self.seen.into_bytes();
        Ran::from(output)
    }
}

pub(crate) fn signal(process: u32, name: &str) {
    // One that has just gone by itself is as good.
    let _ = Command::new("kill").args([name, &process.to_string()]).stderr(Stdio::null()).status();
}

/// The browsers, their helpers aside, that have a profile below a directory.
pub(crate) fn browsers_in(directory: &Path) -> Vec<u32> {
    let profile = format!("--user-data-dir={}", directory.display());
    let is_browser = |words: &[String]| {
        // What starts it may be a script.
        words.first().is_some_and(|name| !name.ends_with("sh"))
            && words.iter().any(|word| word.starts_with(&profile))
            && !words.iter().any(|word| word.starts_with("--type="))
    };
    processes().into_iter().filter(|(_, words)| is_browser(words)).map(|(id, _)| id).collect()
}

/// The processes that show the pages of a browser.
pub(crate) fn renderers_of(browser: u32) -> Vec<u32> {
    let all = processes();
    let descends = |mut id: u32| {
        while id > 1 && id != browser {
            id = parent(id).unwrap_or(0);
        }
        id == browser
    };
    let is_renderer = |words: &[String]| words.iter().any(|word| word == "--type=renderer");
    all.into_iter()
        .filter(|(id, words)| is_renderer(words) && descends(*id))
        .map(|(id, _)| id)
        .collect()
}

fn parent(id: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

fn processes() -> Vec<(u32, Vec<String>)> {
    let ids = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter_map(|id: u32| {
        let line = std::fs::read(format!("/proc/{id}/cmdline")).ok()?;
        // A browser may part its words with spaces once it has started.
        let line = String::from_utf8_lossy(&line).replace(' ', "\0");
        let words = line.split('\0').filter(|word| !word.is_empty());
        Some((id, words.map(str::to_owned).collect()))
    })
    .collect()
}
