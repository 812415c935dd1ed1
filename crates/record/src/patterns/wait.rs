//! Wait: the app may not be ready. What it shows may still come, and what lies on the receiver may
//! still move: a person looks again before anything else is tried.
//!
//! Not in the table of the paper: its apps were given time after each event.

use crate::reveal::WAIT;
use crate::situation::{ResponsivePattern, Reveal, Situation, Undo};
use capuchin::ui::Event;

pub(super) struct Wait;

/// How much of the app's time passes.
const MILLIS: u64 = 500;

impl ResponsivePattern for Wait {
    fn name(&self) -> &'static str {
        WAIT
    }

    /// As long as what is shown changes.
    fn is_repeatable(&self, _: &Reveal) -> bool {
        true
    }

    fn reveals(&self, situation: &Situation<'_>) -> Vec<Reveal> {
        let wait = Reveal { view: 0, event: Event::Sleep(MILLIS), undo: Undo::Nothing };
        let has_view = !situation.present().elements.is_empty();
        has_view.then_some(wait).into_iter().collect()
    }
}
