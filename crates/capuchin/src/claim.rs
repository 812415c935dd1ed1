//! What was to hold, twice: as its author wrote it, and with remembered values in the place of
//! names.
//!
//! On its own because the two have different readers. What is written tells failures apart,
//! whatever the values were in this run; what is bound is judged, printed and saved, and runs again
//! without the `let` that the values came from.

use capuchin_trace::{Expr, Prop};
use capuchin_ui::{Str, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// A property or a value, as written and as it was judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim<T> {
    /// As its author wrote it, names and all.
    pub written: T,
    /// With remembered values in the place of names.
    pub bound: T,
    /// The names in it under which nothing could be remembered, for it was not on the screen.
    pub missing: Vec<Str>,
}

impl<T: Clone> Claim<T> {
    /// One without remembered values.
    pub(crate) fn plain(written: T) -> Self {
        Claim { bound: written.clone(), written, missing: Vec::new() }
    }

    /// The claim that is made when what is bound is run by itself.
    pub(crate) fn again(&self) -> Self {
        Claim::plain(self.bound.clone())
    }
}

impl<T: fmt::Display> fmt::Display for Claim<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.written.fmt(f)?;
        for (i, name) in self.missing.iter().enumerate() {
            write!(f, "{}{name} is missing", if i > 0 { " and " } else { ", where " })?;
        }
        Ok(())
    }
}

/// The values that a run has remembered so far, by their names.
#[derive(Debug, Default)]
pub(crate) struct Memory(BTreeMap<Str, Option<Value>>);

impl Memory {
    pub(crate) fn keep(&mut self, name: &Str, value: Option<Value>) {
        self.0.insert(name.clone(), value);
    }

    fn meaning(&self, name: &str) -> Option<Expr> {
        self.0.get(name).map(|value| Expr::literal(value.clone()))
    }

    /// The property with what is remembered in the place of names.
    pub(crate) fn bound<'p>(&self, prop: &'p Prop) -> Cow<'p, Prop> {
        // Most runs remember nothing, and judge millions of properties.
        if self.0.is_empty() {
            return Cow::Borrowed(prop);
        }
        Cow::Owned(prop.bound(&|name| self.meaning(name)))
    }

    /// The same, beside the property as written.
    pub(crate) fn prop(&self, prop: &Prop) -> Claim<Prop> {
        let missing = self.names(|visit| prop.visit_values(visit), Option::is_none);
        Claim { written: prop.clone(), bound: self.bound(prop).into_owned(), missing }
    }

    /// The value with what is remembered in the place of names, beside the value as written.
    pub(crate) fn expr(&self, value: &Expr) -> Claim<Expr> {
        let missing = self.names(|visit| value.visit(visit), Option::is_none);
        Claim { written: value.clone(), bound: value.bound(&|name| self.meaning(name)), missing }
    }

    /// What is remembered under the names in a property, for people.
    pub(crate) fn seen(&self, prop: &Prop) -> Vec<String> {
        let names = self.names(|visit| prop.visit_values(visit), Option::is_some);
        let shown = names
            .iter()
            .filter_map(|name| self.meaning(name).map(|value| format!("{name} = {value}")));
        shown.collect()
    }

    /// The names among these expressions under which such a value is remembered.
    fn names<'e>(
        &self,
        visit_all: impl FnOnce(&mut dyn FnMut(&'e Expr)),
        wanted: impl Fn(&Option<Value>) -> bool,
    ) -> Vec<Str> {
        let mut names = Vec::new();
        visit_all(&mut |expr| {
            if let Expr::Remembered(name) = expr
                && self.0.get(name).is_some_and(&wanted)
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        });
        names
    }
}
