//! What replays of a recording come to, as lines for the terminal: each recorded event with what
//! was done for it and why, then all of them together.
//!
//! On its own because checks and explorations have nothing of the kind.

use crate::printer::Part;
use crate::standing::plural;
use anstyle::{AnsiColor, Style};
use capuchin::log::{JudgedAssertion, RecordingReplay, ReplayedStep, StepOutcome};

const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default();
const BOLD_GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const BOLD_YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const FAINT: Style = Style::new().dimmed();

type Line = Vec<Part<'static>>;

/// One replay, event by event.
pub(crate) fn lines(replay: &RecordingReplay) -> Vec<Line> {
    let RecordingReplay { number, recorded_on, differs, .. } = replay;
    if *number > 1 && differs.is_none() {
        return vec![vec![format!("replay {number} did the same as replay {}", number - 1).into()]];
    }
    let mut lines = vec![match differs {
        None => vec![format!("replay {number}, recorded on {recorded_on}").into()],
        Some(how) => vec![
            Part::styled(BOLD_YELLOW, format!("replay {number} differs")),
            format!(": {how}").into(),
        ],
    }];
    let asserted = |after: usize| {
        let assertions = replay.assertions.iter();
        assertions.filter(move |one| one.after as usize == after).map(assertion)
    };
    lines.extend(asserted(0));
    for (index, step) in replay.events.iter().enumerate() {
        lines.push(event(index, step));
        for extra in &step.extra {
            let undo = if extra.is_undo { "undo " } else { "" };
            let said = format!("             {undo}{}: {}", extra.pattern, extra.event);
            lines.push(vec![Part::styled(FAINT, said)]);
        }
        if step.undo_failed {
            let said = "             the screen did not come back after that";
            lines.push(vec![Part::styled(YELLOW, said)]);
        }
        lines.extend(asserted(index + 1));
    }
    lines
}

fn event(index: usize, step: &ReplayedStep) -> Line {
    let mark = if step.is_key { "key  " } else { "     " };
    let mut line = vec![
        Part::styled(FAINT, format!("{:>4}  ", index + 1)),
        Part::styled(FAINT, mark),
        step.recorded.clone().into(),
    ];
    if let Some(performed) = step.performed.as_ref().filter(|it| **it != step.recorded) {
        line.extend([Part::styled(FAINT, " → "), performed.clone().into()]);
    }
    line.extend([Part::styled(FAINT, "  "), Part::styled(style(step.outcome), step.why.clone())]);
    if let (Some((fit, margin)), StepOutcome::Healed) = (step.fit, step.outcome) {
        let said = format!(" (fit {fit} %, {margin} % better than the next)");
        line.push(Part::styled(FAINT, said));
    }
    line
}

const fn style(outcome: StepOutcome) -> Style {
    match outcome {
        StepOutcome::Performed => GREEN,
        StepOutcome::Healed | StepOutcome::Revealed => YELLOW,
        StepOutcome::Dropped | StepOutcome::NotReached => FAINT,
        StepOutcome::Refused => RED,
    }
}

fn assertion(assertion: &JudgedAssertion) -> Line {
    let (word, style) = match assertion.held {
        Some(true) => ("held", GREEN),
        Some(false) => ("does not hold", RED),
        None => ("not judged", FAINT),
    };
    let said = format!("           assert {}  ", assertion.property);
    vec![said.into(), Part::styled(style, word)]
}

/// Whether all of them succeeded and agree, and what that rests on, in a line or two.
pub(crate) fn verdict(replays: &[RecordingReplay], planned: u32) -> Vec<Line> {
    let Some(first) = replays.first() else { return Vec::new() };
    let (style, word, said) = match standing(replays, planned) {
        Standing::Succeeded => {
            let (done, all) = first.key_events();
            let keys = format!("{done} of {}", plural(all, "key event"));
            let agree = if replays.len() > 1 { " that agree" } else { "" };
            (BOLD_GREEN, "succeeded", format!("{keys} in {}{agree}", count(replays.len())))
        }
        Standing::Nothing(why) => (BOLD_YELLOW, "nothing", why),
        Standing::Failed(why) => (RED, "failed", why),
    };
    let mut lines = vec![vec![
        Part::styled(style, word),
        format!("{:pad$} {said}", "", pad = 9 - word.len()).into(),
    ]];
    lines.push(vec![format!("events    {}", figures(first)).into()]);
    if let Some((goal, held)) = &first.goal {
        let held = match held {
            Some(true) => "held",
            Some(false) => "does not hold at the end",
            None => "not judged",
        };
        lines.push(vec![format!("goal      {goal}: {held}").into()]);
    }
    let findings = first.accessibility.iter();
    lines.extend(findings.map(|finding| vec![format!("naming    {finding}").into()]));
    lines
}

fn count(replays: usize) -> String {
    if replays == 1 { "1 replay".to_owned() } else { format!("{replays} replays") }
}

/// What replays come to together.
pub(crate) enum Standing {
    /// As many as there should be succeeded, and they agree.
    Succeeded,
    /// No event was performed; why.
    Nothing(String),
    /// Why not.
    Failed(String),
}

pub(crate) fn standing(replays: &[RecordingReplay], planned: u32) -> Standing {
    if !replays.iter().any(did_something) {
        let why = replays.iter().find_map(|replay| replay.ended.clone());
        let why = why.unwrap_or_else(|| {
            "no event has a counterpart here; if the recording is of another app, name the right \
             one with --device"
                .to_owned()
        });
        return Standing::Nothing(format!("nothing was replayed: {why}"));
    }
    if let Some(failed) = replays.iter().find(|replay| !replay.succeeded) {
        return Standing::Failed(why_failed(failed));
    }
    if let Some(other) = replays.iter().find_map(|replay| replay.differs.as_ref()) {
        return Standing::Failed(format!("the replays do not agree: {other}"));
    }
    match replays.len() < planned as usize {
        true => Standing::Failed(format!("{} of {planned} came to an end", count(replays.len()))),
        false => Standing::Succeeded,
    }
}

/// Whether an event was performed that says something about the app: a key or Back can be pressed
/// in any.
fn did_something(replay: &RecordingReplay) -> bool {
    let is_needed = replay.events.iter().any(|step| !step.receiver.is_empty());
    let mut performed = replay.events.iter().filter(|step| step.outcome.is_performed());
    performed.any(|step| !is_needed || !step.receiver.is_empty())
}

/// Why a replay failed, in a line.
pub(crate) fn why_failed(replay: &RecordingReplay) -> String {
    let cause = replay.cause.as_ref().map(|cause| format!(" ({cause})")).unwrap_or_default();
    let missed = replay.events.iter().enumerate().find(|(_, step)| {
        step.is_key && !step.outcome.is_performed() && step.outcome != StepOutcome::NotReached
    });
    if let Some((index, step)) = missed {
        return format!("event {}, {}: {}{cause}", index + 1, step.recorded, step.why);
    }
    if let Some(ended) = &replay.ended {
        return ended.clone();
    }
    if let Some(assertion) = replay.assertions.iter().find(|one| one.held == Some(false)) {
        return format!(
            "assert {} does not hold after event {}",
            assertion.property, assertion.after
        );
    }
    match &replay.goal {
        Some((goal, Some(false))) => format!("the goal {goal} does not hold at the end"),
        _ => format!("it did not come to its end{cause}"),
    }
}

/// How many events became what.
pub(crate) fn figures(replay: &RecordingReplay) -> String {
    let counts =
        replay.counts().into_iter().map(|(outcome, count)| format!("{count} {}", outcome.name()));
    let counts: Vec<String> = counts.collect();
    let extra = match replay.extra_events() {
        (_, 0) => String::new(),
        (extra, _) => format!("; {} to reveal receivers", plural(extra, "more event")),
    };
    format!("{}{extra}", counts.join(", "))
}
