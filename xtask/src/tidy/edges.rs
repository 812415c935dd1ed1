//! Which package of the workspace may use which. One table, and it is exact: an edge that is not in
//! it fails, and so does an edge in it that nobody uses any more.
//!
//! Only what a package is built with is checked. Tests may use what they like (a driver's tests use
//! the conformance suite, the run loop's tests use the sample apps), with one rule of taste: the
//! tests of `ui` and `trace` use nothing of ours but these two.

use super::packages::Package;
use super::tree::Tree;
use super::{Finding, Rule};

/// A package, and the packages of the workspace that it uses.
pub(super) type Row = (&'static str, &'static [&'static str]);

/// Where the table is, for findings about it.
const TABLE: &str = "xtask/src/tidy/edges.rs";

/// The architecture. `docs/architecture.md` says why.
pub(super) const ALLOWED: &[Row] = &[
    ("capuchin-ui", &[]),
    ("capuchin-automata", &[]),
    ("capuchin-plan", &[]),
    ("capuchin-trace", &["capuchin-ui"]),
    ("capuchin", &["capuchin-trace", "capuchin-ui"]),
    ("capuchin-spec", &["capuchin", "capuchin-trace", "capuchin-ui"]),
    // Explore may use `plan` as well: add it when it does.
    ("capuchin-explore", &["capuchin", "capuchin-automata"]),
    ("capuchin-oracle", &["capuchin", "capuchin-plan", "capuchin-spec"]),
    ("capuchin-mission", &["capuchin"]),
    ("capuchin-record", &["capuchin"]),
    ("capuchin-report", &["capuchin"]),
    (
        "capuchin-cli",
        &[
            "capuchin",
            "capuchin-apps",
            "capuchin-explore",
            "capuchin-mission",
            "capuchin-oracle",
            "capuchin-record",
            "capuchin-report",
            "capuchin-spec",
            "capuchin-web",
        ],
    ),
    ("capuchin-sim", &["capuchin-ui"]),
    ("capuchin-web", &["capuchin-ui"]),
    ("capuchin-apps", &["capuchin-sim", "capuchin-ui"]),
    ("capuchin-conformance", &["capuchin-ui"]),
    ("capuchin-devtools", &[]),
    // Benchmarks may use `capuchin`, apps, mission, sim, spec, trace and ui: add them as they do.
    (
        "xtask",
        &[
            "capuchin",
            "capuchin-apps",
            "capuchin-automata",
            "capuchin-devtools",
            "capuchin-explore",
            "capuchin-mission",
            "capuchin-plan",
            "capuchin-record",
            "capuchin-report",
            "capuchin-spec",
            "capuchin-web",
        ],
    ),
];

/// The edges of the workspace are those of the table.
pub(super) fn check(tree: &Tree, packages: &[Package], allowed: &[Row]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let path = package.manifest.as_str();
        let Some((_, row)) = allowed.iter().find(|(name, _)| *name == package.name) else {
            let wrong = format!("{} is not in the table of edges", package.name);
            let remedy = format!("add a row for it to {TABLE}");
            let line = tree.line_of(path, &package.name);
            findings.push(Finding::new(Rule::Edges, path, line, wrong, remedy));
            continue;
        };
        let ours = |name: &&String| packages.iter().any(|other| other.name == **name);
        for used in package.dependencies.iter().filter(ours) {
            if !row.contains(&used.as_str()) {
                let wrong = format!("{} may not use {used}", package.name);
                let remedy = format!("move the code, or change the architecture in {TABLE}");
                let line = dependency_line(tree, path, used);
                findings.push(Finding::new(Rule::Edges, path, line, wrong, remedy));
            }
        }
        for listed in *row {
            if !package.dependencies.iter().any(|used| used == listed) {
                let wrong = format!("{} does not use {listed} any more", package.name);
                findings.push(stale(tree, &package.name, wrong));
            }
        }
    }
    for (name, _) in allowed {
        if !packages.iter().any(|package| package.name == *name) {
            findings.push(stale(tree, name, format!("there is no package {name}")));
        }
    }
    findings
}

fn stale(tree: &Tree, name: &str, wrong: String) -> Finding {
    // The row begins with the name, on the same line as its bracket or on the next.
    let row = tree.line_of(TABLE, &format!("(\"{name}\","));
    let line = if row > 1 { row } else { tree.line_of(TABLE, &format!("\"{name}\"")) };
    Finding::new(Rule::Edges, TABLE, line, wrong, "drop it from the table")
}

/// The line that names the dependency: `name = …`, `name.workspace = …` or `[dependencies.name]`.
fn dependency_line(tree: &Tree, manifest: &str, name: &str) -> usize {
    let starts = |line: &str| {
        let rest = line.strip_prefix("[dependencies.").unwrap_or(line).strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with([' ', '=', '.', ']']))
    };
    let lines = tree.text(manifest).unwrap_or_default().lines();
    lines.zip(1..).find(|(line, _)| starts(line)).map_or(1, |(_, number)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, dependencies: &[&str]) -> Package {
        Package {
            name: name.into(),
            manifest: format!("crates/{name}/Cargo.toml"),
            license: None,
            dependencies: dependencies.iter().copied().map(Into::into).collect(),
        }
    }

    fn findings(packages: &[Package], allowed: &[Row]) -> Vec<String> {
        check(&Tree::default(), packages, allowed).into_iter().map(|found| found.wrong).collect()
    }

    #[test]
    fn the_table_is_exact() {
        let both = [package("a", &[]), package("b", &["a", "serde"])];
        assert_eq!(findings(&both, &[("a", &[]), ("b", &["a"])]), [""; 0]);
        assert_eq!(findings(&both, &[("a", &[]), ("b", &[])]), ["b may not use a"]);
        assert_eq!(findings(&both, &[("a", &["b"]), ("b", &["a"])]), ["a does not use b any more"]);
        assert_eq!(findings(&both[..1], &[]), ["a is not in the table of edges"]);
        assert_eq!(findings(&both[..1], &[("a", &[]), ("b", &[])]), ["there is no package b"]);
    }

    #[test]
    fn the_line_is_that_of_the_dependency() {
        let manifest = "description = \"capuchin-ui\"\n[dependencies]\n\
                        capuchin-ui-more.workspace = true\ncapuchin-ui.workspace = true\n";
        let tree = Tree::of([("Cargo.toml", manifest)]);
        assert_eq!(dependency_line(&tree, "Cargo.toml", "capuchin-ui"), 4);
    }
}
