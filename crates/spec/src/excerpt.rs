//! The source of a diagnostic, of which never more is shown than fits a screen.
//!
//! On its own because of files that are not specs at all: a megabyte on one line must not be
//! printed twenty times.

use capuchin_ui::Visible;
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// The longest line that is shown as it is, in bytes.
const LONGEST: usize = 400;
/// How much of a longer one is shown before and after the place in question.
const BEFORE: usize = 60;
const AFTER: usize = 100;

/// A named source text.
#[derive(Debug)]
pub(crate) struct Excerpt {
    name: String,
    text: String,
}

impl Excerpt {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Excerpt { name: Visible(name).to_string(), text: harmless(text) }
    }

    /// The length that a label at `start` may have without running out of the excerpt.
    pub(crate) fn label_length(&self, start: usize, length: usize) -> usize {
        let end = self.text.floor_char_boundary(start.saturating_add(length.min(AFTER)));
        end.saturating_sub(start)
    }

    /// Where the line begins and ends that the offset is in.
    fn line_around(&self, offset: usize) -> (usize, usize) {
        let offset = self.text.floor_char_boundary(offset);
        let start = self.text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        let end = self.text[offset..].find('\n').map_or(self.text.len(), |at| offset + at);
        (start, end)
    }
}

/// The text with something in the place of every character that would do something on a terminal,
/// of the same length, so that labels stay where they are.
fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => shown.push(c),
            '\r' if chars.peek() == Some(&'\n') => shown.push(' '),
            c if Visible(c.encode_utf8(&mut [0; 4])).is_unchanged() => shown.push(c),
            c => shown.push_str(["?", "¿", "\u{fffd}"][c.len_utf8().min(3) - 1]),
        }
    }
    shown
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let whole = self.text.as_str().read_span(span, lines_before, lines_after)?;
        let shown = String::from_utf8_lossy(whole.data());
        if shown.lines().all(|line| line.len() <= LONGEST) {
            let contents = MietteSpanContents::new_named(
                self.name.clone(),
                whole.data(),
                *whole.span(),
                whole.line(),
                whole.column(),
                whole.line_count(),
            );
            return Ok(Box::new(contents));
        }
        let (line_start, line_end) = self.line_around(span.offset());
        let from =
            self.text.ceil_char_boundary(span.offset().saturating_sub(BEFORE).max(line_start));
        let to = self.text.floor_char_boundary((span.offset() + AFTER).min(line_end));
        let line = self.text[..line_start].matches('\n').count();
        let contents = MietteSpanContents::new_named(
            self.name.clone(),
            &self.text.as_bytes()[from..to.max(from)],
            (from, to.saturating_sub(from)).into(),
            line,
            from - line_start,
            1,
        );
        Ok(Box::new(contents))
    }
}
