//! `web:URL`, `web:FILE` and `web:DIRECTORY`: pages in Chromium or Chrome.

use super::{Driver, HOW_NAMED, NameOptions, OpenDevice, OpenRequest};
use crate::exit::Problem;
use capuchin_web::{OPTIONS, OptionError, Options, quoted_option, unrecorded, without_options};
use std::path::Path;

pub(super) struct Web;

impl Driver for Web {
    fn scheme(&self) -> &'static str {
        "web"
    }

    fn devices(&self) -> String {
        "Web apps, in Chromium or Chrome:\n  web:URL             a page: web:http://localhost:8000\n  \
         web:FILE, web:DIR   files, which are served: web:dist/index.html\n\
         With options, as in \"web:http://localhost:8000 phone locale=de-DE\": see capuchin help web\n"
            .to_owned()
    }

    fn manual(&self) -> Option<String> {
        let mut text = String::from(
            "A web device is named web:URL, web:FILE or web:DIRECTORY. Options follow the address, separated\n\
             by spaces, or are given with --with:\n\n  \
             capuchin check my.capu --device 'web:http://localhost:8000 phone locale=de-DE'\n  \
             capuchin check my.capu --device web:dist/index.html --with tablet --with crash=console\n\n\
             A value with spaces is quoted, and a quote within it is written twice:\n\
             user-agent='it''s me'. In a value, $NAME stands for an environment variable.\n\n\
             What starts a program, reads the environment or reaches outside of the app ($NAME, browser=,\n\
             flag=, proxy=, reset-command=, downloads=, files=, root=, reset-request= to another origin, and\n\
             allow= where files are served) is taken from the command line. From a .capu file or an earlier run it needs --trust.\n\n",
        );
        let width = OPTIONS.iter().map(|option| option.usage.len()).max().unwrap_or(0);
        for option in OPTIONS {
            text.push_str(&format!("  {:width$}  {}\n", option.usage, option.about));
        }
        text.push_str(WEB_EVENTS);
        Some(text)
    }

    fn takes(&self, name: &str) -> Result<bool, Problem> {
        if name.starts_with("http://") || name.starts_with("https://") {
            return Ok(true);
        }
        let Some((_, rest)) = name.split_once(':') else {
            return match Path::new(name).exists() {
                false if name.contains(['/', '.']) => {
                    Err(Problem::request(format!("there is no file or directory `{name}`"))
                        .help(HOW_NAMED))
                }
                exists => Ok(exists),
            };
        };
        let port = rest.split('/').next().unwrap_or_default();
        match !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) {
            true => Err(Problem::request(format!("unknown device `{name}`"))
                .help(format!("did you mean http://{name}?"))),
            false => Ok(false),
        }
    }

    fn name_with(&self, name: &str, options: &NameOptions<'_>) -> Result<String, Problem> {
        let mut name = name.to_owned();
        for option in options.with {
            name.push_str(&format!(" {}", quoted_option(option)));
        }
        if let Some(size) = options.viewport {
            // The one that a file names is replaced, so that a name does not grow.
            if name.contains(" viewport=") {
                name = without_options(&name, &["viewport"]);
            }
            name.push_str(&format!(" viewport={size}"));
        }
        Ok(name)
    }

    fn names_to_record(&self, name: &str) -> Result<(String, String), Problem> {
        let address = name.split_once(':').map_or(name, |(_, address)| address);
        let options = Options::parse(address).map_err(wrong_option)?;
        // A person needs a window; another program needs none.
        let is_driven = options.debugging_port.is_some() || options.visible;
        let opened = format!("{name} record{}", if is_driven { "" } else { " visible" });
        Ok((opened, format!("web:{}", unrecorded(address))))
    }

    fn needs_trust(&self, address: &str) -> Vec<String> {
        capuchin_web::needs_trust(address)
    }

    fn app<'n>(&self, name: &'n str) -> &'n str {
        name.split_once(' ').map_or(name, |(app, _)| app)
    }

    fn opener(&self, request: &OpenRequest<'_>) -> Result<OpenDevice, Problem> {
        let mut options = Options::parse(request.address).map_err(wrong_option)?;
        options.downloads = options.downloads.or(request.downloads.map(Path::to_owned));
        options.scripts = request.scripts.to_vec();
        let opener = capuchin_web::Opener::new(request.name, options);
        Ok(Box::new(move |stop| match opener.open_until(stop) {
            Ok(device) => Ok(Box::new(device)),
            Err(error) => Err(Problem::device(&error)),
        }))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
fn wrong_option(error: OptionError) -> Problem {
    let problem = Problem::request(error.to_string());
    let OptionError::Unknown { word } = &error else { return problem };
    let key = |usage: &'static str| usage.split('=').next().unwrap_or_default();
    let names = OPTIONS.iter().map(|option| key(option.usage));
    let wanted = word.split('=').next().unwrap_or_default();
    match capuchin::ui::suggest(wanted, names) {
        Some(name) => {
            problem.help(format!("did you mean `{name}`? `capuchin help web` lists the options"))
        }
        None => problem.help("`capuchin help web` lists the options"),
    }
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
  Type(#file, \"a.txt\")    chooses a file: one in files=DIR, or a small one of that name
  Swipe(#card, #bin)      drags and drops

Environment events, declared as in `environment reload`:
  reload()                loads the page again; its storage is kept
  network(\"off\")          off, slow or on
  locUpdate(48.2, 16.4)   a latitude and a longitude
  clock(60000)            advances the page's clock by so many milliseconds

A reset clears cookies, storage, caches of the app, history, windows and environment. Files that the server allows the
browser to cache (scripts, pictures, pages without an expiry) are not fetched again.
";
