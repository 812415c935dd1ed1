//! WordPad, after "Automated Test Oracles for GUIs" (Memon, Pollack and Soffa, 2000): menus, 36
//! modal windows, a tree of directories, documents made of pieces of text.
//!
//! It is the app of a model: `examples/wordpad` has the model and the mapping, which does for the
//! web page `web/wordpad` as well. Faults are seeded one at a time, by name: [`MUTANTS`]. A
//! document is a set of pieces, as in the paper; each of them has a line of its own.

mod model;
mod mutants;
mod table;
mod view;

pub use model::{figure_3, objects, problem, settings};
pub use mutants::{Level, MUTANTS, Mutant};

use capuchin_sim::{App, Input, Os, Page, SimDevice};
use capuchin_ui::{Crash, Device, Size, Str};
use table::{Action, Table};

/// A document that is stored: where, and which pieces are in it.
#[derive(Clone, Debug, Default)]
struct Stored {
    directory: Option<usize>,
    pieces: Vec<bool>,
}

/// What no fact of the model is about; only a fault changes it.
#[derive(Clone, Copy, Debug, Default)]
struct Unspecified {
    status_is_coloured: bool,
    buttons_moved_by: i32,
    more_pages: usize,
    help_is_disabled: bool,
    document_is_coloured: bool,
}

/// The app.
#[derive(Clone, Debug)]
pub struct WordPad {
    table: &'static Table,
    /// The fault that is seeded, or nothing.
    mutant: &'static str,
    menu: Option<usize>,
    /// The windows that are open, each on top of the one before.
    windows: Vec<usize>,
    /// By control: what is ticked or picked, and what was kept by OK.
    drafts: Vec<bool>,
    settings: Vec<bool>,
    bars: Vec<bool>,
    /// By piece.
    on_screen: Vec<bool>,
    selected: Vec<bool>,
    clipboard: Vec<bool>,
    has_clipboard: bool,
    fonts: Vec<[usize; 3]>,
    current_font: [usize; 3],
    /// By name.
    files: Vec<Stored>,
    current_file: Option<usize>,
    directory: usize,
    selected_file: Option<usize>,
    file_name: String,
    find_what: String,
    unspecified: Unspecified,
}

/// Opens it by name: `wordpad`, or `wordpad-` and the name of a fault.
pub(crate) fn open(name: &str, size: Size) -> Option<Box<dyn Device>> {
    let mutant = match name.strip_prefix("wordpad")? {
        "" => None,
        fault => Some(MUTANTS.iter().find(|it| fault.strip_prefix('-') == Some(it.name))?),
    };
    let app = WordPad::new(mutant);
    Some(Box::new(SimDevice::new(format!("sim:{name}"), app).viewport(size)))
}

impl WordPad {
    /// The app, with one of the [`MUTANTS`] or correct.
    pub fn new(mutant: Option<&Mutant>) -> Self {
        let table = Table::get();
        let set: Vec<bool> = table.controls.iter().map(|control| control.is_set).collect();
        let no_piece = vec![false; table.pieces.len()];
        let font = table.fonts.each_ref().map(|of| of.first().copied().unwrap_or_default());
        let empty = Stored { directory: None, pieces: no_piece.clone() };
        let mut files = vec![empty; table.files.len()];
        for (name, directory, pieces) in &table.stored {
            files[*name].directory = Some(*directory);
            files[*name].pieces[..*pieces].fill(true);
        }
        WordPad {
            table,
            mutant: mutant.map_or("", |mutant| mutant.name),
            menu: None,
            windows: Vec::new(),
            drafts: set.clone(),
            settings: set,
            bars: vec![true; table.bars.len()],
            on_screen: no_piece.clone(),
            selected: no_piece.clone(),
            clipboard: no_piece.clone(),
            has_clipboard: false,
            fonts: vec![font; no_piece.len()],
            current_font: font,
            files,
            current_file: None,
            directory: 0,
            selected_file: None,
            file_name: String::new(),
            find_what: String::new(),
            unspecified: Unspecified::default(),
        }
    }

    fn has(&self, fault: &str) -> bool {
        self.mutant == fault
    }

    fn top(&self) -> Option<usize> {
        self.windows.last().copied()
    }

    fn has_selection(&self) -> bool {
        self.selected.contains(&true)
    }

    /// The name in the window Save As, if a file can have it.
    fn name(&self) -> Option<usize> {
        self.table.files.iter().position(|file| file.text == self.file_name)
    }

    fn click(&mut self, id: &str) {
        let table = self.table;
        if let Some(menu) = table.menus.iter().position(|menu| menu.name.id == id) {
            self.menu = if self.menu == Some(menu) { None } else { Some(menu) };
        } else if let Some(menu) = self.menu {
            let command = table.menus[menu].commands.iter().find(|(name, _)| name.id == id);
            if let Some((_, action)) = command {
                self.menu = None;
                self.command(*action);
            }
        } else if let Some(window) = self.top() {
            self.click_in(window, id);
        } else if let Some(piece) = table.pieces.iter().position(|piece| piece.id == id) {
            let is_selected = !self.selected[piece];
            if is_selected && self.has("select-deselects-others") {
                self.selected.fill(false);
            }
            self.selected[piece] = is_selected;
        }
    }

    fn command(&mut self, action: Action) {
        match action {
            Action::Open(window) => self.windows.push(window),
            Action::Toggle(bar) => self.toggle(bar),
            Action::Save => {
                if let Some(file) = self.current_file {
                    self.files[file].pieces.clone_from(&self.on_screen);
                    if self.has("save-deselects") {
                        self.selected.fill(false);
                    }
                    self.unspecified.help_is_disabled |= self.has("save-disables-help");
                }
            }
            Action::Cut => {
                self.copy();
                if !self.has("cut-keeps-text") {
                    self.clear();
                }
                self.selected.fill(false);
                self.unspecified.status_is_coloured |= self.has("cut-colours-status");
            }
            Action::Copy => {
                self.copy();
                if self.has("copy-cuts") {
                    self.clear();
                }
            }
            Action::Paste => self.paste(),
            Action::Clear => {
                self.clear();
                self.selected.fill(false);
            }
            Action::SelectAll => {
                self.selected.clone_from(&self.on_screen);
                let first = self.on_screen.iter().position(|is| *is);
                if let Some(first) = first.filter(|_| self.has("select-all-misses-one")) {
                    self.selected[first] = false;
                }
                self.unspecified.document_is_coloured |= self.has("select-all-colours-document");
            }
        }
    }

    fn toggle(&mut self, bar: usize) {
        if self.bars[bar] && self.has("hide-does-nothing") {
            return;
        }
        self.bars[bar] = !self.bars[bar];
        if bar == 2 && !self.bars[bar] && self.has("hide-ruler-hides-status") {
            self.bars[3] = false;
        }
    }

    fn copy(&mut self) {
        self.clipboard.clone_from(&self.selected);
        self.has_clipboard = true;
    }

    fn clear(&mut self) {
        for (shown, selected) in self.on_screen.iter_mut().zip(&self.selected) {
            *shown &= !selected;
        }
    }

    fn paste(&mut self) {
        let last = self.clipboard.iter().rposition(|is| *is);
        for piece in 0..self.clipboard.len() {
            let is_lost = Some(piece) == last && self.has("paste-loses-last");
            self.on_screen[piece] |= self.clipboard[piece] && !is_lost;
        }
        if self.has("paste-changes-font") {
            self.fonts.fill(self.current_font);
        }
    }

    fn click_in(&mut self, window: usize, id: &str) {
        let table = self.table;
        let row = &table.windows[window];
        let is_files = matches!(row.name.text.as_str(), "Open" | "Save As");
        if row.ok.id == id {
            self.confirm(window);
        } else if row.cancel.id == id {
            self.dismiss(window);
        } else if let Some((inner, _)) = row.nested.iter().find(|(_, name)| name.id == id) {
            self.windows.push(*inner);
        } else if let Some(control) =
            row.controls.iter().find(|control| table.controls[**control].name.id == id)
        {
            self.set(*control);
        } else if row.name.text == "Find" && id == "find-next" {
            self.find();
        } else if is_files && id == "up" {
            let parent = table.directories[self.directory].1;
            let parent = if self.has("up-goes-to-root") { parent.map(|_| 0) } else { parent };
            self.enter(parent.unwrap_or(self.directory));
        } else if let Some(directory) =
            table.directories.iter().position(|(name, _)| is_files && name.id == id)
        {
            self.enter(directory);
        } else if let Some(file) = table.files.iter().position(|name| is_files && name.id == id) {
            self.selected_file = Some(file);
            if row.name.text == "Save As" {
                self.file_name = table.files[file].text.to_string();
            }
        }
    }

    fn enter(&mut self, directory: usize) {
        self.directory = directory;
        self.selected_file = None;
    }

    /// Ticks or picks a control of the window on top.
    fn set(&mut self, control: usize) {
        let controls = &self.table.controls;
        match controls[control].group {
            None => {
                self.drafts[control] = !self.drafts[control];
                let next = control + 1;
                let is_option = controls.get(next).is_some_and(|it| it.group.is_none());
                if is_option && self.drafts[control] && self.has("tick-ticks-next") {
                    self.drafts[next] = !self.drafts[next];
                }
                if self.has("tick-moves-buttons") {
                    self.unspecified.buttons_moved_by = 8;
                }
            }
            group => {
                let keeps_old = self.has("pick-keeps-old");
                for (draft, other) in self.drafts.iter_mut().zip(controls) {
                    *draft &= keeps_old || other.group != group;
                }
                self.drafts[control] = true;
            }
        }
    }

    fn find(&mut self) {
        let shown = |piece: &usize| self.on_screen[*piece];
        let found = self.table.pieces.iter().position(|piece| piece.text == self.find_what);
        let Some(found) = found.filter(shown) else { return };
        let first = (0..self.on_screen.len()).find(shown);
        self.selected.fill(false);
        let found = if self.has("find-selects-first") { first.unwrap_or(found) } else { found };
        self.selected[found] = true;
    }

    /// OK, or whatever the first button of the window says.
    fn confirm(&mut self, window: usize) {
        let row = &self.table.windows[window];
        match row.name.text.as_str() {
            "Open" => return self.open_file(),
            "Save As" => return self.save_as(),
            "Replace File" => {
                self.windows.pop();
                if let Some(file) = self.name() {
                    self.save_to(file);
                }
                return;
            }
            "New" => {
                if !self.has("new-keeps-text") {
                    self.on_screen.fill(false);
                }
                self.selected.fill(false);
                self.current_file = None;
                if self.has("new-empties-clipboard") {
                    self.clipboard.fill(false);
                }
            }
            "Font" => self.set_font(),
            _ => {}
        }
        for control in &row.controls {
            let inserted = self.table.controls[*control].inserts;
            if let Some(piece) = inserted.filter(|_| self.drafts[*control]) {
                self.on_screen[piece] = true;
                self.fonts[piece] = self.current_font;
            }
            match self.has("ok-forgets-drafts") {
                false => self.settings[*control] = self.drafts[*control],
                true => self.drafts[*control] = self.settings[*control],
            }
        }
        self.windows.pop();
    }

    fn dismiss(&mut self, window: usize) {
        let row = &self.table.windows[window];
        for control in &row.controls {
            match self.has("cancel-keeps-drafts") {
                false => self.drafts[*control] = self.settings[*control],
                true => self.settings[*control] = self.drafts[*control],
            }
        }
        self.windows.pop();
        match (row.name.text.as_str(), self.name()) {
            ("Replace File", Some(file)) if self.has("no-replaces") => {
                self.files[file].pieces.clone_from(&self.on_screen);
            }
            ("Open" | "Save As", _) => self.forget_choice(),
            _ => {}
        }
    }

    fn forget_choice(&mut self) {
        self.selected_file = None;
        self.file_name.clear();
    }

    fn set_font(&mut self) {
        let mut font = self.current_font;
        for (part, of) in font.iter_mut().zip(&self.table.fonts) {
            *part = of.iter().copied().find(|control| self.drafts[*control]).unwrap_or(*part);
        }
        if self.has("font-forgets-size") {
            font[2] = self.current_font[2];
        }
        self.current_font = font;
        for piece in 0..self.fonts.len() {
            if self.selected[piece] {
                self.fonts[piece] = font;
            }
        }
    }

    fn open_file(&mut self) {
        let Some(file) = self.selected_file else { return };
        if !self.has("open-keeps-old-text") {
            self.on_screen.fill(false);
        }
        for (shown, stored) in self.on_screen.iter_mut().zip(&self.files[file].pieces) {
            *shown |= stored;
        }
        self.selected.fill(false);
        self.current_file = Some(file);
        self.unspecified.more_pages = usize::from(self.has("open-counts-pages"));
        self.windows.pop();
        self.forget_choice();
    }

    /// Asks if the file is there; a name that is used in another directory is refused.
    fn save_as(&mut self) {
        let Some(file) = self.name() else { return };
        match self.files[file].directory {
            None => self.save_to(file),
            Some(directory) if directory == self.directory => {
                self.windows.extend(self.table.window("Replace File"));
            }
            Some(_) => {}
        }
    }

    /// Saves to a file of the current directory, and closes the window Save As.
    fn save_to(&mut self, file: usize) {
        let pieces = self.on_screen.clone();
        self.files[file] = Stored { directory: Some(self.directory), pieces };
        if !self.has("save-as-keeps-title") {
            self.current_file = Some(file);
        }
        self.windows.pop();
        self.forget_choice();
    }

    fn field(&mut self, id: &str) -> Option<&mut String> {
        let title = self.table.windows[self.top()?].name.text.as_str();
        match (title, id) {
            ("Save As", "file-name") => Some(&mut self.file_name),
            ("Find", "find-what") => Some(&mut self.find_what),
            _ => None,
        }
    }
}

impl App for WordPad {
    fn view(&self, page: &mut Page<'_>) {
        self.draw(page);
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Click(id) => self.click(id),
            Input::Clear(id) | Input::Text { id, .. } => {
                if id == "file-name" {
                    self.selected_file = None;
                }
                if let Some(field) = self.field(id) {
                    match input {
                        Input::Text { text, .. } => crate::type_into(field, text),
                        _ => field.clear(),
                    }
                }
            }
            Input::Back => os.leave(),
            _ => {}
        }
        Ok(())
    }
}

/// `Times Normal 12pt`.
fn font_text(table: &Table, font: [usize; 3]) -> Str {
    let [font, style, size] = font.map(|control| &table.controls[control].name.text);
    format!("{font} {style} {size}").into()
}
