//! The faults that can be seeded into WordPad, one at a time, by name.
//!
//! On its own because the web page has the same ones under the same names, and a table says which
//! of them each level of verification must detect.

/// The least level of verification that detects a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What the action should have changed is wrong.
    Changed,
    /// Something else that the model knows has changed.
    Relevant,
    /// Something that the model does not know has changed.
    Complete,
}

/// A seeded fault.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// What it is called: the device `sim:wordpad-NAME`, the page `wordpad/index.html?mutant=NAME`.
    pub name: &'static str,
    /// What is wrong.
    pub about: &'static str,
    /// The least level that must detect it.
    pub level: Level,
    /// The steps of a test case that shows it.
    pub case: &'static str,
}

const fn mutant(
    name: &'static str,
    about: &'static str,
    level: Level,
    case: &'static str,
) -> Mutant {
    Mutant { name, about, level, case }
}

/// Opens f1.doc, which has all six pieces.
macro_rules! f1 {
    ($($more:literal)*) => {
        concat!(
            "(open-menu m-file) (open-window m-file w-open) ",
            "(enter-directory w-open d-root d-private) (select-file w-open d-private f-f1-doc) ",
            "(open-file d-private f-f1-doc) ",
            $($more),*
        )
    };
}

/// The faults.
pub const MUTANTS: &[Mutant] = &[
    // An effect is missing, or a value is wrong.
    mutant(
        "cut-keeps-text",
        "Cut leaves the text on the screen",
        Level::Changed,
        f1!("(select-text t-that) (open-menu m-edit) (cut)"),
    ),
    mutant(
        "paste-loses-last",
        "Paste leaves out the last piece",
        Level::Changed,
        f1!("(open-menu m-edit) (select-all) (open-menu m-edit) (cut) (open-menu m-edit) (paste)"),
    ),
    mutant(
        "open-keeps-old-text",
        "Open adds the file to what is on the screen",
        Level::Changed,
        "(open-menu m-insert) (open-window m-insert w-object) (insert w-object c-bitmap-image \
         t-bitmap-image c-times c-normal c-12pt) (open-menu m-file) (open-window m-file w-open) \
         (enter-directory w-open d-root d-private) (select-file w-open d-private f-f1-doc) \
         (open-file d-private f-f1-doc)",
    ),
    mutant(
        "save-as-keeps-title",
        "Save As leaves the old name in the title",
        Level::Changed,
        "(open-menu m-file) (open-window m-file w-save-as) (type-name f-f2-doc) \
         (save-as d-root f-f2-doc)",
    ),
    mutant(
        "up-goes-to-root",
        "Up goes to the root instead of one directory up",
        Level::Changed,
        "(open-menu m-file) (open-window m-file w-open) (enter-directory w-open d-root d-private) \
         (enter-directory w-open d-private d-latex) (go-up w-open d-latex d-private)",
    ),
    mutant(
        "font-forgets-size",
        "OK in the window Font leaves the size as it was",
        Level::Changed,
        f1!("(select-text t-this) (open-menu m-format) (open-window m-format w-font) "
            "(pick w-font g-font-3 c-18pt) (confirm-font c-times c-normal c-18pt)"),
    ),
    mutant(
        "pick-keeps-old",
        "a choice stays picked when another one of its group is picked",
        Level::Changed,
        "(open-menu m-file) (open-window m-file w-page-setup) (pick w-page-setup g-page-setup-1 c-a4)",
    ),
    mutant(
        "select-all-misses-one",
        "Select All leaves out the first piece",
        Level::Changed,
        f1!("(open-menu m-edit) (select-all)"),
    ),
    mutant(
        "find-selects-first",
        "Find Next selects the first piece, whatever was asked for",
        Level::Changed,
        f1!("(open-menu m-edit) (open-window m-edit w-find) (type-find t-that) (find-next t-that)"),
    ),
    mutant(
        "hide-does-nothing",
        "a bar stays when it is switched off",
        Level::Changed,
        "(open-menu m-view) (hide-bar b-ruler)",
    ),
    mutant(
        "new-keeps-text",
        "New leaves the text of the old document",
        Level::Changed,
        f1!("(open-menu m-file) (open-window m-file w-new) (confirm-new)"),
    ),
    mutant(
        "new-empties-clipboard",
        "after New, Paste has nothing to paste though it can be clicked",
        Level::Changed,
        f1!("(select-text t-that) (open-menu m-edit) (copy) (open-menu m-file) "
            "(open-window m-file w-new) (confirm-new) (open-menu m-edit) (paste)"),
    ),
    // An effect too many.
    mutant(
        "copy-cuts",
        "Copy takes the text off the screen",
        Level::Relevant,
        f1!("(select-text t-that) (open-menu m-edit) (copy)"),
    ),
    mutant(
        "select-deselects-others",
        "selecting a piece deselects those that were selected",
        Level::Relevant,
        f1!("(select-text t-this) (select-text t-that)"),
    ),
    mutant(
        "tick-ticks-next",
        "ticking an option flips the next one as well",
        Level::Relevant,
        "(open-menu m-edit) (open-window m-edit w-find) (tick w-find o-match-case)",
    ),
    mutant(
        "hide-ruler-hides-status",
        "hiding the ruler hides the status bar as well",
        Level::Relevant,
        "(open-menu m-view) (hide-bar b-ruler)",
    ),
    mutant(
        "paste-changes-font",
        "Paste gives all of the document the current font",
        Level::Relevant,
        f1!("(select-text t-that) (open-menu m-edit) (cut) (open-menu m-format) "
            "(open-window m-format w-font) (pick w-font g-font-1 c-arial) "
            "(confirm-font c-arial c-normal c-12pt) (open-menu m-edit) (paste)"),
    ),
    mutant(
        "save-deselects",
        "Save deselects the text",
        Level::Relevant,
        f1!("(select-text t-this) (open-menu m-file) (save f-f1-doc)"),
    ),
    mutant(
        "cancel-keeps-drafts",
        "Cancel keeps what was ticked, which is seen when the window is opened again",
        Level::Relevant,
        "(open-menu m-format) (open-window m-format w-borders) (tick w-borders o-border-top) \
         (dismiss w-borders) (open-menu m-format) (open-window m-format w-borders)",
    ),
    mutant(
        "ok-forgets-drafts",
        "OK forgets what was ticked, which is seen when the window is opened again",
        Level::Relevant,
        "(open-menu m-format) (open-window m-format w-borders) (tick w-borders o-border-top) \
         (confirm w-borders) (open-menu m-format) (open-window m-format w-borders)",
    ),
    mutant(
        "no-replaces",
        "No in the window Replace File replaces the file, which is seen when it is selected",
        Level::Relevant,
        f1!("(open-menu m-file) (open-window m-file w-save-as) "
            "(enter-directory w-save-as d-private d-latex) "
            "(enter-directory w-save-as d-latex d-samples) (type-name f-f4-doc) "
            "(ask-to-replace d-samples f-f4-doc) (dismiss w-replace-file) "
            "(select-file w-save-as d-samples f-f4-doc)"),
    ),
    // A property outside of the model changes.
    mutant(
        "cut-colours-status",
        "Cut leaves the text of the status bar in another colour",
        Level::Complete,
        f1!("(select-text t-that) (open-menu m-edit) (cut)"),
    ),
    mutant(
        "tick-moves-buttons",
        "ticking an option moves the buttons of the window by eight pixels",
        Level::Complete,
        "(open-menu m-edit) (open-window m-edit w-find) (tick w-find o-match-case)",
    ),
    mutant(
        "open-counts-pages",
        "Open changes the number of pages that the status bar shows",
        Level::Complete,
        f1!(),
    ),
    mutant(
        "save-disables-help",
        "Save disables the button Help",
        Level::Complete,
        f1!("(open-menu m-file) (save f-f1-doc)"),
    ),
    mutant(
        "select-all-colours-document",
        "Select All gives the document another colour",
        Level::Complete,
        f1!("(open-menu m-edit) (select-all)"),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_faults_and_no_name_is_used_twice() {
        for level in [Level::Changed, Level::Relevant, Level::Complete] {
            assert!(MUTANTS.iter().filter(|mutant| mutant.level == level).count() >= 5);
        }
        for (at, mutant) in MUTANTS.iter().enumerate() {
            assert!(MUTANTS[..at].iter().all(|other| other.name != mutant.name), "{}", mutant.name);
        }
    }
}
