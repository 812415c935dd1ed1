//! A predicate or a value whose definition travels with the spec, for devices that evaluate
//! scripts.
//!
//! On its own, and here instead of in the spec, because drivers take scripts, and drivers know
//! nothing of ours but `ui`.

use crate::{Quoted, Str};
use std::fmt;

/// A question to the app that is written in the language of its platform.
///
/// A device that says so in [`DeviceInfo::scripts`](crate::DeviceInfo::scripts) is given the
/// scripts of a spec when it is opened, and answers them by name, as
/// [`Predicates`](crate::Predicates) says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// What the spec calls it.
    pub name: Str,
    /// The names of its arguments in the source.
    pub parameters: Vec<Str>,
    /// An expression over its parameters, in JavaScript.
    pub source: String,
    /// Whether its answer is a text or a number; if not, it holds or does not.
    pub is_value: bool,
}

impl Script {
    /// The language that scripts are written in.
    pub const LANGUAGE: Str = Str::new_static("js");
}

impl fmt::Display for Script {
    /// The line of a spec that declares it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.is_value { "value" } else { "predicate" }, self.name)?;
        if !self.parameters.is_empty() {
            write!(f, "({})", self.parameters.join(", "))?;
        }
        // Between backticks nothing is escaped, so none can stand there.
        if self.source.contains('`') {
            write!(f, " = js {}", Quoted(&self.source))
        } else {
            write!(f, " = js `{}`", self.source)
        }
    }
}
