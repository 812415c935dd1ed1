//! Monitors as a source of inputs: what would give them something to judge is offered beside what
//! the screen offers.
//!
//! On its own because a monitor knows nothing of policies, and a policy nothing of monitors: an
//! exercise is one more named trace.

use capuchin::Monitors;
use capuchin::steering::NamedTrace;
use capuchin::ui::{DeviceInfo, Screen, Str};
use std::fmt;
use std::sync::Arc;

/// The monitors whose exercises are offered.
#[derive(Clone, Default)]
pub struct Exercises(pub Vec<Arc<dyn Monitors>>);

impl Exercises {
    /// The exercises on a screen, with the group that each belongs to.
    pub(crate) fn on(&self, screen: &Screen, device: &DeviceInfo) -> Vec<(NamedTrace, Str)> {
        let of_one = |monitors: &Arc<dyn Monitors>| {
            let group: Str = format!("exercise of {}", monitors.name()).into();
            let exercises = monitors.exercises(screen, device).into_iter();
            exercises.map(move |exercise| (exercise, group.clone())).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(of_one).collect()
    }
}

impl fmt::Debug for Exercises {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|monitors| monitors.name())).finish()
    }
}
