//! Tab (7): the receiver is a tab, and of its siblings only the present one is shown, which opens
//! the others: tabs that became a drop-down list.

use crate::situation::{ResponsivePattern, Reveal, Situation};
use capuchin::ui::{Role, State};

pub(super) struct Tab;

impl ResponsivePattern for Tab {
    fn name(&self) -> &'static str {
        "tab"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        if situation.receiver().role != Role::Tab {
            return Vec::new();
        }
        let Some(parent) = situation.receiver().parent else { return Vec::new() };
        let siblings = &situation.recorded.children[parent as usize];
        let is_tab = |sibling: &usize| {
            *sibling != situation.receiver && situation.recorded.element(*sibling).role == Role::Tab
        };
        let mut found: Vec<(bool, usize)> = siblings
            .iter()
            .map(|sibling| *sibling as usize)
            .filter(is_tab)
            .filter_map(|sibling| situation.counterpart(sibling))
            .map(|index| {
                let element = situation.present.element(index);
                let is_chosen = element.state.intersects(State::SELECTED | State::EXPANDABLE);
                (!is_chosen, index)
            })
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, index)| Reveal::click(situation, index)).collect()
    }
}
