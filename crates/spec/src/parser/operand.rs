//! What operators stand between: names, calls, literals, brackets, and what is attached to them.

use super::{DEPTH, Parser};
use crate::ast::{Binary, Kind, Name, Node, Span};
use crate::diagnostic::Draft;
use crate::escape::unquote;
use crate::token::Tok;
use capuchin_ui::Str;

impl Parser<'_> {
    /// An operand with what follows it: `?`, `[n]`, `in`.
    pub(super) fn postfix(&mut self) -> Node {
        let mut node = self.primary();
        loop {
            let start = node.span;
            match self.tok() {
                Tok::Question => {
                    let end = self.bump().span;
                    node = self.node(start.to(end), node.depth, Kind::Try(Box::new(node)));
                }
                Tok::Open('[') if !self.token().new_line => {
                    let opener = self.bump().span;
                    let n = self.inside(|p| p.expr(0));
                    self.close(opener, ']');
                    let (span, depth) = (start.to(self.previous()), node.depth.max(n.depth));
                    node = self.node(span, depth, Kind::Nth(Box::new(node), Box::new(n)));
                }
                Tok::Word if self.text() == "in" => {
                    self.bump();
                    // To the right: what is in something that is in something.
                    let outer = self.nested_postfix();
                    let (span, depth) = (start.to(outer.span), node.depth.max(outer.depth));
                    let kind = Kind::Binary(Binary::In, Box::new(node), Box::new(outer));
                    return self.node(span, depth, kind);
                }
                _ => return node,
            }
        }
    }

    fn nested_postfix(&mut self) -> Node {
        if self.depth >= DEPTH {
            let span = self.token().span;
            self.too_deep(span);
            return self.error_node(span);
        }
        self.depth += 1;
        let node = self.postfix();
        self.depth -= 1;
        node
    }

    pub(super) fn primary(&mut self) -> Node {
        let token = self.token();
        let text = token.span.of(self.source);
        match token.tok {
            Tok::Word if !self.at_item() && !is_operator_word(text) => self.word(),
            Tok::Number => {
                self.bump();
                let number = self.number(token.span);
                self.leaf(token.span, Kind::Number(number))
            }
            Tok::Text | Tok::OpenText => {
                self.bump();
                // What follows on the line is most likely part of it.
                self.lost |= token.tok == Tok::OpenText;
                self.leaf(token.span, Kind::Text(unquote(text)))
            }
            Tok::Id => {
                self.bump();
                self.leaf(token.span, Kind::Id(Str::from(text.trim_start_matches('#'))))
            }
            Tok::Class => {
                self.bump();
                self.leaf(token.span, Kind::Class(Str::from(text.trim_start_matches('.'))))
            }
            Tok::Unit => {
                self.bump();
                self.leaf(token.span, Kind::Unit)
            }
            Tok::Star => {
                self.bump();
                self.leaf(token.span, Kind::Any)
            }
            Tok::Tilde => {
                self.bump();
                let part = self.nested_primary();
                let span = token.span.to(part.span);
                self.node(span, part.depth, Kind::Part(Box::new(part)))
            }
            Tok::Open('(') => self.parenthesis(),
            Tok::Open('{') => {
                let opener = self.bump().span;
                let inner = self.inside(|p| p.expr(0));
                self.close(opener, '}');
                let span = opener.to(self.previous());
                self.node(span, inner.depth, Kind::Group(Box::new(inner)))
            }
            _ => {
                self.expected("an expression");
                // What closes or begins something else is left for whoever waits for it.
                let keep = matches!(token.tok, Tok::Close(_) | Tok::Comma | Tok::End)
                    || self.at_item()
                    || self.infix().is_some();
                if !keep {
                    self.bump();
                }
                self.error_node(token.span)
            }
        }
    }

    fn nested_primary(&mut self) -> Node {
        if self.depth >= DEPTH {
            let span = self.token().span;
            self.too_deep(span);
            return self.error_node(span);
        }
        self.depth += 1;
        let node = self.primary();
        self.depth -= 1;
        node
    }

    fn number(&mut self, span: Span) -> f64 {
        let text = span.of(self.source);
        let number = match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).map(|n| n as f64).ok(),
            None => text.parse::<f64>().ok(),
        };
        match number {
            Some(number) if number.is_finite() => number,
            _ => {
                // What is no number at all has been reported by the lexer, at the same place.
                self.sink.report(Draft::error("this number is too large", span, "too large"));
                0.0
            }
        }
    }

    fn word(&mut self) -> Node {
        let name = self.word_name();
        if name.text == "unit" {
            return self.leaf(name.span, Kind::Unit);
        }
        if self.tok() != Tok::Open('(') || self.token().new_line {
            return self.leaf(name.span, Kind::Name(name.text));
        }
        let opener = self.bump().span;
        let args = self.inside(Self::arguments);
        self.close(opener, ')');
        let depth = args.iter().map(|arg| arg.depth).max().unwrap_or(0);
        let span = name.span.to(self.previous());
        self.node(span, depth, Kind::Call(Name { text: name.text, span: name.span }, args))
    }

    /// What stands between the parentheses of a call.
    pub(super) fn arguments(&mut self) -> Vec<Node> {
        let mut args = Vec::new();
        while !matches!(self.tok(), Tok::Close(_) | Tok::End) && !self.at_stop() {
            args.push(self.argument());
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        args
    }

    /// An argument, perhaps with a weight: `3 -> a`.
    fn argument(&mut self) -> Node {
        let first = self.expr(0);
        if !self.eat(Tok::Arrow) {
            return first;
        }
        let arm = self.expr(0);
        let (span, depth) = (first.span.to(arm.span), first.depth.max(arm.depth));
        self.node(span, depth, Kind::Arrow(Box::new(first), Box::new(arm)))
    }

    /// `(a)` is `a`; `(a, b)` is a point, or a weight and its arm.
    fn parenthesis(&mut self) -> Node {
        let opener = self.bump().span;
        let mut parts = self.inside(Self::arguments);
        let empty = parts.is_empty();
        if empty && self.tok() == Tok::Close(')') {
            self.expected("an expression");
        }
        self.close(opener, ')');
        let span = opener.to(self.previous());
        let depth = parts.iter().map(|part| part.depth).max().unwrap_or(0);
        match parts.pop() {
            None => self.error_node(span),
            Some(only) if parts.is_empty() => self.node(span, depth, Kind::Group(Box::new(only))),
            Some(last) => {
                parts.push(last);
                self.node(span, depth, Kind::Tuple(parts))
            }
        }
    }
}

/// The words that stand between expressions, and so are no names.
pub(crate) const OPERATOR_WORDS: [&str; 6] =
    ["preserves", "keeps", "then", "matches", "contains", "in"];

pub(super) fn is_operator_word(text: &str) -> bool {
    text == "always" || OPERATOR_WORDS.contains(&text)
}
