//! Explorations of apps that cannot be begun with, and on devices that are lost on the way.

use crate::run::{Make, POLICIES, Request, plan};
use capuchin::log::RunEvent;
use capuchin::prelude::{id, is_displayed};
use capuchin::ui::{Device, DeviceError, Stop};
use capuchin::{Always, Config, Monitors, Outcome};
use capuchin_apps::Wrapped;
use capuchin_explore::{AbstractionKind, Inputs};
use capuchin_mission::Fleet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A device that is lost at some of its events: by the number of the event since the first was
/// opened.
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

/// What was found, after how many events and starts, and how often another device was opened.
fn explore(
    make: Make,
    app: &'static str,
    monitors: Vec<Arc<dyn Monitors>>,
    is_lost_at: fn(u32) -> bool,
) -> (Outcome, (u64, u64), u32) {
    let performed: Arc<AtomicU32> = Arc::default();
    let open = || frail(app, &performed, is_lost_at);
    let opened = AtomicU32::new(0);
    let reopen = |_: &Stop| {
        opened.fetch_add(1, Ordering::Relaxed);
        Ok(open())
    };
    let (kind, inputs) = (AbstractionKind::ADAPTIVE, Inputs::default());
    let mut plan =
        plan(make, &Request { kind, inputs, seed: 1, events: 300, restarts: u32::MAX - 1 });
    let usual = Config::default();
    (plan.config.shrink_budget, plan.config.confirmations) =
        (usual.shrink_budget, usual.confirmations);
    plan.monitors = monitors;
    let mut last = (0, 0);
    let mut observer = |event: &RunEvent| {
        if let RunEvent::Explored(point) = event {
            last = (point.events, point.restarts);
        }
    };
    let outcome = Fleet::new(vec![open()], &reopen).run(&plan, 1, &mut observer);
    (outcome, last, opened.into_inner())
}

#[test]
fn an_app_whose_first_screen_is_wrong_is_given_up() {
    let always: Arc<dyn Monitors> = Arc::new(Always::new(None, is_displayed(id("nowhere"))));
    for (policy, make) in POLICIES {
        let (outcome, (events, restarts), _) =
            explore(make, "shop", vec![Arc::clone(&always)], |_| false);
        assert_eq!((outcome.failures.len(), events), (1, 0), "{policy}");
        assert!(restarts < 20, "{policy}: {restarts}");
    }
}

#[test]
fn a_device_that_is_lost_is_replaced_and_the_exploration_goes_on() {
    for (policy, make) in POLICIES {
        let (outcome, (events, _), opened) =
            explore(make, "notes", Vec::new(), |event| event % 100 == 99);
        assert!(outcome.device_error.is_none(), "{policy}: {:?}", outcome.device_error);
        assert_eq!((events, opened), (300, 3), "{policy}");
    }
}

#[test]
fn a_device_that_is_lost_while_a_failure_is_shrunk_is_replaced_too() {
    // Only the exploration performs fewer events than that before the crash.
    let lost_once = |event: u32| event == 160;
    let lost_for_good = |event: u32| (160..600).contains(&event);
    for (is_lost_at, is_shrunk) in [(lost_once as fn(u32) -> bool, true), (lost_for_good, false)] {
        let (outcome, (events, _), opened) = explore(POLICIES[3].1, "shop", Vec::new(), is_lost_at);
        assert!(outcome.device_error.is_none(), "{:?}", outcome.device_error);
        assert!(events == 300 && opened >= 1, "{events} {opened}");
        let failure = &outcome.failures[0];
        assert!(failure.found_steps < 160, "{failure:?}");
        assert_eq!(failure.shrink_finished, is_shrunk, "{failure:?}");
    }
}
