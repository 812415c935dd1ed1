//! `capuchin explore`: a policy, an app, a budget, and the readers of what happens.

use crate::args::{Abstraction, ExploreArgs, PolicyName, USUAL_SHRINK_BUDGET};
use crate::check::{Readers, default_directory, interrupt, invariants};
use crate::device;
use crate::exit::{Exit, Problem};
use crate::progress::Progress as Line;
use crate::source;
use capuchin::trace::Gen;
use capuchin::ui::{Device, DeviceError, DeviceInfo, Event, Picture};
use capuchin::{Config, Explored, Exploring, LOG_VERSION, Observer, Plan, RunEvent};
use capuchin_explore::{
    Angluin, Entry, Explorer, Frugal, Inputs, Journal, Kind, Knowledge, Limits, Policy, Progress,
    Random, SwiftHand, Watcher, read_journal,
};
use capuchin_mission::RunDirectory;
use capuchin_spec::Spec;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// What is checked is called so in reports.
const CHECK: &str = "explore";
/// What an exploration knows, in its run directory.
const JOURNAL: &str = "model.jsonl";
/// More pictures than that nobody looks at.
const MOST_PICTURES: usize = 200;
/// How many events are explored if neither events nor a time are asked for.
const USUAL_EVENTS: u64 = 2000;
/// How many points the curve has, about.
const POINTS: u64 = 200;

/// Explores an app.
pub(crate) fn explore(args: &ExploreArgs) -> Result<Exit, Problem> {
    let (file, spec) = match &args.spec {
        Some(file) => source::load(file)?,
        None => (CHECK.to_owned(), Spec::default()),
    };
    let name = device::name(&args.device(), &spec)?;
    let seed = device::seed(&args.device(), &spec);
    let (kind, remembered) = match &args.resume {
        Some(directory) => resume(directory, args.abstraction)?,
        None => (args.abstraction.unwrap_or(Abstraction::Adaptive).kind(), Vec::new()),
    };
    let out = out_directory(args, &name, seed)?;
    let source = device::Source::new(&name, &spec, Some(out.join("downloads")))?;
    let reopen = || source.open().map_err(|problem| problem.as_device(&name));
    let mut device = source.open()?;
    let declarations = spec.declarations().map(|(name, line)| (name.to_string(), line)).collect();
    let directory = RunDirectory::create(&out, &name, declarations).map_err(|error| {
        Problem::request(error.to_string()).help("choose another with --out DIR")
    })?;
    let policy = policy(args.policy, device.info());
    let mut explorer = Explorer::new(policy, kind, inputs(args), seed);
    explorer.remember(&remembered);

    let interrupt = interrupt();
    let mut config = Config::default();
    config.seed = seed;
    // As many runs as it takes.
    config.cases = 0;
    config.shrink_budget = args.shrink_budget;
    config.film = true;
    config.interrupt = Some(Arc::clone(&interrupt));
    let mut plan = Plan::new(CHECK, Gen::Unit, config);
    plan.invariants = invariants(&spec);
    let usual = (args.time.is_none() && args.events.is_none()).then_some(USUAL_EVENTS);
    let limits = Limits { events: args.events.or(usual), ..Limits::default() };

    let line = Rc::new(RefCell::new(Line::new(args.quiet)));
    let mut readers = Readers::new(directory, Rc::clone(&line));
    let (version, device_name) = (LOG_VERSION, name.clone());
    readers.observe(&RunEvent::RunStarted { version, spec: file, device: device_name, seed });
    readers.observe(&RunEvent::Exploring(asked(args, limits)));
    let mut diary = Diary::begin(&out, kind, &remembered, line, limits.events);
    let time_is_up = AtomicBool::new(false);
    let outcome = std::thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        if let Some(time) = args.time {
            let (interrupt, time_is_up) = (&interrupt, &time_is_up);
            scope.spawn(move || {
                if wait.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                    time_is_up.store(true, Ordering::Relaxed);
                    interrupt.store(true, Ordering::Relaxed);
                }
            });
        }
        let outcome =
            explorer.explore(&plan, limits, &mut device, &reopen, &mut readers, &mut diary);
        drop(done);
        outcome
    });
    diary.point(&explorer.progress());
    for point in &diary.curve {
        readers.observe(&RunEvent::Explored(*point));
    }
    let (mut map, sights) = explorer.map();
    for (number, (state, sight)) in map.states.iter_mut().zip(sights).enumerate() {
        let picture = diary.pictures.get(&sight);
        state.picture = picture.map(|picture| readers.add_state(number, picture));
    }
    readers.observe(&RunEvent::Learned(map));
    let interrupted = interrupt.load(Ordering::Relaxed) && !time_is_up.load(Ordering::Relaxed);
    let covered = explorer.progress().covered;
    readers.observe(&RunEvent::RunFinished { interrupted, covered, not_begun: Vec::new() });
    readers.finish(args.quiet);
    diary.finish(args.quiet, explorer.is_done(), &out);
    Ok(if outcome.violated > 0 {
        Exit::Violated
    } else if outcome.device_error.is_some() {
        Exit::DeviceFailed
    } else if interrupted {
        Exit::Interrupted
    } else if explorer.progress().events == 0 {
        Exit::NothingChecked
    } else {
        Exit::Held
    })
}

/// How it was asked for, with what is only so by default and might be otherwise another day.
fn asked(args: &ExploreArgs, limits: Limits) -> Exploring {
    let name = |value: Option<PossibleValue>| {
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    };
    let policy = name(args.policy.to_possible_value());
    let mut options = Vec::new();
    let mut add = |option: &str, value: String| options.extend([option.to_owned(), value]);
    add("--policy", policy.clone());
    if let Some(events) = limits.events {
        add("--events", events.to_string());
    }
    if let Some(time) = args.time {
        add("--time", format!("{}s", time.as_secs_f64()));
    }
    if let Some(abstraction) = args.abstraction {
        add("--abstraction", name(abstraction.to_possible_value()));
    }
    if let Some(file) = &args.spec {
        add("--spec", file.display().to_string());
    }
    for text in &args.text {
        add("--text", text.clone());
    }
    for event in &args.also {
        add("--also", name(event.to_possible_value()));
    }
    if args.shrink_budget != USUAL_SHRINK_BUDGET {
        add("--shrink-budget", args.shrink_budget.to_string());
    }
    if args.no_keys {
        options.push("--no-keys".to_owned());
    }
    let resumes = args.resume.as_ref().map(|directory| directory.display().to_string());
    Exploring { policy, options, resumes }
}

/// Where the results go. An exploration that goes on from another leaves that one as it is.
fn out_directory(args: &ExploreArgs, device: &str, seed: u64) -> Result<PathBuf, Problem> {
    match (&args.out, &args.resume) {
        (Some(out), Some(resume)) if out == resume => {
            Err(Problem::request(format!("{} is what is to be resumed", out.display()))
                .help("choose another directory with --out DIR"))
        }
        (Some(out), _) => Ok(out.clone()),
        (None, Some(resume)) => {
            let mut name = resume.clone().into_os_string();
            name.push("-resumed");
            Ok(name.into())
        }
        (None, None) => Ok(default_directory(Path::new(CHECK), device, seed)),
    }
}

/// What an earlier exploration knew.
fn resume(directory: &Path, wanted: Option<Abstraction>) -> Result<(Kind, Vec<Entry>), Problem> {
    let path = match directory.is_dir() {
        true => directory.join(JOURNAL),
        false => directory.to_owned(),
    };
    let wrong = |what: String| {
        Problem::request(format!("cannot resume {}: {what}", path.display()))
            .help("name the run directory of an earlier `capuchin explore`")
    };
    let text = std::fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
    let (kind, entries) = read_journal(&text).map_err(|error| wrong(error.to_string()))?;
    match wanted {
        Some(wanted) if wanted.kind() != kind => {
            Err(wrong(format!("it was explored with --abstraction {}", kind.name())))
        }
        _ => Ok((kind, entries)),
    }
}

fn policy(name: PolicyName, info: &DeviceInfo) -> Box<dyn Policy> {
    match name {
        PolicyName::Capuchin => Box::new(Frugal::new(restart_cost(info))),
        PolicyName::Swifthand => Box::new(SwiftHand::default()),
        PolicyName::Lstar => Box::new(Angluin::default()),
        PolicyName::Random => Box::new(Random::default()),
    }
}

/// What a restart costs, in events: by what the device says of it.
fn restart_cost(info: &DeviceInfo) -> f64 {
    const AN_EVENT: f64 = 4.0;
    const UNKNOWN: f64 = 6.0;
    match info.reset_takes.as_millis() {
        0 => UNKNOWN,
        millis => (millis as f64 / AN_EVENT).clamp(2.0, 100.0),
    }
}

fn inputs(args: &ExploreArgs) -> Inputs {
    let mut inputs = Inputs::default();
    if !args.text.is_empty() {
        inputs.texts = args.text.iter().map(Into::into).collect();
    }
    for event in args.also.iter().map(|also| also.event()) {
        if !inputs.everywhere.contains(&event) {
            inputs.everywhere.push(event);
        }
    }
    if args.no_keys {
        inputs.everywhere.retain(|event| !matches!(event, Event::ClickBack | Event::ClickMenu));
    }
    inputs
}

/// Keeps what an exploration goes through, and shows how far it is.
struct Diary {
    journal: Option<Journal<File>>,
    problem: Option<String>,
    /// Of the screens, by the number of the sight.
    pictures: BTreeMap<u32, Picture>,
    curve: Vec<Explored>,
    /// A point of the curve every so many events.
    every: u64,
    began: Instant,
    last: Instant,
    restarts: Duration,
    seen_restarts: u64,
    line: Rc<RefCell<Line>>,
}

impl Diary {
    fn begin(
        out: &Path,
        kind: Kind,
        remembered: &[Entry],
        line: Rc<RefCell<Line>>,
        events: Option<u64>,
    ) -> Self {
        let path = out.join(JOURNAL);
        let journal = File::create(&path).and_then(|file| {
            let mut journal = Journal::begin(file, kind)?;
            remembered.iter().try_for_each(|entry| journal.write(entry))?;
            Ok(journal)
        });
        let (journal, problem) = match journal {
            Ok(journal) => (Some(journal), None),
            Err(error) => (None, Some(format!("cannot write {}: {error}", path.display()))),
        };
        Diary {
            journal,
            problem,
            pictures: BTreeMap::new(),
            curve: Vec::new(),
            every: (events.unwrap_or(USUAL_EVENTS) / POINTS).max(1),
            began: Instant::now(),
            last: Instant::now(),
            restarts: Duration::ZERO,
            seen_restarts: 0,
            line,
        }
    }

    /// One more point of the curve.
    fn point(&mut self, progress: &Progress) {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let point = Explored {
            events: progress.events,
            restarts: progress.restarts,
            screens: progress.screens as u64,
            transitions: progress.transitions as u64,
            prefixes: progress.prefixes as u64,
            states: progress.states.unwrap_or(0) as u64,
            covered: progress.covered,
            millis: millis(self.began.elapsed()),
            restart_millis: millis(self.restarts),
        };
        self.curve.push(point);
        // A run without an end gets a coarser curve, not a longer one.
        if self.curve.len() as u64 > 2 * POINTS {
            let mut keep = false;
            self.curve.retain(|_| {
                keep = !keep;
                keep
            });
            self.every *= 2;
        }
    }

    fn finish(mut self, quiet: bool, is_done: bool, out: &Path) {
        self.line.borrow_mut().clear();
        let mut stderr = anstream::stderr();
        if let Some(problem) = self.problem.take() {
            let _ = writeln!(stderr, "warning: {problem}; it cannot be resumed");
        }
        if !quiet {
            // A reader that has gone away is no reason to end differently.
            let _ = match is_done {
                true => writeln!(anstream::stdout(), "nothing new was left to try"),
                false => writeln!(
                    anstream::stdout(),
                    "go on: capuchin explore --resume {} ...",
                    out.display()
                ),
            };
        }
    }
}

impl Watcher for Diary {
    fn step(&mut self, progress: &Progress, _: &Knowledge) {
        let now = Instant::now();
        if progress.restarts > self.seen_restarts {
            self.seen_restarts = progress.restarts;
            self.restarts += now - self.last;
        }
        self.last = now;
        if progress.events >= self.curve.last().map_or(0, |point| point.events + self.every) {
            self.point(progress);
        }
        let Progress { events, restarts, screens, .. } = progress;
        let states =
            progress.states.map(|states| format!(" · {states} states")).unwrap_or_default();
        let covered = progress.covered.map(|covered| {
            let (taken, all) = covered.branches;
            format!(" · {} % of branches", 100 * taken / all.max(1))
        });
        self.line.borrow_mut().say(&format!(
            "{events} events · {restarts} restarts · {screens} screens{states}{}",
            covered.unwrap_or_default()
        ));
    }

    fn entry(&mut self, entry: &Entry) {
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.write(entry)
        {
            self.problem = Some(format!("cannot write {JOURNAL}: {error}"));
            self.journal = None;
        }
    }

    fn wants_pictures(&self) -> bool {
        self.pictures.len() < MOST_PICTURES
    }

    fn picture(&mut self, sight: u32, picture: &Picture) {
        self.pictures.entry(sight).or_insert_with(|| picture.clone());
    }

    fn lost(&mut self, error: &DeviceError) {
        self.line.borrow_mut().clear();
        let _ = writeln!(anstream::stderr(), "warning: {error}; going on with another one");
    }
}
