//! A run as JUnit XML: what every CI knows how to show.
//!
//! A check is a suite. If it holds it is one passing case; if not, each distinct failure is a case
//! of its own, so that a CI shows the smallest traces and not a number. No times are written: the
//! same run gives the same file.

use crate::standing::Standing;
use capuchin::log::{ExplorationRequest, Failure, RunEvent};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The run's events as JUnit XML.
pub fn junit<'a>(events: impl IntoIterator<Item = &'a RunEvent>) -> String {
    let mut report = Report::new("capuchin");
    let mut suite: Option<TestSuite> = None;
    let mut open = false;
    let mut finished = false;
    let mut left: &[String] = &[];
    let mut seen: Option<&Failure> = None;
    for event in events {
        match event {
            RunEvent::RunStarted { spec, .. } => report = Report::new(spec.as_str()),
            RunEvent::CheckStarted { check, .. }
            | RunEvent::ExplorationStarted(ExplorationRequest { check, .. }) => {
                open = matches!(event, RunEvent::ExplorationStarted(_));
                report.add_test_suites(suite.take());
                suite = Some(TestSuite::new(check.as_str()));
            }
            RunEvent::FailureSeen(failure) => seen = Some(failure),
            RunEvent::FailureFound(failure) => {
                seen = None;
                if let Some(suite) = &mut suite {
                    suite.add_test_case(failed_case(failure));
                }
            }
            RunEvent::DeviceFailed { error } => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
                status.set_message(error.as_str()).set_type("device failed");
                if let Some(suite) = &mut suite {
                    suite.add_test_case(TestCase::new("the device", status));
                }
            }
            RunEvent::CheckFinished { check, held, violated, .. } => {
                if let Some(mut suite) = suite.take() {
                    suite.add_test_cases(seen.take().map(failed_case));
                    if *violated == 0 && *held > 0 {
                        suite.add_test_case(held_case(check, *held, open));
                    } else if *held + *violated == 0 {
                        let status = TestCaseStatus::skipped();
                        suite.add_test_case(TestCase::new("nothing was checked", status));
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
        suite.add_test_cases(seen.map(failed_case));
    }
    report.add_test_suites(suite);
    for check in left {
        let mut suite = TestSuite::new(check.as_str());
        suite.add_test_case(TestCase::new("not run", TestCaseStatus::skipped()));
        report.add_test_suite(suite);
    }
    if !finished {
        let mut broken = TestSuite::new("capuchin");
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message("the run did not come to its end");
        broken.add_test_case(TestCase::new("the run", status));
        report.add_test_suite(broken);
    }
    // Writing into memory fails for no reason that a reader of the report could act on.
    legal(report.to_string().unwrap_or_default())
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

fn held_case(check: &str, held: u32, open: bool) -> TestCase {
    let mut case = TestCase::new(check, TestCaseStatus::success());
    let standing = Standing { open, ..Standing::default() };
    case.set_system_out(match open {
        true => format!("held in {}", standing.cases(held)),
        false => format!("held on {held} traces"),
    });
    case
}

fn failed_case(failure: &Failure) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(failure.summary.as_str());
    status.set_type(format!("{:?}", failure.kind).to_lowercase());
    status.set_description(format!(
        "after: {}\n{}\n\ncase {} with seed {}, {} to {} events\n{}",
        failure.after(),
        failure.detail,
        failure.case,
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
