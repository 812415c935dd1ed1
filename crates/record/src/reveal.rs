//! The attempt to reveal one receiver: which responsive actions were tried, what was done, and what
//! of it must be undone.
//!
//! On its own because it is the memory of one event: nothing is tried twice on the same screen, and
//! nothing is forgotten that was done.

use crate::decision::{Decision, ExtraEvent, UndoOutcome};
use crate::options::ReplayOptions;
use crate::recording::RecordedEvent;
use crate::same_screen::{content, is_same_screen, shape};
use crate::situation::{ResponsivePattern, Reveal, Situation, Undo};
use crate::undo::{Done, is_same_control};
use capuchin::ui::{Blocked, DeviceInfo, Digest, Element, Event, Screen, Selector, Str};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A responsive action that is tried.
pub(crate) struct Proposal {
    pub(crate) pattern: &'static str,
    pub(crate) reveal: Reveal,
    is_repeatable: bool,
    /// The screen that it is tried on.
    before: Arc<Screen>,
}

/// The name under which the ways of a model are reported.
const MODEL: &str = "model";

/// The names of patterns of ours that are treated otherwise: what uncovers comes late where we
/// covered it ourselves, a name may promise too much, and lists may not scroll back.
pub(crate) const DISMISS: &str = "dismiss";
pub(crate) const EXPAND_DESCRIBED: &str = "expand described";
pub(crate) const SCROLL: &str = "scroll";
pub(crate) const WAIT: &str = "wait";
/// And that of the menu, which has nothing of a list whose detail is shown.
pub(crate) const MENU: &str = "menu";

/// After how many actions that could not be undone nothing more is tried.
const MOST_FAILED_UNDOS: usize = 2;

/// How often an app is waited for that goes on changing.
const MOST_WAITS: usize = 6;

/// The patterns that open a part of the screen which is closed.
pub(crate) const OPENERS: [&str; 3] = ["controlled", "disclose", MENU];

/// What was tried for one event.
#[derive(Default)]
pub(crate) struct Attempt {
    pub(crate) extra: Vec<ExtraEvent>,
    pub(crate) undo: UndoOutcome,
    /// What it comes to, once everything is undone.
    pub(crate) outcome: Option<Decision>,
    /// Why the device did not perform the event on its receiver, and on which screen.
    pub(crate) blocked: Option<(Blocked, u64)>,
    /// How often.
    blocks: usize,
    /// Whether an equivalent of the receiver will do: nothing better came.
    pub(crate) takes_equivalent: bool,
    /// Whether a candidate in another part of the screen is good enough: nothing better came.
    pub(crate) takes_elsewhere: bool,
    pub(crate) decided_on: Option<Arc<Screen>>,
    /// Controls whose names said that they lead to the receiver, and which did not.
    pub(crate) misleading: Vec<Selector>,
    stack: Vec<Done>,
    /// Of each action that could not be undone, where the app was before it.
    failed_undos: Vec<Str>,
    /// Elements that seemed to be in reach and were not.
    unreachable: BTreeSet<u64>,
    /// What was done to which view on which screen, whichever pattern proposed it.
    tried: BTreeSet<(u64, u64)>,
    actions: usize,
    /// How many actions were repeatable: lists scrolled, pages turned.
    scrolls: usize,
    /// How often the app was waited for.
    waits: usize,
    is_undoing: bool,
    /// What is done next, the last first: the way of a model, or to an equivalent of the receiver.
    way: Option<Vec<(&'static str, Event)>>,
    /// What led to an equivalent of the receiver: a link to the same page.
    way_to_equivalent: Option<Vec<(&'static str, Event)>>,
}

impl Attempt {
    /// Whether nothing was sent for the event so far.
    pub(crate) fn is_untouched(&self) -> bool {
        self.extra.iter().all(|extra| extra.pattern == WAIT) && self.blocked.is_none()
    }

    /// Whether there is nothing to undo.
    pub(crate) fn is_clean(&self) -> bool {
        self.stack.is_empty()
    }

    pub(crate) fn is_undoing(&self) -> bool {
        self.is_undoing
    }

    /// The patterns that were applied and not undone.
    pub(crate) fn patterns(&self) -> Vec<&'static str> {
        let mut patterns: Vec<&'static str> = self.stack.iter().map(|done| done.pattern).collect();
        patterns.dedup();
        patterns
    }

    /// Whether the device did not perform the event on this very screen.
    pub(crate) fn is_blocked(&self, situation: &Situation<'_>) -> bool {
        // A screen that changes by itself is no reason to send it again and again.
        let is_unchanged = self.blocks > self.actions + self.scrolls;
        self.blocked
            .as_ref()
            .is_some_and(|(_, screen)| is_unchanged || *screen == shape(&situation.present))
    }

    pub(crate) fn was_blocked(&mut self, reason: Blocked, screen: &Screen) {
        self.blocks += 1;
        self.blocked = Some((reason, shape(&crate::outline::Outline::new(screen))));
    }

    /// The next responsive action that was not tried on this screen.
    pub(crate) fn propose(
        &mut self,
        options: &ReplayOptions,
        situation: &Situation<'_>,
        recorded: &RecordedEvent,
        only: Option<&[&str]>,
    ) -> Option<Proposal> {
        if self.actions >= options.attempts || !self.may_go_on(situation.present()) {
            return None;
        }
        if let Some(proposal) = self.next_of_way(options, situation, recorded) {
            return Some(proposal);
        }
        if self.takes_equivalent {
            return None;
        }
        let is_deep = self.levels() >= options.depth;
        let shape = shape(&situation.present);
        // What we opened covers it: closing that again is the last thing to try. And a row of what
        // the app is about is rather behind the app's own way back than in a menu.
        let is_row = situation.is_row_of_content();
        let is_late = |pattern: &&Arc<dyn ResponsivePattern>| match pattern.name() {
            DISMISS => !self.stack.is_empty(),
            MENU => is_row,
            _ => false,
        };
        // Who has done something sees at once what came of it.
        let may_wait = (self.stack.is_empty() || self.blocked.is_some()) && self.waits < MOST_WAITS;
        let patterns = options.patterns.iter();
        let late: Vec<_> = patterns.clone().filter(is_late).collect();
        for pattern in patterns.filter(|pattern| !is_late(pattern)).chain(late) {
            let name = pattern.name();
            if only.is_some_and(|only| !only.contains(&name)) || (name == WAIT && !may_wait) {
                continue;
            }
            for reveal in pattern.reveals(situation) {
                let is_repeatable = pattern.is_repeatable(&reveal);
                let is_spent =
                    if is_repeatable { self.scrolls >= options.scrolls } else { is_deep };
                if is_spent || !self.may_try(name, situation, &reveal) {
                    continue;
                }
                let aim =
                    Digest::of(format_args!("{} {}", reveal.event, situation.name(reveal.view)));
                // The next page may have the same controls as this one.
                let page = match reveal.event {
                    _ if !is_repeatable => 0,
                    Event::Swipe(..) => content(&situation.present, Some(reveal.view)),
                    _ => content(&situation.present, None),
                };
                let screen = Digest::of(format_args!("{shape} {page}"));
                if !self.tried.insert((aim, screen)) {
                    continue;
                }
                if name == WAIT {
                    self.waits += 1;
                } else if is_repeatable {
                    self.scrolls += 1;
                } else {
                    self.actions += 1;
                }
                let before = Arc::new(situation.present().clone());
                return Some(Proposal { pattern: name, reveal, is_repeatable, before });
            }
        }
        None
    }

    /// Whether what could not be undone is no reason to stop: the app is still at the same place,
    /// and it did not happen again and again.
    fn may_go_on(&self, present: &Screen) -> bool {
        self.failed_undos.is_empty()
            || (self.failed_undos.len() <= MOST_FAILED_UNDOS
                && self.failed_undos.iter().all(|place| *place == present.place))
    }

    /// The screen before the first action for the event that was not undone.
    pub(crate) fn first_screen(&self) -> Option<&Screen> {
        self.stack.first().map(|done| &*done.before)
    }

    /// How many actions were needed one after the other; what was repeated counts once.
    fn levels(&self) -> usize {
        let is_same = |a: &Done, b: &Done| {
            (a.is_repeatable, a.pattern) == (true, b.pattern) && b.is_repeatable
        };
        self.stack.chunk_by(is_same).count()
    }

    /// After something was opened, only what is new on the screen is tried there, and what goes on
    /// with the same: scrolling further, turning the next page.
    fn may_try(&self, pattern: &str, situation: &Situation<'_>, reveal: &Reveal) -> bool {
        if leaves_app(situation.present(), reveal.view) {
            return false;
        }
        let Some(last) = self.stack.last() else { return true };
        let new = &situation.present().elements[reveal.view];
        if last.pattern == pattern
            && last.is_repeatable
            && is_same_control(&last.before.elements[last.view], new)
        {
            return !is_inverse(&last.undo, &reveal.event);
        }
        if last.undo == Undo::Nothing {
            return true;
        }
        !was_there(&last.before, new) || self.unreachable.contains(&identity(new))
    }

    /// Whether an element came to be in reach by what was done last.
    pub(crate) fn has_opened(&self, element: &Element) -> bool {
        self.stack.last().is_some_and(|last| !was_there(&last.before, element))
    }

    /// The device could not do a responsive action: its element is not in reach on this screen.
    pub(crate) fn could_not(&mut self, proposal: &Proposal) {
        if let Some(element) = proposal.before.elements.get(proposal.reveal.view) {
            self.unreachable.insert(identity(element));
        }
    }

    /// The next event of a way that is known: by a model, or because it was gone before.
    fn next_of_way(
        &mut self,
        options: &ReplayOptions,
        situation: &Situation<'_>,
        recorded: &RecordedEvent,
    ) -> Option<Proposal> {
        if self.way.is_none() {
            let finder = options.way_finder.as_ref()?;
            let mut way = finder.way(situation.present(), recorded);
            way.truncate(options.attempts);
            self.way = Some(way.into_iter().rev().map(|event| (MODEL, event)).collect());
        }
        let way = self.way.as_mut()?;
        let (pattern, event) = way.pop()?;
        let Ok(located) = situation.present().locate(&event) else {
            // It leads elsewhere: its rest would, too.
            way.clear();
            return None;
        };
        let view = located.unwrap_or_default();
        let before = Arc::new(situation.present().clone());
        self.actions += 1;
        let reveal = Reveal { view, event, undo: Undo::Close };
        Some(Proposal { pattern, reveal, is_repeatable: false, before })
    }

    /// Remembers the way to this screen if it has an equivalent of the receiver.
    pub(crate) fn note_equivalent(&mut self, situation: &Situation<'_>) {
        if self.way_to_equivalent.is_none() && situation.has_equivalent() {
            let way = self.stack.iter().rev().map(|done| (done.pattern, done.event.clone()));
            self.way_to_equivalent = Some(way.collect());
        }
    }

    /// Nothing revealed the receiver: whether its equivalent is to be looked for, where it was
    /// seen.
    pub(crate) fn turns_to_equivalent(&mut self) -> bool {
        if self.takes_equivalent {
            return false;
        }
        let Some(way) = self.way_to_equivalent.take() else { return false };
        self.actions = 0;
        (self.takes_equivalent, self.way) = (true, Some(way));
        true
    }

    /// A responsive action was done.
    pub(crate) fn did(&mut self, proposal: Proposal) {
        let Proposal { pattern, reveal, is_repeatable, before } = proposal;
        let Reveal { view, event, undo } = reveal;
        let (number, is_wait) = (self.extra.len(), pattern == WAIT);
        let extra = ExtraEvent { event: event.clone(), pattern, is_undo: false, is_kept: is_wait };
        self.extra.push(extra);
        if is_wait {
            // There is nothing to undo.
            return;
        }
        let (tried, opened) = (Vec::new(), None);
        self.stack.push(Done {
            pattern,
            event,
            number,
            undo,
            view,
            before,
            is_repeatable,
            tried,
            opened,
        });
    }

    pub(crate) fn begin_undo(&mut self) {
        self.is_undoing = true;
    }

    /// The next event that undoes the last action; `None` when that is over.
    pub(crate) fn next_undo(&mut self, screen: &Screen, info: &DeviceInfo) -> Option<Event> {
        let Some(last) = self.stack.len().checked_sub(1) else {
            self.is_undoing = false;
            return None;
        };
        let (below, done) = self.stack.split_at_mut(last);
        let done = &mut done[0];
        done.note_opened(screen);
        // What was done before may have been undone along with it.
        let further = || below.iter().position(|done| is_same_screen(&done.before, screen));
        let back = if done.is_back(screen) { Some(last) } else { further() };
        if back.is_none() {
            while let Some(event) = done.next_undo(screen) {
                if info.performs(&event) {
                    return Some(event);
                }
            }
        }
        let place = done.before.place.clone();
        self.note_misleading();
        self.is_undoing = false;
        self.stack.truncate(back.unwrap_or_default());
        match back {
            Some(_) if self.undo == UndoOutcome::NotNeeded => self.undo = UndoOutcome::CameBack,
            Some(_) => {}
            None => {
                self.undo = UndoOutcome::Failed;
                self.failed_undos.push(place);
            }
        }
        None
    }

    /// What the event that undoes something came to is seen on the screen, when the next is asked.
    pub(crate) fn undid(&mut self, event: Event) {
        let pattern = self.stack.last().map_or(MODEL, |done| done.pattern);
        self.extra.push(ExtraEvent { event, pattern, is_undo: true, is_kept: false });
    }

    /// All that was done beyond the event, with what led to its receiver in the end. Waiting that
    /// something else followed was for nothing, and changed nothing.
    pub(crate) fn take_extra(&mut self) -> Vec<ExtraEvent> {
        for done in &self.stack {
            self.extra[done.number].is_kept = true;
        }
        let mut extra = std::mem::take(&mut self.extra);
        if let Some(last) = extra.iter().rposition(|extra| extra.pattern != WAIT) {
            let waits = extra.split_off(last + 1);
            extra.retain(|extra| extra.pattern != WAIT);
            extra.extend(waits);
        }
        extra
    }

    /// A control was tried for its name, and is undone: its name promised too much.
    fn note_misleading(&mut self) {
        let Some(done) = self.stack.last() else { return };
        if done.pattern == EXPAND_DESCRIBED {
            self.misleading.push(done.before.name_of(done.view));
        }
    }
}

/// Whether an element could be reached on a screen: one that says the same.
fn was_there(screen: &Screen, new: &Element) -> bool {
    screen.elements.iter().any(|old| {
        (&old.id, &old.text, &old.native, old.role) == (&new.id, &new.text, &new.native, new.role)
            && old.classes == new.classes
            && screen.is_reachable(old)
    })
}

/// A number for an element, the same wherever it is.
fn identity(element: &Element) -> u64 {
    let Element { id, text, native, classes, .. } = element;
    Digest::of(format_args!("{id} {text} {native} {classes}"))
}

/// Whether an element is a link to another site than the one that is shown.
fn leaves_app(screen: &Screen, view: usize) -> bool {
    let site = |address: &str| {
        let (_, rest) = address.split_once("://")?;
        Some(rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned())
    };
    let leads_to = screen.elements.get(view).and_then(|element| site(&element.leads_to));
    leads_to.is_some_and(|there| site(&screen.place).is_some_and(|here| here != there))
}

/// Whether an event takes back what was done. The element may be called otherwise by now.
fn is_inverse(undo: &Undo, event: &Event) -> bool {
    match (undo, event) {
        (Undo::Event(Event::Swipe(_, back)), Event::Swipe(_, toward)) => back == toward,
        (Undo::Event(back), event) => back == event,
        _ => false,
    }
}
