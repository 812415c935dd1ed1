//! The crates that decide what a run does are functions of their arguments: no clock, no hash
//! order, no randomness but the seed's.
//!
//! A plain search for words, tests included. It is easy to fool and easy to understand; the
//! conformance suite and the tests that run a seed twice are the other half.

use super::tree::{Tree, has_word};
use super::{Finding, Rule};

/// The crates that are checked. Those that do not exist yet are held to it from their first line.
const CRATES: [&str; 6] = ["automata", "capuchin", "explore", "plan", "record", "trace"];

/// What must not be used, and what to use instead.
const WORDS: [(&str, &str); 8] = [
    ("HashMap", "use BTreeMap or a Vec: its order is always the same"),
    ("HashSet", "use BTreeSet or a Vec: its order is always the same"),
    ("RandomState", "use BTreeMap or a Vec: its order is always the same"),
    ("SystemTime", "take the time as an argument"),
    ("Instant", "take a budget of runs or steps, or the time as an argument"),
    ("thread_rng", "draw from the `Rng` that the seed was given to"),
    ("from_os_rng", "draw from the `Rng` that the seed was given to"),
    ("getrandom", "draw from the `Rng` that the seed was given to"),
];

/// Checks the source files of these crates, leaving comments aside.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let checked =
        |path: &str| CRATES.iter().any(|name| path.starts_with(&format!("crates/{name}/src/")));
    for (path, text) in tree.ending(".rs").filter(|(path, _)| checked(path)) {
        for (line, number) in text.lines().zip(1..) {
            let code = line.split("//").next().unwrap_or_default();
            for (word, remedy) in WORDS {
                if has_word(code, word) {
                    let wrong = format!("`{word}` in a crate that is a function of its seed");
                    findings.push(Finding::new(Rule::Determinism, path, number, wrong, remedy));
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_hash_order_are_found_where_they_matter() {
        let text = "//! A HashMap would be wrong.\nuse std::time::Instant;\nfn instantiate() {}\n\
                    fn f(m: &HashMap<u8, SystemTime>) {} // HashSet\n";
        let lines = |path: &str| -> Vec<usize> {
            check(&Tree::of([(path, text)])).into_iter().map(|finding| finding.line).collect()
        };
        assert_eq!(lines("crates/trace/src/a.rs"), [2, 4, 4]);
        assert_eq!(lines("crates/explore/src/policy/a.rs"), [2, 4, 4]);
        assert_eq!(lines("crates/cli/src/a.rs"), [0; 0]);
        assert_eq!(lines("crates/trace/tests/a.rs"), [0; 0]);
    }
}
