//! Words of a command line, as a shell takes them.

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@=+,%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_takes_what_is_quoted() {
        assert_eq!(quoted("out/music-1/failures/1-a.capu"), "out/music-1/failures/1-a.capu");
        assert_eq!(quoted("sim:music@800x400"), "sim:music@800x400");
        assert_eq!(quoted("web:http://a/?b=1&c"), "'web:http://a/?b=1&c'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
