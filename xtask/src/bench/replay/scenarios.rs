//! The scenarios as they stand in a file: apps, what is done on each layout, goals, counterparts.
//!
//! On its own because it is the format of others: what it does not know of a scenario it leaves
//! out.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// An app, how it is installed and served, and its scenarios.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Case {
    pub(super) id: String,
    pub(super) install: Package,
    #[serde(default)]
    pub(super) files: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) prepare: Vec<String>,
    pub(super) serve: Serve,
    #[serde(default)]
    pub(super) reset: Reset,
    /// A log-in: what is done after each reset, and is no part of a scenario.
    #[serde(default)]
    pub(super) setup: Vec<Step>,
    pub(super) scenarios: Vec<Scenario>,
}

/// A package of npm's or PyPI's.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Package {
    pub(super) registry: String,
    pub(super) name: String,
    pub(super) version: String,
    #[serde(default)]
    pub(super) mode: Option<String>,
    #[serde(default)]
    pub(super) also: Vec<Package>,
    /// What it needs, in versions that fit.
    #[serde(default)]
    pub(super) pins: Vec<(String, String)>,
}

/// Files to be served, or a command that serves.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Serve {
    pub(super) root: Option<String>,
    pub(super) command: Option<String>,
    #[serde(default)]
    pub(super) index: String,
    pub(super) port: Option<u16>,
    /// How long it takes to begin, in milliseconds.
    pub(super) wait: Option<u64>,
    #[serde(default)]
    pub(super) env: BTreeMap<String, String>,
}

/// How the app's data are brought back.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Reset {
    pub(super) command: Option<String>,
}

/// Something that a person does with the app, in the way of each layout.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Scenario {
    pub(super) id: String,
    /// The page on which it begins, if it is not the app's first.
    pub(super) start: Option<String>,
    #[serde(default)]
    pub(super) pattern: Vec<String>,
    /// JavaScript, true when it has been done.
    pub(super) goal: String,
    steps: BTreeMap<String, Steps>,
    #[serde(default)]
    receivers: BTreeMap<String, BTreeMap<String, String>>,
}

/// Steps, or the layout that has the same.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Steps {
    As(String),
    These(Vec<Step>),
}

/// One thing that is done.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Step {
    pub(super) action: String,
    pub(super) selector: Option<String>,
    pub(super) text: Option<serde_json::Value>,
    /// Whether it must happen on every device.
    #[serde(default)]
    pub(super) key: bool,
    /// The name of its counterparts.
    pub(super) k: Option<String>,
    pub(super) ms: Option<u64>,
    /// How long a person waits after it.
    pub(super) settle: Option<u64>,
}

impl Step {
    /// Its text; a choice may be written as a number.
    pub(super) fn words(&self) -> String {
        match &self.text {
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(serde_json::Value::Object(one)) => {
                let named = ["label", "value"].iter().find_map(|key| one.get(*key)?.as_str());
                named.unwrap_or_default().to_owned()
            }
            Some(other) => other.to_string(),
            None => String::new(),
        }
    }
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.action, self.selector.as_deref().unwrap_or_default())?;
        if self.text.is_some() {
            write!(f, " {:?}", self.words())?;
        }
        match &self.k {
            Some(k) if self.key => write!(f, " [{k}]"),
            _ => Ok(()),
        }
    }
}

impl Scenario {
    /// The steps of a layout.
    pub(super) fn steps(&self, layout: &str) -> Result<&[Step]> {
        let mut name = layout;
        // As many as there are layouts: two that refer to each other have none.
        for _ in 0..=self.steps.len() {
            match self.steps.get(name) {
                Some(Steps::These(steps)) => return Ok(steps),
                Some(Steps::As(other)) => name = other,
                None => break,
            }
        }
        anyhow::bail!("{}: there are no steps for {layout}", self.id)
    }

    /// The true counterparts of key events on a layout, by name, as CSS.
    pub(super) fn truths(&self, layout: &str) -> BTreeMap<String, String> {
        let other = match self.steps.get(layout) {
            Some(Steps::As(other)) => other,
            _ => layout,
        };
        let of = |by_layout: &BTreeMap<String, String>| {
            by_layout.get(layout).or_else(|| by_layout.get(other)).cloned()
        };
        self.receivers.iter().filter_map(|(k, all)| Some((k.clone(), of(all)?))).collect()
    }
}

/// Reads the cases of a directory, or of a file.
pub(super) fn read(path: &Path) -> Result<Vec<Case>> {
    let file = if path.is_dir() { path.join("scenarios.json") } else { path.to_owned() };
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not understood", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_may_have_the_steps_of_another() {
        let text = r#"{"id": "a/b", "goal": "true", "steps": {
            "phone": [{"action": "click", "selector": "a", "key": true, "k": "k1"}],
            "landscape": "phone", "desktop": "watch", "watch": "desktop"},
            "receivers": {"k1": {"phone": "a"}}}"#;
        let scenario: Scenario = serde_json::from_str(text).unwrap();
        assert_eq!(scenario.steps("landscape").unwrap().len(), 1);
        assert_eq!(scenario.truths("landscape")["k1"], "a");
        assert!(scenario.steps("desktop").is_err());
        assert_eq!(scenario.steps("phone").unwrap()[0].to_string(), "click a [k1]");
    }
}
