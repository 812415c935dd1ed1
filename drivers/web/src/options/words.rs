//! How a device's name is parted into words, and how a value is quoted so that it stays one.
//!
//! On its own because whoever composes such a name must quote as it is parted here.

/// Parts a text at its spaces, but not inside of quotes, single or double. A quote opens at the
/// beginning of a word or behind `=` or `:`; elsewhere it is a character like any other. Within
/// quotes, the quote itself is written twice: `title='it''s here'`. The error is a word whose quote
/// is not closed.
pub(super) fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word = String::new();
    // A word of nothing but empty quotes is a word as well.
    let mut is_word = false;
    let mut quote = None;
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match quote {
            Some(open) if c == open => {
                if chars.next_if_eq(&open).is_some() {
                    word.push(open);
                } else {
                    quote = None;
                }
            }
            Some(_) => word.push(c),
            None if c.is_whitespace() => {
                if is_word {
                    words.push(std::mem::take(&mut word));
                }
                is_word = false;
            }
            None if is_quote(c) && (!is_word || before == '=' || before == ':') => {
                quote = Some(c);
                is_word = true;
            }
            None => {
                word.push(c);
                is_word = true;
            }
        }
        before = c;
    }
    if quote.is_some() {
        return Err(word);
    }
    if is_word {
        words.push(word);
    }
    Ok(words)
}

/// An option, `key=value`, as one word of a device's name: its value is quoted if it has spaces or
/// quotes in it. [`Options::parse`](crate::Options::parse) reads it back as it was.
///
/// ```
/// assert_eq!(capuchin_web::quoted_option("locale=de-DE"), "locale=de-DE");
/// assert_eq!(capuchin_web::quoted_option("user-agent=it's me"), "user-agent='it''s me'");
/// ```
pub fn quoted_option(option: &str) -> String {
    match option.split_once('=') {
        Some((key, value)) if value.contains(|c: char| c.is_whitespace() || is_quote(c)) => {
            format!("{key}='{}'", value.replace('\'', "''"))
        }
        _ => option.to_owned(),
    }
}

fn is_quote(c: char) -> bool {
    c == '\'' || c == '"'
}

/// The same device without what only a recording needs: its window, the port for other programs.
pub fn unrecorded(text: &str) -> String {
    without_options(text, &["record", "visible", "debugging-port"])
}

/// The same device without these options.
pub fn without_options(text: &str, keys: &[&str]) -> String {
    let Ok(words) = split(text) else { return text.to_owned() };
    let is_kept = |word: &&String| {
        let key = word.split('=').next().unwrap_or_default();
        !keys.contains(&key)
    };
    let kept: Vec<String> = words.iter().filter(is_kept).map(|word| quoted_option(word)).collect();
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_parted_at_spaces_outside_of_quotes() {
        for (text, expected) in [
            ("a  b=c ", &["a", "b=c"][..]),
            ("a='b c' d", &["a=b c", "d"]),
            ("a=\"it's\" b", &["a=it's", "b"]),
            ("a='it''s \"here\"' b", &["a=it's \"here\"", "b"]),
            ("a=\"say \"\"so\"\"\"", &["a=say \"so\""]),
            ("a=X:'b c'", &["a=X:b c"]),
            ("'a b'", &["a b"]),
            ("a=it's b", &["a=it's", "b"]),
            ("http://h/it's b", &["http://h/it's", "b"]),
            ("a='' b", &["a=", "b"]),
        ] {
            assert_eq!(split(text).unwrap(), expected, "{text}");
        }
        assert_eq!(split("a='b c"), Err("a=b c".to_owned()));
    }

    proptest! {
        #[test]
        fn a_quoted_option_is_one_word_and_the_same(value in "[a '\":=é\t]{0,12}") {
            let option = format!("header={value}");
            let text = format!("http://h/ {} phone", quoted_option(&option));
            prop_assert_eq!(split(&text).unwrap(), ["http://h/", &option, "phone"]);
        }
    }
}
