//! `capuchin show`: a recording as text, or as what other programs read.

use crate::args::{ShowArgs, ShowAs};
use crate::exit::{Problem, print, warn};
use anstyle::Style;
use capuchin::Conclusion;
use capuchin::ui::write_whole;
use capuchin_record::{Ending, FormatError, Recording, from_devtools};
use capuchin_report::{Part, Printer};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// How large a file is read.
const LARGEST: u64 = 256 << 20;

/// Shows or converts a recording.
pub(crate) fn show(args: &ShowArgs) -> Result<Conclusion, Problem> {
    let recording = load(&args.file)?;
    let text = match args.form {
        None => {
            return listed(&recording.merged())
                .map_err(|error| Problem::request(error.to_string()));
        }
        Some(ShowAs::Trace) => recording.to_capu(),
        Some(ShowAs::Properties) => recording.to_properties(),
        Some(ShowAs::Playwright) => recording.to_playwright(),
        Some(ShowAs::Recorder) => {
            recording.left_out_of_devtools().iter().for_each(|line| warn(line));
            recording.to_devtools()
        }
    };
    match &args.output {
        None => print(&text),
        Some(path) => {
            write_whole(path, text.as_bytes()).map_err(|error| {
                Problem::request(format!("cannot write {}: {error}", path.display()))
            })?;
            Ok(Conclusion::Held)
        }
    }
}

/// Reads a recording, of ours or of the Recorder panel of Chrome's DevTools.
pub(crate) fn load(path: &Path) -> Result<Recording, Problem> {
    let shown = path.display();
    let wrong = |error: &dyn std::fmt::Display| Problem::request(format!("{shown}: {error}"));
    let bytes = read(path).map_err(|error| {
        let problem = wrong(&error);
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::IsADirectory => {
                problem.help("name a recording: `capuchin record` makes one")
            }
            _ => problem,
        }
    })?;
    if bytes.len() as u64 > LARGEST {
        return Err(wrong(&"this is larger than any recording that is read (256 MiB)"));
    }
    if is_json(&bytes) {
        let text = String::from_utf8_lossy(&bytes);
        let (recording, left_out) = from_devtools(&text).map_err(|error| wrong(&error))?;
        left_out.iter().for_each(|line| warn(line));
        return Ok(recording);
    }
    let recording = Recording::read(&bytes).map_err(|error| match &error {
        FormatError::NotARecording if path.extension().is_some_and(|end| end == "capu") => {
            wrong(&"this is a specification, and not a recording")
                .help("run its traces with `capuchin run`, or check it with `capuchin check`")
        }
        _ => wrong(&error),
    })?;
    let events = recording.events.len();
    match recording.ending {
        Ending::Complete => {}
        Ending::Cut => warn(&format!(
            "{shown} has no end: whoever recorded it was stopped; it has {events} events"
        )),
        Ending::Damaged => {
            warn(&format!("{shown} is damaged: what follows event {events} cannot be read"));
        }
        Ending::TooLarge => {
            let what = "it is larger than any recording that is read";
            warn(&format!("{shown}: what follows event {events} is left out: {what}"));
        }
    }
    Ok(recording)
}

/// All of a file, or a byte more than is read of any; of what cannot be a recording, its beginning.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    const BEGINNING: u64 = 1 << 10;
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(BEGINNING).read_to_end(&mut bytes)?;
    // What has no end, such as a device, is not read on.
    let may_be_one =
        is_json(&bytes) || !matches!(Recording::read(&bytes), Err(FormatError::NotARecording));
    if may_be_one {
        file.take(LARGEST + 1 - BEGINNING).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Whether it begins like a JSON object, with or without the mark of its encoding.
fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

fn listed(recording: &Recording) -> io::Result<Conclusion> {
    let mut out = Printer::new(anstream::stdout());
    let origin = &recording.origin;
    let dim = Style::new().dimmed();
    let on =
        if origin.device.is_empty() { String::new() } else { format!(" on {}", origin.device) };
    out.line([format!("{}{on} · {} · seed {}", origin.app, origin.viewport, origin.seed).into()])?;
    let asserted = |out: &mut Printer<_>, after: usize| -> io::Result<()> {
        let here = recording.assertions.iter().filter(|assertion| assertion.after == after);
        for assertion in here {
            out.line(["      assert ".into(), assertion.property.as_str().into()])?;
        }
        Ok(())
    };
    asserted(&mut out, 0)?;
    for (index, event) in recording.events.iter().enumerate() {
        let mark = if event.is_key { "key  " } else { "" };
        let on = event.receiver().map(|element| {
            let text = if element.text.is_empty() { &element.value } else { &element.text };
            format!("   {} \"{text}\"", element.role.name())
        });
        out.line([
            Part::styled(dim, format!("{:>4}  ", index + 1)),
            mark.into(),
            event.event.to_string().into(),
            Part::styled(dim, on.unwrap_or_default()),
        ])?;
        asserted(&mut out, index + 1)?;
    }
    Ok(Conclusion::Held)
}
