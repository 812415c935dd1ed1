//! A run as text for a person: the failures as figure 3 of the ChimpCheck paper has them, as soon
//! as they are found, and a line for each check at the end.

use crate::exploration::{duration, percent};
use crate::saved::SavedRuns;
use crate::standing::{Standing, plural, thousands};
use crate::traces::Runs;
use anstyle::{AnsiColor, Style};
use capuchin::log::{Covered, ExplorationRequest, Explored, Failure, Observer, RunEvent};
use std::fmt;
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
    pub(crate) out: W,
    /// Whether it is of traces that are run once, and if so, with the screen at the end of each.
    traces: Option<bool>,
    pub(crate) runs: Runs,
    saved: SavedRuns,
    verdicts: Vec<String>,
    /// The check that is going on, with what its cases came to.
    pub(crate) check: Option<Standing>,
    /// A failure of which no more is known yet than that it was seen.
    pub(crate) seen: Option<Failure>,
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
            out,
            traces: None,
            runs: Runs::default(),
            saved: SavedRuns::default(),
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
                writeln!(self.out, "{spec} on {device} · seed {seed}")
            }
            RunEvent::FailureSeen(failure) => {
                self.seen = Some(failure.clone());
                Ok(())
            }
            RunEvent::DeviceFailed { error } => {
                self.device_failed = true;
                writeln!(self.out, "{RED}the device failed{RED:#}: {error}")
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
                writeln!(self.out, "\n{check} · {}", plural(*cases as usize, "case"))
            }
            RunEvent::ExplorationStarted(asked) => {
                self.asked = asked.clone();
                self.begin(&asked.check, true);
                writeln!(self.out, "\n{}", asked.check)
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
            RunEvent::CheckFinished { check, held, violated, steps, seen, not_reproduced } => {
                let open = self.check.take().is_some_and(|standing| standing.open);
                let (check, seen) = (check.clone(), seen.clone());
                let (held, violated, steps) = (*held, *violated, *steps);
                let not_reproduced = *not_reproduced;
                let standing =
                    Standing { check, open, held, violated, steps, seen, not_reproduced };
                self.verdicts.push(line(&standing));
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
        writeln!(self.out)?;
        for line in &self.verdicts {
            writeln!(self.out, "{line}")?;
        }
        if let ExplorationRequest { resumes: Some(from), known_failures: known @ 1.., .. } =
            &self.asked
        {
            let failures = plural(*known as usize, "failure");
            writeln!(self.out, "known     {failures} of {from}, not reported again")?;
        }
        if let Some(saved) = self.saved.line() {
            writeln!(self.out, "saved     {saved}")?;
        }
        self.reached(covered)?;
        if let Some(busy) = self.unsettled.take() {
            self.note(format_args!("the app did not come to rest: {busy}"))?;
        }
        for lack in std::mem::take(&mut self.lacked) {
            self.note(format_args!("{lack}"))?;
        }
        if self.device_failed {
            self.note(format_args!("the device failed before the end"))?;
        }
        if interrupted {
            self.note(format_args!("the run was interrupted"))?;
        }
        if !not_run.is_empty() {
            let names = not_run.join(", ");
            self.note(format_args!("not run: {names}"))?;
        }
        Ok(())
    }

    /// How far an exploration got, and how much code ran.
    fn reached(&mut self, covered: Option<Covered>) -> io::Result<()> {
        if let Some(point) = &self.explored {
            for (title, line) in figures(point) {
                writeln!(self.out, "{title:9} {line}")?;
            }
        }
        if let Some(covered) = covered.or(self.explored.and_then(|point| point.covered)) {
            let since = if self.asked.resumes.is_some() { ", since it was resumed" } else { "" };
            writeln!(self.out, "covered   {covered}{since}")?;
        }
        Ok(())
    }

    pub(crate) fn note(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        writeln!(self.out, "{YELLOW}note{YELLOW:#}: {text}")
    }

    /// What went wrong, after which events; `number` is what the run calls it.
    pub(crate) fn what_failed(&mut self, number: &str, failure: &Failure) -> io::Result<()> {
        let (summary, after) = (&failure.summary, failure.after());
        writeln!(self.out, "{RED}{number}{summary}{RED:#} after: {after}")?;
        failure.detail.lines().try_for_each(|line| writeln!(self.out, "    {line}"))
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.what_failed(&format!("[{}] ", failure.number), failure)?;
        let out = &mut self.out;
        write!(
            out,
            "    {FAINT}{}, {} → {} in {}",
            failure.found_by(),
            failure.found_steps,
            plural(failure.steps.len(), "event"),
            plural(failure.shrink_runs as usize, "run")
        )?;
        if !failure.shrink_finished && !failure.not_reproduced {
            write!(out, ", not yet the smallest")?;
        }
        writeln!(out, "{FAINT:#}")?;
        if failure.not_reproduced {
            let reruns = plural(failure.again as usize, "rerun");
            writeln!(
                out,
                "    {YELLOW}not reproduced{YELLOW:#} in {reruns}, so it was not shrunk"
            )?;
        } else if failure.is_flaky() {
            writeln!(
                out,
                "    {YELLOW}flaky{YELLOW:#}: reproduced in {} of {} reruns",
                failure.same, failure.again
            )?;
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

fn line(standing: &Standing) -> String {
    let Standing { check, held, violated, seen, .. } = standing;
    if *violated > 0 && *violated == standing.not_reproduced {
        let cases = standing.cases(standing.traces());
        let numbers: Vec<String> = seen.iter().map(|(number, _)| format!("[{number}]")).collect();
        let failures = format!("not reproduced: {}", numbers.join(", "));
        format!("{YELLOW}flaky{YELLOW:#}     {check}  {violated} of {cases}, {failures}")
    } else if *violated > 0 {
        let counts: Vec<String> =
            seen.iter().map(|(number, count)| format!("[{number}] {count}×")).collect();
        let failures = match seen.len() {
            0 => "by failures that are known".to_owned(),
            count => format!("{}: {}", plural(count, "failure"), counts.join(", ")),
        };
        let cases = standing.cases(standing.traces());
        format!("{RED}violated{RED:#}  {check}  {violated} of {cases}, {failures}")
    } else if *held > 0 {
        let (place, cases, events) = (standing.place(), standing.cases(*held), standing.events());
        format!("{GREEN}held{GREEN:#}      {check}  {place} {cases}, {events}")
    } else if standing.open {
        format!("{YELLOW}nothing{YELLOW:#}   {check}  no run came to its end")
    } else {
        format!("{YELLOW}nothing{YELLOW:#}   {check}  no trace was run to its end")
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
