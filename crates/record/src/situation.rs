//! A receiver that is not there: both screens, and what can be asked about them.
//!
//! On its own because it is all that a responsive pattern sees. Patterns, ours and a user's, decide
//! by these questions and know nothing of how they are answered.

use crate::matching::{Candidate, Margins, Matched, SURE, Search};
use crate::options::ReplayOptions;
use crate::outline::{LEVELS_IN_CONTROL, Outline};
use crate::recording::RecordedEvent;
use crate::region::Region;
use crate::similarity::counterparts;
use crate::words::{common, set, words_of_id, words_of_text};
use capuchin::ui::{Element, Event, Role, Screen, Selector, State, Target};

/// A recorded event, the screen that it happened on, and the screen that is there now.
pub struct Situation<'a> {
    pub(crate) recorded: Outline<'a>,
    pub(crate) present: Outline<'a>,
    pub(crate) receiver: usize,
    pub(crate) event: &'a Event,
    /// Of each present element, whether it is in the segment that corresponds to the receiver's.
    pub(crate) in_segment: Vec<bool>,
    /// Whether there is such a segment.
    pub(crate) has_segment: bool,
    pub(crate) margins: Margins,
    /// The element that the device could not press although it seems to be in reach.
    pub(crate) blocked: Option<usize>,
    /// Whether a link to the same page will do that is rather the counterpart of another link.
    pub(crate) takes_equivalent: bool,
    /// The recorded event before.
    pub(crate) previous: Option<&'a RecordedEvent>,
}

impl<'a> Situation<'a> {
    /// The situation of an event that has a receiver.
    pub(crate) fn new(
        options: &ReplayOptions,
        recorded: &'a RecordedEvent,
        present: &'a Screen,
    ) -> Option<Self> {
        let receiver = pressed(&recorded.screen, recorded.receiver?, &recorded.event);
        let (old, new) = (Outline::new(&recorded.screen), Outline::new(present));
        let (segments, others) =
            (options.segmenter.segments(&old), options.segmenter.segments(&new));
        let pairs = counterparts(&*options.similarity, (&old, &segments), (&new, &others));
        let holds = |views: &[usize]| {
            views.iter().any(|view| *view == receiver || old.are_nested(*view, receiver))
        };
        let own = segments.iter().position(|segment| segment.views.contains(&receiver));
        let own = own.or_else(|| segments.iter().position(|segment| holds(&segment.views)));
        let matched = own.and_then(|own| pairs[own]).map(|index| &others[index]);
        let mut in_segment = vec![false; present.elements.len()];
        for view in matched.map_or(&[][..], |segment| &segment.views) {
            in_segment[*view] = true;
            new.descendants(*view).into_iter().for_each(|inside| in_segment[inside] = true);
        }
        let (has_segment, event, margins) = (matched.is_some(), &recorded.event, options.margins);
        Some(Situation {
            recorded: old,
            present: new,
            receiver,
            event,
            in_segment,
            has_segment,
            margins,
            blocked: None,
            takes_equivalent: false,
            previous: None,
        })
    }

    /// The screen that the event was recorded on.
    pub fn recorded(&self) -> &'a Screen {
        self.recorded.screen
    }

    /// The screen that is there now.
    pub fn present(&self) -> &'a Screen {
        self.present.screen
    }

    /// The element that the event was recorded for.
    pub fn receiver(&self) -> &'a Element {
        self.recorded.element(self.receiver)
    }

    /// What a person would call the receiver, in lower case; empty if it has no name.
    pub fn receiver_name(&self) -> &str {
        &self.recorded.views[self.receiver].name
    }

    /// What a person would call an element of the present screen; empty if it has no name.
    pub fn name(&self, index: usize) -> &str {
        &self.present.views[index].name
    }

    /// The elements of the present screen that a finger can reach and that do something.
    pub fn controls(&self) -> impl Iterator<Item = (usize, &'a Element)> + '_ {
        let takes = State::CLICKABLE | State::LONG_CLICKABLE | State::EDITABLE;
        let elements = self.present.screen.elements.iter().enumerate();
        elements.filter(move |(index, element)| {
            self.present.views[*index].is_reachable && element.state.intersects(takes)
        })
    }

    /// Whether an element of the present screen is in the segment that corresponds to the
    /// receiver's.
    pub fn is_in_segment(&self, index: usize) -> bool {
        self.in_segment[index]
    }

    /// The elements that the receiver was part of, from the inside out.
    pub fn around_receiver(&self) -> impl Iterator<Item = (usize, &'a Element)> + '_ {
        let screen = self.recorded.screen;
        screen.ancestors(self.receiver).map(|index| (index, &screen.elements[index]))
    }

    /// The counterpart of another element of the recorded screen, if it is there and can be
    /// reached.
    pub fn counterpart(&self, recorded: usize) -> Option<usize> {
        match self.search(recorded, None).run() {
            Matched::Found { candidate, .. } => Some(candidate.index),
            _ => None,
        }
    }

    /// Whether the event chooses one of several: it clicks a row that has a name and opens nothing,
    /// and whose counterpart is not chosen yet. What follows may be there already, and is about
    /// another row.
    pub(crate) fn chooses(&self, candidate: &Candidate) -> bool {
        let opening = words_of_text("menu navigation sidebar drawer panel toggle open close more");
        let (receiver, view) =
            (self.recorded.element(self.receiver), &self.recorded.views[self.receiver]);
        let there = self.present.element(candidate.index);
        let done = State::SELECTED | State::CHECKED | State::EXPANDED;
        let opens = receiver.is(State::EXPANDABLE)
            || there.is(State::EXPANDABLE)
            || view.name_words.iter().any(|word| opening.contains(word));
        let is_row = view.row.is_some() && self.present.views[candidate.index].row.is_some();
        is_row && !view.name_words.is_empty() && !opens && !there.state.intersects(done)
    }

    /// How many words an element of the present screen has in common with the receiver and with
    /// what it stood in: its name, its id, its classes and where it leads.
    pub(crate) fn common_words(&self, index: usize) -> usize {
        let (wanted, view) = (&self.recorded.views[self.receiver], &self.present.views[index]);
        let mut words = words_of_id(&wanted.leads_to);
        let sets = [&wanted.name_words, &wanted.id_words, &wanted.around, &wanted.within];
        sets.iter().for_each(|set| words.extend(*set));
        let mut own = words_of_id(view.leads_to.strip_prefix('#').unwrap_or_default());
        [&view.name_words, &view.id_words].iter().for_each(|set| own.extend(*set));
        // Every second control has these in its id.
        let usual = words_of_text(
            "button content dropdown header item link list main menu nav navbar page toggle",
        );
        own.retain(|word| !usual.contains(word));
        common(&set(words), &set(own))
    }

    /// Whether the receiver was a row of what the app is about, and no entry of its navigation:
    /// nothing says so, and it is no link.
    pub(crate) fn is_row_of_content(&self) -> bool {
        let (view, receiver) = (&self.recorded.views[self.receiver], self.receiver());
        let is_content = match view.region {
            Region::Content => true,
            Region::Unknown => receiver.role != Role::Link && receiver.leads_to.is_empty(),
            _ => false,
        };
        view.row.is_some() && is_content
    }

    /// The selector of an element of the present screen.
    pub fn selector(&self, index: usize) -> Selector {
        self.present.screen.name_of(index)
    }

    /// Looks for the receiver.
    pub(crate) fn matched(&self) -> Matched {
        self.search(self.receiver, Some(self.event)).run()
    }

    /// Whether a link is in reach that opens the same page, where the receiver is not.
    pub(crate) fn has_equivalent(&self) -> bool {
        let mut search = self.search(self.receiver, Some(self.event));
        search.takes_equivalent = true;
        matches!(search.run(), Matched::Found { .. })
    }

    /// The receiver, where it is there and out of reach.
    pub(crate) fn out_of_reach(&self) -> Option<usize> {
        if self.blocked.is_some() {
            return self.blocked;
        }
        self.search(self.receiver, Some(self.event)).out_of_reach()
    }

    /// Whether a candidate that is not surely the receiver is in another part of the screen than
    /// the receiver, which was in the navigation or in a dialog: these may be closed here.
    pub(crate) fn is_elsewhere(&self, candidate: &Candidate) -> bool {
        let wanted = self.recorded.views[self.receiver].region;
        candidate.score < SURE
            && matches!(wanted, Region::Navigation | Region::Dialog)
            && !wanted.may_be(self.present.views[candidate.index].region)
    }

    /// The elements that may be the receiver and are out of reach, the best first.
    pub(crate) fn hidden(&self) -> Vec<usize> {
        if let Some(blocked) = self.blocked {
            return vec![blocked];
        }
        self.search(self.receiver, Some(self.event)).hidden()
    }

    /// Whether an element of the present screen is called nothing, or only by letters of a font of
    /// pictures: those that are for private use. (A sign such as `+` is a name.)
    pub(crate) fn is_unnamed(&self, index: usize) -> bool {
        let is_picture = |letter: char| matches!(letter, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFD}' | ' ');
        self.name(index).chars().all(is_picture)
    }

    pub(crate) fn search<'s>(&'s self, receiver: usize, event: Option<&'s Event>) -> Search<'s> {
        let is_receiver = receiver == self.receiver && self.has_segment;
        Search {
            recorded: &self.recorded,
            present: &self.present,
            receiver,
            event,
            in_segment: is_receiver.then_some(&self.in_segment[..]),
            margins: self.margins,
            takes_equivalent: self.takes_equivalent && receiver == self.receiver,
        }
    }
}

/// The control that takes the event: a picture in a button is pressed with the button.
fn pressed(screen: &Screen, receiver: usize, event: &Event) -> usize {
    let takes = State::CLICKABLE | State::EDITABLE | State::LONG_CLICKABLE;
    let is_press = matches!(event, Event::Click(_) | Event::DoubleClick(_) | Event::LongClick(_));
    let element = &screen.elements[receiver];
    if !is_press || element.state.intersects(takes) {
        return receiver;
    }
    let mut around = screen.ancestors(receiver).take(LEVELS_IN_CONTROL);
    around.find(|above| screen.elements[*above].state.intersects(takes)).unwrap_or(receiver)
}

/// What might reveal the receiver, and how it is undone.
#[derive(Clone, Debug, PartialEq)]
pub struct Reveal {
    /// The element of the present screen that it is done to.
    pub view: usize,
    /// What is done.
    pub event: Event,
    /// What brings the screen back.
    pub undo: Undo,
}

impl Reveal {
    /// A click, which is undone by closing whatever it opened.
    pub fn click(situation: &Situation<'_>, view: usize) -> Self {
        let event = Event::Click(Target::One(situation.selector(view)));
        Reveal { view, event, undo: Undo::Close }
    }
}

/// What brings a screen back that was changed to reveal something.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there are a few at a time")]
pub enum Undo {
    /// Whatever was opened is closed: by the same control, by a key, by what says so, by Back.
    Close,
    /// The opposite.
    Event(Event),
    /// A click on the element that is most similar to this one of the screen before.
    ClickLike(usize),
    /// Nothing: it only cleared the way.
    Nothing,
}

/// A way in which layouts hide controls on one device and show them on another: an entry of
/// `RespPatterns` of the paper.
pub trait ResponsivePattern: Send + Sync {
    /// What it is called in reports.
    fn name(&self) -> &'static str;

    /// What might reveal the receiver here, the most promising first; nothing if the pattern does
    /// not apply.
    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal>;

    /// Whether it may be done again to the same element as long as the screen changes: a list is
    /// scrolled further, a pager turned page by page.
    fn is_repeatable(&self, _: &Reveal) -> bool {
        false
    }
}
