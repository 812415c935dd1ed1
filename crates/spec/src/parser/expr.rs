//! Expressions, by precedence climbing. The table of levels is in `reference.md`, and here.

use super::operand::is_operator_word;
use super::{DEPTH, Parser};
use crate::ast::{Binary, Counted, Join, Kind, Many, Name, Node, Prefix, Span, Temporal};
use crate::diagnostic::Draft;
use crate::escape::unquote;
use crate::token::Tok;
use capuchin_trace::{Arithmetic, Comparison, Gen, Injection};
use capuchin_ui::suggest;

/// How tightly operators bind, from the loosest.
pub(super) mod level {
    pub(super) const ALWAYS: u8 = 1;
    pub(super) const BARS: u8 = 2;
    pub(super) const CHAIN: u8 = 3;
    pub(super) const STEP: u8 = 4;
    pub(super) const CHOICE: u8 = 5;
    pub(super) const LEADS_TO: u8 = 6;
    pub(super) const IMPLIES: u8 = 7;
    pub(super) const OR: u8 = 8;
    pub(super) const AND: u8 = 9;
    pub(super) const UNTIL: u8 = 10;
    pub(in crate::parser) const COMPARE: u8 = 11;
    pub(super) const ADD: u8 = 12;
    pub(super) const MULTIPLY: u8 = 13;
    pub(super) const EITHER: u8 = 14;
}

/// An operator between two operands.
pub(super) enum Infix {
    Chain,
    Many(Many),
    Binary(Binary),
    Temporal(Temporal),
}

impl Parser<'_> {
    /// An expression of operators that bind at least this tightly.
    pub(super) fn expr(&mut self, least: u8) -> Node {
        if self.depth >= DEPTH {
            let span = self.token().span;
            self.too_deep(span);
            return self.error_node(span);
        }
        self.depth += 1;
        let mut left = self.prefix();
        while let Some((level, operator)) = self.infix().filter(|(level, _)| *level >= least) {
            left = self.operation(left, level, &operator);
        }
        self.depth -= 1;
        left
    }

    /// The operator that stands next, and its level.
    pub(super) fn infix(&self) -> Option<(u8, Infix)> {
        let binary = |level, operator| Some((level, Infix::Binary(operator)));
        let compare = |how| Some((level::COMPARE, Infix::Binary(Binary::Compare(how))));
        let arithmetic = |level, how| Some((level, Infix::Binary(Binary::Arithmetic(how))));
        match self.tok() {
            Tok::Seq | Tok::StarSeq => Some((level::CHAIN, Infix::Chain)),
            Tok::Choice => Some((level::CHOICE, Infix::Many(Many::Choice))),
            Tok::Or => Some((level::OR, Infix::Many(Many::Or))),
            Tok::And => Some((level::AND, Infix::Many(Many::And))),
            Tok::Bar => Some((level::EITHER, Infix::Many(Many::Either))),
            Tok::Bars => binary(level::BARS, Binary::Interleave),
            Tok::Implies => binary(level::IMPLIES, Binary::Implies),
            Tok::Equal | Tok::Assign => compare(Comparison::Equal),
            Tok::NotEqual => compare(Comparison::NotEqual),
            Tok::Less => compare(Comparison::Less),
            Tok::LessOrEqual => compare(Comparison::LessOrEqual),
            Tok::Greater => compare(Comparison::Greater),
            Tok::GreaterOrEqual => compare(Comparison::GreaterOrEqual),
            Tok::Plus => arithmetic(level::ADD, Arithmetic::Add),
            Tok::Minus => arithmetic(level::ADD, Arithmetic::Subtract),
            Tok::Star => arithmetic(level::MULTIPLY, Arithmetic::Multiply),
            Tok::Slash => arithmetic(level::MULTIPLY, Arithmetic::Divide),
            Tok::Percent => arithmetic(level::MULTIPLY, Arithmetic::Remainder),
            Tok::Word => match self.text() {
                "always" if !self.at_item() => binary(level::ALWAYS, Binary::Always),
                "preserves" => binary(level::STEP, Binary::Preserves),
                "keeps" => binary(level::STEP, Binary::Keeps),
                "then" => binary(level::STEP, Binary::Then),
                "matches" => binary(level::COMPARE, Binary::Matches),
                "contains" => binary(level::COMPARE, Binary::Contains),
                "and" => Some((level::AND, Infix::Many(Many::And))),
                "or" => Some((level::OR, Infix::Many(Many::Or))),
                _ => match self.temporal_word()? {
                    Temporal::Until => Some((level::UNTIL, Infix::Temporal(Temporal::Until))),
                    Temporal::LeadsTo => {
                        Some((level::LEADS_TO, Infix::Temporal(Temporal::LeadsTo)))
                    }
                    _ => None,
                },
            },
            _ => None,
        }
    }

    fn operation(&mut self, left: Node, level: u8, operator: &Infix) -> Node {
        let at = self.bump();
        self.refuse_foreign(at.span);
        match operator {
            Infix::Chain => self.chain(left, at.tok),
            Infix::Temporal(which) => self.temporal_infix(*which, left, level),
            Infix::Many(which) => {
                let right = self.expr(level + 1);
                let span = left.span.to(right.span);
                match left.kind {
                    Kind::Many(same, mut parts) if same == *which => {
                        // The list has its own level in the depth of `left` already.
                        let depth = (left.depth - 1).max(right.depth);
                        parts.push(right);
                        self.node(span, depth, Kind::Many(same, parts))
                    }
                    kind => {
                        let depth = left.depth.max(right.depth);
                        let left = Node { kind, ..left };
                        self.node(span, depth, Kind::Many(*which, vec![left, right]))
                    }
                }
            }
            Infix::Binary(binary) => {
                let chained = level == level::COMPARE && is_comparison(&left.kind);
                if chained {
                    self.report(
                        Draft::error("comparisons do not chain", at.span, "the second in a row")
                            .also(left.span, "this is a property, true or false")
                            .help("join two comparisons with `/\\`"),
                    );
                }
                // Everything associates to the left but what has a condition before it.
                let to_the_right = matches!(binary, Binary::Implies | Binary::Then);
                let right_least = if to_the_right { level } else { level + 1 };
                let right = self.expr(right_least);
                let (span, depth) = (left.span.to(right.span), left.depth.max(right.depth));
                if chained {
                    return self.error_node(span);
                }
                self.node(span, depth, Kind::Binary(*binary, Box::new(left), Box::new(right)))
            }
        }
    }

    /// Reports an operator that another language would have here; it is then taken for ours.
    fn refuse_foreign(&mut self, span: Span) {
        let text = span.of(self.source);
        let help = match text {
            "=" => "to compare, write `==`; to define something, `val NAME = ...`",
            "and" => "for \"and\", write `/\\`; for \"and then\", `:>>`",
            "or" => "for \"or\", write `\\/`; to choose, `<+>`",
            "not" => "for \"not\", write `!`",
            _ => return,
        };
        let message = format!("`{text}` is not an operator here");
        self.sink.report(Draft::error(message, span, "not known").help(help));
    }

    /// The rest of a chain whose first operator has just been read. Chains are long and flat.
    fn chain(&mut self, first: Node, mut operator: Tok) -> Node {
        let mut rest = Vec::new();
        let mut depth = first.depth;
        loop {
            let join = self.join(operator);
            let step = self.expr(level::CHAIN + 1);
            depth = depth.max(step.depth);
            rest.push((join, step));
            match self.tok() {
                Tok::Seq | Tok::StarSeq => operator = self.bump().tok,
                _ => break,
            }
        }
        self.warn_about_mixing(&first, &rest);
        let span = first.span.to(rest.last().map_or(first.span, |(_, step)| step.span));
        self.node(span, depth, Kind::Chain(Box::new(first), rest))
    }

    fn join(&mut self, operator: Tok) -> Join {
        if operator == Tok::Seq {
            return Join::Plain;
        }
        if !self.eat(Tok::Caret) {
            return Join::Interrupts(Gen::INTERRUPTS);
        }
        let token = self.token();
        if token.tok != Tok::Number {
            self.expected("the largest number of interrupts");
            return Join::Interrupts(Gen::INTERRUPTS);
        }
        self.bump();
        match token.span.of(self.source).parse::<u32>() {
            Ok(most) if most <= crate::MOST_TIMES => Join::Interrupts(most),
            _ => {
                self.sink.report(crate::lower::bad_count(token.span));
                Join::Interrupts(Gen::INTERRUPTS)
            }
        }
    }

    /// `a :>> b <+> c :>> d` and `P then a :>> b` read differently from how they look.
    fn warn_about_mixing(&mut self, first: &Node, rest: &[(Join, Node)]) {
        let steps: Vec<&Node> = std::iter::once(first).chain(rest.iter().map(|(_, n)| n)).collect();
        let bare = |arm: Option<&Node>| {
            arm.is_some_and(|arm| !matches!(arm.kind, Kind::Group(_) | Kind::Error))
        };
        for (index, step) in steps.iter().enumerate() {
            let (has_left, has_right) = (index > 0, index + 1 < steps.len());
            match &step.kind {
                Kind::Many(Many::Choice, arms)
                    if (has_left && bare(arms.first())) || (has_right && bare(arms.last())) =>
                {
                    self.sink.report(
                        Draft::warning(
                            "`<+>` binds tighter than `:>>`",
                            step.span,
                            "this choice is one step of the sequence",
                        )
                        .help(
                            "put braces around each arm, `{ a } <+> { b }`, \
                             or around the choice, `{ a <+> b }`",
                        ),
                    );
                }
                Kind::Binary(Binary::Then, _, guarded) if has_right && bare(Some(guarded)) => {
                    self.sink.report(
                        Draft::warning(
                            "`then` guards only the next step",
                            guarded.span,
                            "what follows this is done in any case",
                        )
                        .help("to guard it all, `P then { a :>> b }`; else `{ P then a } :>> b`"),
                    );
                }
                _ => {}
            }
        }
    }

    fn prefix(&mut self) -> Node {
        let start = self.token().span;
        let (prefix, least) = match (self.tok(), self.text()) {
            (Tok::Not, _) => (Prefix::Not, None),
            (Tok::Minus, _) => (Prefix::Negate, None),
            (Tok::Word, _) if self.at_temporal_prefix() => return self.temporal_prefix(),
            (Tok::Word, "assert") => (Prefix::Assert, Some(level::IMPLIES)),
            (Tok::Word, "optional") => (Prefix::Optional, None),
            (Tok::Word, "let") => return self.remember(),
            (Tok::Word, "auto") if self.begins_auto() => return self.auto(),
            (Tok::Word, "not") if self.an_operand_follows() => {
                self.refuse_foreign(start);
                (Prefix::Not, None)
            }
            (Tok::Word, word) => {
                let counted = Counted::ALL.into_iter().find(|(name, _)| *name == word);
                return match counted {
                    Some((_, counted)) => self.counted(counted),
                    None => self.postfix(),
                };
            }
            _ => return self.postfix(),
        };
        self.bump();
        let inner = match least {
            Some(least) => self.expr(least),
            None => self.nested_prefix(),
        };
        let span = start.to(inner.span);
        self.node(span, inner.depth, Kind::Prefix(prefix, Box::new(inner)))
    }

    /// `let name = value`
    fn remember(&mut self) -> Node {
        let start = self.bump().span;
        let name = self.name("the name to remember it under");
        let Some(name) = name.filter(|_| self.assign().is_some()) else {
            return self.error_node(start);
        };
        let value = self.expr(level::ADD);
        let span = start.to(value.span);
        self.node(span, value.depth, Kind::Let(name, Box::new(value)))
    }

    /// Whether the token after the next one begins an expression on the same line.
    pub(super) fn an_operand_follows(&self) -> bool {
        self.tokens.get(self.at + 1).is_some_and(|next| {
            let text = next.span.of(self.source);
            !next.new_line && next.tok == Tok::Word && !is_operator_word(text)
        })
    }

    /// The operand of a prefix, which may have a prefix itself: `!!a`.
    fn nested_prefix(&mut self) -> Node {
        if self.depth >= DEPTH {
            let span = self.token().span;
            self.too_deep(span);
            return self.error_node(span);
        }
        self.depth += 1;
        let node = self.prefix();
        self.depth -= 1;
        node
    }

    fn counted(&mut self, counted: Counted) -> Node {
        let start = self.bump().span;
        let mut least = None;
        let mut most = self.count();
        if counted == Counted::Repeat && self.eat(Tok::DotDot) {
            least = Some(Box::new(most));
            most = self.count();
        }
        let mut depth = most.depth.max(least.as_ref().map_or(0, |least| least.depth));
        let mut end = most.span;
        let body = counted.has_body().then(|| {
            let body = self.nested_prefix();
            depth = depth.max(body.depth);
            end = body.span;
            Box::new(body)
        });
        let kind = Kind::Counted(counted, least, Box::new(most), body);
        self.node(start.to(end), depth, kind)
    }

    /// Whether the next word is the word of the language and no name: what follows a name is an
    /// operator.
    fn begins_auto(&self) -> bool {
        let next = self.tokens.get(self.at + 1);
        self.an_operand_follows()
            || next.is_some_and(|next| next.tok == Tok::Number && !next.new_line)
    }

    /// `auto POLICY n`, `auto POLICY "text" n`, `auto POLICY n with g`, `auto POLICY n offering g`. The words between are
    /// words only here.
    fn auto(&mut self) -> Node {
        let start = self.bump().span;
        if self.tok() != Tok::Word {
            self.expected_with("the name of a policy", self.words.list_policies());
            return self.error_node(start);
        }
        let policy = self.word_name();
        let token = self.token();
        let argument = (token.tok == Tok::Text && !token.new_line).then(|| {
            self.bump();
            Name { text: unquote(token.span.of(self.source)), span: token.span }
        });
        let moves = self.count();
        let (mut depth, mut end) = (moves.depth, moves.span);
        let injection = Injection::ALL.into_iter().find(|how| self.at_word(how.name()));
        if injection.is_none()
            && self.an_operand_follows()
            && self.infix().is_none()
            && let Some(near) = suggest(self.text(), Injection::ALL.map(Injection::name))
        {
            let help = format!("did you mean `{near}`?");
            self.expected_with("an operator, `with` or `offering`", Some(help));
        }
        let script = injection.map(|how| {
            self.bump();
            let script = self.nested_prefix();
            depth = depth.max(script.depth);
            end = script.span;
            (how, Box::new(script))
        });
        self.node(start.to(end), depth, Kind::Auto(policy, argument, Box::new(moves), script))
    }

    /// How often: a number, a name, or something in parentheses. A name is no call here, so that
    /// `repeat n (a <+> b)` reads as in the paper.
    fn count(&mut self) -> Node {
        match self.tok() {
            Tok::Number | Tok::Open('(') => self.primary(),
            Tok::Word if !self.at_item() => {
                let name = self.word_name();
                self.leaf(name.span, Kind::Name(name.text))
            }
            _ => {
                self.expected("a number of times");
                self.error_node(self.token().span)
            }
        }
    }
}

fn is_comparison(kind: &Kind) -> bool {
    matches!(kind, Kind::Binary(Binary::Compare(_) | Binary::Matches | Binary::Contains, ..))
}
