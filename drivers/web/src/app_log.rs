//! What the app said and asked for: the console, the network, dialogs. The end of it goes into the
//! report of a crash.

use capuchin_ui::LogEntry;
pub(crate) use capuchin_ui::LogEntryKind as EntryKind;
use std::collections::VecDeque;

/// How many entries are kept: an app that says a thousand things a second must not fill the memory.
const MOST_ENTRIES: usize = 200;

/// How many characters of what an app says are told.
const LONGEST_TEXT: usize = 2000;

/// As much of what an app says as a person can read and a log can keep.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((at, _)) => format!("{}… and {} bytes more", &text[..at], text.len() - at),
        None => text.to_owned(),
    }
}

/// The entries since somebody last took them.
#[derive(Debug, Default)]
pub(crate) struct AppLog {
    entries: VecDeque<LogEntry>,
    /// The last lines of the console, for the report of a crash.
    tail: VecDeque<String>,
}

impl AppLog {
    pub(crate) fn add(&mut self, kind: EntryKind, text: impl AsRef<str>) {
        let text = shortened(text.as_ref());
        if matches!(kind, EntryKind::Log | EntryKind::Warning | EntryKind::Error) {
            if self.tail.len() == 5 {
                self.tail.pop_front();
            }
            self.tail.push_back(text.clone());
        }
        if self.entries.len() == MOST_ENTRIES {
            self.entries.pop_front();
        }
        self.entries.push_back(LogEntry { kind, text });
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.tail.clear();
    }

    pub(crate) fn take(&mut self) -> Vec<LogEntry> {
        self.entries.drain(..).collect()
    }

    pub(crate) fn console_tail(&self) -> impl Iterator<Item = &str> {
        self.tail.iter().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut_between_two_characters() {
        let most = "é".repeat(LONGEST_TEXT);
        assert_eq!(shortened(&most), most);
        assert_eq!(shortened(&format!("{most}ü!")), format!("{most}… and 3 bytes more"));
    }
}
