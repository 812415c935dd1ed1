//! Generators of traces: the language of figure 9 of the ChimpCheck paper, and what is derived of
//! it.
//!
//! The constructors keep generators in one normal form (sequences and choices are flat), so that
//! what is printed parses to the same value, and a choice is uniform over its arms however it was
//! put together.

use crate::{Auto, EventGen, Expr, Prop, Trace};
use capuchin_ui::{Event, Str};
use std::ops::{BitOr, RangeInclusive, Shr};
use std::sync::Arc;

/// A set of traces to draw from.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a generator does nothing until it is checked"]
pub enum Gen {
    /// The empty trace, `•`.
    Unit,
    /// One event.
    Event(Arc<EventGen>),
    /// One after the other, `:>>`.
    Seq(Vec<Gen>),
    /// One of them, each as likely as the others, `<+>`.
    Choice(Arc<[Gen]>),
    /// One of them by weight, `frequency`.
    Weighted(Arc<[(u32, Gen)]>),
    /// Between the two numbers of repetitions, `repeat`.
    Repeat(u32, u32, Box<Gen>),
    /// What may be blocked without harm, `?`.
    Try(Box<Gen>),
    /// Only where the property holds, `then`.
    Then(Prop, Box<Gen>),
    /// The property holds here, `assert`.
    Assert(Prop),
    /// The value is remembered under this name, `let`.
    Let(Str, Expr),
    /// The value is the same before and after, `keeps`.
    Keeps(Box<Gen>, Expr),
    /// The property holds before, and after every step of it, `always`.
    Always(Box<Gen>, Prop),
    /// The second's events somewhere among the first's, `||`.
    Interleave(Box<Gen>, Box<Gen>),
    /// Up to so many interrupts: what stands between the sides of `*>>^m`.
    Interrupts(u32),
    /// It, or nothing.
    Optional(Box<Gen>),
    /// The property holds before and after, `preserves`.
    Preserves(Box<Gen>, Prop),
    /// So many events at random points, or interrupts.
    Monkey(u32),
    /// So many events on random elements that take them, or interrupts.
    RelevantMonkey(u32),
    /// The generator, then a random event or an interrupt; so many times.
    Gorilla(u32, Box<Gen>),
    /// So many events that a policy chooses while the trace runs, `auto`.
    Auto(Arc<Auto>),
}

impl Gen {
    /// How many interrupts `*>>` allows unless it is told.
    pub const INTERRUPTS: u32 = 3;

    /// All of them, one after the other.
    pub fn seq(parts: impl IntoIterator<Item = Gen>) -> Gen {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Gen::Unit => {}
                Gen::Seq(inner) => flat.extend(inner),
                part => flat.push(part),
            }
        }
        match flat.len() {
            0 => Gen::Unit,
            1 => flat.remove(0),
            _ => Gen::Seq(flat),
        }
    }

    /// One of them, each as likely as the others; arms that are choices count as their arms.
    pub fn choice(arms: impl IntoIterator<Item = Gen>) -> Gen {
        let mut flat = Vec::new();
        for arm in arms {
            match arm {
                Gen::Choice(inner) => flat.extend(inner.iter().cloned()),
                arm => flat.push(arm),
            }
        }
        match flat.len() {
            0 => Gen::Unit,
            1 => flat.remove(0),
            _ => Gen::Choice(flat.into()),
        }
    }

    /// One of them by weight.
    pub fn weighted(arms: impl IntoIterator<Item = (u32, Gen)>) -> Gen {
        let arms: Arc<[(u32, Gen)]> = arms.into_iter().collect();
        if arms.is_empty() { Gen::Unit } else { Gen::Weighted(arms) }
    }

    /// This choice as one arm of a larger one.
    pub fn group(self) -> Gen {
        Gen::weighted([(1, self)])
    }

    /// Between so many repetitions, each drawn anew.
    pub fn repeat(self, times: RangeInclusive<u32>) -> Gen {
        Gen::Repeat(*times.start(), *times.end(), Box::new(self))
    }

    /// It, or as much of it as is not blocked. (`try` is a word of Rust's.)
    pub fn attempt(self) -> Gen {
        Gen::Try(Box::new(self))
    }

    /// It, or nothing.
    pub fn optional(self) -> Gen {
        Gen::Optional(Box::new(self))
    }

    /// It, but only where the property holds.
    pub fn when(self, guard: Prop) -> Gen {
        Gen::Then(guard, Box::new(self))
    }

    /// It, and the property holds before and after.
    pub fn preserves(self, prop: Prop) -> Gen {
        Gen::Preserves(Box::new(self), prop)
    }

    /// It, and the value is the same before and after.
    pub fn keeps(self, value: Expr) -> Gen {
        Gen::Keeps(Box::new(self), value)
    }

    /// It, and the property holds before and after every step of it.
    pub fn always(self, prop: Prop) -> Gen {
        Gen::Always(Box::new(self), prop)
    }

    /// The two with up to three interrupts between them.
    pub fn interruptible(self, next: Gen) -> Gen {
        Gen::seq([self, Gen::Interrupts(Gen::INTERRUPTS), next])
    }

    /// The other's events somewhere among this one's.
    pub fn interleave(self, other: Gen) -> Gen {
        Gen::Interleave(Box::new(self), Box::new(other))
    }

    /// Visits it and every generator in it.
    pub fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Gen)) {
        visit(self);
        match self {
            Gen::Seq(parts) => parts.iter().for_each(|part| part.visit(visit)),
            Gen::Choice(arms) => arms.iter().for_each(|arm| arm.visit(visit)),
            Gen::Weighted(arms) => arms.iter().for_each(|(_, arm)| arm.visit(visit)),
            Gen::Repeat(_, _, inner)
            | Gen::Try(inner)
            | Gen::Then(_, inner)
            | Gen::Keeps(inner, _)
            | Gen::Always(inner, _)
            | Gen::Optional(inner)
            | Gen::Preserves(inner, _)
            | Gen::Gorilla(_, inner) => inner.visit(visit),
            Gen::Interleave(a, b) => {
                a.visit(visit);
                b.visit(visit);
            }
            Gen::Auto(auto) => {
                if let Some((_, script)) = &auto.script {
                    script.visit(visit);
                }
            }
            Gen::Unit
            | Gen::Event(_)
            | Gen::Assert(_)
            | Gen::Let(..)
            | Gen::Interrupts(_)
            | Gen::Monkey(_)
            | Gen::RelevantMonkey(_) => {}
        }
    }

    /// How many events its longest trace has.
    pub fn longest(&self) -> u64 {
        let most = |arms: &mut dyn Iterator<Item = &Gen>| arms.map(Gen::longest).max().unwrap_or(0);
        match self {
            Gen::Unit | Gen::Assert(_) | Gen::Let(..) => 0,
            Gen::Event(_) => 1,
            Gen::Seq(parts) => parts.iter().map(Gen::longest).fold(0, u64::saturating_add),
            Gen::Choice(arms) => most(&mut arms.iter()),
            Gen::Weighted(arms) => most(&mut arms.iter().map(|(_, arm)| arm)),
            Gen::Repeat(_, times, inner) => inner.longest().saturating_mul((*times).into()),
            Gen::Try(inner)
            | Gen::Then(_, inner)
            | Gen::Keeps(inner, _)
            | Gen::Always(inner, _)
            | Gen::Optional(inner)
            | Gen::Preserves(inner, _) => inner.longest(),
            Gen::Interleave(first, second) => first.longest().saturating_add(second.longest()),
            Gen::Interrupts(times) | Gen::Monkey(times) | Gen::RelevantMonkey(times) => {
                (*times).into()
            }
            Gen::Gorilla(times, directive) => {
                directive.longest().saturating_add(1).saturating_mul((*times).into())
            }
            Gen::Auto(auto) => auto.longest(),
        }
    }

    /// How many parts its largest sample has: events, and what holds them together. A sample takes
    /// memory for each, also for those that do nothing.
    pub fn largest(&self) -> u64 {
        let most = |arms: &mut dyn Iterator<Item = &Gen>| arms.map(Gen::largest).max().unwrap_or(0);
        let times = |times: u32, each: u64| each.saturating_mul(times.into());
        let inside = match self {
            Gen::Unit | Gen::Event(_) | Gen::Assert(_) | Gen::Let(..) => 0,
            Gen::Seq(parts) => parts.iter().map(Gen::largest).fold(0, u64::saturating_add),
            Gen::Choice(arms) => most(&mut arms.iter()),
            Gen::Weighted(arms) => most(&mut arms.iter().map(|(_, arm)| arm)),
            Gen::Repeat(_, most, inner) => times(*most, inner.largest()),
            Gen::Try(inner)
            | Gen::Then(_, inner)
            | Gen::Keeps(inner, _)
            | Gen::Always(inner, _) => inner.largest(),
            Gen::Interleave(first, second) => first.largest().saturating_add(second.largest()),
            // Its moves are not in the sample, what is injected is.
            Gen::Auto(auto) if !auto.is_drawn() => match &auto.script {
                None => 0,
                Some((_, script)) => times(auto.moves, script.largest()),
            },
            Gen::Interrupts(_)
            | Gen::Optional(_)
            | Gen::Preserves(..)
            | Gen::Monkey(_)
            | Gen::RelevantMonkey(_)
            | Gen::Gorilla(..)
            | Gen::Auto(_) => return self.expand().largest(),
        };
        inside.saturating_add(1)
    }
}

impl From<Event> for Gen {
    fn from(event: Event) -> Gen {
        Gen::Event(Arc::new(event.into()))
    }
}

impl From<EventGen> for Gen {
    fn from(event: EventGen) -> Gen {
        Gen::Event(Arc::new(event))
    }
}

impl From<Trace> for Gen {
    fn from(trace: Trace) -> Gen {
        match trace {
            Trace::Unit => Gen::Unit,
            Trace::Event(_, event) => event.into(),
            Trace::Seq(parts) => Gen::seq(parts.into_iter().map(Gen::from)),
            Trace::Assert(prop) => Gen::Assert(prop),
            Trace::Let(name, value) => Gen::Let(name, value),
            Trace::Try(inner) => Gen::from(*inner).attempt(),
            Trace::Then(guard, inner) => Gen::from(*inner).when(guard),
            Trace::Keeps(inner, value) => Gen::from(*inner).keeps(value),
            Trace::Always(inner, prop) => Gen::from(*inner).always(prop),
            Trace::Auto(_, auto, _) => Gen::Auto(auto),
        }
    }
}

impl Shr for Gen {
    type Output = Gen;

    /// One after the other.
    fn shr(self, next: Gen) -> Gen {
        Gen::seq([self, next])
    }
}

impl BitOr for Gen {
    type Output = Gen;

    /// One or the other. Flat: `a | b | c` is uniform over three.
    fn bitor(self, other: Gen) -> Gen {
        Gen::choice([self, other])
    }
}
