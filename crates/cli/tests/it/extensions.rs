//! The command as a crate of the user's builds it: with a policy, a driver and a monitor of its
//! own.
//!
//! It runs in this process, so what it prints is not looked at here: exit codes are, and who was
//! asked.

use capuchin::trace::prelude::id;
use capuchin::ui::{DeviceError, Rng};
use capuchin::{Finding, each_step};
use capuchin_cli::{Driver, Extensions, OpenDevice, OpenRequest, Problem, run_command};
use capuchin_explore::{Decision, Knowledge, Policy};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Performs the first input that is enabled, and counts how often it was asked.
struct First(Arc<AtomicU32>);

impl Policy for First {
    fn next(&mut self, known: &Knowledge, _: &mut Rng) -> Decision {
        self.0.fetch_add(1, Ordering::Relaxed);
        known.enabled_now().first().map_or(Decision::Restart, |input| Decision::Perform(*input))
    }
}

/// `mine:NAME`, a simulated app by another name.
struct Mine;

impl Driver for Mine {
    fn scheme(&self) -> &'static str {
        "mine"
    }

    fn needs_trust(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn devices(&self) -> String {
        "  mine:contract\n".to_owned()
    }

    fn opener(&self, request: &OpenRequest<'_>) -> Result<OpenDevice, Problem> {
        let app = request.address.to_owned();
        let reason = || DeviceError::Start { device: "mine".into(), reason: "no app".to_owned() };
        Ok(Box::new(move |_| capuchin_apps::open(&app).ok_or_else(|| Problem::device(&reason()))))
    }
}

/// `silent:NAME`, the same, but it does not say what opening it does.
struct Silent;

impl Driver for Silent {
    fn scheme(&self) -> &'static str {
        "silent"
    }

    fn devices(&self) -> String {
        String::new()
    }

    fn opener(&self, request: &OpenRequest<'_>) -> Result<OpenDevice, Problem> {
        Mine.opener(request)
    }
}

#[test]
fn a_driver_that_does_not_say_what_it_does_is_not_trusted_from_a_file() {
    let command = Command::new();
    let spec = command.file("a.capu", "device \"silent:contract\"\ncheck a = Click(#increment)");
    let check = |more: &[&str]| command.run(&[&["check", &spec], more].concat(), "out").0;
    assert_eq!(check(&[]), 2);
    assert_eq!(check(&["--trust"]), 0);
    assert_eq!(check(&["--device", "silent:contract"]), 0);
}

struct Command {
    extensions: Extensions,
    asked: Arc<AtomicU32>,
    home: tempfile::TempDir,
}

impl Command {
    fn new() -> Self {
        let (mut extensions, asked) = (Extensions::default(), Arc::new(AtomicU32::new(0)));
        let counted = Arc::clone(&asked);
        extensions.policies.add("first", "The first input that is enabled", move |_| {
            Box::new(First(Arc::clone(&counted)))
        });
        extensions.drivers.add(Mine);
        extensions.drivers.add(Silent);
        extensions.monitors.push(Arc::new(each_step("below two", |step, _| {
            let count = step.after.screen.number(&id("count"));
            Ok((count >= Some(2.0)).then(|| Finding::new("it counts to two")))
        })));
        Command { extensions, asked, home: tempfile::tempdir().unwrap() }
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.home.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// The exit code, and the run directory.
    fn run(&self, words: &[&str], out: &str) -> (u8, std::path::PathBuf) {
        let directory = self.home.path().join(out);
        let mut words: Vec<&str> =
            std::iter::once("capuchin").chain(words.iter().copied()).collect();
        if words[1] != "run" {
            words.extend(["--quiet", "--seed", "1", "--out", directory.to_str().unwrap()]);
        }
        (run_command(words, &self.extensions), directory)
    }

    fn was_asked(&self) -> bool {
        self.asked.swap(0, Ordering::Relaxed) > 0
    }
}

#[test]
fn a_policy_and_a_driver_of_the_users() {
    let command = Command::new();
    let run = |words: &[&str]| command.run(words, "out").0;
    assert_eq!(run(&["explore", "mine:contract", "--policy", "first", "--events", "20"]), 0);
    assert!(command.was_asked());
    let spec = command.file("a.capu", "device \"mine:contract\"\ncases 2\nauto first 20");
    assert_eq!(run(&["check", &spec]), 0);
    assert!(command.was_asked());
    // Ours are still there.
    assert_eq!(run(&["explore", "sim:contract", "--policy", "random", "--events", "5"]), 0);
    assert!(!command.was_asked());
    // What is not known is refused.
    let spec = command.file("b.capu", "device \"mine:contract\"\nauto fisrt 20");
    assert_eq!(run(&["check", &spec]), 2);
    assert_eq!(run(&["explore", "mine:contract", "--policy", "fisrt"]), 2);
    assert_eq!(run(&["explore", "yours:contract"]), 2);
    assert_eq!(run(&["explore", "mine:contract", "--with", "option"]), 2);
    assert_eq!(run(&["explore", "mine:nothing"]), 3);
}

fn failures(out: &Path) -> Vec<String> {
    let files = std::fs::read_dir(out.join("failures")).into_iter().flatten();
    let paths = files.map(|file| file.unwrap().path()).filter(|path| path.is_file());
    paths.map(|path| path.to_str().unwrap().to_owned()).collect()
}

#[test]
fn a_monitor_that_is_named_watches_every_run() {
    let command = Command::new();
    let clicks = "device \"mine:contract\"\ncheck a = repeat 5 Click(#increment)\n";
    let plain = command.file("plain.capu", clicks);
    let (code, out) = command.run(&["check", &plain], "plain");
    assert_eq!((code, failures(&out).len()), (0, 0), "nobody named it");
    let asking = command.file("asking.capu", &format!("{clicks}monitor \"below two\""));
    let asked = ["check", &asking];
    let given = ["check", &plain, "--monitor", "below two"];
    let explored = ["explore", "mine:contract", "--events", "200", "--monitor", "below two"];
    for (words, name) in [(&asked[..], "asked"), (&given, "given"), (&explored, "explored")] {
        let (code, out) = command.run(words, name);
        assert_eq!(code, 1, "{name}");
        let found = failures(&out).into_iter().find(|saved| {
            let text = std::fs::read_to_string(saved).unwrap();
            // An exploration finds a shorter way.
            let ends = ["Click(#increment) :>> Click(#increment)\n", "\nLongClick(#hold)\n"];
            text.contains("monitor \"below two\"\n") && ends.iter().any(|end| text.ends_with(end))
        });
        let saved = &found.unwrap_or_else(|| panic!("{name}: it is saved"));
        // It runs again as it stands; but not with a command that has no such monitor.
        assert_eq!(command.run(&["run", saved], "").0, 1);
        crate::capuchin::run(["run", saved])
            .expect(2, &["unknown monitor `below two`", "build the command with that monitor"]);
    }
    assert_eq!(command.run(&["check", &plain, "--monitor", "below to"], "unknown").0, 2);
}
