//! What the command knows by name, and a crate of the user's can add to.

use crate::driver::Drivers;
use crate::exit::Problem;
use capuchin::ui::{Str, suggest};
use capuchin::{Always, Monitors};
use capuchin_explore::{Abstractions, Explorers, Policies};
use capuchin_spec::{Invariant, Spec, Words};
use std::fmt;
use std::sync::Arc;

/// What the command knows by name. The default is what we bring along: no monitors, and all of ours
/// of the others.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Extensions {
    /// The policies of `auto` and `--policy`.
    pub policies: Policies,
    /// The screen abstractions of `--abstraction`.
    pub abstractions: Abstractions,
    /// Where devices come from, by the scheme of their names.
    pub drivers: Drivers,
    /// The monitors that a spec or `--monitor` can ask for by their names.
    pub monitors: Vec<Arc<dyn Monitors>>,
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let monitors: Vec<&str> = self.monitors.iter().map(|monitors| monitors.name()).collect();
        f.debug_struct("Extensions")
            .field("policies", &self.policies)
            .field("abstractions", &self.abstractions)
            .field("drivers", &self.drivers)
            .field("monitors", &monitors)
            .finish()
    }
}

impl Extensions {
    /// The names that a spec may use.
    pub(crate) fn words(&self) -> Words {
        Words::new(self.policies.all().iter().map(|policy| policy.name.clone()))
    }

    /// Where the pilots come from.
    pub(crate) fn explorers(&self) -> Explorers {
        let mut explorers = Explorers::default();
        explorers.policies = self.policies.clone();
        explorers
    }

    /// Who watches every run: what the specification says of `always`, and the monitors that it or
    /// the command line names.
    pub(crate) fn watching(
        &self,
        spec: &Spec,
        named: &[String],
    ) -> Result<Vec<Arc<dyn Monitors>>, Problem> {
        let always = |always: &Invariant| -> Arc<dyn Monitors> {
            Arc::new(Always::new(always.label.clone(), always.prop.clone()))
        };
        let mut watching: Vec<_> = spec.always.iter().map(always).collect();
        let mut names: Vec<&str> = spec.monitors.iter().map(Str::as_str).collect();
        names.extend(named.iter().map(String::as_str));
        for (index, name) in names.iter().enumerate() {
            if !names[..index].contains(name) {
                watching.push(self.monitors(name)?);
            }
        }
        Ok(watching)
    }

    fn monitors(&self, name: &str) -> Result<Arc<dyn Monitors>, Problem> {
        let found = self.monitors.iter().find(|monitors| monitors.name() == name);
        found.cloned().ok_or_else(|| {
            let near = suggest(name, self.monitors.iter().map(|monitors| monitors.name()));
            let near = near.map(|near| format!("did you mean `{near}`? Or ")).unwrap_or_default();
            Problem::request(format!("unknown monitor `{name}`")).help(format!(
                "{near}build the command with that monitor: `capuchin_cli::Extensions` has the list"
            ))
        })
    }
}
