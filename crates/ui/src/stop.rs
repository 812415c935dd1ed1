//! A stop: tells whoever is at work that nobody waits for what comes of it any more.
//!
//! On its own because it crosses every layer: whoever has a clock or hears of Ctrl-C sets a flag of
//! it, and a driver looks at it in the middle of a wait. It has no clock itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a device that is at work to leave off. The default is never set.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flags: Vec<Arc<AtomicBool>>,
}

impl Stop {
    /// It is set as soon as one of these flags is.
    pub fn when(flags: impl IntoIterator<Item = Arc<AtomicBool>>) -> Self {
        Stop { flags: flags.into_iter().collect() }
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        self.flags.iter().any(|flag| flag.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_flag_of_several_is_enough() {
        let flags: [Arc<AtomicBool>; 2] = Default::default();
        let stop = Stop::when(flags.clone());
        assert!(!stop.is_set() && !Stop::default().is_set());
        flags[1].store(true, Ordering::Relaxed);
        assert!(stop.clone().is_set());
    }
}
