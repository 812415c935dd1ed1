//! Expand (2): the same in what is around the matched segment.

use super::expand::expanding;
use crate::situation::{ResponsivePattern, Reveal, Situation};

pub(super) struct ExpandAround;

impl ResponsivePattern for ExpandAround {
    fn name(&self) -> &'static str {
        "expand around"
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        expanding(situation, |index| !situation.is_in_segment(index))
    }
}
