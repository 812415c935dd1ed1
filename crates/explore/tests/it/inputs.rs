//! Inputs of several events, and screens that are told apart by outputs.

use crate::run::{POLICIES, Request, explore_to_the_end, plan};
use capuchin::Check;
use capuchin::log::RunEvent;
use capuchin::steering::{NamedTrace, PilotPool};
use capuchin::trace::Trace;
use capuchin::trace::prelude::*;
use capuchin::ui::{Crash, Event, Stop};
use capuchin_explore::{AbstractionKind, Explorers, Inputs, Models};
use capuchin_mission::Fleet;
use capuchin_sim::{App, Input, Os, Page, SimDevice};
use std::sync::Arc;

/// A drawer whose entry goes away with any click but one on it. The third opening crashes.
#[derive(Clone, Default)]
struct Drawer {
    open: bool,
    entries: u32,
}

impl App for Drawer {
    fn view(&self, page: &mut Page<'_>) {
        page.button("drawer", "Drawer");
        page.label("entries", format!("{} entries", self.entries));
        if self.open {
            page.button("entry", "Entry");
        }
    }

    fn handle(&mut self, input: Input<'_>, _: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Click("drawer") => self.open = !self.open,
            Input::Click("entry") => {
                self.entries += 1;
                self.open = false;
            }
            _ => {}
        }
        if self.entries == 3 { Err(Crash::new("full")) } else { Ok(()) }
    }
}

fn drawer() -> Box<dyn capuchin::ui::Device> {
    Box::new(SimDevice::new("sim:drawer", Drawer::default()))
}

fn take_an_entry() -> NamedTrace {
    let events = ["drawer", "entry"].map(|name| Event::Click(id(name).into()));
    let trace = Trace::seq(events.map(Trace::from));
    let closed = !is_displayed(id("entry"));
    NamedTrace { name: "take an entry".into(), trace: Trace::Then(closed, Box::new(trace)) }
}

fn inputs() -> Inputs {
    let mut inputs = Inputs::of_elements();
    inputs.named.push(take_an_entry());
    inputs
}

#[test]
fn an_input_of_several_events_is_chosen_learned_and_shrunk_like_any() {
    let mut explorers = Explorers::default();
    explorers.inputs = inputs();
    let check = Check::new("drawer", auto("capuchin", 30)).cases(10).pilots(explorers);
    let outcome = check.run(drawer().as_mut()).unwrap();
    let [failure] = outcome.failures.as_slice() else { panic!("{outcome}") };
    let entry = "Click(#drawer) :>> Click(#entry)";
    assert_eq!(failure.minimal, format!("{entry} :>> {entry} :>> {entry}"));
    for (policy, make) in POLICIES {
        let kind = AbstractionKind::STRUCTURE;
        let request = Request { kind, inputs: inputs(), seed: 1, events: 200, restarts: 50 };
        let names = |_: &_, known: &capuchin_explore::Knowledge| {
            let inputs = (0..known.inputs() as u32).map(|input| known.name(input));
            assert!(inputs.clone().any(|name| name == "take an entry"), "{policy}");
        };
        explore_to_the_end(make, &request, drawer(), |_, _| false, names);
    }
}

#[test]
fn screens_are_told_apart_by_the_values_of_outputs() {
    let outputs = vec![Expr::NumberOf(id("entries"))];
    let by_outputs = AbstractionKind::by_outputs(outputs.iter().map(ToString::to_string));
    let screens = |kind: AbstractionKind, outputs: Vec<Expr>| {
        let request = Request {
            kind: kind.clone(),
            inputs: Inputs::of_elements(),
            seed: 1,
            events: 100,
            restarts: 20,
        };
        let mut plan = plan(POLICIES[3].1, &request);
        let mut explorers = Explorers::default();
        explorers.policies.add("random", "the one that is tested", |_| POLICIES[3].1());
        explorers.models = Models::of_exploration(&plan.generator, &kind);
        (explorers.inputs, explorers.may_restart) = (Inputs::of_elements(), true);
        explorers.outputs = outputs;
        plan.pilots = PilotPool::new(Arc::new(explorers));
        let open = |_: &Stop| Ok(drawer());
        let mut screens = 0;
        let _ = Fleet::new(vec![drawer()], &open).run(&plan, 1, &mut |event: &RunEvent| {
            if let RunEvent::Explored(point) = event {
                screens = point.screens;
            }
        });
        screens
    };
    // Open and closed, and the end.
    assert_eq!(screens(AbstractionKind::STRUCTURE, Vec::new()), 3);
    // Open and closed with none, one and two entries, and the end.
    assert_eq!(screens(by_outputs, outputs), 7);
}
