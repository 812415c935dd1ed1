//! Tokens into the tree of [`crate::ast`]: what expressions and items share, and the recovery.
//!
//! Written by hand: the grammar is small, and what matters is what is said about text that is not
//! in it. After an error the parser goes on at the next thing that it is sure of: a closing
//! bracket, or a line that begins with the word of an item. Until then it is silent.

mod expr;
mod item;
mod mapping;
mod operand;
mod temporal;

pub(crate) use operand::OPERATOR_WORDS;

use crate::Words;
use crate::ast::{Kind, Name, Node, Span};
use crate::diagnostic::{Draft, Sink, shorten};
use crate::token::{Tok, Token};
use capuchin_ui::{Str, suggest};

/// How deeply expressions may nest. Everything that walks a tree recurses, so this is what keeps
/// the stack.
pub(crate) const DEPTH: u16 = 200;

/// The words that begin an item. None of them begins an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemWord {
    Val,
    Def,
    Predicate,
    Value,
    Environment,
    Check,
    ForAll,
    Always,
    Property,
    Monitor,
    Expect,
    Device,
    Seed,
    Cases,
    Model,
    Import,
    Object,
    Fact,
    Operator,
    Verify,
    Goal,
    Case,
}

/// How each of them is written.
pub(crate) const ITEMS: [(&str, ItemWord); 22] = [
    ("val", ItemWord::Val),
    ("def", ItemWord::Def),
    ("predicate", ItemWord::Predicate),
    ("value", ItemWord::Value),
    ("environment", ItemWord::Environment),
    ("check", ItemWord::Check),
    ("forAll", ItemWord::ForAll),
    ("always", ItemWord::Always),
    ("property", ItemWord::Property),
    ("monitor", ItemWord::Monitor),
    ("expect", ItemWord::Expect),
    ("device", ItemWord::Device),
    ("seed", ItemWord::Seed),
    ("cases", ItemWord::Cases),
    ("model", ItemWord::Model),
    ("import", ItemWord::Import),
    ("object", ItemWord::Object),
    ("fact", ItemWord::Fact),
    ("operator", ItemWord::Operator),
    ("verify", ItemWord::Verify),
    ("goal", ItemWord::Goal),
    ("case", ItemWord::Case),
];

impl ItemWord {
    pub(crate) fn of(word: &str) -> Option<ItemWord> {
        ITEMS.iter().find(|(written, _)| *written == word).map(|(_, item)| *item)
    }
}

pub(crate) struct Parser<'s> {
    source: &'s str,
    tokens: &'s [Token],
    at: usize,
    sink: &'s mut Sink,
    words: &'s Words,
    /// How many brackets are open: inside, the end of a line says nothing.
    open: usize,
    depth: u16,
    /// Whether the operators of temporal properties are words here.
    temporal: bool,
    /// Those of them that the file defines as names.
    names: Vec<&'s str>,
    /// Set by an error, cleared where the parser is sure again. No error is reported while it is
    /// set.
    lost: bool,
}

impl<'s> Parser<'s> {
    pub(crate) fn new(
        source: &'s str,
        tokens: &'s [Token],
        sink: &'s mut Sink,
        words: &'s Words,
    ) -> Self {
        let names = temporal::defined(source, tokens);
        let (temporal, lost) = (false, false);
        Parser { source, tokens, at: 0, sink, words, open: 0, depth: 0, temporal, names, lost }
    }

    /// A source that is one expression.
    pub(crate) fn whole_expression(mut self) -> Node {
        let node = self.expr(0);
        if self.tok() != Tok::End {
            self.expected("an operator or the end");
        }
        node
    }

    fn token(&self) -> Token {
        let end = Span::new(self.source.len(), self.source.len());
        let last = Token { tok: Tok::End, span: end, new_line: true };
        self.tokens.get(self.at).or(self.tokens.last()).copied().unwrap_or(last)
    }

    fn tok(&self) -> Tok {
        self.token().tok
    }

    fn text(&self) -> &'s str {
        self.token().span.of(self.source)
    }

    fn previous(&self) -> Span {
        let index = self.at.saturating_sub(1);
        self.tokens.get(index).map_or(Span::new(0, 0), |token| token.span)
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.tok != Tok::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, tok: Tok) -> bool {
        let found = self.tok() == tok;
        if found {
            self.bump();
        }
        found
    }

    fn at_word(&self, word: &str) -> bool {
        self.tok() == Tok::Word && self.text() == word
    }

    /// Whether the next token begins an item, so that no expression can go on with it.
    fn at_item(&self) -> bool {
        if self.tok() != Tok::Word || ItemWord::of(self.text()).is_none() {
            return false;
        }
        let is_next = |tok| {
            self.tokens.get(self.at + 1).is_some_and(|next| next.tok == tok && !next.new_line)
        };
        let begins_line = self.token().new_line && self.open == 0;
        match self.text() {
            // `value(#id)` is also an expression.
            "value" => is_next(Tok::Word),
            // A name like any other, unless what it declares follows, or something that was to be
            // it.
            "monitor" | "expect" | "model" | "import" | "goal" | "case" => {
                is_next(Tok::Text) || (begins_line && self.an_operand_follows())
            }
            "property" => is_next(Tok::Text) || (begins_line && self.begins_formula(self.at + 1)),
            "verify" => begins_line && self.an_operand_follows(),
            // A model may call something like an operator of ours: `fact contains(a, b) = ...`.
            "object" | "fact" | "operator" => {
                begins_line && (self.an_operand_follows() || self.begins_rule())
            }
            // `always` is also an operator: on the same line, or inside brackets.
            "always" => begins_line,
            _ => true,
        }
    }

    /// Whether a name and what is said of it follow, on the same line.
    fn begins_rule(&self) -> bool {
        let next = |by: usize| self.tokens.get(self.at + by).filter(|next| !next.new_line);
        next(1).is_some_and(|name| name.tok == Tok::Word)
            && next(2).is_some_and(|it| matches!(it.tok, Tok::Open('(') | Tok::Assign))
    }

    /// Whether nothing can follow: the end, or an item that begins on a line of its own.
    fn at_stop(&self) -> bool {
        self.tok() == Tok::End || (self.at_item() && self.token().new_line)
    }

    fn node(&mut self, span: Span, children: u16, kind: Kind) -> Node {
        if children >= DEPTH {
            self.too_deep(span);
            return Node { span, depth: 1, kind: Kind::Error };
        }
        Node { span, depth: children + 1, kind }
    }

    fn leaf(&mut self, span: Span, kind: Kind) -> Node {
        Node { span, depth: 1, kind }
    }

    fn error_node(&self, span: Span) -> Node {
        Node { span, depth: 1, kind: Kind::Error }
    }

    fn too_deep(&mut self, span: Span) {
        let start = Span { end: span.start.saturating_add(1).min(span.end), ..span };
        self.report(
            Draft::error(format!("this nests more than {DEPTH} deep"), start, "it begins here")
                .help("name a part of it with `val NAME = ...`"),
        );
        self.skip_to_item();
    }

    /// Reports it, unless the parser is lost already.
    fn report(&mut self, draft: Draft) {
        if !self.lost {
            self.sink.report(draft);
        }
        self.lost = true;
    }

    /// Reports that something else should stand here.
    fn expected(&mut self, what: &str) {
        self.expected_with(what, None);
    }

    fn expected_with(&mut self, what: &str, help: Option<String>) {
        let token = self.token();
        let message = format!("expected {what}, found {}", self.found());
        // An unknown character has been reported by the lexer.
        if token.tok == Tok::Unknown {
            self.lost = true;
            return;
        }
        let help = self.hint().or(help).or_else(|| self.near_operator());
        let mut draft = Draft::error(message, token.span, format!("{what} belongs here"));
        if token.new_line && self.at > 0 {
            draft = draft.also(self.previous(), "after this");
        }
        self.report(draft.maybe_help(help));
    }

    /// What the next token may have been meant as.
    fn hint(&self) -> Option<String> {
        match (self.tok(), self.text()) {
            (Tok::Arrow, _) => {
                Some("`->` stands between a weight and its arm: `frequency(3 -> a, 1 -> b)`".into())
            }
            (Tok::FatArrow, _) => Some("for \"implies\", write `==>`".into()),
            (Tok::Word, word) if self.words.is_policy(word) => {
                let before = self.previous().of(self.source);
                suggest(before, ["auto"]).map(|auto| format!("did you mean `{auto} {word}`?"))
            }
            _ => None,
        }
    }

    /// The word between expressions that the next token is nearly.
    fn near_operator(&self) -> Option<String> {
        let word = self.text();
        if self.tok() != Tok::Word || self.at_item() {
            return None;
        }
        let near = suggest(word, OPERATOR_WORDS.into_iter().chain(["always"]))?;
        (near != word).then(|| format!("did you mean `{near}`?"))
    }

    fn found(&self) -> String {
        match self.tok() {
            Tok::End => "the end of the file".into(),
            Tok::Text | Tok::OpenText => format!("the text {}", shorten(self.text())),
            _ => format!("`{}`", shorten(self.text())),
        }
    }

    /// Goes to the next item, or to the end.
    fn skip_to_item(&mut self) {
        self.open = 0;
        while !self.at_stop() {
            self.bump();
        }
    }

    /// Goes behind the bracket that closes what is open, or to where nothing can follow.
    fn skip_to_close(&mut self, close: char) {
        let mut inner: usize = 0;
        while !self.at_stop() {
            match self.tok() {
                Tok::Open(_) => inner += 1,
                Tok::Close(_) if inner > 0 => inner -= 1,
                Tok::Close(c) => {
                    if c == close {
                        self.bump();
                        self.lost = false;
                    }
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Reads the bracket that closes the one at `opener`.
    fn close(&mut self, opener: Span, close: char) {
        if self.eat(Tok::Close(close)) {
            self.lost = false;
            return;
        }
        if self.at_stop() {
            let end = self.previous();
            self.report(
                Draft::error(
                    format!("this `{}` is not closed", opener.of(self.source)),
                    opener,
                    "it begins here",
                )
                .also(Span { start: end.end, ..end }, format!("`{close}` is missing"))
                .help(format!("add `{close}`")),
            );
        } else {
            self.expected(&format!("an operator or `{close}`"));
            self.skip_to_close(close);
        }
    }

    /// Runs a part inside brackets, where the ends of lines say nothing.
    fn inside<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.open += 1;
        let result = part(self);
        self.open = self.open.saturating_sub(1);
        result
    }

    fn word_name(&mut self) -> Name {
        let token = self.bump();
        Name { text: Str::from(token.span.of(self.source)), span: token.span }
    }
}
