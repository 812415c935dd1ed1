//! The fuzzers: whatever reads something that others may have written.
//!
//! They run in a process of their own, because an overflow of the stack or of the memory ends one.
//! It notes each input before it tries it, so that the one that ended it is known.

use super::{Asked, Damage, generate, planning};
use anyhow::{Context, Result};
use capuchin::log::{Observer, RunEvent};
use capuchin::trace::Shrinker;
use capuchin::ui::{Rng, Visible};
use capuchin_automata::Dot;
use capuchin_explore::{Abstractions, Keeper};
use capuchin_mission::{Log, read_log};
use capuchin_report::{Terminal, html, junit};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How much more memory one input may take, in kilobytes.
const MOST_MEMORY: u64 = 256 << 10;
/// What the process may take, in kilobytes: what asks for more ends it.
const LIMIT: u64 = 3 << 20;
/// The file with the input that is being tried.
const CURRENT: &str = "current.txt";

/// One thing that reads: its name, and what tries it with one input. An error is harm.
type Target = (&'static str, fn(&mut Fuzzer, &mut Rng) -> Result<(), String>);

const TARGETS: [Target; 9] = [
    ("valid-spec", |fuzzer, rng| {
        let text = fuzzer.tries(generate::spec(rng));
        let parsed = capuchin_spec::parse("fuzz.capu", &text);
        let said = parsed.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        said.map_or(Ok(()), |said| Err(format!("a valid spec is refused: {said}")))?;
        round_trip(&text)
    }),
    ("sampling", |fuzzer, rng| {
        let text = fuzzer.tries(generate::spec(rng));
        let parsed = capuchin_spec::parse("fuzz.capu", &text);
        for check in parsed.spec.iter().flat_map(|spec| &spec.checks) {
            let sample = check.generator.sample(Rng::new(rng.next()));
            let _ = capuchin_spec::parse_gen(&sample.to_trace().to_string())
                .map_err(|said| format!("a trace that was drawn is refused: {}", said[0]))?;
            let mut shrinker = Shrinker::new(sample);
            for number in 0..20 {
                match (shrinker.propose().is_some(), number % 3) {
                    (false, _) => break,
                    (true, 0) => shrinker.accept(&[]),
                    (true, _) => shrinker.reject(),
                }
            }
        }
        Ok(())
    }),
    ("spec", |fuzzer, rng| {
        let valid = generate::spec(rng);
        let text = fuzzer.tries(generate::mutated(rng, &valid));
        let _ = capuchin_spec::parse_gen(&text);
        round_trip(&text)
    }),
    ("log", |fuzzer, rng| {
        let log = fuzzer.log.clone();
        let text = fuzzer.tries(generate::mutated(rng, &log));
        fuzzer.write(Log::FILE, &text)?;
        let read = read_log(&fuzzer.directory);
        read.map_or(Ok(()), |log| reports(&log.events))
    }),
    ("reports", |fuzzer, rng| {
        // What an app may say, in every text of a log.
        let hostile = "\\u001b[2J\\ufffe\\uffff\\u202e\\r\\n<script>]]>&\\u0000\\u009b";
        let marks = ["\"", " ", "sim:", "Click"];
        let mark = marks[rng.below(marks.len() as u64) as usize];
        let log =
            fuzzer.log.replace(mark, &format!("{mark}{}", if mark == "\"" { "" } else { hostile }));
        let text = fuzzer.tries(log);
        fuzzer.write(Log::FILE, &text)?;
        let read = read_log(&fuzzer.directory).map_err(|error| error.to_string())?;
        reports(&read.events)
    }),
    ("journal", |fuzzer, rng| {
        let journal = fuzzer.journal.clone();
        let text = fuzzer.tries(generate::mutated(rng, &journal));
        fuzzer.write("model.jsonl", &text)?;
        let _ = Keeper::load(&fuzzer.directory.join("model.jsonl"), &Abstractions::default());
        Ok(())
    }),
    ("dot", |fuzzer, rng| {
        let mut dot = String::from("digraph g {\n__start0 [label=\"\"];\n__start0 -> s0;\n");
        for _ in 0..rng.below(20) {
            let (from, to, input) = (rng.below(5), rng.below(5), rng.below(3));
            let _ = writeln!(dot, "s{from} -> s{to} [label=\"i{input}/o{to}\"];");
        }
        let text = fuzzer.tries(generate::mutated(rng, &(dot + "}\n")));
        let _ = Dot::parse(&text);
        Ok(())
    }),
    ("planning", |fuzzer, rng| {
        let valid = planning::model(rng);
        let changed = if rng.below(4) == 0 { valid } else { generate::mutated(rng, &valid) };
        planning::attempt(&fuzzer.tries(changed))
    }),
    ("options", |fuzzer, rng| {
        let words =
            ["phone", "viewport=1x1", "header=A:'b c'", "flag=--x", "$HOME", "time=real", "'"];
        let mut text = String::from("http://localhost:8000");
        for _ in 0..rng.below(6) {
            text += &format!(" {}", words[rng.below(words.len() as u64) as usize]);
        }
        let text = fuzzer.tries(generate::mutated(rng, &text));
        let wants = capuchin_web::needs_trust(&text);
        let options = capuchin_web::Options::parse(&text);
        let starts = options.is_ok_and(|options| {
            options.reset_command.is_some() || !options.flags.is_empty() || options.proxy.is_some()
        });
        match starts && wants.is_empty() {
            true => Err("it starts something, and needs no trust".to_owned()),
            false => Ok(()),
        }
    }),
];

/// What is read prints as something that reads the same.
fn round_trip(text: &str) -> Result<(), String> {
    let Some(spec) = capuchin_spec::parse("fuzz.capu", text).spec else { return Ok(()) };
    let printed = spec.to_string();
    match capuchin_spec::parse("printed.capu", &printed).spec == Some(spec) {
        true => Ok(()),
        false => Err(format!("it prints as something else:\n{printed}")),
    }
}

/// Every report of these events can be made, and does nothing where it is shown.
fn reports(events: &[RunEvent]) -> Result<(), String> {
    let mut bytes = Vec::new();
    let mut terminal = Terminal::new(&mut bytes);
    events.iter().for_each(|event| terminal.observe(event));
    let text = String::from_utf8_lossy(&bytes);
    for line in text.lines() {
        // The colours are ours: ESC, a bracket, figures, an m.
        let mut parts = line.split("\u{1b}[");
        let plain = parts.next().into_iter().map(str::to_owned).chain(parts.map(|part| {
            part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').to_owned()
        }));
        if !plain.into_iter().all(|part| Visible(&part).is_unchanged()) {
            return Err(format!("the terminal is told {line:?}"));
        }
    }
    let xml = junit(events);
    if xml.contains(|c: char| matches!(c, '\u{fffe}' | '\u{ffff}') || (c < ' ' && c != '\n')) {
        return Err("the JUnit report is not XML".to_owned());
    }
    let page = html(events, "out", &|_: &str| None);
    match page.contains("<script>]]>") {
        true => Err("a text of the app is markup of the page".to_owned()),
        false => Ok(()),
    }
}

struct Fuzzer {
    directory: std::path::PathBuf,
    /// A log and a journal that are right.
    log: String,
    journal: String,
    target: &'static str,
    /// What was tried last.
    last: String,
}

impl Fuzzer {
    /// Notes an input that is about to be tried.
    fn tries(&mut self, input: String) -> String {
        let noted = format!("{}\n{input}", self.target);
        let _ = std::fs::write(self.directory.join(CURRENT), &noted);
        self.last = noted;
        input
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        std::fs::write(self.directory.join(name), text).map_err(|error| error.to_string())
    }

    /// Keeps what was tried last, and says so.
    fn keep(&self, kind: &str, number: u64, why: &str) {
        let name = self.directory.join(format!("{kind}-{}-{number}.txt", self.target));
        let _ = std::fs::write(&name, &self.last);
        let why = Visible(why).cut(300);
        println!("{kind} {}: {why}", name.display());
    }
}

/// The process in which the fuzzers run.
pub(super) fn child(seed: u64, time: Duration, directory: &Path) -> Result<()> {
    std::panic::set_hook(Box::new(|_| {}));
    let read = |name: &str| std::fs::read_to_string(directory.join(name)).context("no sample");
    let (log, journal) = (read("sample-log")?, read("sample-journal")?);
    let directory = directory.to_owned();
    let mut fuzzer = Fuzzer { directory, log, journal, target: "", last: String::new() };
    let (begun, mut inputs) = (Instant::now(), 0u64);
    let mut highest = memory("VmHWM");
    while begun.elapsed() < time {
        let mut rng = Rng::stream(seed, inputs);
        let (name, target) = TARGETS[rng.below(TARGETS.len() as u64) as usize];
        fuzzer.target = name;
        let tried = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| target(&mut fuzzer, &mut rng)));
        match result {
            Ok(Ok(())) => {}
            Ok(Err(why)) => fuzzer.keep("panic", inputs, &why),
            Err(panic) => {
                let why = panic.downcast_ref::<String>().map(String::as_str);
                let why = why.or_else(|| panic.downcast_ref::<&str>().copied());
                fuzzer.keep("panic", inputs, why.unwrap_or("it panicked"));
            }
        }
        let now = memory("VmHWM");
        if now > highest + MOST_MEMORY {
            fuzzer.keep("memory", inputs, &format!("{} MiB", (now - highest) >> 10));
        }
        highest = highest.max(now);
        if tried.elapsed() > Duration::from_secs(10) {
            fuzzer.keep("slow", inputs, &format!("{:?}", tried.elapsed()));
        }
        inputs += 1;
    }
    println!("inputs {inputs}");
    Ok(())
}

/// A figure of this process, in kilobytes.
fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

/// Runs the fuzzers for as long as was asked for.
pub(super) fn run(asked: &Asked, scratch: &Path, command: &Path) -> Result<Damage> {
    println!(
        "\nfuzzers: {} s of {}",
        asked.time.as_secs(),
        TARGETS.map(|(name, _)| name).join(", ")
    );
    let directory = scratch.join("fuzz");
    std::fs::create_dir_all(&directory)?;
    let sample = |arguments: &[&str], name: &str, wanted: &str| -> Result<()> {
        let out = scratch.join(name);
        Command::new(command).args(arguments).arg("--out").arg(&out).arg("-q").output()?;
        std::fs::copy(out.join(wanted), directory.join(name)).context("no sample was made")?;
        Ok(())
    };
    let spec = directory.join("sample.capu");
    std::fs::write(
        &spec,
        "device \"sim:music\"\ncheck a = monkey 20\ncheck b = Click(#enter) :>> Click(\"b\")",
    )?;
    sample(
        &["check", &spec.to_string_lossy(), "--cases", "20", "--seed", "1"],
        "sample-log",
        Log::FILE,
    )?;
    sample(
        &["explore", "sim:shop", "--events", "60", "--seed", "1"],
        "sample-journal",
        "model.jsonl",
    )?;
    let mut damage = Damage::default();
    let begun = Instant::now();
    for attempt in 0.. {
        let Some(left @ 1..) = asked.time.checked_sub(begun.elapsed()).map(|left| left.as_secs())
        else {
            break;
        };
        let script = format!("ulimit -v {LIMIT}; exec \"$0\" \"$@\"");
        let output = Command::new("sh")
            .args(["-c", &script])
            .arg(std::env::current_exe()?)
            .args(["bench", "attack", "--seconds", &left.to_string()])
            .args(["--seed", &(asked.seed + (attempt << 32)).to_string(), "--child"])
            .arg(&directory)
            .output()?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            match line.split_once(' ') {
                Some(("inputs", count)) => damage.inputs += count.parse::<u64>()?,
                Some(("panic", _)) => Damage::note(&mut damage.panics, line),
                Some(("memory", _)) => Damage::note(&mut damage.over_memory, line),
                _ => println!("  {line}"),
            }
        }
        if !output.status.success() {
            let kept = directory.join(format!("ended-{attempt}.txt"));
            std::fs::copy(directory.join(CURRENT), &kept)?;
            let said = String::from_utf8_lossy(&output.stderr);
            let why = format!("{}: {}: {}", kept.display(), output.status, said.trim());
            match said.contains("memory allocation") {
                true => Damage::note(&mut damage.over_memory, &why),
                false => Damage::note(&mut damage.panics, &why),
            }
        }
    }
    println!("  {} inputs", damage.inputs);
    Ok(damage)
}
