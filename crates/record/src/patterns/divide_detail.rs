//! Divide (11): list and detail stood side by side, and only the detail is here: Back leads to the
//! list. Where the app shows a way up of its own, that is gone first.

use super::navigate_up::NavigateUp;
use crate::situation::{ResponsivePattern, Reveal, Situation, Undo};
use crate::words::Word;
use capuchin::ui::{Event, Role};
use std::collections::BTreeSet;

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
        if situation.counterpart(list).is_some() || rows_here(situation, list) > 0 {
            return Vec::new();
        }
        if !NavigateUp.reveals(situation).is_empty() {
            return Vec::new();
        }
        let mut beside = beside(situation, list).into_iter();
        let detail = beside.find_map(|index| situation.counterpart(index));
        let to_list = |view| Reveal { view, event: Event::ClickBack, undo: Undo::ClickLike(view) };
        detail.map(to_list).into_iter().collect()
    }
}

/// The most elements beside the list that are looked for: each costs a search of the screen.
const MOST_LOOKED_FOR: usize = 20;

/// What stood beside the list and has a name: first what has a name that is here, headings first.
fn beside(situation: &Situation<'_>, list: usize) -> Vec<usize> {
    let (recorded, present) = (&situation.recorded, &situation.present);
    let here: BTreeSet<Word> = present.views.iter().map(|view| view.name_key).collect();
    let mut found: Vec<(bool, bool, usize)> = (0..recorded.views.len())
        .filter(|index| *index != list && !recorded.are_nested(*index, list))
        .filter(|index| recorded.is_displayed(*index) && !recorded.views[*index].name.is_empty())
        .map(|index| {
            let is_elsewhere = !here.contains(&recorded.views[index].name_key);
            (is_elsewhere, recorded.element(index).role != Role::Heading, index)
        })
        .collect();
    found.sort_unstable();
    found.into_iter().take(MOST_LOOKED_FOR).map(|(.., index)| index).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::ReplayOptions;
    use crate::recording::RecordedEvent;
    use capuchin::ui::{Element, Rect, Screen, Size, State, Target};
    use std::sync::Arc;

    /// A list of one row and, beside it, labels and a heading.
    fn screen(labels: usize, heading: &str) -> Screen {
        let element = |role, text: String, y: usize, parent| Element {
            role,
            text: text.into(),
            bounds: Rect::new(0, y as i32 * 10, 90, 9),
            state: State::DISPLAYED | State::ENABLED | State::CLICKABLE,
            parent,
            ..Element::default()
        };
        let mut elements = vec![
            element(Role::List, String::new(), 0, None),
            element(Role::Item, "Row".into(), 0, Some(0)),
        ];
        let label = |number| element(Role::Label, format!("{heading} text {number}"), number, None);
        elements.extend((1..=labels).map(label));
        elements.push(element(Role::Heading, heading.into(), labels + 1, None));
        Screen { viewport: Size::new(99, 9999), elements, ..Screen::default() }
    }

    fn check(heading: &str, first: usize) {
        let recorded = screen(300, "Invoice");
        let event = Event::Click(Target::any());
        let recorded =
            RecordedEvent { event, receiver: Some(1), screen: Arc::new(recorded), is_key: true };
        let mut present = screen(0, heading);
        present.elements.drain(..2);
        let options = ReplayOptions::default();
        let situation = Situation::new(&options, &recorded, &present).expect("it has a receiver");
        let found = beside(&situation, 0);
        assert_eq!((found.len(), found[0]), (MOST_LOOKED_FOR, first));
    }

    #[test]
    fn few_elements_are_looked_for_and_the_likely_ones_first() {
        check("Invoice", 302);
        check("Invoice text 77", 78);
        check("Nothing like it", 302);
    }
}
