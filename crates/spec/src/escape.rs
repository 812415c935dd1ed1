//! Texts in quotes: exactly what `capuchin_ui::Quoted` writes is undone here.

use capuchin_ui::Str;

/// The character of the escape that a text begins with, and the escape's length.
pub(crate) fn read_escape(text: &str) -> Option<(char, usize)> {
    let simple = |c| Some((c, 2));
    match text.as_bytes().get(1)? {
        b'"' => simple('"'),
        b'\\' => simple('\\'),
        b'n' => simple('\n'),
        b'r' => simple('\r'),
        b't' => simple('\t'),
        b'u' => {
            let inner = text.get(2..)?.strip_prefix('{')?;
            let length = inner.bytes().take(7).take_while(u8::is_ascii_hexdigit).count();
            let rest = inner.get(length..)?;
            let code = u32::from_str_radix(inner.get(..length)?, 16).ok()?;
            let c = char::from_u32(code)?;
            rest.starts_with('}').then_some((c, length + 4))
        }
        _ => None,
    }
}

/// What a text token says. Bad escapes have been reported and stand for themselves.
pub(crate) fn unquote(token: &str) -> Str {
    let inner = token.strip_prefix('"').unwrap_or(token);
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(c) = rest.chars().next() {
        match (c, read_escape(rest)) {
            ('"', _) => break,
            ('\\', Some((escaped, length))) => {
                text.push(escaped);
                rest = rest.get(length..).unwrap_or_default();
            }
            _ => {
                text.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin_ui::Quoted;

    #[test]
    fn quoting_is_undone() {
        let text = "a\"b\\c\n\t\r\u{7}\u{202e}é\\u{41}";
        assert_eq!(unquote(&Quoted(text).to_string()), text);
        assert_eq!(unquote("\"\\u{1F412}\""), "\u{1f412}");
    }

    #[test]
    fn what_is_no_escape_stands_for_itself() {
        for text in ["\\q", "\\u{d800}", "\\u{}", "\\u{1234567}", "\\u{12"] {
            assert_eq!(read_escape(text), None, "{text}");
            assert_eq!(unquote(&format!("\"{text}\"")), text.trim_end_matches('"'), "{text}");
        }
    }
}
