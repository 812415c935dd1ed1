//! What is learned, in files: the journal of an exploration, and those of the pilots of a check,
//! one for each of its `auto`.

use crate::abstraction_kind::{AbstractionKind, Abstractions};
use crate::journal::{Entry, Journal, JournalError, read_journal};
use capuchin::trace::{Auto, Gen};
use capuchin::ui::write_whole_with;
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// A file of what was learned that cannot be read or written.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The system says no.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("cannot read {}: {source}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: JournalError,
    },
    /// The system says no.
    #[error("cannot write {}: {source}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// A journal in a file. Once it is begun, a write that fails is remembered and breaks nothing: what
/// is learned does not depend on it.
#[derive(Debug)]
pub struct Keeper {
    path: PathBuf,
    journal: Option<Journal<File>>,
    problem: Option<io::Error>,
}

impl Keeper {
    /// Begins a file that is not there yet, with what is remembered.
    pub fn begin(
        path: &Path,
        kind: &AbstractionKind,
        remembered: &[Entry],
    ) -> Result<Self, ModelError> {
        // What was learned before is not to be had again: no file is overwritten.
        let is_free = match path.try_exists() {
            Ok(false) => Ok(()),
            Ok(true) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) => Err(error),
        };
        let journal = is_free.and_then(|()| {
            write_whole_with(path, |file| {
                let mut journal = Journal::begin(file, kind)?;
                remembered.iter().try_for_each(|entry| journal.write(entry))?;
                Ok(journal)
            })
        });
        let path = path.to_owned();
        match journal {
            Ok(journal) => Ok(Keeper { path, journal: Some(journal), problem: None }),
            Err(source) => Err(ModelError::Unwritable { path, source }),
        }
    }

    /// What an earlier one has kept: the abstraction, which is one of these, and all that was done
    /// and seen.
    pub fn load(
        path: &Path,
        abstractions: &Abstractions,
    ) -> Result<(AbstractionKind, Vec<Entry>), ModelError> {
        let path = path.to_owned();
        let text = read_bounded(&path).and_then(|mut bytes| {
            // The last line may be torn, in the middle of a character too.
            bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1));
            String::from_utf8(bytes)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
        });
        match text.map(|text| read_journal(&text, abstractions)) {
            Ok(Ok(read)) => Ok(read),
            Ok(Err(source)) => Err(ModelError::Damaged { path, source }),
            Err(source) => Err(ModelError::Unreadable { path, source }),
        }
    }

    /// Keeps what was done and seen.
    pub fn write(&mut self, entry: &Entry) {
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.write(entry)
        {
            // What comes after a gap would not make sense.
            self.journal = None;
            self.problem = Some(error);
        }
    }

    /// What could not be written, if anything.
    pub fn problem(&mut self) -> Option<ModelError> {
        let path = self.path.clone();
        self.problem.take().map(|source| ModelError::Unwritable { path, source })
    }
}

/// Files beside the journals that could not be written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Losses(Arc<Mutex<Vec<ModelError>>>);

impl Losses {
    pub(crate) fn add(&self, path: PathBuf, source: io::Error) {
        let mut losses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        losses.push(ModelError::Unwritable { path, source });
    }
}

/// What the pilots of a check know when it begins, and where they keep what they learn: one file
/// for each `auto` whose policy learns. A clone keeps it in the same files.
#[derive(Clone, Debug, Default)]
pub struct Models {
    models: Vec<Model>,
    losses: Losses,
}

/// What the pilot of one `auto` knows.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// The key of the `auto`.
    key: String,
    /// The name of its file.
    file: String,
    pub(crate) kind: AbstractionKind,
    pub(crate) remembered: Arc<[Entry]>,
    pub(crate) keeper: Option<Arc<Mutex<Keeper>>>,
}

impl Models {
    /// The name of the file with what an exploration knows.
    pub const EXPLORATION: &str = "model.jsonl";

    /// Those of the check of this name, with traces from this generator. They know nothing yet.
    pub fn new(check: &str, generator: &Gen) -> Self {
        let stem = file_stem(check);
        let file = |index: usize| format!("{stem}-{}.jsonl", index + 1);
        Models::in_files(generator, &AbstractionKind::ADAPTIVE, file)
    }

    /// That of an exploration with this generator, which tells screens apart like this.
    pub fn of_exploration(generator: &Gen, kind: &AbstractionKind) -> Self {
        Models::in_files(generator, kind, |_| Models::EXPLORATION.to_owned())
    }

    fn in_files(generator: &Gen, kind: &AbstractionKind, file: impl Fn(usize) -> String) -> Self {
        let model = |(index, key)| Model {
            key,
            file: file(index),
            kind: kind.clone(),
            remembered: Arc::default(),
            keeper: None,
        };
        let models = generator.learning().into_iter().enumerate().map(model).collect();
        Models { models, losses: Losses::default() }
    }

    /// How the first of them tells screens apart.
    pub fn kind(&self) -> Option<&AbstractionKind> {
        self.models.first().map(|model| &model.kind)
    }

    /// The signatures of the failures that are remembered.
    pub fn violations(&self) -> BTreeSet<String> {
        let entries = self.models.iter().flat_map(|model| model.remembered.iter());
        let signature = |entry: &Entry| match entry {
            Entry::Violated(signature) => Some(signature.clone()),
            _ => None,
        };
        entries.filter_map(signature).collect()
    }

    /// Whether no part of the check has a policy that learns.
    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }

    /// Remembers what an earlier check with such parts has kept in a directory, with one of these
    /// abstractions.
    pub fn load(
        &mut self,
        directory: &Path,
        abstractions: &Abstractions,
    ) -> Result<(), ModelError> {
        for model in &mut self.models {
            let (kind, entries) = Keeper::load(&directory.join(&model.file), abstractions)?;
            (model.kind, model.remembered) = (kind, entries.into());
        }
        Ok(())
    }

    /// From now on, keeps what is remembered and learned in a directory, which is made if it is not
    /// there. Every file is begun at once, so that a check that is killed can be resumed however
    /// far it came.
    pub fn keep(&mut self, directory: &Path) -> Result<(), ModelError> {
        if self.is_empty() {
            return Ok(());
        }
        std::fs::create_dir_all(directory)
            .map_err(|source| ModelError::Unwritable { path: directory.to_owned(), source })?;
        for model in &mut self.models {
            let path = directory.join(&model.file);
            let keeper = Keeper::begin(&path, &model.kind, &model.remembered)?;
            model.keeper = Some(Arc::new(Mutex::new(keeper)));
        }
        Ok(())
    }

    /// What could not be kept until now: journals, and pictures of screens. Each is told once.
    pub fn problems(&self) -> Vec<ModelError> {
        let keepers = self.models.iter().filter_map(|model| model.keeper.as_ref());
        let journals = keepers
            .filter_map(|keeper| keeper.lock().unwrap_or_else(PoisonError::into_inner).problem());
        let mut losses = self.losses.0.lock().unwrap_or_else(PoisonError::into_inner);
        journals.chain(losses.drain(..)).collect()
    }

    /// Where what else is kept is told if it cannot be.
    pub(crate) fn losses(&self) -> Losses {
        self.losses.clone()
    }

    /// What the pilot of an `auto` knows; nothing, if it is none of the check's.
    pub(crate) fn of(&self, auto: &Auto) -> Option<&Model> {
        let key = auto.key();
        self.models.iter().find(|model| model.key == key)
    }
}

/// A name for files that every file system takes, and that no other check has.
fn file_stem(check: &str) -> String {
    const LONGEST: usize = 40;
    let is_safe = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !check.is_empty() && check.len() <= LONGEST && check.chars().all(is_safe) {
        return check.to_owned();
    }
    let safe = |c: char| if is_safe(c) { c } else { '_' };
    let stem: String = check.chars().take(LONGEST).map(safe).collect();
    format!("{stem}-{:016x}", capuchin::ui::Digest::of(check))
}

/// How large a journal is at most that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// Reads a file. What is no file may never end.
fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    match metadata.is_file() && metadata.len() <= LARGEST {
        true => std::fs::read(path),
        false => Err(io::Error::other("it is not a file of at most 1 GiB")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::ScreenSummary;

    #[test]
    fn a_line_may_be_torn_in_the_middle_of_a_character() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("model.jsonl");
        let entries = [
            Entry::Restarted(ScreenSummary::of_the_end(None), 0),
            Entry::Performed("Click(é)".into(), ScreenSummary::of_the_end(None), 0),
        ];
        drop(Keeper::begin(&path, &AbstractionKind::ADAPTIVE, &entries).unwrap());
        let whole = std::fs::read(&path).unwrap();
        let accent = whole.iter().rposition(|byte| *byte == 0xc3).unwrap();
        std::fs::write(&path, &whole[..=accent]).unwrap();
        assert_eq!(Keeper::load(&path, &Abstractions::default()).unwrap().1, entries[..1]);
        // Elsewhere it is damage.
        let mut damaged = whole.clone();
        damaged[accent + 1] = b' ';
        std::fs::write(&path, damaged).unwrap();
        assert!(Keeper::load(&path, &Abstractions::default()).is_err());
    }

    #[test]
    fn a_file_is_named_after_its_check_and_no_two_are_named_alike() {
        assert_eq!(file_stem("afterLogin"), "afterLogin");
        let odd = ["", "é", "è", "a/b", "a:b", "../a", "a b"];
        let long = ["x".repeat(300), "x".repeat(301)];
        let all: Vec<String> =
            odd.iter().copied().chain(long.iter().map(String::as_str)).map(file_stem).collect();
        for (index, stem) in all.iter().enumerate() {
            assert!(!stem.contains(['/', '.', ':', ' ']) && stem.len() < 80, "{stem}");
            assert!(!all[..index].contains(stem), "{stem}");
        }
    }
}
