//! An editor of two files, for oracles that know what should happen.
//!
//! What is hard about it: nothing crashes. What is wrong with it can only be seen by somebody who
//! knows what an action does: to cancel the dialog for opening a file opens one all the same.

use capuchin_sim::{App, Input, Os, Page};
use capuchin_ui::Crash;

/// What is wrong with it. Each is a kind of mistake that an oracle sees or does not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An effect too many: to cancel the dialog opens the other file.
    CancelOpens,
    /// An effect is missing: cut leaves the text where it is.
    CutLeavesText,
    /// A wrong value: what is opened is not what was chosen.
    OpensOther,
    /// Something that no model mentions changes: paste renames a button.
    PasteRenamesButton,
}

/// The files, and what is in them at first.
const FILES: [(&str, &str); 2] = [("Letter", "Dear all"), ("List", "Milk")];

/// The editor.
#[derive(Clone, Debug)]
pub struct Editor {
    fault: Option<Fault>,
    texts: [String; 2],
    current: usize,
    clipboard: String,
    is_opening: bool,
    is_menu_open: bool,
    is_renamed: bool,
}

impl Editor {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Editor::with(bugs.then_some(Fault::CancelOpens))
    }

    /// The app with this fault.
    pub fn with(fault: Option<Fault>) -> Self {
        Editor {
            fault,
            texts: FILES.map(|(_, text)| text.to_owned()),
            current: 0,
            clipboard: String::new(),
            is_opening: false,
            is_menu_open: false,
            is_renamed: false,
        }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn open(&mut self, file: usize) {
        self.is_opening = false;
        self.current = if self.has(Fault::OpensOther) && file == 1 { 0 } else { file };
    }

    fn cut(&mut self) {
        self.is_menu_open = false;
        self.clipboard.clone_from(&self.texts[self.current]);
        if !self.has(Fault::CutLeavesText) {
            self.texts[self.current].clear();
        }
    }

    fn paste(&mut self) {
        self.is_menu_open = false;
        self.texts[self.current].clone_from(&self.clipboard);
        self.is_renamed |= self.has(Fault::PasteRenamesButton);
    }
}

impl App for Editor {
    fn view(&self, page: &mut Page<'_>) {
        page.place("editor");
        page.heading("title", FILES[self.current].0);
        page.row(|page| {
            page.button("open", if self.is_renamed { "Open file" } else { "Open" }).size(80, 32);
            page.button("edit", "Edit").size(80, 32);
        });
        if self.is_menu_open {
            let text = &self.texts[self.current];
            page.command("cut", "Cut").enabled(!text.is_empty());
            page.command("paste", "Paste").enabled(!self.clipboard.is_empty() && text.is_empty());
        }
        page.label("text", self.texts[self.current].as_str());
        if self.is_opening {
            page.dialog("files", "Open a file", |page| {
                for (index, (name, _)) in FILES.iter().enumerate() {
                    page.item(format!("file-{index}"), *name);
                }
                page.button("cancel", "Cancel");
            });
        }
    }

    fn handle(&mut self, input: Input<'_>, _: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Click("open") => (self.is_opening, self.is_menu_open) = (true, false),
            Input::Click("edit") => self.is_menu_open = !self.is_menu_open,
            Input::Click("cut") => self.cut(),
            Input::Click("paste") => self.paste(),
            Input::Click("file-0") => self.open(0),
            Input::Click("file-1") => self.open(1),
            Input::Click("cancel") => {
                self.is_opening = false;
                if self.has(Fault::CancelOpens) {
                    self.current = 1 - self.current;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
