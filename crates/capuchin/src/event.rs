//! What a run tells the outside: one stream of events that the terminal, the log and JUnit read.
//!
//! These types are also the format of the log on disk: see `docs/adr/0008`. A change that an old
//! log would not survive needs a new [`LOG_VERSION`]. A new kind of event does not: a reader that
//! does not know it yet leaves it out.

use crate::film::Frame;
use crate::property::{Judged, PropertyTally, Wasted};
use crate::replay::{Replayed, SavedFailures};
use crate::replay_log::RecordingReplay;
use crate::verdict::Verdict;
use capuchin_ui::{CodeCoverage, Share};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the log's format. A reader refuses a log with a higher one.
pub const LOG_VERSION: u32 = 1;

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictKind {
    /// Everything held.
    Succeeded,
    /// The app crashed.
    Crashed,
    /// A property did not hold.
    Failed,
    /// An event could not be performed.
    Blocked,
    /// Nothing went wrong, but it ended before a property of the run was decided.
    Undecided,
}

impl From<&Verdict> for VerdictKind {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Succeeded => VerdictKind::Succeeded,
            Verdict::Crashed(_) => VerdictKind::Crashed,
            Verdict::Failed(_) => VerdictKind::Failed,
            Verdict::Blocked { .. } => VerdictKind::Blocked,
        }
    }
}

/// A step of a failing trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LoggedStep {
    /// The event, as the language writes it.
    pub event: String,
}

/// What became of a case: what a worker sends back. It is a plain value, so that a worker may be a
/// thread, a process or another machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CaseReport {
    /// The number of the case, from 0.
    pub index: u32,
    /// The seed of just this case.
    pub seed: u64,
    /// How it ended.
    pub verdict: VerdictKind,
    /// What makes two failures the same one; empty if it succeeded.
    pub signature: String,
    /// How many events were tried in it.
    pub steps: u32,
    /// What kept the app from coming to rest.
    pub unsettled: Option<String>,
    /// What the app asked for and the device does not have, each with the reason.
    pub lacked: Vec<(String, String)>,
    /// It was interrupted, or its budget was spent; the verdict says nothing.
    pub interrupted: bool,
    /// How it began on another screen than the run before, with the same seed.
    pub began_otherwise: Option<String>,
    /// How much was judged of each property of the plan.
    pub judged: Vec<Judged>,
    /// If most of its events were blocked: one of them, and why.
    pub blocked_at: Option<String>,
    /// A digest of what was done.
    pub done: u64,
    /// The failure as it was found.
    pub failure: Option<Box<Failure>>,
    /// What was executed, if the plan wants it.
    pub executed: Option<Executed>,
    /// How it compares with the failure that is expected of it, if one is.
    pub replayed: Option<Replayed>,
    /// The file of the saved failure that was run, if it is no case that was drawn.
    pub saved: Option<String>,
}

/// What was executed in a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Executed {
    /// The events, in one line.
    pub events: String,
    /// The screen at the end.
    pub screen: String,
}

/// Something that is otherwise than a monitor expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// What was expected.
    pub expected: String,
    /// What was seen.
    pub seen: String,
}

/// A distinct failure of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Failure {
    /// Its number within the run, from 1.
    pub number: u32,
    /// The check that found it.
    pub check: String,
    /// How the case ended.
    pub kind: VerdictKind,
    /// What happened, in a line.
    pub summary: String,
    /// More of it: the crash's report, the values seen, what was on the screen.
    pub detail: String,
    /// What a monitor compared, and found to be otherwise than expected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<Compared>,
    /// What tells it apart when the smallest trace is run by itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub expectation: String,
    /// The events of the smallest trace, without what went wrong after them.
    pub steps: Vec<LoggedStep>,
    /// The smallest trace as it runs: the events and what went wrong.
    pub minimal: String,
    /// The names in it that a specification must declare for it to run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// The monitor that must watch for it to fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monitor: Option<String>,
    /// The property of the run that it violates, as an item of a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// How many events were performed when it was found.
    pub found_steps: u32,
    /// The number of the case that found it, from 0.
    pub case: u32,
    /// It was saved by the last run, and came again: no case has found it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub saved: bool,
    /// The seed of that case: with it, the smallest trace runs as it ran.
    pub seed: u64,
    /// How many runs it took to shrink it.
    pub shrink_runs: u32,
    /// Whether the search for a smaller one came to its end.
    pub shrink_finished: bool,
    /// It never came again when it was run again, and was not shrunk.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_reproduced: bool,
    /// How a rerun began on another screen than the run that found it, with the same seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began_otherwise: Option<String>,
    /// How often the smallest trace was run again.
    pub again: u32,
    /// How often it failed in the same way then.
    pub same: u32,
    /// A run of the smallest trace, screen by screen: one before each event, and the last one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub film: Vec<Frame>,
}

impl Failure {
    /// Where a run directory keeps what belongs to it: a path from there, without an extension.
    pub fn file_stem(&self) -> String {
        format!("failures/{}-{}", self.number, Failure::check_in_files(&self.check))
    }

    /// How names of files write the name of a check.
    pub fn check_in_files(check: &str) -> String {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        check.chars().take(40).map(safe).collect()
    }

    /// Who found it: a case by its number, or the last run.
    pub fn found_by(&self) -> String {
        if self.saved { "saved by the last run".into() } else { format!("case {}", self.case) }
    }

    /// The events of the smallest trace in one line.
    pub fn after(&self) -> String {
        one_line(self.steps.iter().map(|step| step.event.as_str()))
    }

    /// Whether it did not fail every time it was run again.
    pub fn is_flaky(&self) -> bool {
        self.same < self.again
    }
}

/// Events in one line.
pub(crate) fn one_line(events: impl Iterator<Item = impl Into<String>>) -> String {
    let events: Vec<String> = events.map(Into::into).collect();
    if events.is_empty() { "nothing".to_owned() } else { events.join(" :>> ") }
}

/// How much of the app's code ran, on all devices together: how many of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Covered {
    /// Functions that were entered.
    pub functions: (u64, u64),
    /// Branches that were taken, of those that are known.
    pub branches: (u64, u64),
    /// Lines that ran.
    pub lines: (u64, u64),
}

impl From<&CodeCoverage> for Covered {
    fn from(coverage: &CodeCoverage) -> Self {
        let pair = |share: Share| (share.covered as u64, share.total as u64);
        Covered {
            functions: pair(coverage.functions()),
            branches: pair(coverage.branches()),
            lines: pair(coverage.lines()),
        }
    }
}

impl fmt::Display for Covered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Covered { functions, branches, lines } = self;
        write!(f, "{} of {} functions", functions.0, functions.1)?;
        write!(f, ", {} of {} branches", branches.0, branches.1)?;
        write!(f, ", {} of {} lines", lines.0, lines.1)
    }
}

/// How an exploration was asked for, the device and the seed aside: what it takes to run it again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplorationRequest {
    /// What it is called in reports, beside checks.
    #[serde(default)]
    pub check: String,
    /// Who chooses the events.
    pub policy: String,
    /// The words of the command that say so, and everything else.
    pub options: Vec<String>,
    /// The run directory of the exploration that it goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumes: Option<String>,
    /// How many failures are known from there: they are not told again.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub known_failures: u64,
}

fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

/// How far an exploration is: a point of its curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explored {
    /// Events performed.
    pub events: u64,
    /// Restarts; the first start is none.
    pub restarts: u64,
    /// Different screens seen, by the abstraction that it explores with.
    pub screens: u64,
    /// Different transitions between them.
    pub transitions: u64,
    /// Different sequences of inputs from a restart.
    pub prefixes: u64,
    /// The states of the policy's model; 0 if it has none.
    pub states: u64,
    /// How much of the app's code ran, if the device counts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covered: Option<Covered>,
    /// Milliseconds since it began.
    pub millis: u64,
    /// How many of them went into restarts.
    pub restart_millis: u64,
    /// Milliseconds that failures took to be shrunk and confirmed; not among the others.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub examine_millis: u64,
}

/// What an exploration has learned of an app: its screens, and what leads from one to the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Map {
    /// The states of the model; the first is the initial one.
    pub states: Vec<MapState>,
    /// What leads from one to another.
    pub edges: Vec<MapEdge>,
}

/// A state of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapState {
    /// What a person would call it: where the app is, its heading.
    pub name: String,
    /// How many inputs are enabled in it.
    pub enabled: u32,
    /// How many of them were never tried.
    pub untried: u32,
    /// How often it was visited.
    pub visits: u32,
    /// Whether the app is over there: it has crashed, broken a property, or ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ended: bool,
    /// The picture of it: a path from the run directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// All inputs that lead from one state to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapEdge {
    /// The number of the state, from 0.
    pub from: u32,
    /// The number of the state that it leads to.
    pub to: u32,
    /// The inputs, as the language writes them.
    pub inputs: Vec<String>,
}

/// Something that happened in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RunEvent {
    /// The first event of every run.
    RunStarted {
        /// The version of this format.
        version: u32,
        /// The specification, as it was named.
        spec: String,
        /// The device, as it was named.
        device: String,
        /// The seed of the run.
        seed: u64,
    },
    /// A check begins.
    CheckStarted {
        /// Its name.
        check: String,
        /// Its generator, printed.
        generator: String,
        /// How many cases are planned.
        cases: u32,
        /// The failure that is expected of its traces, if they are saved ones.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected: Option<String>,
    },
    /// A case was run.
    CaseFinished {
        /// Its number, from 0.
        case: u32,
        /// How it ended.
        verdict: VerdictKind,
        /// How many events were tried in it.
        steps: u32,
        /// The number of the failure that it showed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<u32>,
        /// What kept the app from coming to rest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unsettled: Option<String>,
        /// What was executed, if the plan wants it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        executed: Option<Executed>,
        /// How it compares with the failure that is expected of it, if one is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replayed: Option<Replayed>,
    },
    /// The failures that the last run saved are run first; comes before the first check.
    SavedFailures(SavedFailures),
    /// A failure that the last run saved was run again.
    SavedFinished {
        /// Its file.
        file: String,
        /// How it ended.
        verdict: VerdictKind,
        /// How that compares with what was saved.
        replayed: Replayed,
        /// The number of the failure that it showed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<u32>,
    },
    /// A failure that was not known before, as it was found. It is about to be shrunk; if nothing
    /// more is heard of it, the run was killed over that.
    FailureSeen(Failure),
    /// The failure that was seen last, shrunk.
    FailureFound(Failure),
    /// A failure that was found before, shrunk further: there was no time for it then.
    FailureShrunk(Failure),
    /// An exploration begins: a check whose cases are the runs between two restarts, as many as it
    /// takes.
    #[serde(alias = "exploring")]
    ExplorationStarted(ExplorationRequest),
    /// An exploration goes on: comes now and then, and at its end.
    Explored(Explored),
    /// What an exploration has learned, at its end.
    Learned(Map),
    /// A recording was replayed. Comes at the end of the check, once for each replay.
    RecordingReplayed(Box<RecordingReplay>),
    /// The device failed; what was found until then stands.
    DeviceFailed {
        /// What happened to it.
        error: String,
    },
    /// The app asked for something that the device does not have. It is never a verdict about the
    /// app.
    DeviceLacked {
        /// What was asked for, by name.
        what: String,
        /// Why the device does not have it, and what to do about it.
        reason: String,
        /// In how many cases of the check.
        cases: u32,
    },
    /// A run began on another screen than one before it, with the same seed: the app keeps
    /// something that a reset does not clear.
    ResetDiffers {
        /// What differs, and what the device offers against it.
        how: String,
    },
    /// A check is over.
    CheckFinished {
        /// Its name.
        check: String,
        /// How many cases held.
        held: u32,
        /// How many cases did not.
        violated: u32,
        /// How many cases ended before a property of the run was decided.
        #[serde(default, skip_serializing_if = "is_zero")]
        undecided: u32,
        /// How many events were tried in all.
        steps: u64,
        /// How often each failure was seen: its number and how many cases showed it.
        seen: Vec<(u32, u32)>,
        /// How many of those that did not hold never came again.
        #[serde(default, skip_serializing_if = "is_zero")]
        not_reproduced: u32,
        /// How much of each property was judged.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        properties: Vec<PropertyTally>,
        /// How many cases say little.
        #[serde(default, skip_serializing_if = "is_zero")]
        wasted: Wasted,
    },
    /// The last event of every run that was not killed.
    RunFinished {
        /// Whether it was interrupted.
        interrupted: bool,
        /// How much of the app's code ran, if that was counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        covered: Option<Covered>,
        /// The checks that were not run, because the run ended before.
        #[serde(default, skip_serializing_if = "Vec::is_empty", alias = "not_begun")]
        not_run: Vec<String>,
    },
    /// An event of a kind that a later version of Capuchin has: nothing emits it, and it only ever
    /// comes out of a log.
    #[serde(other)]
    Unknown,
}

/// Something that reads a run's events.
pub trait Observer {
    /// Takes the next event.
    fn observe(&mut self, event: &RunEvent);
}

impl<F: FnMut(&RunEvent)> Observer for F {
    fn observe(&mut self, event: &RunEvent) {
        self(event);
    }
}
