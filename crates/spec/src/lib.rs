//! The trace language as text: a parser that goes on after mistakes, and says what they are.
//!
//! [`parse`] reads a file ([`parse_with`] knows which policies there are), [`parse_gen`] a single
//! generator. What `capuchin-trace` prints, they read back. [`REFERENCE`] is the manual of
//! the language.
//!
//! ```
//! let parsed = capuchin_spec::parse(
//!     "example.capu",
//!     r#"
//!     val signIn = Type(#username, "test") :>> Click(button("Sign in"))
//!     check welcome = signIn *>> assert isDisplayed("Welcome")
//!     "#,
//! );
//! let spec = parsed.spec.expect("there are no mistakes in it");
//! assert_eq!(
//!     spec.checks[0].generator.to_string(),
//!     r#"Type(#username, "test") :>> Click(button("Sign in")) *>> assert isDisplayed("Welcome")"#
//! );
//! ```

mod ast;
mod diagnostic;
mod escape;
mod excerpt;
mod lexer;
mod lower;
mod mapping;
mod parser;
mod plans;
mod spec;
mod token;
mod words;

pub use diagnostic::Diagnostic;
pub use mapping::{Instances, Label, Level, Library, Mapping, ModelFiles, PLAN, Place, Reading};
pub use plans::{PlanError, UnfitError};
pub use spec::{Invariant, NamedGen, RunProperty, Spec};
pub use words::Words;

use ast::Span;
use capuchin_trace::Gen;
use diagnostic::{Draft, Sink};
use lower::is_reserved;
use std::sync::Arc;

/// The reference of the language.
pub const REFERENCE: &str = include_str!("reference.md");

/// The largest count: of repetitions, of steps of a monkey, of cases.
pub(crate) const MOST_TIMES: u32 = 1_000_000;

/// The largest source, in bytes.
const LONGEST: usize = 16 << 20;

/// What came of reading a file.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The spec; `None` if there are errors.
    pub spec: Option<Spec>,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a spec file. `name` is what diagnostics call it. Any name is taken for a policy: a run for
/// which there is no such policy ends with an error that says so.
pub fn parse(name: &str, source: &str) -> Parsed {
    parse_with(name, source, &Words::default())
}

/// Reads a spec file that may name only what is known where it will run.
///
/// ```
/// use capuchin_spec::{Words, parse_with};
///
/// let words = Words::new(["swifthand", "mine"]);
/// assert!(parse_with("a.capu", "auto mine 20", &words).spec.is_some());
/// assert!(parse_with("a.capu", "auto mime 20", &words).spec.is_none());
/// ```
pub fn parse_with(name: &str, source: &str, words: &Words) -> Parsed {
    let mut sink = Sink::default();
    let spec = read(source, &mut sink, |source, sink| {
        let tokens = lexer::lex(source, sink);
        let items = parser::Parser::new(source, &tokens, sink, words).items();
        let (mut spec, asked) = lower::spec(&items, sink, words);
        if !sink.has_errors() {
            spec.mapping = Mapping::new(name, source, items, asked).map(Arc::new);
        }
        spec
    });
    let spec = spec.filter(|_| !sink.has_errors());
    Parsed { spec, diagnostics: sink.finish(name, source) }
}

/// Reads a single generator, such as the trace of a failure.
///
/// Nothing can be declared in it. So a name that is like none in the language is taken for a
/// predicate where a property stands, and for an environment event where it is called as a step.
pub fn parse_gen(source: &str) -> Result<Gen, Vec<Diagnostic>> {
    let (mut sink, words) = (Sink::default(), Words::default());
    let generator = read(source, &mut sink, |source, sink| {
        let tokens = lexer::lex(source, sink);
        let node = parser::Parser::new(source, &tokens, sink, &words).whole_expression();
        lower::expression(&node, sink, &words)
    });
    match generator {
        Some(generator) if !sink.has_errors() => Ok(generator),
        _ => Err(sink.finish("trace", source)),
    }
}

fn read<T>(source: &str, sink: &mut Sink, read: impl FnOnce(&str, &mut Sink) -> T) -> Option<T> {
    if source.len() <= LONGEST {
        return Some(read(source, sink));
    }
    sink.report(Draft::error(
        format!("the file is larger than {} MiB", LONGEST >> 20),
        Span::new(0, 0),
        "this is no spec",
    ));
    None
}

/// Whether it is a name that can be written without quotes.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}
