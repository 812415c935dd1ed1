//! Expand navigation: the receiver stood in the navigation, which is here and has parts that are
//! closed: it may have come to stand in one of them. What says something of the receiver, and what
//! stands in the same, is opened first.
//!
//! Not in the table of the paper: an app that is redesigned keeps its pages and sorts them anew.

use super::disclose::is_closed;
use crate::region::Region;
use crate::situation::{ResponsivePattern, Reveal, Situation};
use crate::words::common;
use std::cmp::Reverse;

pub(super) struct ExpandNavigation;

impl ResponsivePattern for ExpandNavigation {
    fn name(&self) -> &'static str {
        "expand navigation"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        if situation.recorded.views[situation.receiver].region != Region::Navigation {
            return Vec::new();
        }
        let within = &situation.recorded.views[situation.receiver].within;
        let is_part = |index: usize| situation.present.views[index].region == Region::Navigation;
        let mut found: Vec<(Reverse<usize>, usize)> = situation
            .controls()
            .filter(|(index, _)| is_part(*index) && is_closed(situation, *index))
            .map(|(index, _)| {
                let within = common(within, &situation.present.views[index].within);
                (Reverse(situation.common_words(index) + within), index)
            })
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, index)| Reveal::click(situation, index)).collect()
    }
}
