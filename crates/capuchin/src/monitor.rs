//! Monitors: whoever watches a run step by step, and may end it with a finding.
//!
//! On its own because it is the seam for every oracle. A run shows its monitors each [`Step`] and
//! knows nothing of what they look for, so the same monitor watches a script, a monkey, an
//! exploration and a saved trace. `always` is one ([`Always`]); the film of a failure is another.

use crate::claim::Claim;
use crate::event::Compared;
use crate::judge;
use crate::probe::Probe;
use crate::property::Judged;
use crate::step::Step;
use crate::verdict::Violation;
use capuchin_trace::Prop;
use capuchin_ui::{DeviceError, Str};
use std::borrow::Borrow;

/// What came of watching: what was found, if anything.
pub type Watched = Result<Option<Finding>, DeviceError>;

/// Watches one run.
pub trait Monitor {
    /// Whether it looks at [`Step::before`]. Where no monitor does, the screen before is not kept.
    fn wants_before(&self) -> bool {
        false
    }

    /// A step was made: the first is the reset. A monitor that begins in the middle of a run is
    /// shown the step that led there. What it finds ends the run, unless the app has crashed in
    /// this step, or the event was blocked and changed nothing.
    fn watch(&mut self, step: &Step<'_>, app: &mut Probe<'_>) -> Watched;

    /// How much of its property it has judged, if it has one: see [`Monitors::property`].
    fn judged(&self) -> Option<Judged> {
        None
    }

    /// The trace came to its end, and nothing was found until then.
    fn end(&mut self, app: &mut Probe<'_>) -> Watched {
        let _ = app;
        Ok(None)
    }
}

/// Makes a monitor for each run: cases are run in parallel, and again to shrink them.
pub trait Monitors: Send + Sync {
    /// The name that a saved failure asks for it by, as in `monitor NAME`.
    fn name(&self) -> &str;

    /// The names of the predicates, values and environment events that it asks for: what a saved
    /// failure must declare, for it to watch again.
    fn needs(&self) -> Vec<Str> {
        Vec::new()
    }

    /// The property that its monitors judge, as reports call it. One that was never judged in a
    /// check, or whose condition was never true, has not held.
    fn property(&self) -> Option<String> {
        None
    }

    /// A monitor that has seen nothing yet.
    fn monitor(&self) -> Box<dyn Monitor + '_>;
}

/// What a monitor found. The run adds which monitor that was, and since when it watched.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding(pub(crate) Box<Violation>);

impl Finding {
    /// What is wrong, in a line. Two failures of a monitor with the same line are one, so data of a
    /// single run belongs into the detail.
    pub fn new(what: impl Into<String>) -> Self {
        Finding(Box::new(Violation::Found {
            monitor: Str::default(),
            what: what.into(),
            detail: String::new(),
            compared: Vec::new(),
            from_the_start: false,
            at_end: false,
        }))
    }

    /// One thing of which this was expected, and that was seen: a report shows them side by side.
    #[must_use]
    pub fn compared(mut self, expected: impl Into<String>, seen: impl Into<String>) -> Self {
        if let Violation::Found { compared, .. } = &mut *self.0 {
            compared.push(Compared { expected: expected.into(), seen: seen.into() });
        }
        self
    }

    /// More of it, as text.
    #[must_use]
    pub fn detail(mut self, text: impl Into<String>) -> Self {
        if let Violation::Found { detail, .. } = &mut *self.0 {
            *detail = text.into();
        }
        self
    }
}

/// A function as monitors: it sees each step by itself, and keeps nothing from one to the next.
pub fn each_step<F>(name: impl Into<Str>, watch: F) -> impl Monitors
where
    F: Fn(&Step<'_>, &mut Probe<'_>) -> Watched + Send + Sync,
{
    EachStep { name: name.into(), watch }
}

struct EachStep<F> {
    name: Str,
    watch: F,
}

impl<F: Fn(&Step<'_>, &mut Probe<'_>) -> Watched + Send + Sync> Monitors for EachStep<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn monitor(&self) -> Box<dyn Monitor + '_> {
        Box::new(self)
    }
}

impl<F: Fn(&Step<'_>, &mut Probe<'_>) -> Watched> Monitor for &EachStep<F> {
    fn wants_before(&self) -> bool {
        true
    }

    fn watch(&mut self, step: &Step<'_>, app: &mut Probe<'_>) -> Watched {
        (self.watch)(step, app)
    }
}

/// `always P`: the property holds before and after every step.
#[derive(Clone, Debug, PartialEq)]
pub struct Always {
    label: Option<Str>,
    claim: Claim<Prop>,
    /// What is remembered under the names in it, for people.
    remembered: Vec<String>,
}

impl Always {
    /// This property, under the name that its author gives it.
    pub fn new(label: Option<Str>, prop: Prop) -> Self {
        Always { label, claim: Claim::plain(prop), remembered: Vec::new() }
    }

    /// One inside of a trace, which may name remembered values.
    pub(crate) fn scoped(claim: Claim<Prop>, remembered: Vec<String>) -> Box<dyn Monitor> {
        let always = Always { label: None, claim, remembered };
        Box::new(AlwaysMonitor { always, judged: Judged::default() })
    }
}

impl Monitors for Always {
    fn name(&self) -> &'static str {
        "always"
    }

    fn property(&self) -> Option<String> {
        Some(match &self.label {
            Some(label) => format!("always {label}"),
            None => format!("always {}", self.claim),
        })
    }

    fn monitor(&self) -> Box<dyn Monitor + '_> {
        Box::new(AlwaysMonitor { always: self, judged: Judged::default() })
    }
}

struct AlwaysMonitor<A> {
    always: A,
    judged: Judged,
}

impl<A: Borrow<Always>> Monitor for AlwaysMonitor<A> {
    fn watch(&mut self, step: &Step<'_>, app: &mut Probe<'_>) -> Watched {
        let Always { label, claim, remembered } = self.always.borrow();
        // A crash is a verdict of its own, and what was blocked has changed nothing.
        if step.after.crash.is_some() || step.is_blocked() {
            return Ok(None);
        }
        let (holds, is_alive) = judge::judged(&claim.bound, app)?;
        self.judged.note(is_alive, app.screen);
        if holds {
            return Ok(None);
        }
        let mut seen = judge::seen(&claim.bound, app)?;
        seen.extend(remembered.iter().cloned());
        let (label, prop, seen) = (label.clone(), Box::new(claim.clone()), seen.join(", "));
        let (since, from_the_start) = (None, false);
        let violation = Violation::Always { label, prop, since, from_the_start, seen };
        Ok(Some(Finding(Box::new(violation))))
    }

    fn judged(&self) -> Option<Judged> {
        Some(self.judged.clone())
    }
}
