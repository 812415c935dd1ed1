//! What all policies are: something that looks at what is known and says what to do next.

use crate::knowledge::Knowledge;
use capuchin::ui::Rng;
use capuchin_automata::Input;

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This input, which is enabled now.
    Perform(Input),
    /// Back to the initial state.
    Restart,
    /// Nothing: there is nothing new to try.
    Stop,
}

/// A way to choose the next input.
pub trait Policy: Send {
    /// The next move from where the app stands. Everything random comes from `rng`.
    fn next(&mut self, known: &Knowledge, rng: &mut Rng) -> Decision;

    /// Whether it goes on with any input where it would restart the app and may not. A learner asks
    /// one question in a run: what else it did would be no part of that.
    fn may_wander(&self) -> bool {
        true
    }

    /// How many states its model has; nothing if it has no model.
    fn states(&self) -> Option<usize> {
        None
    }
}

/// Random testing as the SwiftHand paper runs it: any enabled input, and a restart now and then.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    /// How likely a restart is, before each input.
    pub restart: f64,
}

impl Default for Random {
    fn default() -> Self {
        Random { restart: 0.1 }
    }
}

impl Policy for Random {
    fn next(&mut self, known: &Knowledge, rng: &mut Rng) -> Decision {
        let enabled = known.enabled_now();
        if enabled.is_empty() || (known.depth() > 0 && rng.unit() < self.restart) {
            // An app on which nothing can ever be done is not worth another look.
            return if known.depth() == 0 { Decision::Stop } else { Decision::Restart };
        }
        Decision::Perform(enabled[rng.below(enabled.len() as u64) as usize])
    }
}
