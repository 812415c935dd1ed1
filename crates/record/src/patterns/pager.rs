//! Pager (9): what the receiver stood in is a pager or a carousel here: it may be on another page.

use super::scroll::swipe;
use super::{is_small, says, words};
use crate::situation::{ResponsivePattern, Reveal, Situation, Undo};
use crate::undo::turns_back;
use capuchin::ui::{Direction, Role, State};

pub(super) struct Pager;

impl ResponsivePattern for Pager {
    fn name(&self) -> &'static str {
        "pager"
    }

    fn is_repeatable(&self, _: &Reveal) -> bool {
        true
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let (forth, paging) = (words("next forward"), words("page pager slide carousel"));
        let mut found = Vec::new();
        for pager in pagers(situation) {
            for (forth, back) in
                [(Direction::Left, Direction::Right), (Direction::Right, Direction::Left)]
            {
                let undo = Undo::Event(swipe(situation, pager, back));
                found.push(Reveal { view: pager, event: swipe(situation, pager, forth), undo });
            }
        }
        // A control that turns the page: of a carousel, not of the app.
        for (index, element) in situation.controls() {
            let is_next = says(situation, index, &forth) > 0
                || ["›", "»", "→", ">"].contains(&situation.name(index));
            let is_paging = says(situation, index, &paging) > 0 || situation.is_in_segment(index);
            if is_next && is_paging && is_small(situation, element) && element.leads_to.is_empty() {
                found.push(Reveal { undo: back(situation), ..Reveal::click(situation, index) });
            }
        }
        found
    }
}

/// What may be a pager of the receiver: the counterpart of what scrolled around it, and what
/// scrolls in its segment or alone on the screen, but for lists.
fn pagers(situation: &Situation<'_>) -> Vec<usize> {
    let scrolls = |index: &usize| {
        let element = situation.present.element(*index);
        let is_part = !matches!(element.role, Role::List | Role::Slider);
        let is_there = situation.present.views[*index].is_reachable;
        element.is(State::SCROLLABLE) && is_part && is_there && !situation.present.is_page(*index)
    };
    let around = situation.around_receiver().filter(|(_, element)| element.is(State::SCROLLABLE));
    let mut pagers: Vec<usize> =
        around.filter_map(|(around, _)| situation.counterpart(around)).filter(scrolls).collect();
    let others: Vec<usize> = (0..situation.present.views.len()).filter(scrolls).collect();
    let is_only = others.len() == 1;
    for other in others {
        if (is_only || situation.is_in_segment(other)) && !pagers.contains(&other) {
            pagers.push(other);
        }
    }
    pagers
}

/// The control that turns the page back; on the first page there may be none yet, and it is looked
/// for once the page is turned.
fn back(situation: &Situation<'_>) -> Undo {
    let back = situation.controls().find(|(index, _)| turns_back(&situation.present, *index));
    back.map_or(Undo::Close, |(index, _)| Undo::Event(Reveal::click(situation, index).event))
}
