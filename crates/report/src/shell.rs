//! Command lines, as a shell takes them.

use capuchin::log::ExplorationRequest;

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@=+,%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// What to type to explore a device as it was asked for, from what the run directory `resumes` has
/// learned.
pub fn explore_command(
    device: &str,
    seed: u64,
    asked: &ExplorationRequest,
    resumes: Option<&str>,
) -> String {
    let mut command = format!("capuchin explore {} --seed {seed}", quoted(device));
    let resumes = resumes.into_iter().flat_map(|known| ["--resume", known]);
    for word in asked.options.iter().map(String::as_str).chain(resumes) {
        command.push(' ');
        command.push_str(&quoted(word));
    }
    command
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
