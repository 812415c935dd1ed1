//! What the tests have in common: the four policies, and a run of one of them.

use capuchin::trace::Gen;
use capuchin::ui::{Device, DeviceError, Event};
use capuchin::{Config, Plan, RunEvent};
use capuchin_apps::Wrapped;
use capuchin_explore::{
    AbstractionKind, CapuchinPolicy, Explorer, Inputs, Knowledge, LStarPolicy, Limits, Policy,
    Progress, Random, SwiftHand,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

pub(crate) type Make = fn() -> Box<dyn Policy>;

/// The policies, with the paper's price of a restart.
pub(crate) const POLICIES: [(&str, Make); 4] = [
    ("random", || Box::new(Random::default())),
    ("lstar", || Box::new(LStarPolicy::default())),
    ("swifthand", || Box::new(SwiftHand::default())),
    ("capuchin", || Box::new(CapuchinPolicy::new(6.0))),
];

/// Explores until `is_enough`, or so many events were performed, or so many restarts made, or nothing is
/// left to try. Failures are not made smaller.
pub(crate) fn explore(
    explorer: &mut Explorer,
    device: Box<dyn Device>,
    limits: Limits,
    mut is_enough: impl FnMut(&Progress, &Knowledge) -> bool,
) -> Progress {
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut config = Config::default();
    (config.shrink_budget, config.confirmations) = (0, 0);
    config.interrupt = Some(Arc::clone(&interrupt));
    let plan = Plan::new("explore", Gen::Unit, config);
    let (mut device, mut end) = (device, None);
    let mut watch = |progress: &Progress, known: &Knowledge| {
        if end.is_none() && is_enough(progress, known) {
            end = Some(*progress);
            interrupt.store(true, Ordering::Relaxed);
        }
    };
    let reopen = || {
        let reason = "a simulated device is never lost".into();
        Err(DeviceError::Start { device: "sim".into(), reason })
    };
    let observer = &mut |_: &RunEvent| {};
    let _ = explorer.explore(&plan, limits, &mut device, &reopen, observer, &mut watch);
    end.unwrap_or_else(|| explorer.progress())
}

/// A policy that has seen nothing yet.
pub(crate) fn explorer(
    policy: Box<dyn Policy>,
    kind: AbstractionKind,
    inputs: Inputs,
    seed: u64,
) -> Explorer {
    Explorer::new(policy, kind, inputs, seed)
}

/// So many events, and restarts without end but for this many.
pub(crate) fn limits(events: u64, restarts: u64) -> Limits {
    Limits { events: Some(events), restarts: Some(restarts) }
}

/// What a device was told; nothing is a reset.
pub(crate) type Told = Arc<Mutex<Vec<Option<Event>>>>;

/// A device that keeps a list of what it was told.
pub(crate) fn recorder(inner: Box<dyn Device>, told: Told) -> impl Device {
    Wrapped::new(inner, told, |told, inner, call| {
        told.lock().unwrap().push(call.event().cloned());
        call.on(inner)
    })
}
