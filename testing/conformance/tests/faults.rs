//! The suite sees what it is there to see: devices with one fault each fail the clause about it.

#![allow(clippy::unwrap_used)]

use capuchin_apps::contract::Contract;
use capuchin_apps::{Call, Wrapped};
use capuchin_conformance::CONTRACT;
use capuchin_sim::SimDevice;
use capuchin_ui::{
    Blocked, Crash, Device, DeviceError, DeviceEvents, Direction, Event, Observation, Powers,
    Screen, State, Stop, Stoppable, Target, Toward,
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
    /// It turns, and says that it cannot.
    DoesMoreThanItClaims,
    /// It says that it performs an environment event that it has never heard of.
    ClaimsMoreThanItDoes,
    /// The app ends where it asks for something that the device does not have.
    EndsWhereItLacks,
    /// It says again and again what it lacked.
    RepeatsWhatItLacked,
    /// Two fingers are blocked.
    OneFinger,
    /// A key that it does not have is blocked.
    BlocksKeys,
    /// The app sees what a person does although nobody has performed it.
    PassesOn,
    /// It says that the app hangs when it is told to stop.
    HangsWhenStopped,
}

/// What a faulty device remembers.
#[derive(Default)]
struct Memory {
    last: Option<Observation>,
    crash: Option<Observation>,
    resets: u64,
    stop: Stop,
}

impl Powers for Memory {
    fn stoppable(&mut self) -> Option<&mut dyn Stoppable> {
        Some(self)
    }
}

impl Stoppable for Memory {
    fn stop_when(&mut self, stop: &Stop) {
        self.stop = stop.clone();
    }
}

/// The contract app on a device with this fault.
fn faulty(fault: Fault) -> Wrapped<Memory> {
    let person = [Event::Click(Target::id("increment"))];
    let inner = SimDevice::new("sim:contract", Contract::default()).person(person);
    let device =
        Wrapped::new(Box::new(inner), Memory::default(), move |memory, inner, call| match call {
            Call::Reset(seed) => memory.reset(fault, inner, seed),
            Call::Perform(event) => memory.perform(fault, inner, event),
        });
    match fault {
        Fault::Powerless => device.with_powers(|_| None),
        Fault::HangsWhenStopped => device.with_powers(|memory| Some(memory)),
        Fault::DoesMoreThanItClaims => {
            device.with_info(|info| info.device_events(DeviceEvents::all() - DeviceEvents::ROTATE))
        }
        Fault::ClaimsMoreThanItDoes => {
            device.with_info(|info| info.environment(["network", "gravity"]))
        }
        _ => device,
    }
}

fn changed(mut seen: Observation, change: impl FnOnce(&mut Screen)) -> Observation {
    change(Arc::make_mut(&mut seen.screen));
    seen
}

impl Memory {
    fn reset(
        &mut self,
        fault: Fault,
        inner: &mut dyn Device,
        seed: u64,
    ) -> Result<Observation, DeviceError> {
        self.resets += 1;
        self.crash = None;
        let seen = match fault {
            Fault::ResetsOnce if self.resets > 1 => inner.perform(&Event::Skip)?,
            Fault::IgnoresSeed => inner.reset(self.resets)?,
            _ => inner.reset(seed)?,
        };
        self.last = Some(seen.clone());
        Ok(seen)
    }

    fn perform(
        &mut self,
        fault: Fault,
        inner: &mut dyn Device,
        event: &Event,
    ) -> Result<Observation, DeviceError> {
        if self.stop.is_set() {
            return Ok(inner.perform(event)?.crashed(Some(Arc::new(Crash::new("it hangs")))));
        }
        if let (Fault::KnowsEverything, Event::Environment(_)) = (fault, event) {
            return inner.perform(&Event::Skip);
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
        let before = self.last.clone();
        if let (Fault::PassesOn, Event::Skip) = (fault, event) {
            inner.perform(&Event::Click(Target::id("increment")))?;
        }
        let mut seen = inner.perform(event)?;
        if fault == Fault::TurnsTwice && *event == Event::Rotate {
            seen = inner.perform(event)?;
        }
        if seen.blocked.is_some() {
            match fault {
                Fault::ActsOnBlocked => {
                    let click = Event::Click(Target::id("increment"));
                    seen.screen = inner.perform(&click)?.screen;
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
        match fault {
            Fault::EndsWhereItLacks if !seen.lacked.is_empty() => {
                seen.crash = Some(Arc::new(Crash::new("no camera")));
            }
            Fault::RepeatsWhatItLacked if seen.lacked.is_empty() => {
                seen.lacked = self.last.take().map(|last| last.lacked).unwrap_or_default();
            }
            Fault::OneFinger if matches!(event, Event::Pinch(..)) => {
                seen.blocked = Some(Blocked::OutOfReach);
            }
            Fault::BlocksKeys if matches!(event, Event::Press(_)) => {
                seen = before.clone().unwrap_or(seen).blocked(Blocked::Other("no such key".into()));
            }
            _ => {}
        }
        self.last = Some(seen.clone());
        Ok(match fault {
            Fault::NotSettled => before.unwrap_or(seen),
            Fault::SeesThrough => changed(seen, |screen| {
                screen.elements.iter_mut().for_each(|e| e.state.remove(State::COVERED));
            }),
            Fault::Unordered => changed(seen, |screen| {
                let last = screen.elements.len() as u32 - 1;
                screen.elements[0].parent = Some(last);
            }),
            _ => seen,
        })
    }
}

/// The clauses that the device with this fault breaks.
fn broken(fault: Fault) -> Vec<&'static str> {
    CONTRACT
        .iter()
        .filter(|(_, clause)| {
            let mut device = faulty(fault);
            catch_unwind(AssertUnwindSafe(|| clause(&mut device))).is_err()
        })
        .map(|(name, _)| *name)
        .collect()
}

#[test]
fn a_sound_device_keeps_the_contract_in_one_go() {
    let mut device = faulty(Fault::None);
    for (_, clause) in CONTRACT {
        clause(&mut device);
    }
}

#[test]
fn a_device_without_device_events_keeps_the_contract() {
    let mut device =
        SimDevice::new("desk", Contract::default()).device_events(DeviceEvents::empty());
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
        (Fault::Powerless, "whatever_is_claimed_is_known"),
        (Fault::DoesMoreThanItClaims, "what_is_not_claimed_is_an_error"),
        (Fault::ClaimsMoreThanItDoes, "whatever_is_claimed_is_known"),
        (Fault::EndsWhereItLacks, "what_the_device_lacks_ends_nothing"),
        (Fault::RepeatsWhatItLacked, "what_the_device_lacks_ends_nothing"),
        (Fault::OneFinger, "a_pinch_is_performed_on_the_screen"),
        (Fault::PassesOn, "what_a_person_does_waits_for_its_turn"),
        (Fault::HangsWhenStopped, "what_was_cut_short_says_nothing_of_the_app"),
        (Fault::BlocksKeys, "an_unknown_key_is_an_error_or_reaches_the_app"),
    ] {
        let broken = broken(fault);
        assert!(broken.contains(&clause), "{fault:?} breaks {broken:?} and not {clause}");
    }
}
