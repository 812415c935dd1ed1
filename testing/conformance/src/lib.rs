//! The Device contract as one test suite that every driver runs.
//!
//! A driver's author writes *the contract app* for the platform, and one line of test:
//!
//! ```
//! capuchin_conformance::device_contract!(|| capuchin_apps::open("contract").expect("it is there"));
//! ```
//!
//! That makes a module of tests, each of which opens a device and calls one function of [`suite`].
//! [`CONTRACT`] is the same suite as a table, for a driver whose devices are slow to open and that
//! wants to run all of it on one device.
//!
//! # The contract app
//!
//! Everything is on one screen and within the viewport, upright and turned (360 by 640 pixels must
//! be enough), unless it says otherwise here. Ids are the platform's own ids.
//!
//! | element | what it is and does |
//! |---|---|
//! | `#title` | a heading, "Contract" |
//! | `#increment` | a button, "Increment": adds one to the count; a double click on it is two clicks |
//! | `#count` | a label: the count, "0" at first |
//! | `#name` | an empty field with the hint "Name" |
//! | `#echo` | a label: what is in `#name` |
//! | `#disabled` | a button, "Disabled", that is greyed out |
//! | `#hidden` | a button that is not displayed; it may be missing from the screen altogether if the platform does not tell |
//! | `#outside` | a button that is displayed outside of the viewport, where nobody can scroll to |
//! | `#behind` | a button, "Behind": adds one to the count |
//! | `#cover` | a button, "Cover": puts a veil over `#behind` |
//! | `#uncover` | a button, "Uncover", which is there as long as the veil is and takes it away; not under the veil |
//! | `#crash` | a button, "Crash": the app crashes |
//! | `#slow` | a button, "Slow": starts work that takes 300 ms and that nobody waits for |
//! | `#status` | a label: "idle" at first, "busy" while the work is going on, then "done" |
//! | `#tick` | a checkbox, "Tick", not ticked at first |
//! | `#list` | a list that scrolls, of 100 items that say "Item 1" to "Item 100"; about ten are in view |
//! | `#dialog` | a button, "Dialog": opens a modal dialog with a button `#ok`, "OK", that closes it |
//! | `#orientation` | a label: "portrait" or "landscape" |
//! | `#random` | a label: a number below a million, drawn at the start from the seed of the reset |
//! | `#hold` | a button, "Hold": a long press adds ten to the count, a short one nothing |
//! | `#pressed` | a label: the name of the key that was last pressed, empty at first |
//! | `#network` | a label: "online" at first, "offline" after the environment event `network("off")` |
//! | `#lacking` | a button, "Lacking": asks for something that the device does not have, and makes do without; missing if the device never says so |
//! | `#resumed` | a label: how often the app was brought back after Home, "0" at first |
//!
//! The app answers the predicate `countIs(n)`: whether the count is `n`.
//!
//! # What is asked for
//!
//! What a device does not claim in its [`DeviceInfo`](capuchin_ui::DeviceInfo) is not asked for:
//! one that claims neither `Rotate` nor `countIs` nor `network` keeps the contract without them, as
//! long as it answers each with the error that the contract says. What it claims it must do.
//! Scripts are given to a device when it is opened, so a driver tests them on its own.
//!
//! A device that has a recorder is opened with somebody at it, a person or a program, who clicks
//! `#increment` once after every reset, and then ends.
//!
//! Nothing changes where the pointer only passes over it.
//!
//! Home, Menu, Settings and Rotate leave the count and the field as they are. Back leaves the app,
//! and the device brings it back.
//!
//! # What the suite cannot see
//!
//! Wildcards never reach a device: the executor fills them in. A device that is lost is a
//! [`DeviceError`](capuchin_ui::DeviceError), which a driver tests on its own.

mod shorthands;
pub mod suite;

use capuchin_ui::Device;

/// One clause of the contract: its name and its test.
pub type Clause = (&'static str, fn(&mut dyn Device));

#[doc(hidden)]
#[macro_export]
macro_rules! for_every_clause {
    ($then:ident!($($with:tt)*)) => {
        $crate::$then! {
            [$($with)*]
            info_is_stable
            reset_gives_the_initial_screen
            reset_undoes_everything
            the_seed_is_the_only_chance
            an_event_is_seen_at_once
            a_click_at_a_point_goes_to_what_is_there
            a_click_on_a_label_changes_nothing
            an_absent_element_is_blocked
            a_hidden_element_is_blocked
            a_disabled_element_is_blocked
            a_covered_element_is_blocked
            an_element_outside_is_blocked
            a_point_outside_is_blocked
            what_is_typed_is_appended
            typing_into_a_label_is_blocked
            clearing_empties_a_field
            a_double_click_is_two_clicks
            hovering_changes_nothing
            a_tick_is_set_and_taken_away
            a_dialog_covers_everything_else
            a_list_scrolls_to_its_end_and_back
            a_swipe_to_a_point_moves_as_far
            a_swipe_to_an_element_goes_to_its_middle
            a_long_press_is_not_a_short_one
            a_key_reaches_the_app
            an_unknown_key_is_an_error_or_reaches_the_app
            a_predicate_is_answered_from_the_live_app
            an_unknown_predicate_is_an_error
            a_known_environment_event_reaches_the_app
            whatever_is_claimed_is_known
            what_is_not_claimed_is_an_error
            what_the_device_lacks_ends_nothing
            what_a_person_does_waits_for_its_turn
            what_was_cut_short_says_nothing_of_the_app
            a_crash_is_seen_at_once_and_stays
            roles_and_texts_are_right
            elements_are_in_order_and_on_the_screen
            every_element_is_found_by_its_name
            rotation_turns_the_screen_and_turns_it_back
            a_pinch_is_performed_on_the_screen
            interrupts_come_back_to_the_app
            back_comes_back_to_the_app
            sleep_lets_time_pass
            skip_is_nothing
            the_same_events_give_the_same_observations
            an_unknown_environment_event_is_an_error
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! clause_table {
    ([] $($name:ident)*) => {
        /// The whole contract, clause by clause.
        pub const CONTRACT: &[Clause] = &[$((stringify!($name), suite::$name)),*];
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! clause_tests {
    ([$open:expr] $($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                let mut device = ($open)();
                $crate::suite::$name(&mut device);
            }
        )*
    };
}

for_every_clause!(clause_table!());

/// The contract as a module of tests. The argument is a function that opens a device with the
/// contract app on it.
#[macro_export]
macro_rules! device_contract {
    ($open:expr) => {
        mod device_contract {
            #[allow(unused_imports)]
            use super::*;
            $crate::for_every_clause!(clause_tests!($open));
        }
    };
}
