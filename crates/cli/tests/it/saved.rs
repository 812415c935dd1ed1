//! Failing traces are saved as files that run as they stand.

use crate::capuchin::{Ran, command, root, run};

#[test]
fn a_saved_failure_runs_as_it_stands() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    for name in ["music-signin", "music-player", "music-track", "courses", "nearby"] {
        let spec = &format!("examples/{name}.capu");
        run(["check", spec, "--seed", "1", "--out", out.to_str().unwrap()]);
        let saved = std::fs::read_dir(out.join("failures")).unwrap();
        let mut how_many = 0;
        for file in saved {
            let file = file.unwrap().path();
            if file.is_dir() {
                continue; // The pictures of it.
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let summary = text.lines().next().unwrap().trim_start_matches("// ").to_owned();
            run(["run", file.to_str().unwrap()]).expect(1, &[&summary, "as expected"]);
            how_many += 1;
        }
        assert!(how_many > 0);
    }
}

#[test]
fn a_failure_is_saved_with_its_screen_size_and_whatever_label_it_has() {
    let home = tempfile::tempdir().unwrap();
    let (spec, out) = (home.path().join("a.capu"), home.path().join("out"));
    let text = "device \"sim:contract\"\nalways \"two\\nlines\": hasText(#orientation, \"portrait\")\n\
                check a = Click(#increment)";
    std::fs::write(&spec, text).unwrap();
    let (spec, out) = (spec.to_str().unwrap(), out.to_str().unwrap());
    run(["check", spec, "--viewport", "800x400", "--out", out])
        .expect(1, &["sim:contract@800x400"]);
    run(["run", &format!("{out}/failures/1-a.capu")])
        .expect(1, &["sim:contract@800x400", "Failed", "as expected"]);
}

#[test]
fn every_failure_is_filmed_from_the_first_screen_to_the_last() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    run(["check", "examples/music-signin.capu", "--seed", "1", "--out", out.to_str().unwrap()]);
    for (number, events) in [(1, 2), (2, 2), (3, 5)] {
        let pictures = out.join(format!("failures/{number}-signinTraces"));
        let mut names: Vec<_> = std::fs::read_dir(&pictures)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let wanted: Vec<String> = (0..=events).map(|index| format!("{index:02}.svg")).collect();
        assert_eq!(names, wanted);
        let first = std::fs::read_to_string(pictures.join("00.svg")).unwrap();
        assert!(first.contains("Music Service"), "{first}");
    }
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert_eq!(page.matches("src=\"data:image/svg+xml;base64,").count(), 3 + 3 + 6);
    // Each but the end of a crash or of a failed assertion shows where the finger goes; turns and
    // the Home button go nowhere.
    assert_eq!(page.matches("<span class=\"mark\"").count(), 1 + 1 + 4);
    assert_eq!(page.matches("<span class=\"mark stopped\"").count(), 1);
}

#[test]
fn a_log_cannot_name_a_picture_outside_of_its_directory() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    run(["check", "examples/music-signin.capu", "--seed", "1", "--out", out.to_str().unwrap()]);
    std::fs::write(home.path().join("secret.svg"), "secret").unwrap();
    let log = std::fs::read_to_string(out.join("log.jsonl")).unwrap();
    let absolute = home.path().join("secret.svg");
    for elsewhere in ["../secret.svg", "failures/../../secret.svg", absolute.to_str().unwrap()] {
        let bent = log.replace("failures/1-signinTraces/00.svg", elsewhere);
        assert_ne!(bent, log);
        std::fs::write(out.join("log.jsonl"), bent).unwrap();
        let page = run(["report", out.to_str().unwrap(), "--format", "html"]).stdout;
        // "secret" in base64.
        assert!(page.contains("no picture") && !page.contains("c2VjcmV0"));
    }
}

/// What cannot be written is said once, at the end; everything else is there and whole.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_is_said_once_with_how_much_is_missing() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let place = out.to_str().unwrap();
    // No file may be larger than 1 KiB: traces fit, most pictures and reports do not.
    let mut full = std::process::Command::new("sh");
    full.args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$@\"", "sh"]);
    let check = command(["check", "examples/music-signin.capu", "--seed", "1", "--out", place]);
    full.arg(check.get_program()).args(check.get_args());
    let ran = Ran::from(full.current_dir(root()).output().unwrap());
    ran.expect(1, &["3 failures", "warning: cannot write", "files are missing in all", "verdicts"]);
    assert_eq!(ran.stderr.matches("cannot write").count(), 1, "{}", ran.stderr);
    let said = ran.stderr.split("; ").find_map(|part| part.split_once(" files are missing"));
    let missing: usize = said.unwrap().0.parse().unwrap();
    // The log, the page and JUnit, and of the twelve pictures those that are larger.
    let mut files: Vec<_> = std::fs::read_dir(out.join("failures")).unwrap().collect();
    files.retain(|file| file.as_ref().is_ok_and(|file| file.path().is_dir()));
    let pictures: usize = files
        .iter()
        .map(|it| std::fs::read_dir(it.as_ref().unwrap().path()).unwrap().count())
        .sum();
    assert_eq!(missing, 3 + 12 - pictures, "{}", ran.stderr);
    for number in 1..=3 {
        let file = out.join(format!("failures/{number}-signinTraces.capu"));
        run(["run", file.to_str().unwrap()]).expect(1, &["after: Click(#enter)"]);
    }
}

#[test]
fn a_file_that_something_is_in_the_way_of_is_missing_and_no_half_of_one_is_left() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let place = out.to_str().unwrap();
    let check = ["check", "examples/music-signin.capu", "--seed", "1", "--out", place];
    run(check).expect(1, &[]);
    std::fs::remove_file(out.join("junit.xml")).unwrap();
    std::fs::create_dir(out.join("junit.xml")).unwrap();
    run(["report", place, "--format", "junit", "-o", out.join("junit.xml").to_str().unwrap()])
        .expect(2, &["cannot write", "junit.xml"]);
    let names = |place: &std::path::Path| {
        let entries = std::fs::read_dir(place).unwrap();
        entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    assert!(names(&out).iter().all(|name| !name.starts_with('.')), "{:?}", names(&out));
    let page = home.path().join("page.html");
    run(["report", place, "--format", "html", "-o", page.to_str().unwrap()]).expect(0, &[]);
    assert!(names(home.path()).contains(&"page.html".to_owned()));
}

/// A failure is saved on an app that loses a draft; then the app, or what is asked of it, changes.
#[test]
fn a_replay_that_ends_differently_says_so() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let spec = "docs/book/examples/draft.capu";
    run(["check", spec, "--seed", "1", "--out", out.to_str().unwrap()]).expect(1, &[]);
    let file = out.join("failures/1-theDraftSurvives.capu");
    let saved = std::fs::read_to_string(&file).unwrap();
    let expect = "expect \"Failed assert hasText(#edit_area, \\\"Hi\\\")\"\n";
    assert!(saved.contains(expect), "{saved}");
    let file = file.to_str().unwrap();
    let said = "Failed assert hasText(#edit_area, \"Hi\")";
    run(["run", file]).expect(1, &[said, "    as expected\n"]);
    run(["run", file, "--device", "sim:reply-fixed"])
        .expect(0, &["Succeeded after", "expected a failure: Failed assert", "--times 20"]);
    run(["run", file, "--device", "sim:music"])
        .expect(5, &["Blocked at Click(#reply)", "expected another failure", "another state"]);
    run(["run", file, "--times", "3"])
        .expect(1, &["3 of 3 runs, as expected", "failed as expected in 3 of 3 runs\n"]);
    run(["run", file, "--times", "3", "--device", "sim:reply-fixed"])
        .expect(0, &["failed as expected in 0 of 3 runs, succeeded in 3\n"]);
    let another = saved.replace(expect, "expect \"crashed null at Main\"\n");
    std::fs::write(file, another).unwrap();
    run(["run", file]).expect(1, &[said, "expected another failure: crashed null at Main\n"]);
    // A file of an earlier version runs as it did.
    std::fs::write(file, saved.replace(expect, "")).unwrap();
    assert!(!run(["run", file]).expect(1, &[said]).stdout.contains("expected"));
}

/// What tells a failure apart within a check is not what its file can show: labels and remembered
/// values are not there any more.
#[test]
fn a_failure_of_a_label_or_a_remembered_value_comes_as_expected() {
    let home = tempfile::tempdir().unwrap();
    let (spec, out) = (home.path().join("a.capu"), home.path().join("out"));
    for text in [
        "always \"low\": number(#count) < 2\ncheck a = repeat 3 { Click(#increment) }",
        "check a = let n = number(#count) :>> Click(#increment) :>> assert number(#count) == n",
        "check a = repeat 2 { Click(#increment) } keeps text(#count)",
        "check a = { repeat 2 { Click(#increment) } } always number(#count) < 1",
        "check a = Click(#increment) preserves hasText(#count, \"0\")",
    ] {
        std::fs::write(&spec, format!("device \"sim:contract\"\n{text}\n")).unwrap();
        let out = out.to_str().unwrap();
        let checked = run(["check", spec.to_str().unwrap(), "--seed", "1", "--out", out]);
        checked.expect(1, &["1 failure"]);
        run(["run", &format!("{out}/failures/1-a.capu")]).expect(1, &["as expected"]);
    }
}
