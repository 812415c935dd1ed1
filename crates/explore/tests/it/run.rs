//! What the tests have in common: the four policies, and an exploration with one of them.

use capuchin::cases::Tally;
use capuchin::log::RunEvent;
use capuchin::steering::{Pilot, PilotPool};
use capuchin::trace::prelude::auto;
use capuchin::ui::{Device, Event};
use capuchin::{Config, Exploration, Plan, Probe};
use capuchin_apps::Wrapped;
use capuchin_explore::{
    AbstractionKind, CapuchinPolicy, Explorer, Explorers, Inputs, Knowledge, LStarPolicy, Models,
    Policy, Random, SwiftHand,
};
use std::any::Any;
use std::cell::RefCell;
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

/// What is explored, and how far.
pub(crate) struct Request {
    pub(crate) kind: AbstractionKind,
    pub(crate) inputs: Inputs,
    pub(crate) seed: u64,
    pub(crate) events: u64,
    pub(crate) restarts: u32,
}

/// How far an exploration is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Effort {
    pub(crate) events: u64,
    pub(crate) restarts: u64,
    pub(crate) states: Option<usize>,
    /// Whether nothing new was left to try.
    pub(crate) is_done: bool,
}

/// An exploration with this policy. Failures are not shrunk.
pub(crate) fn plan(
    make: impl Fn() -> Box<dyn Policy> + Send + Sync + 'static,
    request: &Request,
) -> Plan {
    let mut config = Config::default();
    (config.shrink_budget, config.confirmations) = (0, 0);
    (config.seed, config.events) = (request.seed, Some(request.events));
    let generator = auto("random", u32::MAX);
    let mut explorers = Explorers::default();
    explorers.policies.add("random", "the one that is tested", move |_| make());
    explorers.models = Models::of_exploration(&generator, &request.kind);
    (explorers.inputs, explorers.may_restart) = (request.inputs.clone(), true);
    let mut plan = Plan::exploration("explore", generator, Exploration::default(), config);
    plan.config.cases = request.restarts.saturating_add(1);
    plan.pilots = PilotPool::new(Arc::new(explorers));
    plan
}

/// Explores until `is_enough`, or so many events were performed, or so many restarts made, or
/// nothing is left to try. At the end, `finally` sees what is known.
pub(crate) fn explore_to_the_end(
    make: impl Fn() -> Box<dyn Policy> + Send + Sync + 'static,
    request: &Request,
    mut device: Box<dyn Device>,
    is_enough: impl FnMut(&Effort, &Knowledge) -> bool,
    finally: impl FnOnce(&Effort, &Knowledge),
) -> Effort {
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut plan = plan(make, request);
    plan.config.interrupt = Some(Arc::clone(&interrupt));
    let effort = RefCell::new(Effort::default());
    let state = RefCell::new((is_enough, None));
    let on_move = |pilot: &dyn Pilot, _: &mut Probe<'_>| {
        let mut now = effort.borrow_mut();
        now.events = plan.budget.taken();
        now.states = pilot.progress().and_then(|progress| progress.states);
        let (is_enough, end) = &mut *state.borrow_mut();
        if end.is_none() && is_enough(&now, known(pilot)) {
            *end = Some(*now);
            interrupt.store(true, Ordering::Relaxed);
        }
    };
    let mut observer = |_: &RunEvent| {};
    let mut tally = Tally::begin(&plan, 1, &mut observer);
    for index in 0..plan.config.cases {
        if tally.is_over() {
            break;
        }
        effort.borrow_mut().restarts = index.into();
        let (report, _) = plan.case(index, device.as_mut(), Some(&on_move)).unwrap();
        if tally.case(&report) {
            tally.examined(&report, Ok(None));
        }
    }
    let mut last = state.borrow().1.unwrap_or(*effort.borrow());
    last.is_done = plan.pilots.is_done();
    let mut finally = Some(finally);
    plan.pilots.find(|pilot| finally.take().map(|finally| finally(&last, known(pilot))));
    last
}

/// The same, when nobody wants to see the end.
pub(crate) fn explore(
    make: impl Fn() -> Box<dyn Policy> + Send + Sync + 'static,
    request: &Request,
    device: Box<dyn Device>,
    is_enough: impl FnMut(&Effort, &Knowledge) -> bool,
) -> Effort {
    explore_to_the_end(make, request, device, is_enough, |_, _| {})
}

fn known(pilot: &dyn Pilot) -> &Knowledge {
    let pilot: &dyn Any = pilot;
    pilot.downcast_ref::<Explorer>().expect("it is one of ours").knowledge()
}

/// What a device was told; nothing is a reset.
pub(crate) type Told = Arc<Mutex<Vec<Option<Event>>>>;

/// A device that keeps a list of what it was told.
pub(crate) fn recorder(inner: Box<dyn Device>, told: &Told) -> Box<dyn Device> {
    let told = Told::clone(told);
    Box::new(Wrapped::new(inner, (), move |(), inner, call| {
        told.lock().unwrap().push(call.event().cloned());
        call.on(inner)
    }))
}
