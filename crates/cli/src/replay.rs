//! `capuchin replay`: a recording on the device that it was made on, on another layout, or on
//! another version of the app.
//!
//! It is a check with one generator, `auto "replay"`: devices, budgets, monitors, the log and the
//! run directory are those of every check.

use crate::args::{ReplayArgs, USUAL_SHRINK_BUDGET};
use crate::device;
use crate::exit::{Problem, say, warn};
use crate::extensions::Extensions;
use crate::interrupt::interrupt;
use crate::launch::Launch;
use crate::model_ways::ModelWays;
use crate::oracle::SpecModel;
use crate::resume::default_directory;
use crate::show::load;
use crate::source;
use capuchin::trace::{Prop, Trace};
use capuchin::ui::{Rng, write_whole};
use capuchin::{Conclusion, Config};
use capuchin_explore::{Keeper, Models};
use capuchin_mission::Run;
use capuchin_record::{Recording, Replay, ReplayOptions, Replays};
use capuchin_report::quoted;
use capuchin_spec::{Spec, parse_gen};
use std::path::Path;
use std::sync::Arc;

/// Replays a recording.
pub(crate) fn replay(args: &ReplayArgs, extensions: &Extensions) -> Result<Conclusion, Problem> {
    let file = args.file.display().to_string();
    let mut recording = load(&args.file)?.merged();
    if recording.events.is_empty() {
        return Err(Problem::nothing(format!(
            "{file} has no event, so there is nothing to replay"
        ))
        .help("record again with `capuchin record`"));
    }
    mark(&mut recording, &args.key)?;
    let mut spec = match &args.spec {
        Some(spec) => source::load(spec, extensions)?.1,
        None => Spec::default(),
    };
    let path = args.spec.as_deref().unwrap_or(Path::new(""));
    let spec_model = SpecModel::read(path, &mut spec)?;
    let monitors = spec_model.watching(&spec, &args.monitor, extensions)?;
    let goal = args.goal.as_ref().map(|goal| goal_property(goal, &spec, extensions)).transpose()?;
    let assertions = assertions(&mut recording, &file);
    let name = device_name(args, &recording, extensions)?;
    let seed = args.device.options.seed.unwrap_or(recording.origin.seed);
    let mut options = ReplayOptions::default();
    if let Some(path) = &args.model {
        options.way_finder = Some(Arc::new(model(path, extensions)?));
    }
    if let Some(path) = &args.write {
        refuse_to_replace(path, &args.file)?;
    }
    let mut replays = Replays::of(Replay::with(recording, options), &file).assertions(assertions);
    if let Some(goal) = goal {
        replays = replays.goal(goal);
    }
    if args.pictures {
        replays = replays.pictures();
    }
    let out = args.out.clone().unwrap_or_else(|| default_directory(&args.file, &name, seed));
    let mut plan = replays.plan(args.times, config(args, seed));
    plan.monitors = monitors;
    let run = Run { spec: &file, device: &name, seed, saved: None };
    let said = (&spec, &spec_model);
    let launch = Launch::new(run, said, &out, (1, &plan.config), &[], extensions)?;
    if args.spec.is_some() && plan.monitors.is_empty() {
        warn("the specification has no `always` and no `property`: only crashes are reported");
    }
    let debrief = launch.run(&[plan], &[] as &[Models], args.quiet);
    let conclusion = replays.conclusion(args.times, debrief.conclusion);
    if let Some(path) = &args.write {
        write(path, &replays, &name, conclusion)?;
    }
    Ok(conclusion)
}

fn config(args: &ReplayArgs, seed: u64) -> Config {
    let mut config = Config::default();
    config.seed = seed;
    config.time = args.time;
    config.shrink_budget = USUAL_SHRINK_BUDGET;
    config.film = true;
    config.interrupt = Some(interrupt());
    config
}

/// Marks these events, which are counted from 1, as the key events.
fn mark(recording: &mut Recording, keys: &[usize]) -> Result<(), Problem> {
    if keys.is_empty() {
        return Ok(());
    }
    let count = recording.events.len();
    recording.events.iter_mut().for_each(|event| event.is_key = false);
    for key in keys {
        let event = key.checked_sub(1).and_then(|index| recording.events.get_mut(index));
        let Some(event) = event else {
            return Err(Problem::request(format!("there is no event {key} to mark with --key"))
                .help(format!(
                    "events are numbered from 1 to {count}: `capuchin show` lists them"
                )));
        };
        event.is_key = true;
    }
    Ok(())
}

/// The device that is meant: as asked for, else that of the recording. The Recorder panel of Chrome
/// knows an address and a viewport.
fn device_name(
    args: &ReplayArgs,
    recording: &Recording,
    extensions: &Extensions,
) -> Result<String, Problem> {
    let origin = &recording.origin;
    if !origin.device.is_empty() || args.device.device.is_some() || origin.app.is_empty() {
        let named = Some(origin.device.as_str()).filter(|device| !device.is_empty());
        return device::name(&args.device, named, extensions);
    }
    let mut wanted = args.device.clone();
    let viewport = Some(origin.viewport).filter(|size| size.width > 0 && size.height > 0);
    wanted.options.viewport = wanted.options.viewport.or(viewport);
    device::name(&wanted, Some(&origin.app), extensions)
}

/// The property of `--goal`, which may use what the specification declares.
fn goal_property(text: &str, spec: &Spec, extensions: &Extensions) -> Result<Prop, Problem> {
    let declared: String = spec.declarations().map(|(_, line)| format!("{line}\n")).collect();
    let parsed = source::parse_named("--goal", &format!("{declared}assert {text}"), extensions)?;
    let trace = parsed.checks.first().map(|it| it.generator.sample(Rng::new(0)).to_trace());
    match trace {
        Some(Trace::Assert(property)) if parsed.checks.len() == 1 => Ok(property),
        _ => Err(Problem::request(format!("--goal {text} is not one property"))
            .help("a property is written like isDisplayed(#saved) or hasText(#total, \"12\")")),
    }
}

/// The properties that are asserted in the recording. One that does not read is left out, and said.
fn assertions(recording: &mut Recording, file: &str) -> Vec<Prop> {
    let mut properties = Vec::new();
    recording.assertions.retain(|assertion| {
        let parsed = parse_gen(&format!("assert {}", assertion.property));
        let trace = parsed.map(|parsed| parsed.sample(Rng::new(0)).to_trace());
        match trace {
            Ok(Trace::Assert(property)) => properties.push(property),
            _ => {
                let property = &assertion.property;
                warn(&format!("{file}: `assert {property}` is left out: it is not a property"));
                return false;
            }
        }
        true
    });
    properties
}

/// The ways of a model that an exploration saved.
fn model(path: &Path, extensions: &Extensions) -> Result<ModelWays, Problem> {
    let file = if path.is_dir() { path.join(Models::EXPLORATION) } else { path.to_owned() };
    let (kind, entries) = Keeper::load(&file, &extensions.abstractions).map_err(|error| {
        Problem::request(error.to_string()).help(
            "--model takes the run directory of a `capuchin explore`, or the model.jsonl in it",
        )
    })?;
    let ways = ModelWays::new(kind, &entries);
    if ways.screens() == 0 {
        warn(&format!("{} knows no screen, so it proposes nothing", file.display()));
    }
    Ok(ways)
}

/// A recording is not lost over its own replay.
fn refuse_to_replace(path: &Path, recording: &Path) -> Result<(), Problem> {
    let is_same = matches!(
        (path.canonicalize(), recording.canonicalize()),
        (Ok(one), Ok(other)) if one == other
    );
    match is_same {
        true => Err(Problem::request(format!("{} is what is replayed", path.display()))
            .help("name another file with --write")),
        false => Ok(()),
    }
}

/// Writes what was replayed, as a recording or, by the ending of the name, as a trace.
fn write(
    path: &Path,
    replays: &Replays,
    device: &str,
    conclusion: Conclusion,
) -> Result<(), Problem> {
    let shown = path.display();
    let healed = replays.healed(device).filter(|_| conclusion == Conclusion::Held);
    let Some(healed) = healed else {
        warn(&format!("{shown} is not written: the replay did not succeed"));
        return Ok(());
    };
    let is_trace = path.extension().is_some_and(|ending| ending == "capu");
    let mut bytes = Vec::new();
    let written = match is_trace {
        true => write_whole(path, healed.to_capu()),
        false => healed.write(&mut bytes).and_then(|()| write_whole(path, &bytes)),
    };
    written.map_err(|error| Problem::request(format!("cannot write {shown}: {error}")))?;
    let (events, how) = (healed.events.len(), if is_trace { "run" } else { "replay" });
    let path = quoted(&shown.to_string());
    say(&format!("wrote {events} events; run them as they are: capuchin {how} {path}"));
    Ok(())
}
