//! `capuchin explore`: a policy, an app, a budget, and the readers of what happens.

use crate::args::{Also, ExploreArgs, USUAL_SHRINK_BUDGET};
use crate::device;
use crate::exit::{Problem, say, warn};
use crate::extensions::Extensions;
use crate::interrupt::interrupt;
use crate::launch::Launch;
use crate::oracle::SpecModel;
use crate::resume::{cannot_resume, default_directory, device_of, out_directory, warn_of_another};
use crate::saved::{LastRun, last_directory};
use crate::source;
use capuchin::log::ExplorationRequest;
use capuchin::steering::PilotPool;
use capuchin::trace::prelude::auto;
use capuchin::ui::Event;
use capuchin::{Conclusion, Config, Exploration, Outcome, Plan};
use capuchin_explore::{AbstractionKind, Inputs, Models};
use capuchin_mission::{Run, RunDirectory};
use capuchin_report::{explore_command, without_secrets};
use capuchin_spec::Spec;
use clap::ValueEnum;
use std::path::Path;
use std::sync::Arc;

/// What is checked is called so in reports.
const CHECK: &str = "explore";
/// How many events are explored if neither events nor a time are asked for.
const USUAL_EVENTS: u64 = 2000;

/// Explores an app.
pub(crate) fn explore(args: &ExploreArgs, extensions: &Extensions) -> Result<Conclusion, Problem> {
    let (file, mut spec) = match &args.spec {
        Some(file) => source::load(file, extensions)?,
        None => (CHECK.to_owned(), Spec::default()),
    };
    let model = SpecModel::read(Path::new(&file), &mut spec)?;
    let mut monitors = model.watching(&spec, &args.monitor, extensions)?;
    let is_watched = !monitors.is_empty();
    extensions.add_usual(&mut monitors, &args.no_monitor)?;
    let name = app(args, &spec, extensions)?;
    let seed = device::seed(&args.device(), &spec);
    let generator = auto(args.policy.as_str(), u32::MAX);
    let kind = args.abstraction.as_ref().and_then(|name| extensions.abstractions.get(name));
    let kind = kind.unwrap_or(AbstractionKind::ADAPTIVE);
    let mut models = Models::of_exploration(&generator, &kind);
    if let Some(directory) = &args.resume {
        resume(&mut models, directory, args.abstraction.as_deref(), extensions)?;
    }
    let usual = || default_directory(Path::new(CHECK), &name, seed);
    let out = out_directory(args.out.as_deref(), args.resume.as_deref(), usual)?;
    let mut config = Config::default();
    config.seed = seed;
    // As many runs as it takes.
    config.cases = u32::MAX;
    let usual = (args.time.is_none() && args.events.is_none()).then_some(USUAL_EVENTS);
    (config.events, config.time) = (args.events.or(usual), args.time);
    (config.shrink_budget, config.shrink_time) = (args.shrink_budget, args.failures.shrink_time);
    config.fail_on_flaky = args.failures.fail_on_flaky;
    config.film = true;
    config.interrupt = Some(interrupt());
    let known = models.violations();
    let mut asked = asked(args, config.events);
    asked.known_failures = known.len() as u64;
    let exploration = Exploration { asked: asked.clone(), known };
    let mut plan = Plan::exploration(CHECK, generator, exploration, config);
    plan.monitors = monitors;
    // What is known from the exploration that is resumed is not run again.
    let is_fresh = args.failures.fresh || args.resume.is_some();
    let last = (!is_fresh).then(|| last_directory(args.out.as_deref(), Path::new(CHECK), &name));
    let plan_alone = std::slice::from_mut(&mut plan);
    let last = LastRun::read(last.flatten(), &spec, plan_alone, extensions);
    let run = Run { spec: &file, device: &name, seed, saved: last.told.as_ref() };
    let (said, how) = ((&spec, &model), (1, &plan.config));
    let mut launch = Launch::new(run, said, &out, how, &last.kept, extensions)?;
    launch.keep(&mut models, &out);
    if args.spec.is_some() && !is_watched {
        warn(&format!("{file} has no `always` and no `property`: only crashes are reported"));
    }
    let mut explorers = extensions.explorers(&plan.monitors);
    (explorers.inputs, explorers.models) = (inputs(args), models.clone());
    (explorers.may_restart, explorers.pictures) = (true, Some(out.clone()));
    plan.pilots = PilotPool::new(Arc::new(explorers));
    let plans = [plan];
    let debrief = launch.run(&plans, &[models], args.quiet);
    if let ([outcome], false) = (debrief.outcomes.as_slice(), args.quiet) {
        let next = match plans[0].pilots.is_done() || outcome.steps == 0 {
            true => why_done(args, outcome, plans[0].pilots.is_done()),
            false => {
                let out = out.display().to_string();
                let name = without_secrets(&name);
                format!("resume: {}", explore_command(&name, seed, &asked, Some(&out)))
            }
        };
        say(&next);
    }
    Ok(debrief.conclusion)
}

/// The app that is meant: as asked for, else as the specification says, else what is resumed.
fn app(args: &ExploreArgs, spec: &Spec, extensions: &Extensions) -> Result<String, Problem> {
    let wanted = args.device();
    let earlier = args.resume.as_deref().and_then(device_of);
    let named = spec.device.clone().or_else(|| earlier.clone());
    if wanted.device.is_none() && named.is_none() {
        return Err(Problem::request("no app is named").help(
            "name one, as in `capuchin explore sim:shop` or `capuchin explore http://localhost:8000`",
        ));
    }
    let name = device::name(&wanted, named.as_deref(), extensions)?;
    if let Some(directory) = &args.resume {
        warn_of_another(directory, earlier, &name, &extensions.drivers);
    }
    Ok(name)
}

/// How it was asked for, with what is only so by default and might be otherwise another day.
fn asked(args: &ExploreArgs, events: Option<u64>) -> ExplorationRequest {
    let mut options = Vec::new();
    let mut add = |option: &str, value: String| options.extend([option.to_owned(), value]);
    add("--policy", args.policy.clone());
    if let Some(events) = events {
        add("--events", events.to_string());
    }
    if let Some(time) = args.time {
        add("--time", format!("{}s", time.as_secs_f64()));
    }
    if let Some(time) = args.failures.shrink_time {
        add("--shrink-time", format!("{}s", time.as_secs_f64()));
    }
    if let Some(abstraction) = &args.abstraction {
        add("--abstraction", abstraction.clone());
    }
    if let Some(file) = &args.spec {
        add("--spec", file.display().to_string());
    }
    for monitor in &args.monitor {
        add("--monitor", monitor.clone());
    }
    for monitor in &args.no_monitor {
        add("--no-monitor", monitor.clone());
    }
    for text in &args.text {
        add("--text", text.clone());
    }
    for event in args.also.iter().filter_map(ValueEnum::to_possible_value) {
        add("--also", event.get_name().to_owned());
    }
    if args.shrink_budget != USUAL_SHRINK_BUDGET {
        add("--shrink-budget", args.shrink_budget.to_string());
    }
    if args.failures.fail_on_flaky {
        options.push("--fail-on-flaky".to_owned());
    }
    if args.failures.fresh {
        options.push("--fresh".to_owned());
    }
    if args.no_keys {
        options.push("--no-keys".to_owned());
    }
    let resumes = args.resume.as_ref().map(|directory| directory.display().to_string());
    let (check, policy) = (CHECK.to_owned(), args.policy.clone());
    ExplorationRequest { check, policy, options, resumes, known_failures: 0 }
}

/// Why there is nothing to resume. An exploration that is not done was ended.
fn why_done(args: &ExploreArgs, outcome: &Outcome, is_done: bool) -> String {
    let is_ended = outcome.interrupted || outcome.device_error.is_some();
    if outcome.steps == 0 {
        return match is_done || is_ended || args.time.is_none() {
            true => "nothing could be tried".to_owned(),
            false => "the time was up before the first event; give it more with --time".to_owned(),
        };
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

/// Takes in what an earlier exploration knew.
fn resume(
    models: &mut Models,
    directory: &Path,
    wanted: Option<&str>,
    extensions: &Extensions,
) -> Result<(), Problem> {
    let help = "name the run directory of an earlier `capuchin explore`";
    let parent = match directory.is_dir() {
        true => directory,
        false => directory.parent().unwrap_or(directory),
    };
    let path = parent.join(RunDirectory::MODEL);
    if !directory.exists() || !path.exists() {
        let what = format!("cannot resume {}: no exploration is kept there", directory.display());
        return Err(Problem::request(what).help(help));
    }
    models.load(parent, &extensions.abstractions).map_err(|error| cannot_resume(&error, help))?;
    match (wanted, models.kind()) {
        (Some(wanted), Some(kind)) if wanted != kind.name() => {
            let what = format!("it was explored with --abstraction {}", kind.name());
            let path = path.display();
            Err(Problem::request(format!("cannot resume {path}: {what}"))
                .help("leave --abstraction out"))
        }
        _ => Ok(()),
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
