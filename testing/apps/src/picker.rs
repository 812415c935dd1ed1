//! A file store after Nextcloud, issue #448: a login, files, and a picker for the folder to move
//! to.
//!
//! What is wrong with it: a turn of the device in the folder picker crashes.

use capuchin_sim::{App, Input, Os, Page, numbered};
use capuchin_ui::Crash;

const FOLDERS: [&str; 4] = ["Documents", "Music", "Photos", "Talk"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Login,
    Files,
    /// The menu of what can be done to the file, in front of the files.
    Actions,
    /// The picker, to move the file or to copy it.
    Picker {
        moves: bool,
    },
}

/// The file store.
#[derive(Clone, Debug)]
pub struct Picker {
    bugs: bool,
    at: At,
    username: String,
    password: String,
    message: &'static str,
    /// The folder that is open, and the one that the file is in; 0 is the top.
    folder: usize,
    home: usize,
    exists: bool,
}

impl Picker {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Picker {
            bugs,
            at: At::Login,
            username: String::new(),
            password: String::new(),
            message: "",
            folder: 0,
            home: 0,
            exists: true,
        }
    }

    fn view_files(&self, page: &mut Page<'_>) {
        page.place("FileDisplayActivity");
        let title = self.folder.checked_sub(1).map_or("All files", |index| FOLDERS[index]);
        page.heading("title", title);
        page.label("message", self.message);
        if self.folder == 0 {
            for (index, name) in FOLDERS.iter().enumerate() {
                page.item(numbered("folder-", index as i64 + 1), *name);
            }
        }
        if self.exists && self.folder == self.home {
            page.item("linearlayout", "Readme.md").long_clickable();
        }
    }

    fn log_in(&mut self) {
        if self.username == "test" && self.password == "1234" {
            self.at = At::Files;
            self.message = "";
        } else {
            self.message = "Wrong username or password";
        }
    }
}

impl App for Picker {
    fn view(&self, page: &mut Page<'_>) {
        match self.at {
            At::Login => {
                page.place("AuthenticatorActivity");
                page.heading("title", "Log in");
                page.field("username", "Username", &self.username);
                page.field("password", "Password", &self.password);
                page.button("login", "Log in");
                page.label("message", self.message);
            }
            At::Files => self.view_files(page),
            At::Actions => {
                self.view_files(page);
                page.dialog("actions", "Readme.md", |page| {
                    page.command("move", "Move");
                    page.command("copy", "Copy");
                    page.command("delete", "Delete");
                    page.command("details", "Details");
                    page.command("close", "Close");
                });
            }
            At::Picker { moves } => {
                page.place("FolderPickerActivity");
                page.heading("title", if moves { "Move to" } else { "Copy to" });
                for (index, name) in FOLDERS.iter().enumerate() {
                    page.item(numbered("target-", index as i64 + 1), *name);
                }
                page.row(|page| {
                    page.button("cancel", "Cancel");
                });
            }
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match (self.at, input) {
            (_, Input::Clear("username")) => self.username.clear(),
            (_, Input::Clear("password")) => self.password.clear(),
            (_, Input::Text { id: "username", text }) => {
                crate::type_into(&mut self.username, text);
            }
            (_, Input::Text { id: "password", text }) => {
                crate::type_into(&mut self.password, text);
            }
            (_, Input::Click("login")) => self.log_in(),
            (_, Input::LongClick("linearlayout")) => self.at = At::Actions,
            (_, Input::Click("move")) => self.at = At::Picker { moves: true },
            (_, Input::Click("copy")) => self.at = At::Picker { moves: false },
            (_, Input::Click("delete")) => {
                self.exists = false;
                self.at = At::Files;
            }
            (_, Input::Click("details")) => {
                self.message = "Readme.md, 3 kB";
                self.at = At::Files;
            }
            (_, Input::Click("close" | "cancel"))
            | (At::Actions | At::Picker { .. }, Input::Back) => self.at = At::Files,
            (At::Files, Input::Click(id)) => {
                self.folder = number(id, "folder-").unwrap_or(self.folder);
            }
            (At::Picker { moves }, Input::Click(id)) => {
                if let Some(target) = number(id, "target-") {
                    self.home = if moves { target } else { self.home };
                    self.at = At::Files;
                }
            }
            (At::Picker { .. }, Input::Rotate(_)) if self.bugs => {
                return Err(Crash::new(
                    "java.lang.NullPointerException: Attempt to invoke a virtual method on a null \
                     OCFileListFragment",
                )
                .at("FolderPickerActivity.onResume"));
            }
            (At::Files, Input::Back) if self.folder > 0 => self.folder = 0,
            (_, Input::Back) => os.leave(),
            _ => {}
        }
        Ok(())
    }
}

fn number(id: &str, prefix: &str) -> Option<usize> {
    let number = id.strip_prefix(prefix)?.parse().ok()?;
    (1..=FOLDERS.len()).contains(&number).then_some(number)
}
