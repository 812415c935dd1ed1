//! A run as text for a person: the failures as figure 3 of the ChimpCheck paper has them, as soon
//! as they are found, and a line for each check at the end.

use crate::exploration::{duration, percent};
use crate::printer::{Part, Printer, events};
use crate::standing::{Standing, plural, thousands};
use anstyle::{AnsiColor, Style};
use capuchin::log::{Covered, ExplorationRequest, Explored, Failure, Observer, RunEvent};
use std::io::{self, Write};

pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();
pub(crate) const GREEN: Style = AnsiColor::Green.on_default().bold();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// Writes a run as text, with colours; strip them where they are not wanted.
pub struct Terminal<W> {
    out: Printer<W>,
    verdicts: Vec<Vec<Part<'static>>>,
    /// The check that is going on, with what its cases came to.
    check: Option<Standing>,
    /// A failure of which no more is known yet than that it was seen.
    seen: Option<Failure>,
    unsettled: Option<String>,
    /// What the device lacked.
    lacked: Vec<String>,
    /// How far an exploration has got.
    explored: Option<Explored>,
    /// How it was asked for.
    asked: ExplorationRequest,
    device_failed: bool,
    problem: Option<io::Error>,
}

impl<W: Write> Terminal<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Terminal {
            out: Printer::new(out),
            verdicts: Vec::new(),
            check: None,
            seen: None,
            unsettled: None,
            lacked: Vec::new(),
            explored: None,
            asked: ExplorationRequest::default(),
            device_failed: false,
            problem: None,
        }
    }

    /// What could not be written, if something could not.
    pub fn problem(&self) -> Option<&io::Error> {
        self.problem.as_ref()
    }

    fn write(&mut self, event: &RunEvent) -> io::Result<()> {
        match event {
            RunEvent::RunStarted { spec, device, seed, .. } => {
                self.out.line([format!("{spec} on {device} · seed {seed}").into()])
            }
            RunEvent::CheckStarted { check, cases, .. } => {
                self.begin(check, false);
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
            RunEvent::FailureSeen(failure) => {
                self.seen = Some(failure.clone());
                Ok(())
            }
            RunEvent::FailureFound(failure) => {
                self.seen = None;
                self.failure(failure)
            }
            RunEvent::DeviceFailed { error } => {
                self.device_failed = true;
                self.out.line([Part::styled(RED, "the device failed"), ": ".into(), error.into()])
            }
            RunEvent::CheckFinished { check, held, violated, steps, seen } => {
                let open = self.check.take().is_some_and(|standing| standing.open);
                let (check, seen) = (check.clone(), seen.clone());
                let (held, violated, steps) = (*held, *violated, *steps);
                self.verdicts.push(line(&Standing { check, open, held, violated, steps, seen }));
                Ok(())
            }
            RunEvent::RunFinished { interrupted, covered, not_run } => {
                self.finish(*interrupted, *covered, not_run)
            }
            RunEvent::DeviceLacked { what, reason, cases } => {
                let cases = plural(*cases as usize, "case");
                self.lacked.push(format!("the device lacked {what} in {cases}: {reason}"));
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

    fn begin(&mut self, check: &str, open: bool) {
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
        self.reached(covered)?;
        if let Some(busy) = &self.unsettled {
            self.out.line(note(format!("the app did not come to rest: {busy}")))?;
        }
        for lack in &self.lacked {
            self.out.line(note(lack))?;
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

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        let title = format!("[{}] {}", failure.number, failure.summary);
        let mut parts = vec![Part::styled(RED, title), " after: ".into()];
        parts.extend(events(failure.steps.iter().map(|step| step.event.as_str())));
        self.out.line(parts)?;
        self.out.lines("    ", &failure.detail)?;
        let more = if failure.shrink_finished { "" } else { ", not yet the smallest" };
        let effort = format!(
            "case {}, {} → {} in {}{more}",
            failure.case,
            failure.found_steps,
            plural(failure.steps.len(), "event"),
            plural(failure.shrink_runs as usize, "run"),
        );
        self.out.line(["    ".into(), Part::styled(FAINT, effort)])?;
        if failure.is_flaky() {
            let reruns = format!(": reproduced in {} of {} reruns", failure.same, failure.again);
            self.out.line(["    ".into(), Part::styled(YELLOW, "flaky"), reruns.into()])?;
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
    if *violated > 0 {
        let counts: Vec<String> =
            seen.iter().map(|(number, count)| format!("[{number}] {count}×")).collect();
        let failures = match seen.len() {
            0 => "by failures that are known".to_owned(),
            count => format!("{}: {}", plural(count, "failure"), counts.join(", ")),
        };
        let cases = standing.cases(standing.traces());
        let rest = format!("  {check}  {violated} of {cases}, {failures}");
        vec![Part::styled(RED, "violated"), rest.into()]
    } else if *held > 0 {
        let (place, cases, events) = (standing.place(), standing.cases(*held), standing.events());
        let rest = format!("      {check}  {place} {cases}, {events}");
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
