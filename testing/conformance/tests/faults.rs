//! The suite sees what it is there to see: devices with one fault each fail the clause about it.

#![allow(clippy::unwrap_used)]

use capuchin_conformance::CONTRACT;
use capuchin_ui::{
    Device, DeviceError, DeviceInfo, Direction, Event, Observation, Powers, Screen, State, Target,
    Toward,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// An event that is blocked does something all the same.
    ActsOnBlocked,
    /// It does not say that an event was blocked.
    HidesBlocked,
    /// It shows the screen before the event.
    NotSettled,
    /// It tells of a crash one event later.
    LateCrash,
    /// It forgets a crash.
    ForgetsCrash,
    /// Only the first reset is one.
    ResetsOnce,
    /// Chance comes from elsewhere.
    IgnoresSeed,
    /// Two quarter turns for one.
    TurnsTwice,
    /// It does not come back from Home.
    LostAtHome,
    /// It does not know what covers what.
    SeesThrough,
    /// Children before their parents.
    Unordered,
    /// It sleeps no time.
    Sleepless,
    /// A list that does not scroll.
    Stuck,
    /// Events that it does not know are blocked.
    KnowsEverything,
    /// Keys go nowhere.
    NoKeys,
    /// Every press is a short one.
    ShortPresses,
    /// Every double click is a single one.
    SingleClicks,
    /// The pointer presses.
    HeavyPointer,
    /// What is in a field stays there.
    ClearsNothing,
    /// A swipe to an element ends somewhere above it.
    Overshoots,
    /// It has no powers.
    Powerless,
}

struct Faulty {
    inner: Box<dyn Device>,
    fault: Fault,
    last: Option<Observation>,
    crash: Option<Observation>,
    resets: u64,
}

impl Faulty {
    fn new(fault: Fault) -> Self {
        let inner = capuchin_apps::open("contract").unwrap();
        Faulty { inner, fault, last: None, crash: None, resets: 0 }
    }

    fn changed(mut seen: Observation, change: impl FnOnce(&mut Screen)) -> Observation {
        change(Arc::make_mut(&mut seen.screen));
        seen
    }
}

impl Device for Faulty {
    fn info(&self) -> &DeviceInfo {
        self.inner.info()
    }

    fn reset(&mut self, seed: u64) -> Result<Observation, DeviceError> {
        self.resets += 1;
        self.crash = None;
        let seen = match self.fault {
            Fault::ResetsOnce if self.resets > 1 => self.inner.perform(&Event::Skip)?,
            Fault::IgnoresSeed => self.inner.reset(self.resets)?,
            _ => self.inner.reset(seed)?,
        };
        self.last = Some(seen.clone());
        Ok(seen)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        let fault = self.fault;
        if let (Fault::KnowsEverything, Event::Environment(_)) = (fault, event) {
            return self.inner.perform(&Event::Skip);
        }
        let event = match (fault, event) {
            (Fault::Sleepless, Event::Sleep(_))
            | (Fault::LostAtHome, Event::ClickHome)
            | (Fault::NoKeys, Event::Press(_))
            | (Fault::ClearsNothing, Event::Clear(_))
            | (Fault::Stuck, Event::Swipe(..)) => &Event::Skip,
            (Fault::ShortPresses, Event::LongClick(target))
            | (Fault::SingleClicks, Event::DoubleClick(target))
            | (Fault::HeavyPointer, Event::Hover(target)) => &Event::Click(target.clone()),
            (Fault::Overshoots, Event::Swipe(target, Toward::Element(_))) => {
                &Event::Swipe(target.clone(), Toward::Direction(Direction::Up))
            }
            (_, event) => event,
        };
        let mut seen = self.inner.perform(event)?;
        if fault == Fault::TurnsTwice && *event == Event::Rotate {
            seen = self.inner.perform(event)?;
        }
        if seen.blocked.is_some() {
            match fault {
                Fault::ActsOnBlocked => {
                    let click = Event::Click(Target::id("increment"));
                    seen.screen = self.inner.perform(&click)?.screen;
                }
                Fault::HidesBlocked => seen.blocked = None,
                _ => {}
            }
        }
        if seen.crash.is_some() {
            let first = self.crash.is_none();
            self.crash = Some(seen.clone());
            match fault {
                Fault::LateCrash if first => seen.crash = None,
                Fault::ForgetsCrash if !first => seen.crash = None,
                _ => {}
            }
        }
        let before = self.last.replace(seen.clone());
        Ok(match fault {
            Fault::NotSettled => before.unwrap_or(seen),
            Fault::SeesThrough => Self::changed(seen, |screen| {
                screen.elements.iter_mut().for_each(|e| e.state.remove(State::COVERED));
            }),
            Fault::Unordered => Self::changed(seen, |screen| {
                let last = screen.elements.len() as u32 - 1;
                screen.elements[0].parent = Some(last);
            }),
            _ => seen,
        })
    }

    fn powers(&mut self) -> Option<&mut dyn Powers> {
        if self.fault == Fault::Powerless { None } else { self.inner.powers() }
    }
}

/// The clauses that the device with this fault breaks.
fn broken(fault: Fault) -> Vec<&'static str> {
    CONTRACT
        .iter()
        .filter(|(_, clause)| {
            let mut device = Faulty::new(fault);
            catch_unwind(AssertUnwindSafe(|| clause(&mut device))).is_err()
        })
        .map(|(name, _)| *name)
        .collect()
}

#[test]
fn a_sound_device_keeps_the_contract_in_one_go() {
    let mut device = Faulty::new(Fault::None);
    for (_, clause) in CONTRACT {
        clause(&mut device);
    }
}

#[test]
fn every_fault_is_seen_by_the_clause_about_it() {
    for (fault, clause) in [
        (Fault::ActsOnBlocked, "an_absent_element_is_blocked"),
        (Fault::ActsOnBlocked, "a_disabled_element_is_blocked"),
        (Fault::HidesBlocked, "an_absent_element_is_blocked"),
        (Fault::HidesBlocked, "a_hidden_element_is_blocked"),
        (Fault::HidesBlocked, "a_covered_element_is_blocked"),
        (Fault::HidesBlocked, "an_element_outside_is_blocked"),
        (Fault::HidesBlocked, "a_point_outside_is_blocked"),
        (Fault::HidesBlocked, "typing_into_a_label_is_blocked"),
        (Fault::NotSettled, "an_event_is_seen_at_once"),
        (Fault::LateCrash, "a_crash_is_seen_at_once_and_stays"),
        (Fault::ForgetsCrash, "a_crash_is_seen_at_once_and_stays"),
        (Fault::ResetsOnce, "reset_undoes_everything"),
        (Fault::IgnoresSeed, "the_seed_is_the_only_chance"),
        (Fault::IgnoresSeed, "the_same_events_give_the_same_observations"),
        (Fault::TurnsTwice, "rotation_turns_the_screen_and_turns_it_back"),
        (Fault::LostAtHome, "interrupts_come_back_to_the_app"),
        (Fault::SeesThrough, "a_covered_element_is_blocked"),
        (Fault::Unordered, "elements_are_in_order_and_on_the_screen"),
        (Fault::Sleepless, "sleep_lets_time_pass"),
        (Fault::Stuck, "a_list_scrolls_to_its_end_and_back"),
        (Fault::Stuck, "a_swipe_to_a_point_moves_as_far"),
        (Fault::KnowsEverything, "an_unknown_environment_event_is_an_error"),
        (Fault::KnowsEverything, "a_known_environment_event_reaches_the_app"),
        (Fault::NoKeys, "a_key_reaches_the_app"),
        (Fault::ShortPresses, "a_long_press_is_not_a_short_one"),
        (Fault::Stuck, "a_swipe_to_an_element_goes_to_its_middle"),
        (Fault::Overshoots, "a_swipe_to_an_element_goes_to_its_middle"),
        (Fault::SingleClicks, "a_double_click_is_two_clicks"),
        (Fault::HeavyPointer, "hovering_changes_nothing"),
        (Fault::ClearsNothing, "clearing_empties_a_field"),
        (Fault::Powerless, "a_predicate_is_answered_from_the_live_app"),
        (Fault::Powerless, "an_unknown_predicate_is_an_error"),
    ] {
        let broken = broken(fault);
        assert!(broken.contains(&clause), "{fault:?} breaks {broken:?} and not {clause}");
    }
}
