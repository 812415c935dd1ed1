//! The packages of the workspace as cargo knows them, and what each manifest must say.

use super::tree::Tree;
use super::{Finding, Rule};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const LICENSE: &str = "MIT OR Apache-2.0";

/// Names that say nothing about what belongs into a crate.
const EMPTY_NAMES: [&str; 4] = ["common", "core", "util", "utils"];

/// A package of the workspace.
#[derive(Clone, Debug)]
pub(super) struct Package {
    /// Its name.
    pub(super) name: String,
    /// Its manifest, from the root.
    pub(super) manifest: String,
    /// Its licence, if it has one.
    pub(super) license: Option<String>,
    /// The packages that it is built with, ours and others'. Not those that only its tests use.
    pub(super) dependencies: Vec<String>,
}

/// Asks cargo for the packages of the workspace at `root`.
pub(super) fn read(root: &Path) -> Result<Vec<Package>> {
    let root = root.canonicalize().with_context(|| format!("cannot find {}", root.display()))?;
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(&root)
        .output()
        .context("cannot start `cargo metadata`")?;
    if !output.status.success() {
        bail!("`cargo metadata` failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Value =
        serde_json::from_slice(&output.stdout).context("`cargo metadata` wrote no JSON")?;
    let packages = metadata["packages"].as_array().context("`cargo metadata` lists no packages")?;
    packages.iter().map(|package| read_package(package, &root)).collect()
}

fn read_package(package: &Value, root: &Path) -> Result<Package> {
    let name = package["name"].as_str().context("a package without a name")?;
    let manifest = package["manifest_path"].as_str().context("a package without a manifest")?;
    let manifest = Path::new(manifest).strip_prefix(root).unwrap_or(Path::new(manifest));
    let dependencies = package["dependencies"].as_array().map_or(&[][..], Vec::as_slice);
    Ok(Package {
        name: name.to_owned(),
        manifest: manifest.to_string_lossy().replace('\\', "/"),
        license: package["license"].as_str().map(str::to_owned),
        dependencies: dependencies
            .iter()
            .filter(|dependency| dependency["kind"] != "dev")
            .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
            .collect(),
    })
}

/// Each package inherits the lints, has the licence, and has a name that says something.
pub(super) fn check(tree: &Tree, packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let path = package.manifest.as_str();
        let mut add = |line: usize, wrong: String, remedy: &str| {
            findings.push(Finding::new(Rule::Manifest, path, line, wrong, remedy));
        };
        if !inherits_lints(tree.text(path).unwrap_or_default()) {
            let wrong = "the lints of the workspace are not inherited".to_owned();
            add(1, wrong, "add `[lints]` with `workspace = true`");
        }
        if package.license.as_deref() != Some(LICENSE) {
            let wrong = format!("the licence is not {LICENSE}");
            add(tree.line_of(path, "license"), wrong, "add `license.workspace = true`");
        }
        let short = package.name.strip_prefix("capuchin-").unwrap_or(&package.name);
        let directory = path.rsplit('/').nth(1).unwrap_or_default();
        if let Some(name) = EMPTY_NAMES.iter().find(|name| [short, directory].contains(name)) {
            let wrong = format!("a crate called `{name}` attracts everything");
            add(tree.line_of(path, "name"), wrong, "name it after what it is for");
        }
    }
    findings
}

fn inherits_lints(manifest: &str) -> bool {
    let mut in_lints = false;
    manifest.lines().map(|line| line.replace(' ', "")).any(|line| {
        if line.starts_with('[') {
            in_lints = line == "[lints]";
        }
        (in_lints && line == "workspace=true") || line == "lints.workspace=true"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(name: &str, license: Option<&str>, manifest: &str) -> Vec<String> {
        let path = "crates/x/Cargo.toml";
        let package = Package {
            name: name.into(),
            manifest: path.into(),
            license: license.map(Into::into),
            dependencies: Vec::new(),
        };
        let found = check(&Tree::of([(path, manifest)]), &[package]);
        found.into_iter().map(|finding| finding.wrong).collect()
    }

    #[test]
    fn manifests_say_what_they_must() {
        let good = "[package]\nname = \"x\"\n\n[lints]\nworkspace = true\n";
        assert_eq!(findings("capuchin-x", Some(LICENSE), good), Vec::<String>::new());
        assert_eq!(findings("capuchin-x", None, good).len(), 1);
        assert_eq!(findings("capuchin-x", Some("MIT"), good).len(), 1);
        assert_eq!(findings("capuchin-core", Some(LICENSE), good).len(), 1);
        let own_lints = "[lints.rust]\nunsafe_code = \"allow\"\n[dependencies]\nworkspace = true\n";
        assert_eq!(findings("capuchin-x", Some(LICENSE), own_lints).len(), 1);
    }
}
