//! Explores on a device: lets a policy choose, performs what it chose, and tells what came of it.

use crate::abstraction::ScreenSummary;
use crate::abstraction_kind::AbstractionKind;
use crate::journal::Entry;
use crate::knowledge::Knowledge;
use crate::offer::{Inputs, Offer};
use crate::policy::{Decision, Policy};
use capuchin::trace::{Gen, Sample, Trace};
use capuchin::ui::{CodeCoverage, Device, DeviceError, Event, Picture, Rng, Str};
use capuchin::{
    Case, Covered, Examined, Execution, Flow, Map, MapEdge, MapState, Observer, Outcome, Plan,
    Session, Tally, Verdict, coverage, execute, wireframe,
};
use capuchin_automata::{Input, Labels, Merger, Node, Order, Tree};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Code coverage is summed up every so many events, and at the end: that takes as long as some events do.
const SUM_UP_EVERY: u64 = 50;
/// An app that nothing can be done with at so many starts in a row is not to be explored.
const MOST_DEAD_STARTS: u32 = 10;

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
    /// How much of the app's code had run when that was last summed up, if the device counts it.
    pub covered: Option<Covered>,
}

/// Somebody who follows an exploration. Every method does nothing unless it is written.
pub trait Watcher {
    /// A step was made.
    fn step(&mut self, progress: &Progress, known: &Knowledge) {
        let _ = (progress, known);
    }

    /// This was done and seen: what a [`Keeper`](crate::Keeper) keeps.
    fn entry(&mut self, entry: &Entry) {
        let _ = entry;
    }

    /// Whether to take a picture of every screen that is new.
    fn wants_pictures(&self) -> bool {
        false
    }

    /// The picture of a summary, by the number that [`Explorer::map`] knows it by.
    fn picture(&mut self, summary: u32, picture: &Picture) {
        let _ = (summary, picture);
    }

    /// From now on it is doing something else than the step before.
    fn phase(&mut self, phase: Phase) {
        let _ = phase;
    }

    /// The device was lost over an input, and another one is opened.
    fn lost(&mut self, error: &DeviceError) {
        let _ = error;
    }
}

/// What an exploration is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// It restarts the app.
    Restarting,
    /// It performs events.
    Exploring,
    /// It makes a failure small, and confirms it. That is no part of the exploration.
    Examining,
}

impl<F: FnMut(&Progress, &Knowledge)> Watcher for F {
    fn step(&mut self, progress: &Progress, known: &Knowledge) {
        self(progress, known);
    }
}

/// Opens another device in the place of one that is lost.
pub type Reopen<'a> = &'a dyn Fn() -> Result<Box<dyn Device>, DeviceError>;

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
    /// What ran of the app's code, when that was last summed up.
    coverage: Option<CodeCoverage>,
    /// After how many events that was, if it was.
    summed_up: Option<u64>,
    /// What ran on devices that were lost.
    lost_coverage: Option<CodeCoverage>,
    /// How many starts there were in a row after which nothing was done.
    dead_starts: u32,
    violations: BTreeSet<String>,
    /// The labels of the screens that there is a picture of.
    pictured: BTreeSet<Str>,
    is_done: bool,
}

impl Explorer {
    /// With this policy, and everything random from this seed.
    pub fn new(policy: Box<dyn Policy>, kind: AbstractionKind, inputs: Inputs, seed: u64) -> Self {
        let knowledge = Knowledge::new(kind);
        Explorer {
            rng: knowledge.random(seed),
            knowledge,
            policy,
            inputs,
            seed,
            events: BTreeMap::new(),
            starts: 0,
            performed: 0,
            coverage: None,
            summed_up: None,
            lost_coverage: None,
            dead_starts: 0,
            violations: BTreeSet::new(),
            pictured: BTreeSet::new(),
            is_done: false,
        }
    }

    /// Takes in what another exploration of the same app has seen. What went wrong there is not
    /// reported again.
    pub fn remember(&mut self, entries: &[Entry]) {
        for entry in entries {
            self.knowledge.take_in(entry);
            if let Entry::Violated(signature) = entry {
                self.violations.insert(signature.clone());
            }
        }
        self.rng = self.knowledge.random(self.seed);
    }

    /// Where everything random comes from.
    pub fn seed(&self) -> u64 {
        self.seed
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
            prefixes: self.knowledge.tree().len().saturating_sub(1),
            states: self.policy.states(),
            covered: self.coverage.as_ref().map(Covered::from),
        }
    }

    /// What ran of the app's code, on all devices together; nothing where they do not count it.
    pub fn coverage(&self) -> Option<&CodeCoverage> {
        self.coverage.as_ref()
    }

    /// Explores until a limit is reached, nothing new is left to try, or the plan is interrupted. Every
    /// way of the plan to go wrong is caught, made small, and told to the observer once. A device that
    /// is lost is replaced: what was being done then counts as the end of the app.
    pub fn explore(
        &mut self,
        plan: &Plan,
        limits: Limits,
        device: &mut Box<dyn Device>,
        reopen: Reopen<'_>,
        observer: &mut dyn Observer,
        watcher: &mut dyn Watcher,
    ) -> Outcome {
        let mut tally = Tally::begin(plan, 1, observer);
        let (mut index, mut last_lost) = (0, None);
        let known = self.violations.clone();
        while !self.is_done && !self.is_spent(limits) && !tally.is_over() {
            match self.run(plan, index, limits, device.as_mut(), watcher) {
                // Where nothing can be done, nothing has held.
                Ok(case) if is_idle(&case.execution) => {}
                Ok(case) if is_among(&known, &case) => tally.seen_before(&case),
                Ok(case) if tally.case(&case) => {
                    let signature = case.execution.verdict.signature();
                    watcher.entry(&Entry::Violated(signature.clone()));
                    self.violations.insert(signature);
                    watcher.phase(Phase::Examining);
                    let examined = self
                        .shortcut(plan, case.clone(), device.as_mut())
                        .and_then(|shorter| plan.examine(&shorter, device.as_mut()));
                    match examined {
                        // What takes the device with it now and then is a failure as it was found.
                        Err(error @ DeviceError::Lost { .. }) => {
                            match self.replace(device, &error, reopen, watcher) {
                                Ok(()) => tally.examined(&case, Ok(Examined::as_found(&case))),
                                Err(error) => tally.examined(&case, Err(error)),
                            }
                        }
                        examined => tally.examined(&case, examined),
                    }
                }
                Ok(_) => {}
                // Twice at the same point: it is not the input that does it.
                Err(error @ DeviceError::Lost { .. }) if last_lost != Some(self.performed) => {
                    last_lost = Some(self.performed);
                    if let Err(error) = self.replace(device, &error, reopen, watcher) {
                        tally.device_failed(error);
                    }
                }
                Err(error) => tally.device_failed(error),
            }
            index += 1;
        }
        self.sum_up(coverage(device.as_mut()));
        tally.finish()
    }

    /// A device that cannot say what ran on it has no say: the last sum stands.
    fn sum_up(&mut self, on_device: Result<Option<CodeCoverage>, DeviceError>) {
        self.summed_up = Some(self.performed);
        let Ok(Some(mut sum)) = on_device else { return };
        if let Some(lost) = &self.lost_coverage {
            sum.merge(lost);
        }
        self.coverage = Some(sum);
    }

    /// Another device in the place of one that is lost.
    fn replace(
        &mut self,
        device: &mut Box<dyn Device>,
        lost: &DeviceError,
        reopen: Reopen<'_>,
        watcher: &mut dyn Watcher,
    ) -> Result<(), DeviceError> {
        self.sum_up(coverage(device.as_mut()));
        let new = reopen().map_err(|_| lost.clone())?;
        watcher.lost(lost);
        *device = new;
        self.lost_coverage.clone_from(&self.coverage);
        Ok(())
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
        watcher: &mut dyn Watcher,
    ) -> Result<Case, DeviceError> {
        watcher.phase(Phase::Restarting);
        let (mut session, mut flow) = Session::start(device, &plan.rules(self.seed))?;
        watcher.phase(Phase::Exploring);
        self.starts += 1;
        self.dead_starts += 1;
        self.is_done = self.dead_starts > MOST_DEAD_STARTS;
        let fresh = session.fresh_coverage()?.unwrap_or(0);
        let (mut summary, mut offers) = self.summarize(&session, &flow);
        self.note(&Entry::Restarted(summary.clone(), fresh), &mut session, watcher);
        while matches!(flow, Flow::Go) && !self.is_done && !self.is_spent(limits) {
            let offer = match self.policy.next(&self.knowledge, &mut self.rng) {
                Decision::Perform(input) => {
                    let name = self.knowledge.name_now(input);
                    name.and_then(|name| offers.iter().find(|offer| offer.name == *name))
                }
                Decision::Restart => break,
                Decision::Stop => {
                    self.is_done = true;
                    break;
                }
            };
            let Some(Offer { name, event, .. }) = offer else { break };
            let name = name.clone();
            self.performed += 1;
            self.dead_starts = 0;
            flow = match session.event(event) {
                Ok(flow) => flow,
                Err(error) => {
                    let entry = Entry::Performed(name, ScreenSummary::of_the_end(None), 0);
                    self.note(&entry, &mut session, watcher);
                    return Err(error);
                }
            };
            let fresh = match (session.fresh_coverage(), &flow) {
                (Ok(fresh), _) => fresh.unwrap_or(0),
                // What has crashed need not say what ran.
                (Err(_), Flow::End(_)) => 0,
                (Err(error), _) => return Err(error),
            };
            match &flow {
                // What is blocked changes nothing: an input that leads back to where it was tried.
                Flow::End(verdict) if matches!(**verdict, Verdict::Blocked { .. }) => {
                    flow = Flow::Go;
                }
                Flow::Interrupted => {
                    self.performed -= 1;
                    break;
                }
                _ => (summary, offers) = self.summarize(&session, &flow),
            }
            self.note(&Entry::Performed(name, summary.clone(), fresh), &mut session, watcher);
        }
        let mut execution = session.finish(flow);
        // Wherever an exploration is ended, what it did until then was checked.
        execution.interrupted = false;
        Ok(Self::case(index, self.seed, execution))
    }

    /// What is shown; nothing can be done after the run has ended.
    fn summarize(&mut self, session: &Session<'_>, flow: &Flow) -> (ScreenSummary, Vec<Offer>) {
        if let Flow::End(verdict) = flow {
            return (ScreenSummary::of_the_end(Some(verdict)), Vec::new());
        }
        let (summary, offers) =
            ScreenSummary::of(session.screen(), &self.inputs, self.knowledge.kind());
        for offer in &offers {
            if !self.events.contains_key(&offer.name) {
                self.events.insert(offer.name.clone(), offer.event.clone());
            }
        }
        (summary, offers)
    }

    /// Takes in what was done and seen, and tells it.
    fn note(&mut self, entry: &Entry, session: &mut Session<'_>, watcher: &mut dyn Watcher) {
        self.knowledge.take_in(entry);
        if self.summed_up.is_none_or(|then| self.performed >= then + SUM_UP_EVERY) {
            self.sum_up(session.coverage());
        }
        // Screens that are told apart later than they were first seen have their picture taken then.
        let label = self.knowledge.label_text();
        if watcher.wants_pictures() && !self.pictured.contains(label) {
            self.pictured.insert(label.clone());
            let picture = session.picture().ok().flatten();
            let picture = picture.unwrap_or_else(|| wireframe(session.screen()));
            watcher.picture(self.knowledge.summary_at(self.knowledge.at()), &picture);
        }
        watcher.entry(entry);
        watcher.step(&self.progress(), &self.knowledge);
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
        let trace = Trace::seq(events.map(Trace::Event));
        let execution = execute(&trace, device, &plan.rules(case.seed))?;
        let same = execution.verdict.signature() == case.execution.verdict.signature();
        Ok(if same { Self::case(case.index, case.seed, execution) } else { case })
    }

    /// The machine learned from all that was seen.
    fn machine(&self) -> Merger {
        let mut merger = Merger::new(self.knowledge.tree(), Labels::OfStates, Order::Nearest);
        merger.run();
        merger
    }

    /// The shortest way, in the machine, to where the last input was performed.
    fn shortest_way(&self) -> Option<Vec<Event>> {
        let tree = self.knowledge.tree();
        let before = tree.parent(self.knowledge.at())?;
        let merger = self.machine();
        let target = merger.state_of(tree, before)?;
        let mut met: BTreeSet<Node> = BTreeSet::from([Tree::ROOT]);
        let mut open = VecDeque::from([(Tree::ROOT, Vec::new())]);
        while let Some((state, way)) = open.pop_front() {
            if state == target {
                let name = |input: &Input| self.knowledge.name(self.knowledge.base(*input));
                return way.iter().map(|input| self.events.get(name(input)).cloned()).collect();
            }
            for (input, next, _) in merger.edges(state) {
                if met.insert(next) {
                    let mut longer: Vec<Input> = way.clone();
                    longer.push(input);
                    open.push_back((next, longer));
                }
            }
        }
        None
    }

    /// What was learned, for a report, and for each state the numbers of the summaries that show it, best first.
    pub fn map(&self) -> (Map, Vec<Vec<u32>>) {
        let known = &self.knowledge;
        let tree = known.tree();
        let merger = self.machine();
        let mut visits = vec![0; merger.states().len()];
        // A parent comes before its children.
        let mut states: Vec<Option<Node>> = Vec::with_capacity(tree.len());
        for node in 0..tree.len() as Node {
            let above = tree.parent(node).map(|parent| states[parent as usize]);
            let state = match above {
                None => Some(Tree::ROOT),
                Some(above) => {
                    above.and_then(|above| merger.step(above, tree.input(node))).map(|step| step.0)
                }
            };
            if let Some(state) = state {
                visits[merger.place(state)] += known.visits(node);
            }
            states.push(state);
        }
        let (mut map, mut summaries) = (Map::default(), Vec::new());
        for (place, state) in merger.states().iter().enumerate() {
            let enabled = known.enabled(merger.label(*state));
            let tried: BTreeSet<Input> =
                merger.edges(*state).map(|(input, ..)| known.base(input)).collect();
            let mut edges: BTreeMap<u32, Vec<String>> = BTreeMap::new();
            for (input, to, _) in merger.edges(*state) {
                let name = known.name(known.base(input)).to_owned();
                edges.entry(merger.place(to) as u32).or_default().push(name);
            }
            let from = place as u32;
            map.edges.extend(edges.into_iter().map(|(to, inputs)| MapEdge { from, to, inputs }));
            let summary = known.summary_at(*state);
            map.states.push(MapState {
                name: known.title(summary),
                enabled: enabled.len() as u32,
                untried: enabled.iter().filter(|input| !tried.contains(input)).count() as u32,
                visits: visits[place],
                ended: known.is_the_end(summary),
                picture: None,
            });
            let others = known.summaries_of(merger.label(*state)).filter(|other| *other != summary);
            summaries.push([summary].into_iter().chain(others).collect());
        }
        (map, summaries)
    }
}

fn is_idle(execution: &Execution) -> bool {
    execution.attempts == 0 && execution.verdict.is_success()
}

/// Whether this went wrong in one of these ways, which an exploration that this one goes on from has told.
fn is_among(known: &BTreeSet<String>, case: &Case) -> bool {
    let execution = &case.execution;
    !execution.interrupted
        && !execution.verdict.is_success()
        && known.contains(&execution.verdict.signature())
}
