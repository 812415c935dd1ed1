//! What every source file keeps to: it says what it is, it is short, its comments are no wider than
//! its code, and its tests run. The scripts that a driver runs in a page are source files like
//! those in Rust.

use super::tree::Tree;
use super::{Finding, Rule};

/// The most lines that a file may have.
const MOST_LINES: usize = 600;

/// The most columns that a line of a comment may have: rustfmt wraps code, and leaves comments
/// alone.
const MOST_COLUMNS: usize = 100;

/// Attributes that keep a test from running, or from saying which part of it must fail. Written in
/// two parts, so that this file does not hold them.
const ATTRIBUTES: [(&str, &str); 2] = [
    (concat!("#[", "ignore"), "make it run, or delete it"),
    (concat!("#[", "should_panic"), "assert on the returned error, or on `catch_unwind`"),
];

/// Checks every source file, and the code blocks in Markdown too.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let scripts = tree.ending(".js").filter(|(path, _)| is_page_script(path));
    for (path, text) in scripts {
        check_file(path, text, "// ", &mut findings);
    }
    for (path, text) in tree.ending(".rs") {
        check_file(path, text, "//!", &mut findings);
        for (line, number) in text.lines().zip(1..) {
            for (attribute, remedy) in ATTRIBUTES {
                if line.contains(attribute) {
                    let wrong = format!("a test has `{attribute}]`");
                    findings.push(Finding::new(Rule::SkippedTest, path, number, wrong, remedy));
                }
            }
        }
    }
    for (path, text) in tree.ending(".rs").chain(tree.ending(".md")) {
        for (line, number) in text.lines().zip(1..) {
            if is_ignored_fence(line) {
                let wrong = "a code block is not run";
                let remedy = "make it run on the simulated device, or mark it as `text`";
                findings.push(Finding::new(Rule::SkippedTest, path, number, wrong, remedy));
            }
        }
    }
    findings
}

/// Whether a driver runs this script in a page; others belong to apps under test.
fn is_page_script(path: &str) -> bool {
    path.starts_with("drivers/") && path.contains("/src/")
}

/// Checks that a file says what it is, is short, and has no comment that is too wide.
fn check_file(path: &str, text: &str, opening: &str, findings: &mut Vec<Finding>) {
    if !text.starts_with(opening) {
        let wrong = format!("the file does not open with `{}`", opening.trim());
        let remedy = "say in the first line what it is, then why it is on its own";
        findings.push(Finding::new(Rule::ModuleDoc, path, 1, wrong, remedy));
    }
    let lines = text.lines().count();
    if lines > MOST_LINES {
        let wrong = format!("{lines} lines are more than {MOST_LINES}");
        let remedy = "split it, or give a reason in EXCEPTIONS of xtask/src/tidy.rs";
        findings.push(Finding::new(Rule::Length, path, lines, wrong, remedy));
    }
    let mut in_code = false;
    for (line, number) in text.lines().zip(1..) {
        let comment = comment(line);
        in_code = comment.is_some_and(|text| in_code != text.starts_with("```"));
        if comment.is_some_and(|text| !in_code && is_too_wide(line, text)) {
            let columns = line.chars().count();
            let wrong = format!("a comment has {columns} columns, more than {MOST_COLUMNS}");
            findings.push(Finding::new(Rule::Width, path, number, wrong, "wrap it"));
        }
    }
}

/// What a line says that is only a comment.
fn comment(line: &str) -> Option<&str> {
    let comment = line.trim_start().strip_prefix("//")?;
    Some(comment.trim_start_matches(['/', '!']).trim())
}

/// Whether the line of a comment is too wide and could be wrapped: a row of a table and a single
/// long word could not.
fn is_too_wide(line: &str, comment: &str) -> bool {
    line.chars().count() > MOST_COLUMNS && comment.contains(' ') && !comment.starts_with('|')
}

/// Whether a line of Markdown or of a doc comment opens a code block that is not run.
fn is_ignored_fence(line: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("//!").or_else(|| line.strip_prefix("///")).unwrap_or(line).trim();
    let Some(info) = line.strip_prefix("```").or_else(|| line.strip_prefix("~~~")) else {
        return false;
    };
    info.trim_matches(['`', '~', '{', '}'])
        .split([',', ' '])
        .any(|word| word == "ignore" || word.starts_with("ignore-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<(usize, Rule)> {
        let found = check(&Tree::of([(path, text)]));
        found.into_iter().map(|finding| (finding.line, finding.rule)).collect()
    }

    #[test]
    fn files_say_what_they_are() {
        assert_eq!(findings("a.rs", "//! A.\n"), []);
        assert_eq!(findings("a.rs", "// A.\n"), [(1, Rule::ModuleDoc)]);
        assert_eq!(findings("a.rs", "\n//! A.\n"), [(1, Rule::ModuleDoc)]);
        assert_eq!(findings("a.rs", ""), [(1, Rule::ModuleDoc)]);
        assert_eq!(findings("a.md", ""), []);
    }

    #[test]
    fn files_are_short() {
        let lines = |n: usize| format!("//! A.\n{}", "\n".repeat(n - 1));
        assert_eq!(findings("a.rs", &lines(600)), []);
        assert_eq!(findings("a.rs", &lines(601)), [(601, Rule::Length)]);
    }

    #[test]
    fn comments_are_as_narrow_as_code() {
        let words = "word ".repeat(30);
        for wide in [format!("// {words}"), format!("    /// {words}"), format!("//! {words}")] {
            assert_eq!(findings("a.rs", &format!("//! A.\n{wide}\n")), [(2, Rule::Width)]);
        }
        let address = format!("// https://example.org/{}", "a".repeat(100));
        let table = format!("/// | {words} |");
        let code = format!("let text = \"{words}\";");
        let example = format!("/// ```\n/// {words}\n/// ```");
        for fine in [address, table, code, example, format!("// {}", "é".repeat(97))] {
            assert_eq!(findings("a.rs", &format!("//! A.\n{fine}\n")), []);
        }
    }

    #[test]
    fn page_scripts_keep_to_the_same() {
        let script = "drivers/web/src/page/a.js";
        let lines = |n: usize| format!("// A.\n{}", "\n".repeat(n - 1));
        assert_eq!(findings(script, &lines(600)), []);
        assert_eq!(findings(script, &lines(601)), [(601, Rule::Length)]);
        assert_eq!(findings(script, "const a = 1;\n"), [(1, Rule::ModuleDoc)]);
        assert_eq!(findings("testing/apps/web/a.js", "const a = 1;\n"), []);
    }

    #[test]
    fn tests_run() {
        for attribute in [
            concat!("#[", "ignore]"),
            concat!("#[", "ignore = \"slow\"]"),
            concat!("#[", "should_panic(expected = \"\")]"),
        ] {
            let text = format!("//! A.\n\n    {attribute}\n");
            assert_eq!(findings("a.rs", &text), [(3, Rule::SkippedTest)], "{attribute}");
        }
    }

    #[test]
    fn code_blocks_run() {
        for fence in
            ["```ignore", "//! ```rust,ignore", "    /// ~~~ rust, ignore", "```ignore-windows"]
        {
            assert!(is_ignored_fence(fence), "{fence}");
        }
        for fence in ["```", "```rust", "```text", "we ignore it", "``ignore``", "```text ignored"]
        {
            assert!(!is_ignored_fence(fence), "{fence}");
        }
        assert_eq!(findings("a.md", "A.\n\n```rust,ignore\n```\n"), [(3, Rule::SkippedTest)]);
    }
}
