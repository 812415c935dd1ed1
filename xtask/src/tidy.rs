//! `cargo xtask tidy`: the rules of this repository that the compiler does not check.
//!
//! Each check is a function from what was read to findings, in a file of its own. All findings are
//! collected before anything is printed, so one run shows everything.

mod determinism;
mod docs;
mod edges;
mod local_paths;
mod packages;
mod source;
mod tree;

use anyhow::Result;
use std::fmt;
use std::path::Path;
use std::process::ExitCode;
use tree::Tree;

/// Where the table of exceptions is, for findings about it.
const THIS_FILE: &str = "xtask/src/tidy.rs";

/// A rule, a file that may break it, and why. An exception that is not needed any more is a
/// finding.
type Exception = (Rule, &'static str, &'static str);

/// All exceptions. Think twice: most of the time the file should change.
const EXCEPTIONS: &[Exception] = &[];

/// A rule that a file can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rule {
    Edges,
    Manifest,
    ModuleDoc,
    Length,
    Width,
    SkippedTest,
    Determinism,
    LocalPath,
    Docs,
    Exceptions,
}

/// Something to put right.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    path: String,
    line: usize,
    rule: Rule,
    wrong: String,
    remedy: String,
}

impl Finding {
    fn new(
        rule: Rule,
        path: impl Into<String>,
        line: usize,
        wrong: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Finding { path: path.into(), line, rule, wrong: wrong.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.path, self.line, self.wrong, self.remedy)
    }
}

/// Checks the workspace at `root` and prints what is to be put right.
pub(crate) fn run(root: &Path) -> Result<ExitCode> {
    let tree = Tree::read(root)?;
    let packages = packages::read(root)?;
    let findings = check(&tree, &packages, edges::ALLOWED, EXCEPTIONS);
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() {
        println!("tidy: {} files, {} packages, nothing to put right", tree.len(), packages.len());
        Ok(ExitCode::SUCCESS)
    } else {
        println!("tidy: {} to put right", findings.len());
        Ok(ExitCode::FAILURE)
    }
}

fn check(
    tree: &Tree,
    packages: &[packages::Package],
    allowed: &[edges::Row],
    exceptions: &[Exception],
) -> Vec<Finding> {
    let mut findings = edges::check(tree, packages, allowed);
    findings.extend(packages::check(tree, packages));
    findings.extend(source::check(tree));
    findings.extend(determinism::check(tree));
    findings.extend(local_paths::check(tree));
    findings.extend(docs::check(tree));
    except(&mut findings, exceptions);
    findings.sort_by(|a, b| (&a.path, a.line, a.rule).cmp(&(&b.path, b.line, b.rule)));
    findings
}

/// Drops the findings that are excepted, and adds one for each exception that drops nothing.
fn except(findings: &mut Vec<Finding>, exceptions: &[Exception]) {
    for (rule, path, reason) in exceptions {
        let before = findings.len();
        findings.retain(|finding| finding.rule != *rule || finding.path != *path);
        if findings.len() == before {
            let wrong = format!("the exception of {path} from {rule:?} is not needed ({reason})");
            let remedy = "drop it from EXCEPTIONS";
            findings.push(Finding::new(Rule::Exceptions, THIS_FILE, 1, wrong, remedy));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn plant(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A workspace of two crates in which everything is wrong.
    fn bad_workspace(root: &Path) {
        plant(
            root,
            "Cargo.toml",
            "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"3\"\n\n\
             [workspace.lints.rust]\nunsafe_code = \"forbid\"\n",
        );
        plant(
            root,
            "crates/trace/Cargo.toml",
            "[package]\nname = \"capuchin-trace\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\ncapuchin-util = { path = \"../util\" }\n",
        );
        plant(root, "crates/trace/src/lib.rs", "use std::collections::HashMap;\n");
        plant(
            root,
            "crates/util/Cargo.toml",
            "[package]\nname = \"capuchin-util\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
             license = \"MIT OR Apache-2.0\"\n\n[lints]\nworkspace = true\n",
        );
        plant(root, "crates/util/src/lib.rs", &format!("//! Long.\n{}", "\n".repeat(600)));
        plant(root, "target/debug/build.rs", "not ours\n");
        plant(root, "docs/lonely.md", concat!("```", "ignore\n```\nSee [that](gone.md).\n"));
        plant(root, "notes.txt", concat!("kept in /ro", "ot/notes\n"));
    }

    #[test]
    fn every_planted_violation_is_found_at_its_line() {
        let root = tempfile::tempdir().unwrap();
        bad_workspace(root.path());
        let tree = Tree::read(root.path()).unwrap();
        let packages = packages::read(root.path()).unwrap();
        let allowed: &[edges::Row] =
            &[("capuchin-trace", &["capuchin-ui"]), ("capuchin-util", &[]), ("capuchin-gone", &[])];
        let found: Vec<String> = check(&tree, &packages, allowed, &[])
            .iter()
            .map(|finding| format!("{}:{} {:?}", finding.path, finding.line, finding.rule))
            .collect();
        assert_eq!(
            found,
            [
                "crates/trace/Cargo.toml:1 Manifest",
                "crates/trace/Cargo.toml:1 Manifest",
                "crates/trace/Cargo.toml:7 Edges",
                "crates/trace/src/lib.rs:1 ModuleDoc",
                "crates/trace/src/lib.rs:1 Determinism",
                "crates/util/Cargo.toml:2 Manifest",
                "crates/util/src/lib.rs:601 Length",
                "docs/lonely.md:1 SkippedTest",
                "docs/lonely.md:1 Docs",
                "docs/lonely.md:3 Docs",
                "notes.txt:1 LocalPath",
                "xtask/src/tidy/edges.rs:1 Edges",
                "xtask/src/tidy/edges.rs:1 Edges",
            ]
        );
    }

    #[test]
    fn exceptions_hold_and_stale_ones_are_found() {
        let long = Finding::new(Rule::Length, "a.rs", 700, "too long", "split it");
        let mut findings = vec![long.clone()];
        except(&mut findings, &[(Rule::Length, "a.rs", "a table")]);
        assert_eq!(findings, []);

        let mut findings = vec![long];
        except(&mut findings, &[(Rule::Length, "b.rs", "a table")]);
        assert_eq!(findings.len(), 2);
        assert_eq!(
            findings[1].to_string(),
            "xtask/src/tidy.rs:1: the exception of b.rs from Length is not needed (a table): \
             drop it from EXCEPTIONS"
        );
    }
}
