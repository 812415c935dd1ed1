//! `capuchin run`: each trace of a file, once or several times, and what became of it.

use crate::args::RunArgs;
use crate::device;
use crate::exit::Problem;
use crate::extensions::Extensions;
use crate::interrupt::interrupt;
use crate::launch::warn_of_lost;
use crate::oracle::SpecModel;
use crate::progress::ProgressLine;
use crate::source;
use capuchin::log::{Observer, RunEvent};
use capuchin::steering::PilotPool;
use capuchin::ui::Stop;
use capuchin::{Conclusion, Config};
use capuchin_mission::{Fleet, Run};
use capuchin_report::Terminal;
use std::path::Path;
use std::sync::Arc;

/// Runs each trace of a file. A generator is drawn from once.
pub(crate) fn run(args: &RunArgs, extensions: &Extensions) -> Result<Conclusion, Problem> {
    let (name, mut spec) = match (&args.trace, &args.file) {
        (Some(text), _) => {
            ("the trace".to_owned(), source::parse_named("--trace", text, extensions)?)
        }
        (None, Some(file)) => source::load(file, extensions)?,
        (None, None) => return Err(Problem::request("nothing to run").help("name a file")),
    };
    let path = args.file.as_deref().filter(|_| args.trace.is_none());
    let model = SpecModel::read(path.unwrap_or(Path::new("")), &mut spec)?;
    let monitors = model.watching(&spec, &[], extensions)?;
    let device_name = device::name(&args.device, spec.device.as_deref(), extensions)?;
    let source = device::Source::new(&device_name, &spec, None, extensions)?;
    let seed = device::seed(&args.device, &spec);
    let mut config = Config::once(seed);
    let flag = interrupt();
    (config.cases, config.interrupt) = (args.times, Some(Arc::clone(&flag)));
    let opened = source.open(&Stop::when([flag]));
    let devices = vec![opened.map_err(|problem| problem.if_stopped(false))?];
    let mut plans = spec.plans(&[], &monitors, &config)?;
    for plan in &mut plans {
        plan.pilots = PilotPool::new(model.pilots(extensions.explorers()));
        plan.expected = spec.expect.as_ref().map(ToString::to_string);
    }
    let reopen = |stop: &Stop| source.open(stop).map_err(|problem| problem.as_device(&device_name));
    let mut report = Terminal::of_traces(anstream::stdout(), args.screen);
    let mut progress = ProgressLine::new(args.times == 1, &plans);
    let mut observer = |event: &RunEvent| {
        if !matches!(event, RunEvent::CaseFinished { .. }) {
            progress.clear();
        }
        report.observe(event);
        progress.observe(event);
    };
    let run = Run { spec: &name, device: &device_name, seed, saved: None };
    let mut fleet = Fleet::new(devices, &reopen).on_loss(&warn_of_lost);
    let debrief = fleet.run_as(&run, &plans, &mut observer);
    match report.problem() {
        Some(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Problem::request(format!("cannot write: {error}")))
        }
        _ => Ok(debrief.conclusion),
    }
}
