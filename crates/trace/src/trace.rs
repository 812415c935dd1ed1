//! Traces: the language of figure 5 of the ChimpCheck paper. What a device runs.

use crate::{Auto, Expr, Gen, Prop};
use capuchin_ui::{Event, Str};
use std::fmt;
use std::sync::Arc;

/// A sequence of events with what is to hold on the way. Wildcards in it are filled in on the live
/// screen, and a policy chooses its events there; nothing else is left open.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Trace {
    /// Nothing.
    #[default]
    Unit,
    /// One event.
    Event(Event),
    /// One after the other.
    Seq(Vec<Trace>),
    /// The property holds here.
    Assert(Prop),
    /// The value is remembered under this name, as it is now.
    Let(Str, Expr),
    /// What may be blocked without harm.
    Try(Box<Trace>),
    /// Only if the property holds now.
    Then(Prop, Box<Trace>),
    /// The value is the same before and after.
    Keeps(Box<Trace>, Expr),
    /// The property holds before, and after every step of it.
    Always(Box<Trace>, Prop),
    /// A policy chooses here. The scripts are those that are injected, one for each of its moves; none if
    /// nothing is.
    Auto(Arc<Auto>, Vec<Trace>),
}

impl Trace {
    /// All of them, one after the other; sequences in it are made flat.
    pub fn seq(parts: impl IntoIterator<Item = Trace>) -> Trace {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Trace::Unit => {}
                Trace::Seq(inner) => flat.extend(inner),
                part => flat.push(part),
            }
        }
        match flat.len() {
            0 => Trace::Unit,
            1 => flat.remove(0),
            _ => Trace::Seq(flat),
        }
    }

    /// How many events it has, executed or not. Each has its number; each move of a policy has those of its
    /// script, and then one more.
    pub fn len(&self) -> usize {
        match self {
            Trace::Unit | Trace::Assert(_) | Trace::Let(..) => 0,
            Trace::Event(_) => 1,
            Trace::Seq(parts) => parts.iter().map(Trace::len).sum(),
            Trace::Try(inner)
            | Trace::Then(_, inner)
            | Trace::Keeps(inner, _)
            | Trace::Always(inner, _) => inner.len(),
            Trace::Auto(auto, scripts) => {
                auto.moves as usize + scripts.iter().map(Trace::len).sum::<usize>()
            }
        }
    }

    /// Whether it has no event at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl From<Event> for Trace {
    fn from(event: Event) -> Trace {
        Trace::Event(event)
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Gen::from(self.clone()).fmt(f)
    }
}
