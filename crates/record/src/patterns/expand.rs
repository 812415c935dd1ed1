//! Expand (1): in the matched segment stands a view whose name begins the receiver's, or the other
//! way round; or one that is closed and has the name of what the receiver stood in: the head of an
//! accordion, a submenu. A click opens it.

use super::is_beginning;
use super::menu::is_pressed;
use crate::situation::{ResponsivePattern, Reveal, Situation};
use crate::words::common;
use capuchin::ui::{Element, State};

pub(super) struct Expand;

impl ResponsivePattern for Expand {
    fn name(&self) -> &'static str {
        "expand"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        expanding(situation, |index| situation.is_in_segment(index))
    }
}

/// The views that may expand to the receiver, of those that are asked for.
pub(super) fn expanding(
    situation: &Situation<'_>,
    is_asked: impl Fn(usize) -> bool,
) -> Vec<Reveal> {
    let receiver = situation.receiver_name();
    let around = &situation.recorded.views[situation.receiver].around;
    let mut found: Vec<(u8, usize)> = Vec::new();
    for (index, element) in situation.controls().filter(|(index, _)| is_asked(*index)) {
        let view = &situation.present.views[index];
        if !is_pressed(element) || view.name.is_empty() {
            continue;
        }
        let names_around = !view.name_words.is_empty()
            && common(&view.name_words, around) == view.name_words.len();
        if (element.is(State::EXPANDABLE) || is_switch(element)) && names_around {
            found.push((0, index));
        } else if !receiver.is_empty() && is_beginning(&view.name, receiver) {
            found.push((1, index));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, index)| Reveal::click(situation, index)).collect()
}

/// Whether it is the label of something else, which it switches on and off.
pub(super) fn is_switch(element: &Element) -> bool {
    element.native == "label" && element.leads_to.starts_with('#')
}
