//! `reload`: a reload changes nothing that is shown.
//!
//! What an app holds in memory alone is gone after a reload, and that is no fault: a calculator
//! begins at 0. So it is judged what the app keeps. If nothing has changed since the page was
//! loaded, or every change of what is shown was also stored, everything must be there again. If
//! some changes were stored and others were not, what was typed must be: a text that is shown
//! somewhere is data, where a part that was opened is not. If nothing was stored, it is skipped,
//! and so is a page that is another one each time it is loaded, such as a game that is dealt anew.

use crate::exercise::trace;
use crate::names::dialogs;
use crate::relation::{Judgement, Seen, Watcher};
use crate::shown::{Aspects, stored};
use capuchin::Probe;
use capuchin::trace::Trace;
use capuchin::ui::{DeviceError, DeviceInfo, Environment, Event, Screen, State, Str};

/// The environment event.
pub(crate) const RELOAD: &str = "reload";
pub(crate) const CLAIM: &str = "a reload changes nothing that is shown";

pub(crate) fn watcher() -> Box<dyn Watcher> {
    Box::new(Reload::default())
}

/// Whether an event is a reload.
pub(crate) fn is_reload(event: &Event) -> bool {
    matches!(event, Event::Environment(it) if it.name == RELOAD)
}

/// A reload.
pub(crate) fn reload() -> Event {
    Event::Environment(Environment { name: RELOAD.into(), args: Vec::new() })
}

pub(crate) fn exercises(_: &Screen, device: &DeviceInfo) -> Vec<Trace> {
    device.performs(&reload()).then(|| trace([reload()])).into_iter().collect()
}

#[derive(Default)]
struct Reload {
    /// What the app has stored, as a digest.
    stored: Option<Str>,
    /// Whether something was stored since the reset.
    has_stored: bool,
    /// Whether what is shown has changed since the page was loaded, and whether any of these
    /// changes was not stored.
    is_changed: bool,
    is_volatile: bool,
    /// Whether the page came by a reset or a reload, and not by a way inside of the app.
    is_loaded: bool,
    typed: Vec<Str>,
}

impl Watcher for Reload {
    fn step(&mut self, step: &Seen<'_>, app: &mut Probe<'_>) -> Result<Judgement, DeviceError> {
        let now = stored(app)?.or_else(|| self.stored.clone());
        let Some(event) = step.event else {
            *self = Reload { stored: now, is_loaded: true, ..Reload::default() };
            return Ok(Judgement::Nothing);
        };
        let is_reload = is_reload(event);
        let judgement = if is_reload { self.judge(step) } else { Judgement::Nothing };
        let (before, after) = (step.shown_before(), step.shown_after());
        let is_stored = now != self.stored;
        self.has_stored |= is_stored;
        self.stored = now;
        if let Event::Type(_, text) = event
            && text.chars().count() > 1
            && !self.typed.contains(text)
        {
            self.typed.push(text.clone());
        }
        if is_reload || page(&step.before.place) != page(&step.after.place) {
            (self.is_changed, self.is_volatile, self.is_loaded) = (false, false, is_reload);
        } else if !before.differences(&after, Aspects::TICKS).is_empty() {
            // What stands in a field is not yet given to the app.
            self.is_changed = true;
            self.is_volatile |= !is_stored;
        }
        Ok(judgement)
    }
}

impl Reload {
    fn judge(&self, step: &Seen<'_>) -> Judgement {
        if step.before.place != step.after.place {
            return Judgement::Skipped("it led to another place");
        }
        if dialogs(step.before).next().is_some() {
            return Judgement::Skipped("a dialog was open");
        }
        let is_open = State::EDITABLE | State::DISPLAYED | State::FOCUSED;
        let is_typed = |it: &&capuchin::ui::Element| it.is(is_open) && !it.value.is_empty();
        if step.before.elements.iter().any(|it| is_typed(&it)) {
            return Judgement::Skipped("somebody was typing");
        }
        let before = step.shown_before();
        match (self.is_changed, self.is_volatile, self.has_stored) {
            (false, ..) => match before.judge(step, Aspects::TICKS, CLAIM) {
                Judgement::Broken(_) if self.is_loaded => {
                    Judgement::Skipped("the page is another one each time it is loaded")
                }
                judgement => judgement,
            },
            (true, false, _) => before.judge(step, Aspects::TICKS, CLAIM),
            (true, true, true) if !self.typed.is_empty() => {
                before.judge_saying(step, &self.typed, CLAIM)
            }
            (true, true, true) => Judgement::Skipped("what has changed was not stored"),
            (true, true, false) => Judgement::Skipped("nothing was stored"),
        }
    }
}

/// An address without its fragment: another fragment is the same document.
fn page(place: &str) -> &str {
    place.split('#').next().unwrap_or(place)
}
