//! `cancel`: opening a dialog and cancelling it changes nothing.
//!
//! Judged where a dialog opened and is gone again by Cancel, whatever was done in it; or by Escape,
//! Close or Back, if nothing was done in it (many dialogs keep what is set in them as it is set).

use crate::exercise::trace;
use crate::names::{aim, cancels, closes, dialogs};
use crate::relation::{Judgement, Seen, Watcher};
use crate::shown::{Aspects, Shown};
use capuchin::Probe;
use capuchin::trace::Trace;
use capuchin::ui::{DeviceError, DeviceInfo, Element, Event, Role, Screen, State, Str, Target};

pub(crate) const CLAIM: &str = "a dialog that is opened and cancelled changes nothing";

pub(crate) fn watcher() -> Box<dyn Watcher> {
    Box::new(Cancel::default())
}

pub(crate) fn exercises(screen: &Screen, _: &DeviceInfo) -> Vec<Trace> {
    let Some(dialog) = dialogs(screen).last() else { return Vec::new() };
    let names = screen.names();
    let inside = |wanted: &dyn Fn(&Element) -> bool| {
        let is_ready = |it: &Element| it.is(State::DISPLAYED | State::ENABLED) && wanted(it);
        let mut all = (0..screen.elements.len()).filter(|it| is_ready(&screen.elements[*it]));
        let found = all.find(|it| screen.ancestors(*it).any(|above| above == dialog));
        found.map(|index| Target::from(names.of(index)))
    };
    let field = inside(&|it| it.is(State::EDITABLE) && it.value.is_empty());
    let typed = field
        .zip(inside(&cancels))
        .map(|(field, cancel)| trace([Event::Type(field, "hello".into()), Event::Click(cancel)]));
    typed.into_iter().chain([trace([Event::Press("Escape".into())])]).collect()
}

#[derive(Default)]
struct Cancel {
    open: Option<Open>,
}

/// A dialog that is open.
struct Open {
    dialog: (Str, Str),
    place: Str,
    before: Shown,
    /// What was clicked to open it, if it was a click.
    opener: Option<Element>,
    /// Whether something was done in it.
    is_touched: bool,
}

impl Watcher for Cancel {
    fn step(&mut self, step: &Seen<'_>, _: &mut Probe<'_>) -> Result<Judgement, DeviceError> {
        let Some(event) = step.event else {
            self.open = None;
            return Ok(Judgement::Nothing);
        };
        let target = event.target().and_then(|target| aim(step.before, target));
        let target = target.map(|index| &step.before.elements[index]);
        let (was, is) = (identities(step.before), identities(step.after));
        if let Some(mut open) = self.open.take() {
            if is.contains(&open.dialog) {
                if is.len() == was.len() {
                    let changes = !matches!(event, Event::Hover(_) | Event::Sleep(_));
                    open.is_touched |= changes;
                    self.open = Some(open);
                }
                return Ok(Judgement::Nothing);
            }
            let is_cancel = target.is_some_and(cancels);
            let is_close = target.is_some_and(closes)
                || matches!(event, Event::ClickBack)
                || matches!(event, Event::Press(key) if key == "Escape");
            return Ok(if is_cancel || is_close && !open.is_touched {
                open.judge(step)
            } else if is_close {
                Judgement::Skipped("something was done in the dialog, and it was not Cancel")
            } else {
                Judgement::Nothing
            });
        }
        let opened = is.iter().find(|dialog| !was.contains(dialog));
        // A menu that is open closes with the next click, whatever that opens.
        let has_menu = step
            .before
            .elements
            .iter()
            .any(|it| it.is(State::DISPLAYED) && it.role == Role::Command);
        let is_plain = was.is_empty() && !has_menu && step.is_settled;
        if let Some(dialog) = opened.filter(|_| is_plain) {
            self.open = Some(Open {
                dialog: dialog.clone(),
                place: step.before.place.clone(),
                before: step.shown_before(),
                opener: target.cloned(),
                is_touched: false,
            });
        }
        Ok(Judgement::Nothing)
    }
}

impl Open {
    fn judge(&self, step: &Seen<'_>) -> Judgement {
        if !identities(step.after).is_empty() {
            return Judgement::Skipped("another dialog is open");
        }
        if step.after.place != self.place {
            return Judgement::Skipped("it led to another place");
        }
        let is_there = |opener: &Element| {
            let mut all = step.after.elements.iter().filter(|it| it.is(State::DISPLAYED));
            all.any(|it| it.role == opener.role && it.id == opener.id && it.text == opener.text)
        };
        if !self.opener.as_ref().is_none_or(is_there) {
            return Judgement::Skipped("what opened it is gone, as in a menu that closes");
        }
        self.before.judge(step, Aspects::all(), CLAIM)
    }
}

/// The dialogs of a screen, by what they are called.
fn identities(screen: &Screen) -> Vec<(Str, Str)> {
    let name = |index: usize| {
        let Element { id, text, .. } = &screen.elements[index];
        (id.clone(), text.clone())
    };
    dialogs(screen).map(name).collect()
}
