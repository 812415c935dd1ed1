//! What the command knows by name, and a crate of the user's can add to.

use crate::driver::Drivers;
use crate::exit::Problem;
use capuchin::Monitors;
use capuchin::ui::suggest;
use capuchin_explore::{Abstractions, Exercises, Explorers, Policies};
use capuchin_relations::Relation;
use capuchin_spec::{PLAN, PlanError, Spec, Words};
use std::fmt;
use std::sync::Arc;

/// The spec with what exercises of relations may have put into a saved trace.
pub(crate) fn with_exercises(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    for name in Relation::ENVIRONMENT {
        if !spec.environment.iter().any(|known| known == name) {
            spec.environment.push((*name).into());
        }
    }
    spec
}

/// What `--no-monitor` calls all relations.
const ALL: &str = "all";

/// What the command knows by name. The default is what we bring along.
#[derive(Clone)]
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

impl Default for Extensions {
    /// All of ours; the monitors are the relations.
    fn default() -> Self {
        Extensions {
            policies: Policies::default(),
            abstractions: Abstractions::default(),
            drivers: Drivers::default(),
            monitors: Relation::monitors(),
        }
    }
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

    /// Adds the relations that nobody asked for and nobody has switched off.
    pub(crate) fn add_usual(
        &self,
        monitors: &mut Vec<Arc<dyn Monitors>>,
        without: &[String],
    ) -> Result<(), Problem> {
        let is_ours = |name: &&String| *name == ALL || Relation::named(name).is_some();
        if let Some(unknown) = without.iter().find(|name| !is_ours(name)) {
            let known = Relation::all().iter().map(Monitors::name).chain([ALL]);
            let what = format!("there is no relation `{unknown}` to leave out");
            return Err(Problem::request(what).suggest(unknown, known));
        }
        let is_out = |name: &str| without.iter().any(|out| out == name || out == ALL);
        for relation in Relation::usual() {
            let name = relation.name();
            let is_known = self.monitors.iter().any(|known| known.name() == name);
            if is_known && !is_out(name) && !monitors.iter().any(|other| other.name() == name) {
                monitors.push(Arc::new(relation));
            }
        }
        Ok(())
    }

    /// Where the pilots come from, of runs that these watch.
    pub(crate) fn explorers(&self, monitors: &[Arc<dyn Monitors>]) -> Explorers {
        let mut explorers = Explorers::default();
        explorers.policies = self.policies.clone();
        explorers.exercises = Exercises(monitors.to_vec());
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
