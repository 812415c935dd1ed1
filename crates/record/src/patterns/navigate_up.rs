//! Navigate up (13): the app's own way up: an arrow, a breadcrumb, the title of a level in a
//! drawer.

use super::expand::is_switch;
use super::{is_small, says, words};
use crate::layers::layers;
use crate::situation::{ResponsivePattern, Reveal, Situation, Undo};
use capuchin::ui::{Role, State};

pub(super) struct NavigateUp;

impl ResponsivePattern for NavigateUp {
    fn name(&self) -> &'static str {
        "navigate up"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let up = words("back up return");
        let crumbs = words("breadcrumb breadcrumbs");
        let layers = layers(&situation.present);
        // What lies in front of the receiver; where that is not there at all, the last layer.
        let front = layers.iter().max().copied().unwrap_or_default();
        let behind = situation.hidden().first().map_or(front.saturating_sub(1), |at| layers[*at]);
        let mut found: Vec<(u8, usize)> = Vec::new();
        for (index, element) in situation.controls() {
            if element.is(State::EDITABLE)
                || !is_small(situation, element) && element.native != "label"
            {
                continue;
            }
            let name = situation.name(index);
            let is_sign = ["←", "‹", "⬅", "<", "◀"].contains(&name);
            let is_short = situation.present.views[index].name_words.len() <= 3;
            if is_sign || (is_short && says(situation, index, &up) > 0) {
                found.push((0, index));
            } else if is_crumb(situation, index, &crumbs) {
                found.push((1, index));
            } else if layers[index] > behind && is_level_title(situation, index, &layers) {
                found.push((2, index));
            }
        }
        // The last breadcrumb is the nearest level.
        found.sort_by_key(|(rank, index)| {
            (*rank, if *rank == 1 { usize::MAX - index } else { *index })
        });
        let up =
            |(_, index)| Reveal { undo: Undo::ClickLike(index), ..Reveal::click(situation, index) };
        found.into_iter().map(up).collect()
    }
}

fn is_crumb(situation: &Situation<'_>, index: usize, words: &[crate::words::Word]) -> bool {
    let is_link = situation.present.element(index).role == Role::Link;
    let mut around = situation.present.screen.ancestors(index).take(4);
    is_link && around.any(|above| says(situation, above, words) > 0)
}

/// Whether it heads its layer, and belongs to something that opens and closes.
fn is_level_title(situation: &Situation<'_>, index: usize, layers: &[u32]) -> bool {
    let element = situation.present.element(index);
    let in_layer = situation.controls().filter(|(other, _)| layers[*other] == layers[index]);
    let top = in_layer.map(|(_, other)| other.bounds.y).min().unwrap_or_default();
    is_switch(element) && element.bounds.y <= top + element.bounds.height
}
