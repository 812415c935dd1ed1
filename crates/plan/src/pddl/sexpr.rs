//! Texts as nested lists of names: the lexical half of PDDL.
//!
//! It takes no recursion, and it bounds the size and the nesting of what it reads, so that
//! everything after it may recurse over a tree that is known to be shallow.

use super::diagnostic::Mistake;
use std::ops::Range;

/// The longest text that is read, in bytes.
const LONGEST_TEXT: usize = 32 << 20;

/// The deepest nesting that is read. Real models stay under twenty.
const DEEPEST: usize = 150;

/// A name or a list, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) shape: Shape<'a>,
}

#[derive(Clone, Debug)]
pub(super) enum Shape<'a> {
    Name(&'a str),
    List(Vec<Node<'a>>),
}

impl<'a> Node<'a> {
    /// The name, if it is one.
    pub(super) fn name(&self) -> Option<&'a str> {
        match self.shape {
            Shape::Name(name) => Some(name),
            Shape::List(_) => None,
        }
    }

    /// The elements, if it is a list.
    pub(super) fn list(&self) -> Option<&[Node<'a>]> {
        match &self.shape {
            Shape::List(list) => Some(list),
            Shape::Name(_) => None,
        }
    }

    /// The first element of a list, if that is a name.
    pub(super) fn head(&self) -> Option<&'a str> {
        self.list()?.first()?.name()
    }

    pub(super) fn wrong(&self, message: impl Into<String>) -> Mistake {
        // A long list is marked at its beginning only.
        let start = self.start as usize;
        let end = if self.list().is_some() { start + 1 } else { self.end as usize };
        Mistake::new(start..end, message)
    }

    /// How it is called in a message.
    pub(super) fn describe(&self) -> String {
        match &self.shape {
            Shape::Name(name) => format!("`{}`", shortened(name)),
            Shape::List(list) if list.is_empty() => "`()`".to_owned(),
            Shape::List(_) => match self.head() {
                Some(head) => format!("`({} …)`", shortened(head)),
                None => "a list".to_owned(),
            },
        }
    }
}

/// The beginning of a name: nobody wants to read a message of a megabyte.
pub(super) fn shortened(name: &str) -> String {
    match name.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    }
}

/// Reads the one list that a file holds. The text must be in lower case: PDDL ignores case.
pub(super) fn read(text: &str) -> Result<Node<'_>, Mistake> {
    if text.len() > LONGEST_TEXT {
        let message = format!("the file has more than {} MiB", LONGEST_TEXT >> 20);
        return Err(Mistake::new(0..0, message).help("split the objects into several problems"));
    }
    let mut open: Vec<(usize, Vec<Node<'_>>)> = Vec::new();
    let mut read: Option<Node<'_>> = None;
    let mut rest = Lexer { text, at: 0 };
    while let Some((span, token)) = rest.next_token() {
        if let (true, Some(done)) = (open.is_empty(), &read) {
            let message = "the file goes on after its `(define …)` has ended";
            let help = format!("the bracket that opens at byte {} is closed too early", done.start);
            return Err(Mistake::new(span, message).help(help));
        }
        let node = match token {
            "(" if open.len() == DEEPEST => {
                let message = format!("brackets nest deeper than {DEEPEST} levels");
                return Err(Mistake::new(span, message));
            }
            "(" => {
                open.push((span.start, Vec::new()));
                continue;
            }
            ")" => {
                let Some((start, list)) = open.pop() else {
                    return Err(Mistake::new(span, "this bracket closes nothing"));
                };
                node(start..span.end, Shape::List(list))
            }
            name => node(span, Shape::Name(name)),
        };
        match open.last_mut() {
            Some((_, list)) => list.push(node),
            None => read = Some(node),
        }
    }
    match (open.pop(), read) {
        (Some((start, _)), _) => {
            Err(Mistake::new(start..start + 1, "this bracket is never closed"))
        }
        (None, Some(node)) => Ok(node),
        (None, None) => Err(Mistake::new(0..0, "the file is empty, expected `(define …)`")),
    }
}

fn node(span: Range<usize>, shape: Shape<'_>) -> Node<'_> {
    // The text is shorter than 4 GiB.
    Node { start: span.start as u32, end: span.end as u32, shape }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn next_token(&mut self) -> Option<(Range<usize>, &'a str)> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at)? {
                b';' => {
                    let line = bytes[self.at..].iter().position(|byte| *byte == b'\n');
                    self.at = line.map_or(bytes.len(), |length| self.at + length);
                }
                byte if byte.is_ascii_whitespace() || *byte == 0x0b => self.at += 1,
                _ => break,
            }
        }
        let start = self.at;
        let ends = |byte: &u8| matches!(byte, b'(' | b')' | b';') || byte.is_ascii_whitespace();
        self.at += match bytes[start] {
            b'(' | b')' => 1,
            _ => bytes[start..].iter().position(ends).unwrap_or(bytes.len() - start),
        };
        Some((start..self.at, &self.text[start..self.at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let read = read(text).map_or_else(|wrong| wrong.message, |node| shown(&node));
        assert_eq!(read, expected, "{}", shortened(text));
    }

    fn shown(node: &Node<'_>) -> String {
        match &node.shape {
            Shape::Name(name) => (*name).to_owned(),
            Shape::List(list) => {
                format!("({})", list.iter().map(shown).collect::<Vec<_>>().join(" "))
            }
        }
    }

    #[test]
    fn lists_nest_and_comments_are_left_out() {
        check("(a(b c);d)\n ?e)", "(a (b c) ?e)");
        check("a", "a");
        check(";\n()", "()");
    }

    #[test]
    fn brackets_that_do_not_match_are_told() {
        check("", "the file is empty, expected `(define …)`");
        check("(a", "this bracket is never closed");
        check("a)", "the file goes on after its `(define …)` has ended");
        check(")", "this bracket closes nothing");
        check("(a) (b)", "the file goes on after its `(define …)` has ended");
    }

    #[test]
    fn a_megabyte_of_brackets_is_refused() {
        check(&"(".repeat(1 << 20), "brackets nest deeper than 150 levels");
        check(&")".repeat(1 << 20), "this bracket closes nothing");
        check(&format!("({})", "()".repeat(3)), "(() () ())");
    }
}
