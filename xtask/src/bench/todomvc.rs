//! One specification, `examples/todomvc.capu`, on every implementation of TodoMVC that npm's
//! package has: which checks fail, after how many events and seconds, and the minimal trace.

use anyhow::{Context, Result, bail};
use capuchin::log::{Failure, Observer, RunEvent, VerdictKind};
use capuchin::trace::Gen;
use capuchin::ui::{Device, DeviceError, Event, Powers, Rng, Role, Script, Selector, Stop};
use capuchin::{Action, Config, Outcome, Plan, step};
use capuchin_mission::{Fleet, Open};
use capuchin_spec::{NamedGen, Spec};
use capuchin_web::{Opener, Options, Server};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const PACKAGE: &str = "todomvc@0.1.1";
const SPEC: &str = "examples/todomvc.capu";
const SEED: u64 = 1;
/// Some apps save, or load what is missing, half a second later: an event takes longer than that.
const STEADY: &str = "event-takes=1000";
/// Circumstances without which some faults stay hidden, and the check that is run in them too. Only
/// what is shown wrong counts there: that something is not there yet to be clicked is no fault, a
/// person waits for it.
const CIRCUMSTANCES: [Circumstance; 2] = [
    Circumstance {
        about: "with a quick hand",
        options: "event-takes=100",
        check: "filtering",
        times: 1,
    },
    Circumstance {
        about: "where answers overtake each other",
        options: "event-takes=1000 requests=uneven",
        check: "persistedTickAll",
        times: 3,
    },
];
/// What an exception that nobody catches is a fault against.
const NO_EXCEPTION: &str = "noUncaughtException";
/// What we ask a page ourselves.
const COMPLETE: &str = "complete";

pub(super) const USAGE: &str = "\
cargo xtask bench todomvc -- [OPTIONS]
  --only NAME    this variant, for example react or duel/www; may be given several times
  --check NAME   this check of examples/todomvc.capu; may be given several times
  --cases N      traces for each check, instead of what the specification says
  --limit N      seconds for a variant, after which the rest of its checks is left out: 900
  --jobs N       variants at the same time: 2";

/// Runs it.
pub(super) fn run(args: &[&str]) -> Result<()> {
    let request = Request::read(args)?;
    let directory = super::scratch("todomvc")?;
    super::npm(&directory, &[PACKAGE])?;
    let package = directory.join("node_modules/todomvc");
    let server = Server::start(&package)?;
    let spec = specification()?;
    let variants = request.variants(&package)?;
    let began = Instant::now();
    let queue = Mutex::new(variants.iter());
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..request.jobs {
            scope.spawn(|| {
                loop {
                    let next = lock(&queue).next();
                    let Some(name) = next else { return };
                    let url = format!("{}/examples/{name}/index.html", server.origin());
                    let result = examine(name, &url, &spec, &request);
                    result.print();
                    lock(&results).push(result);
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by(|a, b| a.name.cmp(&b.name));
    summarize(&results, &spec, began.elapsed());
    let variants: Vec<Value> = results.iter().map(Variant::json).collect();
    println!("\n{}", json!({ "variants": variants }));
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Circumstance {
    about: &'static str,
    options: &'static str,
    check: &'static str,
    /// How many times the traces of other checks it gets: orders are rare.
    times: u32,
}

/// What was asked for.
struct Request {
    only: Vec<String>,
    checks: Vec<String>,
    cases: Option<u32>,
    jobs: u32,
    limit: Duration,
}

impl Request {
    fn read(args: &[&str]) -> Result<Self> {
        let (only, checks, limit) = (Vec::new(), Vec::new(), Duration::from_secs(900));
        let mut request = Request { only, checks, cases: None, jobs: 2, limit };
        let mut args = args.iter();
        while let Some(option) = args.next() {
            let value = args.next().with_context(|| format!("{option} needs a value\n{USAGE}"))?;
            match *option {
                "--only" => request.only.push((*value).to_owned()),
                "--check" => request.checks.push((*value).to_owned()),
                "--cases" => request.cases = Some(value.parse()?),
                "--jobs" => request.jobs = value.parse()?,
                "--limit" => request.limit = Duration::from_secs(value.parse()?),
                _ => bail!("there is no option {option}\n{USAGE}"),
            }
        }
        Ok(request)
    }

    /// Every page of the package that is an app, by its directory.
    fn variants(&self, package: &Path) -> Result<Vec<String>> {
        let examples = package.join("examples");
        let mut pages = Vec::new();
        find_pages(&examples, &mut pages)?;
        let mut names: Vec<String> = pages
            .iter()
            .filter_map(|page| page.strip_prefix(&examples).ok())
            .map(|page| page.to_string_lossy().into_owned())
            .filter(|name| self.only.is_empty() || self.only.contains(name))
            .collect();
        names.sort();
        if names.is_empty() {
            bail!("{PACKAGE} has no such variant\n{USAGE}");
        }
        Ok(names)
    }
}

/// The directories with an `index.html`, without those of libraries.
fn find_pages(directory: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_dir() {
            if name != "bower_components" && name != "node_modules" {
                find_pages(&entry.path(), found)?;
            }
        } else if name == "index.html" {
            found.push(directory.to_owned());
        }
    }
    Ok(())
}

fn specification() -> Result<Spec> {
    let text = std::fs::read_to_string(crate::root().join(SPEC)).context(SPEC)?;
    let parsed = capuchin_spec::parse(SPEC, &text);
    parsed.spec.with_context(|| format!("{SPEC}: {:?}", parsed.diagnostics))
}

/// What was found out about a variant.
struct Variant {
    name: String,
    /// Why it was not checked; nothing if it was.
    unfit: Option<String>,
    faults: Vec<Fault>,
    cases: u32,
    events: u64,
    time: Duration,
    /// What made it hard to judge: a page that does not rest, a browser that died.
    notes: Vec<String>,
}

/// Which failures count as faults.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    Everything,
    FailedProperties,
}

/// A check that failed, or an exception that it ran into.
struct Fault {
    property: String,
    failure: Failure,
    /// How many events were performed until it was seen, over all cases of the check.
    events: u64,
    /// How long that took.
    seconds: f64,
}

impl Fault {
    fn message(&self) -> &str {
        message(&self.failure)
    }
}

/// The first line of what is said of a failure: of a crash, without its stack.
fn message(failure: &Failure) -> &str {
    failure.detail.lines().next().unwrap_or_default()
}

/// Opens a variant, says whether it renders, and runs the specification on it.
fn examine(name: &str, url: &str, spec: &Spec, request: &Request) -> Variant {
    let began = Instant::now();
    let mut variant = Variant {
        name: name.to_owned(),
        unfit: None,
        faults: Vec::new(),
        cases: 0,
        events: 0,
        time: Duration::ZERO,
        notes: Vec::new(),
    };
    let time_is_up = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (done, wait) = std::sync::mpsc::channel::<()>();
        let clock = Arc::clone(&time_is_up);
        scope.spawn(move || {
            if wait.recv_timeout(request.limit) == Err(RecvTimeoutError::Timeout) {
                clock.store(true, Ordering::Relaxed);
            }
        });
        if let Err(error) = check_all(&mut variant, url, spec, request, &time_is_up) {
            variant.notes.push(format!("{error:#}"));
        }
        drop(done);
    });
    variant.time = began.elapsed();
    variant
}

fn check_all(
    variant: &mut Variant,
    url: &str,
    spec: &Spec,
    request: &Request,
    time_is_up: &Arc<AtomicBool>,
) -> Result<()> {
    let name = format!("web:{url}");
    let opener = |options: &str| -> Result<Opener> {
        let mut options = Options::parse(&format!("{url} {options}"))?;
        options.scripts.clone_from(&spec.scripts);
        options.scripts.push(complete());
        Ok(Opener::new(&name, options))
    };
    let strict = opener(STEADY)?;
    let mut device = strict.open()?;
    variant.unfit = unfit(&mut device)?;
    if variant.unfit.is_some() {
        return Ok(());
    }
    // An exception ends a trace. So that it hides nothing, a check that ran into one is run again
    // where exceptions do not count.
    let lenient = opener(&format!("{STEADY} crash=-exceptions crash=-rejections"))?;
    let open_strict = |stop: &Stop| boxed(strict.open_until(stop));
    let open_lenient = |stop: &Stop| boxed(lenient.open_until(stop));
    let mut fleet = Fleet::new(vec![Box::new(device)], &open_strict);
    let mut forgiving: Option<Fleet<'_>> = None;
    let is_wanted =
        |check: &&NamedGen| request.checks.is_empty() || request.checks.contains(&check.name);
    let checks: Vec<&NamedGen> = spec.checks.iter().filter(is_wanted).collect();
    let (began, mut fewer) = (Instant::now(), 0);
    for (index, check) in checks.iter().enumerate() {
        if time_is_up.load(Ordering::Relaxed) {
            variant.notes.push(format!("time is up: {} was not checked", check.name));
            continue;
        }
        let mut config = Config::default();
        config.interrupt = Some(Arc::clone(time_is_up));
        config.seed = SEED;
        config.stop_at_first = true;
        config.shrink_budget = 300;
        config.cases = request.cases.or(spec.cases).unwrap_or(config.cases);
        if is_single(&check.generator) {
            config.cases = 1;
        }
        // Where a trace takes seconds, every check gets its share of the time: not all of the
        // traces.
        if variant.cases > 0 {
            let a_trace = began.elapsed().div_f64(f64::from(variant.cases)).as_secs_f64();
            let left = request.limit.saturating_sub(began.elapsed()).as_secs_f64();
            let share = left / (checks.len() - index) as f64 / a_trace;
            if share < f64::from(config.cases) {
                config.cases = (share as u32).max(1);
                config.shrink_budget = 30;
                fewer += 1;
            }
        }
        let mut plan = Plan::new(&check.name, check.generator.clone(), config);
        plan.monitors = spec.watching(&[], &[])?;
        let outcome = variant.run(&plan, &mut fleet, Counts::Everything)?;
        if outcome.failures.iter().any(|failure| failure.kind == VerdictKind::Crashed) {
            let forgiving = opened(&mut forgiving, &open_lenient)?;
            let _ = variant.run(&plan, forgiving, Counts::Everything)?;
        }
        for Circumstance { about, options, times, .. } in
            CIRCUMSTANCES.iter().filter(|there| there.check == check.name)
        {
            if variant.fails(&check.name) {
                continue;
            }
            let there = opener(&format!("{options} crash=-exceptions crash=-rejections"))?;
            let open = |stop: &Stop| boxed(there.open_until(stop));
            let mut fleet = Fleet::new(vec![open(&Stop::default())?], &open);
            let mut plan = plan.clone();
            plan.config.cases *= times;
            let _ = variant.run(&plan, &mut fleet, Counts::FailedProperties)?;
            if variant.fails(&check.name) {
                variant.notes.push(format!("{} fails {about} only ({options})", check.name));
            }
        }
    }
    if fewer > 0 {
        variant.notes.push(format!("slow: {fewer} checks were given fewer traces"));
    }
    Ok(())
}

/// Whether there is nothing to draw: once is enough then.
fn is_single(generator: &Gen) -> bool {
    let draw = |seed| generator.sample(Rng::stream(seed, 0)).to_trace().to_string();
    let first = draw(0);
    (1..20).all(|seed| draw(seed) == first)
}

/// The fleet, which is opened when it is first needed.
fn opened<'f, 'o>(
    fleet: &'f mut Option<Fleet<'o>>,
    open: &'o Open<'o>,
) -> Result<&'f mut Fleet<'o>> {
    if fleet.is_none() {
        *fleet = Some(Fleet::new(vec![open(&Stop::default())?], open));
    }
    fleet.as_mut().context("it was opened just now")
}

fn boxed(
    device: Result<capuchin_web::WebDevice, DeviceError>,
) -> Result<Box<dyn Device>, DeviceError> {
    Ok(Box::new(device?))
}

/// Why a page cannot be checked: nothing is to be seen of the app, or it is markup without its
/// scripts. What has its scripts and does nothing is checked: it is broken.
fn unfit(device: &mut dyn Device) -> Result<Option<String>> {
    let seen = step(device, Action::Reset(SEED), &Stop::default())?;
    let entry = Selector::id("new-todo").or(Selector::class("todo__new"));
    if seen.screen.count(&entry) == 0 {
        return Ok(Some("no field for a new todo".to_owned()));
    }
    let sentinel = "sentinel";
    step(device, Action::Perform(&Event::Type(entry.into(), sentinel.into())), &Stop::default())?;
    let seen = step(device, Action::Perform(&Event::Press("Enter".into())), &Stop::default())?;
    // Not only in the field that it was typed into.
    let in_fields = seen.screen.count(&Selector::role(Role::Field).saying(sentinel));
    if seen.screen.count(&Selector::text(sentinel)) > in_fields {
        return Ok(None);
    }
    let questions =
        device.powers().and_then(Powers::predicates).context("a browser answers questions")?;
    let complete = questions.holds(COMPLETE, &[])?;
    Ok((!complete).then(|| "nothing happens, and scripts of it are not there".to_owned()))
}

/// Whether a page has scripts, and all that it asks for have come.
fn complete() -> Script {
    let source = "document.scripts.length > 0 && Array.from(document.scripts).every(script => !script.src || \
        performance.getEntriesByName(script.src).some(entry => entry.responseStatus === 200))";
    Script {
        name: COMPLETE.into(),
        parameters: Vec::new(),
        source: source.to_owned(),
        is_value: false,
    }
}

impl Variant {
    fn fails(&self, property: &str) -> bool {
        self.faults.iter().any(|fault| fault.property == property)
    }

    /// Runs a check, and notes what it finds.
    fn run(&mut self, plan: &Plan, fleet: &mut Fleet<'_>, counts: Counts) -> Result<Outcome> {
        let mut watch =
            Watch { began: Instant::now(), cases: 0, events: 0, seen: None, unsettled: None };
        let outcome = fleet.run(plan, 1, &mut watch);
        self.cases += watch.cases;
        self.events += watch.events;
        if let Some(what) = watch.unsettled {
            let note = format!("does not come to rest: {what}");
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        if outcome.interrupted {
            self.notes.push(format!("time is up: {} did not come to its end", plan.name));
        }
        if let Some(error) = &outcome.device_error {
            bail!("{}: {error}", plan.name);
        }
        let (events, seconds) = watch.seen.unwrap_or_default();
        let counted = |failure: &&Failure| {
            counts == Counts::Everything || failure.kind == VerdictKind::Failed
        };
        for failure in outcome.failures.iter().filter(counted) {
            let crashed = failure.kind == VerdictKind::Crashed;
            let property = if crashed { NO_EXCEPTION } else { plan.name.as_str() };
            // An exception is the same wherever it comes from.
            let known = self.faults.iter_mut().find(|fault| {
                fault.property == property && (!crashed || fault.message() == message(failure))
            });
            match known {
                Some(known) if failure.steps.len() < known.failure.steps.len() => {
                    known.failure = failure.clone();
                }
                Some(_) => {}
                None => {
                    eprintln!("{}: {property}: {}", self.name, failure.after());
                    let (property, failure) = (property.to_owned(), failure.clone());
                    self.faults.push(Fault { property, failure, events, seconds });
                }
            }
        }
        Ok(outcome)
    }

    fn print(&self) {
        let time = self.time.as_secs_f64();
        if let Some(why) = &self.unfit {
            println!("{}: not rendered: {why}", self.name);
            return;
        }
        let found = match self.faults.len() {
            0 => "no fault".to_owned(),
            1 => "1 fault".to_owned(),
            n => format!("{n} faults"),
        };
        let mut text = format!(
            "{}: {found} in {} traces, {} events, {time:.1} s\n",
            self.name, self.cases, self.events
        );
        for fault in &self.faults {
            let Fault { property, failure, events, seconds } = fault;
            text.push_str(&format!(
                "  {property}, after {events} events and {seconds:.1} s: {}\n      {}\n      {}\n",
                failure.summary,
                fault.message(),
                failure.after()
            ));
            if failure.is_flaky() {
                let (same, again) = (failure.same, failure.again);
                text.push_str(&format!(
                    "      flaky: run again, it failed so {same} of {again} times\n"
                ));
            }
        }
        for note in &self.notes {
            text.push_str(&format!("  note: {note}\n"));
        }
        print!("{text}");
    }

    fn json(&self) -> Value {
        let faults: Vec<Value> = self
            .faults
            .iter()
            .map(|fault| {
                json!({
                    "property": fault.property,
                    "trace": fault.failure.minimal,
                    "events": fault.events,
                    "seconds": (fault.seconds * 1000.0).round() / 1000.0,
                })
            })
            .collect();
        json!({ "name": self.name, "rendered": self.unfit.is_none(), "faults": faults })
    }
}

/// Follows a check: how much has been done when the first failure is seen.
struct Watch {
    began: Instant,
    cases: u32,
    events: u64,
    seen: Option<(u64, f64)>,
    unsettled: Option<String>,
}

impl Observer for Watch {
    fn observe(&mut self, event: &RunEvent) {
        match event {
            RunEvent::CaseFinished { steps, unsettled, .. } => {
                self.cases += 1;
                self.events += u64::from(*steps);
                self.unsettled = self.unsettled.take().or_else(|| unsettled.clone());
            }
            // Its case is told after it.
            RunEvent::FailureSeen(failure) => {
                let events = self.events + u64::from(failure.found_steps);
                self.seen.get_or_insert((events, self.began.elapsed().as_secs_f64()));
            }
            _ => {}
        }
    }
}

fn summarize(results: &[Variant], spec: &Spec, time: Duration) {
    let rendered: Vec<&Variant> =
        results.iter().filter(|variant| variant.unfit.is_none()).collect();
    let faulty = rendered.iter().filter(|variant| !variant.faults.is_empty()).count();
    let events: u64 = rendered.iter().map(|variant| variant.events).sum();
    println!(
        "\n{} variants, {} rendered, {faulty} of them faulty; {} checks, {events} events, {:.0} s",
        results.len(),
        rendered.len(),
        spec.checks.len(),
        time.as_secs_f64()
    );
    let names = spec.checks.iter().map(|check| check.name.as_str()).chain([NO_EXCEPTION]);
    for property in names {
        let failing: Vec<&str> = rendered
            .iter()
            .filter(|variant| variant.faults.iter().any(|fault| fault.property == property))
            .map(|variant| variant.name.as_str())
            .collect();
        println!("  {property:<26}{:>3}  {}", failing.len(), failing.join(" "));
    }
}
