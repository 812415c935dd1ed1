//! What the command knows by name, and a crate of the user's can add to.

use crate::driver::Drivers;
use crate::exit::Problem;
use capuchin::Monitors;
use capuchin::ui::suggest;
use capuchin_explore::{Abstractions, Explorers, Policies};
use capuchin_spec::{PLAN, PlanError, Words};
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
        let policies = self.policies.all().iter().map(|policy| policy.name.clone());
        // A file that plans has a model, which brings the policy along.
        Words::new(policies.chain([PLAN.into()]))
    }

    /// Where the pilots come from.
    pub(crate) fn explorers(&self) -> Explorers {
        let mut explorers = Explorers::default();
        explorers.policies = self.policies.clone();
        explorers
    }
}

impl From<PlanError> for Problem {
    fn from(error: PlanError) -> Self {
        let problem = Problem::request(error.to_string());
        match &error {
            PlanError::UnknownMonitor { name, known } => {
                let near = suggest(name, known.iter().map(String::as_str));
                let near = near.map(|near| format!("did you mean `{near}`? Or "));
                let near = near.unwrap_or_default();
                problem.help(format!(
                    "{near}build the command with that monitor: `capuchin_cli::Extensions` has the list"
                ))
            }
            PlanError::UnknownCheck { name, known } => {
                problem.suggest(name, known.iter().map(String::as_str))
            }
            _ => problem,
        }
    }
}
