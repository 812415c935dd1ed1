//! Runs one trace on a device: the rules of figure 7 of the ChimpCheck paper.
//!
//! [`step`] is the one function through which resets and events reach a device. A [`Session`] is a run
//! that is going on; checking and shrinking run whole traces in it.

mod steer;

use crate::case::Invariant;
use crate::claim::{Claim, Memory};
use crate::judge;
use crate::pilot::Crew;
use crate::verdict::{Verdict, Violation};
use capuchin_trace::{Expr, Prop, Trace};
use capuchin_ui::{
    Blocked, Camera, CodeCoverage, Coverage, Device, DeviceError, Event, Observation, Picture,
    Place, Point, Powers, Rng, Screen, Selector, Str, Target, Toward,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a device can be told.
#[derive(Clone, Copy, Debug)]
pub enum Action<'a> {
    /// Back to the initial state, with this seed for everything random.
    Reset(u64),
    /// One concrete event.
    Perform(&'a Event),
}

/// The one function that touches a device. It returns when the app is idle again.
pub fn step(device: &mut dyn Device, action: Action<'_>) -> Result<Observation, DeviceError> {
    match action {
        Action::Reset(seed) => device.reset(seed),
        Action::Perform(event) => device.perform(event),
    }
}

/// What became of a trace, and what was really done.
#[derive(Clone, Debug)]
pub struct Execution {
    /// How it ended.
    pub verdict: Verdict,
    /// The events that were performed, with their number in the trace; wildcards filled in.
    pub executed: Vec<(usize, Event)>,
    /// The numbers at which an injected script began, in order: see
    /// [`Sample::settled`](capuchin_trace::Sample::settled).
    pub begun: Vec<usize>,
    /// How many events were tried, those that were blocked in a try included.
    pub attempts: usize,
    /// What kept the app busy, if it did not come to rest at some point.
    pub unsettled: Option<Str>,
    /// It was broken off from outside; the verdict says nothing.
    pub interrupted: bool,
    /// What was displayed at the end.
    pub screen: Arc<Screen>,
}

impl Execution {
    /// The executed trace, ending in what went wrong: it runs again as it stands.
    pub fn trace(&self) -> Trace {
        let events = |range: &[(usize, Event)]| {
            range.iter().map(|(_, event)| Trace::Event(event.clone())).collect::<Vec<_>>()
        };
        let all = self.events();
        match &self.verdict {
            Verdict::Succeeded | Verdict::Crashed(_) => all,
            Verdict::Blocked { event, .. } => Trace::seq([all, Trace::Event((**event).clone())]),
            Verdict::Failed(Violation::Assert { prop, held_at, .. }) => {
                let (before, since) = self.executed.split_at(held_at.unwrap_or(0));
                let assert = || Trace::Assert(prop.bound.clone());
                let held = held_at.map(|_| assert());
                let parts = events(before).into_iter().chain(held).chain(events(since));
                Trace::seq(parts.chain([assert()]))
            }
            Verdict::Failed(Violation::Always { prop, since, .. }) => {
                let (before, during) = self.executed.split_at(since.unwrap_or(0));
                let during = Box::new(Trace::seq(events(during)));
                let always = Trace::Always(during, prop.bound.clone());
                Trace::seq(events(before).into_iter().chain([always]))
            }
            Verdict::Failed(Violation::Keeps { value, since, .. }) => {
                let (before, during) = self.executed.split_at(*since);
                let during = Box::new(Trace::seq(events(during)));
                let kept = Trace::Keeps(during, value.bound.clone());
                Trace::seq(events(before).into_iter().chain([kept]))
            }
        }
    }

    /// Only the events of it, without what went wrong.
    pub fn events(&self) -> Trace {
        Trace::seq(self.executed.iter().map(|(_, event)| Trace::Event(event.clone())))
    }
}

/// What a run needs beyond the trace and the device.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Rules<'a> {
    /// Where everything random comes from, on the device and in the choice of wildcards.
    pub seed: u64,
    /// What holds before and after every step.
    pub invariants: &'a [Invariant],
    /// Set from outside to break off.
    pub interrupt: Option<&'a AtomicBool>,
    /// Who steers where the trace says `auto`.
    pub crew: Option<&'a Crew>,
}

impl Rules<'_> {
    /// Just a seed.
    pub fn seed(seed: u64) -> Self {
        Rules { seed, ..Rules::default() }
    }
}

/// What ran of the app's code so far, on this device; nothing where it does not count it.
pub fn coverage(device: &mut dyn Device) -> Result<Option<CodeCoverage>, DeviceError> {
    device.powers().and_then(Powers::coverage).map(Coverage::so_far).transpose()
}

/// Resets the device and runs the trace on it.
pub fn execute(
    trace: &Trace,
    device: &mut dyn Device,
    rules: &Rules<'_>,
) -> Result<Execution, DeviceError> {
    let (mut session, mut flow) = Session::start(device, rules)?;
    if let Flow::Go = flow {
        flow = session.run(trace)?;
    }
    Ok(session.finish(flow))
}

/// How a part of a run ended: there may be more, or the whole run is over.
#[derive(Debug)]
pub enum Flow {
    /// It came to its end, and the run may go on.
    Go,
    /// The run is over.
    End(Box<Verdict>),
    /// The run was broken off from outside.
    Interrupted,
}

/// A run that is going on: traces are run in it, or single events chosen by whoever looks at its
/// screen.
pub struct Session<'a> {
    device: &'a mut dyn Device,
    rng: Rng,
    observation: Observation,
    no_screen: Arc<Screen>,
    executed: Vec<(usize, Event)>,
    begun: Vec<usize>,
    attempts: usize,
    /// The number of the next event of the trace, executed or not.
    number: usize,
    /// How many tries we are inside of.
    tries: u32,
    invariants: &'a [Invariant],
    /// The properties of the `always` that we are inside of, and how many events came before each.
    scoped: Vec<(Claim<Prop>, usize)>,
    /// What was asserted and held, and how many events had been performed when it last did.
    held: Vec<(Prop, usize)>,
    memory: Memory,
    /// Kept from step to step, so that choosing a wildcard allocates nothing.
    candidates: Vec<usize>,
    unsettled: Option<Str>,
    interrupt: Option<&'a AtomicBool>,
    crew: Option<&'a Crew>,
    seed: u64,
}

impl<'a> Session<'a> {
    /// Resets the device and looks at what it shows.
    pub fn start(
        device: &'a mut dyn Device,
        rules: &Rules<'a>,
    ) -> Result<(Self, Flow), DeviceError> {
        let observation = step(device, Action::Reset(rules.seed))?;
        let mut session = Session {
            device,
            rng: Rng::stream(rules.seed, 1),
            observation,
            no_screen: Arc::default(),
            executed: Vec::new(),
            begun: Vec::new(),
            attempts: 0,
            number: 0,
            tries: 0,
            invariants: rules.invariants,
            scoped: Vec::new(),
            held: Vec::new(),
            memory: Memory::default(),
            candidates: Vec::new(),
            unsettled: None,
            interrupt: rules.interrupt,
            crew: rules.crew,
            seed: rules.seed,
        };
        let flow = session.observed()?;
        Ok((session, flow))
    }

    /// What is displayed now.
    pub fn screen(&self) -> &Screen {
        &self.observation.screen
    }

    /// How much of the app's code has run for the first time since this was last asked; nothing where
    /// the device does not count it.
    pub fn fresh_coverage(&mut self) -> Result<Option<u32>, DeviceError> {
        self.device.powers().and_then(Powers::coverage).map(Coverage::fresh).transpose()
    }

    /// What ran of the app's code so far, on this device; nothing where it does not count it.
    pub fn coverage(&mut self) -> Result<Option<CodeCoverage>, DeviceError> {
        coverage(self.device)
    }

    /// What is displayed now, as a picture; nothing where the device takes none.
    pub fn picture(&mut self) -> Result<Option<Picture>, DeviceError> {
        self.device.powers().and_then(Powers::camera).map(Camera::picture).transpose()
    }

    /// Ends the run with what its last part came to.
    pub fn finish(self, flow: Flow) -> Execution {
        let (mut verdict, interrupted) = match flow {
            Flow::Go => (Verdict::Succeeded, false),
            Flow::End(verdict) => (*verdict, false),
            Flow::Interrupted => (Verdict::Succeeded, true),
        };
        let screen = self.observation.screen;
        if let Verdict::Blocked { event, reason, nearest } = &mut verdict
            && let Some(selector) = at_fault(event, &screen)
        {
            *nearest = match reason {
                Blocked::Absent | Blocked::Hidden | Blocked::NothingTakesIt => {
                    screen.nearest(selector, 3)
                }
                Blocked::Covered => screen.covering(selector).into_iter().collect(),
                _ => Vec::new(),
            };
        }
        let Session { executed, begun, attempts, unsettled, .. } = self;
        Execution { verdict, executed, begun, attempts, unsettled, interrupted, screen }
    }

    /// Runs a trace from here.
    pub fn run(&mut self, trace: &Trace) -> Result<Flow, DeviceError> {
        match trace {
            // (No-Op)
            Trace::Unit => Ok(Flow::Go),
            Trace::Event(event) => self.event(event),
            // (Seq-1) to (Seq-3): `perform` returns when the device is idle.
            Trace::Seq(parts) => {
                for (done, part) in parts.iter().enumerate() {
                    match self.run(part)? {
                        Flow::Go => {}
                        ended => {
                            self.skip(&parts[done + 1..]);
                            return Ok(ended);
                        }
                    }
                }
                Ok(Flow::Go)
            }
            // (Assert-Pass), (Assert-Fail)
            Trace::Assert(prop) => {
                let bound = self.memory.bound(prop);
                let known = self.held.iter().position(|(held, _)| *held == *bound);
                if self.holds(&bound)? {
                    let now = self.executed.len();
                    match known {
                        Some(known) => self.held[known].1 = now,
                        None => self.held.push((bound.into_owned(), now)),
                    }
                    return Ok(Flow::Go);
                }
                let held_at = known.map(|known| self.held[known].1);
                let prop = self.memory.prop(prop);
                let seen = self.seen(&prop)?;
                Ok(failed(Violation::Assert { prop: Box::new(prop), held_at, seen }))
            }
            Trace::Let(name, value) => {
                let value = self.memory.expr(value).bound;
                let now = judge::evaluate(&value, &self.observation.screen, self.device)?;
                self.memory.keep(name, now);
                Ok(Flow::Go)
            }
            // (Try-1) to (Try-3): a block ends the try, and only the try.
            Trace::Try(inner) => {
                self.tries += 1;
                let flow = self.run(inner)?;
                self.tries -= 1;
                Ok(match flow {
                    Flow::End(verdict) if matches!(*verdict, Verdict::Blocked { .. }) => Flow::Go,
                    flow => flow,
                })
            }
            // (Qualified), (Unqualified)
            Trace::Then(guard, inner) => {
                let guard = self.memory.bound(guard);
                if self.holds(&guard)? {
                    self.run(inner)
                } else {
                    self.number += inner.len();
                    Ok(Flow::Go)
                }
            }
            Trace::Keeps(inner, value) => self.keeps(inner, value),
            Trace::Always(inner, prop) => {
                self.scoped.push((self.memory.prop(prop), self.executed.len()));
                let flow = match self.invariants_hold()? {
                    Flow::Go => self.run(inner),
                    ended => Ok(ended),
                };
                self.scoped.pop();
                flow
            }
            Trace::Auto(auto, scripts) => self.auto(auto, scripts),
        }
    }

    /// Whether the property holds now.
    pub fn holds(&mut self, prop: &Prop) -> Result<bool, DeviceError> {
        judge::holds(prop, &self.observation.screen, self.device)
    }

    /// The values that were seen in a property.
    fn seen(&mut self, prop: &Claim<Prop>) -> Result<String, DeviceError> {
        let mut seen = judge::seen(&prop.bound, &self.observation.screen, self.device)?;
        seen.extend(self.memory.seen(&prop.written));
        Ok(seen.join(", "))
    }

    fn keeps(&mut self, inner: &Trace, value: &Expr) -> Result<Flow, DeviceError> {
        let value = self.memory.expr(value);
        let before = judge::evaluate(&value.bound, &self.observation.screen, self.device)?;
        let since = self.executed.len();
        match self.run(inner)? {
            Flow::Go => {}
            ended => return Ok(ended),
        }
        let after = judge::evaluate(&value.bound, &self.observation.screen, self.device)?;
        if before == after {
            return Ok(Flow::Go);
        }
        let seen = format!(
            "{} was {}, is {}",
            value.bound,
            judge::shown(before.as_ref()),
            judge::shown(after.as_ref())
        );
        Ok(failed(Violation::Keeps { value: Box::new(value), since, seen }))
    }

    /// Performs one event, with its wildcard filled in.
    pub fn event(&mut self, event: &Event) -> Result<Flow, DeviceError> {
        let number = self.number;
        self.number += 1;
        if *event == Event::Skip {
            return Ok(Flow::Go);
        }
        if self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Ok(Flow::Interrupted);
        }
        self.attempts += 1;
        // (Inferred), (Block-2)
        let concrete = if event.is_concrete() {
            event.clone()
        } else {
            let screen = &self.observation.screen;
            match fill_in(event, screen, &mut self.rng, &mut self.candidates) {
                Ok(concrete) => concrete,
                Err(reason) => return Ok(self.blocked(event, reason)),
            }
        };
        // (Enabled), (Block-1). The old screen is let go first: a device may use its memory again.
        self.observation.screen = Arc::clone(&self.no_screen);
        self.observation = step(self.device, Action::Perform(&concrete))?;
        let blocked = self.observation.blocked.take();
        if let (Some(reason), None) = (blocked, &self.observation.crash) {
            return Ok(self.blocked(&concrete, reason));
        }
        self.executed.push((number, concrete));
        self.observed()
    }

    /// (Crash), and everything that always holds.
    fn observed(&mut self) -> Result<Flow, DeviceError> {
        if let Some(crash) = self.observation.crash.take() {
            return Ok(Flow::End(Box::new(Verdict::Crashed(crash))));
        }
        if let Some(reason) = self.observation.unsettled.take() {
            self.unsettled.get_or_insert(reason);
        }
        self.invariants_hold()
    }

    fn invariants_hold(&mut self) -> Result<Flow, DeviceError> {
        let mut broken = None;
        for Invariant { label, prop } in self.invariants {
            if broken.is_none() && !self.holds(prop)? {
                broken = Some((label.clone(), Claim::plain(prop), None));
            }
        }
        for (prop, since) in &self.scoped {
            if broken.is_none()
                && !judge::holds(&prop.bound, &self.observation.screen, self.device)?
            {
                broken = Some((None, prop.clone(), Some(*since)));
            }
        }
        let Some((label, prop, since)) = broken else { return Ok(Flow::Go) };
        let seen = self.seen(&prop)?;
        let prop = Box::new(prop);
        let from_the_start = self.executed.len() == since.unwrap_or(0);
        Ok(failed(Violation::Always { label, prop, since, from_the_start, seen }))
    }

    fn blocked(&self, event: &Event, reason: Blocked) -> Flow {
        Flow::End(Box::new(Verdict::Blocked {
            event: Box::new(event.clone()),
            reason,
            // The names are looked up when somebody wants to read them: a try throws them away.
            nearest: Vec::new(),
        }))
    }

    /// Counts the events that are passed over. Only a try goes on after an end, so only inside of
    /// one does it matter.
    fn skip(&mut self, parts: &[Trace]) {
        if self.tries > 0 {
            self.number += parts.iter().map(Trace::len).sum::<usize>();
        }
    }
}

fn failed(violation: Violation) -> Flow {
    Flow::End(Box::new(Verdict::Failed(violation)))
}

/// The description of what was not there or could not be reached: where the event begins, or where it
/// would have ended.
fn at_fault<'e>(event: &'e Event, screen: &Screen) -> Option<&'e Selector> {
    match (event, event.target()?) {
        (Event::Swipe(from, Toward::Element(to)), _)
            if screen.locate(&Event::Hover(from.clone())).is_ok() =>
        {
            Some(to)
        }
        (_, Target::One(selector) | Target::Any(selector)) => Some(selector),
        _ => None,
    }
}

/// Replaces what an event leaves open by something on the live screen.
fn fill_in(
    event: &Event,
    screen: &Screen,
    rng: &mut Rng,
    candidates: &mut Vec<usize>,
) -> Result<Event, Blocked> {
    let mut place = |place: &Place| match place {
        Place::At(point) => *point,
        Place::Anywhere => Point::new(
            rng.below(screen.viewport.width.max(0) as u64) as i32,
            rng.below(screen.viewport.height.max(0) as u64) as i32,
        ),
    };
    let toward = match event {
        Event::Pinch(from, to) => {
            return Ok(Event::Pinch(Place::At(place(from)), Place::At(place(to))));
        }
        Event::Swipe(_, Toward::Place(end)) => Some(Toward::Place(Place::At(place(end)))),
        _ => None,
    };
    let target = match event.target() {
        Some(Target::Place(at)) => Target::Place(Place::At(place(at))),
        Some(Target::Any(selector)) => {
            candidates.clear();
            candidates.extend(screen.candidates(event).map(|(index, _)| index));
            let chosen = match selector.nth {
                Some(number) => candidates.get((number as usize).saturating_sub(1)),
                None => candidates.get(rng.below(candidates.len() as u64) as usize),
            };
            let chosen = *chosen.ok_or(Blocked::NothingTakesIt)?;
            Target::One(screen.name_of(chosen))
        }
        Some(concrete) => concrete.clone(),
        None => return Ok(event.clone()),
    };
    Ok(match toward {
        Some(toward) => Event::Swipe(target, toward),
        None => event.aimed_at(target),
    })
}
