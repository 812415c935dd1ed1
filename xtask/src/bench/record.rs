//! `cargo xtask bench record`: what recording adds to an event, and how many bytes it takes, on
//! real pages, beside the figures of the Rx paper.
//!
//! On its own because it is measured from outside: a second client of the browser does something,
//! the recorder stops it, and the clock runs from there until the app has the event and until the
//! next may come. Without recording, the app would have had it when the clock starts, so the first
//! is what recording adds to the event; the second has the time in which the app comes to rest.

use anyhow::{Context, Result, bail};
use capuchin::ui::{Device, Powers, Recorded};
use capuchin_devtools::Client;
use capuchin_record::{Origin, RecordedEvent, Writer};
use capuchin_web::{Opener, Options, Server, WebDevice};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

pub(super) const USAGE: &str = "\
cargo xtask bench record -- [OPTIONS]
  --rounds N         how often everything is done on each page: 6
  --out FILE         write the JSON object there, too
  --keep DIR         write the recordings there
Needs npm; what it fetches is kept for the next time.";

const PACKAGES: [&str; 3] =
    ["startbootstrap-sb-admin-2@4.1.4", "gentelella@4.2.0", "pdfjs-dist-viewer-min@3.11.174"];

/// What the paper needs for an event: milliseconds, bytes, and bytes when they are compressed.
const PAPER: [f64; 3] = [372.0, 23.0 * 1024.0, 3.3 * 1024.0];

/// How long a recorder is asked to wait, and how often before nobody is expected any more.
const TIMEOUT: Duration = Duration::from_millis(250);
const TRIES: u32 = 40;

/// Keeps when the app first heard of something since it was last asked.
const LISTEN: &str = "(() => { for (const kind of ['click', 'input']) addEventListener(kind, \
     () => { window.heardAt ??= performance.timeOrigin + performance.now() }, true) })()";

/// The clock of the page, in milliseconds.
const NOW: &str = "performance.timeOrigin + performance.now()";

/// A page, and what is done there. Nothing of it leaves the page.
struct BenchPage {
    name: &'static str,
    root: &'static str,
    index: &'static str,
    /// A selector, and a text to type there; without one, it is clicked.
    acts: &'static [(&'static str, &'static str)],
}

const PAGES: [BenchPage; 4] = [
    BenchPage {
        name: "sb-admin-2",
        root: "startbootstrap-sb-admin-2",
        index: "index.html",
        acts: &[
            ("#userDropdown", ""),
            ("#alertsDropdown", ""),
            ("#messagesDropdown", ""),
            ("#accordionSidebar a[data-target=\"#collapseTwo\"]", ""),
            ("#content nav > form.navbar-search input", "invoice 42"),
            ("#sidebarToggle", ""),
        ],
    },
    BenchPage {
        name: "sb-admin-2, a table",
        root: "startbootstrap-sb-admin-2",
        index: "tables.html",
        acts: &[
            ("#dataTable_next a", ""),
            ("#dataTable_previous a", ""),
            ("#dataTable th:nth-child(2)", ""),
            ("#dataTable_filter input", "a"),
            ("#userDropdown", ""),
        ],
    },
    BenchPage {
        name: "gentelella",
        root: "gentelella/dist",
        index: "production/index.html",
        acts: &[
            (".theme-toggle", ""),
            (".tb-notifications", ""),
            (".tb-messages", ""),
            (".tb-avatar", ""),
            (".nav-toggle", ""),
        ],
    },
    BenchPage {
        name: "pdfjs viewer",
        root: "pdfjs-dist-viewer-min/build/minified",
        index: "web/viewer.html",
        acts: &[
            ("#sidebarToggle", ""),
            ("#next", ""),
            ("#viewFind", ""),
            ("#viewFind", ""),
            ("#zoomIn", ""),
            ("#zoomOut", ""),
        ],
    },
];

/// What was measured on a page.
#[derive(Default)]
struct Measured {
    elements: usize,
    /// Milliseconds of each event until the app had it, and until the next could come.
    until_app: Vec<f64>,
    until_next: Vec<f64>,
    bytes: u64,
    compressed: u64,
    /// How much of that the first event of a recording takes, with the whole screen.
    first: (u64, u64),
    recordings: usize,
    /// Milliseconds of a question that asks nothing: how busy the machine is.
    round_trip: Vec<f64>,
    /// What the recorder did not hear.
    missed: usize,
}

impl Measured {
    fn per_event(&self, bytes: u64) -> f64 {
        bytes as f64 / self.until_next.len().max(1) as f64
    }

    /// The compressed bytes of an event that is not the first.
    fn per_later_event(&self) -> f64 {
        let later = self.until_next.len().saturating_sub(self.recordings);
        (self.compressed - self.first.0) as f64 / later.max(1) as f64
    }

    fn add(&mut self, other: &Measured) {
        self.until_app.extend(&other.until_app);
        self.until_next.extend(&other.until_next);
        self.round_trip.extend(&other.round_trip);
        self.bytes += other.bytes;
        self.compressed += other.compressed;
        self.first = (self.first.0 + other.first.0, self.first.1 + other.first.1);
        self.recordings += other.recordings;
        self.missed += other.missed;
    }
}

/// Runs it.
pub(super) fn run(args: &[&str]) -> Result<()> {
    let (mut rounds, mut out, mut keep) = (6, None, None);
    let mut words = args.iter().skip_while(|word| **word == "--");
    while let Some(word) = words.next() {
        let value = *words.next().with_context(|| format!("{word} needs a value\n{USAGE}"))?;
        match *word {
            "--rounds" => rounds = value.parse().context("--rounds takes a number")?,
            "--out" => out = Some(value),
            "--keep" => keep = Some(Path::new(value)),
            _ => bail!("unexpected {word} {value}\n{USAGE}"),
        }
    }
    let directory = super::scratch("record")?;
    super::npm(&directory, &PACKAGES)?;
    println!(
        "{:<22}{:>9}{:>8}{:>11}{:>12}{:>10}{:>7}{:>12}{:>7}{:>7}{:>8}",
        "",
        "elements",
        "events",
        "ms to app",
        "ms to next",
        "ms trip",
        "bytes",
        "compressed",
        "first",
        "later",
        "missed"
    );
    let mut all = Measured::default();
    for page in &PAGES {
        let to: Box<dyn Write> = match keep {
            Some(keep) => {
                let name = page.name.replace([' ', ','], "-");
                Box::new(std::fs::File::create(keep.join(format!("{name}.recording")))?)
            }
            None => Box::new(std::io::sink()),
        };
        let measured = measure(page, &directory, rounds, to)
            .with_context(|| format!("{} cannot be measured", page.name))?;
        line(page.name, &measured);
        all.add(&measured);
    }
    line("all", &all);
    let [millis, bytes, compressed] = PAPER;
    println!("{:<22}{:>28.0}{:>29.0}{:>12.0}", "the paper", millis, bytes, compressed);
    println!(
        "{:<22}{:>28.1}{:>29.0}{:>12.0}",
        "aim: a tenth",
        millis / 10.0,
        bytes / 10.0,
        compressed / 10.0
    );
    let object = json!({
        "record": {
            "events": all.until_next.len(),
            "ms_per_event": median(&all.until_app),
            "mean_ms_per_event": mean(&all.until_app),
            "ms_until_next": median(&all.until_next),
            "bytes_per_event": all.per_event(all.bytes),
            "compressed_bytes_per_event": all.per_event(all.compressed),
            "compressed_bytes_per_later_event": all.per_later_event(),
            "ms_of_a_round_trip": median(&all.round_trip),
            "missed": all.missed,
        },
        "paper": {
            "ms_per_event": millis,
            "bytes_per_event": bytes,
            "compressed_bytes_per_event": compressed,
        },
    });
    if let Some(out) = out {
        std::fs::write(out, format!("{object:#}\n"))?;
    }
    println!("\n{object}");
    Ok(())
}

fn line(name: &str, measured: &Measured) {
    let elements = match measured.elements {
        0 => String::new(),
        count => count.to_string(),
    };
    println!(
        "{name:<22}{elements:>9}{:>8}{:>11.1}{:>12.1}{:>10.1}{:>7.0}{:>12.0}{:>7.0}{:>7.0}{:>8}",
        measured.until_next.len(),
        median(&measured.until_app),
        median(&measured.until_next),
        median(&measured.round_trip),
        measured.per_event(measured.bytes),
        measured.per_event(measured.compressed),
        measured.first.0 as f64 / measured.recordings.max(1) as f64,
        measured.per_later_event(),
        measured.missed,
    );
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Does everything on a page, as often as asked.
fn measure(
    page: &BenchPage,
    directory: &Path,
    rounds: usize,
    to: Box<dyn Write>,
) -> Result<Measured> {
    let server = Server::start(&directory.join("node_modules").join(page.root))?;
    let address = format!("{}/{}", server.origin(), page.index);
    let text = format!("{address} viewport=1280x900 scale=1 record debugging-port=0");
    let mut device = Opener::new("web:record", Options::parse(&text)?).open()?;
    let first = device.reset(1)?;
    let recorder = device.powers().and_then(Powers::recorder).context("it records nothing")?;
    let endpoint = recorder.endpoint().context("the browser has no address")?;
    let mut person = Client::at(&endpoint, "http");
    person.asks(LISTEN);
    let mut writer = Writer::new(to, &Origin::new(device.info(), &first.screen, 1))?;
    let mut measured = Measured { elements: first.screen.elements.len(), ..Measured::default() };
    for _ in 0..rounds {
        for (selector, text) in page.acts {
            let asked = Instant::now();
            person.asks("window.heardAt = undefined");
            measured.round_trip.push(asked.elapsed().as_secs_f64() * 1000.0);
            if text.is_empty() {
                let there = person.middle_of(selector);
                person.clicks_at(there, &json!({}));
            } else {
                person.asks(&format!("document.querySelector({}).focus()", json!(selector)));
                person.types(text);
            }
            let of_page = person.asks(NOW).as_f64().context("the page has no clock")?;
            let since = (Instant::now(), of_page);
            record(&mut device, &mut writer, &mut person, since, &mut measured)?;
        }
    }
    writer.finish(None)?;
    (measured.compressed, measured.bytes) = writer.size();
    Ok(measured)
}

/// Records, writes and performs what was done, and reads the clock.
fn record(
    device: &mut WebDevice,
    writer: &mut Writer<Box<dyn Write>>,
    person: &mut Client,
    (since, since_in_page): (Instant, f64),
    measured: &mut Measured,
) -> Result<()> {
    for _ in 0..TRIES {
        let recorder = device.powers().and_then(Powers::recorder).context("it records nothing")?;
        let Recorded::Event(event, screen) = recorder.recorded(TIMEOUT)? else { continue };
        writer.event(&RecordedEvent::new(event.clone(), screen))?;
        if measured.recordings == 0 {
            (measured.first, measured.recordings) = (writer.size(), 1);
        }
        device.perform(&event)?;
        measured.until_next.push(since.elapsed().as_secs_f64() * 1000.0);
        if let Some(heard) = person.asks("window.heardAt").as_f64() {
            measured.until_app.push(heard - since_in_page);
        }
        return Ok(());
    }
    measured.missed += 1;
    Ok(())
}
