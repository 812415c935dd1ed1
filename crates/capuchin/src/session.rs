//! A run that is going on: the rules of figure 7 of the ChimpCheck paper.
//!
//! On its own because it is the one place where a trace meets a device. A session makes a
//! [`Step`](crate::Step) of everything that it does, and shows it to the monitors of the run.

use crate::budget::{Budget, Spent};
use crate::claim::Memory;
use crate::execution::{Execution, Rules, interrupted_if_stopped};
use crate::judge;
use crate::monitor::{Always, Finding, Monitor, Monitors};
use crate::probe::Probe;
use crate::property::{Judged, Property};
use crate::step::{Action, Step, step};
use crate::verdict::{Verdict, Violation};
use crate::wildcard::fill_in;
use capuchin_trace::{Expr, Move, Prop, Slot, Trace};
use capuchin_ui::{
    Blocked, Device, DeviceError, Event, Lack, Observation, Rng, Screen, Selector, Stop, Str,
    Target, Toward, Value,
};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How a part of a run ended: there may be more, or the whole run is over.
#[derive(Debug)]
pub enum Flow {
    /// It came to its end, and the run may go on.
    Go,
    /// The run is over.
    End(Box<Verdict>),
    /// The run was interrupted, or its budget is spent.
    Interrupted,
}

/// A monitor of a run.
struct Watching<'a> {
    monitor: Box<dyn Monitor + 'a>,
    /// Who made it; `None` if the run itself did.
    source: Option<&'a dyn Monitors>,
    /// How many events had been performed when it began; `None` if it watches the whole run.
    since: Option<usize>,
}

/// A run that is going on.
pub struct Session<'a> {
    device: &'a mut dyn Device,
    pub(crate) rules: Rules<'a>,
    /// Set when the run is to end, in the middle of an event if need be.
    stop: Stop,
    rng: Rng,
    pub(crate) observation: Observation,
    no_screen: Arc<Screen>,
    pub(crate) executed: Vec<(Slot, Event)>,
    pub(crate) moves: Vec<Move>,
    attempts: usize,
    monitors: Vec<Watching<'a>>,
    /// Whether any of them looks at the screen before a step.
    keeps_before: bool,
    /// What was asserted and held, and how many events had been performed when it last did.
    held: Vec<(Prop, usize)>,
    /// How much was judged of each property of the rules.
    judged: Vec<Judged>,
    /// The first event that was blocked in a try, and why.
    blocked_in_try: Option<Box<Verdict>>,
    first_screen: Option<Arc<Screen>>,
    memory: Memory,
    /// Kept from step to step, so that choosing a wildcard allocates nothing.
    candidates: Vec<usize>,
    unsettled: Option<Str>,
    lacked: Vec<Lack>,
}

impl<'a> Session<'a> {
    /// Resets the device and looks at what it shows.
    pub fn start(
        device: &'a mut dyn Device,
        rules: &Rules<'a>,
    ) -> Result<(Self, Flow), DeviceError> {
        Session::start_watched(device, rules, Vec::new())
    }

    /// The same with monitors for this run alone; they see each step before those of the rules do,
    /// and find nothing.
    pub(crate) fn start_watched(
        device: &'a mut dyn Device,
        rules: &Rules<'a>,
        monitors: Vec<Box<dyn Monitor + 'a>>,
    ) -> Result<(Self, Flow), DeviceError> {
        let stop = rules.stop();
        let (observation, is_stopped) = match step(device, Action::Reset(rules.seed), &stop) {
            Err(DeviceError::Stopped { .. }) => (Observation::of(Arc::default()), true),
            observation => (observation?, false),
        };
        let own = monitors.into_iter().map(|monitor| (monitor, None));
        let given = rules.monitors.iter().map(|source| (source.monitor(), Some(&**source)));
        let watching = |(monitor, source)| Watching { monitor, source, since: None };
        let mut session = Session {
            device,
            rules: *rules,
            stop,
            rng: Rng::stream(rules.seed, 1),
            observation,
            no_screen: Arc::default(),
            executed: Vec::new(),
            moves: Vec::new(),
            attempts: 0,
            monitors: own.chain(given).map(watching).collect(),
            keeps_before: false,
            held: Vec::new(),
            judged: vec![Judged::default(); rules.properties.len()],
            blocked_in_try: None,
            first_screen: None,
            memory: Memory::default(),
            candidates: Vec::new(),
            unsettled: None,
            lacked: Vec::new(),
        };
        if is_stopped {
            return Ok((session, Flow::Interrupted));
        }
        let is_settled = session.observation.unsettled.is_none();
        session.first_screen = is_settled.then(|| Arc::clone(&session.observation.screen));
        session.keeps_before = session.monitors.iter().any(|one| one.monitor.wants_before());
        let shown = session.show(None, Action::Reset(rules.seed), None);
        let flow = interrupted_if_stopped(shown.map(|found| session.judged(found)))?;
        Ok((session, flow))
    }

    /// What is displayed now, and the app behind it.
    pub fn probe(&mut self) -> Probe<'_> {
        Probe::new(&self.observation.screen, self.device)
    }

    /// What is displayed now.
    pub fn screen(&self) -> &Screen {
        &self.observation.screen
    }

    /// Whether a property holds now; names in it stand for what was remembered.
    pub fn holds(&mut self, prop: &Prop) -> Result<bool, DeviceError> {
        let prop = self.memory.bound(prop);
        Probe::new(&self.observation.screen, self.device).holds(&prop)
    }

    /// The value of an expression now; names in it stand for what was remembered.
    pub fn value(&mut self, expr: &Expr) -> Result<Option<Value>, DeviceError> {
        let value = self.memory.expr(expr).bound;
        self.probe().value(&value)
    }

    /// Ends the run with what its last part came to.
    pub fn finish(mut self, mut flow: Flow) -> Result<Execution, DeviceError> {
        if let Flow::Go = flow {
            flow = interrupted_if_stopped(self.end())?;
        }
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
        // The properties of monitors come last, in the order of the monitors.
        if !self.judged.is_empty() {
            let sources = self.monitors.iter().filter_map(|one| Some((one, one.source?)));
            let with_property = sources.filter(|(_, source)| source.property().is_some());
            let watched: Vec<_> = with_property.map(|(one, _)| one.monitor.judged()).collect();
            let first = self.judged.len().saturating_sub(watched.len());
            for (sum, judged) in self.judged[first..].iter_mut().zip(watched) {
                sum.add(&judged.unwrap_or_default());
            }
        }
        let (judged, blocked, first_screen) = (self.judged, self.blocked_in_try, self.first_screen);
        let Session { executed, moves, attempts, unsettled, lacked, .. } = self;
        Ok(Execution {
            verdict,
            executed,
            moves,
            attempts,
            unsettled,
            lacked,
            interrupted,
            judged,
            blocked,
            first_screen,
            screen,
        })
    }

    /// Asks the monitors once more: the trace has come to its end.
    fn end(&mut self) -> Result<Flow, DeviceError> {
        for watching in &mut self.monitors {
            let mut app = Probe::new(&self.observation.screen, self.device);
            if let Some(finding) = watching.monitor.end(&mut app)? {
                let mut violation = watching.violation(finding, self.executed.len());
                if let Violation::Found { at_end, from_the_start, .. } = &mut violation {
                    (*at_end, *from_the_start) = (true, false);
                }
                return Ok(failed(violation));
            }
        }
        Ok(Flow::Go)
    }

    /// Runs a trace from here.
    pub fn run(&mut self, trace: &Trace) -> Result<Flow, DeviceError> {
        match trace {
            // (No-Op)
            Trace::Unit => Ok(Flow::Go),
            Trace::Event(slot, event) => self.event(*slot, event),
            // (Seq-1) to (Seq-3): `perform` returns when the device is idle.
            Trace::Seq(parts) => {
                for part in parts {
                    match self.run(part)? {
                        Flow::Go => {}
                        ended => return Ok(ended),
                    }
                }
                Ok(Flow::Go)
            }
            Trace::Assert(prop) => self.assert(prop),
            Trace::Let(name, value) => {
                let now = self.value(value)?;
                self.memory.keep(name, now);
                Ok(Flow::Go)
            }
            // (Try-1) to (Try-3): a block ends the try, and only the try.
            Trace::Try(inner) => Ok(match self.run(inner)? {
                Flow::End(verdict) if matches!(*verdict, Verdict::Blocked { .. }) => {
                    self.blocked_in_try.get_or_insert(verdict);
                    Flow::Go
                }
                flow => flow,
            }),
            // (Qualified), (Unqualified)
            Trace::Then(guard, inner) => {
                if self.holds(guard)? {
                    self.run(inner)
                } else {
                    Ok(Flow::Go)
                }
            }
            Trace::Keeps(inner, value) => self.keeps(inner, value),
            Trace::Always(inner, prop) => self.always(inner, prop),
            Trace::Auto(slot, auto, scripts) => self.auto(*slot, auto, scripts),
        }
    }

    /// (Assert-Pass), (Assert-Fail)
    fn assert(&mut self, prop: &Prop) -> Result<Flow, DeviceError> {
        let claim = self.memory.bound(prop);
        let known = self.held.iter().position(|(held, _)| *held == *claim);
        let mut app = Probe::new(&self.observation.screen, self.device);
        let (holds, is_alive) = judge::judged(&claim, &mut app)?;
        if let Some(judged) = self.rules.judged(
            &mut self.judged,
            |property| matches!(property, Property::Assert(known) if known == prop),
        ) {
            judged.note(is_alive, app.screen);
        }
        if holds {
            let now = self.executed.len();
            match known {
                Some(known) => self.held[known].1 = now,
                None => self.held.push((claim.into_owned(), now)),
            }
            return Ok(Flow::Go);
        }
        let mut seen = judge::seen(&claim, &mut app)?;
        seen.extend(self.memory.seen(prop));
        let held_at = known.map(|known| self.held[known].1);
        let (prop, seen) = (Box::new(self.memory.prop(prop)), seen.join(", "));
        Ok(failed(Violation::Assert { prop, held_at, seen }))
    }

    /// Watches a part of the run. The property holds where it begins, too.
    fn always(&mut self, inner: &Trace, prop: &Prop) -> Result<Flow, DeviceError> {
        let mut monitor = Always::scoped(self.memory.prop(prop), self.memory.seen(prop));
        let last = match self.executed.last() {
            Some((slot, event)) => (Some(*slot), Action::Perform(event)),
            None => (None, Action::Reset(self.rules.seed)),
        };
        let step = Step { slot: last.0, action: last.1, before: None, after: &self.observation };
        let mut app = Probe::new(&self.observation.screen, self.device);
        let found = monitor.watch(&step, &mut app)?;
        let watching = Watching { monitor, source: None, since: Some(self.executed.len()) };
        if let Some(finding) = found {
            return Ok(failed(watching.violation(finding, self.executed.len())));
        }
        self.monitors.push(watching);
        let flow = self.run(inner);
        let judged = self.monitors.pop().and_then(|watching| watching.monitor.judged());
        let known =
            |property: &Property| matches!(property, Property::Always(known) if known == prop);
        if let (Some(judged), Some(sum)) = (judged, self.rules.judged(&mut self.judged, known)) {
            sum.add(&judged);
        }
        flow
    }

    fn keeps(&mut self, inner: &Trace, value: &Expr) -> Result<Flow, DeviceError> {
        let value = self.memory.expr(value);
        let before = self.probe().value(&value.bound)?;
        let since = self.executed.len();
        match self.run(inner)? {
            Flow::Go => {}
            ended => return Ok(ended),
        }
        let after = self.probe().value(&value.bound)?;
        let known = |property: &Property| matches!(property, Property::Keeps(known) if *known == value.written);
        if let Some(judged) = self.rules.judged(&mut self.judged, known) {
            judged.note(before.is_some() || after.is_some(), &self.observation.screen);
        }
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
    fn event(&mut self, slot: Slot, event: &Event) -> Result<Flow, DeviceError> {
        if *event == Event::Skip {
            return Ok(Flow::Go);
        }
        if !self.may_go_on() || !self.take_event() {
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
        let before = self.keeps_before.then(|| Arc::clone(&self.observation.screen));
        // (Enabled), (Block-1). The old screen is let go first: a device may use its memory again.
        self.observation.screen = Arc::clone(&self.no_screen);
        let action = Action::Perform(&concrete);
        self.observation = match step(self.device, action, &self.stop) {
            Err(DeviceError::Stopped { .. }) => return Ok(Flow::Interrupted),
            observation => observation?,
        };
        let found = self.show(Some(slot), action, before.as_deref())?;
        let blocked = self.observation.blocked.take();
        if let (Some(reason), None) = (blocked, &self.observation.crash) {
            self.note_circumstances();
            return Ok(self.blocked(&concrete, reason));
        }
        self.executed.push((slot, concrete));
        Ok(self.judged(found))
    }

    /// Whether nobody has interrupted the run, and its budget is not spent.
    pub(crate) fn may_go_on(&self) -> bool {
        let Rules { interrupt, budget, spends_events, .. } = self.rules;
        let is_spent = |budget: &Budget| match spends_events {
            true => budget.is_spent(),
            false => budget.is_over(Spent::Time),
        };
        !interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) && !budget.is_some_and(is_spent)
    }

    fn take_event(&self) -> bool {
        !self.rules.spends_events || self.rules.budget.is_none_or(Budget::take)
    }

    /// Shows a step to all monitors. The first finding counts, with the number of its monitor.
    fn show(
        &mut self,
        slot: Option<Slot>,
        action: Action<'_>,
        before: Option<&Screen>,
    ) -> Result<Option<(usize, Finding)>, DeviceError> {
        let mut found = None;
        // Most runs have no monitor, and millions of steps.
        if self.monitors.is_empty() {
            return Ok(found);
        }
        let step = Step { slot, action, before, after: &self.observation };
        for (index, watching) in self.monitors.iter_mut().enumerate() {
            let mut app = Probe::new(&self.observation.screen, self.device);
            match watching.monitor.watch(&step, &mut app) {
                Ok(finding) if found.is_none() => found = finding.map(|finding| (index, finding)),
                // Who asks an app that has crashed may get no answer: the crash counts.
                Err(error) if found.is_none() && step.after.crash.is_none() => return Err(error),
                _ => {}
            }
        }
        Ok(found)
    }

    /// (Crash), and what the monitors found.
    fn judged(&mut self, found: Option<(usize, Finding)>) -> Flow {
        self.note_circumstances();
        if let Some(crash) = self.observation.crash.take() {
            return Flow::End(Box::new(Verdict::Crashed(crash)));
        }
        match found {
            Some((monitor, finding)) => {
                failed(self.monitors[monitor].violation(finding, self.executed.len()))
            }
            None => Flow::Go,
        }
    }

    /// What is told of a run and decides nothing: that the app did not rest, what the device
    /// lacked.
    fn note_circumstances(&mut self) {
        if self.observation.lacked.is_empty() && self.observation.unsettled.is_none() {
            return;
        }
        for lack in self.observation.lacked.drain(..) {
            if !self.lacked.iter().any(|known| known.what == lack.what) {
                self.lacked.push(lack);
            }
        }
        if let Some(reason) = self.observation.unsettled.take() {
            self.unsettled.get_or_insert(reason);
        }
    }

    fn blocked(&self, event: &Event, reason: Blocked) -> Flow {
        Flow::End(Box::new(Verdict::Blocked {
            event: Box::new(event.clone()),
            reason,
            // The names are looked up when somebody wants to read them: a try throws them away.
            nearest: Vec::new(),
        }))
    }
}

impl Watching<'_> {
    /// What it found, after so many events.
    fn violation(&self, Finding(mut violation): Finding, performed: usize) -> Violation {
        let at_start = performed == self.since.unwrap_or(0);
        match &mut *violation {
            Violation::Always { since, from_the_start, .. } => {
                (*since, *from_the_start) = (self.since, at_start);
            }
            Violation::Found { monitor, from_the_start, .. } => {
                *monitor = self.source.map_or_else(Str::default, |source| source.name().into());
                *from_the_start = at_start;
            }
            Violation::Temporal { from_the_start, .. } => *from_the_start = at_start,
            // A monitor finds none of these.
            Violation::Assert { .. } | Violation::Keeps { .. } => {}
        }
        *violation
    }
}

fn failed(violation: Violation) -> Flow {
    Flow::End(Box::new(Verdict::Failed(violation)))
}

/// The description of what was not there or could not be reached: where the event begins, or where
/// it would have ended.
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
