//! A replay as the log has it: plain values for reports, with a picture of each screen.
//!
//! On its own because it translates, and decides nothing: a report knows neither recordings nor
//! screens.

use crate::decision::{
    AccessibilityFinding, AccessibilityProblem, Decision, RefusalReason, ReplayedEvent, UndoOutcome,
};
use crate::recording::{RecordedEvent, Recording};
use crate::replays::Done;
use capuchin::log::{
    Area, ExtraStep, Frame, JudgedAssertion, RecordingReplay, ReplayedStep, StepOutcome,
};
use capuchin::ui::{Blocked, Event, Picture, Place, Screen, Target};
use std::sync::Arc;

/// How many events of a replay have pictures: a page with more of them cannot be opened.
const MOST_PICTURES: usize = 100;

/// A replay, beside the one before it.
pub(crate) fn account(
    number: u32,
    recording: &Recording,
    done: &Done,
    before: Option<&Done>,
) -> RecordingReplay {
    let mut account = RecordingReplay::default();
    let origin = &recording.origin;
    account.number = number;
    account.recorded_on = match origin.device.as_str() {
        "" => format!("{} · {}", origin.app, origin.viewport),
        device => format!("{device} · {}", origin.viewport),
    };
    account.succeeded = done.succeeded(recording);
    account.cause = done.report.cause(recording).map(|cause| cause.name().to_owned());
    account.ended.clone_from(&done.ended);
    // A screen of one element was not seen: it was read from a file that says no more.
    let was_seen = |finding: &&AccessibilityFinding| {
        let recorded = recording.events.get(finding.event);
        !finding.is_recorded || recorded.is_some_and(|event| event.screen.elements.len() > 1)
    };
    let findings = done.report.findings.iter().filter(was_seen);
    account.accessibility = findings.map(told).collect();
    let asserted = recording.assertions.iter().zip(&done.assertions);
    let judged = asserted.map(|(assertion, held)| JudgedAssertion {
        after: assertion.after as u32,
        property: assertion.property.to_string(),
        held: *held,
    });
    account.assertions = judged.collect();
    account.differs = before.and_then(|before| difference(recording, before, done));
    // What is the same as in the replay before is not shown twice.
    let has_pictures = before.is_none() || account.differs.is_some();
    for (event, recorded) in done.report.events.iter().zip(&recording.events) {
        let mut step = step(event, recorded);
        if has_pictures && event.index < MOST_PICTURES {
            let picture = done.pictures.get(&event.index);
            add_screens(&mut step, (number, event), recorded, picture);
        }
        account.events.push(step);
    }
    if let (Some(screen), true) = (&done.report.last_screen, has_pictures) {
        let picture = done.pictures.get(&done.report.events.len()).map(Arc::clone);
        let frame = Frame::of(screen, None, picture);
        account.last = Some(named(frame, &format!("{number}-end")));
    }
    account
}

fn step(event: &ReplayedEvent, recorded: &RecordedEvent) -> ReplayedStep {
    let mut step = ReplayedStep::default();
    step.recorded = recorded.event.to_string();
    step.receiver = recorded.receiver().map_or_else(String::new, |element| {
        let text = if element.text.is_empty() { &element.value } else { &element.text };
        format!("{} \"{text}\"", element.role.name())
    });
    step.is_key = event.is_key;
    step.outcome = outcome(&event.decision);
    step.why = match &event.decision {
        // What was found was like it, and not it: see `described`.
        Decision::Refused { why: RefusalReason::Blocked(Blocked::Absent), candidates } => {
            let why = RefusalReason::Absent;
            Decision::Refused { why, candidates: candidates.clone() }.to_string()
        }
        decision => decision.to_string(),
    };
    step.performed = event.performed.as_ref().map(ToString::to_string);
    let percent = |share: f64| (100.0 * share).round().clamp(0.0, 100.0) as u32;
    step.fit = (event.fit.0 > 0.0).then(|| (percent(event.fit.0), percent(event.fit.1)));
    step.undo_failed = event.undo == UndoOutcome::Failed;
    let extra = event.extra.iter().map(|extra| ExtraStep {
        event: extra.event.to_string(),
        pattern: extra.pattern.to_owned(),
        is_undo: extra.is_undo,
    });
    step.extra = extra.collect();
    step
}

const fn outcome(decision: &Decision) -> StepOutcome {
    match decision {
        Decision::Performed => StepOutcome::Performed,
        Decision::Healed => StepOutcome::Healed,
        Decision::Revealed { .. } => StepOutcome::Revealed,
        Decision::Dropped(_) => StepOutcome::Dropped,
        Decision::Refused { .. } => StepOutcome::Refused,
        Decision::NotReached => StepOutcome::NotReached,
    }
}

fn add_screens(
    step: &mut ReplayedStep,
    (number, event): (u32, &ReplayedEvent),
    recorded: &RecordedEvent,
    picture: Option<&Arc<Picture>>,
) {
    let name = |side: &str| format!("{number}-{:03}-{side}", event.index + 1);
    let receiver = target(&recorded.screen, recorded.receiver, &recorded.event);
    let frame = Frame::of(&recorded.screen, receiver, None);
    step.recorded_screen = Some(named(frame, &name("recorded")));
    if let Some(screen) = &event.screen {
        let target = event.performed.as_ref().and_then(|done| target(screen, event.receiver, done));
        let frame = Frame::of(screen, target, picture.map(Arc::clone));
        step.replayed_screen = Some(named(frame, &name("replayed")));
    }
}

/// The element that got an event, or the point.
fn target(screen: &Screen, receiver: Option<usize>, event: &Event) -> Option<Area> {
    match (receiver.and_then(|index| screen.elements.get(index)), event.target()) {
        (Some(element), _) => Some(element.bounds.into()),
        (None, Some(Target::Place(Place::At(point)))) => {
            Some(Area { x: point.x, y: point.y, width: 0, height: 0 })
        }
        _ => None,
    }
}

/// The frame with the name of its file, within the run directory.
fn named(mut frame: Frame, name: &str) -> Frame {
    let image = frame.image.as_ref();
    frame.picture = image.map(|image| format!("replays/{name}.{}", image.format.extension()));
    frame
}

fn told(finding: &AccessibilityFinding) -> String {
    let what = match finding.what {
        AccessibilityProblem::Unnamed => "has no name",
        AccessibilityProblem::Misleading => "promises in its name what it does not lead to",
    };
    let side =
        if finding.is_recorded { "on the recorded screen" } else { "on the replayed screen" };
    format!("event {}: {} {side} {what}", finding.event + 1, finding.control)
}

/// How two replays differ, if they do.
fn difference(recording: &Recording, before: &Done, done: &Done) -> Option<String> {
    let (one, other) = (&before.report, &done.report);
    let mut events = one.events.iter().zip(&other.events);
    let is_other = |(a, b): &(&ReplayedEvent, &ReplayedEvent)| {
        a.decision != b.decision || a.performed != b.performed
    };
    if let Some((a, b)) = events.find(is_other) {
        let said = |event: &ReplayedEvent| match &event.performed {
            Some(performed) => format!("{performed} ({})", event.decision),
            None => event.decision.to_string(),
        };
        return Some(format!("event {}: first {}, then {}", a.index + 1, said(a), said(b)));
    }
    match (before.succeeded(recording), done.succeeded(recording)) {
        (true, false) => Some("it failed, and the one before succeeded".to_owned()),
        (false, true) => Some("it succeeded, and the one before failed".to_owned()),
        _ => None,
    }
}
