//! Explorations of apps that cannot be begun with, and on devices that are lost on the way.

use crate::run::{Make, POLICIES};
use capuchin::prelude::{id, is_displayed};
use capuchin::trace::Gen;
use capuchin::ui::{Device, DeviceError, DeviceInfo, Event, Observation};
use capuchin::{Config, Invariant, Outcome, Plan, RunEvent};
use capuchin_explore::{AbstractionKind, Explorer, Inputs, Limits, Progress};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A device that is lost at some of its events: by the number of the event since the first was opened.
struct Frail {
    inner: Box<dyn Device>,
    performed: Arc<AtomicU32>,
    is_lost_at: fn(u32) -> bool,
    is_lost: bool,
}

impl Device for Frail {
    fn info(&self) -> &DeviceInfo {
        self.inner.info()
    }

    fn reset(&mut self, seed: u64) -> Result<Observation, DeviceError> {
        self.inner.reset(seed)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.is_lost |= (self.is_lost_at)(self.performed.fetch_add(1, Ordering::Relaxed));
        if self.is_lost {
            return Err(DeviceError::Lost { device: "sim".into(), reason: "dropped".into() });
        }
        self.inner.perform(event)
    }
}

fn explore(
    make: Make,
    app: &'static str,
    invariants: Vec<Invariant>,
    is_lost_at: fn(u32) -> bool,
) -> (Outcome, Progress, u32) {
    let performed: Arc<AtomicU32> = Arc::default();
    let open = || -> Box<dyn Device> {
        let inner = capuchin_apps::open(app).unwrap();
        Box::new(Frail { inner, performed: Arc::clone(&performed), is_lost_at, is_lost: false })
    };
    let opened = AtomicU32::new(0);
    let reopen = || {
        opened.fetch_add(1, Ordering::Relaxed);
        Ok(open())
    };
    let mut plan = Plan::new("explore", Gen::Unit, Config::default());
    plan.invariants = invariants;
    let limits = Limits { events: Some(300), restarts: None };
    let mut explorer = Explorer::new(make(), AbstractionKind::ADAPTIVE, Inputs::default(), 1);
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
