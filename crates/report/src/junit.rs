//! A run as JUnit XML: what every CI knows how to show.
//!
//! A check is a suite. If it holds it is one passing case; if not, each distinct failure is a case
//! of its own, so that a CI shows the smallest traces and not a number. No times are written: the
//! same run gives the same file.

use crate::saved::SavedRuns;
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
    let mut failures: Vec<&Failure> = Vec::new();
    let mut saved = SavedRuns::default();
    for event in events {
        saved.observe(event);
        match event {
            RunEvent::RunStarted { spec, .. } => report = Report::new(spec.as_str()),
            RunEvent::CheckStarted { check, .. }
            | RunEvent::ExplorationStarted(ExplorationRequest { check, .. }) => {
                open = matches!(event, RunEvent::ExplorationStarted(_));
                report.add_test_suites(suite.take());
                failures.clear();
                suite = Some(TestSuite::new(check.as_str()));
            }
            RunEvent::FailureSeen(failure) => seen = Some(failure),
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
                status.set_message(error.as_str()).set_type("device failed");
                if let Some(suite) = &mut suite {
                    suite.add_test_case(TestCase::new("the device", status));
                }
            }
            RunEvent::CheckFinished { check, held, violated, seen: counts, .. } => {
                if let Some(mut suite) = suite.take() {
                    let once = |failure: &Failure| counts.contains(&(failure.number, 1));
                    let failures = failures.drain(..);
                    suite.add_test_cases(failures.map(|failure| match once(failure) {
                        true if failure.not_reproduced => unreproduced_case(failure),
                        _ => failed_case(failure),
                    }));
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
        let mut broken = TestSuite::new("capuchin");
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message("the run did not come to its end");
        broken.add_test_case(TestCase::new("the run", status));
        report.add_test_suite(broken);
    }
    // Writing into memory fails for no reason that a reader of the report could act on.
    report.to_string().unwrap_or_default()
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
