//! What `capuchin run` prints of a trace that is run several times.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use capuchin::log::{Observer, RunEvent};
use capuchin_report::Terminal;

/// A failure of this number, as a log has it.
fn failure(number: u32, summary: &str) -> String {
    format!(
        r#"{{"event":"failure-seen","number":{number},"check":"main","kind":"crashed","summary":"{summary}","detail":"","steps":[{{"event":"Click(#a)"}}],"minimal":"Click(#a)","found_steps":1,"case":0,"seed":1,"shrink_runs":0,"shrink_finished":true,"again":0,"same":0}}"#
    )
}

fn case(number: u32, verdict: &str, failure: &str, replayed: &str) -> String {
    let executed = r#"{"events":"Click(#a)","screen":"label"}"#;
    format!(
        r#"{{"event":"case-finished","case":{number},"verdict":"{verdict}","steps":1,"executed":{executed}{failure}{replayed}}}"#
    )
}

fn printed(lines: &[String]) -> String {
    let mut bytes = Vec::new();
    let mut terminal = Terminal::of_traces(&mut bytes, false);
    for line in lines {
        let event: RunEvent = serde_json::from_str(line).unwrap();
        terminal.observe(&event);
    }
    drop(terminal);
    let mut text = String::from_utf8(bytes).unwrap();
    for colour in ["\u{1b}[1m", "\u{1b}[2m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m", "\u{1b}[0m"]
    {
        text = text.replace(colour, "");
    }
    text
}

#[test]
fn each_outcome_is_told_once_with_how_often_it_came() {
    let replayed = |how: &str| format!(r#","replayed":"{how}""#);
    let finished = r#"{"event":"check-finished","check":"main","held":1,"violated":3,"steps":4,"seen":[[1,2],[2,1]]}"#;
    let lines = [
        r#"{"event":"check-started","check":"main","generator":"Click(#a)","cases":5,"expected":"crashed null\nat Main"}"#.to_owned(),
        failure(1, "Crashed"),
        case(0, "crashed", r#","failure":1"#, &replayed("as-expected")),
        case(1, "succeeded", "", &replayed("succeeded")),
        failure(2, "Failed assert false"),
        case(2, "failed", r#","failure":2"#, &replayed("otherwise")),
        case(3, "crashed", r#","failure":1"#, &replayed("as-expected")),
        failure(3, "Blocked at Click(#a)"),
        case(4, "blocked", r#","failure":3"#, &replayed("another-state")),
        finished.to_owned(),
    ];
    let wanted = "\
Crashed after: Click(#a)
    2 of 5 runs, as expected
Succeeded after: Click(#a)
    1 of 5 runs, expected a failure: crashed null at Main
Failed assert false after: Click(#a)
    1 of 5 runs, expected another failure: crashed null at Main
Blocked at Click(#a) after: Click(#a)
    1 of 5 runs, expected another failure: crashed null at Main
    the app is in another state than when it was saved

failed as expected in 2 of 5 runs, failed otherwise in 1, blocked on the way in 1, succeeded in 1
";
    assert_eq!(printed(&lines), wanted);
}

#[test]
fn without_an_expectation_it_is_how_often_it_failed() {
    let lines = [
        r#"{"event":"check-started","check":"main","generator":"Click(#a)","cases":2}"#.to_owned(),
        case(0, "succeeded", "", ""),
        failure(1, "Crashed"),
        case(1, "crashed", r#","failure":1"#, ""),
        r#"{"event":"check-finished","check":"main","held":1,"violated":1,"steps":2,"seen":[[1,1]]}"#
            .to_owned(),
    ];
    let wanted = "\
Succeeded after: Click(#a)
    1 of 2 runs
Crashed after: Click(#a)
    1 of 2 runs

failed in 1 of 2 runs
";
    assert_eq!(printed(&lines), wanted);
}
