//! Explorations of apps that cannot be begun with, and on devices that are lost on the way.

use crate::run::{Make, POLICIES};
use capuchin::prelude::{id, is_displayed};
use capuchin::trace::Gen;
use capuchin::ui::{Device, DeviceError};
use capuchin::{Config, Invariant, Outcome, Plan, RunEvent};
use capuchin_apps::Wrapped;
use capuchin_explore::{Explorer, Inputs, Kind, Limits, Progress};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A device that is lost at some of its events: by the number of the event since the first was opened.
fn frail(app: &str, performed: &Arc<AtomicU32>, is_lost_at: fn(u32) -> bool) -> Box<dyn Device> {
    let (inner, performed) = (capuchin_apps::open(app).unwrap(), Arc::clone(performed));
    Box::new(Wrapped::new(inner, false, move |is_lost, inner, call| {
        *is_lost |= call.event().is_some() && is_lost_at(performed.fetch_add(1, Ordering::Relaxed));
        if *is_lost && call.event().is_some() {
            return Err(DeviceError::Lost { device: "sim".into(), reason: "dropped".into() });
        }
        call.on(inner)
    }))
}

fn explore(
    make: Make,
    app: &'static str,
    invariants: Vec<Invariant>,
    is_lost_at: fn(u32) -> bool,
) -> (Outcome, Progress, u32) {
    let performed: Arc<AtomicU32> = Arc::default();
    let open = || frail(app, &performed, is_lost_at);
    let opened = AtomicU32::new(0);
    let reopen = || {
        opened.fetch_add(1, Ordering::Relaxed);
        Ok(open())
    };
    let mut plan = Plan::new("explore", Gen::Unit, Config::default());
    plan.invariants = invariants;
    let limits = Limits { events: Some(300), restarts: None };
    let mut explorer = Explorer::new(make(), Kind::Adaptive, Inputs::default(), 1);
    let (observer, mut watcher) = (&mut |_: &RunEvent| {}, |_: &_, _: &_| {});
    let outcome = explorer.explore(&plan, limits, &mut open(), &reopen, observer, &mut watcher);
    (outcome, explorer.progress(), opened.into_inner())
}

#[test]
fn an_app_whose_first_screen_is_wrong_is_given_up() {
    let always = Invariant { label: None, prop: is_displayed(id("nowhere")) };
    for (policy, make) in POLICIES {
        let (outcome, progress, _) = explore(make, "shop", vec![always.clone()], |_| false);
        assert_eq!((outcome.failures.len(), progress.events), (1, 0), "{policy}");
        assert!(progress.restarts < 20, "{policy}: {progress:?}");
    }
}

#[test]
fn a_device_that_is_lost_is_replaced_and_the_exploration_goes_on() {
    for (policy, make) in POLICIES {
        let (outcome, progress, opened) =
            explore(make, "notes", Vec::new(), |event| event % 100 == 99);
        assert!(outcome.device_error.is_none(), "{policy}: {:?}", outcome.device_error);
        assert_eq!((progress.events, opened), (300, 3), "{policy}");
    }
}

#[test]
fn a_device_that_is_lost_over_making_a_failure_small_is_replaced_too() {
    // Only the exploration performs fewer events than that before the crash.
    let (outcome, progress, opened) =
        explore(POLICIES[3].1, "shop", Vec::new(), |event| event == 160);
    assert!(outcome.device_error.is_none(), "{:?}", outcome.device_error);
    assert_eq!((progress.events, opened), (300, 1));
    let failure = &outcome.failures[0];
    assert!(!failure.shrink_finished && failure.found_steps < 160, "{failure:?}");
}
