//! The failures that the last run saved are run before anything new.

use crate::capuchin::{Ran, command};
use std::path::{Path, PathBuf};

/// A directory of one's own, with a specification in it.
struct Home(tempfile::TempDir);

const SPEC: &str = "device \"sim:contract\"\n\
    check low = times 3 { Click(#increment) } :>> assert number(#count) < 2\n\
    check odd = times 4 { Click(#increment) } :>> assert number(#count) != 4\n";

impl Home {
    fn new(spec: &str) -> Self {
        let home = Home(tempfile::tempdir().unwrap());
        home.write(spec);
        home
    }

    fn write(&self, spec: &str) {
        std::fs::write(self.path("a.capu"), spec).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = command(arguments);
        Ran::from(command.current_dir(self.0.path()).output().unwrap())
    }

    /// Checks the specification with few cases.
    fn check(&self, more: &[&str]) -> Ran {
        self.run(&[&["check", "a.capu", "--cases", "5", "--seed", "1"], more].concat())
    }
}

/// The lines of a log about such events.
fn logged(out: &Path, event: &str) -> Vec<String> {
    let log = std::fs::read_to_string(out.join("log.jsonl")).unwrap();
    let wanted = format!("{{\"event\":\"{event}\"");
    log.lines().filter(|line| line.starts_with(&wanted)).map(str::to_owned).collect()
}

#[test]
fn what_still_fails_is_told_once_and_what_is_fixed_is_forgotten() {
    let home = Home::new(SPEC);
    let out = home.path("out");
    let to_out = ["--out", "out"];
    let first = home.check(&to_out);
    assert!(!first.expect(1, &["case 0, 3 → 3 events"]).stdout.contains("saved  "));
    let drawn = logged(&out, "case-finished");
    let again = home.check(&to_out);
    again.expect(
        1,
        &["[1] Failed", "saved by the last run, 3 → 3 events", "[2] Failed", "6 of 6 traces"],
    );
    again.expect(1, &["saved     2 of 2 failures of the last run still fail\n"]);
    // A case that was drawn keeps its number, its seed and its events.
    assert_eq!(logged(&out, "case-finished"), drawn);
    assert_eq!(logged(&out, "saved-finished").len(), 2);
    assert_eq!(logged(&out, "failure-found").len(), 2);
    // Two devices report what one does, and a report that is made later is the same.
    let jobs = home.check(&["--out", "out", "--jobs", "2"]);
    assert_eq!(jobs.stdout, again.stdout);
    let line = "2 of 2 failures of the last run still fail";
    for format in ["terminal", "junit", "html"] {
        home.run(&["report", "out", "--format", format]).expect(0, &[line]);
    }
    // One is fixed, by what is asked of the app.
    home.write(&SPEC.replace("!= 4", "!= 5"));
    home.check(&to_out).expect(
        1,
        &["violated  low", "held      odd  on 5 traces, 20 events", "saved     1 of 2", "fit"],
    );
    home.check(&to_out).expect(1, &["saved     1 of 1 failure of the last run still fails\n"]);
    home.write(&SPEC.replace("!= 4", "!= 5").replace("< 2", "< 9"));
    home.check(&to_out).expect(0, &["held      low", "saved     0 of 1 failure", "fit"]);
    let held = home.check(&to_out);
    assert!(!held.expect(0, &["held      low"]).stdout.contains("saved  "));
}

/// A saved failure decides the exit code, also if nothing that is drawn shows it.
#[test]
fn a_failure_that_no_case_finds_again_still_counts() {
    let home = Home::new(&SPEC.replace("times 4", "repeat 4"));
    let seeds = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let once = |seed: &str, fresh: &[&str]| {
        let odd = ["check", "a.capu", "--cases", "1", "--only", "odd", "--seed", seed];
        home.run(&[&odd, fresh].concat())
    };
    let code = |seed: &str| once(seed, &["--fresh", "--out", "fresh"]).code;
    let failing = seeds.iter().find(|seed| code(seed) == 1).unwrap();
    let holding = seeds.iter().find(|seed| code(seed) == 0).unwrap();
    once(failing, &["--fresh"]).expect(1, &["violated  odd  1 of 1 trace"]);
    // Another seed has another directory, and the newest of the same file and device counts.
    once(holding, &["--fresh", "--out", "elsewhere"]).expect(0, &["held      odd"]);
    let ran = once(holding, &[]);
    ran.expect(1, &["saved by the last run", "violated  odd  1 of 2 traces", "saved     1 of 1"]);
    once(holding, &[]).expect(1, &["saved     1 of 1"]);
    assert!(!once(holding, &["--fresh"]).expect(0, &["held      odd"]).stdout.contains("saved  "));
    // That was the last run, and it has saved nothing.
    assert!(!once(holding, &[]).expect(0, &["held      odd"]).stdout.contains("saved  "));
}

#[test]
fn what_does_not_fit_is_said_and_is_no_violation() {
    let home = Home::new(SPEC);
    home.check(&["--out", "out"]).expect(1, &[]);
    // The second check is gone, and the first failure is not in the language any more.
    let file = home.path("out/failures/1-low.capu");
    std::fs::write(&file, "Click(").unwrap();
    home.write("device \"sim:contract\"\ncheck low = Click(#increment)\n");
    let line = "saved     0 of 2 failures of the last run still fail; no longer fit the specification: 2\n";
    home.check(&["--out", "out"]).expect(0, &["held      low", line]);
    // Another app, in which the trace is blocked where it was not.
    home.write(SPEC);
    home.check(&["--out", "out"]).expect(1, &[]);
    let never = "Click(#enter) :>> isDisplayed(#nowhere) then assert number(#count)";
    home.write(&format!(
        "device \"sim:music\"\ncheck low = {never} < 2\ncheck odd = {never} != 4\n"
    ));
    let line = "saved     0 of 2 failures of the last run still fail; blocked, for the app is in another state: 2\n";
    // Nor has what no trace came to held.
    home.check(&["--out", "out"]).expect(4, &["nothing   low", "nothing   odd", line]);
    // What is not a run directory is left alone.
    std::fs::create_dir_all(home.path("other/failures")).unwrap();
    std::fs::write(home.path("other/failures/1-low.capu"), "Click(#a)").unwrap();
    home.check(&["--out", "other"]).expect(2, &["not empty and not a run directory"]);
}

/// A failure is kept until it was run again and did not come.
#[test]
fn what_was_not_run_is_kept() {
    let home = Home::new(SPEC);
    home.check(&["--out", "out"]).expect(1, &[]);
    let only = home.check(&["--out", "out", "--only", "low"]);
    only.expect(1, &["saved     1 of 1 failure of the last run still fails\n"]);
    assert!(home.path("out/failures/kept").is_dir());
    let stopped = home.check(&["--out", "out", "--time", "0s"]);
    stopped.expect(4, &["saved     2 failures of the last run; not run: 2\n"]);
    home.check(&["--out", "out"]).expect(1, &["saved     2 of 2 failures"]);
    assert!(!home.path("out/failures/kept").exists());
}

#[test]
fn an_exploration_begins_with_them_and_spends_nothing_on_them() {
    let home = Home::new(SPEC);
    let explore = ["explore", "sim:shop", "--seed", "1", "--events", "400"];
    let first = home.run(&explore);
    let figures = |ran: &Ran| {
        let wanted = ["explored  ", "effort    "];
        let lines = ran.stdout.lines().filter(|line| wanted.iter().any(|it| line.starts_with(it)));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    first.expect(1, &["case 0, 70 → 14 events"]);
    let again = home.run(&explore);
    again.expect(1, &["saved by the last run, 14 → 14 events", "2 of 3 runs", "saved     1 of 1"]);
    assert_eq!(figures(&again), figures(&first));
    // It is known to the exploration that resumes this one, which does not run it again.
    let resumed =
        home.run(&[&explore[..], &["--resume", "capuchin-out/explore-sim-shop-1"]].concat());
    resumed.expect(0, &["held      explore", "known     1 failure of"]);
    assert!(!resumed.stdout.contains("saved by"), "{}", resumed.stdout);
    assert!(!home.run(&[&explore[..], &["--fresh"]].concat()).stdout.contains("saved by"));
}

/// The last run is found wherever it was started: here, beside the file, or in between.
#[test]
fn the_last_run_is_found_from_another_working_directory() {
    let home = Home::new(SPEC);
    std::fs::create_dir_all(home.path("below/here")).unwrap();
    std::fs::create_dir_all(home.path("elsewhere")).unwrap();
    std::fs::rename(home.path("a.capu"), home.path("below/here/a.capu")).unwrap();
    let whole = home.path("below/here/a.capu");
    let check = |from: &str, file: &str| {
        let mut command = command(["check", file, "--cases", "5", "--seed", "1"]);
        Ran::from(command.current_dir(home.path(from)).output().unwrap())
    };
    let line = "saved     2 of 2 failures of the last run still fail\n";
    let first = check(".", "below/here/a.capu");
    assert!(!first.expect(1, &["violated"]).stdout.contains("saved  "));
    for (from, file) in [
        ("below/here", "a.capu"),
        ("below", "./here/a.capu"),
        ("elsewhere", "../below/here/a.capu"),
        ("elsewhere", whole.to_str().unwrap()),
    ] {
        check(from, file).expect(1, &[line]);
        std::fs::remove_dir_all(home.path(from).join("capuchin-out")).unwrap();
    }
    // Another file of the same name is another.
    std::fs::copy(&whole, home.path("below/a.capu")).unwrap();
    assert!(!check("below", "a.capu").stdout.contains("saved  "));
}
