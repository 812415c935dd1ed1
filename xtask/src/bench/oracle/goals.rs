//! Goals for the WordPad model, drawn by a seed: settings, a font, bars, a document that is saved.
//!
//! On its own because the cases of a benchmark must not depend on how they are solved.

use capuchin::ui::Rng;

/// Draws goals.
pub(super) struct Goals {
    /// What can be set, and the group of which it is one choice.
    settings: Vec<(&'static str, Option<usize>)>,
    random: Rng,
}

impl Goals {
    pub(super) fn new(seed: u64) -> Self {
        Goals { settings: capuchin_apps::wordpad::settings(), random: Rng::new(seed) }
    }

    /// A goal whose plan has about so many actions.
    pub(super) fn of_length(&mut self, actions: usize) -> String {
        let mut goal = Goal { parts: Vec::new(), groups: Vec::new(), actions: 0 };
        if actions >= 16 && self.random.below(3) == 0 {
            self.document(&mut goal);
        }
        if actions >= goal.actions + 8 && self.random.below(2) > 0 {
            self.font(&mut goal);
        }
        while goal.actions + 2 <= actions {
            match actions - goal.actions {
                2 | 3 => self.bar(&mut goal),
                _ => self.setting(&mut goal),
            }
        }
        format!("(and (free) {})", goal.parts.join(" "))
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.random.below(texts.len() as u64) as usize]
    }

    /// A bar that is hidden.
    fn bar(&mut self, goal: &mut Goal) {
        let bar = self.one_of(&["b-toolbar", "b-format-bar", "b-ruler", "b-status-bar"]);
        goal.add(format!("(not (shown {bar}))"), 2);
    }

    /// A document that is saved: with pieces of f1.doc or something that is inserted, in whatever
    /// directory; or without, in a given one.
    fn document(&mut self, goal: &mut Goal) {
        let file = self.one_of(&["f-f2-doc", "f-f3-doc"]);
        match self.random.below(3) {
            0 => {
                let directory = self.one_of(&["d-private", "d-latex", "d-samples"]);
                goal.add(format!("(contains-file {directory} {file})"), 6);
            }
            1 => {
                let piece = self.one_of(&["t-bitmap-image", "t-package", "t-13-05"]);
                goal.add(format!("(in {file} {piece})"), 8);
            }
            _ => {
                for piece in ["t-this", "t-is-the", "t-text"] {
                    goal.add(format!("(in {file} {piece})"), 3);
                }
            }
        }
    }

    /// A current font.
    fn font(&mut self, goal: &mut Goal) {
        let font = self.one_of(&["c-arial", "c-courier"]);
        let style = self.one_of(&["c-normal", "c-bold", "c-italic"]);
        let size = self.one_of(&["c-12pt", "c-14pt", "c-18pt"]);
        goal.add(format!("(current-font {font} {style} {size})"), 5);
    }

    /// A setting; of each group only one, because only one of its choices can be set.
    fn setting(&mut self, goal: &mut Goal) {
        let (control, group) =
            self.settings[self.random.below(self.settings.len() as u64) as usize];
        let part = format!("(set {control})");
        let is_taken = group.is_some() && goal.groups.contains(&group);
        if !is_taken && !goal.parts.contains(&part) {
            goal.groups.push(group);
            goal.add(part, 4);
        }
    }
}

/// A goal that is being put together.
struct Goal {
    parts: Vec<String>,
    groups: Vec<Option<usize>>,
    /// About how many actions it takes.
    actions: usize,
}

impl Goal {
    fn add(&mut self, part: String, actions: usize) {
        self.parts.push(part);
        self.actions += actions;
    }
}
