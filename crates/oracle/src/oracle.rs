//! A model that is bound to an app: what every run that it watches shares.
//!
//! On its own because it is the value that the binding makes, and that the monitor, the pilot and
//! the plans read. Nothing in it changes.

use crate::operators::Operators;
use crate::readings::Readings;
use capuchin::trace::Trace;
use capuchin_plan::pddl::{Formula, Step};
use capuchin_plan::{Follower, Model, Task};
use capuchin_spec::Level;
use std::fmt;

/// The name by which a saved failure asks for the oracle, and that of the line that names its
/// model.
pub const NAME: &str = "model";

/// A goal of the mapping.
#[derive(Clone, Debug)]
pub struct Goal {
    /// What it is called.
    pub label: String,
    /// What must hold.
    pub condition: Formula,
}

/// A planning model that is bound to an app. It watches runs
/// ([`Monitors`](capuchin::Monitors)), and plans ([`PlanPilots`](crate::PlanPilots),
/// [`plans`](Oracle::plans)).
pub struct Oracle {
    pub(crate) model: Model,
    /// The same model without the operators that no event does.
    pub(crate) planning: Model,
    pub(crate) task: Task,
    pub(crate) follower: Follower,
    pub(crate) readings: Readings,
    pub(crate) operators: Operators,
    /// What is verified, and after how many steps each.
    pub(crate) levels: Vec<(Level, u32)>,
    pub(crate) goals: Vec<Goal>,
    /// The predicates and values of the device that facts are read by.
    pub(crate) needs: Vec<capuchin::ui::Str>,
    pub(crate) domain_text: String,
    pub(crate) problem_text: String,
}

impl Oracle {
    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What is verified, and after how many steps each.
    pub fn levels(&self) -> &[(Level, u32)] {
        &self.levels
    }

    /// The same with other levels.
    #[must_use]
    pub fn verifying(mut self, levels: impl Into<Vec<(Level, u32)>>) -> Self {
        self.levels = levels.into();
        self
    }

    /// The goals of the mapping.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// The domain with what it imports, and the problem: PDDL that any planner reads.
    pub fn pddl(&self) -> (&str, &str) {
        (&self.domain_text, &self.problem_text)
    }

    /// A goal by its label, or as PDDL.
    pub fn goal(&self, text: &str) -> Result<Goal, String> {
        if let Some(goal) = self.goals.iter().find(|goal| goal.label == text) {
            return Ok(goal.clone());
        }
        if !text.trim_start().starts_with('(') {
            let known: Vec<&str> = self.goals.iter().map(|goal| goal.label.as_str()).collect();
            return Err(match capuchin::ui::suggest(text, known) {
                Some(near) => format!("there is no goal `{text}`; did you mean `{near}`?"),
                None => format!(
                    "there is no goal `{text}`; write its condition in brackets, or add it: \
                     goal \"{text}\": \"(...)\""
                ),
            });
        }
        let condition = self.model.condition(text).map_err(|error| error.to_string())?;
        Ok(Goal { label: text.to_owned(), condition })
    }

    /// The number of a step of the model.
    pub(crate) fn number(&self, step: &Step) -> Option<usize> {
        self.follower.steps().iter().position(|known| known == step)
    }

    /// The events of a step, if some event does it.
    pub fn trace(&self, step: &Step) -> Option<Trace> {
        self.operators.trace(self.number(step)?)
    }

    /// A fact, or that it is not so, as PDDL has it.
    pub(crate) fn literal(&self, fact: u32, value: bool) -> String {
        let text = self.model.fact_text(&self.follower.facts()[fact as usize]);
        if value { text } else { format!("(not {text})") }
    }
}

impl fmt::Debug for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Oracle").field("model", &self.model.domain().name).finish_non_exhaustive()
    }
}
