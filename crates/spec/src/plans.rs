//! From a spec to what is run: a plan for each of its checks, and who watches them.
//!
//! On its own because the rest of the crate reads text. Here a spec meets the names that are known
//! where it runs: its monitors, and the checks that were asked for.

use crate::spec::{NamedGen, RunProperty, Spec};
use crate::{Words, parse_with};
use capuchin::cases::Saved;
use capuchin::{Always, Config, Monitors, Plan, Temporal};
use capuchin_trace::{Expr, Gen, Prop};
use capuchin_ui::Str;
use std::sync::Arc;

/// What is claimed somewhere in a generator.
#[derive(Default)]
struct Claims {
    props: Vec<Prop>,
    /// Values that are to stay as they are.
    values: Vec<Expr>,
}

impl Claims {
    fn add(&mut self, generator: &Gen) {
        generator.visit(&mut |part| match part {
            Gen::Assert(prop) | Gen::Preserves(_, prop) | Gen::Always(_, prop) => {
                self.props.push(prop.clone());
            }
            Gen::Keeps(_, value) => self.values.push(value.clone()),
            _ => {}
        });
    }
}

/// A saved failure that cannot be run as a case of one of the spec's checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnfitError {
    /// The language does not read it.
    #[error("it cannot be read")]
    Unreadable,
    /// It needs something that the spec declares otherwise, or not any more.
    #[error("it needs what the specification does not declare any more")]
    Undeclared,
    /// It violates a property that the spec does not have any more.
    #[error("the specification does not have its property any more")]
    OtherProperty,
}

/// Something was asked for by a name that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// No check of the spec has this name.
    #[error("there is no check `{name}`")]
    UnknownCheck {
        /// The name.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// The spec or its user names a monitor that is not there.
    #[error("unknown monitor `{name}`")]
    UnknownMonitor {
        /// The name.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
}

impl Spec {
    /// A failure that an earlier run of this spec has saved, for the plan of its check.
    pub fn saved(
        &self,
        check: &str,
        (file, text): (&str, &str),
        words: &Words,
    ) -> Result<Saved, UnfitError> {
        let spec = parse_with(file, text, words).spec.ok_or(UnfitError::Unreadable)?;
        let declared: Vec<_> = self.declarations().collect();
        if !spec.declarations().all(|needed| declared.contains(&needed)) {
            return Err(UnfitError::Undeclared);
        }
        if !spec.properties.iter().all(|property| self.properties.contains(property)) {
            return Err(UnfitError::OtherProperty);
        }
        let expected = spec.expect.as_deref().unwrap_or_default().to_owned();
        match spec.checks.into_iter().next() {
            // A pilot is not asked: what it chose is in the trace.
            Some(NamedGen { generator: trace, .. }) if !trace.is_steered() => {
                if !self.has_properties_of(&trace, check) {
                    return Err(UnfitError::OtherProperty);
                }
                let (file, seed) = (file.to_owned(), spec.seed.unwrap_or_default());
                Ok(Saved { file, seed, trace, expected })
            }
            _ => Err(UnfitError::Unreadable),
        }
    }

    /// Whether all that a saved trace asserts is what the check asserts, or `always`. Values that
    /// were remembered stand in the trace, in the place of their names: they may be any.
    fn has_properties_of(&self, trace: &Gen, check: &str) -> bool {
        let mut known = Claims::default();
        known.props.extend(self.always.iter().map(|always| always.prop.clone()));
        let check = self.checks.iter().find(|known| known.name == check);
        check.iter().for_each(|check| known.add(&check.generator));
        let mut claimed = Claims::default();
        claimed.add(trace);
        let any_prop = known.props.iter().any(|prop| {
            let mut remembers = false;
            prop.visit_values(&mut |value| remembers |= matches!(value, Expr::Remembered(_)));
            remembers
        });
        let any_value = known.values.iter().any(|value| {
            let mut remembers = false;
            value.visit(&mut |value| remembers |= matches!(value, Expr::Remembered(_)));
            remembers
        });
        claimed.props.iter().all(|prop| any_prop || known.props.contains(prop))
            && claimed.values.iter().all(|value| any_value || known.values.contains(value))
    }

    /// A plan for each check, or for those that are named, in the order of the file. Each is run
    /// like this, and watched by these.
    pub fn plans(
        &self,
        only: &[String],
        monitors: &[Arc<dyn Monitors>],
        config: &Config,
    ) -> Result<Vec<Plan>, PlanError> {
        let known = || self.checks.iter().map(|check| check.name.clone());
        if let Some(name) = only.iter().find(|name| !known().any(|known| known == **name)) {
            return Err(PlanError::UnknownCheck { name: name.clone(), known: known().collect() });
        }
        let wanted = self.checks.iter().filter(|c| only.is_empty() || only.contains(&c.name));
        let plan = wanted.map(|check| {
            let mut plan = Plan::new(&check.name, check.generator.clone(), config.clone());
            plan.monitors = monitors.to_vec();
            plan
        });
        Ok(plan.collect())
    }

    /// Who watches every run: what the spec says of `always` and of whole runs, and the monitors
    /// that it names or that are `named` beside it, out of those that are `known`.
    pub fn watching(
        &self,
        named: &[String],
        known: &[Arc<dyn Monitors>],
    ) -> Result<Vec<Arc<dyn Monitors>>, PlanError> {
        let mut watching: Vec<Arc<dyn Monitors>> = Vec::new();
        for always in &self.always {
            watching.push(Arc::new(Always::new(always.label.clone(), always.prop.clone())));
        }
        for RunProperty { label, formula } in &self.properties {
            watching.push(Arc::new(Temporal::new(label.clone(), formula.clone())));
        }
        let mut names: Vec<&str> = Vec::new();
        let in_spec = self.monitors.iter().map(Str::as_str);
        for name in in_spec.chain(named.iter().map(String::as_str)) {
            if names.contains(&name) {
                continue;
            }
            names.push(name);
            let found = known.iter().find(|monitors| monitors.name() == name);
            watching.push(found.cloned().ok_or_else(|| PlanError::UnknownMonitor {
                name: name.to_owned(),
                known: known.iter().map(|monitors| monitors.name().to_owned()).collect(),
            })?);
        }
        Ok(watching)
    }
}
