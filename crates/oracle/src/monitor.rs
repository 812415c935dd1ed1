//! The execution monitor and the verifier: follows a run by the model, and compares.
//!
//! On its own because it is the one part with a state that changes. It knows what is expected (and
//! of what nothing is known), recognizes operators in the steps that were made, and reads the
//! actual state off the screen. Nobody tells it what the steps were meant as, so it watches a
//! script, a monkey, an exploration and a replay alike.

use crate::baseline::differences;
use crate::oracle::{NAME, Oracle};
use crate::readings::{FactReader, ReadingMemory};
use capuchin::log::Judged;
use capuchin::ui::{DeviceError, Event, Screen, Selector, Str};
use capuchin::{Action, Finding, Monitor, Monitors, Probe, Step, Watched};
use capuchin_plan::{PartialState, Truth};
use capuchin_spec::Level;
use std::rc::Rc;

impl Monitors for Oracle {
    fn name(&self) -> &'static str {
        NAME
    }

    fn needs(&self) -> Vec<Str> {
        let mut needs = vec![NAME.into()];
        needs.extend(self.needs.iter().cloned());
        needs
    }

    fn property(&self) -> Option<String> {
        let level = |(level, every): &(Level, u32)| match every {
            1 => level.to_string(),
            every => format!("{level} every {every}"),
        };
        let levels: Vec<String> = self.levels.iter().map(level).collect();
        Some(format!("model {} ({})", self.model.domain().name, levels.join(", ")))
    }

    fn monitor(&self) -> Box<dyn Monitor + '_> {
        Box::new(Following {
            oracle: self,
            expected: self.follower.initial(),
            begun: Vec::new(),
            verified: 0,
            judged: Judged::default(),
            memory: ReadingMemory::default(),
        })
    }
}

/// An operator of which some events have been done.
struct Begun {
    /// The number of its way.
    way: u32,
    /// How many of its events are done.
    done: usize,
    /// What was expected before the first of them.
    before: Rc<PartialState>,
    /// What was displayed before the first of them; only for the complete level.
    screen: Option<Rc<Screen>>,
}

struct Following<'a> {
    oracle: &'a Oracle,
    /// What is expected now, if no operator that was begun is meant.
    expected: PartialState,
    begun: Vec<Begun>,
    /// How many operators have been verified.
    verified: u32,
    judged: Judged,
    memory: ReadingMemory,
}

/// What is wrong after an operator.
struct Mismatch {
    /// The facts, each with what was expected.
    facts: Vec<(u32, bool)>,
    /// What else changed: expected, and seen.
    others: Vec<(String, String)>,
}

impl Monitor for Following<'_> {
    fn wants_before(&self) -> bool {
        true
    }

    fn watch(&mut self, step: &Step<'_>, app: &mut Probe<'_>) -> Watched {
        // A crash is a verdict of its own, and what was blocked has changed nothing.
        if step.after.crash.is_some() || step.is_blocked() {
            return Ok(None);
        }
        match step.action {
            Action::Reset(_) => self.begin(app),
            Action::Perform(Event::Skip) => Ok(None),
            Action::Perform(event) => match step.before {
                Some(before) => self.follow(event, before, app),
                None => self.look_again(app).map(|()| None),
            },
        }
    }

    fn judged(&self) -> Option<Judged> {
        Some(self.judged.clone())
    }
}

impl Following<'_> {
    /// The app begins in the state that the problem says.
    fn begin(&mut self, app: &mut Probe<'_>) -> Watched {
        self.expected = self.oracle.follower.initial();
        self.begun.clear();
        let facts: Vec<u32> = (0..self.oracle.follower.facts().len() as u32).collect();
        let wrong = self.compare(&facts, app)?;
        if wrong.is_empty() {
            return Ok(None);
        }
        let mismatch = Mismatch { facts: wrong, others: Vec::new() };
        Ok(Some(self.finding("at the beginning", "(:init …)", Level::Relevant, &mismatch)))
    }

    fn follow(&mut self, event: &Event, before: &Screen, app: &mut Probe<'_>) -> Watched {
        let oracle = self.oracle;
        let fitting = oracle.operators.fitting(event, before);
        let next = |begun: &Begun| oracle.operators.ways[begun.way as usize].events.get(begun.done);
        let mut begun: Vec<Begun> = std::mem::take(&mut self.begun);
        begun.retain(|one| next(one).is_some_and(|event| fitting.contains(event)));
        if !fitting.is_empty() {
            let is_complete = oracle.levels.iter().any(|(level, _)| *level == Level::Complete);
            let state = Rc::new(self.expected.clone());
            let screen = is_complete.then(|| Rc::new(before.clone()));
            for way in fitting.iter().flat_map(|event| oracle.operators.beginning_with(*event)) {
                let (before, screen) = (Rc::clone(&state), screen.clone());
                begun.push(Begun { way: *way, done: 0, before, screen });
            }
        }
        begun.iter_mut().for_each(|one| one.done += 1);
        let (done, begun): (Vec<Begun>, Vec<Begun>) = begun
            .into_iter()
            .partition(|one| oracle.operators.ways[one.way as usize].events.len() == one.done);
        let step_of = |one: &Begun| oracle.operators.ways[one.way as usize].step as usize;
        let can_be =
            |one: &&Begun| oracle.follower.precondition(step_of(one), &one.before) == Truth::True;
        // Those that began earlier stand first.
        let meant: Vec<&Begun> = done.iter().filter(can_be).collect();
        self.judged.times += 1;
        if meant.is_empty() {
            // Nothing in the model says what this does: nothing is known but what is seen.
            self.begun = begun;
            self.look_again(app)?;
            return Ok(None);
        }
        self.judged.alive += 1;
        self.judged.screens.insert(app.screen().digest());
        self.verified += 1;
        let mut first = None;
        for one in meant {
            let step = step_of(one);
            match self.verify(step, one, app)? {
                None => return Ok(None),
                Some(wrong) => _ = first.get_or_insert((step, wrong)),
            }
        }
        let Some((step, (level, mismatch))) = first else { return Ok(None) };
        let step = &oracle.follower.steps()[step];
        let name = &oracle.model.domain().actions[step.action as usize].name;
        let text = oracle.model.step_text(step);
        Ok(Some(self.finding(&format!("after {name}"), &text, level, &mismatch)))
    }

    /// Compares what an operator leads to with what is seen.
    fn verify(
        &mut self,
        step: usize,
        begun: &Begun,
        app: &mut Probe<'_>,
    ) -> Result<Option<(Level, Mismatch)>, DeviceError> {
        let oracle = self.oracle;
        self.expected = (*begun.before).clone();
        let touched = oracle.follower.apply(step, &mut self.expected);
        let verified = self.verified;
        let due = oracle.levels.iter().filter(|(_, every)| verified.is_multiple_of(*every));
        let Some(level) = due.map(|(level, _)| *level).max() else { return Ok(None) };
        let all = 0..oracle.follower.facts().len() as u32;
        let facts: Vec<u32> = match level {
            Level::Changed => {
                let unknown = |fact: &u32| self.expected.truth(*fact) == Truth::Unknown;
                touched.iter().copied().chain(all.filter(unknown)).collect()
            }
            Level::Relevant | Level::Complete => all.collect(),
        };
        let wrong = self.compare(&facts, app)?;
        let mut others = Vec::new();
        if let (Level::Complete, Some(before)) = (level, &begun.screen) {
            let changed = touched.iter().filter(|fact| {
                let now = self.expected.truth(**fact);
                begun.before.truth(**fact) != now || now == Truth::Unknown
            });
            // What a wrong fact was read from is told already.
            let facts = changed.copied().chain(wrong.iter().map(|(fact, _)| *fact));
            let explained: Vec<&Selector> =
                facts.flat_map(|fact| oracle.readings.selectors(fact)).collect();
            let found = differences(before, app.screen(), &explained);
            others.extend(found.into_iter().map(|it| (it.expected, it.seen)));
        }
        let is_right = wrong.is_empty() && others.is_empty();
        Ok((!is_right).then_some((level, Mismatch { facts: wrong, others })))
    }

    /// Reads facts off the screen: those that are otherwise than expected. What was unknown is
    /// known afterwards, if it is seen.
    fn compare(
        &mut self,
        facts: &[u32],
        app: &mut Probe<'_>,
    ) -> Result<Vec<(u32, bool)>, DeviceError> {
        let mut reader = FactReader::new(&self.oracle.readings, &mut self.memory, app);
        let mut wrong = Vec::new();
        for fact in facts {
            let Some(seen) = reader.read(*fact)? else { continue };
            match self.expected.truth(*fact) {
                Truth::Unknown => self.expected.set(*fact, seen.into()),
                expected if expected == Truth::from(seen) => {}
                _ => wrong.push((*fact, !seen)),
            }
        }
        Ok(wrong)
    }

    /// Something was done that the model does not explain: what is not seen now is unknown.
    fn look_again(&mut self, app: &mut Probe<'_>) -> Result<(), DeviceError> {
        let mut reader = FactReader::new(&self.oracle.readings, &mut self.memory, app);
        for fact in 0..self.oracle.follower.facts().len() as u32 {
            let truth = reader.read(fact)?.map_or(Truth::Unknown, Truth::from);
            self.expected.set(fact, truth);
        }
        Ok(())
    }

    fn finding(&self, when: &str, step: &str, level: Level, mismatch: &Mismatch) -> Finding {
        let oracle = self.oracle;
        let mut names: Vec<String> = Vec::new();
        for (fact, _) in &mismatch.facts {
            let predicate = oracle.follower.facts()[*fact as usize].predicate;
            let name = format!("`{}`", oracle.model.domain().predicates[predicate as usize].name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.sort();
        let what = match (names.as_slice(), mismatch.others.is_empty()) {
            ([], _) => format!("{when}, something changed that the model does not mention"),
            ([one], _) => format!("{when}, {one} is not as expected"),
            (several, _) => format!("{when}, {} are not as expected", several.join(", ")),
        };
        let mut rows: Vec<(String, String)> = mismatch
            .facts
            .iter()
            .map(|(fact, expected)| {
                (oracle.literal(*fact, *expected), oracle.literal(*fact, !*expected))
            })
            .collect();
        rows.extend(mismatch.others.iter().cloned());
        let mut detail = format!("{step}, verified: {level}");
        for (expected, seen) in &rows {
            detail += &format!("\nexpected {expected}, seen {seen}");
        }
        let finding = Finding::new(what).detail(detail);
        rows.into_iter().fold(finding, |finding, (expected, seen)| finding.compared(expected, seen))
    }
}
