//! Toggle: nothing says where the receiver is, and something is closed: whatever says that it
//! opens, and the small controls without a name in the bars at the top and at the bottom.
//!
//! Not in the table of the paper: it is what a person tries last.

use super::menu::is_pressed;
use super::{is_small, leads_away};
use crate::situation::{ResponsivePattern, Reveal, Situation};
use capuchin::ui::{Element, Role, State};
use std::cmp::Reverse;

pub(super) struct Toggle;

impl ResponsivePattern for Toggle {
    fn name(&self) -> &'static str {
        "toggle"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let mut found: Vec<(Reverse<usize>, u8, bool, i32, usize)> = Vec::new();
        for (index, element) in situation.controls() {
            let opens = element.is(State::EXPANDABLE);
            let is_unnamed = situation.is_unnamed(index);
            let is_bar = is_in_bar(situation, element);
            let is_button = element.role == Role::Button || element.native == "label";
            let rank = match (opens, is_unnamed, is_bar) {
                (true, _, true) => 0,
                (false, true, true) if is_button => 1,
                (true, ..) => 2,
                // A sign that floats over the page.
                (false, true, true) if !leads_away(element) => 3,
                _ => continue,
            };
            if is_pressed(element) && (opens || is_small(situation, element)) {
                let is_far = !situation.is_in_segment(index);
                // What says something of the receiver is the best guess.
                let common = Reverse(situation.common_words(index));
                found.push((common, rank, is_far, element.bounds.y, index));
            }
        }
        found.sort_unstable();
        found.into_iter().map(|(.., index)| Reveal::click(situation, index)).collect()
    }
}

/// Whether it stands at the top or at the bottom of the screen.
fn is_in_bar(situation: &Situation<'_>, element: &Element) -> bool {
    let (y, height) = (element.touch_point().y, situation.present.screen.viewport.height);
    y < height / 6 || y > height - height / 8
}
