//! Notes in folders, with a search, an archive, and settings that change what is listed.
//!
//! What is hard about it: what can be done depends on what was written, filed and deleted before,
//! and one folder wants a password. What is wrong with it: in that folder, with texts instead of
//! titles, a deleted note that is taken back while the search hides those before it crashes.

use capuchin_sim::{App, Input, Os, Page, numbered};
use capuchin_ui::Crash;

const FOLDERS: [&str; 3] = ["Inbox", "Work", "Private"];
const PRIVATE: usize = 2;
const MOST: usize = 12;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Folders,
    /// The password of the private folder.
    Lock,
    List,
    Note(i64),
    Archive,
    Settings,
}

#[derive(Clone, Debug, Default)]
struct Note {
    number: i64,
    folder: usize,
    title: String,
    body: String,
    archived: bool,
}

/// The notes.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    bugs: bool,
    at: At,
    folder: usize,
    notes: Vec<Note>,
    /// How many notes there ever were.
    made: i64,
    search: String,
    password: String,
    asking: bool,
    /// What was deleted, and at which position of the list it was.
    deleted: Option<(Note, usize)>,
    newest_first: bool,
    previews: bool,
    unnamed: bool,
}

impl Notes {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        let mut app = Notes { bugs, unnamed: true, ..Notes::default() };
        for (folder, title) in [(0, "Shopping"), (0, "Call back"), (1, "Report"), (2, "Diary")] {
            app.add(folder, title);
        }
        app
    }

    fn add(&mut self, folder: usize, title: &str) -> i64 {
        self.made += 1;
        let number = self.made;
        self.notes.push(Note { number, folder, title: title.to_owned(), ..Note::default() });
        number
    }

    /// What the list of a folder shows, in its order.
    fn listed(&self) -> Vec<&Note> {
        let mut listed: Vec<&Note> = self
            .notes
            .iter()
            .filter(|note| note.folder == self.folder && !note.archived)
            .filter(|note| self.unnamed || !note.title.is_empty())
            .filter(|note| note.title.contains(&self.search) || note.body.contains(&self.search))
            .collect();
        if self.newest_first {
            listed.reverse();
        }
        listed
    }

    fn note(&mut self, number: i64) -> Option<&mut Note> {
        self.notes.iter_mut().find(|note| note.number == number)
    }

    fn go(&mut self, at: At) {
        self.at = at;
        self.asking = false;
        self.deleted = None;
        self.search.clear();
        self.password.clear();
    }

    fn delete(&mut self, number: i64) {
        let position = self.listed().iter().position(|note| note.number == number).unwrap_or(0);
        let Some(index) = self.notes.iter().position(|note| note.number == number) else { return };
        let note = self.notes.remove(index);
        self.go(At::List);
        self.deleted = Some((note, position));
    }

    fn undo(&mut self) -> Result<(), Crash> {
        let Some((note, position)) = self.deleted.take() else { return Ok(()) };
        let size = self.listed().len();
        let is_encrypted = self.folder == PRIVATE && self.previews;
        if self.bugs && is_encrypted && position > size {
            let what = "java.lang.IndexOutOfBoundsException: no place for the note";
            return Err(Crash::new(what).at("NoteAdapter.insert"));
        }
        self.notes.push(note);
        self.notes.sort_by_key(|note| note.number);
        Ok(())
    }

    fn view_list(&self, page: &mut Page<'_>) {
        page.place("Notes");
        page.heading("title", FOLDERS[self.folder]);
        page.row(|page| {
            page.button("add", "Add").enabled(self.notes.len() < MOST);
            page.field("search", "Search", &self.search);
        });
        if self.deleted.is_some() {
            page.row(|page| {
                page.label("deleted", "Deleted");
                page.button("undo", "Undo");
            });
        }
        let listed = self.listed();
        page.list("notes", 400, 44, listed.len(), |page, index| {
            let note = listed[index];
            let text = if self.previews { &note.body } else { &note.title };
            page.item(numbered("note-", note.number), text.as_str());
        });
    }

    fn view_note(&self, page: &mut Page<'_>, note: &Note) {
        page.place("Note");
        page.field("name", "Title", &note.title);
        page.field("body", "Text", &note.body);
        page.row(|page| {
            page.button("archive", "Archive");
            page.button("delete", "Delete");
            page.button("close", "Close");
        });
        if self.asking {
            page.dialog("sure", "Delete this note?", |page| {
                page.button("do-delete", "Delete");
                page.button("keep", "Keep");
            });
        }
    }

    fn click(&mut self, id: &str) {
        let number = |prefix| crate::number_of(id, prefix);
        if let Some(folder) = number("folder-").filter(|folder| (1..=3).contains(folder)) {
            self.folder = folder - 1;
            self.go(if self.folder == PRIVATE { At::Lock } else { At::List });
        } else if let Some(note) = number("note-") {
            self.go(At::Note(note as i64));
        } else if let Some(note) = number("restore-").and_then(|note| self.note(note as i64)) {
            note.archived = false;
        }
    }

    fn field(&mut self, id: &str) -> Option<&mut String> {
        match (self.at, id) {
            (At::List, "search") => Some(&mut self.search),
            (At::Lock, "password") => Some(&mut self.password),
            (At::Note(number), "name") => self.note(number).map(|note| &mut note.title),
            (At::Note(number), "body") => self.note(number).map(|note| &mut note.body),
            _ => None,
        }
    }
}

impl App for Notes {
    fn view(&self, page: &mut Page<'_>) {
        match self.at {
            At::Folders => {
                page.place("Folders");
                for (number, folder) in (1..).zip(FOLDERS) {
                    page.item(numbered("folder-", number), folder);
                }
                page.button("show-archive", "Archive");
                page.button("settings", "Settings");
            }
            At::Lock => {
                page.place("Lock");
                page.field("password", "Password", &self.password);
                page.button("unlock", "Open");
            }
            At::List => self.view_list(page),
            At::Note(number) => {
                let note = self.notes.iter().find(|note| note.number == number);
                note.into_iter().for_each(|note| self.view_note(page, note));
            }
            At::Archive => {
                page.place("Archive");
                for note in self.notes.iter().filter(|note| note.archived) {
                    page.item(numbered("restore-", note.number), note.title.as_str());
                }
            }
            At::Settings => {
                page.place("Settings");
                page.switch("newest-first", "Newest first", self.newest_first);
                page.switch("previews", "Texts, not titles", self.previews);
                page.switch("unnamed", "Notes without a title", self.unnamed);
            }
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match (self.at, input) {
            (_, Input::Click("show-archive")) => self.go(At::Archive),
            (_, Input::Click("settings")) => self.go(At::Settings),
            (At::Lock, Input::Click("unlock") | Input::Key("Enter")) if self.password == "1234" => {
                self.go(At::List);
            }
            (At::Lock, Input::Click("unlock")) => self.password.clear(),
            (At::List, Input::Click("add")) if self.notes.len() < MOST => {
                let number = self.add(self.folder, "");
                self.go(At::Note(number));
            }
            (At::List, Input::Click("undo")) => self.undo()?,
            (_, Input::Clear(id)) => self.field(id).into_iter().for_each(String::clear),
            (_, Input::Text { id, text }) => {
                self.field(id).into_iter().for_each(|field| crate::type_into(field, text));
            }
            (At::Note(number), Input::Click("archive")) => {
                self.note(number).into_iter().for_each(|note| note.archived = true);
                self.go(At::List);
            }
            (At::Note(_), Input::Click("delete")) => self.asking = true,
            (At::Note(_), Input::Click("keep")) => self.asking = false,
            (At::Note(_), Input::Back) if self.asking => self.asking = false,
            (At::Note(number), Input::Click("do-delete")) => self.delete(number),
            (At::Note(_), Input::Click("close") | Input::Back) => self.go(At::List),
            (_, Input::Click("newest-first")) => self.newest_first = !self.newest_first,
            (_, Input::Click("previews")) => self.previews = !self.previews,
            (_, Input::Click("unnamed")) => self.unnamed = !self.unnamed,
            (_, Input::Click(id)) => self.click(id),
            (At::Folders, Input::Back) => os.leave(),
            (_, Input::Back) => self.go(At::Folders),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::{Walk, crashes_unless_fixed};

    #[test]
    fn the_private_folder_wants_its_password() {
        let locked = Walk::on("notes").clicks("folder-3").types("password", "a").clicks("unlock");
        let open = locked.at("Lock").types("password", "1234").clicks("unlock");
        open.at("Notes").clicks("note-4").at("Note");
    }

    #[test]
    fn settings_search_and_archive_change_the_list() {
        let written =
            Walk::on("notes").clicks("folder-1 add").types("body", "test").clicks("close");
        let found = written.types("search", "test");
        assert_eq!((found.text("note-5"), found.text("note-1")), (Some(""), None));
        let hidden = found.back(1).clicks("settings unnamed").back(1).clicks("folder-1");
        assert_eq!((hidden.text("note-5"), hidden.text("note-1")), (None, Some("Shopping")));
        let archived = hidden.clicks("note-1 archive").back(1).clicks("show-archive");
        let restored = archived.at("Archive").clicks("restore-1").back(1).clicks("folder-1");
        assert_eq!(restored.text("note-1"), Some("Shopping"));
    }

    #[test]
    fn a_deletion_is_taken_back_where_the_search_hides_the_rest() {
        crashes_unless_fixed("notes", "Notes", |walk| {
            let locked = walk.clicks("settings previews").back(1).clicks("folder-3");
            let open = locked.types("password", "1234").clicks("unlock").at("Notes");
            let deleted = open.clicks("add delete do-delete").at("Notes");
            deleted.types("search", "test").clicks("undo")
        });
    }
}
