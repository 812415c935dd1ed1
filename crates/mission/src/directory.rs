//! The run directory: the log, the failing traces as files that run, and whatever a report adds.
//!
//! Keeping a record must never break a run: once the directory is there, a write that fails is
//! remembered, said at the end, and changes no verdict. A file is there whole or not at all.

use crate::log::{Log, write_event};
use capuchin::log::{Failure, Frame, Observer, RunEvent};
use capuchin::ui::{Quoted, Visible, unfinished, write_whole};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// A run directory that cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DirectoryError {
    /// The system says no.
    #[error("cannot write the run directory {}: {source}", .path.display())]
    Unwritable {
        /// What could not be written.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There is something of somebody else's in it.
    #[error("{} is not empty and not a run directory", .path.display())]
    NotOurs {
        /// The directory.
        path: PathBuf,
    },
    /// It is a run directory, and there is something in it that no run writes.
    #[error(
        "{} would be replaced, and has {}, which no run writes: move it away",
        .path.display(), .stranger.display()
    )]
    HasStranger {
        /// The directory.
        path: PathBuf,
        /// What is not ours, within the directory.
        stranger: PathBuf,
    },
    /// Another run is writing into it.
    #[error("another run is writing into {}: wait for its end", .path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
    },
}

/// The file of a failure that a run has saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedFile {
    /// Its name: no other of the same run has it.
    pub name: String,
    /// The check that it belongs to, as names of files write it.
    pub check: String,
    /// What is in it.
    pub text: String,
}

/// A run directory that is being written.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    log: File,
    device: String,
    /// Declarations of the specification, by the name that they declare: a failing trace is saved
    /// with those that it needs.
    declarations: Vec<(String, String)>,
    missing: Vec<(PathBuf, io::Error)>,
}

impl RunDirectory {
    /// The name of the directory in it with the failing traces.
    pub const FAILURES: &str = FAILURES;
    /// The name of the directory in it with failures of earlier runs that were not run again yet.
    pub const KEPT: &str = KEPT;
    /// The name of the JUnit report in it.
    pub const JUNIT: &str = "junit.xml";
    /// The name of the directory in it with the code that ran.
    pub const COVERAGE: &str = "coverage";
    /// The name of the directory in it with the pictures of a map's states.
    pub const STATES: &str = "states";
    /// The name of the directory in it with the pictures of replays.
    pub const REPLAYS: &str = "replays";
    /// The name of an exploration's figures, curve and map in it.
    pub const EXPLORATION: &str = "explore.json";
    /// The name of what an exploration knows in it.
    pub const MODEL: &str = "model.jsonl";
    /// The name of the directory in it with what the pilots of checks know.
    pub const MODELS: &str = "models";
    /// The name of the report for people in it.
    pub const REPORT: &str = "report.html";

    /// Makes the directory, or empties one of an earlier run.
    pub fn create(
        path: &Path,
        device: &str,
        declarations: Vec<(String, String)>,
    ) -> Result<Self, DirectoryError> {
        let is_empty = match std::fs::read_dir(path) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(source) => return Err(unwritable(path, source)),
        };
        if !is_empty {
            refuse_strangers(path)?;
        }
        std::fs::create_dir_all(path).map_err(|error| unwritable(path, error))?;
        let log = lock_log(path)?;
        for old in DIRECTORIES {
            let old = path.join(old);
            if old.is_dir() {
                std::fs::remove_dir_all(&old).map_err(|error| unwritable(&old, error))?;
            }
        }
        // A report of the run before must not stand beside the log of a run that is then killed.
        for old in [Self::JUNIT, Self::REPORT, Self::EXPLORATION, Self::MODEL] {
            let old = path.join(old);
            for old in [&unfinished(&old), &old] {
                match std::fs::remove_file(old) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(unwritable(path, error));
                    }
                    _ => {}
                }
            }
        }
        std::fs::create_dir_all(path.join(FAILURES)).map_err(|error| unwritable(path, error))?;
        log.set_len(0).map_err(|error| unwritable(&path.join(Log::FILE), error))?;
        let (path, device) = (path.to_owned(), device.to_owned());
        Ok(RunDirectory { path, log, device, declarations, missing: Vec::new() })
    }

    /// The failures that the run in `path` has saved, and those that it kept; none, if there is no
    /// run.
    pub fn saved(path: &Path) -> Vec<SavedFile> {
        if !is_log(&path.join(Log::FILE)) {
            return Vec::new();
        }
        let mut files = Vec::new();
        for folder in [FAILURES, KEPT] {
            let entries = std::fs::read_dir(path.join(folder)).into_iter().flatten();
            let mut found: Vec<(u32, String, PathBuf)> = entries
                .filter_map(|entry| {
                    let path = entry.ok()?.path();
                    let name = path.file_name()?.to_str()?.strip_suffix(".capu")?;
                    let (number, check) = name.split_once('-')?;
                    Some((number.parse().ok()?, check.to_owned(), path.clone()))
                })
                .collect();
            found.sort();
            files.extend(found);
        }
        let mut saved: Vec<SavedFile> = Vec::new();
        for (_, check, path) in files {
            let Some(text) = read_own(&path, LARGEST_FAILURE) else { continue };
            let Ok(text) = String::from_utf8(text) else { continue };
            if saved.iter().all(|known| known.text != text) {
                let name = format!("{}-{check}.capu", saved.len() + 1);
                saved.push(SavedFile { name, check, text });
            }
        }
        saved
    }

    /// Keeps failures of an earlier run, each until it was run again.
    pub fn keep(&mut self, saved: &[SavedFile]) {
        saved.iter().for_each(|file| self.add(&format!("{KEPT}/{}", file.name), &file.text));
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the file of a failure, within the directory.
    pub fn failure_file(failure: &Failure) -> String {
        format!("{}.capu", failure.file_stem())
    }

    /// Reads a picture that the log of the run in `path` names. A log comes from anywhere: a name
    /// that leads out of the directory is none of its pictures.
    pub fn read_picture(path: &Path, name: &str) -> Option<Vec<u8>> {
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        read_own(&path.join(name), LARGEST_PICTURE).filter(|_| inside)
    }

    /// Writes one more file into it: a report, a picture.
    pub fn add(&mut self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path.join(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let result = made.and_then(|()| write_whole(&path, content));
        self.note(path, result);
    }

    /// Writes the pictures that have a name.
    fn add_pictures<'f>(&mut self, frames: impl IntoIterator<Item = &'f Frame>) {
        for frame in frames {
            if let (Some(name), Some(image)) = (&frame.picture, &frame.image) {
                self.add(name, &image.bytes);
            }
        }
    }

    /// Writes a report of the code that ran.
    pub fn add_coverage(&mut self, name: &str, content: impl AsRef<[u8]>) {
        self.add(&format!("{}/{name}", RunDirectory::COVERAGE), content);
    }

    /// The files that are missing or not as they should be, and why; the first comes first.
    pub fn missing(&self) -> &[(PathBuf, io::Error)] {
        &self.missing
    }

    /// Notes what became of writing a file, which may be written again.
    pub fn note(&mut self, path: PathBuf, result: io::Result<()>) {
        let known = self.missing.iter().position(|(missing, _)| *missing == path);
        match (result, known) {
            (Err(error), None) => self.missing.push((path, error)),
            // A log has a gap whatever comes after it.
            (Ok(()), Some(known)) if !path.ends_with(Log::FILE) => _ = self.missing.remove(known),
            _ => {}
        }
    }

    /// A failing trace as a file that runs as it stands.
    fn failure_text(&self, failure: &Failure) -> String {
        // Texts of the app: none of them may end its comment.
        let said = failure.summary.lines().chain(failure.detail.lines());
        let mut lines: Vec<String> = said.map(|line| format!("// {}", Visible(line))).collect();
        lines.push(format!("device {}", Quoted(&self.device)));
        lines.push(format!("seed {}", failure.seed));
        let needed = self.declarations.iter().filter(|(name, _)| failure.needs.contains(name));
        lines.extend(needed.map(|(_, declaration)| declaration.clone()));
        lines.extend(failure.monitor.iter().map(|name| format!("monitor {}", Quoted(name))));
        lines.extend(failure.property.iter().cloned());
        lines.push(format!("expect {}", Quoted(&failure.expectation)));
        format!("{}\n\n{}\n", lines.join("\n"), failure.minimal)
    }
}

/// Reads a file of a run directory. A directory comes from anywhere: a link may lead to a file that
/// is not its own, and what is not a file may never end.
fn read_own(path: &Path, largest: u64) -> Option<Vec<u8>> {
    let own = path.symlink_metadata().ok()?;
    (own.is_file() && own.len() <= largest).then(|| std::fs::read(path).ok())?
}

/// Opens the log for this run alone. A run that is killed holds its log no longer.
fn lock_log(directory: &Path) -> Result<File, DirectoryError> {
    let path = directory.join(Log::FILE);
    // It is emptied only once it is known that nobody else writes it.
    let log = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
    let log = log.map_err(|error| unwritable(&path, error))?;
    match log.try_lock() {
        Err(TryLockError::WouldBlock) => Err(DirectoryError::InUse { path: directory.to_owned() }),
        // Also on a file system without locks: better a run without one than none.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(log),
    }
}

/// Whether a file begins like a log, or like one that was cut right after its start: what does not
/// is somebody else's.
fn is_log(path: &Path) -> bool {
    let wanted = br#"{"event":"run-started""#;
    let mut start = Vec::new();
    let length = wanted.len() as u64;
    let is_file = path.symlink_metadata().is_ok_and(|log| log.is_file());
    let mut read = || File::open(path).and_then(|file| file.take(length).read_to_end(&mut start));
    is_file && read().is_ok() && wanted.starts_with(&start)
}

/// Refuses a directory that is not one of a run, or that has something in it that no run writes:
/// what is there is about to be removed.
fn refuse_strangers(path: &Path) -> Result<(), DirectoryError> {
    if !is_log(&path.join(Log::FILE)) {
        return Err(DirectoryError::NotOurs { path: path.to_owned() });
    }
    let mut directories = vec![PathBuf::new()];
    while let Some(directory) = directories.pop() {
        let at = path.join(&directory);
        let entries = std::fs::read_dir(&at).map_err(|error| unwritable(&at, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| unwritable(&at, error))?;
            let kind = entry.file_type().map_err(|error| unwritable(&at, error))?;
            let name = directory.join(entry.file_name());
            match written_by_run(&name) {
                Written::File if kind.is_file() => {}
                Written::Directory if kind.is_dir() => directories.push(name),
                Written::Kept => {}
                _ => {
                    let path = path.to_owned();
                    return Err(DirectoryError::HasStranger { path, stranger: name });
                }
            }
        }
    }
    Ok(())
}

/// What a run writes under a name.
enum Written {
    File,
    Directory,
    /// It is not removed, whatever it is.
    Kept,
    Nothing,
}

fn written_by_run(name: &Path) -> Written {
    let mut parts: Option<Vec<&str>> = name.iter().map(|part| part.to_str()).collect();
    if let Some(last) = parts.as_mut().and_then(|parts| parts.last_mut()) {
        // A run that was killed left it while it was being written.
        let part = last.strip_prefix('.').and_then(|name| name.strip_suffix(".part"));
        *last = part.unwrap_or(last);
    }
    let numbered = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
    let parts = parts.unwrap_or_default();
    let is_file = match parts[..] {
        [name] => FILES.contains(&name),
        [FAILURES, name] | [FAILURES, "kept", name] => numbered(name) && name.ends_with(".capu"),
        [FAILURES, film, name] => numbered(film) && numbered(name),
        [RunDirectory::STATES | RunDirectory::REPLAYS, name] => numbered(name),
        [RunDirectory::COVERAGE, name] => COVERAGE_FILES.contains(&name),
        [RunDirectory::MODELS, name] => name.ends_with(".jsonl"),
        _ => false,
    };
    let is_directory = match parts[..] {
        [name] => DIRECTORIES.contains(&name),
        [FAILURES, film] => numbered(film) || film == "kept",
        _ => false,
    };
    match (is_file, is_directory) {
        _ if parts == [DOWNLOADS] => Written::Kept,
        (true, _) => Written::File,
        (false, true) => Written::Directory,
        (false, false) => Written::Nothing,
    }
}

/// What a run writes, beside what is in its directories.
const FILES: [&str; 5] = [
    Log::FILE,
    RunDirectory::JUNIT,
    RunDirectory::REPORT,
    RunDirectory::EXPLORATION,
    RunDirectory::MODEL,
];
const DIRECTORIES: [&str; 5] = [
    FAILURES,
    RunDirectory::STATES,
    RunDirectory::REPLAYS,
    RunDirectory::COVERAGE,
    RunDirectory::MODELS,
];
const COVERAGE_FILES: [&str; 2] = ["lcov.info", "coverage-final.json"];

fn unwritable(path: &Path, source: io::Error) -> DirectoryError {
    DirectoryError::Unwritable { path: path.to_owned(), source }
}

const FAILURES: &str = "failures";
/// How large a saved failure and a picture are at most that are read, in bytes.
const LARGEST_FAILURE: u64 = 16 << 20;
const LARGEST_PICTURE: u64 = 256 << 20;
const DOWNLOADS: &str = "downloads";
/// Failures of earlier runs that are still to be run again.
const KEPT: &str = "failures/kept";

impl Observer for RunDirectory {
    fn observe(&mut self, event: &RunEvent) {
        let result = write_event(&mut self.log, event);
        self.note(self.path.join(Log::FILE), result);
        if let RunEvent::SavedFinished { file, .. } = event {
            // It is a failure of this run now, or none any more.
            let _ = std::fs::remove_file(self.path.join(KEPT).join(file));
            let _ = std::fs::remove_dir(self.path.join(KEPT));
        }
        // What was seen is written at once, and again when it has been shrunk.
        if let RunEvent::FailureSeen(failure)
        | RunEvent::FailureFound(failure)
        | RunEvent::FailureShrunk(failure) = event
        {
            let text = self.failure_text(failure);
            self.add(&RunDirectory::failure_file(failure), &text);
            self.add_pictures(&failure.film);
        }
        if let RunEvent::RecordingReplayed(replay) = event {
            self.add_pictures(replay.frames());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_is_there_until_the_next_run() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let mut directory = RunDirectory::create(&path, "sim:a", Vec::new()).unwrap();
        let name = "states/007.svg";
        std::fs::create_dir(path.join(RunDirectory::STATES)).unwrap();
        directory.add(name, "<svg/>");
        assert_eq!(RunDirectory::read_picture(&path, name).unwrap(), b"<svg/>");
        directory.add(RunDirectory::EXPLORATION, "{}");
        directory.add(RunDirectory::MODEL, "{}");
        std::fs::create_dir(path.join(RunDirectory::MODELS)).unwrap();
        assert!(directory.missing().is_empty());
        drop(directory);
        RunDirectory::create(&path, "sim:a", Vec::new()).unwrap();
        assert_eq!(RunDirectory::read_picture(&path, name), None);
        for gone in [RunDirectory::EXPLORATION, RunDirectory::MODEL, RunDirectory::MODELS] {
            assert!(!path.join(gone).exists(), "{gone}");
        }
    }

    fn made(place: &tempfile::TempDir) -> PathBuf {
        let path = place.path().join("out");
        drop(RunDirectory::create(&path, "sim:a", Vec::new()).unwrap());
        path
    }

    #[test]
    fn two_runs_do_not_share_a_directory() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let first = RunDirectory::create(&path, "sim:a", Vec::new()).unwrap();
        let second = RunDirectory::create(&path, "sim:a", Vec::new());
        assert!(matches!(second, Err(DirectoryError::InUse { .. })), "{second:?}");
        drop(first);
        RunDirectory::create(&path, "sim:a", Vec::new()).unwrap();
    }

    #[test]
    fn nothing_of_a_strangers_is_removed() {
        for stranger in ["notes.txt", "failures/notes.txt", "states/my.svg", "models/x", ".hidden"]
        {
            let place = tempfile::tempdir().unwrap();
            let path = made(&place);
            let stranger = path.join(stranger);
            std::fs::create_dir_all(stranger.parent().unwrap()).unwrap();
            std::fs::write(&stranger, "mine").unwrap();
            std::fs::write(path.join("failures/1-a.capu"), "ours").unwrap();
            let made = RunDirectory::create(&path, "sim:a", Vec::new());
            assert!(matches!(made, Err(DirectoryError::HasStranger { .. })), "{made:?}");
            assert_eq!(std::fs::read(&stranger).unwrap(), b"mine");
            assert!(path.join("failures/1-a.capu").exists(), "nothing at all is removed");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_removed_through_a_link() {
        for link in ["failures", "states", "failures/1-a", "log.jsonl", "report.html"] {
            let place = tempfile::tempdir().unwrap();
            let path = made(&place);
            let theirs = place.path().join("home");
            std::fs::create_dir(&theirs).unwrap();
            std::fs::write(theirs.join("1.jpg"), "mine").unwrap();
            let link = path.join(link);
            let _ = std::fs::remove_dir(&link);
            let _ = std::fs::remove_file(&link);
            std::os::unix::fs::symlink(&theirs, &link).unwrap();
            assert!(RunDirectory::create(&path, "sim:a", Vec::new()).is_err(), "{link:?}");
            assert_eq!(std::fs::read(theirs.join("1.jpg")).unwrap(), b"mine");
        }
    }

    #[test]
    fn a_text_of_the_app_stays_in_its_comment() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let directory = RunDirectory::create(&path, "sim:a", Vec::new()).unwrap();
        let log = include_str!("../tests/log-v1.jsonl");
        let found = log.lines().find_map(|line| match serde_json::from_str(line) {
            Ok(RunEvent::FailureFound(failure)) => Some(failure),
            _ => None,
        });
        let mut failure = found.unwrap();
        failure.summary = "a\rmonkey 1\u{2028}monkey 2".into();
        failure.detail = "b\r\nc\u{85}monkey 3\u{b}monkey 4\u{202e}".into();
        let text = directory.failure_text(&failure);
        assert!(text.starts_with(
            "// a\\rmonkey 1\\u{2028}monkey 2\n// b\n// c\\u{85}monkey 3\\u{b}monkey 4\\u{202e}\ndevice"
        ), "{text}");
    }

    #[test]
    fn what_could_not_be_written_is_counted_until_it_could() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let mut directory = RunDirectory::create(&path, "sim:a", Vec::new()).unwrap();
        for name in [RunDirectory::JUNIT, RunDirectory::EXPLORATION] {
            std::fs::create_dir(path.join(name)).unwrap();
            directory.add(name, "");
            directory.add(name, "");
        }
        let missing = directory.missing();
        assert_eq!(missing.len(), 2);
        assert_eq!(missing[0].0, path.join(RunDirectory::JUNIT));
        std::fs::remove_dir(path.join(RunDirectory::JUNIT)).unwrap();
        directory.add(RunDirectory::JUNIT, "");
        assert_eq!(directory.missing()[0].0, path.join(RunDirectory::EXPLORATION));
        assert!(!unfinished(&path.join(RunDirectory::EXPLORATION)).exists());
        std::fs::remove_dir(path.join(RunDirectory::EXPLORATION)).unwrap();
        // A file that a killed run left unfinished goes with the next one.
        let left = unfinished(&path.join(RunDirectory::REPORT));
        std::fs::write(&left, "<html").unwrap();
        drop(directory);
        RunDirectory::create(&path, "sim:a", Vec::new()).unwrap();
        assert!(!left.exists());
    }
}
