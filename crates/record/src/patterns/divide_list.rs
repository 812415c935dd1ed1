//! Divide (12): list and detail stood side by side, and only the list is here: a click on the row
//! that was chosen when recording leads to the detail.

use crate::situation::{ResponsivePattern, Reveal, Situation};
use capuchin::ui::{Role, State};

pub(super) struct DivideList;

impl ResponsivePattern for DivideList {
    fn name(&self) -> &'static str {
        "list to detail"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let recorded = &situation.recorded;
        let is_chosen_row = |index: &usize| {
            let element = recorded.element(*index);
            let is_row = matches!(element.role, Role::Item | Role::Link | Role::Button);
            is_row
                && element.is(State::SELECTED | State::DISPLAYED)
                && !recorded.are_nested(*index, situation.receiver)
                && *index != situation.receiver
        };
        (0..recorded.views.len())
            .filter(is_chosen_row)
            .filter_map(|row| situation.counterpart(row))
            .map(|view| Reveal::click(situation, view))
            .collect()
    }
}
