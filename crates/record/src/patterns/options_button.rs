//! Options (5): a "more options" button opens what did not fit: three dots, an overflow menu.

use super::menu::is_pressed;
use super::{is_small, leads_away, says, words};
use crate::situation::{ResponsivePattern, Reveal, Situation};
use capuchin::ui::State;

pub(super) struct OptionsButton;

/// Signs that stand for more.
const SIGNS: [&str; 7] = ["⋮", "⋯", "…", "...", "•••", "···", "︙"];

impl ResponsivePattern for OptionsButton {
    fn name(&self) -> &'static str {
        "options"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let sure = words("overflow kebab ellipsis dots more");
        let likely = words("options actions tools");
        let mut found: Vec<(usize, bool, usize)> = Vec::new();
        for (index, element) in situation.controls() {
            if !is_pressed(element) || !is_small(situation, element) || leads_away(element) {
                continue;
            }
            let (named, maybe) = (says(situation, index, &sure), says(situation, index, &likely));
            let is_sign = SIGNS.contains(&situation.name(index));
            let opens = element.is(State::EXPANDABLE);
            let rank = match (is_sign || named > 0, maybe > 0, opens) {
                (true, true, _) | (true, _, true) => 0,
                (_, true, true) => 1,
                (true, ..) => 2,
                _ => continue,
            };
            found.push((rank, !situation.is_in_segment(index), index));
        }
        found.sort_unstable();
        found.into_iter().map(|(.., index)| Reveal::click(situation, index)).collect()
    }
}
