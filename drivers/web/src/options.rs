//! What can be said about a web device beyond its address, and how it is written.
//!
//! A device is named by one text that says everything about it, `web:URL word word key=value`, so
//! that a failure that was saved with this text can be run again.

mod setting;
mod trust;
mod words;

use crate::allowed_origins::is_origin;
use base64::Engine;
use capuchin_ui::{Script, Size};
use setting::{Setting, size};
use std::path::PathBuf;
use std::time::Duration;

pub use trust::needs_trust;
pub use words::{quoted_option, unrecorded, without_options};

/// The browser to use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Program {
    /// The first Chromium or Chrome on the PATH.
    #[default]
    OnPath,
    /// The one in this file.
    File(PathBuf),
    /// One that runs already, at this DevTools address.
    At(String),
}

/// Whose time a page lives in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// Its own: timers cost nothing, and every run is the same.
    #[default]
    Virtual,
    /// Ours.
    Real,
}

/// What becomes of a popup or a new tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Popups {
    /// It is what is tested from then on, until it is closed.
    #[default]
    Follow,
    /// It is closed.
    Close,
}

/// What counts as a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct CrashKinds {
    /// An exception that nobody catches.
    pub exceptions: bool,
    /// A promise that is rejected, and nobody cares.
    pub rejections: bool,
    /// A page that does not answer.
    pub hangs: bool,
    /// `console.error`.
    pub console: bool,
    /// A request to the app's own origin that fails: 4xx, 5xx or no answer.
    pub requests: bool,
    /// A page without anything on it.
    pub blank: bool,
    /// A control without a name, a picture without a text, an id used twice.
    pub accessibility: bool,
}

impl Default for CrashKinds {
    fn default() -> Self {
        CrashKinds {
            exceptions: true,
            rejections: true,
            hangs: true,
            console: false,
            requests: false,
            blank: false,
            accessibility: false,
        }
    }
}

/// Everything about a web device.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The address of the app: a URL, or a file or directory to be served.
    pub url: String,
    /// The directory that is served, if the app is files: the page's own directory unless said.
    pub root: Option<PathBuf>,
    /// The browser.
    pub program: Program,
    /// More flags for a browser that we start.
    pub flags: Vec<String>,
    /// Whether its windows are shown.
    pub visible: bool,
    /// Whether what a person or another program does is recorded. The page lives in real time then.
    pub record: bool,
    /// The port of this machine at which other programs reach the browser; 0 is any that is free.
    pub debugging_port: Option<u16>,
    /// The size of the page.
    pub viewport: Size,
    /// Device pixels to a pixel.
    pub scale: f64,
    /// Whether the page is laid out as on a phone, and a finger is used instead of a mouse.
    pub touch: bool,
    /// What the browser says it is.
    pub user_agent: Option<String>,
    /// The language and region, `de-DE`.
    pub locale: Option<String>,
    /// The time zone, `Europe/Vienna`.
    pub timezone: Option<String>,
    /// Cookies that are there after every reset: name and value.
    pub cookies: Vec<(String, String)>,
    /// Headers of every request to the app's own origin: name and value.
    pub headers: Vec<(String, String)>,
    /// User and password of basic authentication.
    pub auth: Option<(String, String)>,
    /// Permissions that the app has: `geolocation`, `notifications`.
    pub permissions: Vec<String>,
    /// The proxy, `host:port`.
    pub proxy: Option<String>,
    /// Whose time it lives in.
    pub clock: Clock,
    /// How much of the page's time an event takes.
    pub event_takes: Duration,
    /// Whether requests of the page's scripts overtake each other, by the seed: for races between
    /// answers.
    pub uneven_requests: bool,
    /// How long to wait, in our time, for a page that does not come to rest.
    pub patience: Duration,
    /// How long a page may not answer before it counts as hanging.
    pub hang: Duration,
    /// What counts as a crash.
    pub crashes: CrashKinds,
    /// Origins that the app may reach beside its own, with requests or navigations; `*` is all.
    pub allow: Vec<String>,
    /// What becomes of popups.
    pub popups: Popups,
    /// A command of the shell that brings the app's server back to its initial state.
    pub reset_command: Option<String>,
    /// A URL that is posted to for the same.
    pub reset_request: Option<String>,
    /// Where downloads go; nowhere if `None`.
    pub downloads: Option<PathBuf>,
    /// Where the files lie that the app may be given; none of yours if `None`.
    pub files: Option<PathBuf>,
    /// Whether what runs of the app's code is counted.
    pub coverage: bool,
    /// Predicates and values that a spec defines in JavaScript.
    pub scripts: Vec<Script>,
}

/// One option, for the help.
#[derive(Clone, Copy, Debug)]
pub struct OptionHelp {
    /// How it is written.
    pub usage: &'static str,
    /// What it does.
    pub about: &'static str,
}

/// Every option, in the order of the help.
pub const OPTIONS: &[OptionHelp] = &[
    help(
        "root=DIR",
        "for web:FILE and web:DIR: the directory that is served; the page's own unless said",
    ),
    help("phone", "412x915, scale 2.625, touch, a phone's user agent"),
    help("phone-landscape", "the same, rotated: 915x412"),
    help("tablet", "820x1180, scale 2, touch"),
    help("desktop", "1280x800, mouse; without any of these: 1024x768, mouse"),
    help("viewport=WxH", "the size of the page"),
    help("scale=N", "device pixels to a pixel"),
    help("touch=yes|no", "a finger instead of a mouse, and the layout of a phone"),
    help("user-agent=TEXT", "what the browser says it is"),
    help("locale=de-DE", "language and region"),
    help("timezone=Europe/Vienna", "the time zone"),
    help(
        "cookie=NAME:VALUE",
        "a cookie that is there after every reset; may be given several times",
    ),
    help(
        "header=NAME:VALUE",
        "a header of every request to the app's own origin; may be given several times",
    ),
    help("auth=USER:PASSWORD", "basic authentication there"),
    help(
        "permission=NAME",
        "a permission that the app has: notifications, clipboardReadWrite, ...; it has geolocation unless permission=-geolocation",
    ),
    help("proxy=HOST:PORT", "the proxy for everything"),
    help(
        "browser=PATH|ADDRESS",
        "the browser: a program, or http://host:9222 or ws://... of one that runs",
    ),
    help("flag=--FLAG", "one more flag for the browser; may be given several times"),
    help("visible", "show the browser's windows"),
    help(
        "record",
        "hand over what a person or another program does, in real time; see `capuchin record`",
    ),
    help(
        "debugging-port=PORT",
        "let other programs on this machine drive the browser over the DevTools protocol; 0 is a free port",
    ),
    help("time=virtual|real", "whose time the page lives in; virtual unless said"),
    help("event-takes=MS", "how much of the page's time an event takes: 100"),
    help(
        "requests=even|uneven",
        "uneven: each request of a script is sent up to 72 ms later, by the seed, to find races",
    ),
    help(
        "patience=MS",
        "how long to wait for a page that does not come to rest, and for a request that may stay open: 5000",
    ),
    help("hang=MS", "how long a page may not answer before it counts as hanging: 5000"),
    help(
        "crash=KIND",
        "also count as a crash: console, requests, blank, accessibility; or not, with a - before it: -exceptions, -rejections, -hangs",
    ),
    help(
        "allow=ORIGIN",
        "an origin that the app may reach beside its own: https://cdn.example, localhost:3000; * is all; may be given several times",
    ),
    help("popups=follow|close", "what becomes of popups and new tabs: follow"),
    help("reset-command='COMMAND'", "run at every reset, for apps with a server"),
    help("reset-request=URL", "posted to at every reset, for apps with a server"),
    help("files=DIR", "the directory of files that Type(#file, \"NAME\") may give the app"),
    help("downloads=DIR", "where downloads go; into the run directory unless said"),
    help("coverage", "count what runs of the app's code"),
];

const fn help(usage: &'static str, about: &'static str) -> OptionHelp {
    OptionHelp { usage, about }
}

/// An option that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// There is no such option.
    #[error("a web device has no option `{word}`")]
    Unknown {
        /// As it was written.
        word: String,
    },
    /// There is, but not with this value.
    #[error("the option {word}: {expected}")]
    Value {
        /// As it was written.
        word: String,
        /// What was expected.
        expected: String,
    },
    /// There is no address.
    #[error("there is no address after `web:`")]
    NoAddress,
}

const PHONE: &str = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) \
                     Chrome/130.0.0.0 Mobile Safari/537.36";
const TABLET: &str = "Mozilla/5.0 (Linux; Android 14; Tablet) AppleWebKit/537.36 (KHTML, like Gecko) \
                      Chrome/130.0.0.0 Safari/537.36";

impl Options {
    /// A page of 1024 by 768 pixels at this address, and a mouse.
    pub fn new(url: impl Into<String>) -> Self {
        Options {
            url: url.into(),
            root: None,
            program: Program::OnPath,
            flags: Vec::new(),
            visible: false,
            record: false,
            debugging_port: None,
            viewport: Size::new(1024, 768),
            scale: 1.0,
            touch: false,
            user_agent: None,
            locale: None,
            timezone: None,
            cookies: Vec::new(),
            headers: Vec::new(),
            auth: None,
            permissions: vec!["geolocation".to_owned()],
            proxy: None,
            clock: Clock::Virtual,
            event_takes: Duration::from_millis(100),
            uneven_requests: false,
            patience: Duration::from_secs(5),
            hang: Duration::from_secs(5),
            crashes: CrashKinds::default(),
            allow: Vec::new(),
            popups: Popups::Follow,
            reset_command: None,
            reset_request: None,
            files: None,
            downloads: None,
            coverage: false,
            scripts: Vec::new(),
        }
    }

    /// Reads `URL word key=value ...`. Words are parted by spaces; a value with spaces stands in
    /// quotes, and a quote within them is written twice (see [`quoted_option`]). `$NAME` in a value
    /// is replaced by the environment variable, so that no secret need be written down.
    pub fn parse(text: &str) -> Result<Self, OptionError> {
        let words = words::split(text).map_err(|word| OptionError::Value {
            word,
            expected: "its quote is not closed; a quote within quotes is written twice".to_owned(),
        })?;
        let mut words = words.into_iter();
        let url = words.next().filter(|url| !url.is_empty()).ok_or(OptionError::NoAddress)?;
        let mut options = Options::new(url);
        // Profiles first, so that what is said explicitly wins wherever it stands.
        let words: Vec<String> = words.collect();
        let (profiles, others): (Vec<_>, Vec<_>) =
            words.into_iter().partition(|word| Options::new("").profile(word));
        for profile in &profiles {
            options.profile(profile);
        }
        for word in &others {
            options.set(word)?;
        }
        if options.record {
            // Whoever is recorded lives in real time, and so do the tools that drive a browser.
            options.clock = Clock::Real;
        }
        Ok(options)
    }

    /// The headers of requests to the app's own origin. Nobody else is told a password.
    pub(crate) fn own_headers(&self) -> Vec<(String, String)> {
        let mut headers = self.headers.clone();
        if let Some((user, password)) = &self.auth {
            let encoded =
                base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"));
            headers.push(("Authorization".to_owned(), format!("Basic {encoded}")));
        }
        headers
    }

    fn profile(&mut self, name: &str) -> bool {
        let (viewport, scale, agent) = match name {
            "phone" => (Size::new(412, 915), 2.625, Some(PHONE)),
            "phone-landscape" => (Size::new(915, 412), 2.625, Some(PHONE)),
            "tablet" => (Size::new(820, 1180), 2.0, Some(TABLET)),
            "desktop" => (Size::new(1280, 800), 1.0, None),
            _ => return false,
        };
        self.viewport = viewport;
        self.scale = scale;
        self.touch = agent.is_some();
        self.user_agent = agent.map(str::to_owned);
        true
    }

    fn set(&mut self, word: &str) -> Result<(), OptionError> {
        let setting = Setting::parse(word)?;
        if self.set_device(&setting)? || self.set_run(&setting)? {
            return Ok(());
        }
        Err(OptionError::Unknown { word: word.to_owned() })
    }

    /// Options of the browser and of the device that it seems to be; `false` if this is none.
    fn set_device(&mut self, setting: &Setting<'_>) -> Result<bool, OptionError> {
        let value = || setting.value.clone();
        match setting.key {
            "root" => self.root = Some(value().into()),
            "viewport" => {
                let viewport = size(&setting.value);
                self.viewport =
                    viewport.ok_or_else(|| setting.wrong("expected a size like 412x915"))?;
            }
            "scale" => {
                let scale = setting.value.parse().ok();
                self.scale = scale
                    .filter(|scale| (0.1..=10.0).contains(scale))
                    .ok_or_else(|| setting.wrong("expected a number between 0.1 and 10"))?;
            }
            "touch" => self.touch = setting.is_on()?,
            "user-agent" => self.user_agent = Some(value()),
            "locale" => self.locale = Some(value()),
            "timezone" => self.timezone = Some(value()),
            "cookie" => self.cookies.push(setting.pair()?),
            "header" => self.headers.push(setting.pair()?),
            "auth" => self.auth = Some(setting.pair()?),
            "permission" => match setting.value.strip_prefix('-') {
                Some(refused) => self.permissions.retain(|granted| granted != refused),
                None => self.permissions.push(value()),
            },
            "proxy" => self.proxy = Some(value()),
            "browser" if setting.value.contains("://") => self.program = Program::At(value()),
            "browser" => self.program = Program::File(value().into()),
            "flag" => self.flags.push(value()),
            "visible" => self.visible = setting.is_on()?,
            "record" => self.record = setting.is_on()?,
            "debugging-port" => {
                let port = setting.value.parse().ok();
                let wrong = || setting.wrong("expected the number of a port, or 0");
                self.debugging_port = Some(port.ok_or_else(wrong)?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Options of what happens in a run; `false` if this is none.
    fn set_run(&mut self, setting: &Setting<'_>) -> Result<bool, OptionError> {
        let value = || setting.value.clone();
        match setting.key {
            "time" => {
                let clocks = [("virtual", Clock::Virtual), ("real", Clock::Real)];
                self.clock = setting.one_of(&clocks)?;
            }
            "event-takes" => self.event_takes = setting.millis()?,
            "requests" => {
                self.uneven_requests = setting.one_of(&[("even", false), ("uneven", true)])?;
            }
            "patience" => self.patience = setting.millis()?,
            "hang" => self.hang = setting.millis()?,
            "crash" => self.crash(&setting.value).ok_or_else(|| {
                setting.wrong(
                    "expected exceptions, rejections, hangs, console, requests, blank or \
                     accessibility, perhaps with a - before it",
                )
            })?,
            "allow" => match is_origin(&setting.value) {
                true => self.allow.push(value()),
                false => {
                    return Err(setting.wrong("expected an origin like https://cdn.example, or *"));
                }
            },
            "popups" => {
                let popups = [("follow", Popups::Follow), ("close", Popups::Close)];
                self.popups = setting.one_of(&popups)?;
            }
            "reset-command" => self.reset_command = Some(value()),
            "reset-request" => self.reset_request = Some(value()),
            "files" => self.files = Some(value().into()),
            "downloads" => self.downloads = Some(value().into()),
            "coverage" => self.coverage = setting.is_on()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn crash(&mut self, kinds: &str) -> Option<()> {
        for kind in kinds.split(',') {
            let (kind, on) = match kind.strip_prefix('-') {
                Some(kind) => (kind, false),
                None => (kind, true),
            };
            let switch = match kind {
                "exceptions" => &mut self.crashes.exceptions,
                "rejections" => &mut self.crashes.rejections,
                "hangs" => &mut self.crashes.hangs,
                "console" => &mut self.crashes.console,
                "requests" => &mut self.crashes.requests,
                "blank" => &mut self.crashes.blank,
                "accessibility" => &mut self.crashes.accessibility,
                _ => return None,
            };
            *switch = on;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_explicitly_wins_over_the_profile() {
        let options =
            Options::parse("http://localhost/ viewport=300x400 phone locale=de-DE").unwrap();
        assert_eq!(options.url, "http://localhost/");
        assert_eq!(options.viewport, Size::new(300, 400));
        assert!(options.touch);
        assert_eq!(options.locale.as_deref(), Some("de-DE"));
    }

    #[test]
    fn a_value_in_quotes_may_have_spaces() {
        let options =
            Options::parse("a reset-command='sh reset.sh --all' header='X-A: b c'").unwrap();
        assert_eq!(options.reset_command.as_deref(), Some("sh reset.sh --all"));
        assert_eq!(options.headers, [("X-A".to_owned(), "b c".to_owned())]);
    }

    #[test]
    fn kinds_of_crashes_are_switched() {
        let options = Options::parse("a crash=console,-exceptions crash=blank").unwrap();
        assert!(options.crashes.console && options.crashes.blank && !options.crashes.exceptions);
        assert!(options.crashes.rejections);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(Options::parse(" ").unwrap_err(), OptionError::NoAddress);
        for (text, says) in [
            ("a nonsense=1", "no option `nonsense=1`"),
            ("a viewport=big", "a size like"),
            ("a scale=0", "between"),
            ("a crash=often", "exceptions"),
            ("a cookie=x", "colon"),
            ("a header='X: b", "not closed"),
            ("a auth=$NO_SUCH_VARIABLE_HERE", "$NO_SUCH_VARIABLE_HERE is not set"),
        ] {
            let error = Options::parse(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn every_option_of_the_help_is_known() {
        for option in OPTIONS {
            let key = option.usage.split('=').next().unwrap();
            let mut options = Options::new("a");
            let known = options.profile(key)
                || !matches!(options.set(&format!("{key}=")), Err(OptionError::Unknown { .. }));
            assert!(known, "{}", option.usage);
        }
    }
}
