//! Who must find which bug.

/// How a run ends that finds a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The app crashed.
    Crashed,
    /// An assertion failed.
    Failed,
    /// An event could not be performed.
    Blocked,
}

/// A planted bug and the specification that must find it.
#[derive(Clone, Copy, Debug)]
pub struct Bug {
    /// The app with the bug in it.
    pub app: &'static str,
    /// What is wrong.
    pub bug: &'static str,
    /// The specification that must find it: a file under `examples/`.
    pub spec: &'static str,
    /// How the run ends that finds it.
    pub verdict: Verdict,
    /// Within how many events, over all cases, it must be found.
    pub within: u32,
    /// The smallest trace that shows it.
    pub minimal: &'static str,
}

/// Every planted bug.
pub const BUGS: &[Bug] = &[];
