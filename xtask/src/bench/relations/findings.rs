//! What people said of the findings: a fault of the app, or a false alarm.

use capuchin::log::Failure;

/// What a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// The app is wrong.
    Fault,
    /// The app is right, or may be.
    FalseAlarm,
    /// Nobody has looked at it yet.
    New,
}

/// The app, the beginning of the line that says what was found, and what was said of it.
const SAID: &[(&str, &str, Judgement)] = &[];

/// What was said of a finding. Those in pages with a planted bug are faults.
pub(super) fn judgement(app: &str, failure: &Failure) -> Judgement {
    let is_planted =
        super::PLANTED.iter().any(|it| it.name == app && it.breaks == failure.monitor.as_deref());
    if is_planted {
        return Judgement::Fault;
    }
    let known = SAID.iter().find(|(of, what, _)| *of == app && failure.summary.contains(what));
    known.map_or(Judgement::New, |(.., said)| *said)
}
