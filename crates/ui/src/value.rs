//! A value that is seen on a screen or passed to a predicate.
//!
//! On its own because predicates, environment events and properties exchange it, and it knows none
//! of them.

use crate::{Quoted, Str};
use std::fmt;

/// A value that is seen on a screen or passed to a predicate or an environment event.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A text.
    Text(Str),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => Quoted(text).fmt(f),
        }
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Value::Number(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.into())
    }
}
