//! Navigate up (13): the app's own way up: an arrow, a breadcrumb, the title of a level in a
//! drawer.

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
        let front = layers.iter().max().copied().unwrap_or_default();
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
            } else if front > 0 && layers[index] == front && is_level_title(situation, index) {
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

/// Whether it heads what is in front, and belongs to something that opens and closes.
fn is_level_title(situation: &Situation<'_>, index: usize) -> bool {
    let element = situation.present.element(index);
    let is_toggle = element.leads_to.starts_with('#') && element.native == "label";
    let top = situation.controls().map(|(_, other)| other.bounds.y).min().unwrap_or_default();
    is_toggle && element.bounds.y <= top + element.bounds.height
}
