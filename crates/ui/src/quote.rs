//! Strings as the trace language writes them.
//!
//! On its own because events, selectors and properties all quote, and the parser must undo exactly
//! this.

use crate::visible::is_active;
use std::fmt::{self, Write};

/// Displays a string in quotes, with `"`, `\` and control characters escaped.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c if is_active(c) || matches!(c, '\u{200c}' | '\u{200d}') => {
                    write!(f, "\\u{{{:x}}}", c as u32)?;
                }
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        assert_eq!(Quoted("a\"b\\c\n\u{7}\u{202e}é").to_string(), r#""a\"b\\c\n\u{7}\u{202e}é""#);
    }
}
