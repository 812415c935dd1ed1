//! Traces: the language of figure 5 of the ChimpCheck paper. What a device runs.

use crate::{Auto, Expr, Gen, Prop, Slot};
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
    /// One event. The slot says which event of the sample it is; one that comes from no sample has
    /// the default slot.
    Event(Slot, Event),
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
    /// A policy chooses here. The scripts are those that are injected, one for each of its moves;
    /// none if nothing is.
    Auto(Slot, Arc<Auto>, Vec<Trace>),
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

    /// Whether a policy chooses in it.
    pub fn is_steered(&self) -> bool {
        match self {
            Trace::Auto(..) => true,
            Trace::Seq(parts) => parts.iter().any(Trace::is_steered),
            Trace::Try(inner)
            | Trace::Then(_, inner)
            | Trace::Keeps(inner, _)
            | Trace::Always(inner, _) => inner.is_steered(),
            Trace::Unit | Trace::Event(..) | Trace::Assert(_) | Trace::Let(..) => false,
        }
    }

    /// The names in it that a specification must declare, for the trace to run by itself:
    /// predicates and values of the user's, and environment events. Each once, in their order.
    pub fn needs(&self) -> Vec<Str> {
        let mut names = Vec::new();
        self.add_needs(&mut names);
        let mut once = Vec::new();
        for name in names {
            if !once.contains(&name) {
                once.push(name);
            }
        }
        once
    }

    fn add_needs(&self, names: &mut Vec<Str>) {
        fn asks(expr: &Expr, names: &mut Vec<Str>) {
            expr.visit(&mut |part| {
                if let Expr::Ask(name, _) = part {
                    names.push(name.clone());
                }
            });
        }
        match self {
            Trace::Event(_, Event::Environment(event)) => names.push(event.name.clone()),
            Trace::Unit | Trace::Event(..) => {}
            Trace::Seq(parts) => parts.iter().for_each(|part| part.add_needs(names)),
            Trace::Assert(prop) => prop.add_names(names),
            Trace::Let(_, value) => asks(value, names),
            Trace::Try(inner) => inner.add_needs(names),
            Trace::Then(prop, inner) | Trace::Always(inner, prop) => {
                prop.add_names(names);
                inner.add_needs(names);
            }
            Trace::Keeps(inner, value) => {
                asks(value, names);
                inner.add_needs(names);
            }
            Trace::Auto(_, _, scripts) => scripts.iter().for_each(|part| part.add_needs(names)),
        }
    }

    /// The same in the place of an `auto`: each event in it has the slot of the next turn.
    #[must_use]
    pub fn chosen(self, auto: Slot, turns: &mut u32) -> Trace {
        let boxed = |inner: Box<Trace>, turns: &mut u32| Box::new(inner.chosen(auto, turns));
        match self {
            Trace::Event(_, event) => {
                *turns += 1;
                Trace::Event(auto.at_turn(*turns), event)
            }
            Trace::Seq(parts) => {
                Trace::Seq(parts.into_iter().map(|part| part.chosen(auto, turns)).collect())
            }
            Trace::Try(inner) => Trace::Try(boxed(inner, turns)),
            Trace::Then(guard, inner) => Trace::Then(guard, boxed(inner, turns)),
            Trace::Keeps(inner, value) => Trace::Keeps(boxed(inner, turns), value),
            Trace::Always(inner, prop) => Trace::Always(boxed(inner, turns), prop),
            Trace::Unit | Trace::Assert(_) | Trace::Let(..) | Trace::Auto(..) => self,
        }
    }
}

impl From<Event> for Trace {
    fn from(event: Event) -> Trace {
        Trace::Event(Slot::default(), event)
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Gen::from(self.clone()).fmt(f)
    }
}
