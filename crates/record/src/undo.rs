//! Bringing a screen back: the inverses of responsive actions, and whether they worked.
//!
//! On its own because an undo is believed only when it is seen. Apps close what they opened in
//! several ways; each is tried until the screen is the one from before.

use crate::outline::Outline;
use crate::score::kind_of;
use crate::situation::Undo;
use crate::words::{Word, set, words_of_text};
use capuchin::ui::{Digest, Event, Place, Screen, State, Target};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A responsive action that was done, and what is needed to undo it.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) pattern: &'static str,
    /// What was done.
    pub(crate) event: Event,
    pub(crate) undo: Undo,
    /// The element that it was done to, on the screen before.
    pub(crate) view: usize,
    pub(crate) before: Arc<Screen>,
    /// How many ways to undo it were tried.
    pub(crate) tries: usize,
}

impl Done {
    /// The next way to undo it; `None` if all were tried.
    pub(crate) fn next_undo(&mut self, present: &Screen) -> Option<Event> {
        let ways = self.ways(present);
        let way = ways.into_iter().nth(self.tries);
        self.tries += 1;
        way
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
        let mut ways = Vec::new();
        if let Some(opener) = same_control(&before, self.view, &now) {
            ways.push(click(present, opener));
        }
        ways.push(Event::Press("Escape".into()));
        let known = keys(&before);
        let closing = set(words_of_text("close dismiss hide cancel"));
        let is_new = |index: usize| !known.contains_key(&key(&now, index));
        let closes = |index: &usize| {
            let view = &now.views[*index];
            let says = view.name_words.iter().any(|word| closing.contains(word));
            let is_sign = ["×", "✕", "✖", "x"].contains(&view.name.as_str());
            view.is_reachable && is_new(*index) && (says || is_sign)
        };
        ways.extend((0..now.views.len()).find(closes).map(|index| click(present, index)));
        ways.extend(veil(&before, &now).map(|at| Event::Click(Target::Place(Place::At(at)))));
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

/// A point where something could be reached before, is covered now, and nothing new is in the way.
fn veil(before: &Outline<'_>, now: &Outline<'_>) -> Option<capuchin::ui::Point> {
    let known = keys(before);
    let fresh: Vec<usize> = (0..now.views.len())
        .filter(|index| now.views[*index].is_reachable && !known.contains_key(&key(now, *index)))
        .collect();
    let covered = (0..now.views.len()).filter(|index| {
        let element = now.element(*index);
        element.is(State::COVERED | State::DISPLAYED) && known.contains_key(&key(now, *index))
    });
    covered.map(|index| now.element(index).touch_point()).find(|point| {
        now.screen.viewport.contains(*point)
            && !fresh.iter().any(|index| now.element(*index).bounds.contains(*point))
    })
}

/// The same control on another screen of the same device: by its id, or by its place and kind.
fn same_control(before: &Outline<'_>, view: usize, now: &Outline<'_>) -> Option<usize> {
    let old = before.element(view);
    let is_same = |index: &usize| {
        let new = now.element(*index);
        now.views[*index].is_reachable
            && new.native == old.native
            && kind_of(new) == kind_of(old)
            && if old.id.is_empty() {
                new.bounds == old.bounds || (new.text == old.text && new.classes == old.classes)
            } else {
                new.id == old.id
            }
    };
    (0..now.views.len()).find(is_same)
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

/// What an element is told from others by, wherever it is.
fn key(outline: &Outline<'_>, index: usize) -> Word {
    let (element, view) = (outline.element(index), &outline.views[index]);
    let mut digest = Digest::default();
    digest.add(element.role.name());
    digest.add(&element.id);
    // Figures change by themselves: a clock, a number of messages.
    digest.add(view.name.trim_matches(|c: char| c.is_numeric() || c == ' '));
    digest.0
}

fn keys(outline: &Outline<'_>) -> BTreeMap<Word, u32> {
    let mut keys = BTreeMap::new();
    for index in (0..outline.views.len()).filter(|index| counts(outline, *index)) {
        *keys.entry(key(outline, index)).or_default() += 1;
    }
    keys
}

/// What counts for whether a screen is the same: what can be reached and does something.
fn counts(outline: &Outline<'_>, index: usize) -> bool {
    let takes = State::CLICKABLE | State::EDITABLE | State::LONG_CLICKABLE;
    outline.views[index].is_reachable && outline.element(index).state.intersects(takes)
}

/// How much of two screens must be the same for them to be one.
const SAME: f64 = 0.9;

/// Whether a screen is the one from before, as far as what can be done on it goes.
pub(crate) fn is_same_screen(one: &Screen, other: &Screen) -> bool {
    if one.place != other.place {
        return false;
    }
    let (a, b) = (keys(&Outline::new(one)), keys(&Outline::new(other)));
    let common: u32 = a.iter().map(|(key, n)| *n.min(b.get(key).unwrap_or(&0))).sum();
    let all = a.values().sum::<u32>().max(b.values().sum());
    all == 0 || f64::from(common) >= SAME * f64::from(all)
}

/// A number for a screen, the same for screens on which the same can be done.
pub(crate) fn shape(outline: &Outline<'_>) -> u64 {
    let mut digest = Digest::default();
    digest.add(&outline.screen.place);
    for (key, count) in keys(outline) {
        digest.add(key);
        digest.add(count);
    }
    digest.0
}
