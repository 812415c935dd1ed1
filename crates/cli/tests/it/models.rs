//! Specifications with a planning model, through the command: watched, saved, planned, refused.

use crate::capuchin::{Ran, root, run};
use std::path::Path;

const EDITOR: &str = "docs/book/examples/editor/editor.capu";

fn run_in(out: &Path, arguments: &[&str]) -> Ran {
    run(arguments.iter().map(|it| it.replace("OUT", &out.display().to_string())))
}

#[test]
fn a_model_watches_a_monkey_and_its_failure_runs_again() {
    let out = tempfile::tempdir().unwrap();
    let check = ["check", EDITOR, "--seed", "1", "--out", "OUT/run"];
    run_in(out.path(), &check).expect(1, &["after cancel, `current` is not as expected"]);
    let saved = out.path().join("run/failures/1-monkeys.capu");
    let text = std::fs::read_to_string(&saved).unwrap();
    assert!(text.contains("\nmodel \"") && text.contains("editor.capu\"\n"), "{text}");
    assert!(text.contains("\nmonitor \"model\"\n"), "{text}");
    run_in(out.path(), &["run", "OUT/run/failures/1-monkeys.capu"]).expect(1, &["after cancel"]);
    let fixed = ["run", "OUT/run/failures/1-monkeys.capu", "--device", "sim:editor-fixed"];
    run_in(out.path(), &fixed).expect(0, &[]);
    // The page has what was expected beside what was seen.
    let page = std::fs::read_to_string(out.path().join("run/report.html")).unwrap();
    assert!(page.contains("<td><code>(current letter)</code></td>"), "no comparison");
    // The next run begins with it.
    run_in(out.path(), &check).expect(1, &["after cancel"]);
}

#[test]
fn a_model_watches_an_exploration() {
    let out = tempfile::tempdir().unwrap();
    let explore = [
        "explore",
        "sim:editor",
        "--spec",
        EDITOR,
        "--seed",
        "1",
        "--events",
        "200",
        "--out",
        "OUT/x",
    ];
    run_in(out.path(), &explore).expect(1, &["after cancel, `current` is not as expected"]);
    let fixed = [
        "explore",
        "sim:editor-fixed",
        "--spec",
        EDITOR,
        "--seed",
        "1",
        "--events",
        "300",
        "--out",
        "OUT/y",
    ];
    run_in(out.path(), &fixed).expect(0, &["held"]);
}

#[test]
fn plans_are_written_and_hold() {
    let out = tempfile::tempdir().unwrap();
    let plan = ["plan", EDITOR, "--cover", "operators", "--out", "OUT/plans"];
    run_in(out.path(), &plan).expect(0, &["wrote ", "capuchin check"]);
    let check = [
        "check",
        "OUT/plans/plans.capu",
        "--device",
        "sim:editor-fixed",
        "--cases",
        "1",
        "--out",
        "OUT/run",
        "--quiet",
    ];
    run_in(out.path(), &check).expect(0, &["held"]);
    run_in(out.path(), &["plan", EDITOR, "--pddl"]).expect(0, &["(define (domain editor)"]);
    run_in(out.path(), &["plan", EDITOR, "--goal", "no such"]).expect(2, &["there is no goal"]);
    let never = ["plan", EDITOR, "--goal", "(and (choosing) (not (choosing)))"];
    run_in(out.path(), &never).expect(4, &["there is no plan"]);
}

#[test]
fn what_is_wrong_with_a_model_is_told_where_it_is() {
    let out = tempfile::tempdir().unwrap();
    let editor = root().join(EDITOR);
    let check = |lines: &str, expected: &[&str]| {
        let text = format!("device \"sim:editor-fixed\"\nmodel \"{}\"\n{lines}", editor.display());
        std::fs::write(out.path().join("a.capu"), text).unwrap();
        let arguments = ["check", "OUT/a.capu", "--out", "OUT/run", "--quiet"];
        run_in(out.path(), &arguments).expect(if expected.is_empty() { 0 } else { 2 }, expected);
    };
    let invalid = "the test case `a` is invalid: the precondition of `(cut letter dear)` fails: it \
                   needs (menu)";
    check("case \"a\": \"(cut letter dear)\"", &[invalid, "3 │", "this test case"]);
    check("case \"a\": \"(open-menu) (cut letter dear)\"\nverify complete", &[]);
    let milk = "check a = auto plan \"the letter says milk\" 20 :>> assert text(#text) == \"Milk\"";
    check(&format!("{milk}\ncases 1"), &[]);
    check("check a = auto plan \"the letter says mlik\" 20", &["there is no goal", "did you mean"]);
    check("fact menu = true\ncheck a = Skip", &["this belongs to the mapping"]);
}

/// A file that a model is read from may be a device, which has no end.
#[test]
fn a_model_without_an_end_is_refused() {
    let out = tempfile::tempdir().unwrap();
    let text = "device \"sim:editor\"\nmodel \"/dev/zero\" \"/dev/zero\"\ncheck a = Skip\n";
    std::fs::write(out.path().join("endless.capu"), text).unwrap();
    run_in(out.path(), &["check", "OUT/endless.capu"]).expect(2, &["larger than 16 MiB"]);
}
