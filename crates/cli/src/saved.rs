//! The failures that the last run saved: which run that is, and which plan runs which of them.

use crate::extensions::{Extensions, with_exercises};
use crate::resume::{default_directory, run_name};
use capuchin::Plan;
use capuchin::log::{Failure, SavedFailures};
use capuchin_mission::{Log, RunDirectory, SavedFile};
use capuchin_spec::Spec;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// What the last run of the same name has left.
#[derive(Default)]
pub(crate) struct LastRun {
    /// What is told of it; `None` if there is nothing to run.
    pub(crate) told: Option<SavedFailures>,
    /// What is kept until it was run again.
    pub(crate) kept: Vec<SavedFile>,
}

impl LastRun {
    /// Reads the failures of the run in a directory, and gives each to the plan of its check. Those
    /// of a check that is not asked for this time are only kept.
    pub(crate) fn read(
        directory: Option<PathBuf>,
        spec: &Spec,
        plans: &mut [Plan],
        extensions: &Extensions,
    ) -> Self {
        let mut last = LastRun::default();
        let Some(directory) = directory else { return last };
        let (words, spec) = (extensions.words(), &with_exercises(spec));
        let name = directory.display().to_string();
        let mut told = SavedFailures { directory: name, ..SavedFailures::default() };
        for file in RunDirectory::saved(&directory) {
            let is_its = |check: &str| Failure::check_in_files(check) == file.check;
            let is_left_out = spec.checks.iter().any(|check| is_its(&check.name));
            let Some(plan) = plans.iter_mut().find(|plan| is_its(&plan.name)) else {
                if is_left_out {
                    last.kept.push(file);
                } else {
                    told.unfit.push((file.name, "its check is not there any more".to_owned()));
                }
                continue;
            };
            match spec.saved(&plan.name, (&file.name, &file.text), &words) {
                Ok(saved) => {
                    told.count += 1;
                    plan.saved.push(saved);
                    last.kept.push(file);
                }
                Err(error) => told.unfit.push((file.name, error.to_string())),
            }
        }
        last.told = Some(told).filter(|told| told.count > 0 || !told.unfit.is_empty());
        last
    }
}

/// The directory of the last run of the same name: the one that is asked for, else the newest of
/// the same file and device, whatever its seed and wherever it was started.
pub(crate) fn last_directory(out: Option<&Path>, file: &Path, device: &str) -> Option<PathBuf> {
    if let Some(out) = out {
        return Some(out.to_owned());
    }
    let name = run_name(file, device);
    let runs = places_of_runs(file, device).into_iter().filter_map(|place| newest(&place, &name));
    runs.max().map(|(_, path)| path)
}

/// The newest run of this name in a directory, and when it was written.
fn newest(place: &Path, name: &str) -> Option<(SystemTime, PathBuf)> {
    let runs = std::fs::read_dir(place).ok()?.filter_map(|entry| {
        let path = entry.ok()?.path();
        // With a seed after it, and nothing else.
        path.file_name()?.to_str()?.strip_prefix(name)?.strip_prefix('-')?.parse::<u64>().ok()?;
        let written = |metadata: std::fs::Metadata| metadata.modified().ok();
        let when: SystemTime = path.join(Log::FILE).metadata().ok().and_then(written)?;
        Some((when, path))
    });
    runs.max()
}

/// The directories in which the runs of a file are: that of a command that is started here, and
/// those of commands that were started in any directory above the file. What belongs to somebody
/// else than the file does is left alone: everybody may write into some of these directories.
fn places_of_runs(file: &Path, device: &str) -> Vec<PathBuf> {
    let parent = |file: &Path| default_directory(file, device, 0).parent().map(Path::to_owned);
    let mut places: Vec<PathBuf> = parent(file).into_iter().collect();
    let (Some(whole), Ok(metadata)) = (normalized(file), file.metadata()) else { return places };
    if !metadata.is_file() {
        return places;
    }
    let here = std::env::current_dir().ok();
    for above in whole.ancestors().skip(1) {
        let is_here = here.as_deref() == Some(above);
        let Ok(below) = whole.strip_prefix(above) else { continue };
        let Some(place) = parent(below).map(|place| above.join(place)) else { continue };
        let is_own = place.metadata().is_ok_and(|place| place.uid() == metadata.uid());
        if is_own && !is_here {
            places.push(place);
        }
    }
    places
}

/// The whole path of a file, without `.` and `..`. Links stay as they are: they are how the file is
/// named.
fn normalized(file: &Path) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for part in std::path::absolute(file).ok()?.components() {
        match part {
            Component::ParentDir => _ = whole.pop(),
            part => whole.push(part),
        }
    }
    Some(whole)
}
