//! The entries of a file: definitions, declarations, checks and settings.

use super::{ITEMS, ItemWord, OPERATOR_WORDS, Parser};
use crate::ast::{Item, Kind, Name, Node, Span};
use crate::diagnostic::{Draft, shorten};
use crate::escape::unquote;
use crate::lexer::SCRIPT;
use crate::token::Tok;
use capuchin_ui::{Str, suggest};

impl Parser<'_> {
    /// A whole file.
    pub(crate) fn items(mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.tok() != Tok::End {
            let before = self.at;
            let was_lost = std::mem::take(&mut self.lost);
            let indent = self.indent();
            if let Some(item) = self.item(was_lost) {
                items.push(item);
            }
            if self.lost {
                self.skip_to_item();
            }
            if self.at_word("always") && self.indent() > indent && !self.lost {
                self.warn_about_always();
            }
            if self.at == before {
                self.bump();
            }
        }
        items
    }

    /// How far the line of the next token is indented.
    fn indent(&self) -> usize {
        let before = self.source.get(..self.token().span.start as usize).unwrap_or_default();
        // Looking back from the token keeps a file of a single long line from costing its square.
        let token = self.token();
        if !token.new_line {
            return 0;
        }
        before.len() - before.trim_end_matches([' ', '\t']).len()
    }

    fn warn_about_always(&mut self) {
        let span = self.token().span;
        self.sink.report(
            Draft::warning(
                "this `always` is about the whole file",
                span,
                "it begins a line, so it does not belong to what stands above",
            )
            .help("to bind it to the generator above, write it on the same line as its end"),
        );
    }

    fn item(&mut self, was_lost: bool) -> Option<Item> {
        let start = self.token();
        if !self.at_item() {
            if matches!(start.tok, Tok::Close(_)) && !was_lost {
                let message = format!("this `{}` closes nothing", self.text());
                self.report(Draft::error(message, start.span, "no bracket is open here"));
                return None;
            }
            if !start.new_line && !was_lost && self.at > 0 {
                let help = self.near_operator().unwrap_or("join two steps with `:>>`".into());
                self.expected_with("an operator or a new line", Some(help));
                return None;
            }
            if let Some(word) = self.nearly_an_item() {
                let found = self.text();
                self.report(
                    Draft::error(
                        format!("unknown word `{}` at the beginning of an item", shorten(found)),
                        start.span,
                        "not known here",
                    )
                    .help(format!("did you mean `{word}`?")),
                );
                return None;
            }
            let node = self.expr(0);
            return Some(Item::Bare(node));
        }
        let word = ItemWord::of(self.text())?;
        self.bump();
        match word {
            ItemWord::Val | ItemWord::Def => self.definition(),
            ItemWord::Predicate => {
                let name = self.name("the name of the predicate")?;
                let params = self.parameters()?;
                if self.tok() == Tok::Assign {
                    return self.script(name, params, false);
                }
                Some(Item::Predicate(name, params.map(|p| p.len())))
            }
            ItemWord::Value => {
                let name = self.name("the name of the value")?;
                let params = self.parameters()?;
                self.script(name, params, true)
            }
            ItemWord::Environment => {
                let name = self.name("the name of the environment event")?;
                Some(Item::Environment(name, self.parameters()?.map(|p| p.len())))
            }
            ItemWord::Check => {
                let name = self.check_name()?;
                self.assign()?;
                let body = self.expr(0);
                Some(Item::Check(name, body))
            }
            ItemWord::ForAll => self.for_all(start.span),
            ItemWord::Always => {
                let label = self.label();
                let prop = self.expr(0);
                Some(Item::Always(label, prop))
            }
            ItemWord::Property => {
                let label = self.label();
                let formula = self.temporal_expr();
                self.refuse_within();
                Some(Item::Property(label, formula))
            }
            ItemWord::Monitor => {
                let (span, name) = self.quoted_name("a monitor", "monitor \"total\"")?;
                Some(Item::Monitor(start.span.to(span), name))
            }
            ItemWord::Expect => {
                let example = "expect \"crashed null at Main\"";
                let (span, failure) = self.quoted_name("a failure", example)?;
                Some(Item::Expect(start.span.to(span), failure))
            }
            ItemWord::Device => {
                let (span, name) = self.quoted_name("a device", "device \"sim:music\"")?;
                Some(Item::Device(start.span.to(span), name))
            }
            ItemWord::Model
            | ItemWord::Import
            | ItemWord::Object
            | ItemWord::Fact
            | ItemWord::Operator
            | ItemWord::Verify
            | ItemWord::Goal
            | ItemWord::Case => self.mapping_item(word, start.span).map(Item::Mapping),
            ItemWord::Seed => {
                self.integer("a seed").map(|(span, n)| Item::Seed(start.span.to(span), n))
            }
            ItemWord::Cases => self.cases(start.span),
        }
    }

    fn cases(&mut self, word: Span) -> Option<Item> {
        let (span, n) = self.integer("a number of cases")?;
        match u32::try_from(n) {
            Ok(cases @ 1..=crate::MOST_TIMES) => Some(Item::Cases(word.to(span), cases)),
            _ => {
                self.sink.report(Draft::error(
                    "cases are between 1 and 1,000,000",
                    span,
                    "not between them",
                ));
                None
            }
        }
    }

    pub(super) fn quoted_name(&mut self, what: &str, example: &str) -> Option<(Span, Str)> {
        let token = self.token();
        if token.tok != Tok::Text {
            let help = format!("name it in quotes: {example}");
            self.expected_with(&format!("the name of {what}"), Some(help));
            return None;
        }
        self.bump();
        Some((token.span, unquote(token.span.of(self.source))))
    }

    /// The word that should begin this item: `chek a = ...` is no expression, whatever it is.
    fn nearly_an_item(&self) -> Option<&'static str> {
        let next = self.tokens.get(self.at + 1)?;
        let follows = matches!(next.tok, Tok::Word | Tok::Text | Tok::Number) && !next.new_line;
        let expression =
            ["assert", "let", "optional", "repeat", "times", "gorilla", "monkey", "auto"];
        let word = self.text();
        if self.tok() != Tok::Word || !follows || expression.contains(&word) {
            return None;
        }
        let operator = OPERATOR_WORDS.contains(&next.span.of(self.source));
        suggest(word, ITEMS.map(|(word, _)| word)).filter(|_| !operator)
    }

    fn definition(&mut self) -> Option<Item> {
        let name = self.name("the name of the definition")?;
        let params = self.parameters()?.unwrap_or_default();
        self.assign()?;
        let body = self.temporal_expr();
        Some(Item::Define { name, params, body })
    }

    /// `= js "..."` or ``= js `...` ``
    fn script(&mut self, name: Name, params: Option<Vec<Name>>, is_value: bool) -> Option<Item> {
        self.assign()?;
        let help = Some("write it in quotes or backticks: = js `document.title == \"x\"`".into());
        if !self.at_word(SCRIPT) {
            self.expected_with("`js` and a script", help);
            return None;
        }
        self.bump();
        let text = self.text();
        let source = match self.tok() {
            Tok::Text => unquote(text),
            Tok::Raw => text.trim_matches('`').into(),
            // It has been reported.
            Tok::OpenText => {
                self.lost = true;
                return None;
            }
            _ => {
                self.expected_with("a script", help);
                return None;
            }
        };
        self.bump();
        Some(Item::Script { name, params: params.unwrap_or_default(), source, is_value })
    }

    pub(super) fn assign(&mut self) -> Option<()> {
        if self.eat(Tok::Assign) {
            return Some(());
        }
        self.expected("`=`");
        None
    }

    pub(super) fn name(&mut self, what: &str) -> Option<Name> {
        if self.tok() != Tok::Word || self.token().new_line {
            self.expected(what);
            return None;
        }
        let name = self.word_name();
        if name.text.contains('.') {
            self.sink.report(
                Draft::error("a name has no dots", name.span, "no name for a definition")
                    .help("dots are for `R.id.enter` and `Gen.choose`"),
            );
        }
        Some(name)
    }

    fn check_name(&mut self) -> Option<Name> {
        let token = self.token();
        if token.tok == Tok::Text {
            self.bump();
            return Some(Name { text: unquote(token.span.of(self.source)), span: token.span });
        }
        self.name("the name of the check")
    }

    /// `(a, b)`, or nothing. The outer option is whether it could be read.
    pub(super) fn parameters(&mut self) -> Option<Option<Vec<Name>>> {
        if self.tok() != Tok::Open('(') || self.token().new_line {
            return Some(None);
        }
        let opener = self.bump().span;
        let mut params = Vec::new();
        while self.tok() == Tok::Word && !self.at_item() {
            params.push(self.word_name());
            // A type, as in Scala, says nothing here: a parameter is whatever it is used as.
            if self.eat(Tok::Colon) && self.tok() == Tok::Word {
                self.bump();
            }
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        if self.eat(Tok::Close(')')) {
            return Some(Some(params));
        }
        if self.at_stop() {
            self.close(opener, ')');
        } else {
            self.expected("the name of a parameter, or `)`");
        }
        None
    }

    /// The label of an invariant: a text before a colon.
    fn label(&mut self) -> Option<Str> {
        let token = self.token();
        let next = self.tokens.get(self.at + 1)?;
        if token.tok != Tok::Text || next.tok != Tok::Colon {
            return None;
        }
        self.at += 2;
        Some(unquote(token.span.of(self.source)))
    }

    pub(super) fn integer(&mut self, what: &str) -> Option<(Span, u64)> {
        let token = self.token();
        let text = token.span.of(self.source);
        let number = match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => text.parse(),
        };
        match number {
            Ok(number) if token.tok == Tok::Number => {
                self.bump();
                Some((token.span, number))
            }
            _ if token.tok == Tok::Number => {
                self.bump();
                let message = format!("{what} is a whole number below 2^64");
                self.sink.report(Draft::error(message, token.span, "this is none"));
                None
            }
            _ => {
                self.expected(what);
                None
            }
        }
    }

    /// `forAll(g)`, `forAll(g) { P }`, and the two forms of the paper.
    fn for_all(&mut self, start: Span) -> Option<Item> {
        let opener = self.token().span;
        if !self.eat(Tok::Open('(')) {
            self.expected("`(` and a generator");
            return None;
        }
        let generator = self.inside(|p| p.expr(0));
        self.close(opener, ')');
        let span = start.to(self.previous());
        let opener = self.token().span;
        if self.lost || !self.eat(Tok::Open('{')) {
            return Some(Item::ForAll(span, generator, None));
        }
        let prop = self.inside(Self::body_of_for_all);
        self.close(opener, '}');
        Some(Item::ForAll(start.to(self.previous()), generator, prop))
    }

    fn body_of_for_all(&mut self) -> Option<Node> {
        let arrow = self.tokens.get(self.at + 1).is_some_and(|next| next.tok == Tok::FatArrow);
        if self.tok() != Tok::Word || !arrow {
            return Some(self.expr(0));
        }
        let trace = self.text();
        self.at += 2;
        let help = || {
            Some(format!(
                "write `{trace} => {trace}.chimpCheck()` or `{trace} => {trace} chimpCheck {{ P }}`, \
                 or just `forAll(g) {{ P }}`"
            ))
        };
        if self.tok() == Tok::Word && self.text() == format!("{trace}.chimpCheck") {
            self.bump();
        } else if self.at_word(trace) {
            self.bump();
            if !self.at_word("chimpCheck") {
                self.expected_with("`chimpCheck`", help());
                return None;
            }
            self.bump();
        } else {
            self.expected_with(&format!("`{trace}.chimpCheck()`"), help());
            return None;
        }
        let opener = self.token().span;
        match self.tok() {
            Tok::Open('(') => {
                self.bump();
                let prop = match self.tok() {
                    Tok::Close(')') => None,
                    _ => Some(self.inside(|p| p.expr(0))),
                };
                self.close(opener, ')');
                prop
            }
            Tok::Open('{') => {
                let node = self.primary();
                match node.kind {
                    Kind::Group(inner) => Some(*inner),
                    kind => Some(Node { kind, ..node }),
                }
            }
            _ => {
                self.expected_with("`()` or a property in braces", help());
                None
            }
        }
    }
}
