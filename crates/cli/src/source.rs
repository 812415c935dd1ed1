//! Reads a specification and renders what is wrong with it.

use crate::exit::Problem;
use crate::extensions::Extensions;
use capuchin_report::quoted;
use capuchin_spec::{Diagnostic, Spec, parse_with};
use miette::{GraphicalReportHandler, GraphicalTheme};
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;

/// Reads and parses a file; `-` is standard input. Warnings go to standard error.
pub(crate) fn load(path: &Path, extensions: &Extensions) -> Result<(String, Spec), Problem> {
    let name = path.display().to_string();
    if is_app(path, &name, extensions) {
        return Err(Problem::request(format!("{name} is an app, and not a specification")).help(
            format!(
                "explore it with `capuchin explore {0}`, or name it as the device: `capuchin run \
                 --trace 'Click(*)' --device {0}`, `capuchin check my.capu --device {0}`",
                quoted(&name)
            ),
        ));
    }
    let bytes = if name == "-" { read(io::stdin()) } else { File::open(path).and_then(read) };
    let bytes = bytes.map_err(|error| {
        let problem = Problem::request(format!("cannot read {name}: {error}"));
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::IsADirectory => {
                problem.help("name a .capu file that is there")
            }
            _ => problem,
        }
    })?;
    if bytes.len() as u64 > LARGEST {
        let message = format!("{name} is larger than {} MiB", LARGEST >> 20);
        return Err(Problem::request(message).help("name a .capu file"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Problem::request(format!("{name} is not text: byte {at} is not UTF-8"))
            .help("a specification is a UTF-8 text file; see `capuchin help spec`")
    })?;
    Ok((name.clone(), parse_named(&name, &text, extensions)?))
}

/// Whether an app was named where a specification is wanted.
fn is_app(path: &Path, name: &str, extensions: &Extensions) -> bool {
    let is_page = path.extension().is_some_and(|it| ["html", "htm"].iter().any(|page| it == *page));
    let is_device = !path.exists() && extensions.drivers.resolve(name).is_ok();
    is_page || path.join("index.html").is_file() || is_device
}

/// How much of a file is read, in bytes: a device such as /dev/zero has no end. The parser reads no
/// more than that either.
const LARGEST: u64 = 16 << 20;

/// All of it, or a byte more than a specification has.
fn read(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a file that a specification names, which is no larger than one may be.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read(File::open(path)?)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("it is larger than {} MiB", LARGEST >> 20)));
    }
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// Parses text that was given on the command line or read from a file.
pub(crate) fn parse_named(
    name: &str,
    text: &str,
    extensions: &Extensions,
) -> Result<Spec, Problem> {
    let parsed = parse_with(name, text, &extensions.words());
    render(&parsed.diagnostics);
    parsed.spec.ok_or_else(|| {
        Problem::request(format!("{name} cannot be used"))
            .help("`capuchin help spec` describes the language")
    })
}

/// Shows what is wrong with a text, on standard error.
pub(crate) fn render(diagnostics: &[Diagnostic]) {
    let colours = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let theme = if colours { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme);
    let mut rendered = String::new();
    for diagnostic in diagnostics {
        if handler.render_report(&mut rendered, diagnostic).is_err() {
            rendered.push_str(&diagnostic.to_string());
        }
    }
    let _ = write!(io::stderr(), "{rendered}");
}
