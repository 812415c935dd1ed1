//! Scroll (4): what the receiver stood in scrolls, and has a counterpart: the receiver may be
//! further down. Where it is there and hidden, no scrolling brings it into sight.

use crate::reveal::SCROLL;
use crate::situation::{ResponsivePattern, Reveal, Situation, Undo};
use capuchin::ui::{Direction, Event, State, Target, Toward};

pub(super) struct Scroll;

impl ResponsivePattern for Scroll {
    fn name(&self) -> &'static str {
        SCROLL
    }

    fn is_repeatable(&self, _: &Reveal) -> bool {
        true
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        if !situation.hidden().is_empty() {
            return Vec::new();
        }
        let Some(list) = scrolled(situation) else { return Vec::new() };
        [(Direction::Up, Direction::Down), (Direction::Down, Direction::Up)]
            .into_iter()
            .map(|(forth, back)| Reveal {
                view: list,
                event: swipe(situation, list, forth),
                undo: Undo::Event(swipe(situation, list, back)),
            })
            .collect()
    }
}

pub(super) fn swipe(situation: &Situation<'_>, view: usize, toward: Direction) -> Event {
    Event::Swipe(Target::One(situation.selector(view)), Toward::Direction(toward))
}

/// The counterpart of the nearest list or scrolling part that the receiver stood in; where that did
/// not need to scroll on the recording device, the list that scrolls here.
fn scrolled(situation: &Situation<'_>) -> Option<usize> {
    let scrolls = |index: &usize| {
        let element = situation.present.element(*index);
        element.is(State::SCROLLABLE) && situation.present.views[*index].is_reachable
    };
    let holds_rows = situation.recorded.views[situation.receiver].row.is_some();
    for (around, element) in situation.around_receiver() {
        let is_list = element.role == capuchin::ui::Role::List || element.is(State::SCROLLABLE);
        if is_list && let Some(found) = situation.counterpart(around).filter(scrolls) {
            return Some(found);
        }
    }
    let lists: Vec<usize> = (0..situation.present.views.len()).filter(scrolls).collect();
    match lists[..] {
        [only] if holds_rows || situation.is_in_segment(only) => Some(only),
        _ => lists.into_iter().find(|list| situation.is_in_segment(*list)),
    }
}
