//! From the name of a device to the device.

use crate::args::{DeviceArgs, parse_size};
use crate::exit::{Exit, Problem, print};
use capuchin::ui::{Device, Script, Str};
use capuchin_spec::Spec;

/// `capuchin devices`.
pub(crate) fn list() -> Result<Exit, Problem> {
    let samples = capuchin_apps::all();
    let width = samples.iter().map(|sample| sample.name.len()).max().unwrap_or_default();
    let mut text = String::from("Simulated apps, nothing to install:\n");
    for sample in samples {
        text.push_str(&format!("  sim:{:width$}  {}\n", sample.name, sample.about));
    }
    text.push_str("Each app with bugs is also there without them: sim:music-fixed\n");
    print(&text)
}

/// The name of the device: as asked for, else as the file says. A viewport is part of the name, so
/// that what is found on it is found on it again.
pub(crate) fn name(args: &DeviceArgs, spec: &Spec) -> Result<String, Problem> {
    let named = args.device.clone().or_else(|| spec.device.clone());
    let sized = named.map(|name| match (args.viewport, name.split_once('@')) {
        (Some(size), Some((plain, _))) => format!("{plain}@{size}"),
        (Some(size), None) => format!("{name}@{size}"),
        (None, _) => name,
    });
    sized.ok_or_else(|| {
        Problem::request("no device is named")
            .help("add --device sim:music, or a line `device \"sim:music\"` to the file; `capuchin devices` lists them")
    })
}

/// Opens a device and makes sure that it knows what the specification asks of it.
pub(crate) fn open(name: &str, spec: &Spec) -> Result<Box<dyn Device>, Problem> {
    let (plain, viewport) = match name.split_once('@') {
        Some((plain, size)) => (plain, Some(parse_size(size).map_err(Problem::request)?)),
        None => (name, None),
    };
    let Some(app) = plain.strip_prefix("sim:") else {
        return Err(Problem::request(format!("unknown device `{name}`"))
            .help("a device is named like sim:music; `capuchin devices` lists them"));
    };
    let opened = match viewport {
        Some(size) => capuchin_apps::open_with(app, size),
        None => capuchin_apps::open(app),
    };
    let Some(device) = opened else {
        let names = capuchin_apps::all().iter().map(|sample| sample.name);
        return Err(Problem::request(format!("unknown device `{name}`: there is no app `{app}`"))
            .suggest(app, names));
    };
    let info = device.info();
    let missing = |wanted: &[Str], known: &[Str]| -> Vec<String> {
        wanted.iter().filter(|name| !known.contains(name)).map(|name| format!("`{name}`")).collect()
    };
    let predicates = missing(&spec.predicates, &info.predicates);
    let events = missing(&spec.environment, &info.environment);
    let mut wrong = Vec::new();
    let mut help = Vec::new();
    if !predicates.is_empty() {
        wrong.push(format!("{name} does not answer {}", predicates.join(", ")));
        help.push(known("predicates", &info.predicates));
    }
    if !spec.scripts.is_empty() && info.scripts.as_ref() != Some(&Script::LANGUAGE) {
        let scripts: Vec<String> =
            spec.scripts.iter().map(|script| format!("`{}`", script.name)).collect();
        wrong.push(format!("{name} evaluates no JavaScript, as in {}", scripts.join(", ")));
        help.push("run it on a web device".to_owned());
    }
    if !events.is_empty() {
        wrong.push(format!("{name} has no environment event {}", events.join(", ")));
        help.push(known("environment events", &info.environment));
    }
    if wrong.is_empty() {
        Ok(device)
    } else {
        Err(Problem::request(wrong.join("; ")).help(help.join("; ")))
    }
}

fn known(what: &str, names: &[Str]) -> String {
    if names.is_empty() {
        format!("it knows no {what}")
    } else {
        format!("its {what}: {}", names.join(", "))
    }
}

/// The seed: as asked for, else as the file says, else a new one.
pub(crate) fn seed(args: &DeviceArgs, spec: &Spec) -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // The one place where something random is not given: it is printed, and given from then on.
    args.seed.or(spec.seed).unwrap_or_else(|| RandomState::new().hash_one(0) >> 32)
}
