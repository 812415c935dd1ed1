//! The entries of a file that bind a planning model to an app: `model`, `object`, `fact`,
//! `operator` and their like.
//!
//! On their own because their heads are names of a model, which have hyphens, and because none of
//! them is part of an expression.

use super::{ItemWord, Parser};
use crate::ast::{FactBody, MappingItem, Name, Rule, Span};
use crate::diagnostic::{Draft, shorten};
use crate::escape::unquote;
use crate::mapping::Level;
use crate::token::Tok;
use capuchin_ui::suggest;

/// A fact that no screen shows.
const UNSEEN: &str = "unseen";
/// An operator that no event does.
const UNMAPPED: &str = "unmapped";

impl Parser<'_> {
    /// What follows one of the words of a mapping.
    pub(super) fn mapping_item(&mut self, word: ItemWord, start: Span) -> Option<MappingItem> {
        match word {
            ItemWord::Model => {
                let example = "model \"domain.pddl\" \"problem.pddl\"";
                let mut files = vec![self.quoted("a model's file", example)?];
                if self.tok() == Tok::Text && !self.token().new_line {
                    files.push(self.quoted("a problem's file", example)?);
                }
                Some(MappingItem::Model(start.to(self.previous()), files))
            }
            ItemWord::Import => {
                Some(MappingItem::Import(self.quoted("a library", "import \"menus\"")?))
            }
            ItemWord::Object => {
                let name = self.name("the name of an object of the model")?;
                self.assign()?;
                Some(MappingItem::Object(name, self.expr(0)))
            }
            ItemWord::Fact => {
                let rule = self.rule("a predicate of the model")?;
                if self.keyword(UNSEEN) {
                    return Some(MappingItem::Fact(rule, FactBody::Unseen));
                }
                let prop = self.expr(0);
                let guard = self.keyword("when").then(|| self.expr(0));
                Some(MappingItem::Fact(rule, FactBody::Seen(prop, guard)))
            }
            ItemWord::Operator => {
                let rule = self.rule("an operator of the model")?;
                let body = if self.keyword(UNMAPPED) { None } else { Some(self.expr(0)) };
                Some(MappingItem::Operator(rule, body))
            }
            ItemWord::Verify => self.verify(start),
            ItemWord::Goal => {
                let (label, text) = self.labelled("goal \"open\": \"(open find)\"")?;
                Some(MappingItem::Goal(label, text))
            }
            _ => {
                let (label, text) = self.labelled("case \"find\": \"(open find) (close find)\"")?;
                Some(MappingItem::Case(label, text))
            }
        }
    }

    /// `NAME(params) =`
    fn rule(&mut self, what: &str) -> Option<Rule> {
        let name = self.name(&format!("the name of {what}"))?;
        let params = self.parameters()?.unwrap_or_default();
        self.assign()?;
        Some(Rule { name, params })
    }

    /// Reads a word that means something only here.
    fn keyword(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn quoted(&mut self, what: &str, example: &str) -> Option<Name> {
        let (span, text) = self.quoted_name(what, example)?;
        Some(Name { text, span })
    }

    /// `"label": "text"`
    fn labelled(&mut self, example: &str) -> Option<(Name, Name)> {
        let label = self.quoted("it", example)?;
        if !self.eat(Tok::Colon) {
            self.expected_with("`:`", Some(format!("for example {example}")));
            return None;
        }
        let token = self.token();
        if token.tok != Tok::Text {
            self.expected_with("a text", Some(format!("for example {example}")));
            return None;
        }
        self.bump();
        Some((label, Name { text: unquote(token.span.of(self.source)), span: token.span }))
    }

    /// `changed, complete every 10`
    fn verify(&mut self, start: Span) -> Option<MappingItem> {
        let mut levels = Vec::new();
        loop {
            let word = self.text();
            let Some(level) = Level::named(word).filter(|_| self.tok() == Tok::Word) else {
                let near = suggest(word, Level::ALL.map(Level::name));
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "the levels are `changed`, `relevant` and `complete`".to_owned(),
                };
                let message = format!("`{}` is not a level of verification", shorten(word));
                let span = self.token().span;
                self.report(Draft::error(message, span, "not known").help(help));
                return None;
            };
            self.bump();
            let mut every = 1;
            if self.keyword("every") {
                let (span, n) = self.integer("a number of steps")?;
                match u32::try_from(n) {
                    Ok(n @ 1..=crate::MOST_TIMES) => every = n,
                    _ => {
                        let message = "steps are between 1 and 1,000,000";
                        self.sink.report(Draft::error(message, span, "not between them"));
                    }
                }
            }
            levels.push((level, every));
            if !self.eat(Tok::Comma) {
                return Some(MappingItem::Verify(start.to(self.previous()), levels));
            }
        }
    }
}
