//! Runs one trace on a device: the rules of figure 7 of the ChimpCheck paper.
//!
//! [`step`] is the one function through which events reach a device. Checking, shrinking, and
//! whatever else there will be, call it.

use crate::case::Invariant;
use crate::judge;
use crate::verdict::{Verdict, Violation};
use capuchin_trace::{Expr, Prop, Trace};
use capuchin_ui::{
    Blocked, Device, DeviceError, Event, Observation, Place, Point, Rng, Screen, Str, Target,
    Toward,
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
        let all = Trace::seq(events(&self.executed));
        match &self.verdict {
            Verdict::Succeeded | Verdict::Crashed(_) => all,
            Verdict::Blocked { event, .. } => Trace::seq([all, Trace::Event(event.clone())]),
            Verdict::Failed(Violation::Assert { prop, .. }) => {
                Trace::seq([all, Trace::Assert(prop.clone())])
            }
            Verdict::Failed(Violation::Always { prop, .. }) => {
                Trace::Always(Box::new(all), prop.clone())
            }
            Verdict::Failed(Violation::Keeps { value, since, .. }) => {
                let (before, during) = self.executed.split_at(*since);
                let kept = Trace::Keeps(Box::new(Trace::seq(events(during))), value.clone());
                Trace::seq(events(before).into_iter().chain([kept]))
            }
        }
    }

    /// Only the events of it, without what went wrong.
    pub fn events(&self) -> Trace {
        Trace::seq(self.executed.iter().map(|(_, event)| Trace::Event(event.clone())))
    }
}

/// Resets the device and runs the trace on it. Everything random, on the device and in the choice
/// of wildcards, comes from the seed.
pub fn execute(
    trace: &Trace,
    device: &mut dyn Device,
    seed: u64,
    invariants: &[Invariant],
    interrupt: Option<&AtomicBool>,
) -> Result<Execution, DeviceError> {
    let observation = step(device, Action::Reset(seed))?;
    let mut run = Run {
        device,
        rng: Rng::stream(seed, 1),
        observation,
        no_screen: Arc::default(),
        executed: Vec::new(),
        attempts: 0,
        number: 0,
        tries: 0,
        invariants,
        scoped: Vec::new(),
        candidates: Vec::new(),
        unsettled: None,
        interrupt,
    };
    let flow = match run.observed()? {
        Flow::Go => run.trace(trace)?,
        ended => ended,
    };
    let (mut verdict, interrupted) = match flow {
        Flow::Go => (Verdict::Succeeded, false),
        Flow::End(verdict) => (*verdict, false),
        Flow::Interrupted => (Verdict::Succeeded, true),
    };
    if let Verdict::Blocked { event, reason, nearest } = &mut verdict
        && let Some(Target::One(selector) | Target::Any(selector)) = event.target()
    {
        let screen = &run.observation.screen;
        *nearest = match reason {
            Blocked::Absent | Blocked::Hidden | Blocked::NothingTakesIt => {
                screen.nearest(selector, 3)
            }
            Blocked::Covered => screen.covering(selector).into_iter().collect(),
            _ => Vec::new(),
        };
    }
    let Run { executed, attempts, unsettled, observation, .. } = run;
    let screen = observation.screen;
    Ok(Execution { verdict, executed, attempts, unsettled, interrupted, screen })
}

/// How a part of a trace ended: it is empty now, or the whole run is over.
enum Flow {
    Go,
    End(Box<Verdict>),
    Interrupted,
}

struct Run<'a> {
    device: &'a mut dyn Device,
    rng: Rng,
    observation: Observation,
    no_screen: Arc<Screen>,
    executed: Vec<(usize, Event)>,
    attempts: usize,
    /// The number of the next event of the trace, executed or not.
    number: usize,
    /// How many tries we are inside of.
    tries: u32,
    invariants: &'a [Invariant],
    /// The properties of the `always` that we are inside of.
    scoped: Vec<&'a Prop>,
    /// Kept from step to step, so that choosing a wildcard allocates nothing.
    candidates: Vec<usize>,
    unsettled: Option<Str>,
    interrupt: Option<&'a AtomicBool>,
}

impl<'a> Run<'a> {
    fn trace(&mut self, trace: &'a Trace) -> Result<Flow, DeviceError> {
        match trace {
            // (No-Op)
            Trace::Unit => Ok(Flow::Go),
            Trace::Event(event) => self.event(event),
            // (Seq-1) to (Seq-3): `perform` returns when the device is idle.
            Trace::Seq(parts) => {
                for (done, part) in parts.iter().enumerate() {
                    match self.trace(part)? {
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
                if self.holds(prop)? {
                    return Ok(Flow::Go);
                }
                let seen = judge::seen(prop, &self.observation.screen, self.device)?;
                Ok(failed(Violation::Assert { prop: prop.clone(), seen }))
            }
            // (Try-1) to (Try-3): a block ends the try, and only the try.
            Trace::Try(inner) => {
                self.tries += 1;
                let flow = self.trace(inner)?;
                self.tries -= 1;
                Ok(match flow {
                    Flow::End(verdict) if matches!(*verdict, Verdict::Blocked { .. }) => Flow::Go,
                    flow => flow,
                })
            }
            // (Qualified), (Unqualified)
            Trace::Then(guard, inner) => {
                if self.holds(guard)? {
                    self.trace(inner)
                } else {
                    self.number += inner.len();
                    Ok(Flow::Go)
                }
            }
            Trace::Keeps(inner, value) => self.keeps(inner, value),
            Trace::Always(inner, prop) => {
                self.scoped.push(prop);
                let flow = match self.invariants_hold()? {
                    Flow::Go => self.trace(inner),
                    ended => Ok(ended),
                };
                self.scoped.pop();
                flow
            }
        }
    }

    fn keeps(&mut self, inner: &'a Trace, value: &'a Expr) -> Result<Flow, DeviceError> {
        let before = judge::evaluate(value, &self.observation.screen);
        let since = self.executed.len();
        match self.trace(inner)? {
            Flow::Go => {}
            ended => return Ok(ended),
        }
        let after = judge::evaluate(value, &self.observation.screen);
        if before == after {
            return Ok(Flow::Go);
        }
        let seen = format!(
            "{value} was {}, is {}",
            judge::shown(before.as_ref()),
            judge::shown(after.as_ref())
        );
        Ok(failed(Violation::Keeps { value: value.clone(), since, seen }))
    }

    fn event(&mut self, event: &Event) -> Result<Flow, DeviceError> {
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
        if let Some(reason) = self.observation.blocked.take() {
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
        let named = self.invariants.iter().map(|i| (i.label.as_ref(), &i.prop));
        let scoped = self.scoped.iter().map(|prop| (None, *prop));
        for (label, prop) in named.chain(scoped) {
            if !judge::holds(prop, &self.observation.screen, self.device)? {
                let seen = judge::seen(prop, &self.observation.screen, self.device)?;
                let (label, prop) = (label.cloned(), prop.clone());
                return Ok(failed(Violation::Always { label, prop, seen }));
            }
        }
        Ok(Flow::Go)
    }

    fn holds(&mut self, prop: &Prop) -> Result<bool, DeviceError> {
        judge::holds(prop, &self.observation.screen, self.device)
    }

    fn blocked(&self, event: &Event, reason: Blocked) -> Flow {
        Flow::End(Box::new(Verdict::Blocked {
            event: event.clone(),
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
        Event::Swipe(_, direction) => Some(*direction),
        _ => None,
    };
    let target = match event.target() {
        Some(Target::Place(at)) => Target::Place(Place::At(place(at))),
        Some(Target::Any(_)) => {
            candidates.clear();
            candidates.extend(screen.candidates(event).map(|(index, _)| index));
            if candidates.is_empty() {
                return Err(Blocked::NothingTakesIt);
            }
            let chosen = candidates[rng.below(candidates.len() as u64) as usize];
            Target::One(screen.name_of(chosen))
        }
        Some(concrete) => concrete.clone(),
        None => return Ok(event.clone()),
    };
    Ok(match event {
        Event::LongClick(_) => Event::LongClick(target),
        Event::Type(_, text) => Event::Type(target, text.clone()),
        Event::Swipe(_, was) => Event::Swipe(target, toward.unwrap_or(*was)),
        _ => Event::Click(target),
    })
}
