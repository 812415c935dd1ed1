//! A relation by name, and the monitor around whoever judges it.
//!
//! On its own because all relations share it: what a step means for a relation is a
//! [`Judgement`], and counting them is the same for all.

use crate::names::aim;
use crate::shown::{Shown, Ticking};
use crate::{back, cancel, reload, rotation, toggle, undo, ways};
use capuchin::log::Judged;
use capuchin::steering::NamedTrace;
use capuchin::trace::Trace;
use capuchin::ui::{DeviceError, DeviceInfo, Event, Place, Point, Screen, Target};
use capuchin::{Finding, Monitor, Monitors, Probe, Step, Watched};
use std::fmt;
use std::sync::Arc;

/// What a step says of a relation.
pub(crate) enum Judgement {
    /// Nothing: it was not exercised.
    Nothing,
    /// It was exercised, and there is a reason not to judge it.
    Skipped(&'static str),
    /// It holds here.
    Held,
    /// It does not.
    Broken(Finding),
}

/// Judges a relation in one run.
pub(crate) trait Watcher {
    /// A step was made: the first is the reset. Neither blocked nor crashed steps are shown, and
    /// `before` is there for all but the reset.
    fn step(&mut self, step: &Seen<'_>, app: &mut Probe<'_>) -> Result<Judgement, DeviceError>;
}

/// A step, as watchers see it.
pub(crate) struct Seen<'a> {
    /// The event; `None` for the reset.
    pub(crate) event: Option<&'a Event>,
    /// What was displayed before; the same as `after` at a reset.
    pub(crate) before: &'a Screen,
    pub(crate) after: &'a Screen,
    /// Whether the app came to rest.
    pub(crate) is_settled: bool,
    /// What counts by itself, as far as that is known by now.
    pub(crate) ticking: &'a Ticking,
    /// Where the pointer was before the event, and where it is now.
    pub(crate) pointer: [Option<Point>; 2],
}

impl Seen<'_> {
    /// What was shown before.
    pub(crate) fn shown_before(&self) -> Shown {
        Shown::of(self.before, self.pointer[0])
    }

    /// What is shown now.
    pub(crate) fn shown_after(&self) -> Shown {
        Shown::of(self.after, self.pointer[1])
    }
}

/// A relation that needs no model, as monitors by name.
#[derive(Clone, Copy)]
pub struct Relation {
    name: &'static str,
    claim: &'static str,
    is_usual: bool,
    is_asked_for: bool,
    watcher: fn() -> Box<dyn Watcher>,
    exercises: fn(&Screen, &DeviceInfo) -> Vec<Trace>,
}

/// None is usual yet: see the table in the book, which has too few judgements to justify one.
const ALL: [Relation; 7] = [
    relation("toggle", toggle::CLAIM, false, toggle::watcher, toggle::exercises),
    relation("cancel", cancel::CLAIM, false, cancel::watcher, cancel::exercises),
    relation("undo", undo::CLAIM, false, undo::watcher, undo::exercises),
    relation("rotation", rotation::CLAIM, false, rotation::watcher, rotation::exercises),
    relation("reload", reload::CLAIM, false, reload::watcher, reload::exercises),
    relation("back", back::CLAIM, false, back::watcher, back::exercises),
    relation("ways", ways::CLAIM, false, ways::watcher, ways::exercises),
];

const fn relation(
    name: &'static str,
    claim: &'static str,
    is_usual: bool,
    watcher: fn() -> Box<dyn Watcher>,
    exercises: fn(&Screen, &DeviceInfo) -> Vec<Trace>,
) -> Relation {
    Relation { name, claim, is_usual, is_asked_for: true, watcher, exercises }
}

impl Relation {
    /// The environment events of the exercises: a saved trace that has one must declare it.
    pub const ENVIRONMENT: &'static [&'static str] = &[reload::RELOAD];

    /// All relations, in the order in which they judge a step.
    pub fn all() -> &'static [Relation] {
        &ALL
    }

    /// The relation of this name.
    pub fn named(name: &str) -> Option<&'static Relation> {
        ALL.iter().find(|relation| relation.name == name)
    }

    /// All of them, for a list of monitors.
    pub fn monitors() -> Vec<Arc<dyn Monitors>> {
        ALL.iter().map(|relation| Arc::new(*relation) as Arc<dyn Monitors>).collect()
    }

    /// Those that an exploration watches though nobody asked for them: the reports tell how often
    /// each was judged, and one that never was is no doubt about the rest.
    pub fn usual() -> impl Iterator<Item = Relation> {
        let usual = ALL.iter().filter(|relation| relation.is_usual);
        usual.map(|relation| Relation { is_asked_for: false, ..*relation })
    }

    /// What it claims, in a line.
    pub fn claim(&self) -> &'static str {
        self.claim
    }
}

impl fmt::Debug for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Relation({})", self.name)
    }
}

impl Monitors for Relation {
    fn name(&self) -> &str {
        self.name
    }

    fn property(&self) -> Option<String> {
        Some(format!("monitor {}", self.name))
    }

    fn is_asked_for(&self) -> bool {
        self.is_asked_for
    }

    fn exercises(&self, screen: &Screen, device: &DeviceInfo) -> Vec<NamedTrace> {
        let named = |trace: Trace| NamedTrace { name: trace.to_string().into(), trace };
        (self.exercises)(screen, device).into_iter().map(named).collect()
    }

    fn monitor(&self) -> Box<dyn Monitor + '_> {
        let (watcher, ticking) = ((self.watcher)(), Ticking::default());
        Box::new(RelationMonitor { watcher, ticking, pointer: None, judged: Judged::default() })
    }
}

struct RelationMonitor {
    watcher: Box<dyn Watcher>,
    ticking: Ticking,
    pointer: Option<Point>,
    judged: Judged,
}

/// Where an event leaves the pointer, if it moves it.
fn pointed_at(event: &Event, screen: &Screen) -> Option<Point> {
    match event.target()? {
        Target::Place(Place::At(point)) => Some(*point),
        target => aim(screen, target).map(|index| screen.elements[index].touch_point()),
    }
}

impl Monitor for RelationMonitor {
    fn wants_before(&self) -> bool {
        true
    }

    fn watch(&mut self, step: &Step<'_>, app: &mut Probe<'_>) -> Watched {
        // A crash is a verdict of its own, and what was blocked has changed nothing.
        if step.after.crash.is_some() || step.is_blocked() {
            return Ok(None);
        }
        let after = &*step.after.screen;
        let before = step.before.unwrap_or(after);
        self.ticking.note(before, after);
        let (event, ticking) = (step.performed(), &self.ticking);
        let is_settled = step.after.unsettled.is_none();
        let was = self.pointer;
        self.pointer = event.and_then(|event| pointed_at(event, before)).or(was);
        let pointer = [was, self.pointer];
        let seen = Seen { event, before, after, is_settled, ticking, pointer };
        match self.watcher.step(&seen, app)? {
            Judgement::Nothing => {}
            Judgement::Skipped(reason) => self.judged.skip(reason),
            _ if !seen.is_settled => self.judged.skip("the app did not come to rest"),
            Judgement::Held => self.judged.note(true, after),
            Judgement::Broken(finding) => {
                self.judged.note(true, after);
                return Ok(Some(finding));
            }
        }
        Ok(None)
    }

    fn judged(&self) -> Option<Judged> {
        Some(self.judged.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_are_found_by_their_names() {
        for relation in Relation::all() {
            let found = Relation::named(relation.name).map(|found| found.name);
            assert_eq!(found, Some(relation.name));
            assert!(!relation.claim().is_empty());
        }
        assert!(Relation::named("gravity").is_none());
        assert!(Relation::usual().all(|relation| !relation.is_asked_for()));
    }
}
