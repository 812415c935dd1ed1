//! The problem of the model, and what the mapping calls its objects: both printed from the table.
//!
//! On its own because nothing of it is needed to run the app. `examples/wordpad` has what is
//! printed here as files, and a test that compares the two.

use super::table::{Named, Table, Window};
use std::fmt::Write as _;

/// The text of a problem: the initial state of figure 5 of the paper, and this goal.
pub fn problem(name: &str, goal: &str) -> String {
    let table = Table::get();
    let mut text = String::from(HEAD);
    let _ = writeln!(text, "(define (problem {name})\n  (:domain wordpad)\n  (:objects");
    let mut declare = |names: Vec<&str>, kind: &str| {
        for line in names.chunks(6) {
            let _ = write!(text, "\n    {}", line.join(" "));
        }
        let _ = write!(text, " - {kind}");
    };
    let ids = |names: &'static [Named]| names.iter().map(|name| name.id.as_str());
    declare(ids(&table.pieces).collect(), "text");
    declare(ids(&table.files).collect(), "file");
    declare(table.directories.iter().map(|(name, _)| name.id.as_str()).collect(), "directory");
    declare(ids(&table.bars).collect(), "bar");
    let others = table.menus.iter().map(|menu| menu.name.id.as_str());
    declare(others.filter(|id| !CONSTANTS.contains(id)).collect(), "menu");
    let others = table.windows.iter().map(|window| window.name.id.as_str());
    declare(others.filter(|id| !CONSTANTS.contains(id)).collect(), "window");
    let groups: Vec<String> = (0..table.groups).map(|group| group_name(table, group)).collect();
    declare(groups.iter().map(String::as_str).collect(), "group");
    for (of, kind) in table.fonts.iter().zip(["font", "style", "size"]) {
        declare(of.iter().map(|it| table.controls[*it].name.id.as_str()).collect(), kind);
    }
    let is_font = |number: &usize| table.fonts.iter().any(|of| of.contains(number));
    for (kind, is_choice) in [("choice", true), ("option", false)] {
        let of_kind = (0..table.controls.len())
            .filter(|it| table.controls[*it].group.is_some() == is_choice && !is_font(it));
        declare(of_kind.map(|it| table.controls[it].name.id.as_str()).collect(), kind);
    }
    let _ = write!(text, ")\n  (:init\n{}", figure_5(table));
    let _ = write!(text, "    ; What the windows are.\n{}", structure(table));
    let _ = writeln!(text, "  )\n  (:goal {goal}))");
    text.replacen("(:objects\n\n", "(:objects\n", 1)
}

const HEAD: &str = "\
; Printed from testing/apps/web/wordpad/wordpad.json: `capuchin_apps::wordpad::problem`.

";

/// What the domain declares itself.
const CONSTANTS: &[&str] = &[
    "w-new",
    "w-open",
    "w-save-as",
    "w-replace-file",
    "w-find",
    "w-font",
    "m-file",
    "m-edit",
    "m-view",
];

fn group_name(table: &Table, group: usize) -> String {
    let of = |number: usize| {
        table.controls.iter().find(|control| control.group == Some(number)).map(|it| it.window)
    };
    let Some(window) = of(group) else { return format!("g-{group}") };
    let before = (0..group).filter(|other| of(*other) == Some(window)).count();
    format!("g-{}-{}", &table.windows[window].name.id[2..], before + 1)
}

/// The initial state of figure 5, in its order, and what is on the screen with it.
fn figure_5(table: &Table) -> String {
    let mut text = String::from("    ; Figure 5 of the paper.\n");
    for (name, parent) in &table.directories {
        match parent {
            Some(parent) => {
                let parent = &table.directories[*parent].0.id;
                let _ = writeln!(text, "    (contains {parent} {})", name.id);
            }
            None => {
                let _ = writeln!(text, "    (is-root {})", name.id);
            }
        }
    }
    let font = table
        .fonts
        .each_ref()
        .map(|of| of.first().map_or("", |first| table.controls[*first].name.id.as_str()));
    let font = font.join(" ");
    for (file, directory, pieces) in &table.stored {
        let (file, directory) = (&table.files[*file].id, &table.directories[*directory].0.id);
        let _ = writeln!(text, "    (contains-file {directory} {file})");
        for piece in &table.pieces[..*pieces] {
            let _ = writeln!(text, "    (in {file} {})", piece.id);
        }
    }
    let _ = writeln!(text, "    (current-font {font})");
    for piece in &table.pieces {
        let _ = writeln!(text, "    (font-of {} {font})", piece.id);
    }
    text.push_str("    (is-current d-root)\n    (free)\n");
    for bar in &table.bars {
        let _ = writeln!(text, "    (shown {})", bar.id);
    }
    for control in table.controls.iter().filter(|control| control.is_set) {
        let _ = writeln!(text, "    (set {0}) (draft {0})", control.name.id);
    }
    text
}

/// What never changes.
fn structure(table: &Table) -> String {
    let mut text = String::new();
    for menu in &table.menus {
        for (command, _) in &menu.commands {
            if let Some(window) = table.window(&command.text) {
                let _ = writeln!(
                    text,
                    "    (listed {} {})",
                    menu.name.id, table.windows[window].name.id
                );
            }
        }
    }
    text.push_str("    (nested w-save-as w-replace-file)\n");
    for window in &table.windows {
        let id = &window.name.id;
        for (inner, _) in &window.nested {
            let _ = writeln!(text, "    (nested {id} {})", table.windows[*inner].name.id);
        }
        let kinds = [
            ("plain", is_plain(table, window)),
            ("has-cancel", !window.cancel.text.is_empty()),
            ("shows-files", matches!(window.name.text.as_str(), "Open" | "Save As")),
        ];
        for (kind, _) in kinds.iter().filter(|(_, is)| *is) {
            let _ = writeln!(text, "    ({kind} {id})");
        }
        for number in &window.controls {
            let control = &table.controls[*number];
            let _ = write!(text, "    (in-window {} {id})", control.name.id);
            if let Some(group) = control.group {
                let group = group_name(table, group);
                let _ = write!(text, " (choice-of {} {group})", control.name.id);
            }
            if let Some(piece) = control.inserts {
                let piece = &table.pieces[piece].id;
                let _ = write!(text, " (inserts {} {piece})", control.name.id);
            }
            text.push('\n');
        }
    }
    text
}

fn is_plain(table: &Table, window: &Window) -> bool {
    let inserts = window.controls.iter().any(|it| table.controls[*it].inserts.is_some());
    let title = window.name.text.as_str();
    !inserts && !matches!(title, "New" | "Open" | "Save As" | "Replace File" | "Font")
}

/// Settings that a goal can ask for: each is not set at first, and a window keeps it that does
/// nothing else. With each comes the number of its group, if it is a choice.
pub fn settings() -> Vec<(&'static str, Option<usize>)> {
    let table = Table::get();
    let plain = table.windows.iter().filter(|window| is_plain(table, window));
    let controls = plain.flat_map(|window| &window.controls).map(|it| &table.controls[*it]);
    let unset = controls.filter(|control| !control.is_set);
    unset.map(|control| (control.name.id.as_str(), control.group)).collect()
}

/// The lines of the mapping that say what a screen calls the objects.
pub fn objects() -> String {
    let table = Table::get();
    let menus = table.menus.iter().map(|menu| &menu.name);
    let windows = table.windows.iter().map(|window| &window.name);
    let directories = table.directories.iter().map(|(name, _)| name);
    let controls = table.controls.iter().map(|control| &control.name);
    let all = menus.chain(windows).chain(&table.bars).chain(directories).chain(&table.files);
    let all = all.chain(&table.pieces).chain(controls);
    all.map(|name| format!("object {} = \"{}\"\n", name.id, name.text)).collect()
}

/// The actions of figure 3, from the initial state of figure 5 to the document of figure 4(b).
///
/// The figures are pictures, of which the text of the paper says this: the fifth action opens the
/// file, a new document is made of its pieces by cutting or copying and pasting, and it is stored
/// as f4.doc in the directory Samples. These are such actions.
pub fn figure_3() -> Vec<&'static str> {
    vec![
        "(open-menu m-file)",
        "(open-window m-file w-open)",
        "(enter-directory w-open d-root d-private)",
        "(select-file w-open d-private f-f1-doc)",
        "(open-file d-private f-f1-doc)",
        "(select-text t-that)",
        "(select-text t-needs-to)",
        "(select-text t-be-modeled)",
        "(open-menu m-edit)",
        "(cut)",
        "(open-menu m-edit)",
        "(select-all)",
        "(open-menu m-edit)",
        "(copy)",
        "(open-menu m-file)",
        "(open-window m-file w-new)",
        "(confirm-new)",
        "(open-menu m-edit)",
        "(paste)",
        "(open-menu m-file)",
        "(open-window m-file w-save-as)",
        "(enter-directory w-save-as d-private d-latex)",
        "(enter-directory w-save-as d-latex d-samples)",
        "(select-file w-save-as d-samples f-f4-doc)",
        "(ask-to-replace d-samples f-f4-doc)",
        "(replace-file f-f4-doc)",
    ]
}
