//! Bringing a screen back: the inverses of responsive actions, and whether they worked.
//!
//! On its own because an undo is believed only when it is seen. Apps close what they opened in
//! several ways; each is tried until the screen is the one from before.

use crate::outline::Outline;
use crate::same_screen::{Controls, Opened, content, is_same_screen};
use crate::score::kind_of;
use crate::situation::Undo;
use crate::words::{CLOSING_SIGNS, CLOSING_WORDS, common, set, words_of_id, words_of_text};
use capuchin::ui::{Element, Event, Place, Point, Screen, State, Target};
use std::sync::Arc;

/// The most ways that are tried to undo one action: an app that shows something new to close after
/// each of them is left as it is.
const MOST_WAYS: usize = 8;

/// How many words the name of a control has at most that says what it does.
const WORDS_OF_A_CONTROL: usize = 5;

/// A responsive action that was done, and what is needed to undo it.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) pattern: &'static str,
    /// What was done.
    pub(crate) event: Event,
    /// Which of the extra events it is.
    pub(crate) number: usize,
    pub(crate) undo: Undo,
    /// The element that it was done to, on the screen before.
    pub(crate) view: usize,
    pub(crate) before: Arc<Screen>,
    /// Whether it may be one of several in a row on the same element: a page that was turned.
    pub(crate) is_repeatable: bool,
    /// The ways to undo it that were tried. The events, because the list of ways is another one on
    /// each screen.
    pub(crate) tried: Vec<Event>,
    /// What it opened: the controls that were there after it and not before.
    pub(crate) opened: Option<Opened>,
}

impl Done {
    /// The next way to undo it; `None` if all were tried.
    pub(crate) fn next_undo(&mut self, present: &Screen) -> Option<Event> {
        if self.tried.len() >= MOST_WAYS {
            return None;
        }
        let mut ways = self.ways(present).into_iter();
        let way = ways.find(|way| !self.tried.contains(way))?;
        self.tried.push(way.clone());
        Some(way)
    }

    /// Before the first way to undo it, what it opened is on the screen.
    pub(crate) fn note_opened(&mut self, present: &Screen) {
        if self.opened.is_none() {
            self.opened = Some(Opened::new(&self.before, present));
        }
    }

    /// Whether the screen is the one from before.
    pub(crate) fn is_back(&self, present: &Screen) -> bool {
        if self.undo == Undo::Nothing {
            return true;
        }
        // An app that was still loading has more to show by now than before.
        let is_closed = |opened: &Opened| opened.is_closed(&self.before, present);
        if self.undo == Undo::Close
            && !self.is_repeatable
            && !self.tried.is_empty()
            && self.opened.as_ref().is_some_and(is_closed)
        {
            return true;
        }
        // Pages may have the same controls. Once one was turned back, the controls decide: what is
        // said beside them may have changed by itself.
        let is_turned = || {
            let (before, now) = (Outline::new(&self.before), Outline::new(present));
            match &self.undo {
                Undo::Event(Event::Swipe(..)) => {
                    let there = same_control(&before, self.view, &now);
                    let is_other =
                        |there| content(&before, Some(self.view)) != content(&now, Some(there));
                    there.is_some_and(is_other)
                }
                _ => content(&before, None) != content(&now, None),
            }
        };
        is_same_screen(&self.before, present)
            && !(self.is_repeatable && self.tried.is_empty() && is_turned())
    }

    fn ways(&self, present: &Screen) -> Vec<Event> {
        match &self.undo {
            Undo::Nothing => Vec::new(),
            Undo::Event(event) => vec![event.clone()],
            Undo::ClickLike(view) => {
                let (before, now) = (Outline::new(&self.before), Outline::new(present));
                let like = most_similar(&before, *view, &now);
                let click = like.map(|index| click(present, index));
                click.into_iter().chain([Event::ClickBack]).collect()
            }
            Undo::Close => self.closing(present),
        }
    }

    /// The ways in which apps close what they opened, the surest first.
    fn closing(&self, present: &Screen) -> Vec<Event> {
        if present.place != self.before.place {
            return vec![Event::ClickBack];
        }
        let (before, now) = (Outline::new(&self.before), Outline::new(present));
        let (known, controls) = (Controls::new(&before), Controls::new(&now));
        let mut ways = Vec::new();
        if self.is_repeatable {
            // What turned a page turns the next one: another control turns it back.
            let back = (0..now.views.len()).find(|index| turns_back(&now, *index));
            ways.extend(back.map(|index| click(present, index)));
        } else if let Some(opener) = same_control(&before, self.view, &now) {
            ways.push(click(present, opener));
        }
        ways.extend(chosen_before(&before, &now).map(|index| click(present, index)));
        ways.push(Event::Press("Escape".into()));
        let closing = set(words_of_text(CLOSING_WORDS));
        let closes = |index: &usize| {
            let view = &now.views[*index];
            let says = view.name_words.iter().any(|word| closing.contains(word));
            let is_sign = CLOSING_SIGNS.contains(&view.name.as_str());
            // A sentence that has such a word in it closes nothing.
            let is_short = view.name_words.len() <= WORDS_OF_A_CONTROL;
            view.is_reachable && is_short && !known.have(&controls, *index) && (says || is_sign)
        };
        ways.extend((0..now.views.len()).find(closes).map(|index| click(present, index)));
        let veil = veil(&known, &now, &controls);
        ways.extend(veil.map(|at| Event::Click(Target::Place(Place::At(at)))));
        if back_closes(present) {
            ways.push(Event::ClickBack);
        }
        ways
    }
}

/// Whether Back closes what is open on a screen. Where the place is an address, it leaves the page.
pub(crate) fn back_closes(screen: &Screen) -> bool {
    !screen.place.contains("://")
}

fn click(screen: &Screen, index: usize) -> Event {
    Event::Click(Target::One(screen.name_of(index)))
}

/// Whether an element is a control that turns a page back.
pub(crate) fn turns_back(outline: &Outline<'_>, index: usize) -> bool {
    let (element, view) = (outline.element(index), &outline.views[index]);
    let back = set(words_of_id("previous prev backward"));
    let hint = set(words_of_text(&element.hint));
    let says = [&view.name_words, &hint, &view.id_words, &view.classes];
    let is_sign = ["‹", "«", "←", "<"].contains(&view.name.as_str());
    let is_control = view.is_reachable && element.is(State::CLICKABLE);
    is_control && (is_sign || says.iter().any(|words| common(words, &back) > 0))
}

/// What was ticked or chosen before and is not any more: a tab, a radio button.
fn chosen_before(before: &Outline<'_>, now: &Outline<'_>) -> Option<usize> {
    let chosen = State::CHECKED | State::SELECTED;
    (0..before.views.len())
        .filter(|index| before.views[*index].is_reachable)
        .filter(|index| before.element(*index).is(State::CLICKABLE))
        .filter(|index| before.element(*index).state.intersects(chosen))
        .filter_map(|index| same_control(before, index, now))
        .find(|index| !now.element(*index).state.intersects(chosen))
}

/// A point where something could be reached before, is covered now, and nothing new is in the way.
fn veil(known: &Controls, now: &Outline<'_>, controls: &Controls) -> Option<Point> {
    let fresh: Vec<usize> = (0..now.views.len())
        .filter(|index| now.views[*index].is_reachable && !known.have(controls, *index))
        .filter(|index| !is_veil(now, *index))
        .collect();
    let covered = (0..now.views.len()).filter(|index| {
        let element = now.element(*index);
        element.is(State::COVERED | State::DISPLAYED) && known.have(controls, *index)
    });
    covered.map(|index| now.element(index).touch_point()).find(|point| {
        now.screen.viewport.contains(*point)
            && !fresh.iter().any(|index| now.element(*index).bounds.contains(*point))
    })
}

/// Whether an element is a veil over the page: it has neither a name nor parts, and covers most of
/// what can be seen. A click on it closes what lies in front of it.
pub(crate) fn is_veil(outline: &Outline<'_>, index: usize) -> bool {
    let (bounds, size) = (outline.element(index).bounds, outline.screen.viewport);
    outline.views[index].name.is_empty()
        && outline.children[index].is_empty()
        && bounds.width >= size.width / 2
        && bounds.height >= size.height * 3 / 4
}

/// The same control on another screen of the same device, if it can be reached there.
fn same_control(before: &Outline<'_>, view: usize, now: &Outline<'_>) -> Option<usize> {
    let old = before.element(view);
    (0..now.views.len())
        .find(|index| now.views[*index].is_reachable && is_same_control(old, now.element(*index)))
}

/// Whether two elements of screens of the same device are one: by its id, or by its place and kind.
pub(crate) fn is_same_control(old: &Element, new: &Element) -> bool {
    new.native == old.native
        && kind_of(new) == kind_of(old)
        && if old.id.is_empty() {
            new.bounds == old.bounds || (new.text == old.text && new.classes == old.classes)
        } else {
            new.id == old.id
        }
}

/// The reachable view that has most words in common with a view of another screen.
fn most_similar(before: &Outline<'_>, view: usize, now: &Outline<'_>) -> Option<usize> {
    let mut words = before.views[view].name_words.clone();
    words.extend(&before.views[view].around);
    let words = set(words);
    let common = |index: usize| crate::words::overlap(&words, &now.views[index].name_words);
    (0..now.views.len())
        .filter(|index| now.views[*index].is_reachable && now.element(*index).is(State::CLICKABLE))
        .max_by(|a, b| common(*a).total_cmp(&common(*b)).then(b.cmp(a)))
        .filter(|index| common(*index) > 0.0)
}
