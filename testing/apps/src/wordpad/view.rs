//! How WordPad draws itself.
//!
//! On its own because the web page draws the same elements: ids, roles, texts and states agree, and
//! what an action moves or hides leaves the place of everything else as it is.

use super::table::{Action, Menu, Named, Table, Window};
use super::{WordPad, font_text};
use capuchin_sim::Page;
use capuchin_ui::{Rect, Role, Size, State, Str};

/// The height of a line of the document, and of a bar.
const LINE: i32 = 22;
/// The space that a page leaves between two widgets.
const GAP: i32 = 4;
/// The lower edge of the bar of menus.
const MENUS: i32 = 76;

impl WordPad {
    pub(super) fn draw(&self, page: &mut Page<'_>) {
        let table = self.table;
        page.place("WordPad");
        let title = self.current_file.map_or("Document", |file| &table.files[file].text);
        page.heading("title", title);
        page.row(|page| {
            for menu in &table.menus {
                page.button(menu.name.id.clone(), menu.name.text.clone()).size(64, 36);
            }
        });
        self.bar(page, 0, "buttons", "New Open Save Print Find".into());
        self.bar(page, 1, "current-font", font_text(table, self.current_font));
        self.bar(page, 2, "scale", "0 1 2 3 4 5 6".into());
        self.draw_document(page);
        self.bar(page, 3, "status", "For Help, press F1".into());
        page.row(|page| {
            let pages = match self.unspecified.more_pages {
                0 => "1 page",
                _ => "2 pages",
            };
            page.label("pages", pages);
            page.button("help", "Help").enabled(!self.unspecified.help_is_disabled);
        });
        if let Some(menu) = self.menu {
            self.draw_menu(page, &table.menus[menu], menu);
        }
        for window in &self.windows {
            self.draw_window(page, &table.windows[*window]);
        }
    }

    fn bar(&self, page: &mut Page<'_>, bar: usize, id: &'static str, text: Str) {
        if !self.bars[bar] {
            return page.space(LINE + GAP);
        }
        let name = &self.table.bars[bar];
        page.named_group(name.id.clone(), name.text.clone(), |page| {
            let label = page.label(id, text).size(0, LINE);
            if id == "status" && self.unspecified.status_is_coloured {
                label.classes("alert");
            }
        });
    }

    fn draw_document(&self, page: &mut Page<'_>) {
        let pieces = &self.table.pieces;
        let height = LINE * pieces.len() as i32;
        page.row(|page| {
            page.column(130, |page| {
                let class = match self.unspecified.document_is_coloured {
                    true => "dark",
                    false => "light",
                };
                let paper = page.add(Role::Group, Size::new(0, height), State::empty());
                let Rect { x, y, width, .. } = paper.bounds();
                paper.at(x, y, width, height).id("paper").classes(class);
                page.list("document", height, LINE, pieces.len(), |page, number| {
                    if self.on_screen[number] {
                        page.item(pieces[number].id.clone(), pieces[number].text.clone())
                            .size(0, LINE)
                            .selected(self.selected[number]);
                    }
                });
            });
            page.column(0, |page| {
                page.group("fonts", |page| {
                    for (number, piece) in pieces.iter().enumerate() {
                        let text = || font_text(self.table, self.fonts[number]);
                        line(page, self.on_screen[number], "font-", piece, LINE, || {
                            format!("{}: {}", piece.text, text()).into()
                        });
                    }
                });
            });
        });
    }

    fn draw_menu(&self, page: &mut Page<'_>, menu: &Menu, number: usize) {
        let left = (4 + 68 * number as i32).min(page.viewport().width - 204);
        let bounds = Rect::new(left, MENUS, 200, 36 * menu.commands.len() as i32);
        page.menu(menu.popup.clone(), menu.name.text.clone(), bounds, |page| {
            for (name, action) in &menu.commands {
                page.command(name.id.clone(), name.text.clone())
                    .size(0, 32)
                    .enabled(self.can(*action));
            }
        });
    }

    fn can(&self, action: Action) -> bool {
        match action {
            Action::Cut | Action::Copy | Action::Clear => self.has_selection(),
            Action::Paste => self.has_clipboard,
            Action::Save => self.current_file.is_some(),
            Action::Open(_) | Action::Toggle(_) | Action::SelectAll => true,
        }
    }

    fn draw_window(&self, page: &mut Page<'_>, window: &Window) {
        let Size { width, height } = page.viewport();
        let bounds = Rect::new(10, 40, width - 20, height - 80);
        let title = window.name.text.as_str();
        page.window(window.name.id.clone(), window.name.text.clone(), bounds, |page| {
            if matches!(title, "Open" | "Save As") {
                self.draw_files(page, title);
            }
            if title == "Find" {
                page.field("find-what", "Find what", self.find_what.as_str()).text("Find what");
                page.button("find-next", "Find Next");
            }
            if title == "Replace File" {
                page.label("question", "There is such a file. Replace it?");
            }
            self.draw_controls(page, self.table, window);
            page.row(|page| {
                let is_enabled = match title {
                    "Open" => self.selected_file.is_some(),
                    "Save As" => self.name().is_some(),
                    _ => true,
                };
                page.space(self.unspecified.buttons_moved_by);
                page.button(window.ok.id.clone(), window.ok.text.clone()).enabled(is_enabled);
                if !window.cancel.text.is_empty() {
                    page.button(window.cancel.id.clone(), window.cancel.text.clone());
                }
            });
        });
    }

    fn draw_controls(&self, page: &mut Page<'_>, table: &Table, window: &Window) {
        page.row(|page| {
            for number in &window.controls {
                let control = &table.controls[*number];
                let role = if control.group.is_some() { Role::Radio } else { Role::Checkbox };
                let mut takes = State::CLICKABLE | State::CHECKABLE;
                takes.set(State::CHECKED, self.drafts[*number]);
                page.add(role, Size::new(160, 32), takes)
                    .id(control.name.id.clone())
                    .text(control.name.text.clone());
            }
            for (_, name) in &window.nested {
                page.button(name.id.clone(), name.text.clone()).size(160, 32);
            }
        });
    }

    fn draw_files(&self, page: &mut Page<'_>, title: &str) {
        let table = self.table;
        page.row(|page| {
            page.label("directory", table.directories[self.directory].0.text.clone());
            page.button("up", "Up").enabled(table.directories[self.directory].1.is_some());
        });
        let inner = table.directories.iter().filter(|(_, parent)| *parent == Some(self.directory));
        let inner = inner.map(|(name, _)| (name, false));
        let files = (0..table.files.len())
            .filter(|file| self.files[*file].directory == Some(self.directory))
            .map(|file| (&table.files[file], self.selected_file == Some(file)));
        let rows: Vec<_> = inner.chain(files).collect();
        page.list("entries", 132, 26, rows.len(), |page, row| {
            let (name, is_selected) = rows[row];
            page.item(name.id.clone(), name.text.clone()).size(0, 26).selected(is_selected);
        });
        if title == "Save As" {
            page.field("file-name", "File name", self.file_name.as_str()).text("File name");
        }
        let selected = self.selected_file.map(|file| &self.files[file].pieces);
        page.group("preview", |page| {
            for (number, piece) in table.pieces.iter().enumerate() {
                let is_in = selected.is_some_and(|pieces| pieces[number]);
                line(page, is_in, "preview-", piece, 18, || piece.text.clone());
            }
        });
    }
}

/// A line that a piece of text has for its own, whether it is there or not.
fn line(
    page: &mut Page<'_>,
    is_there: bool,
    prefix: &str,
    piece: &Named,
    height: i32,
    text: impl FnOnce() -> Str,
) {
    match is_there {
        true => {
            page.label(format!("{prefix}{}", piece.id), text()).size(0, height - GAP);
        }
        false => page.space(height),
    }
}
