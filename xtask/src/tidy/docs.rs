//! The documentation hangs together: links lead somewhere, every page is linked from another, and
//! the index of decision records is complete.

use super::tree::Tree;
use super::{Finding, Rule};

const RECORDS: &str = "docs/adr/";
const INDEX: &str = "docs/adr/README.md";

/// A link between files of the repository.
#[derive(Debug, PartialEq, Eq)]
struct Link<'a> {
    from: &'a str,
    line: usize,
    to: String,
}

/// Checks the links of every page, and the pages under `docs`.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let links: Vec<Link<'_>> =
        tree.ending(".md").flat_map(|(path, text)| links(path, text)).collect();
    for link in &links {
        if !tree.has(&link.to) {
            let wrong = format!("the link leads to {}, which is not there", link.to);
            let remedy = "correct it, or write the page";
            findings.push(Finding::new(Rule::Docs, link.from, link.line, wrong, remedy));
        }
    }
    for (path, _) in tree.files().filter(|(path, _)| path.starts_with("docs/")) {
        let record = path.starts_with(RECORDS) && path.ends_with(".md") && path != INDEX;
        if record && !links.iter().any(|link| link.from == INDEX && link.to == path) {
            let wrong = "the decision record is not in the index";
            let remedy = format!("link it from {INDEX}");
            findings.push(Finding::new(Rule::Docs, path, 1, wrong, remedy));
        } else if !is_reached(tree, &links, path) {
            let wrong = "no page leads here";
            let remedy = "link it from a page under docs or from README.md";
            findings.push(Finding::new(Rule::Docs, path, 1, wrong, remedy));
        }
    }
    findings
}

/// Whether another page links to the file. What is no page may also just be named, as a book does
/// that includes an example.
fn is_reached(tree: &Tree, links: &[Link<'_>], path: &str) -> bool {
    let is_page = |from: &str| from != path && (from.starts_with("docs/") || from == "README.md");
    let name = path.rsplit('/').next().unwrap_or(path);
    // The two files that make a directory a book are known by their names.
    if ["SUMMARY.md", "book.toml"].contains(&name) {
        return true;
    }
    links.iter().any(|link| is_page(link.from) && link.to == path)
        || (!path.ends_with(".md")
            && tree.ending(".md").any(|(from, text)| is_page(from) && text.contains(name)))
}

/// The links of a page to files, in the order in which they stand there. Code blocks have none.
fn links<'a>(from: &'a str, text: &str) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    let mut in_code = false;
    for (line, number) in text.lines().zip(1..) {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        let inline = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let reference = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        for target in inline.chain(reference.map(|(_, target)| target)) {
            let target = target.split(['#', ' ']).next().unwrap_or_default();
            if !target.is_empty() && !target.contains(':') {
                links.push(Link { from, line: number, to: resolve(from, target) });
            }
        }
    }
    links
}

/// The path from the root of what a page calls `target`.
fn resolve(from: &str, target: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Vec<(String, usize)> {
        let found = check(&Tree::of(files.iter().copied()));
        found.into_iter().map(|finding| (finding.path, finding.line)).collect()
    }

    #[test]
    fn links_are_read_and_resolved() {
        let text = "See [a](a.md), [b](../b/#part \"B\") and [web](https://example.org).\n\
                    ```text\n[no](no.md)\n```\n[ref]: ./c.md\n[here](#here)\n";
        let to: Vec<String> = links("docs/x.md", text).into_iter().map(|link| link.to).collect();
        assert_eq!(to, ["docs/a.md", "b", "docs/c.md"]);
        assert_eq!(resolve("README.md", "docs/a.md"), "docs/a.md");
        assert_eq!(resolve("docs/adr/1.md", "../../../out.md"), "../out.md");
    }

    #[test]
    fn links_lead_somewhere_and_pages_are_linked() {
        let readme = ("README.md", "[map](docs/map.md) [crates](crates)\n");
        let map = ("docs/map.md", "[back](../README.md)\nrun `sign-in.cap`\n");
        let code = ("crates/ui/src/lib.rs", "");
        let example = ("docs/sign-in.cap", "");
        assert_eq!(findings(&[readme, map, code, example]), []);
        assert_eq!(findings(&[readme, map, code, ("docs/b.cap", "")]), [("docs/b.cap".into(), 1)]);
        assert_eq!(findings(&[readme, map]), [("README.md".into(), 1)]);
        let lonely = ("docs/lonely.md", "[me](lonely.md)\n");
        assert_eq!(findings(&[readme, map, code, lonely]), [("docs/lonely.md".into(), 1)]);
    }

    #[test]
    fn the_index_of_decision_records_is_complete() {
        let readme = ("README.md", "[adr](docs/adr/README.md) [2](docs/adr/0002-b.md)\n");
        let first = ("docs/adr/0001-a.md", "");
        let second = ("docs/adr/0002-b.md", "");
        let index = ("docs/adr/README.md", "[1](0001-a.md)\n[3](0003-c.md)\n");
        assert_eq!(
            findings(&[readme, first, second, index]),
            [("docs/adr/README.md".into(), 2), ("docs/adr/0002-b.md".into(), 1)]
        );
    }
}
