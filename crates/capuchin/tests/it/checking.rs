//! The loop over the cases: distinct failures, smallest traces, flaky ones, devices that fail.

use crate::fake::{Fake, click_on};
use capuchin::cases::Spent;
use capuchin::log::{RunEvent, VerdictKind};
use capuchin::prelude::*;
use capuchin::{Config, Plan};

fn clicks() -> Gen {
    (click(any(Selector::role(Role::Button))) | rotate()).repeat(0..=20)
}

#[test]
fn distinct_failures_are_told_apart_and_made_small() {
    let outcome = Check::new("clicks", clicks()).run(&mut Fake::new()).unwrap();
    let mut minimal: Vec<&str> = outcome.failures.iter().map(|f| f.minimal.as_str()).collect();
    minimal.sort_unstable();
    // Whatever follows the late button, its crash is one crash; a turn is no simpler than a click.
    assert_eq!(minimal.len(), 2, "{outcome}");
    assert_eq!(minimal[0], "Click(#crash)");
    assert!(minimal[1].starts_with("Click(#late) :>> "), "{outcome}");
    assert!(outcome.failures.iter().all(|f| f.kind == VerdictKind::Crashed && !f.is_flaky()));
    assert!(outcome.violated > 2);
}

#[test]
fn a_failed_assertion_keeps_its_script() {
    let script = Gen::from(click_on("a"))
        >> Gen::Interrupts(3)
        >> click(id("toggle"))
        >> (click(id("b")) | click(id("toggle"))).repeat(0..=6)
        >> assert_that(is_displayed(id("extra")));
    let outcome = Check::new("script", script).run(&mut Fake::new()).unwrap();
    let [failure] = outcome.failures.as_slice() else { panic!("{outcome}") };
    assert_eq!(
        failure.minimal,
        "Click(#a) :>> Click(#toggle) :>> Click(#toggle) :>> assert isDisplayed(#extra)"
    );
}

#[test]
fn an_invariant_is_made_small_whatever_the_script_says() {
    let script = click(id("a")) >> click(id("b")) >> click(id("toggle")) >> click(id("a"));
    let outcome = Check::new("script", script)
        .always("no extra", |screen| screen.count(&id("extra")) == 0)
        .run(&mut Fake::new())
        .unwrap();
    assert_eq!(outcome.failures[0].after(), "Click(#toggle)");
    assert_eq!(outcome.failures[0].summary, "Failed always no extra");
    let message = std::panic::catch_unwind(|| outcome.assert()).unwrap_err();
    let message = message.downcast_ref::<String>().unwrap();
    assert!(message.contains("[1] Failed always no extra after: Click(#toggle)"), "{message}");
}

#[test]
fn an_always_inside_a_script_keeps_its_script() {
    // Before the script has shown it, what always holds does not hold: only its scope counts.
    let scoped =
        (click(id("b")) >> click(id("toggle")) >> click(id("a"))).always(is_displayed(id("extra")));
    let script = click(id("a")) >> click(id("toggle")) >> rotate().repeat(0..=3) >> scoped;
    let outcome = Check::new("scoped", script).run(&mut Fake::new()).unwrap();
    assert_eq!(
        outcome.failures[0].minimal,
        "Click(#a) :>> Click(#toggle) :>> { { Click(#b) :>> Click(#toggle) } always \
         isDisplayed(#extra) }"
    );
    assert!(!outcome.failures[0].is_flaky(), "it runs as it stands");
}

#[test]
fn a_property_that_never_held_is_not_one_that_was_lost() {
    // The script may begin where the property does not hold yet; that must not hide the loss.
    let script = (click(id("b")) | click(id("toggle"))).repeat(0..=3)
        >> click(id("toggle")).preserves(is_displayed(id("extra")));
    let outcome = Check::new("lost", script).run(&mut Fake::new()).unwrap();
    let mut found: Vec<&str> = outcome.failures.iter().map(|f| f.minimal.as_str()).collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "Click(#toggle) :>> assert isDisplayed(#extra) :>> Click(#toggle) :>> assert \
             isDisplayed(#extra)",
            "assert isDisplayed(#extra)",
        ]
    );
    assert!(outcome.failures.iter().all(|failure| !failure.is_flaky()));
}

#[test]
fn a_crash_is_freed_from_its_script_even_where_steps_need_one_another() {
    // Nothing can be clicked on `extra` before it is shown: neither can go alone.
    let script = click(id("a"))
        >> click(id("toggle"))
        >> click(id("extra"))
        >> click(id("toggle"))
        >> click(id("crash"));
    let outcome = Check::new("crash", script).run(&mut Fake::new()).unwrap();
    assert_eq!(outcome.failures[0].minimal, "Click(#crash)");
}

#[test]
fn what_does_not_hold_on_entering_does_not_hide_what_is_lost_inside() {
    let inside =
        (click(id("toggle")) | click(id("a"))).repeat(0..=4).always(is_displayed(id("extra")));
    let script = click(id("toggle")).optional() >> inside;
    let outcome = Check::new("entering", script).run(&mut Fake::new()).unwrap();
    let mut found: Vec<&str> = outcome.failures.iter().map(|f| f.minimal.as_str()).collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "Click(#toggle) :>> { Click(#toggle) always isDisplayed(#extra) }",
            "• always isDisplayed(#extra)",
        ]
    );
}

#[test]
fn one_failure_whatever_was_remembered_and_made_small() {
    // `b` counts nothing: what follows it finds as many clicks as before, however many those were.
    let counted = |step: Gen| {
        remember("n", Expr::NumberOf(id("count")))
            >> step
            >> assert_that(equal(Expr::NumberOf(id("count")), remembered("n") + Expr::Number(1.0)))
    };
    let steps = (counted(click(id("a"))) | counted(click(id("b"))) | rotate()).repeat(0..=12);
    let outcome = Check::new("counted", click(id("a")) >> steps).run(&mut Fake::new()).unwrap();
    let [failure] = outcome.failures.as_slice() else { panic!("{outcome}") };
    assert_eq!(failure.summary, "Failed assert number(#count) == n + 1");
    assert_eq!(
        failure.minimal, "Click(#a) :>> Click(#b) :>> assert number(#count) == 1 + 1",
        "with what was remembered in the smallest trace"
    );
    assert!(!failure.is_flaky(), "it runs as it stands");
}

#[test]
fn blocked_by_the_same_event_is_one_failure_whatever_was_typed() {
    let outcome = Check::new("typing", type_text(id("none"), matching("[a-z]{2,6}")))
        .run(&mut Fake::new())
        .unwrap();
    assert_eq!(outcome.failures.len(), 1, "{outcome}");
    assert_eq!(outcome.failures[0].minimal, "Type(#none, \"aa\")");
    assert_eq!(outcome.violated, 200);
}

#[test]
fn a_failure_that_comes_and_goes_is_called_flaky() {
    let mut device = Fake::new();
    device.flaky = true;
    let outcome = Check::new("flaky", click(id("crash")))
        .config(|config| config.shrink_budget = 0)
        .run(&mut device)
        .unwrap();
    assert!(outcome.failures[0].is_flaky());
    assert!(!outcome.failures[0].shrink_finished);
}

#[test]
fn a_failure_that_never_comes_again_is_not_shrunk_and_decides_nothing_alone() {
    let check = Check::new("once", click(id("crash")) >> click(id("a"))).cases(10);
    let forgiving = check.clone().config(|config| config.fail_on_flaky = false);
    let mut device = Fake::new();
    device.once = true;
    let outcome = forgiving.run(&mut device).unwrap();
    let failure = &outcome.failures[0];
    assert!(failure.not_reproduced, "{failure:?}");
    assert_eq!((failure.same, failure.again, failure.shrink_runs), (0, 3, 0));
    assert_eq!((outcome.held, outcome.violated, outcome.not_reproduced), (9, 1, 1));
    assert!(outcome.holds(), "{outcome}");
    assert_eq!(device.resets, 10 + 3, "three reruns, and nothing else");
    // A Rust test has nowhere else to say so.
    let mut device = Fake::new();
    device.once = true;
    assert!(!check.run(&mut device).unwrap().holds());
}

#[test]
fn a_failure_that_comes_again_in_another_case_decides_whatever_the_reruns_say() {
    // Every second run crashes, but all reruns are in between.
    let mut device = Fake::new();
    device.flaky = true;
    let outcome = Check::new("odd", click(id("crash")))
        .config(|config| (config.fail_on_flaky, config.reproductions) = (false, 1))
        .run(&mut device)
        .unwrap();
    assert!(outcome.failures[0].not_reproduced, "{:?}", outcome.failures);
    assert!(outcome.violated > 1 && outcome.not_reproduced == 0 && !outcome.holds());
}

#[test]
fn shrinking_that_has_no_time_goes_on_where_it_was() {
    let plan = Plan::new("clicks", clicks(), Config::default());
    let mut device = Fake::new();
    let failing = (0..).find_map(|index| {
        let (_, evidence) = plan.case(index, &mut device, None).unwrap();
        evidence.filter(|evidence| evidence.execution.executed.len() > 3)
    });
    let evidence = failing.unwrap();
    let whole = plan.examine(&evidence, &mut device).unwrap();
    assert!(whole.failure.shrink_finished && whole.rest.is_none());
    plan.budget.set(Spent::Shrinking, true);
    let begun = plan.examine(&evidence, &mut device).unwrap();
    assert_eq!(begun.failure.steps.len(), evidence.execution.executed.len());
    assert!(!begun.failure.shrink_finished);
    plan.budget.set(Spent::Shrinking, false);
    let done = plan.examine(&begun.rest.unwrap(), &mut device).unwrap();
    assert!(done.rest.is_none());
    assert_eq!(done.failure, whole.failure);
}

#[test]
fn stopping_at_the_first_failure_stops() {
    let check = Check::new("clicks", clicks()).config(|config| config.stop_at_first = true);
    let outcome = check.run(&mut Fake::new()).unwrap();
    assert_eq!(outcome.failures.len(), 1);
    assert!(outcome.held + outcome.violated < 200);
}

#[test]
fn a_lost_device_is_an_error_and_what_was_found_is_kept() {
    let mut device = Fake::new();
    device.lost_after = Some(0);
    assert!(Check::new("clicks", clicks()).run(&mut device).is_err());

    let mut device = Fake::new();
    device.lost_after = Some(1);
    let mut events = Vec::new();
    let outcome = Check::new("crash", click(id("crash")))
        .run_with(&mut device, &mut |event: &RunEvent| events.push(event.clone()));
    assert!(outcome.device_error.is_some());
    assert_eq!(outcome.failures[0].minimal, "Click(#crash)", "kept as it was found");
    assert!(matches!(events.last(), Some(RunEvent::CheckFinished { violated: 1, .. })));
}

#[test]
fn the_same_seed_gives_the_same_events() {
    let events = |seed| {
        let mut events = Vec::new();
        let check = Check::new("clicks", clicks()).seed(seed).cases(50);
        let _ =
            check.run_with(&mut Fake::new(), &mut |event: &RunEvent| events.push(event.clone()));
        events
    };
    assert_eq!(events(3), events(3));
    assert_ne!(events(3), events(4));
}

#[test]
fn nothing_checked_is_not_held() {
    let outcome = Check::new("none", Gen::Unit).cases(0).run(&mut Fake::new()).unwrap();
    assert!(!outcome.holds());
}
