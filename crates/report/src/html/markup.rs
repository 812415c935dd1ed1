//! Writes HTML. What is not a literal of this crate goes through the escaping, and the types say
//! so: texts come from apps, and apps show whatever their users type.

use std::fmt::Display;

/// HTML that is being written.
#[derive(Debug, Default)]
pub(super) struct Markup {
    out: String,
}

impl Markup {
    /// Markup of our own. Only a literal is taken, so that no text of an app gets here.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// Text, whatever stands in it.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        escape(text, &mut self.out);
        self
    }

    /// Anything that can be shown, as text.
    pub(super) fn show(&mut self, value: impl Display) -> &mut Self {
        self.text(&value.to_string())
    }

    /// An attribute of the tag that is open, with a space before it.
    pub(super) fn attr(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// What was written.
    pub(super) fn finish(self) -> String {
        self.out
    }
}

fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(is_special) {
        out.push_str(&rest[..at]);
        let Some(c) = rest[at..].chars().next() else { break };
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Shown by its picture (␀, ␛): HTML has no way to write it, and a reader wants to see
            // it.
            c => out.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}')),
        }
        rest = &rest[at + c.len_utf8()..];
    }
    out.push_str(rest);
}

fn is_special(c: char) -> bool {
    matches!(c, '&' | '<' | '>' | '"' | '\'') || (c < ' ' && !matches!(c, '\n' | '\t' | '\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut markup = Markup::default();
        markup.text(text);
        assert_eq!(markup.finish(), expected);
    }

    #[test]
    fn text_cannot_leave_its_place() {
        check("plain, äöü, ‏שלום, 🐒", "plain, äöü, ‏שלום, 🐒");
        check("</script><b>", "&lt;/script&gt;&lt;b&gt;");
        check("\"a\" & 'b'", "&quot;a&quot; &amp; &#39;b&#39;");
        check("nul\0 esc\u{1b}\nline\ttab", "nul\u{2400} esc\u{241b}\nline\ttab");
        check("&amp;", "&amp;amp;");
    }

    #[test]
    fn an_attribute_is_quoted() {
        let mut markup = Markup::default();
        markup.raw("<img").attr("alt", "\"><script>").raw(">");
        assert_eq!(markup.finish(), r#"<img alt="&quot;&gt;&lt;script&gt;">"#);
    }
}
