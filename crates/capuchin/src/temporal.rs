//! Properties of whole runs: a monitor that takes a formula from step to step.
//!
//! On its own because `always` needs none of this: it judges each screen by itself. A formula
//! remembers what is still to come. What a step decides ends the run as a finding; what is still
//! open when the run ends is told as not decided, and never as held.

use crate::judge;
use crate::monitor::{Finding, Monitor, Monitors, Watched};
use crate::probe::Probe;
use crate::property::Judged;
use crate::step::Step;
use crate::verdict::Violation;
use capuchin_trace::{Answer, Formula, Progression, Prop, Stuck};
use capuchin_ui::{DeviceError, Str};
use std::time::Duration;

/// A property of every run.
#[derive(Clone, Debug, PartialEq)]
pub struct Temporal {
    label: Option<Str>,
    formula: Formula<Prop>,
}

impl Temporal {
    /// This formula, under the name that its author gives it.
    pub fn new(label: Option<Str>, formula: Formula<Prop>) -> Self {
        Temporal { label, formula }
    }
}

impl Monitors for Temporal {
    fn name(&self) -> &'static str {
        "property"
    }

    fn needs(&self) -> Vec<Str> {
        self.formula.needs()
    }

    fn property(&self) -> Option<String> {
        Some(match &self.label {
            Some(label) => format!("property {label}"),
            None => format!("property {}", self.formula),
        })
    }

    fn monitor(&self) -> Box<dyn Monitor + '_> {
        let constant = |prop: &Prop| match prop {
            Prop::Constant(constant) => Some(*constant),
            _ => None,
        };
        let conditions = self.formula.conditions();
        Box::new(TemporalMonitor {
            property: self,
            left: Progression::new(&self.formula, constant),
            // One that is about later steps is taken for true: nobody knows yet.
            conditions: conditions.into_iter().map(Formula::present).collect(),
            counts_time: self.formula.counts_time(),
            last: Duration::ZERO,
            judged: Judged::default(),
        })
    }
}

struct TemporalMonitor<'a> {
    property: &'a Temporal,
    left: Progression<Prop>,
    conditions: Option<Vec<Prop>>,
    counts_time: bool,
    /// The app's time at the last step.
    last: Duration,
    judged: Judged,
}

impl TemporalMonitor<'_> {
    /// How long the step took, by the app's own clock.
    fn elapsed(&mut self, step: &Step<'_>, app: &Probe<'_>) -> Result<u64, DeviceError> {
        if !self.counts_time {
            return Ok(0);
        }
        let Some(now) = step.after.app_time else {
            let what = "the app's own time, which a `within` in milliseconds counts";
            return Err(app.info().unsupported(what.to_owned()));
        };
        // Whole milliseconds since the reset, so that parts of them do not get lost.
        let elapsed = now.as_millis().saturating_sub(self.last.as_millis());
        self.last = now;
        Ok(elapsed as u64)
    }

    fn is_alive(&self, app: &mut Probe<'_>) -> Result<bool, DeviceError> {
        let Some(conditions) = &self.conditions else { return Ok(true) };
        for condition in conditions {
            if judge::holds(condition, app)? {
                return Ok(true);
            }
        }
        Ok(conditions.is_empty())
    }
}

impl Monitor for TemporalMonitor<'_> {
    fn watch(&mut self, step: &Step<'_>, app: &mut Probe<'_>) -> Watched {
        // A crash is a verdict of its own, and what was blocked has changed nothing.
        if step.after.crash.is_some() || step.is_blocked() {
            return Ok(None);
        }
        let elapsed = self.elapsed(step, app)?;
        if self.left.answer() != Answer::Undecided && self.judged.times > 0 {
            return Ok(None);
        }
        let is_alive = self.is_alive(app)?;
        self.judged.note(is_alive, app.screen);
        let answer = self.left.step(elapsed, |prop| judge::holds(prop, app));
        let answer = answer.map_err(|stuck| match stuck {
            Stuck::Asking(error) => error,
            Stuck::TooLarge => DeviceError::Request(format!(
                "there are too many ways for this property to come true: {}; make several of it",
                self.property.formula
            )),
        })?;
        if answer != Answer::Violated {
            return Ok(None);
        }
        let mut seen = Vec::new();
        let mut facts = Vec::new();
        self.property.formula.visit_facts(&mut |prop| {
            if !facts.contains(&prop) {
                facts.push(prop);
            }
        });
        for fact in facts {
            for value in judge::seen(fact, app)? {
                if !seen.contains(&value) {
                    seen.push(value);
                }
            }
        }
        let Temporal { label, formula } = self.property.clone();
        let (formula, seen) = (Box::new(formula), seen.join(", "));
        let violation = Violation::Temporal { label, formula, from_the_start: false, seen };
        Ok(Some(Finding(Box::new(violation))))
    }

    fn judged(&self) -> Option<Judged> {
        let mut judged = self.judged.clone();
        match self.left.at_end() {
            Answer::Undecided => judged.undecided = 1,
            Answer::Held => judged.decided = 1,
            Answer::Violated => {}
        }
        Some(judged)
    }
}
