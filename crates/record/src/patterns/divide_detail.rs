//! Divide (11): list and detail stood side by side, and only the detail is here: Back leads to the
//! list.

use crate::situation::{ResponsivePattern, Reveal, Situation, Undo};
use capuchin::ui::{Event, Role};

pub(super) struct DivideDetail;

impl ResponsivePattern for DivideDetail {
    fn name(&self) -> &'static str {
        "detail to list"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let Some(row) = situation.recorded.views[situation.receiver].row else {
            return Vec::new();
        };
        let Some(list) = list_of(situation, row) else { return Vec::new() };
        // Something beside the list is here, and the list is not.
        let is_outside =
            |index: &usize| *index != list && !situation.recorded.are_nested(*index, list);
        let has_list = situation.counterpart(list).is_some() || rows_here(situation, list) > 0;
        let detail = (0..situation.recorded.views.len())
            .filter(is_outside)
            .filter(|index| !situation.recorded.views[*index].name.is_empty())
            .find_map(|index| situation.counterpart(index));
        match detail {
            Some(view) if !has_list => {
                vec![Reveal { view, event: Event::ClickBack, undo: Undo::ClickLike(view) }]
            }
            _ => Vec::new(),
        }
    }
}

/// The list that a row is in.
fn list_of(situation: &Situation<'_>, row: usize) -> Option<usize> {
    let screen = situation.recorded.screen;
    screen.ancestors(row).find(|above| screen.elements[*above].role == Role::List)
}

/// How many rows of the list are here.
fn rows_here(situation: &Situation<'_>, list: usize) -> usize {
    let rows = situation.recorded.children[list].iter().take(5);
    rows.filter(|row| situation.counterpart(**row as usize).is_some()).count()
}
