//! Dismiss: the receiver is there and something lies on top of it: a drawer that stayed open, a
//! menu, a message. Whatever covers it is closed.

use super::{says, words};
use crate::layers::layers;
use crate::reveal::DISMISS;
use crate::situation::{ResponsivePattern, Reveal, Situation, Undo};
use crate::undo::{back_closes, is_veil};
use crate::words::{CLOSING_SIGNS, CLOSING_WORDS};
use capuchin::ui::{Event, Place, Point, State, Target};

pub(super) struct Dismiss;

impl ResponsivePattern for Dismiss {
    fn name(&self) -> &'static str {
        DISMISS
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let Some(covered) = situation.out_of_reach() else { return Vec::new() };
        let element = situation.present.element(covered);
        if !element.is(State::COVERED) && situation.blocked.is_none() {
            return Vec::new();
        }
        let layers = layers(&situation.present);
        let (closing, mut reveals) = (words(CLOSING_WORDS), Vec::new());
        let in_front = |index: usize| layers[index] > layers[covered];
        for (index, control) in situation.controls() {
            let is_sign = CLOSING_SIGNS.contains(&situation.name(index));
            let closes = says(situation, index, &closing) > 0 || is_sign;
            if (closes && in_front(index)) || control.is(State::EXPANDED) {
                reveals.push(Reveal { undo: Undo::Nothing, ..Reveal::click(situation, index) });
            }
        }
        let escape = Event::Press("Escape".into());
        reveals.push(Reveal { view: covered, event: escape, undo: Undo::Nothing });
        // A click on the veil, where a covered control is: it takes the click, and only closes.
        if let Some(point) = beside_layer(situation, &layers, covered) {
            let event = Event::Click(Target::Place(Place::At(point)));
            reveals.push(Reveal { view: covered, event, undo: Undo::Nothing });
        }
        if back_closes(situation.present()) {
            let event = Event::ClickBack;
            reveals.push(Reveal { view: covered, event, undo: Undo::Nothing });
        }
        reveals
    }
}

/// A point at which something is covered, outside of all that can be reached in front of it.
fn beside_layer(situation: &Situation<'_>, layers: &[u32], covered: usize) -> Option<Point> {
    let elements = &situation.present.screen.elements;
    let viewport = situation.present.screen.viewport;
    let front: Vec<usize> = (0..elements.len())
        .filter(|index| {
            layers[*index] > layers[covered] && situation.present.views[*index].is_reachable
        })
        .filter(|index| !is_veil(&situation.present, *index))
        .collect();
    let is_free = |point: Point| {
        viewport.contains(point)
            && !front.iter().any(|index| elements[*index].bounds.contains(point))
    };
    let behind = elements.iter().filter(|e| e.is(State::COVERED | State::DISPLAYED));
    behind.map(capuchin::ui::Element::touch_point).find(|point| is_free(*point))
}
