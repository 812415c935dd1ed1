//! What an exploration knows, on disk: one line for everything that was seen, written as it is
//! seen, so that one that was killed goes on from there.
//!
//! The first line says the version and the abstraction. A sight is written in full where it is
//! first seen and by its number from then on. A torn last line is left out; what does not read
//! before that is an error, because what comes after would not make sense.

use crate::abstraction::ScreenSummary;
use crate::abstraction_kind::{AbstractionKind, Abstractions};
use capuchin::ui::Str;
use capuchin_automata::Alphabet;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use thiserror::Error;

/// The version of the format. A reader refuses a higher one.
pub const JOURNAL_VERSION: u32 = 1;

/// A line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Begun {
        version: u32,
        abstraction: String,
    },
    /// A sight, in full; they are numbered from 0.
    Sight {
        offers: Vec<(String, String)>,
        title: String,
        state: String,
        text: u64,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        outputs: Vec<String>,
    },
    /// The app was restarted.
    Restarted {
        sight: u32,
        fresh: u32,
    },
    /// An input was performed.
    Performed {
        input: String,
        sight: u32,
        fresh: u32,
    },
    /// Something went wrong that had not been seen before.
    Violated {
        signature: String,
    },
}

/// What was done and seen, one step after the other.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// The app was restarted, and showed this.
    Restarted(ScreenSummary, u32),
    /// The input of this name was performed, and the app showed this.
    Performed(Str, ScreenSummary, u32),
    /// Something went wrong in a way not seen before.
    Violated(String),
}

/// A journal that cannot be read.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A line of it.
    #[error(
        "line {line} does not read: {what}; it is no journal of an exploration, or it is damaged"
    )]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// All of it.
    #[error(
        "it was written by a later version of capuchin (format {0}, this one reads up to {JOURNAL_VERSION}); install that one"
    )]
    Later(u32),
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
}

/// Writes a journal.
#[derive(Debug)]
pub(crate) struct Journal<W> {
    out: W,
    sights: Alphabet<ScreenSummary>,
}

impl<W: Write> Journal<W> {
    /// Begins one.
    pub(crate) fn begin(mut out: W, kind: &AbstractionKind) -> io::Result<Self> {
        let abstraction = kind.name().to_owned();
        write_line(&mut out, &Line::Begun { version: JOURNAL_VERSION, abstraction })?;
        Ok(Journal { out, sights: Alphabet::default() })
    }

    /// Adds what was done and seen.
    pub(crate) fn write(&mut self, entry: &Entry) -> io::Result<()> {
        let line = match entry {
            Entry::Restarted(sight, fresh) => {
                Line::Restarted { sight: self.number(sight)?, fresh: *fresh }
            }
            Entry::Performed(input, sight, fresh) => {
                let sight = self.number(sight)?;
                Line::Performed { input: input.to_string(), sight, fresh: *fresh }
            }
            Entry::Violated(signature) => Line::Violated { signature: signature.clone() },
        };
        write_line(&mut self.out, &line)
    }

    fn number(&mut self, sight: &ScreenSummary) -> io::Result<u32> {
        if let Some(number) = self.sights.find(sight) {
            return Ok(number);
        }
        let strings = |(name, group): &(Str, Str)| (name.to_string(), group.to_string());
        let line = Line::Sight {
            offers: sight.offers.iter().map(strings).collect(),
            title: sight.title.to_string(),
            state: sight.state.to_string(),
            text: sight.text,
            outputs: sight.outputs.iter().map(Str::to_string).collect(),
        };
        write_line(&mut self.out, &line)?;
        Ok(self.sights.number(sight))
    }
}

/// One whole line at once: a kill tears the last one at most.
fn write_line(out: &mut impl Write, line: &Line) -> io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Reads a journal: its abstraction, and all that is in it.
pub(crate) fn read_journal(
    text: &str,
    abstractions: &Abstractions,
) -> Result<(AbstractionKind, Vec<Entry>), JournalError> {
    let mut sights: Vec<ScreenSummary> = Vec::new();
    let mut entries = Vec::new();
    let mut kind = None;
    let last = text.lines().count();
    for (index, line) in text.lines().enumerate() {
        let wrong = |what: String| JournalError::Line { line: index + 1, what };
        let line: Line = match serde_json::from_str(line) {
            Ok(line) => line,
            Err(_) if index + 1 == last && index > 0 => break,
            Err(error) => return Err(wrong(error.to_string())),
        };
        let sight = |number: u32| {
            sights
                .get(number as usize)
                .cloned()
                .ok_or_else(|| wrong(format!("there is no sight {number}")))
        };
        match line {
            Line::Begun { version, .. } if version > JOURNAL_VERSION => {
                return Err(JournalError::Later(version));
            }
            Line::Begun { abstraction, .. } => {
                let named = abstractions.get(&abstraction);
                kind = Some(
                    named
                        .ok_or_else(|| wrong(format!("no abstraction is called {abstraction}")))?,
                );
            }
            Line::Sight { offers, title, state, text, outputs } => {
                let short = |(name, group): (String, String)| (Str::from(name), Str::from(group));
                let offers = offers.into_iter().map(short).collect();
                let outputs = outputs.into_iter().map(Str::from).collect();
                let (title, state) = (title.into(), state.into());
                sights.push(ScreenSummary { offers, title, state, text, outputs });
            }
            Line::Restarted { sight: number, fresh } => {
                entries.push(Entry::Restarted(sight(number)?, fresh));
            }
            Line::Performed { input, sight: number, fresh } => {
                entries.push(Entry::Performed(input.into(), sight(number)?, fresh));
            }
            Line::Violated { signature } => entries.push(Entry::Violated(signature)),
        }
    }
    kind.map(|kind| (kind, entries)).ok_or(JournalError::Empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(name: &str) -> ScreenSummary {
        ScreenSummary {
            offers: vec![(name.into(), "group".into())],
            title: "page".into(),
            state: "on".into(),
            text: 7,
            outputs: Vec::new(),
        }
    }

    fn entries() -> Vec<Entry> {
        vec![
            Entry::Restarted(sight("a"), 3),
            Entry::Performed("Click(#a)".into(), sight("b"), 0),
            Entry::Performed("Click(#b)".into(), sight("a"), 1),
            Entry::Violated("crashed".to_owned()),
        ]
    }

    fn written() -> String {
        let mut out = Vec::new();
        let mut journal = Journal::begin(&mut out, &AbstractionKind::ADAPTIVE).unwrap();
        for entry in entries() {
            journal.write(&entry).unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_written_reads_and_a_torn_line_is_left_out() {
        let text = written();
        assert_eq!(
            text,
            include_str!("../tests/samples/journal-1.jsonl"),
            "the format has a version"
        );
        let (kind, read) = read_journal(&text, &Abstractions::default()).unwrap();
        assert_eq!((kind, read), (AbstractionKind::ADAPTIVE, entries()));
        let torn = &text[..text.len() - 9];
        assert_eq!(read_journal(torn, &Abstractions::default()).unwrap().1, entries()[..3]);
    }

    #[test]
    fn what_does_not_read_is_said() {
        let wrong =
            |text: &str| read_journal(text, &Abstractions::default()).unwrap_err().to_string();
        assert_eq!(wrong(""), "it is empty");
        assert!(wrong("hello\n").starts_with("line 1 does not read"));
        let later = written().replacen("\"version\":1", "\"version\":9", 1);
        assert!(wrong(&later).contains("later version"));
        let lines: Vec<String> = written().lines().map(str::to_owned).collect();
        let hole = [&lines[..1], &lines[2..]].concat().join("\n");
        assert!(
            wrong(&hole).starts_with("line 2 does not read: there is no sight 0"),
            "{}",
            wrong(&hole)
        );
    }
    #[test]
    fn outputs_are_kept() {
        let kind = AbstractionKind::by_outputs(["count(item)", "text(#total)"]);
        let seen = ScreenSummary { outputs: vec!["3".into(), "9.99".into()], ..sight("a") };
        let mut out = Vec::new();
        let mut journal = Journal::begin(&mut out, &kind).unwrap();
        journal.write(&Entry::Restarted(seen.clone(), 0)).unwrap();
        let text = String::from_utf8(out).unwrap();
        let read = read_journal(&text, &Abstractions::default()).unwrap();
        assert_eq!(read, (kind, vec![Entry::Restarted(seen, 0)]));
    }
}
