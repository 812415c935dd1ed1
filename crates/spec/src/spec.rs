//! A file that was read: what to check, where, and how often.

use crate::lower::is_built_in_environment;
use crate::mapping::Mapping;
use crate::{is_reserved, is_word};
use capuchin_trace::{EventGen, Formula, Gen, Prop};
use capuchin_ui::{Quoted, Script, Str};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// What a spec file says, with all definitions expanded.
///
/// It displays as a file that reads back to an equal value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    /// The device to run on, as it would be passed on the command line.
    pub device: Option<String>,
    /// Where all randomness comes from.
    pub seed: Option<u64>,
    /// How many traces are drawn for each check.
    pub cases: Option<u32>,
    /// What holds after every step of every check.
    pub always: Vec<Invariant>,
    /// What holds of every run of every check.
    pub properties: Vec<RunProperty>,
    /// The monitors that watch every run, by name: whoever runs the spec must know them.
    pub monitors: Vec<Str>,
    /// The failure that `capuchin run` expects of its traces, by what tells failures apart.
    pub expect: Option<Str>,
    /// What is checked, in the order of the file.
    pub checks: Vec<NamedGen>,
    /// The predicates that are declared without a script: the device must know them.
    pub predicates: Vec<Str>,
    /// Predicates and values whose definition is in the file: the device must evaluate them.
    pub scripts: Vec<Script>,
    /// The environment events that the checks use, by name: the device must know them.
    pub environment: Vec<Str>,
    /// How a planning model is bound to the app, if the file says.
    pub mapping: Option<Arc<Mapping>>,
}

/// A property that holds all the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Invariant {
    /// What a report calls it.
    pub label: Option<Str>,
    /// What holds.
    pub prop: Prop,
}

/// A property of a whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunProperty {
    /// What a report calls it.
    pub label: Option<Str>,
    /// What holds.
    pub formula: Formula<Prop>,
}

/// A generator of traces, all of which are to succeed.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedGen {
    /// What a report calls it. No two checks of a file have the same name.
    pub name: String,
    /// What is run.
    pub generator: Gen,
}

impl Spec {
    /// What the spec declares beyond the language: each name, and the line that declares it. A
    /// trace of one of its checks needs them to be read on its own.
    pub fn declarations(&self) -> impl Iterator<Item = (&Str, String)> {
        let predicates = self.predicates.iter().map(|name| (name, format!("predicate {name}")));
        let environment = self.environment.iter().filter(|name| !is_built_in_environment(name));
        let scripts = self.scripts.iter().map(|script| (&script.name, script.to_string()));
        predicates
            .chain(scripts)
            .chain(environment.map(|name| (name, format!("environment {name}"))))
    }

    /// Notes which environment events the checks use.
    pub(crate) fn find_environment(&mut self) {
        let mut names: Vec<Str> = Vec::new();
        let mut seen: BTreeSet<Str> = BTreeSet::new();
        for check in &self.checks {
            check.generator.visit(&mut |generator| {
                if let Gen::Event(event) = generator
                    && let EventGen::Environment(name, _) = &**event
                    && seen.insert(name.clone())
                {
                    names.push(name.clone());
                }
            });
        }
        self.environment = names;
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(device) = &self.device {
            writeln!(f, "device {}", Quoted(device))?;
        }
        if let Some(seed) = self.seed {
            writeln!(f, "seed {seed}")?;
        }
        if let Some(cases) = self.cases {
            writeln!(f, "cases {cases}")?;
        }
        for (_, declaration) in self.declarations() {
            writeln!(f, "{declaration}")?;
        }
        if let Some(mapping) = &self.mapping {
            writeln!(f, "{mapping}")?;
        }
        for monitor in &self.monitors {
            writeln!(f, "monitor {}", Quoted(monitor))?;
        }
        if let Some(failure) = &self.expect {
            writeln!(f, "expect {}", Quoted(failure))?;
        }
        for invariant in &self.always {
            match &invariant.label {
                Some(label) => writeln!(f, "always {}: {}", Quoted(label), invariant.prop)?,
                None => writeln!(f, "always {}", invariant.prop)?,
            }
        }
        for RunProperty { label, formula } in &self.properties {
            match label {
                Some(label) => writeln!(f, "property {}: {formula}", Quoted(label))?,
                None => writeln!(f, "property {formula}")?,
            }
        }
        match &self.checks[..] {
            // A trace by itself is a file. After a property it would have to be told apart from it.
            [NamedGen { name, generator }]
                if name == "main" && self.always.is_empty() && self.properties.is_empty() =>
            {
                writeln!(f, "{generator}")?;
            }
            checks => {
                for NamedGen { name, generator } in checks {
                    if is_word(name) && !is_reserved(name) {
                        writeln!(f, "check {name} = {generator}")?;
                    } else {
                        writeln!(f, "check {} = {generator}", Quoted(name))?;
                    }
                }
            }
        }
        Ok(())
    }
}
