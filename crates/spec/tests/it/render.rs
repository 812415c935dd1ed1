//! Diagnostics as plain text: the message, each labelled piece of source with a caret, the help.
//!
//! Our own in a few lines, so that the snapshots change when what is said changes and not when a
//! renderer is updated.

use capuchin_spec::{Diagnostic, Words, parse_with};
use miette::{Diagnostic as _, Severity};
use std::fmt::Write as _;

/// All that is said about a file.
pub(crate) fn report(source: &str) -> String {
    report_with(source, &Words::default())
}

/// All that is said about a file where these are the names that are known.
pub(crate) fn report_with(source: &str, words: &Words) -> String {
    let parsed = parse_with("test.capu", source, words);
    let errors = parsed.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(parsed.spec.is_none(), errors, "{source}");
    parsed.diagnostics.iter().map(render).collect::<Vec<_>>().join("\n")
}

pub(crate) fn render(diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity() {
        Some(Severity::Warning) => "warning",
        _ => "error",
    };
    let mut text = format!("{severity}: {diagnostic}\n");
    for label in diagnostic.labels().into_iter().flatten() {
        let source = diagnostic.source_code().unwrap();
        let contents = source.read_span(label.inner(), 1, 1).unwrap();
        let all = String::from_utf8_lossy(contents.data());
        let mut before = label.offset() - contents.span().offset();
        let mut lines = all.split('\n');
        let mut line = lines.next().unwrap_or_default();
        let mut number = contents.line() + 1;
        while before > line.len() {
            before -= line.len() + 1;
            line = lines.next().unwrap_or_default();
            number += 1;
        }
        let indent = line.get(..before).map_or(0, |before| before.chars().count());
        let pointed = line.get(before..line.len().min(before + label.len())).unwrap_or_default();
        let carets = "^".repeat(pointed.chars().count().max(1));
        let label = label.label().unwrap_or_default();
        writeln!(text, "{number:>3} | {line}").unwrap();
        writeln!(text, "    | {:indent$}{carets} {label}", "").unwrap();
    }
    if let Some(help) = diagnostic.help() {
        writeln!(text, "  = {help}").unwrap();
    }
    text
}
