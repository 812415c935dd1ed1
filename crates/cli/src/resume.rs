//! Where a run leaves its results, and how another one goes on from what it learned there.

use crate::driver::Drivers;
use crate::exit::{Problem, warn};
use crate::extensions::Extensions;
use capuchin::Plan;
use capuchin::log::RunEvent;
use capuchin::ui::Digest;
use capuchin_explore::{ModelError, Models};
use capuchin_mission::{Log, RunDirectory};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};

/// Where the results go. A run that goes on from another leaves that one as it is.
pub(crate) fn out_directory(
    out: Option<&Path>,
    resume: Option<&Path>,
    usual: impl FnOnce() -> PathBuf,
) -> Result<PathBuf, Problem> {
    match (out, resume) {
        (Some(out), Some(resume)) if is_same(out, resume) => {
            Err(Problem::request(format!("{} is what is to be resumed", out.display()))
                .help("choose another directory with --out DIR"))
        }
        (Some(out), _) => Ok(out.to_owned()),
        (None, Some(resume)) => Ok(beside(resume)),
        (None, None) => Ok(usual()),
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other
        || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// A directory beside what is resumed that is not there yet: what was learned is never replaced.
fn beside(resume: &Path) -> PathBuf {
    // Without a slash at its end; `.` and `..` have a name only where they lead to.
    let whole: PathBuf = resume.components().collect();
    let whole = match whole.file_name() {
        Some(_) => whole,
        None => whole.canonicalize().unwrap_or(whole),
    };
    let named = |suffix: &str| {
        let mut name = whole.clone().into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    };
    let others = (2..).map(|number| named(&format!("-resumed-{number}")));
    let mut names = std::iter::once(named("-resumed")).chain(others);
    names.find(|name| !name.exists()).unwrap_or(whole)
}

/// One directory for each specification, device and seed. A run with the same three replaces the
/// one before it.
pub(crate) fn default_directory(file: &Path, device: &str, seed: u64) -> PathBuf {
    // Below directories of the same names, so that files of the same name do not meet.
    let parents = file.parent().into_iter().flat_map(Path::components);
    let parents: PathBuf = parents
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name),
            Component::ParentDir => Some("up".as_ref()),
            Component::RootDir => Some("root".as_ref()),
            Component::CurDir | Component::Prefix(_) => None,
        })
        .collect();
    Path::new("capuchin-out").join(parents).join(format!("{}-{seed}", run_name(file, device)))
}

/// How much of an app's address is in the name of a directory, in characters.
const LONGEST_APP: usize = 100;

/// The name of the directory of a run, without the seed.
pub(crate) fn run_name(file: &Path, device: &str) -> String {
    let stem = match file.file_stem() {
        Some(stem) if file != Path::new("-") => stem.to_string_lossy().into_owned(),
        _ => "stdin".to_owned(),
    };
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    let (app, options) = device.split_once(' ').unwrap_or((device, ""));
    let mut name: String = app.chars().take(LONGEST_APP).map(safe).collect();
    // Options may be long, and have passwords in them.
    if !options.is_empty() || app.chars().count() > LONGEST_APP {
        name.push_str(&format!("-{:08x}", Digest::of(device) as u32));
    }
    format!("{stem}-{name}")
}

/// What the pilots of each check know when it begins: what they knew at the end of the run in a
/// directory, if there is one to go on from.
pub(crate) fn models(
    plans: &[Plan],
    resume: Option<&Path>,
    extensions: &Extensions,
) -> Result<Vec<Models>, Problem> {
    let of_check = |plan: &Plan| Models::new(&plan.name, &plan.generator);
    let mut models: Vec<Models> = plans.iter().map(of_check).collect();
    let Some(directory) = resume else { return Ok(models) };
    if models.iter().all(Models::is_empty) {
        return Err(Problem::request(
            "there is nothing to resume: no check has an `auto` that learns",
        )
        .help("leave --resume out; `capuchin help spec` says which policies learn"));
    }
    let help = "name the run directory of an earlier `capuchin check` of the same file, with --only \
                CHECK if that was not all of it; or leave --resume out";
    let directory = directory.join(RunDirectory::MODELS);
    for models in &mut models {
        models
            .load(&directory, &extensions.abstractions)
            .map_err(|error| cannot_resume(&error, help))?;
    }
    Ok(models)
}

/// The longest first line of a log, in bytes.
const LONGEST_START: u64 = 1 << 20;

/// The device of the run in a directory, or beside a model, if its log says.
pub(crate) fn device_of(resumed: &Path) -> Option<String> {
    let directory = if resumed.is_dir() { resumed } else { resumed.parent()? };
    let log = directory.join(Log::FILE);
    // Only the first line, and not much of that: a log may have millions, or be none.
    let mut first = String::new();
    let file = log.is_file().then(|| File::open(&log).ok()).flatten()?;
    BufReader::new(file.take(LONGEST_START)).read_line(&mut first).ok()?;
    match serde_json::from_str(&first).ok()? {
        RunEvent::RunStarted { device, .. } => Some(device),
        _ => None,
    }
}

/// What was learned of another app helps nobody; that of another version or another place of it
/// may. So it is only said.
pub(crate) fn warn_of_another(
    directory: &Path,
    earlier: Option<String>,
    device: &str,
    drivers: &Drivers,
) {
    // An app is the same in a window of another size and with other options.
    let app = |device: &str| -> String {
        drivers.of(device).map_or(device, |(driver, _)| driver.app(device)).to_owned()
    };
    if let Some(earlier) = earlier.filter(|earlier| app(earlier) != app(device)) {
        let directory = directory.display();
        warn(&format!(
            "{directory} has learned from {earlier}; if that is another app, leave --resume out"
        ));
    }
}

/// What was learned cannot be had, and what to do about it.
pub(crate) fn cannot_resume(error: &ModelError, help: &str) -> Problem {
    Problem::request(format!("cannot resume: {error}")).help(help)
}
