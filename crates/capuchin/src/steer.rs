//! The part of a run that a pilot steers: the rules of `auto`.
//!
//! On its own because here the next input is not in the trace. What a pilot chooses goes the same
//! way as all else; what is different is who chooses it, and that a try of its own that is blocked
//! ends nothing.

use crate::pilot::{Choice, Effect, NamedTrace, Pilot, locked, unknown_policy};
use crate::probe::Probe;
use crate::session::{Flow, Session};
use crate::verdict::Verdict;
use capuchin_trace::{Auto, Injection, Move, Slot, Trace};
use capuchin_ui::DeviceError;

impl Session<'_> {
    /// Lets the pilot of this part choose. The scripts are those that are injected, one for each
    /// move.
    pub(crate) fn auto(
        &mut self,
        slot: Slot,
        auto: &Auto,
        scripts: &[Trace],
    ) -> Result<Flow, DeviceError> {
        let (pilots, seed, app) = (self.rules.pilots, self.rules.seed, self.probe());
        let info = app.info();
        let pilot = match pilots {
            Some(pilots) => pilots.pilot(auto, seed, info)?,
            None => return Err(unknown_policy(auto)),
        };
        let mut pilot = locked(&pilot);
        let flow = self.steer(pilot.as_mut(), slot, auto, scripts);
        pilot.hand_back();
        flow
    }

    fn steer(
        &mut self,
        pilot: &mut dyn Pilot,
        slot: Slot,
        auto: &Auto,
        scripts: &[Trace],
    ) -> Result<Flow, DeviceError> {
        let injection = auto.script.as_ref().map(|(injection, script)| (*injection, script));
        let name = match injection {
            Some((Injection::Offering, script)) => script.to_string().into(),
            _ => capuchin_ui::Str::default(),
        };
        // How many events the pilot has chosen.
        let mut chosen = 0;
        self.hand_over(pilot)?;
        for turn in 0..auto.moves {
            let script = scripts.get(turn as usize).unwrap_or(&Trace::Unit);
            if let Some((Injection::With, _)) = injection {
                let before = self.executed.len();
                self.moves.push(Move { auto: slot, turn, trace: script.clone() });
                match self.run(script)? {
                    Flow::Go if self.executed.len() == before => {}
                    Flow::Go => self.hand_over(pilot)?,
                    ended => return Ok(ended),
                }
            }
            if !self.may_go_on() {
                return Ok(Flow::Interrupted);
            }
            let offered = match injection {
                Some((Injection::Offering, _)) if self.is_open(script)? => {
                    vec![NamedTrace { name: name.clone(), trace: script.clone() }]
                }
                _ => Vec::new(),
            };
            let mut app = self.probe();
            let choice = pilot.choose(&mut app, &offered)?;
            if let Some(screen) = app.recorded_on {
                self.observation.screen = screen;
            }
            let trace = match choice {
                Choice::Stop => return Ok(Flow::Go),
                Choice::Run(trace) => trace,
            };
            let is_offered = offered.iter().any(|offered| offered.trace == trace);
            if !is_offered && trace.is_steered() {
                let what = "a pilot chose a trace with an `auto` in it; offer that in the trace";
                return Err(DeviceError::Request(what.to_owned()));
            }
            let trace = if is_offered { trace } else { trace.chosen(slot, &mut chosen) };
            self.moves.push(Move { auto: slot, turn, trace: trace.clone() });
            // (Try-3), but the pilot is told of a block.
            let (inner, is_try) = match &trace {
                Trace::Try(inner) => (&**inner, true),
                trace => (trace, false),
            };
            let flow = self.run(inner)?;
            let effect = match &flow {
                Flow::Go => Effect::Done,
                Flow::End(verdict) => match &**verdict {
                    Verdict::Blocked { reason, .. } if is_try => Effect::Blocked(reason),
                    verdict => Effect::Ended(verdict),
                },
                Flow::Interrupted => Effect::Interrupted,
            };
            self.shown(pilot, effect)?;
            if let Effect::Ended(_) | Effect::Interrupted = effect {
                return Ok(flow);
            }
        }
        Ok(Flow::Go)
    }

    /// The pilot takes over.
    fn hand_over(&mut self, pilot: &mut dyn Pilot) -> Result<(), DeviceError> {
        let is_first = self.executed.is_empty();
        let on_move = self.rules.on_move;
        let mut app = self.probe();
        let fresh = app.fresh_coverage()?.filter(|_| is_first).unwrap_or(0);
        pilot.take_over(&mut app, fresh);
        tell(on_move, pilot, &mut app);
        Ok(())
    }

    /// Shows the pilot what its move came to.
    fn shown(&mut self, pilot: &mut dyn Pilot, effect: Effect<'_>) -> Result<(), DeviceError> {
        let on_move = self.rules.on_move;
        let mut app = self.probe();
        let fresh = match (app.fresh_coverage(), effect) {
            // What is known of the app is not given up for a count.
            (Err(_), Effect::Ended(_) | Effect::Interrupted) => None,
            (fresh, _) => fresh?,
        };
        pilot.saw(effect, fresh, &mut app);
        tell(on_move, pilot, &mut app);
        Ok(())
    }

    /// Whether a script may be chosen here: its guard holds, if it has one.
    fn is_open(&mut self, script: &Trace) -> Result<bool, DeviceError> {
        match script {
            Trace::Then(guard, _) => self.holds(guard),
            _ => Ok(true),
        }
    }
}

fn tell(on_move: Option<crate::execution::OnMove<'_>>, pilot: &dyn Pilot, app: &mut Probe<'_>) {
    if let Some(on_move) = on_move {
        on_move(pilot, app);
    }
}
