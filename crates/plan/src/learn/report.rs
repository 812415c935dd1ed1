//! What was learned, as text for people: both bounds with their evidence, and PDDL files whose
//! comments say the same.

use super::operators::{Evidence, Learned, LearnedAction, LearnedEffect};
use crate::pddl::{Domain, Formula};
use std::fmt::Write as _;

impl Learned {
    /// Both bounds of each action and its effects, with the evidence.
    pub fn report(&self) -> String {
        let mut text = String::new();
        for action in &self.actions {
            for line in self.lines(action) {
                let _ = writeln!(text, "{line}");
            }
            text.push('\n');
        }
        text
    }

    /// The proposed model as a file, with the evidence as comments.
    pub fn proposed_file(&self) -> String {
        let head = "; Proposed from steps that were seen: with what is surely needed, and the \
                    simplest effects.\n; Move what is possibly needed into the preconditions \
                    where it is.\n";
        head.to_owned() + &self.annotated(&self.proposed())
    }

    /// The safe model as a file, with the evidence as comments.
    pub fn safe_file(&self) -> String {
        let head = "; Learned from steps that were seen: with all that may be needed. It allows \
                    only what is known to work.\n";
        head.to_owned() + &self.annotated(&self.safe())
    }

    /// The domain, with comments before each action.
    fn annotated(&self, domain: &Domain) -> String {
        let printed = domain.to_string();
        let mut text = String::new();
        for line in printed.lines() {
            let name = line.strip_prefix("  (:action ");
            let action = name.and_then(|name| self.actions.iter().find(|it| it.name == name));
            for comment in action.into_iter().flat_map(|action| self.lines(action)) {
                let _ = writeln!(text, "  ; {comment}");
            }
            let _ = writeln!(text, "{line}");
        }
        text
    }

    fn lines(&self, action: &LearnedAction) -> Vec<String> {
        let LearnedAction { name, steps, possible, impossible, .. } = action;
        let parameters: String =
            action.parameters.iter().map(|parameter| format!(" ?{}", parameter.name)).collect();
        let mut lines = vec![format!(
            "({name}{parameters}): {steps} steps; possible in {possible} more states, impossible \
             in {impossible}"
        )];
        let formula = |formula: &Formula| self.signature.formula_text(formula, &action.parameters);
        let evidence = |lines: &mut Vec<String>, title: &str, all: &[Evidence]| {
            for (at, it) in all.iter().enumerate() {
                let Evidence { held, failed, refused, .. } = it;
                let title = if at == 0 { title } else { "" };
                let seen = held + failed;
                let mut line = format!("  {title:<16} {}", formula(&it.formula));
                let _ = write!(line, "  held in {held} of {seen}");
                if *refused > 0 {
                    let _ = write!(line, "; the only reason in {refused} of {impossible}");
                }
                lines.push(line);
            }
        };
        evidence(&mut lines, "surely needed", &action.needed);
        for (literals, count) in &action.one_needed {
            let literals: Vec<String> = literals.iter().map(&formula).collect();
            lines.push(format!("  one of           {}  in {count}", literals.join(" ")));
        }
        evidence(&mut lines, "possibly needed", &action.possibly_needed);
        evidence(&mut lines, "not needed", &action.exceptions);
        for (at, it) in action.effects.iter().enumerate() {
            let title = if at == 0 { "effects" } else { "" };
            let effect = self.signature.effect_text(&it.effect, &action.parameters);
            lines.push(format!("  {title:<16} {effect}  {}", seen(it)));
        }
        if action.unexplained > 0 {
            let count = action.unexplained;
            lines.push(format!("  unexplained      {count} times impossible though all held"));
        }
        if action.left_out > 0 {
            let count = action.left_out;
            lines.push(format!("  left out         {count}: two parameters were one object"));
        }
        lines
    }
}

fn seen(effect: &LearnedEffect) -> String {
    let LearnedEffect { changes, stays, conditions, unexplained, .. } = effect;
    let mut text = format!("changed {changes} times, stayed {stays}");
    if *conditions > 1 {
        let _ = write!(text, "; {conditions} conditions explain it");
    }
    if *unexplained > 0 {
        let _ = write!(text, "; {unexplained} changes that no condition explains");
    }
    text
}
