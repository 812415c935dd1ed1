//! The operators of temporal properties: `next`, `always`, `eventually`, `until`, `leadsTo` and
//! `within`.
//!
//! On its own because they are words of the language only in a `property` and in definitions; a
//! file that defines one of them as a name keeps its name.

use super::expr::level;
use super::operand::is_operator_word;
use super::{DEPTH, ItemWord, Parser};
use crate::ast::{Kind, Node, Span, Temporal};
use crate::diagnostic::{Draft, shorten};
use crate::token::{Tok, Token};
use capuchin_trace::Limit;

const WITHIN: &str = "within";
/// What may stand after the number of a limit, and how many milliseconds that is; 0: steps.
const UNITS: [(&str, u64); 5] =
    [("steps", 0), ("step", 0), ("ms", 1), ("s", 1000), ("min", 60_000)];
/// The longest limit, in milliseconds: ten years, as for `Sleep`.
const LONGEST: u64 = 10 * 365 * 24 * 60 * 60 * 1000;
const EXAMPLE: &str = "for example `within 5`, which counts steps, or `within 500 ms`";

/// The operators that the file defines as names of its own.
pub(super) fn defined<'s>(source: &'s str, tokens: &[Token]) -> Vec<&'s str> {
    let word = |token: &Token| token.span.of(source);
    let names = tokens.windows(2).filter(|pair| matches!(word(&pair[0]), "val" | "def"));
    let operators = names.map(|pair| word(&pair[1]));
    let mut all: Vec<&str> = operators
        .filter(|name| *name == WITHIN || Temporal::ALL.iter().any(|(word, _)| word == name))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Parser<'_> {
    /// An expression in which these operators are words of the language.
    pub(super) fn temporal_expr(&mut self) -> Node {
        let outer = std::mem::replace(&mut self.temporal, true);
        let node = self.expr(0);
        self.temporal = outer;
        node
    }

    /// The operator that stands next.
    pub(super) fn temporal_word(&self) -> Option<Temporal> {
        if !self.temporal || self.tok() != Tok::Word || self.names.contains(&self.text()) {
            return None;
        }
        let word = self.text();
        Temporal::ALL.iter().find(|(written, _)| *written == word).map(|(_, which)| *which)
    }

    /// Whether a formula can begin with this token.
    pub(super) fn begins_formula(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| match token.tok {
            Tok::Word => {
                let word = token.span.of(self.source);
                let is_item = token.new_line && ItemWord::of(word).is_some();
                (!is_operator_word(word) || word == "always") && !is_item
            }
            Tok::Text | Tok::Id | Tok::Number | Tok::Minus | Tok::Not => true,
            Tok::Open(bracket) => bracket != '[',
            _ => false,
        })
    }

    pub(super) fn at_temporal_prefix(&self) -> bool {
        self.temporal_word().is_some_and(Temporal::is_prefix) && self.begins_formula(self.at + 1)
    }

    /// `next P`, `always P`, `eventually P within n`. What it is about binds as tightly as a
    /// comparison.
    pub(super) fn temporal_prefix(&mut self) -> Node {
        let which = self.temporal_word().unwrap_or(Temporal::Next);
        let start = self.token().span;
        if self.depth >= DEPTH {
            self.too_deep(start);
            return self.error_node(start);
        }
        self.bump();
        let inner = self.expr(level::COMPARE);
        let limit = if which == Temporal::Eventually { self.within() } else { None };
        let (span, depth) = (start.to(self.previous()), inner.depth);
        self.node(span, depth, Kind::Temporal(which, vec![inner], limit))
    }

    /// `P until Q within n`, `P leadsTo Q within n`, from behind the operator on.
    pub(super) fn temporal_infix(&mut self, which: Temporal, left: Node, level: u8) -> Node {
        let right = self.expr(level + 1);
        let limit = self.within();
        let (span, depth) = (left.span.to(self.previous()), left.depth.max(right.depth));
        self.node(span, depth, Kind::Temporal(which, vec![left, right], limit))
    }

    fn at_within(&self) -> bool {
        self.temporal && self.at_word(WITHIN) && !self.names.contains(&WITHIN)
    }

    /// Reports a limit that belongs to nothing.
    pub(super) fn refuse_within(&mut self) {
        if self.at_word(WITHIN) {
            self.report(
                Draft::error("nothing here has a limit", self.token().span, "not known here")
                    .help("`within` belongs to `eventually`, `until` and `leadsTo`"),
            );
        }
    }

    /// `within 5`, `within 500 ms`, or nothing.
    fn within(&mut self) -> Option<Limit> {
        if !self.at_within() {
            return None;
        }
        let word = self.bump().span;
        let token = self.token();
        match token.tok {
            Tok::Number if !token.new_line => self.bump(),
            Tok::Minus => {
                let end = self.tokens.get(self.at + 1).map_or(token.span, |next| next.span);
                let help = "a limit is a number from 0 on";
                self.report(
                    Draft::error("this limit is negative", token.span.to(end), "below 0")
                        .help(help),
                );
                return None;
            }
            _ => {
                self.expected_with("a number after `within`", Some(EXAMPLE.to_owned()));
                return None;
            }
        };
        let unit = self.unit()?;
        let whole = word.to(self.previous());
        let number = token.span.of(self.source).parse::<u64>().ok();
        match (number, unit) {
            (Some(steps), 0) if steps <= u64::from(crate::MOST_TIMES) => {
                Some(Limit::Steps(steps as u32))
            }
            (Some(number), 1..) if number.saturating_mul(unit) <= LONGEST => {
                Some(Limit::Millis(number * unit))
            }
            (None, _) => self.refuse_limit("a limit is a whole number", whole, EXAMPLE),
            (_, 0) => self.refuse_limit("a limit has at most 1,000,000 steps", whole, EXAMPLE),
            _ => self.refuse_limit("a limit is at most ten years", whole, EXAMPLE),
        }
    }

    fn refuse_limit(&mut self, message: &str, span: Span, help: &str) -> Option<Limit> {
        self.sink.report(Draft::error(message, span, "not such a limit").help(help));
        None
    }

    /// The unit that follows the number of a limit; `None` if it is unknown, which is reported.
    fn unit(&mut self) -> Option<u64> {
        let token = self.token();
        let word = self.text();
        if token.tok != Tok::Word
            || token.new_line
            || self.infix().is_some()
            || self.at_item()
            || self.at_within()
        {
            return Some(0);
        }
        let unit = UNITS.iter().find(|(name, _)| *name == word).map(|(_, unit)| *unit);
        if unit.is_none() {
            self.report(
                Draft::error(
                    format!("unknown unit `{}`", shorten(word)),
                    token.span,
                    "not known",
                )
                .help("write `ms`, `s` or `min` for the app's own time, or nothing to count steps"),
            );
        }
        self.bump();
        unit
    }
}
