//! Replays that know nothing of restructuring: by coordinates, by CSS, by our selector, and by role
//! and name. Each stops at the first event that it cannot perform.
//!
//! On its own because they are what the replay is measured against, and share nothing with it.

use super::recorded::{Recorded, SEED};
use super::run::{Run, judge};
use super::stage::Stage;
use super::steps;
use anyhow::Result;
use capuchin::ui::{Device, Element, Event, Place, Screen, Selector, Target};

/// A way to find the element of an event again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Baseline {
    /// At the same point of the screen.
    Coordinates,
    /// By the CSS of the scenario.
    Css,
    /// By the selector of the recorded event: id, else text.
    Selector,
    /// By role and name, as the locators are that Playwright's codegen writes. (Ours of both: the
    /// roles and names are those of our snapshots.)
    RoleAndName,
}

impl Baseline {
    pub(super) const ALL: [Baseline; 4] =
        [Baseline::Coordinates, Baseline::Css, Baseline::Selector, Baseline::RoleAndName];

    pub(super) fn name(self) -> &'static str {
        match self {
            Baseline::Coordinates => "by coordinates",
            Baseline::Css => "by CSS selector",
            Baseline::Selector => "by id or text",
            Baseline::RoleAndName => "by role and name",
        }
    }
}

/// Replays a recording in this way.
pub(super) fn replay(recorded: &Recorded<'_>, stage: &mut Stage<'_>, by: Baseline) -> Result<Run> {
    stage.reset(SEED)?;
    let mut done: Vec<Option<usize>> = vec![None; recorded.recording.events.len()];
    let mut why = None;
    if by == Baseline::Css {
        let mut events = Vec::new();
        for (number, step) in recorded.steps.iter().enumerate() {
            let before = events.len();
            if let Err(error) = steps::perform_at_once(stage, step, &mut events) {
                why = Some(format!("{error:#}"));
                break;
            }
            // The key event of a step is its last.
            let last = recorded.step_of.iter().rposition(|of| *of == number);
            if let (Some(last), true) = (last, events.len() > before) {
                done[last] = Some(stage.performed.len() - 1);
            }
        }
    } else {
        for (index, one) in recorded.recording.events.iter().enumerate() {
            let receiver = one.receiver();
            let Some(event) = aimed(&one.event, receiver, &stage.screen, by) else {
                why = Some(format!("{} has no counterpart", one.event));
                break;
            };
            let seen = stage.perform(&event)?;
            if let Some(reason) = seen.blocked {
                why = Some(format!("{event}: {reason}"));
                break;
            }
            done[index] = Some(stage.performed.len() - 1);
        }
    }
    let mut run = judge(recorded, stage, |event| done[event])?;
    run.why = why;
    Ok(run)
}

/// The event, aimed in this way.
fn aimed(
    event: &Event,
    receiver: Option<&Element>,
    screen: &Screen,
    by: Baseline,
) -> Option<Event> {
    let Some(receiver) = receiver else { return Some(event.clone()) };
    match by {
        Baseline::Coordinates => {
            Some(event.aimed_at(Target::Place(Place::At(receiver.touch_point()))))
        }
        Baseline::RoleAndName => {
            let name = if receiver.text.is_empty() { &receiver.hint } else { &receiver.text };
            if name.is_empty() {
                return None;
            }
            let selector = Selector::role(receiver.role).saying(name.clone());
            let mut found = screen.find(&selector);
            let (index, _) = found.next()?;
            // A locator that finds several is an error there.
            match found.next() {
                None => Some(event.aimed_at(Target::One(screen.name_of(index)))),
                Some(_) => None,
            }
        }
        Baseline::Css | Baseline::Selector => Some(event.clone()),
    }
}
