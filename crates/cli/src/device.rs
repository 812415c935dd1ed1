//! From the name of a device to the device.

use crate::args::{DeviceArgs, parse_size};
use crate::exit::{Exit, Problem, print};
use capuchin::ui::{Device, Script, Str};
use capuchin_spec::Spec;
use std::path::PathBuf;

/// `capuchin devices`.
pub(crate) fn list() -> Result<Exit, Problem> {
    let samples = capuchin_apps::all();
    let width = samples.iter().map(|sample| sample.name.len()).max().unwrap_or_default();
    let mut text = String::from("Simulated apps, nothing to install:\n");
    for sample in samples {
        text.push_str(&format!("  sim:{:width$}  {}\n", sample.name, sample.about));
    }
    text.push_str("Each app with bugs is also there without them: sim:music-fixed\n");
    text.push_str(
        "\nWeb apps, in Chromium or Chrome:\n  web:URL             a page: web:http://localhost:8000\n  \
         web:FILE, web:DIR   files, which are served: web:dist/index.html\n\
         With options, as in \"web:http://localhost:8000 phone locale=de-DE\": see capuchin help web\n",
    );
    print(&text)
}

/// The name of the device: as asked for, else as the file says. A viewport and other options are
/// part of the name, so that what is found on it is found on it again.
pub(crate) fn name(args: &DeviceArgs, spec: &Spec) -> Result<String, Problem> {
    let Some(mut name) = args.device.clone().or_else(|| spec.device.clone()) else {
        return Err(Problem::request("no device is named")
            .help("add --device sim:music or --device web:http://localhost:8000, or a line `device \"...\"` to the file; `capuchin devices` lists them"));
    };
    if name.starts_with("http://") || name.starts_with("https://") {
        name = format!("web:{name}");
    }
    if name.starts_with("web:") {
        for option in &args.options.with {
            name.push_str(&format!(" {}", capuchin_web::quoted_option(option)));
        }
        if let Some(size) = args.options.viewport {
            name.push_str(&format!(" viewport={size}"));
        }
        return Ok(name);
    }
    if let Some(option) = args.options.with.first() {
        return Err(Problem::request(format!("`{name}` has no option `{option}`"))
            .help("--with is for web devices"));
    }
    Ok(match (args.options.viewport, name.split_once('@')) {
        (Some(size), Some((plain, _))) => format!("{plain}@{size}"),
        (Some(size), None) => format!("{name}@{size}"),
        (None, _) => name,
    })
}

/// Where the devices of a run come from.
pub(crate) struct Source<'a> {
    name: String,
    spec: &'a Spec,
    /// Devices in one browser; `None` for simulated ones.
    web: Option<capuchin_web::Opener>,
}

impl<'a> Source<'a> {
    /// Devices of this name, for this specification. `downloads` is where what the app offers for
    /// download goes.
    pub(crate) fn new(
        name: &str,
        spec: &'a Spec,
        downloads: Option<PathBuf>,
    ) -> Result<Self, Problem> {
        let web = match name.strip_prefix("web:") {
            Some(options) => {
                let mut options = capuchin_web::Options::parse(options).map_err(wrong_option)?;
                options.downloads = options.downloads.or(downloads);
                options.scripts.clone_from(&spec.scripts);
                Some(capuchin_web::Opener::new(name, options))
            }
            None => None,
        };
        Ok(Source { name: name.to_owned(), spec, web })
    }

    /// Opens one more, and makes sure that it knows what the specification asks of it.
    pub(crate) fn open(&self) -> Result<Box<dyn Device>, Problem> {
        let device: Box<dyn Device> = match &self.web {
            Some(opener) => Box::new(opener.open().map_err(|error| Problem::device(&error))?),
            None => simulated(&self.name)?,
        };
        suits(device, &self.name, self.spec)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
fn wrong_option(error: capuchin_web::OptionError) -> Problem {
    let problem = Problem::request(error.to_string());
    let capuchin_web::OptionError::Unknown { word } = &error else { return problem };
    let key = |usage: &'static str| usage.split('=').next().unwrap_or_default();
    let names = capuchin_web::OPTIONS.iter().map(|option| key(option.usage));
    let wanted = word.split('=').next().unwrap_or_default();
    match capuchin::ui::suggest(wanted, names) {
        Some(name) => {
            problem.help(format!("did you mean `{name}`? `capuchin help web` lists the options"))
        }
        None => problem.help("`capuchin help web` lists the options"),
    }
}

fn simulated(name: &str) -> Result<Box<dyn Device>, Problem> {
    let (plain, viewport) = match name.split_once('@') {
        Some((plain, size)) => (plain, Some(parse_size(size).map_err(Problem::request)?)),
        None => (name, None),
    };
    let Some(app) = plain.strip_prefix("sim:") else {
        let named = "a device is named like sim:music or web:http://localhost:8000; `capuchin devices` lists them";
        let port = name.split_once(':').map(|(_, rest)| rest.split('/').next().unwrap_or_default());
        return Err(match port {
            None if name.contains(['/', '.']) => {
                Problem::request(format!("there is no file or directory `{name}`")).help(named)
            }
            Some(port) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => {
                Problem::request(format!("unknown device `{name}`"))
                    .help(format!("did you mean http://{name}?"))
            }
            _ => Problem::request(format!("unknown device `{name}`")).help(named),
        });
    };
    let opened = match viewport {
        Some(size) => capuchin_apps::open_with(app, size),
        None => capuchin_apps::open(app),
    };
    opened.ok_or_else(|| {
        let names = capuchin_apps::all().iter().map(|sample| sample.name);
        Problem::request(format!("unknown device `{name}`: there is no app `{app}`"))
            .suggest(app, names)
    })
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

/// What the events of the language are on a web page.
const WEB_EVENTS: &str = "
What events do there:
  ClickBack               one step back in the history, out of a popup, or out of the app and in again
  ClickHome               the page is hidden and frozen, and shown again
  ClickMenu               the key for the context menu
  Settings                colour scheme, reduced motion, text size or language change, in turn
  Rotate                  width and height of the viewport are exchanged
  Click(choice(\"Post\"))   chooses from a <select>; so does Type(#shipping, \"Post\")
  Type(#file, \"a.txt\")    chooses a file: one that exists, or a small one of that name
  Swipe(#card, #bin)      drags and drops

Environment events, declared as in `environment reload`:
  reload()                loads the page again; its storage is kept
  network(\"off\")          off, slow or on
  locUpdate(48.2, 16.4)   a latitude and a longitude
  clock(60000)            advances the page's clock by so many milliseconds

A reset clears cookies, storage, caches of the app, history, windows and environment. Files that the server allows the
browser to cache (scripts, pictures, pages without an expiry) are not fetched again.
";

/// `capuchin help web`.
pub(crate) fn web_help() -> String {
    let mut text = String::from(
        "A web device is named web:URL, web:FILE or web:DIRECTORY. Options follow the address, separated\n\
         by spaces, or are given with --with:\n\n  \
         capuchin check my.capu --device 'web:http://localhost:8000 phone locale=de-DE'\n  \
         capuchin check my.capu --device web:dist/index.html --with tablet --with crash=console\n\n\
         A value with spaces is quoted, and a quote within it is written twice:\n\
         user-agent='it''s me'. In a value, $NAME stands for an environment variable.\n\n",
    );
    let width = capuchin_web::OPTIONS.iter().map(|option| option.usage.len()).max().unwrap_or(0);
    for option in capuchin_web::OPTIONS {
        text.push_str(&format!("  {:width$}  {}\n", option.usage, option.about));
    }
    text.push_str(WEB_EVENTS);
    text
}
