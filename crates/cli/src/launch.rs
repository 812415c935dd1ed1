//! Devices, a run directory and the readers of a run: what a check and an exploration share.

use crate::device::Source;
use crate::exit::{Problem, warn};
use crate::extensions::Extensions;
use crate::oracle::SpecModel;
use crate::progress::ProgressLine;
use crate::readers::Readers;
use capuchin::ui::{Device, DeviceError, Stop};
use capuchin::{Config, Plan};
use capuchin_explore::{ModelError, Models};
use capuchin_mission::{Countdown, Debrief, Fleet, Run, RunDirectory, SavedFile};
use capuchin_spec::Spec;
use std::path::Path;

/// A run that is about to begin: its devices are open, and its directory is there.
pub(crate) struct Launch<'a> {
    run: Run<'a>,
    source: Source<'a>,
    devices: Vec<Box<dyn Device>>,
    /// The time that is kept began when the devices began to be opened.
    countdown: Countdown,
    directory: RunDirectory,
    needs_trust: bool,
}

impl<'a> Launch<'a> {
    /// Opens the devices, and makes the run directory, which keeps what an earlier run has saved.
    pub(crate) fn new(
        run: Run<'a>,
        (spec, model): (&'a Spec, &SpecModel),
        out: &Path,
        (jobs, config): (u32, &Config),
        kept: &[SavedFile],
        extensions: &Extensions,
    ) -> Result<Self, Problem> {
        let device = run.device;
        let source = Source::new(device, spec, Some(&out.join("downloads")), extensions)?;
        let countdown = Countdown::start(config.time);
        let stop = countdown.stop(config.interrupt.as_ref());
        let devices = (0..jobs).map(|_| source.open(&stop)).collect::<Result<_, _>>();
        let devices = devices.map_err(|problem| problem.if_stopped(countdown.is_over()))?;
        let declarations = spec.declarations().map(|(name, line)| (name.to_string(), line));
        let declared = model.declaration(&out.join(RunDirectory::FAILURES));
        let declarations = declarations.chain(declared).collect();
        let directory = RunDirectory::create(out, device, declarations);
        let mut directory = directory.map_err(|error| {
            Problem::request(error.to_string()).help("choose another with --out DIR")
        })?;
        // They are a directory deeper.
        let kept: Vec<SavedFile> = match model.declaration(&out.join(RunDirectory::KEPT)) {
            Some((_, line)) => kept.iter().map(|file| with_model(file, &line)).collect(),
            None => kept.to_vec(),
        };
        directory.keep(&kept);
        let needs_trust = !extensions.drivers.needs_trust(device).is_empty();
        Ok(Launch { run, source, devices, countdown, directory, needs_trust })
    }

    /// What is learned is kept in a directory of the run's. A loss changes no verdict.
    pub(crate) fn keep(&mut self, models: &mut Models, directory: &Path) {
        if let Err(ModelError::Unwritable { path, source }) = models.keep(directory) {
            self.directory.note(path, Err(source));
        }
    }

    /// Runs the plans, and writes the reports.
    pub(crate) fn run(self, plans: &[Plan], models: &[Models], quiet: bool) -> Debrief {
        let Launch { run, source, devices, countdown, directory, needs_trust } = self;
        let reopen =
            |stop: &Stop| source.open(stop).map_err(|problem| problem.as_device(run.device));
        let mut readers = Readers::new(directory, ProgressLine::new(quiet, plans), needs_trust);
        let mut fleet = Fleet::new(devices, &reopen).on_loss(&warn_of_lost).began(countdown.began);
        let debrief = fleet.run_as(&run, plans, &mut readers);
        if let Some(coverage) = &debrief.coverage {
            readers.add_coverage(coverage);
        }
        for problem in models.iter().flat_map(Models::problems) {
            readers.lost(problem);
        }
        readers.finish(quiet);
        debrief
    }
}

/// A saved failure that names its model by another path.
fn with_model(file: &SavedFile, line: &str) -> SavedFile {
    let is_model = |line: &str| line.starts_with(concat!("model", " \""));
    let first = line.lines().next().unwrap_or_default();
    let lines = file.text.lines().map(|line| if is_model(line) { first } else { line });
    let text = lines.map(|line| format!("{line}\n")).collect();
    SavedFile { text, ..file.clone() }
}

/// Not among the results: those are the same as if nothing had happened.
pub(crate) fn warn_of_lost(lost: &DeviceError) {
    warn(&format!("{lost}; going on with another one"));
}
