//! What a check found, as a value.

use crate::event::Failure;
use capuchin_ui::DeviceError;
use std::fmt;

/// What a check found. A violated property is in here, never an error.
#[derive(Clone, Debug, Default)]
#[must_use = "an outcome may hold failures: look at it or `assert` it"]
#[non_exhaustive]
pub struct Outcome {
    /// The check's name.
    pub check: String,
    /// How many cases held.
    pub held: u32,
    /// How many cases did not.
    pub violated: u32,
    /// How many of those never came again, and do not decide what the check comes to.
    pub not_reproduced: u32,
    /// How many cases ended before a property of the run was decided: there it has not held.
    pub undecided: u32,
    /// The properties that were never alive in more than one case: they have not held.
    pub never_alive: Vec<String>,
    /// The properties of whole runs that no case decided: they have not held.
    pub never_decided: Vec<String>,
    /// How many of those that were violated are failures that the last run saved.
    pub saved: u32,
    /// How many of those were blocked where another failure was expected: the app is in another
    /// state than when that was saved.
    pub another_state: u32,
    /// How many events were tried in all.
    pub steps: u64,
    /// The distinct failures, each with its smallest trace.
    pub failures: Vec<Failure>,
    /// The device failed before all cases were run.
    pub device_error: Option<DeviceError>,
    /// It was interrupted.
    pub interrupted: bool,
    /// The seed of the run.
    pub seed: u64,
}

/// What a run came to: what its exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Everything that was checked held.
    Held,
    /// Something was violated.
    Violated,
    /// The device failed, and nothing had been violated until then.
    DeviceFailed,
    /// The device cannot do what was asked of it, or what the user wrote in Rust panicked.
    WrongRequest,
    /// It was interrupted, and nothing had been violated until then.
    Interrupted,
    /// Nothing was checked.
    NothingChecked,
    /// A saved failure could not be run to where it failed: the app is in another state.
    AnotherState,
}

impl Conclusion {
    /// What several checks came to. `interrupted`: from outside, perhaps between two of them.
    pub fn of(outcomes: &[Outcome], interrupted: bool) -> Self {
        let undecided = |outcome: &Outcome| outcome.not_reproduced + outcome.another_state;
        if outcomes.iter().any(|outcome| outcome.violated > undecided(outcome)) {
            Conclusion::Violated
        } else if let Some(error) = outcomes.iter().find_map(|o| o.device_error.as_ref()) {
            error.into()
        } else if interrupted || outcomes.iter().any(|outcome| outcome.interrupted) {
            Conclusion::Interrupted
        } else if outcomes.iter().any(|outcome| outcome.another_state > 0) {
            Conclusion::AnotherState
        } else if outcomes.iter().all(|outcome| outcome.held + outcome.not_reproduced == 0)
            || outcomes.iter().any(Outcome::is_in_doubt)
        {
            Conclusion::NothingChecked
        } else {
            Conclusion::Held
        }
    }
}

impl From<&DeviceError> for Conclusion {
    /// Whether the device or the request is at fault, or nobody.
    fn from(error: &DeviceError) -> Self {
        match error {
            DeviceError::Stopped { .. } => Conclusion::Interrupted,
            error if error.is_request() => Conclusion::WrongRequest,
            _ => Conclusion::DeviceFailed,
        }
    }
}

impl Outcome {
    /// Whether there is a property that was never alive, or that no case decided.
    fn is_in_doubt(&self) -> bool {
        !self.never_alive.is_empty() || !self.never_decided.is_empty()
    }

    /// Whether cases were run to the last, and all of them held.
    pub fn holds(&self) -> bool {
        Conclusion::of(std::slice::from_ref(self), false) == Conclusion::Held
    }

    /// Panics with the smallest traces if something did not hold, or if nothing was checked.
    ///
    /// # Panics
    /// That is its purpose: it ends a Rust test.
    #[track_caller]
    pub fn assert(&self) {
        assert!(self.holds(), "{self}");
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(error) = &self.device_error {
            writeln!(f, "{}: the device failed: {error}", self.check)?;
        }
        if self.interrupted {
            writeln!(f, "{}: interrupted", self.check)?;
        }
        if self.failures.is_empty() {
            for property in &self.never_alive {
                writeln!(f, "{}: never alive: {property}", self.check)?;
            }
            for property in &self.never_decided {
                writeln!(f, "{}: not decided: {property}", self.check)?;
            }
            return if self.held == 0 {
                write!(f, "{}: nothing was checked", self.check)
            } else {
                write!(f, "{}: held on {} traces", self.check, self.held)
            };
        }
        writeln!(
            f,
            "{}: {} of {} traces violate it (seed {})",
            self.check,
            self.violated,
            self.held + self.violated,
            self.seed
        )?;
        for failure in &self.failures {
            write!(f, "\n{failure}")?;
        }
        write!(f, "\nreproduce: CAPUCHIN_SEED={} cargo test", self.seed)
    }
}

impl fmt::Display for Failure {
    /// As in figure 3 of the ChimpCheck paper: what happened, and after which events.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[{}] {} after: {}", self.number, self.summary, self.after())?;
        for line in self.detail.lines() {
            writeln!(f, "    {line}")?;
        }
        write!(
            f,
            "    found in {}, {} → {} steps in {} runs",
            self.found_by(),
            self.found_steps,
            self.steps.len(),
            self.shrink_runs
        )?;
        if !self.shrink_finished {
            f.write_str(", not yet the smallest")?;
        }
        if self.is_flaky() {
            write!(f, ", FLAKY: reproduced in {} of {} reruns", self.same, self.again)?;
        }
        writeln!(f)
    }
}
