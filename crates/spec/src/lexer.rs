//! Source into tokens.
//!
//! It never gives up: what it does not know becomes one [`Tok::Unknown`], and operators of other
//! languages (`&&`, `>>`) are reported with ours and then taken for ours.

use crate::ast::Span;
use crate::diagnostic::{Draft, Sink, shorten};
use crate::escape::read_escape;
use crate::token::{FOREIGN, OPERATORS, Tok, Token};

/// The word before a script.
pub(crate) const SCRIPT: &str = "js";

/// The words before a name of a model, at the beginning of a line.
const HEADS: [&str; 3] = ["object", "fact", "operator"];

pub(crate) fn lex(source: &str, sink: &mut Sink) -> Vec<Token> {
    let mut lexer = Lexer { source, at: 0, new_line: true, tokens: Vec::new(), sink };
    if source.starts_with("#!") {
        lexer.skip_line();
    }
    while lexer.token() {}
    lexer.push(Tok::End, source.len(), source.len());
    lexer.tokens
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    new_line: bool,
    tokens: Vec<Token>,
    sink: &'s mut Sink,
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, tok: Tok, start: usize, end: usize) {
        let span = Span::new(start, end);
        self.tokens.push(Token { tok, span, new_line: self.new_line });
        self.new_line = false;
        self.at = end;
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// Reads one token or a piece of nothing; false at the end.
    fn token(&mut self) -> bool {
        let rest = self.rest();
        let start = self.at;
        let Some(c) = rest.chars().next() else { return false };
        if c.is_whitespace() || c == '\u{feff}' {
            self.new_line |= c == '\n';
            self.at += c.len_utf8();
        } else if rest.starts_with("//") {
            self.skip_line();
        } else if rest.starts_with("/*") {
            self.block_comment();
        } else if c == '"' {
            self.text();
        } else if c == '`' && self.follows_js() {
            self.raw();
        } else if c.is_ascii_digit() {
            self.number();
        } else if c == '#' {
            let length = run(&rest[1..], |c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
            if length == 0 {
                self.unknown("`#` begins the id of an element, as in `#enter`");
            } else {
                self.push(Tok::Id, start, start + 1 + length);
            }
        } else if let Some(length) = class(rest) {
            self.push(Tok::Class, start, start + length);
        } else if begins_word(c) {
            let length = if self.follows_head() { pddl_name(rest) } else { word(rest) };
            self.push(Tok::Word, start, start + length);
        } else {
            self.operator();
        }
        true
    }

    fn block_comment(&mut self) {
        let start = self.at;
        match self.rest().find("*/") {
            Some(length) => {
                self.new_line |= self.rest()[..length].contains('\n');
                self.at += length + 2;
            }
            None => {
                self.at = self.source.len();
                self.sink.report(
                    Draft::error(
                        "this comment does not end",
                        Span::new(start, start + 2),
                        "it begins here",
                    )
                    .help("end it with `*/`"),
                );
            }
        }
    }

    fn text(&mut self) {
        let start = self.at;
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => return self.push(Tok::Text, start, start + offset + 1),
                '\n' => break,
                '\\' => {
                    let escape = self.source.get(start + offset..).unwrap_or_default();
                    match read_escape(escape) {
                        Some((_, length)) => {
                            for _ in 1..escape.get(..length).unwrap_or_default().chars().count() {
                                chars.next();
                            }
                        }
                        None if escape[1..].starts_with(['\n', '\r']) => break,
                        None => {
                            let length = escape.chars().take(2).map(char::len_utf8).sum::<usize>();
                            let at = start + offset;
                            self.sink.report(
                                Draft::error(
                                    "unknown escape in a text",
                                    Span::new(at, at + length),
                                    "this is none",
                                )
                                .help(r#"the escapes are \" \\ \n \r \t and \u{20ac}"#),
                            );
                            if escape[1..].starts_with('\\') {
                                chars.next();
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        let line = self.rest().find('\n').unwrap_or(self.rest().len());
        let end = start + self.rest()[..line].trim_end().len();
        self.push(Tok::OpenText, start, end);
        self.sink.report(
            Draft::error(
                "this text does not end",
                Span::new(start, start + 1),
                "it begins here, and the line ends before it does",
            )
            .help("end it with `\"`; a line break in a text is written `\\n`"),
        );
    }

    /// Whether a script may begin here.
    fn follows_js(&self) -> bool {
        self.tokens
            .last()
            .is_some_and(|last| last.tok == Tok::Word && last.span.of(self.source) == SCRIPT)
    }

    /// Whether the name of something in a model follows: it may have hyphens.
    fn follows_head(&self) -> bool {
        self.tokens.last().is_some_and(|last| {
            last.tok == Tok::Word && last.new_line && HEADS.contains(&last.span.of(self.source))
        })
    }

    /// A script between backticks: over as many lines as it likes, and without escapes.
    fn raw(&mut self) {
        let start = self.at;
        if let Some(length) = self.rest()[1..].find('`') {
            return self.push(Tok::Raw, start, start + length + 2);
        }
        let line = self.rest().find('\n').unwrap_or(self.rest().len());
        self.push(Tok::OpenText, start, start + line);
        self.sink.report(
            Draft::error("this script does not end", Span::new(start, start + 1), "it begins here")
                .help("end it with a backtick; one that has backticks in it stands in quotes"),
        );
    }

    fn number(&mut self) {
        let (start, rest) = (self.at, self.rest());
        let mut length = if let Some(hex) = rest.strip_prefix("0x") {
            2 + run(hex, |c| c.is_ascii_hexdigit())
        } else {
            let whole = run(rest, |c| c.is_ascii_digit());
            let fraction =
                rest[whole..].strip_prefix('.').map_or(0, |rest| run(rest, |c| c.is_ascii_digit()));
            whole + if fraction > 0 { fraction + 1 } else { 0 }
        };
        let tail = run(&rest[length..], |c| c.is_alphanumeric() || c == '_');
        if tail > 0 || &rest[..length] == "0x" {
            length += tail;
            self.sink.report(
                Draft::error(
                    format!("`{}` is not a number", shorten(&rest[..length])),
                    Span::new(start, start + length),
                    "neither a number nor a name",
                )
                .help("numbers are written `42`, `1.5` or `0x2a`; names begin with a letter"),
            );
        }
        self.push(Tok::Number, start, start + length);
    }

    fn operator(&mut self) {
        let (start, rest) = (self.at, self.rest());
        let ours = OPERATORS.iter().find(|(text, _)| rest.starts_with(text));
        let foreign = FOREIGN.iter().find(|(text, ..)| rest.starts_with(text));
        match (ours, foreign) {
            (ours, Some((text, tok, help))) if ours.is_none_or(|(o, _)| o.len() < text.len()) => {
                let span = Span::new(start, start + text.len());
                self.sink.report(
                    Draft::error(format!("`{text}` is not an operator here"), span, "not known")
                        .help(*help),
                );
                self.push(*tok, start, start + text.len());
            }
            (Some((_, Tok::Unknown)) | None, _) => {
                self.unknown(match rest.chars().next() {
                    Some('\'' | '`' | '“' | '”') => "texts stand between `\"` and `\"`",
                    Some('…') => "a range is written `2..5`",
                    _ => "if it belongs to a text, put that in quotes",
                });
            }
            (Some((text, tok)), _) => self.push(*tok, start, start + text.len()),
        }
    }

    /// Characters that nothing begins with, as one token.
    fn unknown(&mut self, help: &str) {
        let start = self.at;
        let begins_something = |c: char| {
            c.is_whitespace()
                || c.is_ascii()
                || begins_word(c)
                || OPERATORS.iter().any(|(text, _)| text.starts_with(c))
        };
        let mut chars = self.rest().chars();
        let first = chars.next().map_or(0, char::len_utf8);
        let mut end = start + first + run(chars.as_str(), |c| !begins_something(c));
        if self.rest().starts_with(['\'', '`', '“']) {
            // A text in other quotes is one mistake, not two.
            let line = chars.as_str().lines().next().unwrap_or_default();
            let close = line.char_indices().find(|(_, c)| matches!(c, '\'' | '`' | '”'));
            end = close.map_or(end, |(offset, c)| start + first + offset + c.len_utf8());
        }
        let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        let what = shorten(self.source.get(start..end).unwrap_or_default());
        let what: String = what.chars().map(visible).collect();
        self.sink.report(
            Draft::error(
                format!("`{what}` is not part of the language"),
                Span::new(start, end),
                "not known",
            )
            .help(help),
        );
        self.push(Tok::Unknown, start, end);
    }
}

/// The length of the class that a text begins with: `.new-todo`. A number has a digit before its
/// dot or after it, and a name takes its dots along.
fn class(text: &str) -> Option<usize> {
    let name = text.strip_prefix('.')?;
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins.then(|| 1 + run(name, |c| c.is_ascii_alphanumeric() || c == '_' || c == '-'))
}

fn begins_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// The length of a word, dots and what follows them included.
fn word(text: &str) -> usize {
    let part = |text: &str| run(text, |c| c.is_alphanumeric() || c == '_');
    let mut length = part(text);
    while let Some(rest) = text[length..].strip_prefix('.') {
        if !rest.starts_with(begins_word) {
            break;
        }
        length += 1 + part(rest);
    }
    length
}

/// The length of a name of a planning model.
fn pddl_name(text: &str) -> usize {
    run(text, |c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// The length of what a text begins with as long as the condition holds.
fn run(text: &str, mut holds: impl FnMut(char) -> bool) -> usize {
    text.find(|c| !holds(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(source: &str) -> Vec<(Tok, &str)> {
        let mut sink = Sink::default();
        let tokens = lex(source, &mut sink);
        assert!(!sink.has_errors(), "{source}");
        tokens.iter().map(|t| (t.tok, t.span.of(source))).filter(|(_, s)| !s.is_empty()).collect()
    }

    #[test]
    fn operators_are_taken_as_long_as_they_are() {
        let all = "a *>>^3 b<+>c==>d == 1..2";
        let expected = ["a", "*>>", "^", "3", "b", "<+>", "c", "==>", "d", "==", "1", "..", "2"];
        assert_eq!(tokens(all).into_iter().map(|(_, text)| text).collect::<Vec<_>>(), expected);
        assert_eq!(tokens("R.id.enter")[0], (Tok::Word, "R.id.enter"));
        assert_eq!(tokens("button(.new-todo)")[2], (Tok::Class, ".new-todo"));
        assert_eq!(tokens("2..n")[1..], [(Tok::DotDot, ".."), (Tok::Word, "n")]);
        assert_eq!(tokens("1.5 t.chimpCheck() a || b | c").len(), 9);
        assert_eq!(tokens("#my-id /* c */ // d").len(), 1);
    }
}
