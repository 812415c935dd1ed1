//! The text files of the repository, read once for all checks.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Directories that hold what was made, not what was written.
const MADE: [&str; 4] = ["artifacts", "capuchin-out", "corpus", "target"];

/// Hidden directories that belong to the repository. Others are an editor's or Git's.
const HIDDEN: [&str; 3] = [".cargo", ".ci", ".github"];

/// Text files by their path from the root, with `/` between its parts.
#[derive(Debug, Default)]
pub(super) struct Tree(BTreeMap<String, String>);

impl Tree {
    /// Reads every text file under `root`.
    pub(super) fn read(root: &Path) -> Result<Tree> {
        let mut tree = Tree::default();
        tree.read_dir(root, "")?;
        Ok(tree)
    }

    fn read_dir(&mut self, dir: &Path, prefix: &str) -> Result<()> {
        let entries =
            fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list {}", dir.display()))?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            // A name that is not Unicode is nothing we have written. (`.git` may be a file, too.)
            let Ok(name) = entry.file_name().into_string() else { continue };
            if kind.is_dir() {
                let hidden = name.starts_with('.') && !HIDDEN.contains(&name.as_str());
                if !hidden && !MADE.contains(&name.as_str()) {
                    self.read_dir(&path, &format!("{prefix}{name}/"))?;
                }
            } else if kind.is_file() && name != ".git" {
                let bytes =
                    fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
                if let Ok(text) = String::from_utf8(bytes) {
                    self.0.insert(format!("{prefix}{name}"), text);
                }
            }
        }
        Ok(())
    }

    /// A tree of these files.
    #[cfg(test)]
    pub(super) fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Tree {
        Tree(files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect())
    }

    /// How many files there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Every file, in the order of their paths.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Every file whose name ends so.
    pub(super) fn ending(&self, end: &str) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(move |(path, _)| path.ends_with(end))
    }

    /// The text of a file.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// Whether there is a file or a directory of this path.
    pub(super) fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
            || self.0.keys().any(|file| {
                file.strip_prefix(path.trim_end_matches('/')).is_some_and(|r| r.starts_with('/'))
            })
    }

    /// The number of the first line of a file that holds `part`; 1 if none does.
    pub(super) fn line_of(&self, path: &str, part: &str) -> usize {
        let lines = self.text(path).unwrap_or_default().lines();
        lines.zip(1..).find(|(line, _)| line.contains(part)).map_or(1, |(_, number)| number)
    }
}

/// Whether `text` holds `word` with nothing before or after it that could belong to the word.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        assert!(has_word("let m: HashMap<u8, u8>", "HashMap"));
        assert!(!has_word("MyHashMap", "HashMap"));
        assert!(!has_word("HashMaps", "HashMap"));
        assert!(has_word("HashMaps HashMap", "HashMap"));
    }

    #[test]
    fn directories_are_there_if_a_file_is_in_them() {
        let tree = Tree::of([("docs/adr/README.md", "")]);
        assert!(tree.has("docs/adr/README.md") && tree.has("docs/adr") && tree.has("docs/adr/"));
        assert!(!tree.has("docs/ad"));
    }
}
