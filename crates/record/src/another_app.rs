//! When a replay is given up because the recording is of another app, or of another state of it.
//!
//! On its own because it is a judgement about all of the recording, and not about one event: trying
//! every responsive pattern for every event of the wrong app takes minutes and finds nothing.

use crate::decision::{Decision, DropReason, RefusalReason, ReplayedEvent};
use crate::matching::Matched;
use crate::recording::Recording;
use crate::replay::Replay;
use capuchin::ui::{Element, Screen, State};
use std::collections::BTreeSet;

/// After how many events in vain it is asked whether anything that follows is there: where nothing
/// was performed yet, and where something was.
const IN_VAIN_AT_FIRST: usize = 3;
const IN_VAIN_LATER: usize = 8;
/// How many of the events that follow are looked for.
const LOOK_AHEAD: usize = 20;
/// A screen with fewer names than this says nothing about which app it is.
const FEWEST_NAMES: usize = 5;
/// How many recorded screens are compared.
const MOST_SCREENS: usize = 50;

/// Why it makes no sense to go on on this screen, if it does not.
pub(crate) fn reason(replay: &Replay, screen: &Screen) -> Option<String> {
    let (recording, settled) = (replay.recording(), replay.settled());
    if settled == 0 && !recording.events.is_empty() {
        return has_nothing_in_common(recording, screen).then(|| {
            let app = &recording.origin.app;
            format!(
                "nothing on the screen was on any screen of the recording, which is of {app}; if \
                 that is another app, name the right one with --device"
            )
        });
    }
    let events = replay.report().events;
    let in_vain = events.iter().rev().take_while(|event| is_in_vain(event)).count();
    let is_first = in_vain == events.len();
    let most = if is_first { IN_VAIN_AT_FIRST } else { IN_VAIN_LATER };
    if in_vain < most || settled >= recording.events.len() {
        return None;
    }
    let ahead = recording.events[settled..].iter().take(LOOK_AHEAD);
    let is_there = |event| {
        let matched = crate::counterpart(event, screen, replay.options());
        matched.is_none_or(|matched| matches!(matched, Matched::Found { .. }))
    };
    (!ahead.into_iter().any(is_there)).then(|| {
        format!(
            "none of {in_vain} events in a row has a counterpart, and nothing that follows is on \
             the screen"
        )
    })
}

/// Whether an event was looked for, and nothing fits.
fn is_in_vain(event: &ReplayedEvent) -> bool {
    matches!(
        event.decision,
        Decision::Refused { why: RefusalReason::Absent | RefusalReason::BelongsToRefused, .. }
            | Decision::Dropped(DropReason::NoCounterpart)
    )
}

fn has_nothing_in_common(recording: &Recording, screen: &Screen) -> bool {
    let here = names(screen);
    let screens = recording.events.iter().take(MOST_SCREENS).map(|event| names(&event.screen));
    let screens: Vec<BTreeSet<String>> = screens.collect();
    let says_something = screens.iter().any(|names| names.len() >= FEWEST_NAMES);
    says_something && !here.is_empty() && screens.iter().all(|names| names.is_disjoint(&here))
}

/// The ids and texts of what is displayed.
fn names(screen: &Screen) -> BTreeSet<String> {
    let displayed = screen.elements.iter().filter(|element| element.is(State::DISPLAYED));
    let both = |element: &Element| [element.id.to_lowercase(), element.text.trim().to_lowercase()];
    displayed.flat_map(both).filter(|name| name.chars().count() > 1).collect()
}
