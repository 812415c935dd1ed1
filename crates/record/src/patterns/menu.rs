//! Menu (6): a control opens the navigation: a hamburger, a drawer, a sidebar; on web pages often a
//! button or a label without role and name that says by its class or by what it controls what it
//! is.

use super::{is_small, leads_away, says, words};
use crate::reveal::MENU;
use crate::situation::{ResponsivePattern, Reveal, Situation};
use capuchin::ui::{Element, Role, State};
use std::cmp::Reverse;

pub(super) struct Menu;

impl ResponsivePattern for Menu {
    fn name(&self) -> &'static str {
        MENU
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let what = words(
            "navigation nav navbar menu drawer sidebar hamburger panel offcanvas bars burger navmenu pushmenu sidenav",
        );
        let act = words("open toggle toggler show expand collapse switch");
        let sure = words("hamburger burger toggler pushmenu navmenu drawer bars");
        let mut found: Vec<(u8, Reverse<usize>, bool, i32, usize)> = Vec::new();
        for (index, element) in situation.controls() {
            if !is_pressed(element) || !is_small(situation, element) {
                continue;
            }
            let is_sign = ["☰", "≡", "☷", "𝌆"].contains(&situation.name(index));
            let named = says(situation, index, &what) + refers(element, &what);
            let acts = says(situation, index, &act) > 0;
            let opens = element.is(State::EXPANDABLE);
            let is_unnamed = situation.is_unnamed(index);
            // A link that leads nowhere is a button.
            let is_toggle = matches!(element.role, Role::Button)
                || element.native == "label"
                || (element.role == Role::Link && !leads_away(element));
            let is_sure = says(situation, index, &sure) + refers(element, &sure) > 0;
            let rank = if is_sign || is_sure {
                0
            } else if named > 0 && (acts || opens) {
                1
            } else if named > 0 && (is_toggle || is_unnamed) {
                2
            } else {
                continue;
            };
            // Of two that are as likely, the one that says what the receiver stood in, then the one
            // in the matched segment, then the one further up.
            let is_far = !situation.is_in_segment(index);
            let common = Reverse(situation.common_words(index));
            found.push((rank, common, is_far, element.bounds.y, index));
        }
        found.sort_unstable();
        found.into_iter().map(|(.., index)| Reveal::click(situation, index)).collect()
    }
}

pub(super) fn is_pressed(element: &Element) -> bool {
    let is_pressed = element.is(State::CLICKABLE) && !element.is(State::EDITABLE);
    is_pressed && !element.is(State::EXPANDED) && !element.is(State::CHECKABLE)
}

/// How many of the words are in what it refers to.
fn refers(element: &Element, words: &[crate::words::Word]) -> usize {
    let Some(id) = element.leads_to.strip_prefix('#') else { return 0 };
    crate::words::words_of_id(id).iter().filter(|word| words.contains(word)).count()
}
