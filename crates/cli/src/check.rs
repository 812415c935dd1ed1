//! `capuchin check`: a specification, a fleet of devices, and the readers of what happens.

use crate::args::CheckArgs;
use crate::device;
use crate::exit::{Problem, say};
use crate::extensions::Extensions;
use crate::interrupt::interrupt;
use crate::launch::Launch;
use crate::oracle::SpecModel;
use crate::resume::{default_directory, device_of, models, out_directory, warn_of_another};
use crate::saved::{LastRun, last_directory};
use crate::source;
use capuchin::steering::PilotPool;
use capuchin::{Conclusion, Config};
use capuchin_explore::Models;
use capuchin_mission::{Run, RunDirectory};
use capuchin_report::{quoted, without_secrets};
use capuchin_spec::Spec;
use std::path::Path;

/// Checks a specification.
pub(crate) fn check(args: &CheckArgs, extensions: &Extensions) -> Result<Conclusion, Problem> {
    let (file, mut spec) = source::load(&args.file, extensions)?;
    let model = SpecModel::read(&args.file, &mut spec)?;
    if spec.checks.is_empty() {
        return Err(Problem::request(format!("{file} has no check")).help(format!(
            "add `check NAME = ...`, or explore with what it says of `always`: capuchin explore --spec {file}"
        )));
    }
    let monitors = model.watching(&spec, &args.monitor, extensions)?;
    let seed = device::seed(&args.device, &spec);
    let config = config(args, &spec, seed);
    let mut plans = spec.plans(&args.only, &monitors, &config)?;
    let device = device::name(&args.device, spec.device.as_deref(), extensions)?;
    let usual = || default_directory(&args.file, &device, seed);
    let out = out_directory(args.out.as_deref(), args.resume.as_deref(), usual)?;
    let mut models = models(&plans, args.resume.as_deref(), extensions)?;
    if let Some(directory) = &args.resume {
        warn_of_another(directory, device_of(directory), &device, &extensions.drivers);
    }
    let last =
        (!args.failures.fresh).then(|| last_directory(args.out.as_deref(), &args.file, &device));
    let last = LastRun::read(last.flatten(), &spec, &mut plans, extensions);
    let run = Run { spec: &file, device: &device, seed, saved: last.told.as_ref() };
    let said = (&spec, &model);
    let mut launch = Launch::new(run, said, &out, (args.jobs, &config), &last.kept, extensions)?;
    let kept = out.join(RunDirectory::MODELS);
    models.iter_mut().for_each(|models| launch.keep(models, &kept));
    for (plan, models) in plans.iter_mut().zip(&models) {
        let mut explorers = extensions.explorers();
        explorers.models = models.clone();
        plan.pilots = PilotPool::new(model.pilots(explorers));
    }
    let debrief = launch.run(&plans, &models, args.quiet);
    if !args.quiet && !models.iter().all(Models::is_empty) {
        say(&resume_command(args, &file, (&device, seed), &out));
    }
    Ok(debrief.conclusion)
}

/// How to go on from what the policies of `auto` have learned.
fn resume_command(args: &CheckArgs, file: &str, (device, seed): (&str, u64), out: &Path) -> String {
    let (file, device) = (quoted(file), quoted(&without_secrets(device)));
    let mut command = format!("resume: capuchin check {file} --device {device} --seed {seed}");
    for only in &args.only {
        command += &format!(" --only {}", quoted(only));
    }
    for monitor in &args.monitor {
        command += &format!(" --monitor {}", quoted(monitor));
    }
    command += &format!(" --resume {}", quoted(&out.display().to_string()));
    command
}

/// How each check is run.
fn config(args: &CheckArgs, spec: &Spec, seed: u64) -> Config {
    let mut config = Config::default();
    config.seed = seed;
    config.cases = args.cases.or(spec.cases).unwrap_or(config.cases);
    config.events = args.events;
    (config.time, config.shrink_time) = (args.time, args.failures.shrink_time);
    config.fail_on_flaky = args.failures.fail_on_flaky;
    config.stop_at_first = args.fail_fast;
    config.shrink_budget = args.shrink_budget;
    config.film = true;
    config.interrupt = Some(interrupt());
    config
}
