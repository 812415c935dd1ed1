//! The way to a terminal: lines of styled parts.
//!
//! On its own because it is the only one. A part is a text of ours or of an app's; whichever it is,
//! it is made visible here ([`Visible`]), so that no report has to remember to. The only escapes
//! that reach the terminal are those of the styles.

use anstyle::Style;
use capuchin::ui::Visible;
use std::borrow::Cow;
use std::io::{self, Write};

/// How much of a part is shown, in characters. The log has all of it.
const LONGEST_PART: usize = 2000;
/// How much of one event of a trace is shown.
const LONGEST_EVENT: usize = 300;
/// How many events of a trace are shown.
const MOST_EVENTS: usize = 200;

/// A text of one style.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    style: Style,
    text: Cow<'a, str>,
}

impl<'a> Part<'a> {
    /// A text in this style.
    pub fn styled(style: Style, text: impl Into<Cow<'a, str>>) -> Self {
        Part { style, text: text.into() }
    }
}

impl<'a> From<&'a str> for Part<'a> {
    fn from(text: &'a str) -> Self {
        Part::styled(Style::new(), text)
    }
}

impl<'a> From<&'a String> for Part<'a> {
    fn from(text: &'a String) -> Self {
        Part::styled(Style::new(), text.as_str())
    }
}

impl From<String> for Part<'_> {
    fn from(text: String) -> Self {
        Part::styled(Style::new(), text)
    }
}

/// Writes lines of parts, with colours; strip them where they are not wanted.
#[derive(Debug)]
pub struct Printer<W> {
    out: W,
}

impl<W: Write> Printer<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Printer { out }
    }

    /// Writes a line.
    pub fn line<'a>(&mut self, parts: impl IntoIterator<Item = Part<'a>>) -> io::Result<()> {
        let mut line = String::new();
        for Part { style, text } in parts {
            line += &format!("{style}{}{style:#}", Visible(&text).cut(LONGEST_PART));
        }
        line.push('\n');
        self.out.write_all(line.as_bytes())
    }

    /// Writes the lines of a text, each behind this indentation.
    pub fn lines(&mut self, indentation: &str, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| self.line([indentation.into(), line.into()]))
    }
}

/// The events of a trace in one line, cut where there are many or where one is long.
pub(crate) fn events<'a>(events: impl ExactSizeIterator<Item = &'a str>) -> Vec<Part<'static>> {
    let all = events.len();
    let mut parts = Vec::new();
    for event in events.take(MOST_EVENTS) {
        let joined = if parts.is_empty() { "" } else { " :>> " };
        // Made visible by whoever prints it.
        let end = event.char_indices().nth(LONGEST_EVENT).map(|(end, _)| end);
        let shown = end.map_or_else(|| event.to_owned(), |end| format!("{}…", &event[..end]));
        parts.push(Part::from(format!("{joined}{shown}")));
    }
    match all {
        0 => parts.push("nothing".into()),
        1..=MOST_EVENTS => {}
        _ => parts.push(Part::from(format!(" … and {} more", all - MOST_EVENTS))),
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(parts: &[Part<'_>]) -> String {
        let mut bytes = Vec::new();
        Printer::new(&mut bytes).line(parts.iter().cloned()).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_only_escapes_are_those_of_the_styles() {
        let bold = Style::new().bold();
        let line = printed(&[Part::styled(bold, "a\u{1b}[2J\n"), "b\r\u{9b}".into()]);
        assert_eq!(line, format!("{bold}a\\u{{1b}}[2J\\n{bold:#}b\\r\\u{{9b}}\n"));
    }

    #[test]
    fn what_is_long_is_cut() {
        let id = format!("Click(#{})", "a".repeat(1 << 20));
        let line = printed(&events(vec!["Rotate", &id, "Rotate"].into_iter()));
        assert!(line.len() < 400 && line.ends_with("… :>> Rotate\n"), "{line}");
        let line = printed(&events(vec!["Rotate"; 1000].into_iter()));
        assert!(line.ends_with(":>> Rotate … and 800 more\n"), "{line}");
        assert_eq!(printed(&events([].into_iter())), "nothing\n");
    }
}
