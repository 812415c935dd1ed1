//! What is wrong with a PDDL file, and where: the messages of the reader.
//!
//! On its own because every part of the reader makes them, and because a caller that draws them (a
//! caret under the text, a mark in an editor) needs nothing else of the reader.

use std::fmt;
use std::ops::Range;
use thiserror::Error;

/// The most messages that one file gets: the first ones are those that help.
pub(super) const MOST_DIAGNOSTICS: usize = 50;

/// One mistake in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where it is, in bytes of the text.
    pub span: Range<usize>,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The column at which it begins, from 1, in characters.
    pub column: usize,
    /// What is wrong, and what was expected.
    pub message: String,
    /// What to write instead, if that can be guessed.
    pub help: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

/// A file that cannot be read. There is at least one diagnostic, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", lines(.diagnostics))]
pub struct ReadError {
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

fn lines(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A mistake whose line is not counted yet: most are made deep inside of the reader.
#[derive(Clone, Debug)]
pub(super) struct Mistake {
    pub(super) span: Range<usize>,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Mistake {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Mistake { span, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Suggests the nearest of these names, if one is near.
    pub(super) fn nearest<'a>(self, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        match nearest(name, known) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }
}

/// Counts the lines of all mistakes.
pub(super) fn located(text: &str, mut mistakes: Vec<Mistake>) -> ReadError {
    mistakes.sort_by_key(|mistake| mistake.span.start);
    mistakes.truncate(MOST_DIAGNOSTICS);
    let diagnostics = mistakes.into_iter().map(|mistake| {
        let mut start = mistake.span.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Diagnostic {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            span: mistake.span,
            message: mistake.message,
            help: mistake.help,
        }
    });
    ReadError { diagnostics: diagnostics.collect() }
}

/// The longest name that suggestions are made for: the distance takes quadratic time.
const LONGEST_NAME: usize = 64;

/// The name with the fewest edits to this one, if there are few for its length.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    let most = 1 + name.len() / 3;
    let near = known.filter(|other| other.len() <= LONGEST_NAME).take(10_000);
    let near = near.map(|other| (distance(name, other), other)).min_by_key(|(edits, _)| *edits);
    near.filter(|(edits, _)| *edits <= most).map(|(_, other)| other)
}

/// The Levenshtein distance, in bytes.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
