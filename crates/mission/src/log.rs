//! The event log: a run as JSON lines, written as it happens and read back for reports.
//!
//! A line is written whole and flushed, so a run that is killed leaves a log that is cut at most in
//! its last line. The reader gives back everything before the cut, and says where it is. Events of
//! a kind that a later version of Capuchin has are left out, and counted.

use capuchin::log::{LOG_VERSION, RunEvent};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// A log that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// There is none.
    #[error("{} is not a run directory: it has no {}", .directory.display(), Log::FILE)]
    Missing {
        /// Where it was looked for.
        directory: PathBuf,
    },
    /// It is there and cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The log.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It was written by a later version of Capuchin.
    #[error(
        "{} has format version {found}, this version of capuchin reads up to {LOG_VERSION}: \
         use a newer one", .path.display()
    )]
    TooNew {
        /// The log.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// It does not begin like a log.
    #[error("{} is not a log of capuchin: {reason}", .path.display())]
    NotALog {
        /// The log.
        path: PathBuf,
        /// What stands there instead.
        reason: String,
    },
}

/// The events of a run that was recorded.
#[derive(Clone, Debug)]
pub struct Log {
    /// The events, in order.
    pub events: Vec<RunEvent>,
    /// Where the log stops making sense, if it does.
    pub cut: Option<Cut>,
    /// How many events were left out, because only a later version of Capuchin knows their kind.
    pub unknown: usize,
}

/// Where a log was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The number of the first line that could not be read, from 1.
    pub line: usize,
    /// Why not.
    pub reason: String,
}

impl Log {
    /// The name of the log in a run directory.
    pub const FILE: &str = "log.jsonl";
}

/// How much of a log is read, in bytes: ten million cases.
const LARGEST: u64 = 1 << 30;

/// Writes one event as one line.
pub(crate) fn write_event(out: &mut impl Write, event: &RunEvent) -> io::Result<()> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()
}

/// Reads the log of a run directory.
pub fn read_log(directory: &Path) -> Result<Log, LogError> {
    let path = directory.join(Log::FILE);
    let unreadable = |source| LogError::Unreadable { path: path.clone(), source };
    let file = match open(&path) {
        Ok(file) => file,
        Err(source) if source.kind() == io::ErrorKind::NotFound => {
            return Err(LogError::Missing { directory: directory.to_owned() });
        }
        Err(source) => return Err(unreadable(source)),
    };
    let mut rest = BufReader::new(file.take(LARGEST));
    let (mut events, mut cut, mut unknown) = (Vec::new(), None, 0);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if rest.read_until(b'\n', &mut bytes).map_err(unreadable)? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        // A newer format is told by its first line, whatever else is in it.
        if number == 1
            && let Some(found) = version_of(&line)
            && found > LOG_VERSION
        {
            return Err(LogError::TooNew { path, found });
        }
        match serde_json::from_str::<RunEvent>(&line) {
            Ok(RunEvent::Unknown) => unknown += 1,
            Ok(event) => add(&mut events, event),
            Err(error) => {
                let reason = match rest.get_ref().limit() {
                    0 => format!("a log is read up to {} MiB", LARGEST >> 20),
                    _ => error.to_string(),
                };
                cut = Some(Cut { line: number, reason });
                break;
            }
        }
    }
    match events.first() {
        Some(RunEvent::RunStarted { .. }) => Ok(Log { events, cut, unknown }),
        Some(_) => {
            Err(LogError::NotALog { path, reason: "it does not begin with run-started".into() })
        }
        None => {
            let reason = cut.map_or_else(|| "it is empty".to_owned(), |cut| cut.reason);
            Err(LogError::NotALog { path, reason })
        }
    }
}

/// Opens a log. What is not a file may never end.
fn open(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    File::open(path)
}

/// Adds an event. An exploration was once logged as a check of no cases after it had begun.
fn add(events: &mut Vec<RunEvent>, event: RunEvent) {
    match (events.last_mut(), event) {
        (
            Some(RunEvent::ExplorationStarted(asked)),
            RunEvent::CheckStarted { check, cases: 0, .. },
        ) => asked.check = check,
        (_, event) => events.push(event),
    }
}

fn version_of(line: &str) -> Option<u32> {
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    value.get("version")?.as_u64()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started() -> RunEvent {
        RunEvent::RunStarted {
            version: LOG_VERSION,
            spec: "a.capu".into(),
            device: "sim:a".into(),
            seed: 7,
        }
    }

    fn written(events: &[RunEvent]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for event in events {
            write_event(&mut bytes, event).unwrap();
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Log, LogError> {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join(Log::FILE), bytes).unwrap();
        read_log(directory.path())
    }

    #[test]
    fn a_log_cut_anywhere_keeps_the_lines_before_the_cut() {
        let events = [
            started(),
            RunEvent::RunFinished { interrupted: false, covered: None, not_run: Vec::new() },
        ];
        let bytes = written(&events);
        let first_line = bytes.iter().position(|b| *b == b'\n').unwrap();
        assert_eq!(read(&bytes).unwrap().events, events);
        for length in first_line + 2..bytes.len() - 1 {
            let log = read(&bytes[..length]).unwrap();
            assert_eq!(log.events, events[..1]);
            assert_eq!(log.cut.unwrap().line, 2);
        }
        for length in 0..first_line {
            assert!(matches!(read(&bytes[..length]), Err(LogError::NotALog { .. })));
        }
    }

    #[test]
    fn a_newer_log_is_refused() {
        let newer = br#"{"event":"run-started","version":99,"spec":1}"#;
        assert!(matches!(read(newer), Err(LogError::TooNew { found: 99, .. })));
    }

    #[test]
    fn a_film_is_read_as_it_was_written() {
        let sample = include_str!("../tests/log-v1.jsonl");
        let film = r#""film":[{"place":"Start","viewport":[360,640],"picture":"failures/1-a/00.jpg","journal":[{"kind":"failed-request","text":"GET / 500"}],"next":"Click(#a)","target":{"x":1,"y":2,"width":3,"height":4}},{"viewport":[360,640]}]"#;
        let filmed = sample.replace("\"same\":2}", &format!("\"same\":2,{film}}}"));
        assert_ne!(filmed, sample);
        let log = read(filmed.as_bytes()).unwrap();
        assert_eq!(log.cut, None);
        assert_eq!(String::from_utf8(written(&log.events)).unwrap(), filmed);
    }

    #[test]
    fn what_was_covered_is_read_as_it_was_written() {
        let sample = include_str!("../tests/log-v1.jsonl");
        let covered = r#","covered":{"functions":[6,8],"branches":[1,2],"lines":[40,50]}}"#;
        let counted =
            sample.replace("\"interrupted\":false}", &format!("\"interrupted\":false{covered}"));
        assert_ne!(counted, sample);
        let log = read(counted.as_bytes()).unwrap();
        assert_eq!(log.cut, None);
        let Some(RunEvent::RunFinished { covered: Some(covered), .. }) = log.events.last() else {
            panic!("{:?}", log.events.last());
        };
        assert_eq!(covered.to_string(), "6 of 8 functions, 1 of 2 branches, 40 of 50 lines");
        assert_eq!(String::from_utf8(written(&log.events)).unwrap(), counted);
    }

    #[test]
    fn the_log_of_version_1_still_reads() {
        let check = include_bytes!("../tests/log-v1.jsonl").as_slice();
        let exploration = include_bytes!("../tests/log-v1-exploration.jsonl").as_slice();
        for sample in [check, exploration] {
            let log = read(sample).unwrap();
            assert_eq!((log.cut, log.unknown), (None, 0));
            assert_eq!(written(&log.events), sample, "written as it was read");
        }
    }

    #[test]
    fn an_exploration_that_was_logged_as_a_check_of_no_cases_still_reads() {
        let old = read(include_bytes!("../tests/log-v1-explored.jsonl")).unwrap();
        let new = read(include_bytes!("../tests/log-v1-exploration.jsonl")).unwrap();
        assert_eq!((old.events, old.cut, old.unknown), (new.events, None, 0));
    }

    #[test]
    fn events_of_a_later_version_are_left_out() {
        let sample = include_str!("../tests/log-v1-exploration.jsonl");
        let later = sample.replace(
            "{\"event\":\"learned\"",
            "{\"event\":\"dreamt\",\"of\":[{\"sheep\":2}]}\n{\"event\":\"learned\"",
        );
        assert_ne!(later, sample);
        let log = read(later.as_bytes()).unwrap();
        assert_eq!((log.cut, log.unknown), (None, 1));
        assert_eq!(String::from_utf8(written(&log.events)).unwrap(), sample);
        // An event that is known and says something else is a cut, as before.
        let broken = sample.replace("\"states\":[{", "\"states\":[7,{");
        assert_ne!(broken, sample);
        let log = read(broken.as_bytes()).unwrap();
        assert!(log.cut.is_some());
        // So is a line that names no kind.
        let log = read(format!("{sample}{{\"of\":1}}\n").as_bytes()).unwrap();
        assert_eq!(log.cut.unwrap().line, sample.lines().count() + 1);
    }
}
