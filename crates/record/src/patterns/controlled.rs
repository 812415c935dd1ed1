//! Controlled: an element says that it opens what the receiver is in (`aria-controls`, the target
//! of a toggle, the control of a label).

use crate::situation::{ResponsivePattern, Reveal, Situation};
use capuchin::ui::State;

pub(super) struct Controlled;

impl ResponsivePattern for Controlled {
    fn name(&self) -> &'static str {
        "controlled"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let ids: Vec<&str> = situation
            .around_receiver()
            .map(|(_, element)| element.id.as_str())
            .filter(|id| !id.is_empty() && !crate::words::is_generated(id))
            .collect();
        // The innermost first.
        let opens = |id: &&&str| {
            let wanted = format!("#{id}");
            let control = situation.controls().find(|(_, element)| {
                element.leads_to == wanted
                    && !element.is(State::EXPANDED)
                    && is_hidden(situation, id)
            });
            control.map(|(index, _)| index)
        };
        ids.iter().filter_map(|id| opens(&id)).map(|at| Reveal::click(situation, at)).collect()
    }
}

/// Whether nothing in the element of this id can be reached now.
fn is_hidden(situation: &Situation<'_>, id: &str) -> bool {
    let elements = &situation.present.screen.elements;
    let at = elements.iter().position(|element| element.id == id);
    at.is_none_or(|at| {
        let mut inside = situation.present.descendants(at).into_iter();
        !inside.any(|index| {
            situation.present.views[index].is_reachable && elements[index].is(State::CLICKABLE)
        })
    })
}
