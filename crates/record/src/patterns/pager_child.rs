//! Pager (10): something that the receiver stood in is here without the receiver, and can be pulled
//! or pressed: a panel that is pulled out, a card that opens.

use super::scroll::swipe;
use crate::situation::{ResponsivePattern, Reveal, Situation, Undo};
use capuchin::ui::{Direction, Event, Role, State};

pub(super) struct PagerChild;

impl ResponsivePattern for PagerChild {
    fn name(&self) -> &'static str {
        "pager child"
    }

    /// A panel is pulled further; a click on a card that is open would close it.
    fn is_repeatable(&self, reveal: &Reveal) -> bool {
        matches!(reveal.event, Event::Swipe(..))
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let mut found = Vec::new();
        for (around, element) in situation.around_receiver() {
            // A row is opened by the patterns for lists.
            if situation.recorded.is_page(around) || matches!(element.role, Role::Item | Role::List)
            {
                continue;
            }
            let Some(view) = there(situation, around) else { continue };
            let here = situation.present.element(view);
            if here.is(State::CLICKABLE) && !here.is(State::EDITABLE) {
                found.push(Reveal::click(situation, view));
            } else if here.is(State::SCROLLABLE) {
                let undo = Undo::Event(swipe(situation, view, Direction::Right));
                let event = swipe(situation, view, Direction::Left);
                found.push(Reveal { view, event, undo });
            }
        }
        found
    }
}

/// The counterpart of what is around: by its id, if it has one, because it may look like nothing
/// else; else as everything is found.
fn there(situation: &Situation<'_>, around: usize) -> Option<usize> {
    let id = situation.recorded.views[around].id;
    let same = |index: &usize| {
        id.is_some()
            && situation.present.views[*index].id == id
            && situation.present.views[*index].is_reachable
    };
    (0..situation.present.views.len()).find(same).or_else(|| situation.counterpart(around))
}
