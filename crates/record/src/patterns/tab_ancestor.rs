//! Tab (8): the receiver stood under a tab that is not the chosen one here, or in a part whose
//! heading is a tab here.

use crate::situation::{ResponsivePattern, Reveal, Situation};
use crate::words::common;
use capuchin::ui::{Role, State};

pub(super) struct TabAncestor;

impl ResponsivePattern for TabAncestor {
    fn name(&self) -> &'static str {
        "tab around"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let is_chosen = |index: usize| situation.present.element(index).is(State::SELECTED);
        let recorded = &situation.recorded;
        // The tab that was chosen when recording.
        let chosen = (0..recorded.views.len()).filter(|index| {
            let element = recorded.element(*index);
            *index != situation.receiver
                && element.role == Role::Tab
                && element.is(State::SELECTED | State::DISPLAYED)
        });
        let mut found: Vec<usize> = chosen
            .filter_map(|tab| situation.counterpart(tab))
            .filter(|index| !is_chosen(*index))
            .collect();
        // A tab that is called what the receiver stood under.
        let around = &recorded.views[situation.receiver].around;
        for (index, element) in situation.controls() {
            let words = &situation.present.views[index].name_words;
            let is_named = !words.is_empty() && common(words, around) == words.len();
            if element.role == Role::Tab && is_named && !is_chosen(index) && !found.contains(&index)
            {
                found.push(index);
            }
        }
        found.into_iter().map(|index| Reveal::click(situation, index)).collect()
    }
}
