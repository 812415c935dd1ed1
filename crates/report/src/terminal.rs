//! A run as text for a person: the failures as figure 3 of the ChimpCheck paper has them, as soon
//! as they are found, and a line for each check at the end.

use crate::exploration::{duration, percent};
use crate::printer::{Part, Printer, events};
use crate::replays;
use crate::saved::SavedRuns;
use crate::secrets::without_secrets;
use crate::standing::{self, Standing, liveness, plural, thousands};
use crate::traces::Runs;
use anstyle::{AnsiColor, Style};
use capuchin::log::{
    Covered, ExplorationRequest, Explored, Failure, Observer, PropertyTally, RecordingReplay,
    RunEvent,
};
use std::io::{self, Write};

const RED: Style = AnsiColor::Red.on_default().bold();
pub(crate) const GREEN: Style = AnsiColor::Green.on_default().bold();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// Writes a run as text, with colours; strip them where they are not wanted.
///
/// Of a check or an exploration it says what failed; of traces that are run once, what became of
/// each.
pub struct Terminal<W> {
    pub(crate) out: Printer<W>,
    /// Whether it is of traces that are run once, and if so, with the screen at the end of each.
    traces: Option<bool>,
    pub(crate) runs: Runs,
    saved: SavedRuns,
    verdicts: Vec<Vec<Part<'static>>>,
    /// The check that is going on, with what its cases came to.
    pub(crate) check: Option<Standing>,
    /// A failure of which no more is known yet than that it was seen.
    pub(crate) seen: Option<Failure>,
    unsettled: Option<String>,
    /// What else is to be said at the end.
    notes: Vec<String>,
    /// How far an exploration has got.
    explored: Option<Explored>,
    /// How it was asked for.
    asked: ExplorationRequest,
    /// The replays of the check that is going on, and how many cases it has.
    replays: Vec<RecordingReplay>,
    planned: u32,
    device_failed: bool,
    problem: Option<io::Error>,
}

impl<W: Write> Terminal<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Terminal {
            out: Printer::new(out),
            traces: None,
            runs: Runs::default(),
            saved: SavedRuns::default(),
            verdicts: Vec::new(),
            check: None,
            seen: None,
            unsettled: None,
            notes: Vec::new(),
            explored: None,
            asked: ExplorationRequest::default(),
            replays: Vec::new(),
            planned: 0,
            device_failed: false,
            problem: None,
        }
    }

    /// Writes to `out` what became of each trace; with the screen at its end, if that is wanted.
    pub fn of_traces(out: W, with_screens: bool) -> Self {
        Terminal { traces: Some(with_screens), ..Terminal::new(out) }
    }

    /// What could not be written, if something could not.
    pub fn problem(&self) -> Option<&io::Error> {
        self.problem.as_ref()
    }

    fn write(&mut self, event: &RunEvent) -> io::Result<()> {
        self.saved.observe(event);
        match event {
            RunEvent::RunStarted { spec, device, seed, .. } => {
                let device = without_secrets(device);
                self.out.line([format!("{spec} on {device} · seed {seed}").into()])
            }
            RunEvent::FailureSeen(failure) => {
                self.seen = Some(failure.clone());
                Ok(())
            }
            RunEvent::DeviceFailed { error } => {
                self.device_failed = true;
                self.out.line([
                    Part::styled(RED, "the device failed"),
                    ": ".into(),
                    without_secrets(error).into(),
                ])
            }
            event => match self.traces {
                Some(with_screens) => self.write_trace(event, with_screens),
                None => self.write_check(event),
            },
        }
    }

    /// What happens in a check or an exploration.
    fn write_check(&mut self, event: &RunEvent) -> io::Result<()> {
        match event {
            RunEvent::CheckStarted { check, cases, .. } => {
                self.begin(check, false);
                self.planned = *cases;
                self.out.line([])?;
                self.out.line([check.into(), " · ".into(), plural(*cases as usize, "case").into()])
            }
            RunEvent::ExplorationStarted(asked) => {
                self.asked = asked.clone();
                self.begin(&asked.check, true);
                self.out.line([])?;
                self.out.line([(&asked.check).into()])
            }
            RunEvent::CaseFinished { verdict, steps, failure, unsettled, .. } => {
                if let Some(busy) = unsettled {
                    self.unsettled.get_or_insert_with(|| busy.clone());
                }
                if let Some(standing) = &mut self.check {
                    standing.add(*verdict, *steps, *failure);
                }
                Ok(())
            }
            RunEvent::SavedFinished { verdict, failure: Some(number), .. } => {
                if let Some(standing) = &mut self.check {
                    standing.add(*verdict, 0, Some(*number));
                }
                Ok(())
            }
            RunEvent::FailureFound(failure) => {
                self.seen = None;
                self.failure(failure)
            }
            RunEvent::FailureShrunk(failure) => self.failure(failure),
            RunEvent::CheckFinished { .. } => {
                let open = self.check.take().is_some_and(|standing| standing.open);
                let replays = std::mem::take(&mut self.replays);
                if let Some(standing) = Standing::finished(event, open) {
                    // What a replay comes to says more than that its run came to an end.
                    if standing.violated > 0 || replays.is_empty() {
                        self.verdicts.push(line(&standing));
                    }
                    self.verdicts.extend(replays::verdict(&replays, self.planned));
                    // What was violated was alive; of what held, it is the question how much.
                    let held = standing.violated == 0;
                    let partly = |tally: &&PropertyTally| {
                        let is_part = tally.alive < tally.judged || tally.undecided > 0;
                        held && is_part && !tally.unasked
                    };
                    self.verdicts.extend(standing.properties.iter().filter(partly).map(|tally| {
                        vec![format!("alive     {}: {}", tally.property, liveness(tally)).into()]
                    }));
                    if let Some(unasked) = standing::unasked(&standing.properties) {
                        self.verdicts.push(vec![format!("relations {unasked}").into()]);
                    }
                    let named = |waste| format!("{}: {waste}", standing.check);
                    // Replays are to do the same.
                    let waste = if replays.is_empty() { standing.waste() } else { Vec::new() };
                    self.notes.extend(waste.into_iter().map(named));
                }
                Ok(())
            }
            RunEvent::RunFinished { interrupted, covered, not_run } => {
                self.finish(*interrupted, *covered, not_run)
            }
            RunEvent::DeviceLacked { .. } | RunEvent::ResetDiffers { .. } => {
                self.notes.extend(standing::note(event));
                Ok(())
            }
            RunEvent::RecordingReplayed(replay) => {
                for line in replays::lines(replay) {
                    self.out.line(line)?;
                }
                self.replays.push((**replay).clone());
                Ok(())
            }
            RunEvent::Explored(point) => {
                // Only how far it got is told, not how it went there.
                self.explored = Some(*point);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn begin(&mut self, check: &str, open: bool) {
        self.check = Some(Standing { check: check.to_owned(), open, ..Standing::default() });
    }

    fn finish(
        &mut self,
        interrupted: bool,
        covered: Option<Covered>,
        not_run: &[String],
    ) -> io::Result<()> {
        // A run that was killed leaves a failure that was not yet shrunk, and cases of a
        // check whose end it does not have.
        if let Some(failure) = self.seen.take() {
            self.failure(&failure)?;
            if let Some(standing) = &mut self.check {
                standing.add(failure.kind, failure.found_steps, Some(failure.number));
            }
        }
        self.verdicts.extend(self.check.take().map(|standing| line(&standing)));
        self.out.line([])?;
        for line in &self.verdicts {
            self.out.line(line.iter().cloned())?;
        }
        if let ExplorationRequest { resumes: Some(from), known_failures: known @ 1.., .. } =
            &self.asked
        {
            let failures = plural(*known as usize, "failure");
            let known = format!("known     {failures} of {from}, not reported again");
            self.out.line([known.into()])?;
        }
        if let Some(saved) = self.saved.line() {
            self.out.line([format!("saved     {saved}").into()])?;
        }
        self.reached(covered)?;
        if let Some(busy) = self.unsettled.take() {
            self.out.line(note(format!("the app did not come to rest: {busy}")))?;
        }
        for text in std::mem::take(&mut self.notes) {
            self.out.line(note(text))?;
        }
        if self.device_failed {
            self.out.line(note("the device failed before the end"))?;
        }
        if interrupted {
            self.out.line(note("the run was interrupted"))?;
        }
        if !not_run.is_empty() {
            let names = not_run.join(", ");
            self.out.line(note(format!("not run: {names}")))?;
        }
        Ok(())
    }

    /// How far an exploration got, and how much code ran.
    fn reached(&mut self, covered: Option<Covered>) -> io::Result<()> {
        if let Some(point) = &self.explored {
            for (title, line) in figures(point) {
                self.out.line([format!("{title:9} {line}").into()])?;
            }
        }
        if let Some(covered) = covered.or(self.explored.and_then(|point| point.covered)) {
            let since = if self.asked.resumes.is_some() { ", since it was resumed" } else { "" };
            self.out.line([format!("covered   {covered}{since}").into()])?;
        }
        Ok(())
    }

    /// What went wrong, after which events; `number` is what the run calls it.
    pub(crate) fn what_failed(&mut self, number: &str, failure: &Failure) -> io::Result<()> {
        let title = format!("{number}{}", failure.summary);
        let mut parts = vec![Part::styled(RED, title), " after: ".into()];
        parts.extend(events(failure.steps.iter().map(|step| step.event.as_str())));
        self.out.line(parts)?;
        self.out.lines("    ", &failure.detail)
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.what_failed(&format!("[{}] ", failure.number), failure)?;
        let (found_by, events) = (failure.found_by(), plural(failure.steps.len(), "event"));
        let runs = plural(failure.shrink_runs as usize, "run");
        let more = if failure.shrink_finished { "" } else { ", not yet the smallest" };
        let effort = match failure.not_reproduced {
            true => format!("{found_by}, {events}"),
            false => format!("{found_by}, {} → {events} in {runs}{more}", failure.found_steps),
        };
        self.out.line(["    ".into(), Part::styled(FAINT, effort)])?;
        let reruns = plural(failure.again as usize, "rerun");
        if failure.not_reproduced {
            let rest = format!(" in {reruns}, so it was not shrunk");
            self.out.line(["    ".into(), Part::styled(YELLOW, "not reproduced"), rest.into()])?;
        } else if failure.is_flaky() {
            let rest = format!(": reproduced in {} of {reruns}", failure.same);
            self.out.line(["    ".into(), Part::styled(YELLOW, "flaky"), rest.into()])?;
        }
        Ok(())
    }
}

impl<W: Write> Observer for Terminal<W> {
    fn observe(&mut self, event: &RunEvent) {
        if let (Err(error), None) = (self.write(event), &self.problem) {
            self.problem = Some(error);
        }
    }
}

/// A line that says what else to know of the run.
pub(crate) fn note<'a>(text: impl Into<Part<'a>>) -> [Part<'a>; 3] {
    [Part::styled(YELLOW, "note"), ": ".into(), text.into()]
}

fn line(standing: &Standing) -> Vec<Part<'static>> {
    let Standing { check, held, violated, seen, .. } = standing;
    if *violated > 0 && *violated == standing.not_reproduced {
        let cases = standing.cases(standing.traces());
        let numbers: Vec<String> = seen.iter().map(|(number, _)| format!("[{number}]")).collect();
        let failures = format!("not reproduced: {}", numbers.join(", "));
        let rest = format!("     {check}  {violated} of {cases}, {failures}");
        vec![Part::styled(YELLOW, "flaky"), rest.into()]
    } else if *violated > 0 {
        let counts: Vec<String> =
            seen.iter().map(|(number, count)| format!("[{number}] {count}×")).collect();
        let failures = match seen.len() {
            0 => "by failures that are known".to_owned(),
            count => format!("{}: {}", plural(count, "failure"), counts.join(", ")),
        };
        let cases = standing.cases(standing.traces());
        let rest = format!("  {check}  {violated} of {cases}, {failures}");
        vec![Part::styled(RED, "violated"), rest.into()]
    } else if !standing.never_alive().is_empty() {
        let (place, cases) = (standing.place(), standing.cases(standing.traces()));
        let names: Vec<_> = standing.never_alive().iter().map(|it| it.property.as_str()).collect();
        let rest = format!("   {check}  never alive {place} {cases}: {}", names.join("; "));
        vec![Part::styled(YELLOW, "nothing"), rest.into()]
    } else if !standing.never_decided().is_empty() {
        let (place, cases) = (standing.place(), standing.cases(standing.undecided));
        let names: Vec<_> =
            standing.never_decided().iter().map(|it| it.property.as_str()).collect();
        let rest = format!("   {check}  not decided {place} {cases}: {}", names.join("; "));
        vec![Part::styled(YELLOW, "nothing"), rest.into()]
    } else if *held > 0 {
        let (place, cases, events) = (standing.place(), standing.cases(*held), standing.events());
        let undecided = standing.not_decided().map_or(String::new(), |said| format!(", {said}"));
        let rest = format!("      {check}  {place} {cases}{undecided}, {events}");
        vec![Part::styled(GREEN, "held"), rest.into()]
    } else {
        let end =
            if standing.open { "no run came to its end" } else { "no trace was run to its end" };
        vec![Part::styled(YELLOW, "nothing"), format!("   {check}  {end}").into()]
    }
}

/// How far an exploration got. What a clock measured is on a line of its own: all else is the same
/// in two runs of one seed.
fn figures(point: &Explored) -> [(&'static str, String); 3] {
    let of = |count: u64, noun: &str| {
        format!("{} {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
    };
    let seen = format!("{}, {}", of(point.screens, "screen"), of(point.transitions, "transition"));
    let model = match point.states {
        0 => String::new(),
        states => format!(", a model of {}", of(states, "state")),
    };
    let prefixes = match point.prefixes {
        1 => "1 input prefix".to_owned(),
        prefixes => format!("{} different input prefixes", thousands(prefixes)),
    };
    let restarts = of(point.restarts, "restart");
    let share = percent(point.restart_millis, point.millis);
    let shrinking = match point.examine_millis {
        0 => String::new(),
        millis => format!(" + {} shrinking", duration(millis)),
    };
    [
        ("explored", format!("{seen}{model}")),
        ("effort", format!("{}, {restarts}, {prefixes}", of(point.events, "event"))),
        ("time", format!("{} ({share} restarting){shrinking}", duration(point.millis))),
    ]
}
