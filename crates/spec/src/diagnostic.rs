//! What is said about a spec that is wrong or easily misread: one message, where, and what to do.
//!
//! On its own because the lexer, the parser and the lowering all report, and because a file of
//! noise must not yield a million messages: the [`Sink`] keeps one for each place, and not too
//! many.

use crate::ast::Span;
use crate::excerpt::Excerpt;
use capuchin_ui::Visible;
use miette::{LabeledSpan, Severity, SourceCode};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// How many errors, and how many warnings, are shown; the rest are counted.
const SHOWN: usize = 20;

/// One thing that is wrong with a spec, or that may not mean what its author thinks.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Diagnostic {
    message: String,
    severity: Severity,
    labels: Vec<LabeledSpan>,
    help: Option<String>,
    source_code: Arc<Excerpt>,
}

impl Diagnostic {
    /// An error at a place of any text, such as a file that a specification names.
    pub fn at(
        (name, source): (&str, &str),
        place: Range<usize>,
        message: impl Into<String>,
        label: impl Into<String>,
        help: Option<String>,
    ) -> Self {
        let source_code = Arc::new(Excerpt::new(name, source));
        let length = source_code.label_length(place.start, place.len());
        let label = Visible(&label.into()).to_string();
        Diagnostic {
            message: Visible(&message.into()).to_string(),
            severity: Severity::Error,
            labels: vec![LabeledSpan::new(Some(label), place.start, length)],
            help: help.map(|help| Visible(&help).to_string()),
            source_code,
        }
    }

    /// Whether the spec cannot be used because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl miette::Diagnostic for Diagnostic {
    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        if self.labels.is_empty() { None } else { Some(&self.source_code) }
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        if self.labels.is_empty() { None } else { Some(Box::new(self.labels.iter().cloned())) }
    }
}

/// A diagnostic before it knows its source.
#[derive(Debug)]
pub(crate) struct Draft {
    message: String,
    severity: Severity,
    labels: Vec<(Span, String)>,
    help: Option<String>,
}

impl Draft {
    pub(crate) fn error(message: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        Draft {
            message: message.into(),
            severity: Severity::Error,
            labels: vec![(span, label.into())],
            help: None,
        }
    }

    pub(crate) fn warning(
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Self {
        Draft { severity: Severity::Warning, ..Draft::error(message, span, label) }
    }

    pub(crate) fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.labels.push((span, label.into()));
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}

/// Where everything is reported to.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    kept: Vec<Draft>,
    /// The places that have been reported: a definition is lowered wherever it is used, and its
    /// mistakes are told once.
    places: BTreeSet<(u32, u32)>,
    errors: usize,
    warnings: usize,
}

impl Sink {
    pub(crate) fn report(&mut self, draft: Draft) {
        let place = draft.labels.first().map_or((0, 0), |(span, _)| (span.start, span.end));
        if !self.places.insert(place) {
            return;
        }
        let count = match draft.severity {
            Severity::Error => &mut self.errors,
            _ => &mut self.warnings,
        };
        *count += 1;
        if *count <= SHOWN {
            self.kept.push(draft);
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether nobody will see what else is wrong, so that looking for suggestions is idle.
    pub(crate) fn is_full(&self) -> bool {
        self.errors >= SHOWN
    }

    /// The diagnostics in the order of the text.
    pub(crate) fn finish(mut self, name: &str, source: &str) -> Vec<Diagnostic> {
        if self.kept.is_empty() {
            return Vec::new();
        }
        self.kept.sort_by_key(|draft| draft.labels.first().map_or(0, |(span, _)| span.start));
        let source_code = Arc::new(Excerpt::new(name, source));
        let mut all: Vec<Diagnostic> = self
            .kept
            .into_iter()
            .map(|draft| Diagnostic {
                message: Visible(&draft.message).to_string(),
                severity: draft.severity,
                labels: draft
                    .labels
                    .into_iter()
                    .map(|(span, label)| {
                        let start = span.start as usize;
                        let length = source_code.label_length(start, span.len());
                        LabeledSpan::new(Some(Visible(&label).to_string()), start, length)
                    })
                    .collect(),
                help: draft.help.map(|help| Visible(&help).to_string()),
                source_code: Arc::clone(&source_code),
            })
            .collect();
        let more = [
            (self.errors, Severity::Error, "error"),
            (self.warnings, Severity::Warning, "warning"),
        ];
        for (count, severity, noun) in more {
            let Some(hidden @ 1..) = count.checked_sub(SHOWN) else { continue };
            let plural = if hidden == 1 { "" } else { "s" };
            all.push(Diagnostic {
                message: format!("and {hidden} more {noun}{plural}"),
                severity,
                labels: Vec::new(),
                help: None,
                source_code: Arc::clone(&source_code),
            });
        }
        all
    }
}

/// A piece of source for a message: one line, and not a long one.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 32;
    let line = text.lines().next().unwrap_or_default();
    if line.len() == text.len() && line.chars().count() <= LONGEST {
        return line.to_owned();
    }
    let start: String = line.chars().take(LONGEST - 1).collect();
    format!("{start}…")
}
