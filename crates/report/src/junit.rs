//! A run as JUnit XML: what every CI knows how to show.
//!
//! A check is a suite. If it holds it is one passing case; if not, each distinct failure is a case
//! of its own, so that a CI shows the smallest traces and not a number. No times are written: the
//! same run gives the same file.

use crate::replays::why_failed;
use crate::saved::SavedRuns;
use crate::secrets::without_secrets;
use crate::standing::{Standing, liveness};
use capuchin::log::{
    ExplorationRequest, Failure, PropertyTally, RecordingReplay, ReplayedStep, RunEvent,
};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The run's events as JUnit XML.
pub fn junit<'a>(events: impl IntoIterator<Item = &'a RunEvent>) -> String {
    let mut report = Report::new("capuchin");
    let mut suite: Option<TestSuite> = None;
    let mut open = false;
    let mut finished = false;
    let mut left: &[String] = &[];
    let mut seen: Option<&Failure> = None;
    let mut failures: Vec<&Failure> = Vec::new();
    let mut saved = SavedRuns::default();
    let mut has_replays = false;
    for event in events {
        saved.observe(event);
        match event {
            RunEvent::RunStarted { spec, .. } => report = Report::new(spec.as_str()),
            RunEvent::CheckStarted { check, .. }
            | RunEvent::ExplorationStarted(ExplorationRequest { check, .. }) => {
                open = matches!(event, RunEvent::ExplorationStarted(_));
                report.add_test_suites(suite.take());
                failures.clear();
                has_replays = false;
                suite = Some(TestSuite::new(check.as_str()));
            }
            RunEvent::FailureSeen(failure) => seen = Some(failure),
            RunEvent::RecordingReplayed(replay) => {
                has_replays = true;
                if let Some(suite) = &mut suite {
                    suite.add_test_case(replay_case(replay));
                }
            }
            RunEvent::FailureFound(failure) => {
                seen = None;
                failures.push(failure);
            }
            RunEvent::FailureShrunk(failure) => {
                let known = failures.iter_mut().find(|known| known.number == failure.number);
                if let Some(known) = known {
                    *known = failure;
                }
            }
            RunEvent::DeviceFailed { error } => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
                status.set_message(without_secrets(error)).set_type("device failed");
                if let Some(suite) = &mut suite {
                    suite.add_test_case(TestCase::new("the device", status));
                }
            }
            RunEvent::CheckFinished { seen: counts, .. } => {
                let Some(standing) = Standing::finished(event, open) else { continue };
                if let Some(mut suite) = suite.take() {
                    let forgives = standing.not_reproduced > 0;
                    let once =
                        |failure: &Failure| forgives && counts.contains(&(failure.number, 1));
                    let failures = failures.drain(..);
                    suite.add_test_cases(failures.map(|failure| match once(failure) {
                        true if failure.not_reproduced => unreproduced_case(failure),
                        _ => failed_case(failure),
                    }));
                    suite.add_test_cases(seen.take().map(failed_case));
                    let in_doubt = in_doubt(&standing);
                    let is_certain = in_doubt.is_empty();
                    suite.add_test_cases(in_doubt);
                    if standing.traces() == 0 {
                        let status = TestCaseStatus::skipped();
                        suite.add_test_case(TestCase::new("nothing was checked", status));
                    } else if standing.violated == 0 && is_certain && !has_replays {
                        suite.add_test_case(held_case(&standing));
                    }
                    report.add_test_suite(suite);
                }
            }
            RunEvent::RunFinished { interrupted, not_run, .. } => {
                finished = !interrupted;
                left = not_run;
            }
            _ => {}
        }
    }
    // A run that was killed while it shrank a failure: the failure as it was seen.
    if let Some(suite) = &mut suite {
        suite.add_test_cases(failures.into_iter().chain(seen).map(failed_case));
    }
    report.add_test_suites(suite);
    if let Some(line) = saved.line() {
        let mut suite = TestSuite::new("saved failures");
        let mut case = TestCase::new("failures of the last run", TestCaseStatus::success());
        case.set_system_out(line);
        suite.add_test_case(case);
        report.add_test_suite(suite);
    }
    for check in left {
        let mut suite = TestSuite::new(check.as_str());
        suite.add_test_case(TestCase::new("not run", TestCaseStatus::skipped()));
        report.add_test_suite(suite);
    }
    if !finished {
        report.add_test_suite(unfinished());
    }
    // Writing into memory fails for no reason that a reader of the report could act on.
    legal(report.to_string().unwrap_or_default())
}

/// A run that was killed or interrupted is not green.
fn unfinished() -> TestSuite {
    let mut suite = TestSuite::new("capuchin");
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message("the run did not come to its end");
    suite.add_test_case(TestCase::new("the run", status));
    suite
}

/// The XML without the characters that XML does not have, wherever an app has said them; they are
/// shown as escapes of the trace language.
fn legal(xml: String) -> String {
    let is_legal = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    if xml.chars().all(is_legal) {
        return xml;
    }
    let shown =
        |c: char| if is_legal(c) { c.to_string() } else { format!("\\u{{{:x}}}", c as u32) };
    xml.chars().map(shown).collect()
}

/// The properties that have not held because they were never alive, or because no case decided
/// them.
fn in_doubt(standing: &Standing) -> Vec<TestCase> {
    let never_alive = standing.never_alive().into_iter().map(|tally| ("never alive", tally));
    let never_decided = standing.never_decided().into_iter().map(|tally| ("not decided", tally));
    let case = |(why, tally): (&str, &PropertyTally)| {
        let mut status = TestCaseStatus::skipped();
        status.set_message(format!("{why}: {}", liveness(tally)));
        TestCase::new(tally.property.as_str(), status)
    };
    never_alive.chain(never_decided).map(case).collect()
}

fn held_case(standing: &Standing) -> TestCase {
    let mut case = TestCase::new(standing.check.as_str(), TestCaseStatus::success());
    let mut lines = vec![match standing.open {
        true => format!("held in {}", standing.cases(standing.held)),
        false => format!("held on {} traces", standing.held),
    }];
    lines.extend(standing.not_decided());
    let properties = standing.properties.iter();
    lines.extend(properties.map(|tally| format!("{}: {}", tally.property, liveness(tally))));
    lines.extend(standing.waste());
    case.set_system_out(lines.join("\n"));
    case
}

/// A replay: one that failed, or did otherwise than the one before it, turns a build red.
fn replay_case(replay: &RecordingReplay) -> TestCase {
    let why = match (replay.succeeded, &replay.differs) {
        (false, _) => Some(why_failed(replay)),
        (true, Some(how)) => Some(format!("the replays do not agree: {how}")),
        (true, None) => None,
    };
    let status = why.map_or_else(TestCaseStatus::success, |why| {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(why).set_type("replay");
        status
    });
    let mut case = TestCase::new(format!("replay {}", replay.number), status);
    let line = |(index, step): (usize, &ReplayedStep)| {
        let done = step.performed.as_ref().map(|done| format!(" -> {done}")).unwrap_or_default();
        format!("{}. {}{done}: {}", index + 1, step.recorded, step.why)
    };
    let lines: Vec<String> = replay.events.iter().enumerate().map(line).collect();
    case.set_classname(replay.recording.as_str()).set_system_out(lines.join("\n"));
    case
}

/// What never came again turns no build red.
fn unreproduced_case(failure: &Failure) -> TestCase {
    let mut case = failed_case(failure);
    let mut status = TestCaseStatus::skipped();
    status.set_message(format!("not reproduced in {} reruns: {}", failure.again, failure.summary));
    case.status = status;
    case
}

fn failed_case(failure: &Failure) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(failure.summary.as_str());
    status.set_type(format!("{:?}", failure.kind).to_lowercase());
    status.set_description(format!(
        "after: {}\n{}\n\n{} with seed {}, {} to {} events\n{}",
        failure.after(),
        failure.detail,
        failure.found_by(),
        failure.seed,
        failure.found_steps,
        failure.steps.len(),
        failure.minimal
    ));
    let mut case = TestCase::new(format!("[{}] {}", failure.number, failure.summary), status);
    case.set_classname(failure.check.as_str());
    case
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_well_formed_whatever_an_app_says() {
        let all = (0..=0x2100u32).chain(0xfff0..0x1_0010).filter_map(char::from_u32);
        let text: String = all.chain(['\u{1fffe}', '\u{10ffff}']).collect();
        let (spec, device) = (text.clone(), "sim:a".to_owned());
        let events = [
            RunEvent::RunStarted { version: 1, spec, device, seed: 1 },
            RunEvent::ExplorationStarted(ExplorationRequest {
                check: text.clone(),
                ..Default::default()
            }),
            RunEvent::DeviceFailed { error: text },
        ];
        let xml = junit(&events);
        let illegal = |c: char| {
            matches!(c, '\u{fffe}' | '\u{ffff}') || (c < ' ' && !matches!(c, '\t' | '\n' | '\r'))
        };
        assert!(!xml.contains(illegal), "{xml:?}");
        assert!(xml.contains(r"\u{fffe}\u{ffff}"), "they are shown");
    }
}
