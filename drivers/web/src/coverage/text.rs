//! Lines of a script: from V8's offsets, which count UTF-16 code units, to lines and columns.
//!
//! On its own, because this is where Rust's bytes and JavaScript's units meet.

/// Where the lines of a text begin, in UTF-16 code units.
#[derive(Debug)]
pub(super) struct Lines {
    starts: Vec<u32>,
    /// The part of each line that is code: without the white space around it. Empty if there is
    /// only white space or only a comment.
    code: Vec<(u32, u32)>,
}

impl Lines {
    /// Finds the lines of a text.
    pub(super) fn of(text: &str) -> Self {
        let mut lines = Lines { starts: vec![0], code: Vec::new() };
        let mut offset = 0;
        let mut line = Line::default();
        let mut comment = false;
        let mut rest = text.char_indices().peekable();
        let mut begin = 0;
        while let Some((at, char)) = rest.next() {
            offset += char.len_utf16() as u32;
            let mut end = at + char.len_utf8();
            match char {
                '\r' if rest.peek().is_some_and(|(_, next)| *next == '\n') => continue,
                '\n' | '\r' | '\u{2028}' | '\u{2029}' => {}
                _ => {
                    if !char.is_whitespace() && char != '\u{feff}' {
                        line.extend(offset - char.len_utf16() as u32, offset);
                    }
                    if rest.peek().is_some() {
                        continue;
                    }
                    end = text.len();
                }
            }
            let blank = is_comment(&text[begin..end], &text[end..], &mut comment);
            let code = std::mem::take(&mut line).code.filter(|_| !blank);
            lines.code.push(code.unwrap_or_default());
            if is_line_end(char) {
                lines.starts.push(offset);
            }
            begin = end;
        }
        lines
    }

    /// The line of an offset and the column in it, both from 0.
    pub(super) fn place(&self, offset: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        (line as u32, offset - self.starts[line])
    }

    /// The offset of a line and a column, both from 0, if there is such a line.
    pub(super) fn offset(&self, line: u32, column: u32) -> Option<u32> {
        self.starts.get(line as usize).map(|start| start + column)
    }

    /// The lines with code on them, from 0, and where the code is.
    pub(super) fn code(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        let with_code = self.code.iter().zip(0..).filter(|((start, end), _)| start < end);
        with_code.map(|((start, end), line)| (line, *start, *end))
    }
}

#[derive(Default)]
struct Line {
    code: Option<(u32, u32)>,
}

impl Line {
    fn extend(&mut self, start: u32, end: u32) {
        self.code = Some(self.code.map_or((start, end), |(first, _)| (first, end)));
    }
}

fn is_line_end(char: char) -> bool {
    matches!(char, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// Whether the line is nothing but a comment. Only comments that begin with the line are seen:
/// to know every comment one would have to parse JavaScript.
fn is_comment(line: &str, rest: &str, inside: &mut bool) -> bool {
    let trimmed = line.trim();
    if *inside {
        let Some((_, after)) = trimmed.split_once("*/") else { return true };
        *inside = false;
        return after.trim().is_empty();
    }
    if trimmed.starts_with("//") {
        return true;
    }
    let Some(comment) = trimmed.strip_prefix("/*") else { return false };
    match comment.split_once("*/") {
        Some((_, after)) => after.trim().is_empty(),
        None => {
            // Without an end it is no comment, but a part of a string or a pattern.
            *inside = rest.contains("*/");
            *inside
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(u32, u32, u32)]) {
        assert_eq!(Lines::of(text).code().collect::<Vec<_>>(), expected, "{text:?}");
    }

    #[test]
    fn lines_with_code() {
        check("", &[]);
        check("a", &[(0, 0, 1)]);
        check("a\n", &[(0, 0, 1)]);
        check("\n  a b \r\n\r\n\tc;", &[(1, 3, 6), (3, 12, 14)]);
        check("a\rb\u{2028}c", &[(0, 0, 1), (1, 2, 3), (2, 4, 5)]);
    }

    #[test]
    fn units_are_those_of_javascript() {
        check("'😀'\n'ä'", &[(0, 0, 4), (1, 5, 8)]);
        let lines = Lines::of("'😀'\n'ä'");
        assert_eq!(lines.place(3), (0, 3));
        assert_eq!(lines.place(5), (1, 0));
        assert_eq!(lines.place(99), (1, 94));
        assert_eq!(lines.offset(1, 2), Some(7));
        assert_eq!(lines.offset(2, 0), None);
        assert_eq!(Lines::of("a\n").place(2), (1, 0));
    }

    #[test]
    fn comments_are_no_code() {
        check("// a\nb // c\n", &[(1, 5, 11)]);
        check("/* a\nb\n*/\nc", &[(3, 10, 11)]);
        check("/* a */ b", &[(0, 0, 9)]);
        check("/* a */\nb", &[(1, 8, 9)]);
        check("/*\n*/ b", &[(1, 3, 7)]);
        check("/* no end\nb", &[(0, 0, 9), (1, 10, 11)]);
    }
}
