//! Texts that come from elsewhere, for people to read: what would move a cursor, change a terminal
//! or turn the text around is shown instead of done.
//!
//! On its own because a page, a log, a spec and a recording are all written by others, and a
//! message about any of them may reach a terminal or a comment of a file.

use std::fmt::{self, Write};

/// Displays a text with its control characters as escapes, so that it stays on one line and does
/// nothing. Other characters, such as letters that are written from right to left, stay.
///
/// ```
/// use capuchin_ui::Visible;
/// assert_eq!(Visible("a\u{1b}[2Jb\nשלום").to_string(), r"a\u{1b}[2Jb\nשלום");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Visible<'a>(pub &'a str);

impl Visible<'_> {
    /// Whether it displays as the text that it is.
    pub fn is_unchanged(self) -> bool {
        !self.0.contains(is_active)
    }

    /// The same, and no more of it than so many characters.
    pub fn cut(self, longest: usize) -> String {
        match self.0.char_indices().nth(longest) {
            Some((end, _)) => format!("{}…", Visible(&self.0[..end])),
            None => self.to_string(),
        }
    }
}

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c if is_active(c) => write!(f, "\\u{{{:x}}}", c as u32)?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Whether a character does something instead of showing something: controls, ends of lines, what
/// turns the direction of a text or hides in it. What joins letters and emoji does not.
pub(crate) fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_something_is_shown_and_the_rest_stays() {
        let check = |text: &str, shown: &str| assert_eq!(Visible(text).to_string(), shown);
        check("\u{1b}]0;title\u{7}", r"\u{1b}]0;title\u{7}");
        check("a\rb\u{7f}\u{9b}2J", r"a\rb\u{7f}\u{9b}2J");
        check("\u{202e}txt.exe\u{2066}\u{200b}", r"\u{202e}txt.exe\u{2066}\u{200b}");
        for ordinary in [
            "👩\u{200d}👩\u{200d}👧",
            "e\u{301}",
            "שלום עליכם",
            "می\u{200c}خواهم",
            "日本",
            r"\u{1b}",
        ] {
            check(ordinary, ordinary);
        }
        assert_eq!(Visible("ab\ncd").cut(3), r"ab\n…");
        assert_eq!(Visible("abc").cut(3), "abc");
    }
}
