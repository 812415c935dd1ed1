//! The menus, windows and texts of WordPad, from the table that the web page reads as well.
//!
//! On its own because everything else is written for any such table: the app draws what is in it,
//! and the model of the app is printed from it.

use capuchin_ui::Str;
use serde::Deserialize;
use std::sync::OnceLock;

/// The file, as it is on disk.
const FILE: &str = include_str!("../../web/wordpad/wordpad.json");

#[derive(Debug, Deserialize)]
struct Rows {
    pieces: Vec<String>,
    fonts: Vec<String>,
    styles: Vec<String>,
    sizes: Vec<String>,
    directories: Vec<(String, String)>,
    files: Vec<(String, String, usize)>,
    names: Vec<String>,
    bars: Vec<String>,
    menus: Vec<(String, Vec<String>)>,
    windows: Vec<WindowRow>,
}

#[derive(Debug, Deserialize)]
struct WindowRow {
    title: String,
    ok: String,
    #[serde(default = "cancel")]
    cancel: String,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    groups: Vec<Vec<String>>,
    #[serde(default)]
    nested: Vec<String>,
    #[serde(default)]
    inserts: bool,
}

fn cancel() -> String {
    "Cancel".to_owned()
}

/// Something with a name: what a screen says, and what its id and the model call it.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) text: Str,
    pub(crate) id: Str,
}

/// A setting in a window: an option, or one choice of a group.
#[derive(Clone, Debug)]
pub(crate) struct Control {
    pub(crate) name: Named,
    pub(crate) window: usize,
    /// The number of its group, over all windows; an option has none.
    pub(crate) group: Option<usize>,
    /// Whether it is set at first.
    pub(crate) is_set: bool,
    /// The piece that it inserts.
    pub(crate) inserts: Option<usize>,
}

/// A modal window.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    pub(crate) name: Named,
    pub(crate) ok: Named,
    /// Without a text if there is none.
    pub(crate) cancel: Named,
    pub(crate) controls: Vec<usize>,
    /// The windows that its buttons open, with the buttons.
    pub(crate) nested: Vec<(usize, Named)>,
}

/// What a command of a menu does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Open(usize),
    Toggle(usize),
    Save,
    Cut,
    Copy,
    Paste,
    Clear,
    SelectAll,
}

/// A menu and its commands.
#[derive(Clone, Debug)]
pub(crate) struct Menu {
    pub(crate) name: Named,
    pub(crate) popup: Str,
    pub(crate) commands: Vec<(Named, Action)>,
}

/// All of it.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) pieces: Vec<Named>,
    /// Fonts, styles and sizes, each as the controls of the window Font.
    pub(crate) fonts: [Vec<usize>; 3],
    /// Directories, each with its parent.
    pub(crate) directories: Vec<(Named, Option<usize>)>,
    /// What a file can be called.
    pub(crate) files: Vec<Named>,
    /// The files that are there at first: name, directory, how many of the pieces are in it.
    pub(crate) stored: Vec<(usize, usize, usize)>,
    pub(crate) bars: Vec<Named>,
    pub(crate) menus: Vec<Menu>,
    pub(crate) windows: Vec<Window>,
    pub(crate) controls: Vec<Control>,
    pub(crate) groups: usize,
}

/// What ids and models make of a text: `Print to file` is `print-to-file`.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    for letter in text.chars() {
        match letter.is_ascii_alphanumeric() {
            true => slug.push(letter.to_ascii_lowercase()),
            false if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            false => {}
        }
    }
    slug.trim_end_matches('-').to_owned()
}

fn named(prefix: &str, text: &str) -> Named {
    Named { text: text.into(), id: format!("{prefix}{}", slug(text)).into() }
}

impl Table {
    /// The table.
    pub(crate) fn get() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| Table::new(&read()))
    }

    fn new(rows: &Rows) -> Table {
        let mut pieces: Vec<Named> = rows.pieces.iter().map(|text| named("t-", text)).collect();
        let (mut controls, mut groups) = (Vec::new(), 0);
        for (window, row) in rows.windows.iter().enumerate() {
            for option in &row.options {
                controls.push(control(option, "o-", window, None));
            }
            for group in &row.groups {
                for choice in group {
                    let mut control = control(choice, "c-", window, Some(groups));
                    if row.inserts {
                        control.inserts = Some(pieces.len());
                        pieces.push(named("t-", &control.name.text));
                    }
                    controls.push(control);
                }
                groups += 1;
            }
        }
        let of = |texts: &[String]| texts.iter().filter_map(|text| find(&controls, text)).collect();
        let fonts = [of(&rows.fonts), of(&rows.styles), of(&rows.sizes)];
        let directory =
            |name: &String| rows.directories.iter().position(|(known, _)| known == name);
        let name = |name: &String| rows.names.iter().position(|known| known == name);
        Table {
            pieces,
            fonts,
            directories: rows
                .directories
                .iter()
                .map(|(name, parent)| (named("d-", name), directory(parent)))
                .collect(),
            files: rows.names.iter().map(|name| named("f-", name)).collect(),
            stored: rows
                .files
                .iter()
                .filter_map(|(file, place, size)| Some((name(file)?, directory(place)?, *size)))
                .collect(),
            bars: rows.bars.iter().map(|text| named("b-", text)).collect(),
            menus: rows.menus.iter().map(|row| menu(rows, row)).collect(),
            windows: (0..).zip(&rows.windows).map(|row| window(rows, row, &controls)).collect(),
            controls,
            groups,
        }
    }

    /// The window with this title.
    pub(crate) fn window(&self, title: &str) -> Option<usize> {
        self.windows.iter().position(|window| window.name.text == title)
    }
}

/// The file belongs to the program: one that cannot be read is a mistake in it, which every test of
/// the app shows.
fn read() -> Rows {
    serde_json::from_str(FILE).unwrap_or_else(|error| panic!("wordpad.json: {error}"))
}

fn find(controls: &[Control], text: &str) -> Option<usize> {
    controls.iter().position(|control| control.name.text == text)
}

/// A text with a star before it is set at first.
fn control(text: &str, prefix: &str, window: usize, group: Option<usize>) -> Control {
    let plain = text.strip_prefix('*');
    let name = named(prefix, plain.unwrap_or(text));
    Control { name, window, group, is_set: plain.is_some(), inserts: None }
}

fn menu(rows: &Rows, (text, commands): &(String, Vec<String>)) -> Menu {
    let name = named("m-", text);
    let action = |command: &String| {
        let bar = rows.bars.iter().position(|bar| bar == command);
        let opens = rows.windows.iter().position(|window| window.title == *command);
        Some(match (command.as_str(), bar, opens) {
            (_, Some(bar), _) => Action::Toggle(bar),
            (_, _, Some(window)) => Action::Open(window),
            ("Save", ..) => Action::Save,
            ("Cut", ..) => Action::Cut,
            ("Copy", ..) => Action::Copy,
            ("Paste", ..) => Action::Paste,
            ("Clear", ..) => Action::Clear,
            ("Select All", ..) => Action::SelectAll,
            _ => return None,
        })
    };
    let commands =
        commands.iter().filter_map(|text| Some((named("k-", text), action(text)?))).collect();
    Menu { popup: format!("popup-{}", name.id).into(), name, commands }
}

fn window(rows: &Rows, (number, row): (usize, &WindowRow), controls: &[Control]) -> Window {
    let name = named("w-", &row.title);
    let button = |text: &str, which: &str| Named {
        text: text.into(),
        id: format!("{}-{which}", name.id).into(),
    };
    let nested = row.nested.iter().filter_map(|title| {
        let inner = rows.windows.iter().position(|window| window.title == *title)?;
        Some((inner, named("n-", title)))
    });
    Window {
        ok: button(&row.ok, "ok"),
        cancel: button(&row.cancel, "cancel"),
        controls: (0..controls.len()).filter(|it| controls[*it].window == number).collect(),
        nested: nested.collect(),
        name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_are_made_of_texts() {
        assert_eq!(slug("Print to file"), "print-to-file");
        assert_eq!(slug("be modeled."), "be-modeled");
        assert_eq!(slug("100 %"), "100");
    }

    #[test]
    fn windows_and_actions_are_in_the_order_of_the_paper() {
        let table = Table::get();
        assert_eq!(table.windows.len(), 36);
        let commands: usize = table.menus.iter().map(|menu| 1 + menu.commands.len()).sum();
        let in_windows: usize = table
            .windows
            .iter()
            .map(|it| {
                it.controls.len() + it.nested.len() + 1 + usize::from(!it.cancel.text.is_empty())
            })
            .sum();
        // A directory, a file and Up in two windows, a name, a text to find and Find Next; a text.
        let others = 2 * 3 + 1 + 2 + 1;
        // The paper's has 362.
        assert_eq!(commands + in_windows + others, 359);
    }

    #[test]
    fn what_an_id_or_a_text_names_is_one_thing() {
        let table = Table::get();
        let controls = table.controls.iter().map(|control| &control.name);
        let (texts, ids): (BTreeSet<_>, BTreeSet<_>) =
            controls.clone().map(|name| (&name.text, &name.id)).unzip();
        assert_eq!((texts.len(), ids.len()), (table.controls.len(), table.controls.len()));
        let asked: usize = table.menus.iter().map(|menu| menu.commands.len()).sum();
        assert_eq!(asked, 37, "every command does something");
        assert_eq!(table.fonts.each_ref().map(Vec::len), [3, 3, 3]);
    }
}
