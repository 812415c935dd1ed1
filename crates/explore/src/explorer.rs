//! Explores on a device: lets a policy choose, performs what it chose, and tells what came of it.

use crate::abstraction::{Kind, Sight};
use crate::knowledge::Knowledge;
use crate::offer::{Inputs, Offer};
use crate::policy::{Move, Policy};
use capuchin::trace::{Gen, Sample};
use capuchin::ui::{Device, DeviceError, Event, Rng, Str};
use capuchin::{Case, Execution, Flow, Observer, Outcome, Plan, Session, Tally, Verdict, execute};
use capuchin_automata::{Labels, Merger, Node, Order, Tree};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// When to stop, besides when there is nothing new to try and when the plan is interrupted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// After so many events.
    pub events: Option<u64>,
    /// Before the restart of this number; the first start is none.
    pub restarts: Option<u64>,
}

/// How far an exploration is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Events performed.
    pub events: u64,
    /// Restarts; the first start is none.
    pub restarts: u64,
    /// Different screens seen, by the abstraction.
    pub screens: usize,
    /// Different transitions between them.
    pub transitions: usize,
    /// Different sequences of inputs from a restart.
    pub prefixes: usize,
    /// The states of the policy's model, if it has one.
    pub states: Option<usize>,
    /// How much of the app's code ran for the first time in the last step.
    pub fresh: u32,
}

/// A policy at work, and what is known by now. It may be asked to go on as often as one likes, on
/// another device too, if that runs the same app.
pub struct Explorer {
    knowledge: Knowledge,
    policy: Box<dyn Policy>,
    inputs: Inputs,
    rng: Rng,
    seed: u64,
    /// How each input that was ever offered is done, by its name.
    events: BTreeMap<Str, Event>,
    starts: u64,
    performed: u64,
    is_done: bool,
}

/// What an exploration is told about while it runs.
pub type Watch<'a> = &'a mut dyn FnMut(&Progress, &Knowledge);

impl Explorer {
    /// With this policy, and everything random from this seed.
    pub fn new(policy: Box<dyn Policy>, kind: Kind, inputs: Inputs, seed: u64) -> Self {
        Explorer {
            knowledge: Knowledge::new(kind),
            policy,
            inputs,
            rng: Rng::stream(seed, 2),
            seed,
            events: BTreeMap::new(),
            starts: 0,
            performed: 0,
            is_done: false,
        }
    }

    /// What is known by now.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Whether there was nothing new to try.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress {
            events: self.performed,
            restarts: self.starts.saturating_sub(1),
            screens: self.knowledge.screens(),
            transitions: self.knowledge.transitions(),
            prefixes: self.knowledge.tree().len(),
            states: self.policy.states(),
            fresh: 0,
        }
    }

    /// Explores until a limit is reached, nothing new is left to try, or the plan is interrupted. Every
    /// way of the plan to go wrong is caught, made small, and told to the observer once.
    pub fn explore(
        &mut self,
        plan: &Plan,
        limits: Limits,
        device: &mut dyn Device,
        observer: &mut dyn Observer,
        watch: Watch<'_>,
    ) -> Outcome {
        let mut tally = Tally::begin(plan, 1, observer);
        let mut index = 0;
        while !self.is_done && !self.is_spent(limits) && !tally.is_over() {
            match self.run(plan, index, limits, device, watch) {
                Ok(case) if tally.case(&case) => {
                    let examined = self
                        .shortcut(plan, case.clone(), device)
                        .and_then(|shorter| plan.examine(&shorter, device));
                    tally.examined(&case, examined);
                }
                Ok(_) => {}
                Err(error) => tally.device_failed(error),
            }
            index += 1;
        }
        tally.finish()
    }

    fn is_spent(&self, limits: Limits) -> bool {
        limits.events.is_some_and(|most| self.performed >= most)
            || limits.restarts.is_some_and(|most| self.starts > most)
    }

    /// From a restart to the next one.
    fn run(
        &mut self,
        plan: &Plan,
        index: u32,
        limits: Limits,
        device: &mut dyn Device,
        watch: Watch<'_>,
    ) -> Result<Case, DeviceError> {
        let (mut session, mut flow) = Session::start(device, &plan.rules(self.seed))?;
        self.starts += 1;
        let fresh = session.fresh_coverage()?;
        let (mut sight, mut offers) = self.look(&session, &flow);
        self.knowledge.restarted(&sight, fresh);
        self.tell(fresh, watch);
        while matches!(flow, Flow::Go) && !self.is_spent(limits) {
            let offer = match self.policy.next(&self.knowledge, &mut self.rng) {
                Move::Perform(input) => {
                    let name = self.knowledge.name_now(input);
                    name.and_then(|name| offers.iter().find(|offer| offer.name == *name))
                }
                Move::Restart => break,
                Move::Stop => {
                    self.is_done = true;
                    break;
                }
            };
            let Some(Offer { name, event, .. }) = offer else { break };
            flow = session.event(event)?;
            self.performed += 1;
            let fresh = session.fresh_coverage()?;
            let name = name.clone();
            if let Flow::End(verdict) = &flow
                && matches!(**verdict, Verdict::Blocked { .. })
            {
                // What is blocked changes nothing: an input that leads back to where it was tried.
                flow = Flow::Go;
            } else {
                (sight, offers) = self.look(&session, &flow);
            }
            if !matches!(flow, Flow::Interrupted) {
                self.knowledge.performed(&name, &sight, fresh);
            }
            self.tell(fresh, watch);
        }
        Ok(Self::case(index, self.seed, session.finish(flow)))
    }

    /// What is shown; nothing can be done after the run has ended.
    fn look(&mut self, session: &Session<'_>, flow: &Flow) -> (Sight, Vec<Offer>) {
        if let Flow::End(_) = flow {
            return (Sight::of_the_end(), Vec::new());
        }
        let (sight, offers) = Sight::of(session.screen(), &self.inputs, self.knowledge.kind());
        for offer in &offers {
            if !self.events.contains_key(&offer.name) {
                self.events.insert(offer.name.clone(), offer.event.clone());
            }
        }
        (sight, offers)
    }

    fn tell(&self, fresh: u32, watch: Watch<'_>) {
        watch(&Progress { fresh, ..self.progress() }, &self.knowledge);
    }

    /// A run as a case of a check: drawn from the generator that makes just this trace.
    fn case(index: u32, seed: u64, mut execution: Execution) -> Case {
        for (number, (place, _)) in execution.executed.iter_mut().enumerate() {
            *place = number;
        }
        let failed = !execution.verdict.is_success();
        let sample =
            failed.then(|| -> Sample { Gen::from(execution.events()).sample(Rng::new(0)) });
        Case { index, seed, sample, execution }
    }

    /// The same failure by a shorter way, if the model knows one: the shortest way to the screen where it
    /// happened, and the input that did it.
    fn shortcut(
        &self,
        plan: &Plan,
        case: Case,
        device: &mut dyn Device,
    ) -> Result<Case, DeviceError> {
        if plan.config.shrink_budget == 0 {
            return Ok(case);
        }
        let Some((_, last)) = case.execution.executed.last() else { return Ok(case) };
        let Some(way) = self.shortest_way() else { return Ok(case) };
        if way.len() + 1 >= case.execution.executed.len() {
            return Ok(case);
        }
        let events = way.into_iter().chain([last.clone()]);
        let trace = capuchin::trace::Trace::seq(events.map(capuchin::trace::Trace::Event));
        let execution = execute(&trace, device, &plan.rules(case.seed))?;
        let same = execution.verdict.signature() == case.execution.verdict.signature();
        Ok(if same { Self::case(case.index, case.seed, execution) } else { case })
    }

    /// The shortest way, in a machine learned from all that was seen, to where the last input was
    /// performed.
    fn shortest_way(&self) -> Option<Vec<Event>> {
        let tree = self.knowledge.tree();
        let before = tree.parent(self.knowledge.at())?;
        let mut merger = Merger::new(tree, Labels::OfStates, Order::Nearest);
        merger.run();
        let target = merger.state_of(tree, before)?;
        let mut met: BTreeSet<Node> = BTreeSet::from([Tree::ROOT]);
        let mut open = VecDeque::from([(Tree::ROOT, Vec::new())]);
        while let Some((state, way)) = open.pop_front() {
            if state == target {
                let name = |input: &u32| self.knowledge.name(self.knowledge.base(*input));
                return way.iter().map(|input| self.events.get(name(input)).cloned()).collect();
            }
            for (input, next, _) in merger.edges(state) {
                if met.insert(next) {
                    let mut longer: Vec<u32> = way.clone();
                    longer.push(input);
                    open.push_back((next, longer));
                }
            }
        }
        None
    }
}
