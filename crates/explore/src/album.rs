//! Pictures of the screens that an exploration learns of, in its run directory.
//!
//! On its own because it writes files: a picture is written when it is taken, so that a long
//! exploration keeps none of them in memory.

use crate::knowledge::Knowledge;
use crate::models::Losses;
use capuchin::ui::{Str, write_whole};
use capuchin::{Probe, wireframe};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// More pictures than that nobody looks at.
const MOST_PICTURES: usize = 200;

/// Where the pictures are, from the run directory.
const FOLDER: &str = "states";

/// The pictures that were taken.
pub(crate) struct Album {
    directory: PathBuf,
    /// The labels of the screens that there is a picture of.
    labels: BTreeSet<Str>,
    /// The names of the files, by the number of the summary of the screen.
    files: BTreeMap<u32, String>,
    losses: Losses,
}

impl Album {
    pub(crate) fn new(directory: PathBuf, losses: Losses) -> Self {
        Album { directory, labels: BTreeSet::new(), files: BTreeMap::new(), losses }
    }

    /// Takes a picture of where the app is, unless there is one. Screens that are told apart later
    /// than they were first seen have their picture taken then.
    pub(crate) fn add(&mut self, known: &Knowledge, app: &mut Probe<'_>) {
        let label = known.label_text();
        if self.files.len() >= MOST_PICTURES || self.labels.contains(label) {
            return;
        }
        self.labels.insert(label.clone());
        let picture = app.picture().ok().flatten();
        let picture = picture.unwrap_or_else(|| wireframe(app.screen()));
        let summary = known.summary_at(known.at());
        let name = format!("{FOLDER}/{summary:03}.{}", picture.format.extension());
        let path = self.directory.join(&name);
        let folder = self.directory.join(FOLDER);
        // A picture that cannot be written is not shown: the run does not depend on it.
        let written =
            std::fs::create_dir_all(folder).and_then(|()| write_whole(&path, &picture.bytes));
        match written {
            Ok(()) => _ = self.files.insert(summary, name),
            Err(source) => self.losses.add(path, source),
        }
    }

    /// The picture of the screen with this summary: its name in the run directory.
    pub(crate) fn picture(&self, summary: u32) -> Option<String> {
        self.files.get(&summary).cloned()
    }
}
