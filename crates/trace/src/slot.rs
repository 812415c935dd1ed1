//! Slots: the identity of an event, from the sample that it was drawn into to the run that performs
//! it.
//!
//! On its own because a sample, its trace and its run must agree on which event is which, and
//! nothing else: an event keeps its slot when its neighbours are left out, so nobody counts
//! positions.

use std::fmt;

/// Which event of a trace. Events that a sample was drawn with differ in their place; those that a
/// policy chose share the place of their `auto` and differ in their turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    place: u32,
    turn: u32,
}

impl Slot {
    /// The slot of the event that is performed in the place of this `auto`, in its turn from 1.
    #[must_use]
    pub fn at_turn(self, turn: u32) -> Slot {
        Slot { turn, ..self }
    }

    /// The slot of the `auto` in whose place it was chosen; `None` for an event of a script.
    pub fn auto(self) -> Option<Slot> {
        (self.turn > 0).then_some(Slot { turn: 0, ..self })
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turn {
            0 => write!(f, "{}", self.place),
            turn => write!(f, "{}.{turn}", self.place),
        }
    }
}

/// Hands out slots, each once.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    next: u32,
}

impl Slots {
    /// Slots that come after all of these.
    pub(crate) fn after(taken: impl Iterator<Item = Slot>) -> Self {
        Slots { next: taken.map(|slot| slot.place + 1).max().unwrap_or(0) }
    }

    pub(crate) fn next(&mut self) -> Slot {
        let place = self.next;
        self.next += 1;
        Slot { place, turn: 0 }
    }
}
