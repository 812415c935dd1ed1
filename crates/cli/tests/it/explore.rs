//! `capuchin explore` and `auto`: what they find, what they keep, and that they go on from it.

use crate::capuchin::run;
use std::path::Path;

fn explore(out: &Path, more: &[&str]) -> crate::capuchin::Ran {
    let out = out.to_str().expect("a temporary directory has a plain name");
    run(["explore", "sim:shop", "--seed", "1", "--out", out, "-q"].iter().chain(more))
}

/// How many lines of the journal begin so.
fn lines(out: &Path, beginning: &str) -> usize {
    let journal = std::fs::read_to_string(out.join("model.jsonl")).unwrap();
    journal.lines().filter(|line| line.starts_with(beginning)).count()
}

#[test]
fn a_deep_bug_is_found_made_small_and_runs_again() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("run");
    let ran = explore(&out, &["--events", "400"]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("NullPointerException: delivery address"), "{}", ran.stdout);
    let failure = out.join("failures/1-explore.capu");
    let again = run(["run", failure.to_str().unwrap()]);
    assert_eq!(again.code, 1, "{}", again.stdout);
    for file in ["report.html", "junit.xml", "explore.json", "log.jsonl", "states/000.svg"] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let exploration: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("explore.json")).unwrap()).unwrap();
    assert_eq!(exploration["version"], 1);
    assert_eq!(exploration["figures"]["events"], 400);
}

#[test]
fn two_explorations_of_a_seed_are_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let journals = ["one", "other"].map(|name| {
        let out = directory.path().join(name);
        explore(&out, &["--events", "300"]);
        std::fs::read_to_string(out.join("model.jsonl")).unwrap()
    });
    assert!(journals[0] == journals[1]);
}

#[test]
fn one_that_was_killed_goes_on_from_what_it_knew() {
    let directory = tempfile::tempdir().unwrap();
    let first = directory.path().join("first");
    explore(&first, &["--events", "400"]);
    // A kill tears the last line at most.
    let journal = std::fs::read_to_string(first.join("model.jsonl")).unwrap();
    std::fs::write(first.join("model.jsonl"), &journal[..journal.len() - 7]).unwrap();
    let second = directory.path().join("second");
    let ran = explore(&second, &["--events", "600", "--resume", first.to_str().unwrap()]);
    // The bug is known: if it is met again, it is not told again.
    assert!(!ran.stdout.contains("NullPointerException"), "{}", ran.stdout);
    assert_eq!(lines(&second, "{\"performed\""), 399 + 600);
    let sights = |out: &Path| lines(out, "{\"sight\"");
    assert!(sights(&second) > sights(&first), "{} {}", sights(&second), sights(&first));
}

/// How far it came and the map of it are there without an end.
#[test]
fn one_that_was_killed_has_a_report() {
    const LEARNED: &str = "{\"event\":\"learned\"";
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("run");
    let ran = explore(&out, &["--events", "400"]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let report = |format: &str| {
        let ran = run(["report", out.to_str().unwrap(), "--format", format]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    let map = |events: &str| {
        let learned = events.lines().find(|line| line.starts_with(LEARNED)).unwrap();
        let mut map: serde_json::Value = serde_json::from_str(learned).unwrap();
        for state in map["states"].as_array_mut().unwrap() {
            state.as_object_mut().unwrap().remove("picture");
        }
        map
    };
    let whole = map(&report("json"));
    let log = std::fs::read_to_string(out.join("log.jsonl")).unwrap();
    let end = log.find(LEARNED).unwrap();
    std::fs::write(out.join("log.jsonl"), &log[..end]).unwrap();
    assert_eq!(map(&report("json")), whole);
    let page = report("html");
    assert!(page.contains("The map") && page.contains("over events"));
    let text = report("terminal");
    assert!(text.contains("400 events") && text.contains("interrupted"), "{text}");
}

#[test]
fn a_wrong_request_says_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let check = |arguments: &[&str], expected: &str| {
        let ran = run(["explore"].iter().chain(arguments));
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stdout);
        assert!(ran.stderr.contains(expected), "{arguments:?}: {}", ran.stderr);
    };
    let nowhere = directory.path().join("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    check(&["sim:shpo"], "did you mean `shop`?");
    check(&[], "no app is named");
    check(&["nosuch.html"], "there is no file or directory `nosuch.html`");
    check(&["localhost:9"], "did you mean http://localhost:9?");
    check(&["sim:shop", "--resume", directory.path().to_str().unwrap()], "no exploration is kept");
    check(&["sim:shop", "--time", "5x"], "90s, 5m or 1h");
    check(&["sim:shop", "--policy", "swift"], "swifthand");
    check(&["sim:shop", "--resume", nowhere], "cannot resume");
    check(&["sim:shop", "--resume", nowhere, "--out", nowhere], "");
}

/// What was done until then was checked.
#[test]
fn an_exploration_that_is_ended_by_its_time_has_held() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("run");
    let out = out.to_str().unwrap();
    let ran = run(["explore", "sim:shop-fixed", "--seed", "1", "--time", "0.5s", "--out", out]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("held      explore  in 1 run, "), "{}", ran.stdout);
    let report = std::fs::read_to_string(format!("{out}/report.html")).unwrap();
    assert!(!report.contains("Nothing was checked"));
}

/// The app is the one that was explored, unless another is named; then it is said. What failed is
/// known.
#[test]
fn what_is_resumed_knows_its_app_and_its_failures() {
    let directory = tempfile::tempdir().unwrap();
    let [first, second, third] =
        ["first", "second", "third"].map(|name| directory.path().join(name));
    explore(&first, &["--events", "400"]);
    let [first, second, third] = [&first, &second, &third].map(|path| path.to_str().unwrap());
    let ran = run(["explore", "--resume", first, "--events", "20", "--out", second]);
    assert!(ran.stdout.starts_with("explore on sim:shop "), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains(&format!("1 failure of {first}, not reported again")),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.stderr, "");
    let ran = run(["explore", "sim:music", "--resume", first, "--events", "20", "--out", third]);
    assert!(ran.stderr.contains("has learned from sim:shop"), "{}", ran.stderr);
}

#[test]
fn a_specification_without_always_is_of_no_use_to_it() {
    let directory = tempfile::tempdir().unwrap();
    let spec = ["--events", "20", "--spec", "examples/music-signin.capu"];
    let ran = explore(&directory.path().join("run"), &spec);
    assert!(ran.stderr.contains("has no `always`"), "{}", ran.stderr);
    let spec = ["--events", "400", "--spec", "examples/shop.capu"];
    let ran = explore(&directory.path().join("other"), &spec);
    assert_eq!(ran.stderr, "");
    assert!(ran.stdout.contains("NullPointerException"), "{}", ran.stdout);
}

#[test]
fn a_property_of_a_specification_holds_all_the_time() {
    let directory = tempfile::tempdir().unwrap();
    let spec = directory.path().join("shop.capu");
    std::fs::write(&spec, "always \"nothing is bought\": !isDisplayed(#see)\n").unwrap();
    let out = directory.path().join("run");
    let ran = explore(&out, &["--events", "400", "--spec", spec.to_str().unwrap()]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("nothing is bought"), "{}", ran.stdout);
}

#[test]
fn a_policy_is_a_generator_like_any_other() {
    let directory = tempfile::tempdir().unwrap();
    let spec = directory.path().join("music.capu");
    let text = "device \"sim:music-fixed\"\nseed 1\ncases 3\n\
        val login = Click(#enter) :>> Type(#username, \"test\") :>> Type(#password, \"1234\") :>> Click(#signin)\n\
        check after = login :>> assert isDisplayed(#welcome) :>> auto swifthand 100\n\
        check during = auto capuchin 60 with (isDisplayed(\"Enter\") then login)\n\
        check among = auto random 40 offering (isDisplayed(#enter) then login)\n";
    std::fs::write(&spec, text).unwrap();
    let out = directory.path().join("run");
    let ran = run(["check", spec.to_str().unwrap(), "--out", out.to_str().unwrap(), "-q"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("held      after  on 3 traces, 312 events"), "{}", ran.stdout);
}
