//! How much of each property was judged; traces that say little; a reset that leads elsewhere.

use crate::fake::Fake;
use capuchin::log::{PropertyTally, RunEvent, Wasted};
use capuchin::prelude::*;
use capuchin::trace::{Formula, Limit};
use capuchin::ui::Screen;

/// The end of a check: what it says of properties, and of cases that say little.
fn finished(check: &Check, device: &mut dyn Device) -> (Outcome, Vec<PropertyTally>, Wasted) {
    let mut end = None;
    let outcome = check.run_with(device, &mut |event: &RunEvent| {
        if let RunEvent::CheckFinished { properties, wasted, .. } = event {
            end = Some((properties.clone(), wasted.clone()));
        }
    });
    let (properties, wasted) = end.expect("it came to its end");
    (outcome, properties, wasted)
}

fn tallies(properties: &[PropertyTally]) -> Vec<(&str, u64, u64, u64)> {
    fn tally(one: &PropertyTally) -> (&str, u64, u64, u64) {
        (&one.property, one.judged, one.alive, one.screens)
    }
    properties.iter().map(tally).collect()
}

#[test]
fn a_property_whose_condition_was_never_true_has_not_held() {
    let prop = is_displayed(id("extra")).implies(is_displayed(id("a")));
    let check = Check::new("clicks", click(id("a")).repeat(2..=2))
        .cases(5)
        .invariant("extra is there, so a is", prop);
    let (outcome, properties, _) = finished(&check, &mut Fake::new());
    assert_eq!(tallies(&properties), [("always extra is there, so a is", 15, 0, 0)]);
    assert_eq!(outcome.never_alive, ["always extra is there, so a is"]);
    assert_eq!((outcome.held, outcome.holds()), (5, false), "{outcome}");
}

#[test]
fn how_often_a_property_was_judged_and_on_how_many_screens_is_counted() {
    let shown = is_displayed(id("extra"));
    let generator = (click(id("toggle")) >> assert_that(shown.implies(is_displayed(id("a")))))
        .repeat(2..=2)
        >> (click(id("a")) >> assert_that(is_displayed(id("a"))));
    let check = Check::new("toggles", generator).cases(3);
    let (outcome, properties, wasted) = finished(&check, &mut Fake::new());
    assert_eq!(
        tallies(&properties),
        [
            ("assert isDisplayed(#extra) ==> isDisplayed(#a)", 6, 3, 1),
            ("assert isDisplayed(#a)", 3, 3, 1),
        ]
    );
    assert!(outcome.holds(), "{outcome}");
    assert_eq!((wasted.equal, wasted.blocked), (2, 0), "all three did the same");
}

#[test]
fn an_assertion_that_no_trace_came_to_has_not_held() {
    let unreached = assert_that(is_displayed(id("a"))).when(is_displayed(id("none")));
    let check = Check::new("guarded", click(id("a")) >> unreached).cases(4);
    let (outcome, properties, _) = finished(&check, &mut Fake::new());
    assert_eq!(tallies(&properties), [("assert isDisplayed(#a)", 0, 0, 0)]);
    assert!(!outcome.holds());
    // A single trace says little of what others would have judged.
    assert!(finished(&check.cases(1), &mut Fake::new()).0.holds());
}

#[test]
fn traces_of_which_most_events_were_blocked_are_counted_with_a_reason() {
    let generator = click(id("none")).attempt() >> click(id("off")).attempt() >> click(id("a"));
    let check = Check::new("tries", generator).cases(4);
    let (_, _, wasted) = finished(&check, &mut Fake::new());
    assert_eq!((wasted.blocked, wasted.equal), (4, 3));
    assert!(wasted.blocked_at.starts_with("Click(#none): "), "{wasted:?}");
}

#[test]
fn a_reset_that_leads_to_another_screen_is_said_once() {
    let mut device = capuchin_apps::Wrapped::new(
        Box::new(Fake::new()),
        0,
        |resets: &mut u32, inner: &mut dyn Device, call| {
            let mut observation = call.on(inner)?;
            if call.event().is_none() {
                *resets += 1;
                let mut screen = Screen::clone(&observation.screen);
                screen.elements[0].text = format!("{resets} kept").into();
                observation.screen = screen.into();
            }
            Ok(observation)
        },
    );
    let mut said = Vec::new();
    let _ = Check::new("kept", click(id("crash"))).cases(3).run_with(
        &mut device,
        &mut |event: &RunEvent| {
            if let RunEvent::ResetDiffers { how } = event {
                said.push(how.clone());
            }
        },
    );
    assert_eq!(said, ["\"2 kept\" is there, and \"1 kept\" is not"]);
}

#[test]
fn a_property_of_runs_that_no_case_decided_has_not_held() {
    let extra = || Box::new(Formula::from(is_displayed(id("extra"))));
    let soon = Formula::Eventually(extra(), Some(Limit::Steps(9)));
    let check = |formula| {
        Check::new("clicks", click(id("a")).repeat(2..=2)).cases(4).property("soon", formula)
    };
    let (outcome, properties, _) = finished(&check(soon.clone()), &mut Fake::new());
    assert_eq!((outcome.held, outcome.undecided, outcome.violated), (0, 4, 0), "{outcome}");
    assert_eq!(outcome.never_decided, ["property soon"]);
    assert_eq!((properties[0].undecided, outcome.holds()), (4, false));
    // What it denies is not decided either: the limit is not over.
    let (outcome, ..) = finished(&check(Formula::Not(Box::new(soon))), &mut Fake::new());
    assert_eq!((outcome.undecided, outcome.holds()), (4, false));
    let shorter = Formula::Eventually(extra(), Some(Limit::Steps(1)));
    let (outcome, ..) = finished(&check(shorter), &mut Fake::new());
    assert_eq!((outcome.violated, outcome.failures[0].steps.len()), (4, 1), "{outcome}");
}

#[test]
fn a_limit_in_time_needs_a_device_that_tells_the_time() {
    let extra = Formula::from(is_displayed(id("extra")));
    let soon = Formula::Eventually(Box::new(extra), Some(Limit::Millis(100)));
    let check = Check::new("clicks", click(id("a"))).property("soon", soon);
    let error = check.run(&mut Fake::new()).expect_err("it is refused");
    assert!(error.is_request() && error.to_string().contains("own time"), "{error}");
}
