//! Names of devices as people may read them: without the passwords that options carry.
//!
//! On its own because every report prints such names, and reports are shown to more people than the
//! log and the saved traces are, which need the whole name to run again.

/// The options whose value has a secret behind its first colon: `auth=USER:PASSWORD`.
const SECRET: [&str; 2] = ["auth=", "header="];
/// What stands in the place of a secret.
const HIDDEN: &str = "***";

/// A text with names of devices in it, without their secrets. What names an environment variable
/// (`auth=me:$PASSWORD`) has none.
pub fn without_secrets(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((start, end)) = next_secret(rest) {
        shown.push_str(&rest[..start]);
        shown.push_str(HIDDEN);
        rest = &rest[end..];
    }
    shown + rest
}

/// Where the next secret begins, and where it ends.
fn next_secret(text: &str) -> Option<(usize, usize)> {
    let options = SECRET.iter().flat_map(|key| text.match_indices(key));
    let options = options.filter_map(|(at, key)| {
        let is_word = text[..at].ends_with([' ', '\'', '"']);
        of_option(text, at + key.len()).filter(|_| is_word)
    });
    let addresses = text.match_indices("://").filter_map(|(at, mark)| {
        let from = at + mark.len();
        let user = text[from..].split(['/', '?', '#', ' ']).next()?;
        let (colon, end) = (user.find(':')?, user.rfind('@')?);
        (colon < end).then_some((from + colon + 1, from + end))
    });
    let is_secret = |(start, end): &(usize, usize)| {
        start < end && !text[*start..].starts_with('$') && text[*start..*end] != *HIDDEN
    };
    options.chain(addresses).filter(is_secret).min()
}

/// The secret in the value that begins here. A quote may stand around the value, or around what is
/// behind the colon.
fn of_option(text: &str, from: usize) -> Option<(usize, usize)> {
    let quote_at = |at: usize| text[at..].chars().next().filter(|c| matches!(c, '\'' | '"'));
    let mut quote = quote_at(from);
    let value = from + quote.map_or(0, char::len_utf8);
    let is_end = |c: char, quote: Option<char>| match quote {
        Some(quote) => c == quote,
        None => c.is_whitespace(),
    };
    let colon = text[value..].find(|c| c == ':' || is_end(c, quote))?;
    let mut start = value + colon + 1;
    if !text[value + colon..].starts_with(':') {
        return None;
    }
    if let (None, Some(inner)) = (quote, text.get(start..).and_then(|_| quote_at(start))) {
        (quote, start) = (Some(inner), start + inner.len_utf8());
    }
    start += text[start..].len() - text[start..].trim_start_matches(' ').len();
    let length = text[start..].find(|c| is_end(c, quote)).unwrap_or(text.len() - start);
    Some((start, start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        for (name, shown) in [
            ("web:http://a/ auth=me:secret phone", "web:http://a/ auth=me:*** phone"),
            ("web:http://a/ auth=me:secret", "web:http://a/ auth=me:***"),
            ("web:http://a/ auth='me:my secret' b", "web:http://a/ auth='me:***' b"),
            ("web:http://a/ auth=me:'my secret' b", "web:http://a/ auth=me:'***' b"),
            ("a header='X-Key: abc def' header=B:c", "a header='X-Key: ***' header=B:***"),
            ("web:http://me:secret@a/x?y", "web:http://me:***@a/x?y"),
            ("'web:http://a/ auth=me:secret' is lost", "'web:http://a/ auth=me:*** is lost"),
            ("web:http://a/ auth=me:$PASSWORD", "web:http://a/ auth=me:$PASSWORD"),
            ("web:http://a:80/x@y auth= header", "web:http://a:80/x@y auth= header"),
            ("web:http://a/ auth=", "web:http://a/ auth="),
            ("web:http://a/ auth=me:", "web:http://a/ auth=me:"),
            ("web:http://a/?oauth=a:b", "web:http://a/?oauth=a:b"),
            ("sim:music@80x40", "sim:music@80x40"),
        ] {
            assert_eq!(without_secrets(name), shown);
        }
    }
}
