//! `capuchin check`: a specification, a fleet of devices, and the readers of what happens.

use crate::args::CheckArgs;
use crate::device;
use crate::exit::{Exit, Problem};
use crate::progress::Progress;
use crate::resume::{
    default_directory, device_of, models, out_directory, warn_of_another, warn_of_loss,
};
use crate::source;
use capuchin::ui::{CodeCoverage, DeviceError, Picture};
use capuchin::{Config, Covered, Crew, Invariant, LOG_VERSION, Observer, Outcome, Plan, RunEvent};
use capuchin_explore::{Explorers, Models};
use capuchin_mission::{Fleet, RunDirectory};
use capuchin_report::{HtmlReport, Terminal, exploration_json, istanbul, junit, lcov, quoted};
use capuchin_spec::Spec;
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Signals that come this soon after another are one.
const AT_ONCE: Duration = Duration::from_millis(300);

/// Checks a specification.
pub(crate) fn check(args: &CheckArgs) -> Result<Exit, Problem> {
    let (file, spec) = source::load(&args.file)?;
    let checks = selected(args, &spec)?;
    if checks.is_empty() {
        return Err(Problem::request(format!("{file} has no check")).help(format!(
            "add `check NAME = ...`, or explore with what it says of `always`: capuchin explore --spec {file}"
        )));
    }
    let device = device::name(&args.device, &spec)?;
    let seed = device::seed(&args.device, &spec);
    let usual = || default_directory(&args.file, &device, seed);
    let out = out_directory(args.out.as_deref(), args.resume.as_deref(), usual)?;
    let mut models = models(&checks, args.resume.as_deref())?;
    if let Some(directory) = &args.resume {
        warn_of_another(directory, device_of(directory), &device);
    }
    let source = device::Source::new(&device, &spec, Some(out.join("downloads")))?;
    let devices = (0..args.jobs).map(|_| source.open()).collect::<Result<_, _>>()?;
    let reopen = || source.open().map_err(|problem| problem.as_device(&device));
    // Not among the results: those are the same as if nothing had happened.
    let on_loss = |lost: &DeviceError| {
        let _ = writeln!(anstream::stderr(), "warning: {lost}; going on with another one");
    };
    let mut fleet = Fleet::new(devices, &reopen).on_loss(&on_loss);
    let declarations = spec.declarations().map(|(name, line)| (name.to_string(), line)).collect();
    let directory = RunDirectory::create(&out, &device, declarations).map_err(|error| {
        Problem::request(error.to_string()).help("choose another with --out DIR")
    })?;
    let kept = out.join(RunDirectory::MODELS);
    let loss = models.iter_mut().filter_map(|models| models.keep(&kept).err()).last();
    let interrupt = interrupt();
    let plans = plans(args, &spec, checks.iter().zip(&models), &interrupt, seed);
    let progress = Rc::new(RefCell::new(Progress::new(args.quiet)));
    let mut readers = Readers::new(directory, progress);
    let (version, device) = (LOG_VERSION, device.clone());
    readers.observe(&RunEvent::RunStarted { version, spec: file.clone(), device, seed });
    let outcomes = fleet.run_all(&plans, &mut readers);
    let complete = outcomes.len() == plans.len() && !outcomes.iter().any(|o| o.interrupted);
    let interrupted = !complete && interrupt.load(Ordering::Relaxed);
    let coverage = fleet.coverage();
    if let Some(coverage) = &coverage {
        readers.add_coverage(coverage);
    }
    let covered = coverage.as_ref().map(Covered::from);
    let not_begun = plans[outcomes.len()..].iter().map(|plan| plan.name.clone()).collect();
    readers.observe(&RunEvent::RunFinished { interrupted, covered, not_begun });
    readers.finish(args.quiet);
    warn_of_loss(loss.or_else(|| models.iter().find_map(Models::problem)));
    if !args.quiet && !models.iter().all(Models::is_empty) {
        // A reader that has gone away is no reason to end differently.
        let mut again = format!("go on: capuchin check {}", quoted(&file));
        if let Some(device) = &args.device.device {
            again += &format!(" --device {}", quoted(device));
        }
        for only in &args.only {
            again += &format!(" --only {}", quoted(only));
        }
        let out = out.display().to_string();
        let _ = writeln!(anstream::stdout(), "{again} --resume {}", quoted(&out));
    }
    Ok(exit(&outcomes, interrupted))
}

/// The checks as the run wants them, with what their pilots know.
fn plans<'a>(
    args: &CheckArgs,
    spec: &Spec,
    checks: impl Iterator<Item = (&'a &'a capuchin_spec::Check, &'a Models)>,
    interrupt: &Arc<AtomicBool>,
    seed: u64,
) -> Vec<Plan> {
    let mut config = Config::default();
    config.seed = seed;
    config.cases = args.cases.or(spec.cases).unwrap_or(config.cases);
    config.stop_at_first = args.fail_fast;
    config.shrink_budget = args.shrink_budget;
    config.film = true;
    config.interrupt = Some(Arc::clone(interrupt));
    let plan = |(check, models): (&&capuchin_spec::Check, &Models)| {
        let mut plan = Plan::new(&check.name, check.generator.clone(), config.clone());
        plan.invariants = invariants(spec);
        let models = models.clone();
        plan.crew = Crew::new(Arc::new(Explorers { models, ..Explorers::default() }));
        plan
    };
    checks.map(plan).collect()
}

/// The checks that were asked for: all of them, or those named with `--only`.
fn selected<'a>(
    args: &CheckArgs,
    spec: &'a Spec,
) -> Result<Vec<&'a capuchin_spec::Check>, Problem> {
    for wanted in &args.only {
        if !spec.checks.iter().any(|check| check.name == *wanted) {
            return Err(Problem::request(format!("there is no check `{wanted}`"))
                .suggest(wanted, spec.checks.iter().map(|check| check.name.as_str())));
        }
    }
    let wanted =
        |check: &&capuchin_spec::Check| args.only.is_empty() || args.only.contains(&check.name);
    Ok(spec.checks.iter().filter(wanted).collect())
}

/// What holds all the time, as the run wants it.
pub(crate) fn invariants(spec: &Spec) -> Vec<Invariant> {
    spec.always
        .iter()
        .map(|always| Invariant { label: always.label.clone(), prop: always.prop.clone() })
        .collect()
}

fn exit(outcomes: &[Outcome], interrupted: bool) -> Exit {
    if outcomes.iter().any(|outcome| outcome.violated > 0) {
        Exit::Violated
    } else if let Some(error) = outcomes.iter().find_map(|o| o.device_error.as_ref()) {
        Exit::of(error)
    } else if interrupted {
        Exit::Interrupted
    } else if outcomes.iter().all(|outcome| outcome.held == 0) {
        Exit::NothingChecked
    } else {
        Exit::Held
    }
}

/// A flag that Ctrl-C sets. A second Ctrl-C ends the process at once.
pub(crate) fn interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let mut first: Option<Instant> = None;
    // Without a handler Ctrl-C still ends the process, and the log keeps what was found.
    let _ = ctrlc::set_handler(move || {
        set.store(true, Ordering::Relaxed);
        // Programs like `timeout` signal twice what a person means once.
        if first.get_or_insert_with(Instant::now).elapsed() > AT_ONCE {
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
    flag
}

/// The readers of the run's events.
pub(crate) struct Readers {
    terminal: Terminal<anstream::AutoStream<std::io::Stdout>>,
    directory: RunDirectory,
    progress: Rc<RefCell<Progress>>,
    page: HtmlReport,
    events: Vec<RunEvent>,
}

impl Observer for Readers {
    fn observe(&mut self, event: &RunEvent) {
        self.directory.observe(event);
        self.page.observe(event);
        // Cases come by the million: only the log keeps each of them.
        if !matches!(event, RunEvent::CaseFinished { .. }) {
            self.events.push(event.clone());
        }
        // What is not printed leaves the line of the progress where it is.
        if !matches!(event, RunEvent::CaseFinished { .. } | RunEvent::Explored(_)) {
            self.progress.borrow_mut().clear();
        }
        self.terminal.observe(event);
        self.progress.borrow_mut().observe(event);
    }
}

impl Readers {
    pub(crate) fn new(directory: RunDirectory, progress: Rc<RefCell<Progress>>) -> Self {
        Readers {
            terminal: Terminal::new(anstream::stdout()),
            directory,
            progress,
            page: HtmlReport::default(),
            events: Vec::new(),
        }
    }

    /// Keeps what ran of the app's code, in the formats that other tools read.
    pub(crate) fn add_coverage(&mut self, coverage: &CodeCoverage) {
        self.directory.add_coverage("lcov.info", lcov(coverage));
        self.directory.add_coverage("coverage-final.json", istanbul(coverage));
    }

    /// Keeps the picture of a state of a model, and says under which name.
    pub(crate) fn add_state(&mut self, number: usize, picture: &Picture) -> String {
        self.directory.add_state(number, picture)
    }

    pub(crate) fn finish(&mut self, quiet: bool) {
        self.directory.add(RunDirectory::JUNIT, junit(&self.events));
        if let Some(exploration) = exploration_json(&self.events) {
            self.directory.add(RunDirectory::EXPLORATION, exploration);
        }
        let pictures = |name: &str| RunDirectory::read_picture(self.directory.path(), name);
        let path = self.directory.path().display().to_string();
        let page = self.page.render(&path, &pictures);
        self.directory.add(RunDirectory::REPORT, page);
        let report = RunDirectory::REPORT;
        let mut out = anstream::stdout();
        let first = self.events.iter().find_map(|event| match event {
            RunEvent::FailureFound(failure) => Some(RunDirectory::failure_file(failure)),
            _ => None,
        });
        // A reader that has gone away is no reason to end differently.
        let _ = match first {
            _ if quiet => Ok(()),
            Some(first) => writeln!(
                out,
                "\nsaved in {path}; look at {path}/{report}\nagain: capuchin run {}",
                quoted(&format!("{path}/{first}"))
            ),
            None => writeln!(out, "\nsaved in {path}; look at {path}/{report}"),
        };
        match self.terminal.problem() {
            Some(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                let _ = writeln!(anstream::stderr(), "warning: cannot write the report: {error}");
            }
            _ => {}
        }
        if let Some((path, error)) = self.directory.problem() {
            let _ = writeln!(
                anstream::stderr(),
                "warning: cannot write {}: {error}; the verdicts do not depend on it",
                path.display()
            );
        }
    }
}
