//! `undo`: Undo restores what was there before the last edit, and does nothing where nothing was
//! edited.
//!
//! Which edit an Undo takes back is only known in three situations, and judged in those: the edit
//! has brought or enabled the control for it, and it is clicked next; Control+z right after a text
//! was typed into an empty field; and Control+z where nothing was changed since the page was
//! loaded.

use crate::exercise::{one_of_each_kind, trace};
use crate::names::{aim, dialogs, is_undo, undo_control};
use crate::relation::{Judgement, Seen, Watcher};
use crate::reload::{is_reload, reload};
use crate::shown::{Aspects, Shown};
use capuchin::trace::Trace;
use capuchin::ui::{
    DeviceError, DeviceInfo, Element, Event, Point, Screen, Script, State, Str, Target,
};
use capuchin::{Finding, Probe};

pub(crate) const CLAIM: &str = "undo restores what was there";
const NOTHING_TO_UNDO: &str = "undo changes nothing where nothing was edited";

/// How many fields are tried on a screen.
const MOST: usize = 2;
/// An editor is at least so wide and high, in pixels.
const LEAST_EDITOR: i32 = 100;

pub(crate) fn watcher() -> Box<dyn Watcher> {
    Box::new(Undo::default())
}

pub(crate) fn exercises(screen: &Screen, device: &DeviceInfo) -> Vec<Trace> {
    // Elsewhere the key may mean something else: in a terminal it stops the program.
    if device.scripts != Some(Script::LANGUAGE) {
        return Vec::new();
    }
    let (names, undo) = (screen.names(), || Event::Press("Control+z".into()));
    // What is loaded anew was not edited.
    let at_once = |target: Target| {
        let first = device.performs(&reload()).then(reload);
        trace(first.into_iter().chain([Event::Click(target), undo()]))
    };
    let of_one = |index: usize| {
        let target = || Target::from(names.of(index));
        let is_empty = screen.elements[index].value.is_empty();
        let typed = is_empty.then(|| trace([Event::Type(target(), "hello".into()), undo()]));
        typed.into_iter().chain([at_once(target())])
    };
    let fields = one_of_each_kind(screen, |element| element.is(State::EDITABLE));
    let editor = editor(screen).map(|point| at_once(point.into()));
    editor.into_iter().chain(fields.into_iter().take(MOST).flat_map(of_one)).collect()
}

/// The middle of an editor that draws its text itself, and takes keys in a small field below.
fn editor(screen: &Screen) -> Option<Point> {
    let takes_keys = |it: &Element| it.is(State::DISPLAYED | State::EDITABLE | State::COVERED);
    let field = screen.elements.iter().position(takes_keys)?;
    let is_around = |above: &usize| {
        let bounds = screen.elements[*above].bounds;
        bounds.width >= LEAST_EDITOR && bounds.height >= LEAST_EDITOR
    };
    let around = screen.ancestors(field).find(is_around)?;
    Some(screen.elements[around].touch_point()).filter(|point| screen.viewport.contains(*point))
}

#[derive(Default)]
struct Undo {
    /// What was shown before the edit that the control for Undo now stands for.
    edited: Option<Shown>,
    /// What was shown before the dialog opened that is open.
    behind: Option<Shown>,
    /// A field that was empty, and what was typed into it.
    typed: Option<(Str, Str)>,
    /// What was shown when the app was reset or the page loaded again, and only as long as nothing
    /// has changed since: another address may be the same document, with what was typed into it.
    untouched: Option<Shown>,
}

impl Watcher for Undo {
    fn step(&mut self, step: &Seen<'_>, _: &mut Probe<'_>) -> Result<Judgement, DeviceError> {
        let (edited, typed) = (self.edited.take(), self.typed.take());
        let after = step.shown_after();
        let untouched = self.untouched.take().filter(|_| step.before.place == step.after.place);
        let Some(event) = step.event.filter(|event| !is_reload(event)) else {
            self.untouched = Some(after);
            return Ok(Judgement::Nothing);
        };
        let is_changed = |aspects| !step.shown_before().differences(&after, aspects).is_empty();
        let is_key = matches!(event, Event::Press(key) if is_undo_key(key));
        if is_key && let Some((name, text)) = typed {
            return Ok(judge_field(step, &name, &text));
        }
        if is_key && let Some(untouched) = untouched {
            let judgement = untouched.judge(step, Aspects::all(), NOTHING_TO_UNDO);
            self.untouched = Some(untouched);
            return Ok(judgement);
        }
        let target = event.target().and_then(|target| aim(step.before, target));
        let target = target.map(|index| &step.before.elements[index]);
        if let Event::Click(_) = event
            && target.is_some_and(is_undo)
        {
            return Ok(match edited {
                Some(_) if step.before.place != step.after.place => {
                    Judgement::Skipped("it led to another place")
                }
                Some(before) => before.judge(step, Aspects::all(), CLAIM),
                None => Judgement::Skipped("which edit it stands for is not known"),
            });
        }
        let can_undo = |screen: &Screen| {
            undo_control(screen).is_some_and(|it| screen.elements[it].is(State::ENABLED))
        };
        let place_stays = step.before.place == step.after.place;
        if dialogs(step.before).next().is_none() {
            self.behind = Some(step.shown_before());
        }
        if place_stays && step.is_settled && !can_undo(step.before) && can_undo(step.after) {
            // An edit that a dialog made is undone without the dialog.
            self.edited = self.behind.clone();
        }
        let is_edit = matches!(event, Event::Type(..) | Event::Clear(_))
            || is_changed(Aspects::all())
            || place_stays && is_key;
        self.untouched = untouched.filter(|_| !is_edit);
        if let (Event::Type(_, text), Some(field)) = (event, target)
            && field.value.is_empty()
            && let Some(now) = same_field(step.after, field)
            && now.value == *text
        {
            self.typed = Some((key_of(field), text.clone()));
        }
        Ok(Judgement::Nothing)
    }
}

fn is_undo_key(key: &str) -> bool {
    matches!(key, "Control+z" | "Ctrl+z" | "Meta+z")
}

/// What a field is known by on the next screen.
fn key_of(field: &Element) -> Str {
    let name = if field.id.is_empty() { &field.text } else { &field.id };
    if name.is_empty() { field.hint.clone() } else { name.clone() }
}

fn same_field<'s>(screen: &'s Screen, field: &Element) -> Option<&'s Element> {
    let editable = |it: &&Element| it.is(State::DISPLAYED | State::EDITABLE);
    screen.elements.iter().filter(editable).find(|it| key_of(it) == key_of(field))
}

/// An undo may take back all that was typed, or the end of it.
fn judge_field(step: &Seen<'_>, name: &Str, text: &Str) -> Judgement {
    let editable = |it: &&Element| it.is(State::DISPLAYED | State::EDITABLE);
    let mut fields = step.after.elements.iter().filter(editable);
    let Some(field) = fields.find(|it| key_of(it) == *name) else {
        return Judgement::Skipped("the field is gone");
    };
    if field.value == *text {
        return Judgement::Skipped("the field has no undo");
    }
    if text.starts_with(field.value.as_str()) {
        return Judgement::Held;
    }
    let what = format!("{CLAIM}: {} has what was never in it", field.role.name());
    let detail =
        format!("{name} was empty, {text:?} was typed, and undo made it {:?}", field.value);
    Judgement::Broken(Finding::new(what).detail(detail))
}
