//! `capuchin explore`: a policy, an app, a budget, and the readers of what happens.

use crate::args::{Also, ExploreArgs, PolicyName, USUAL_SHRINK_BUDGET};
use crate::check::{Readers, interrupt, invariants};
use crate::device;
use crate::exit::{Exit, Problem};
use crate::progress::Progress as Line;
use crate::resume::{
    cannot_resume, default_directory, device_of, out_directory, warn_of_another, warn_of_loss,
};
use crate::source;
use capuchin::trace::Gen;
use capuchin::ui::{Device, DeviceError, DeviceInfo, Event, Picture};
use capuchin::{Config, Explored, Exploring, LOG_VERSION, Observer, Plan, RunEvent};
use capuchin_explore::{
    AbstractionKind, CapuchinPolicy, Entry, Explorer, Inputs, Keeper, Knowledge, LStarPolicy,
    Limits, ModelError, Phase, Policy, Progress, Random, SwiftHand, Watcher,
};
use capuchin_mission::RunDirectory;
use capuchin_report::explore_command;
use capuchin_spec::Spec;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// What is checked is called so in reports.
const CHECK: &str = "explore";
/// More pictures than that nobody looks at.
const MOST_PICTURES: usize = 200;
/// How many events are explored if neither events nor a time are asked for.
const USUAL_EVENTS: u64 = 2000;
/// After so many points the curve is half as fine: nobody knows how long it gets.
const POINTS: u64 = 200;

/// Explores an app.
pub(crate) fn explore(args: &ExploreArgs) -> Result<Exit, Problem> {
    let (file, spec) = match &args.spec {
        Some(file) => source::load(file)?,
        None => (CHECK.to_owned(), Spec::default()),
    };
    let mut wanted = args.device();
    let earlier = args.resume.as_deref().and_then(device_of);
    wanted.device = wanted.device.or_else(|| spec.device.clone()).or_else(|| earlier.clone());
    if wanted.device.is_none() {
        return Err(Problem::request("no app is named").help(
            "name one, as in `capuchin explore sim:shop` or `capuchin explore http://localhost:8000`",
        ));
    }
    let name = device::name(&wanted, &spec)?;
    if let Some(directory) = &args.resume {
        warn_of_another(directory, earlier, &name);
    }
    let seed = device::seed(&args.device(), &spec);
    let (kind, remembered) = match &args.resume {
        Some(directory) => resume(directory, args.abstraction.as_ref())?,
        None => (args.abstraction.clone().unwrap_or(AbstractionKind::ADAPTIVE), Vec::new()),
    };
    let usual = || default_directory(Path::new(CHECK), &name, seed);
    let out = out_directory(args.out.as_deref(), args.resume.as_deref(), usual)?;
    let source = device::Source::new(&name, &spec, Some(out.join("downloads")))?;
    let known_failures =
        remembered.iter().filter(|entry| matches!(entry, Entry::Violated(_))).count() as u64;
    let reopen = || source.open().map_err(|problem| problem.as_device(&name));
    let mut device = source.open()?;
    let declarations = spec.declarations().map(|(name, line)| (name.to_string(), line)).collect();
    let directory = RunDirectory::create(&out, &name, declarations).map_err(|error| {
        Problem::request(error.to_string()).help("choose another with --out DIR")
    })?;
    let policy = policy(args.policy, device.info());
    let mut explorer = Explorer::new(policy, kind.clone(), inputs(args), seed);
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
    if args.spec.is_some() && plan.invariants.is_empty() {
        let _ = writeln!(
            anstream::stderr(),
            "warning: {file} says nothing of `always`; only crashes are looked for"
        );
    }
    let usual = (args.time.is_none() && args.events.is_none()).then_some(USUAL_EVENTS);
    let limits = Limits { events: args.events.or(usual), ..Limits::default() };

    let line = Rc::new(RefCell::new(Line::new(args.quiet)));
    let mut readers = Shared::new(Readers::new(directory, Rc::clone(&line)));
    let (version, device_name) = (LOG_VERSION, name.clone());
    readers.observe(&RunEvent::RunStarted { version, spec: file, device: device_name, seed });
    let asked = Exploring { known_failures, ..asked(args, limits) };
    readers.observe(&RunEvent::Exploring(asked.clone()));
    let keeper = Keeper::begin(&out.join(RunDirectory::MODEL), &kind, &remembered);
    let mut diary = Diary::begin(keeper, readers.clone(), line, limits.events, args.time);
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
    diary.phase(Phase::Exploring);
    let (mut map, summaries) = explorer.map();
    let mut last = explorer.progress();
    // A policy learns as it goes along, the map is drawn from all that was seen: they may differ by a few.
    last.states = last.states.map(|_| map.states.len());
    diary.point(&last);
    for (number, (state, summaries)) in map.states.iter_mut().zip(summaries).enumerate() {
        let picture = summaries.iter().find_map(|summary| diary.pictures.get(summary));
        state.picture = picture.map(|picture| readers.0.borrow_mut().add_state(number, picture));
    }
    readers.observe(&RunEvent::Learned(map));
    let interrupted = interrupt.load(Ordering::Relaxed) && !time_is_up.load(Ordering::Relaxed);
    if let Some(coverage) = explorer.coverage() {
        readers.0.borrow_mut().add_coverage(coverage);
    }
    let covered = explorer.progress().covered;
    readers.observe(&RunEvent::RunFinished { interrupted, covered, not_begun: Vec::new() });
    readers.0.borrow_mut().finish(args.quiet);
    diary.finish();
    if !args.quiet {
        // A reader that has gone away is no reason to end differently.
        let _ = writeln!(anstream::stdout(), "{}", what_next(args, &explorer, &name, &asked, &out));
    }
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
    if let Some(abstraction) = &args.abstraction {
        add("--abstraction", abstraction.name().to_owned());
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
    Exploring { policy, options, resumes, known_failures: 0 }
}

/// How to go on, or why not.
fn what_next(
    args: &ExploreArgs,
    explorer: &Explorer,
    name: &str,
    asked: &Exploring,
    out: &Path,
) -> String {
    if !explorer.is_done() {
        let out = out.display().to_string();
        let seed = explorer.seed();
        return format!("go on: {}", explore_command(name, seed, asked, Some(&out)));
    }
    if explorer.progress().events == 0 {
        return "nothing could be tried".to_owned();
    }
    let all = Also::value_variants().iter();
    let others = all.filter(|other| !args.also.iter().any(|also| also.event() == other.event()));
    let names: Vec<String> = others
        .filter_map(ValueEnum::to_possible_value)
        .map(|value| format!("--also {}", value.get_name()))
        .collect();
    match names.as_slice() {
        [] => "nothing new was left to try".to_owned(),
        names => format!("nothing new was left to try; there is more with {}", names.join(", ")),
    }
}

/// What an earlier exploration knew.
fn resume(
    directory: &Path,
    wanted: Option<&AbstractionKind>,
) -> Result<(AbstractionKind, Vec<Entry>), Problem> {
    let path = match directory.is_dir() {
        true => directory.join(RunDirectory::MODEL),
        false => directory.to_owned(),
    };
    let help = "name the run directory of an earlier `capuchin explore`";
    if !path.exists() {
        let what = format!("cannot resume {}: no exploration is kept there", directory.display());
        return Err(Problem::request(what).help(help));
    }
    let (kind, entries) = Keeper::load(&path).map_err(|error| cannot_resume(&error, help))?;
    match wanted {
        Some(wanted) if *wanted != kind => {
            let what = format!("it was explored with --abstraction {}", kind.name());
            let path = path.display();
            Err(Problem::request(format!("cannot resume {path}: {what}"))
                .help("leave --abstraction out"))
        }
        _ => Ok((kind, entries)),
    }
}

fn policy(name: PolicyName, info: &DeviceInfo) -> Box<dyn Policy> {
    match name {
        PolicyName::Capuchin => Box::new(CapuchinPolicy::on(info)),
        PolicyName::Swifthand => Box::new(SwiftHand::default()),
        PolicyName::Lstar => Box::new(LStarPolicy::default()),
        PolicyName::Random => Box::new(Random::default()),
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

/// The readers of a run, for the exploration and for its diary.
#[derive(Clone)]
struct Shared(Rc<RefCell<Readers>>);

impl Shared {
    fn new(readers: Readers) -> Self {
        Shared(Rc::new(RefCell::new(readers)))
    }
}

impl Observer for Shared {
    fn observe(&mut self, event: &RunEvent) {
        self.0.borrow_mut().observe(event);
    }
}

/// Keeps what an exploration goes through, tells the readers the points of its curve, and shows how far it is.
struct Diary {
    keeper: Result<Keeper, ModelError>,
    readers: Shared,
    /// Of the screens, by the number of the summary.
    pictures: BTreeMap<u32, Picture>,
    /// After how many events the next point of the curve is due, and how many there are.
    next: u64,
    points: u64,
    /// What it is doing, and since when.
    phase: (Phase, Instant),
    /// How long it has restarted and explored.
    restarting: Duration,
    exploring: Duration,
    /// How long failures were examined.
    examining: Duration,
    /// When it ends, as far as that is known.
    events: Option<u64>,
    time: Option<Duration>,
    begun: Instant,
    line: Rc<RefCell<Line>>,
}

impl Diary {
    fn begin(
        keeper: Result<Keeper, ModelError>,
        readers: Shared,
        line: Rc<RefCell<Line>>,
        events: Option<u64>,
        time: Option<Duration>,
    ) -> Self {
        Diary {
            keeper,
            readers,
            pictures: BTreeMap::new(),
            next: 0,
            points: 0,
            phase: (Phase::Exploring, Instant::now()),
            restarting: Duration::ZERO,
            exploring: Duration::ZERO,
            examining: Duration::ZERO,
            events,
            time,
            begun: Instant::now(),
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
            millis: millis(self.restarting + self.exploring),
            restart_millis: millis(self.restarting),
            examine_millis: millis(self.examining),
        };
        self.readers.observe(&RunEvent::Explored(point));
        self.points += 1;
        self.next = progress.events + (1 << (self.points / POINTS));
    }

    fn finish(mut self) {
        self.line.borrow_mut().clear();
        let problem = match &mut self.keeper {
            Ok(keeper) => keeper.problem(),
            Err(_) => self.keeper.err(),
        };
        warn_of_loss(problem);
    }
}

impl Watcher for Diary {
    fn phase(&mut self, phase: Phase) {
        let (before, since) = std::mem::replace(&mut self.phase, (phase, Instant::now()));
        let passed = self.phase.1 - since;
        match before {
            // The first start is no restart.
            Phase::Restarting if self.points == 0 => {}
            Phase::Restarting => self.restarting += passed,
            Phase::Exploring => self.exploring += passed,
            _ => self.examining += passed,
        }
    }

    fn step(&mut self, progress: &Progress, _: &Knowledge) {
        self.phase(Phase::Exploring);
        if progress.events >= self.next {
            self.point(progress);
        }
        let Progress { events, restarts, screens, .. } = progress;
        let states =
            progress.states.map(|states| format!(" · {states} states")).unwrap_or_default();
        let covered = progress.covered.map(|covered| {
            let (taken, all) = covered.branches;
            format!(" · {} % of branches", 100 * taken / all.max(1))
        });
        let of = self.events.map(|most| format!(" of {most}")).unwrap_or_default();
        let time = self
            .time
            .map(|time| format!("{} s of {} s · ", self.begun.elapsed().as_secs(), time.as_secs()));
        self.line.borrow_mut().say(&format!(
            "{}{events}{of} events · {restarts} restarts · {screens} screens{states}{}",
            time.unwrap_or_default(),
            covered.unwrap_or_default()
        ));
    }

    fn entry(&mut self, entry: &Entry) {
        if let Ok(keeper) = &mut self.keeper {
            keeper.write(entry);
        }
    }

    fn wants_pictures(&self) -> bool {
        self.pictures.len() < MOST_PICTURES
    }

    fn picture(&mut self, summary: u32, picture: &Picture) {
        self.pictures.entry(summary).or_insert_with(|| picture.clone());
    }

    fn lost(&mut self, error: &DeviceError) {
        self.line.borrow_mut().clear();
        let _ = writeln!(anstream::stderr(), "warning: {error}; going on with another one");
    }
}
