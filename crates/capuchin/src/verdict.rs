//! What became of a trace: the four results of figure 6 of the ChimpCheck paper.

use crate::claim::Claim;
use crate::event::Compared;
use capuchin_trace::{Expr, Formula, Prop};
use capuchin_ui::{Blocked, Crash, Event, Selector, Str, Target, Toward};
use std::fmt;
use std::sync::Arc;

/// How the run of a trace ended.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// To the end, and everything held.
    Succeeded,
    /// The app crashed.
    Crashed(Arc<Crash>),
    /// Something did not hold.
    Failed(Violation),
    /// An event could not be performed, outside of a try.
    Blocked {
        /// The event.
        event: Box<Event>,
        /// Why not.
        reason: Blocked,
        /// What was on the screen instead, nearest names first; or what covers it.
        nearest: Vec<Selector>,
    },
}

/// What did not hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Violation {
    /// An `assert`.
    Assert {
        /// The property.
        prop: Box<Claim<Prop>>,
        /// How many events had been performed when the same property was last asserted and held: it
        /// was lost since. `None` if it never held.
        held_at: Option<usize>,
        /// The values that were seen in it.
        seen: String,
    },
    /// An `always`.
    Always {
        /// What its author calls it.
        label: Option<Str>,
        /// The property.
        prop: Box<Claim<Prop>>,
        /// How many events had been performed when its scope began; `None` if it is the whole run.
        since: Option<usize>,
        /// Whether it did not even hold when its scope began.
        from_the_start: bool,
        /// The values that were seen in it.
        seen: String,
    },
    /// A property of the whole run.
    Temporal {
        /// What its author calls it.
        label: Option<Str>,
        /// The property.
        formula: Box<Formula<Prop>>,
        /// Whether it was violated before any event.
        from_the_start: bool,
        /// The values that were seen in it at the step that decided it.
        seen: String,
    },
    /// What a monitor found.
    Found {
        /// The monitor's name.
        monitor: Str,
        /// What is wrong, in a line.
        what: String,
        /// What was expected, and what was seen.
        detail: String,
        /// What was expected beside what was seen, one by one.
        compared: Vec<Compared>,
        /// Whether it was wrong before any event.
        from_the_start: bool,
        /// Whether it was found at the end of the trace, and would perhaps not be at the end of
        /// another one.
        at_end: bool,
    },
    /// A `keeps`.
    Keeps {
        /// The value that was to stay.
        value: Box<Claim<Expr>>,
        /// How many events had been performed when it was first taken.
        since: usize,
        /// The value before and after.
        seen: String,
    },
}

impl Verdict {
    /// Whether the trace did what it was expected to.
    pub fn is_success(&self) -> bool {
        matches!(self, Verdict::Succeeded)
    }

    /// What makes two failures the same one: the crash's message and place, the property, or the
    /// blocked event.
    pub fn signature(&self) -> String {
        match self {
            Verdict::Crashed(crash) => {
                format!("crashed {} at {}", without_data(&crash.message), crash.place)
            }
            // Not what was typed nor which point it was: those are drawn anew for every case.
            Verdict::Blocked { event, reason, .. } => match event.target() {
                Some(_) if matches!(**event, Event::Swipe(_, Toward::Element(_))) => {
                    format!("blocked {event}: {reason}")
                }
                Some(Target::One(selector) | Target::Any(selector)) => {
                    format!("blocked {} {selector}: {reason}", event.name())
                }
                _ => format!("blocked {}: {reason}", event.name()),
            },
            _ => self.to_string(),
        }
    }

    /// How the executed trace ends when it is run by itself: with values in the place of the names
    /// that they were remembered under.
    #[must_use]
    pub(crate) fn again(&self) -> Verdict {
        let mut verdict = self.clone();
        if let Verdict::Failed(violation) = &mut verdict {
            match violation {
                Violation::Assert { prop, .. } | Violation::Always { prop, .. } => {
                    **prop = prop.again();
                }
                Violation::Keeps { value, .. } => **value = value.again(),
                Violation::Found { .. } | Violation::Temporal { .. } => {}
            }
        }
        verdict
    }

    /// Whether any trace that ends so is a failure of the app, whatever was left out of it. A crash
    /// is, and so is what holds all the time; a failed assertion may only mean that a step of the
    /// script is missing.
    pub(crate) fn stands_alone(&self) -> bool {
        matches!(
            self,
            Verdict::Crashed(_)
                | Verdict::Failed(
                    Violation::Always { since: None, .. }
                        | Violation::Temporal { .. }
                        | Violation::Found { at_end: false, .. }
                )
        )
    }

    /// The monitor that must watch for the failure to come again.
    pub(crate) fn monitor(&self) -> Option<&Str> {
        match self {
            Verdict::Failed(Violation::Found { monitor, .. }) => Some(monitor),
            _ => None,
        }
    }

    /// What a monitor expected, beside what it saw.
    pub(crate) fn compared(&self) -> &[Compared] {
        match self {
            Verdict::Failed(Violation::Found { compared, .. }) => compared,
            _ => &[],
        }
    }

    /// The property of the whole run that it violates, with its name.
    pub(crate) fn property(&self) -> Option<(Option<&Str>, &Formula<Prop>)> {
        match self {
            Verdict::Failed(Violation::Temporal { label, formula, .. }) => {
                Some((label.as_ref(), formula))
            }
            _ => None,
        }
    }

    /// More than the one line: the crash's report, the values seen, the elements there were.
    pub fn detail(&self) -> String {
        match self {
            Verdict::Succeeded => String::new(),
            Verdict::Crashed(crash) => crash.report.clone(),
            Verdict::Failed(
                Violation::Assert { seen, .. }
                | Violation::Always { seen, .. }
                | Violation::Temporal { seen, .. }
                | Violation::Keeps { seen, .. }
                | Violation::Found { detail: seen, .. },
            ) => seen.clone(),
            Verdict::Blocked { reason, nearest, .. } => {
                let mut detail = reason.to_string();
                if !nearest.is_empty() {
                    let names: Vec<String> = nearest.iter().map(Selector::to_string).collect();
                    let covered = matches!(reason, Blocked::Covered);
                    detail.push_str(if covered { ": " } else { "; the nearest on the screen: " });
                    detail.push_str(&names.join(", "));
                }
                detail
            }
        }
    }
}

/// A message without the numbers and the quoted texts in it: they are the input of one case, and
/// another case with another input shows the same crash.
fn without_data(message: &str) -> String {
    let mut kept = String::new();
    let mut quote = None;
    for c in message.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => {}
            None if c == '"' || c == '`' => {
                quote = Some(c);
                kept.push('…');
            }
            None if c.is_ascii_digit() => {
                if !kept.ends_with('0') {
                    kept.push('0');
                }
            }
            None => kept.push(c),
        }
    }
    kept
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Succeeded => f.write_str("Succeeded"),
            Verdict::Crashed(_) => f.write_str("Crashed"),
            Verdict::Failed(violation) => write!(f, "Failed {violation}"),
            Verdict::Blocked { event, .. } => write!(f, "Blocked at {event}"),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::Assert { prop, held_at: None, .. } => write!(f, "assert {prop}"),
            Violation::Assert { prop, held_at: Some(_), .. } => {
                write!(f, "assert {prop}, which held before")
            }
            Violation::Always { label, prop, from_the_start, .. } => {
                match label {
                    Some(label) => write!(f, "always {label}")?,
                    None => write!(f, "always {prop}")?,
                }
                f.write_str(if *from_the_start { ", from the start" } else { "" })
            }
            Violation::Temporal { label, formula, from_the_start, .. } => {
                match label {
                    Some(label) => write!(f, "property {label}")?,
                    None => write!(f, "property {formula}")?,
                }
                f.write_str(if *from_the_start { ", from the start" } else { "" })
            }
            Violation::Found { monitor, what, from_the_start, .. } => {
                write!(f, "monitor {monitor}: {what}")?;
                f.write_str(if *from_the_start { ", from the start" } else { "" })
            }
            Violation::Keeps { value, .. } => write!(f, "keeps {value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_input_is_no_part_of_a_crash() {
        let same = |a: &str, b: &str| assert_eq!(without_data(a), without_data(b));
        same("bad input \"abc\"", "bad input \"x y\"");
        same("index 12 of 3", "index 7 of 10");
        assert_ne!(without_data("null in onResume"), without_data("null in onPause"));
        assert_eq!(without_data("it can't be \"open"), "it can't be …");
    }
}
