//! No file names a place on somebody's machine: it would be wrong on every other.

use super::tree::Tree;
use super::{Finding, Rule};

/// How such places begin. Written in two parts, so that this file does not hold them.
const PLACES: [&str; 5] = [
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/tm", "p/"),
    concat!("/Us", "ers/"),
    concat!("/wo", "rk/"),
];

/// Checks every text file.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.files() {
        for (line, number) in text.lines().zip(1..) {
            if let Some(place) = PLACES.iter().find(|place| is_absolute(line, place)) {
                let wrong = format!("a path on one machine, under `{place}`");
                let remedy =
                    "write it from the root of the repository, or use a temporary directory";
                findings.push(Finding::new(Rule::LocalPath, path, number, wrong, remedy));
            }
        }
    }
    findings
}

/// Whether the place is in the line as the beginning of a path, not somewhere in one.
fn is_absolute(line: &str, place: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || "._-~}".contains(c);
    line.match_indices(place).any(|(at, _)| !line[..at].ends_with(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_absolute_paths_are_found() {
        let text = concat!(
            "a book/tm",
            "p/x, work/, `the /ro",
            "ot`\n",
            "let out = \"/tm",
            "p/out\";\n",
            "see file:///ho",
            "me/me/notes\n",
        );
        let found = check(&Tree::of([("notes.txt", text)]));
        let lines: Vec<usize> = found.into_iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [2, 3]);
    }
}
