//! The part of a run that a pilot steers: the rules of `auto`.
//!
//! On its own because here the next event is not in the trace. Events of a pilot go the same way as all
//! others; what is different is who chooses them, and that one that is blocked ends nothing.

use super::{Flow, Session};
use crate::pilot::{Choice, Crew, Effect, Pilot, Seen, nobody};
use crate::verdict::Verdict;
use capuchin_trace::{Auto, Injection, Trace};
use capuchin_ui::{Blocked, DeviceError};
use std::sync::PoisonError;

impl Session<'_> {
    /// Lets the pilot of this part choose. The scripts are those that are injected, one for each move.
    pub(super) fn auto(&mut self, auto: &Auto, scripts: &[Trace]) -> Result<Flow, DeviceError> {
        let end = self.number + auto.moves as usize + scripts.iter().map(Trace::len).sum::<usize>();
        let info = self.device.info();
        let nobody = || Err(nobody(auto.policy));
        let pilot =
            self.crew.map_or_else(nobody, |crew: &Crew| crew.pilot(auto, self.seed, info))?;
        // The part before this one may have ended in the panic of a driver.
        if pilot.is_poisoned() {
            pilot.clear_poison();
            pilot.lock().unwrap_or_else(PoisonError::into_inner).hand_back();
        }
        let mut pilot = pilot.lock().unwrap_or_else(PoisonError::into_inner);
        let flow = self.steer(pilot.as_mut(), auto, scripts);
        pilot.hand_back();
        self.number = end;
        flow
    }

    fn steer(
        &mut self,
        pilot: &mut dyn Pilot,
        auto: &Auto,
        scripts: &[Trace],
    ) -> Result<Flow, DeviceError> {
        let injection = auto.script.as_ref().map(|(injection, _)| *injection);
        self.hand_over(pilot)?;
        let mut next = self.number;
        for turn in 0..auto.moves as usize {
            // The numbers of a move: those of its script, and then that of its event.
            let script = scripts.get(turn).unwrap_or(&Trace::Unit);
            let (first, own) = (next, next + script.len());
            next = own + 1;
            if injection == Some(Injection::With) {
                let before = self.executed.len();
                match self.script(script, first)? {
                    Flow::Go if self.executed.len() == before => {}
                    Flow::Go => self.hand_over(pilot)?,
                    ended => return Ok(ended),
                }
            }
            let offered = injection == Some(Injection::Offering) && self.is_open(script)?;
            let (flow, of_script) = match pilot.choose(&self.observation.screen, offered) {
                Choice::Stop => return Ok(Flow::Go),
                Choice::Script if offered => (self.script(script, first)?, true),
                Choice::Script => {
                    self.show(pilot, Effect::Blocked(&Blocked::NothingTakesIt))?;
                    continue;
                }
                Choice::Event(event) => {
                    self.number = own;
                    (self.event(&event)?, false)
                }
            };
            match &flow {
                Flow::Go => self.show(pilot, Effect::Done)?,
                Flow::End(verdict) => match &**verdict {
                    // (Try-3): a pilot's own events are tries.
                    Verdict::Blocked { reason, .. } if !of_script => {
                        self.show(pilot, Effect::Blocked(reason))?;
                    }
                    verdict => {
                        self.show(pilot, Effect::Ended(verdict))?;
                        return Ok(flow);
                    }
                },
                Flow::Interrupted => return Ok(flow),
            }
        }
        Ok(Flow::Go)
    }

    /// The pilot takes over. What ran before that is none of its doing.
    fn hand_over(&mut self, pilot: &mut dyn Pilot) -> Result<(), DeviceError> {
        self.fresh_coverage()?;
        pilot.take_over(&self.observation.screen, self.executed.len());
        Ok(())
    }

    /// Shows the pilot what its move came to.
    fn show(&mut self, pilot: &mut dyn Pilot, effect: Effect<'_>) -> Result<(), DeviceError> {
        let fresh = match (self.fresh_coverage(), effect) {
            // What is known of the app is not given up for a count.
            (Err(_), Effect::Ended(_)) => None,
            (fresh, _) => fresh?,
        };
        pilot.saw(&Seen { screen: &self.observation.screen, effect, fresh });
        Ok(())
    }

    /// Runs an injected script, whose events are numbered from here on.
    fn script(&mut self, script: &Trace, first: usize) -> Result<Flow, DeviceError> {
        self.begun.push(first);
        self.number = first;
        self.run(script)
    }

    /// Whether a script may be chosen here: its guard holds, if it has one.
    fn is_open(&mut self, script: &Trace) -> Result<bool, DeviceError> {
        match script {
            Trace::Then(guard, _) => {
                let guard = self.memory.bound(guard).into_owned();
                self.holds(&guard)
            }
            _ => Ok(true),
        }
    }
}
