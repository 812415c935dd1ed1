//! From the name of a device to the device.

use crate::args::DeviceArgs;
use crate::driver::{NameOptions, OpenDevice, OpenRequest};
use crate::exit::{Problem, print};
use crate::extensions::Extensions;
use capuchin::Conclusion;
use capuchin::ui::{Device, Script, Stop, Str};
use capuchin_spec::Spec;
use std::path::Path;

/// `capuchin devices`.
pub(crate) fn list(extensions: &Extensions) -> Result<Conclusion, Problem> {
    let drivers = extensions.drivers.all().iter();
    let devices: Vec<String> = drivers.map(|driver| driver.devices()).collect();
    print(&devices.join("\n"))
}

/// The name of the device: as asked for, else as a file says, which is trusted only if the user
/// says so. A viewport and other options are part of the name, so that what is found on it is found
/// on it again.
pub(crate) fn name(
    args: &DeviceArgs,
    named: Option<&str>,
    extensions: &Extensions,
) -> Result<String, Problem> {
    let Some(name) = args.device.as_deref().or(named) else {
        return Err(Problem::request("no device is named")
            .help("add --device sim:music or --device web:http://localhost:8000, or a line `device \"...\"` to the file; `capuchin devices` lists them"));
    };
    if args.device.is_none() && !args.options.trust {
        extensions.drivers.refuse_untrusted(name)?;
    }
    let (driver, name) = extensions.drivers.resolve(name)?;
    let options = NameOptions { viewport: args.options.viewport, with: &args.options.with };
    driver.name_with(&name, &options)
}

/// Where the devices of a run come from.
pub(crate) struct Source<'a> {
    name: &'a str,
    spec: &'a Spec,
    opener: OpenDevice,
}

impl<'a> Source<'a> {
    /// Devices of this name, for this specification. `downloads` is where what the app offers for
    /// download goes.
    pub(crate) fn new(
        name: &'a str,
        spec: &'a Spec,
        downloads: Option<&Path>,
        extensions: &Extensions,
    ) -> Result<Self, Problem> {
        let Some((driver, address)) = extensions.drivers.of(name) else {
            return Err(Problem::request(format!("unknown device `{name}`")));
        };
        let request = OpenRequest { name, address, scripts: &spec.scripts, downloads };
        Ok(Source { name, spec, opener: driver.opener(&request)? })
    }

    /// Opens one more, and makes sure that it knows what the specification asks of it.
    pub(crate) fn open(&self, stop: &Stop) -> Result<Box<dyn Device>, Problem> {
        suits((self.opener)(stop)?, self.name, self.spec)
    }
}

fn suits(device: Box<dyn Device>, name: &str, spec: &Spec) -> Result<Box<dyn Device>, Problem> {
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
    args.options.seed.or(spec.seed).unwrap_or_else(|| RandomState::new().hash_one(0) >> 32)
}
