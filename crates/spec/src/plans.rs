//! From a spec to what is run: a plan for each of its checks, and who watches them.
//!
//! On its own because the rest of the crate reads text. Here a spec meets the names that are known
//! where it runs: its monitors, and the checks that were asked for.

use crate::spec::Spec;
use capuchin::{Always, Config, Monitors, Plan};
use capuchin_ui::Str;
use std::sync::Arc;

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

    /// Who watches every run: what the spec says of `always`, and the monitors that it names or
    /// that are `named` beside it, out of those that are `known`.
    pub fn watching(
        &self,
        named: &[String],
        known: &[Arc<dyn Monitors>],
    ) -> Result<Vec<Arc<dyn Monitors>>, PlanError> {
        let mut watching: Vec<Arc<dyn Monitors>> = Vec::new();
        for always in &self.always {
            watching.push(Arc::new(Always::new(always.label.clone(), always.prop.clone())));
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
