//! Expand (3): a view is described by what the receiver says, or says what the receiver is
//! described as: an icon that stands for a text.

use super::expand::is_switch;
use super::is_small;
use super::menu::is_pressed;
use crate::reveal::EXPAND_DESCRIBED;
use crate::situation::{ResponsivePattern, Reveal, Situation};
use crate::words::{common, normalized, set, words_of_id};
use capuchin::ui::State;

pub(super) struct ExpandDescribed;

impl ResponsivePattern for ExpandDescribed {
    fn name(&self) -> &'static str {
        EXPAND_DESCRIBED
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let receiver = situation.receiver();
        let (text, hint) = (normalized(&receiver.text), normalized(&receiver.hint));
        let same = |one: &str, other: &str| !one.is_empty() && one == other;
        let described = situation.controls().filter(|(_, element)| {
            !element.is(State::EXPANDED)
                && !element.is(State::EDITABLE)
                && (same(&normalized(&element.hint), &text)
                    || same(&normalized(&element.text), &hint)
                    // An icon that opens a field is called what the field asks for.
                    || (receiver.is(State::EDITABLE) && same(&normalized(&element.text), &text)))
        });
        let mut found: Vec<usize> = described.map(|(index, _)| index).collect();
        // An icon without a name that has a word of the receiver in its id, its class or what it
        // refers to.
        let icons = situation.controls().filter(|(index, element)| {
            situation.is_unnamed(*index)
                && is_pressed(element)
                // What is chosen from is no way to something else.
                && (element.native != "label" || is_switch(element))
                && is_small(situation, element)
                && hints_at_receiver(situation, *index)
        });
        for (index, _) in icons {
            if !found.contains(&index) {
                found.push(index);
            }
        }
        found.into_iter().map(|index| Reveal::click(situation, index)).collect()
    }
}

fn hints_at_receiver(situation: &Situation<'_>, index: usize) -> bool {
    let receiver = &situation.recorded.views[situation.receiver];
    let (view, element) = (&situation.present.views[index], situation.present.element(index));
    let refers = set(words_of_id(element.leads_to.strip_prefix('#').unwrap_or_default()));
    let says = [&view.id_words, &view.classes, &refers];
    let wanted = [&receiver.name_words, &receiver.id_words];
    says.iter().any(|said| wanted.iter().any(|words| common(said, words) > 0))
}
