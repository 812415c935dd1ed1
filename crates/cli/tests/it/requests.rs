//! Bad input and interruptions: a clear message, the right exit code, and nothing lost.

use crate::capuchin::{Ran, command, run};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

/// Checks a specification given on standard input.
fn check_text(text: &[u8], args: &[&str]) -> Ran {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let mut child = command(["check", "-", "--out", out.to_str().unwrap()])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text).unwrap();
    Ran::from(child.wait_with_output().unwrap())
}

#[test]
fn a_file_that_is_not_there() {
    run(["check", "nowhere.capu"]).expect(2, &["cannot read nowhere.capu", "help"]);
    run(["run", "nowhere.capu"]).expect(2, &["cannot read nowhere.capu"]);
    run(["report", "nowhere"]).expect(2, &["not a run directory"]);
}

#[test]
fn an_app_in_the_place_of_a_specification_is_named_as_the_device() {
    for app in ["testing/apps/web/music.html", "sim:music", "http://localhost:1/"] {
        for verb in ["run", "check"] {
            run([verb, app]).expect(2, &["is an app, and not a specification", "--device", app]);
        }
    }
}

#[test]
fn what_has_no_end_is_not_read_to_its_end() {
    run(["check", "/dev/zero"]).expect(2, &["/dev/zero is larger than 16 MiB"]);
    run(["run", "/dev/zero"]).expect(2, &["/dev/zero is larger than 16 MiB"]);
    run(["check", "examples"]).expect(2, &["cannot read examples", "name a .capu file"]);
    let home = tempfile::tempdir().unwrap();
    let large = home.path().join("large.capu");
    // A file that is all hole: larger than any specification, and small on the disk.
    std::fs::File::create(&large).unwrap().set_len(2 << 30).unwrap();
    run(["check", large.to_str().unwrap()]).expect(2, &["is larger than 16 MiB"]);
    let zero = home.path().join("log.jsonl");
    std::os::unix::fs::symlink("/dev/zero", &zero).unwrap();
    run(["report", home.path().to_str().unwrap()]).expect(2, &["cannot read", "not a file"]);
    run(["explore", "--resume", home.path().to_str().unwrap()]).expect(2, &["no app is named"]);
}

#[test]
fn a_long_id_is_cut_where_people_read_it() {
    let home = tempfile::tempdir().unwrap();
    let (file, out) = (home.path().join("a.capu"), home.path().join("out"));
    std::fs::write(&file, format!("Click(#{})", "a".repeat(1 << 20))).unwrap();
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    let ran = run(["check", file, "--device", "sim:music", "--cases", "2", "--out", out]);
    ran.expect(1, &["aaa…"]);
    assert!(ran.stdout.len() < 20_000, "{}", ran.stdout.len());
    run(["run", &format!("{out}/failures/1-main.capu")]).expect(1, &["Blocked"]);
}

#[test]
fn two_runs_do_not_write_into_one_directory() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let out = out.to_str().unwrap();
    let check = ["check", "examples/music-signin.capu", "--cases", "100000000", "--out", out];
    let mut first = command(check).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(first.stdout.take().unwrap()).read_line(&mut line).unwrap();
    run(check).expect(2, &["another run is writing into", "--out DIR"]);
    first.kill().unwrap();
    first.wait().unwrap();
    // A run that was killed holds nothing.
    run(["check", "examples/music-signin.capu", "--cases", "2", "--out", out])
        .expect(1, &["saved"]);
}

#[test]
fn unknown_names_are_pointed_at_and_corrected() {
    let ran =
        check_text(b"check a = Clik(#a)\ncheck b = Click(#b) :>> assert isDisplaied(#c)", &[]);
    ran.expect(2, &["Clik", "Click", "isDisplaied", "isDisplayed"]);
    run(["check", "examples/music-signin.capu", "--device", "sim:musik"])
        .expect(2, &["unknown device `sim:musik`", "did you mean `music`?"]);
    run(["check", "examples/music-signin.capu", "--device", "banana"])
        .expect(2, &["unknown device `banana`", "capuchin devices"]);
    run(["check", "examples/music-signin.capu", "--only", "signin"])
        .expect(2, &["no check `signin`", "signinTraces"]);
    run(["help", "spek"]).expect(2, &["no help on `spek`", "did you mean `spec`?"]);
    run(["chekc"]).expect(2, &["chekc"]);
}

#[test]
fn wrong_types() {
    check_text(b"check a = Click(#a) :>> 5", &[]).expect(2, &["generator"]);
    check_text(b"check a = assert Click(#a)", &[]).expect(2, &["property"]);
    check_text(b"check a = Type(#a)", &[]).expect(2, &["Type"]);
}

#[test]
fn a_predicate_that_the_device_does_not_know() {
    check_text(b"predicate isFlying\ncheck a = assert isFlying", &["--device", "sim:music"])
        .expect(2, &["does not answer `isFlying`", "mediaPlayerIsPlaying"]);
}

#[test]
fn a_script_that_the_device_does_not_evaluate() {
    let text = b"value v = js `1`\npredicate p = js `true`\ncheck a = assert v == 1 /\\ p";
    check_text(text, &["--device", "sim:music"])
        .expect(2, &["evaluates no JavaScript, as in `v`, `p`", "a web device"]);
}

#[test]
fn no_device_at_all() {
    check_text(b"check a = Rotate", &[]).expect(2, &["no device is named", "--device"]);
}

#[test]
fn a_megabyte_of_noise() {
    let mut rng = capuchin::ui::Rng::new(1);
    let bytes: Vec<u8> = (0..1 << 20).map(|_| rng.next() as u8).collect();
    check_text(&bytes, &[]).expect(2, &["not UTF-8"]);
    let text: String = (0..1 << 20).map(|_| (32 + rng.below(95)) as u8 as char).collect();
    let ran = check_text(text.as_bytes(), &["--device", "sim:music"]);
    ran.expect(2, &["cannot be used"]);
    assert!(ran.stderr.len() < 200_000, "{} bytes of messages", ran.stderr.len());
}

#[test]
fn a_target_that_is_on_no_screen_names_the_nearest() {
    run(["run", "--trace", "Click(#entre)", "--device", "sim:music"])
        .expect(1, &["Blocked at Click(#entre)", "nothing on the screen fits it", "#enter"]);
}

#[test]
fn a_run_directory_that_cannot_be_written() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    let inside = file.join("out");
    for out in [&file, &inside] {
        let out = out.to_str().unwrap();
        run(["check", "examples/music-signin.capu", "--out", out])
            .expect(2, &["cannot write the run directory", "--out"]);
    }
    let taken = home.path().to_str().unwrap();
    run(["check", "examples/music-signin.capu", "--out", taken])
        .expect(2, &["not a run directory"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "in the way", "nothing was touched");
}

#[test]
fn a_disk_that_is_full_changes_no_verdict() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    // No file may grow beyond a block or two: what is written after that fails as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 2; exec \"$@\"";
    let capuchin = env!("CARGO_BIN_EXE_capuchin");
    let output = std::process::Command::new("sh")
        .args(["-c", script, "sh", capuchin, "check", "examples/music-signin.capu", "--seed", "1"])
        .args(["--out", out.to_str().unwrap()])
        .current_dir(crate::capuchin::root())
        .output()
        .unwrap();
    let ran = Ran::from(output);
    ran.expect(1, &["[1] ", "[3] ", "violated", "warning: cannot write", "do not depend on it"]);
    let kept = run(["report", out.to_str().unwrap()]);
    kept.expect(0, &["[1] ", "warning: the log is cut"]);
}

#[test]
fn a_report_that_cannot_be_written_says_so() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    run(["check", "examples/reply.capu", "--out", out.to_str().unwrap()]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command(["report", out.to_str().unwrap()]).stdout(full).output().unwrap();
    Ran::from(output).expect(2, &["cannot write"]);
}

#[test]
fn a_log_cut_in_the_middle() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let ran =
        run(["check", "examples/music-signin.capu", "--seed", "1", "--out", out.to_str().unwrap()]);
    let log = out.join("log.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    let found = text.find("failure-found").unwrap();
    let cut = found + text[found..].find('\n').unwrap() + 20;
    std::fs::write(&log, &text[..cut]).unwrap();
    let first_failure = ran.stdout.lines().find(|line| line.starts_with("[1]")).unwrap();
    run(["report", out.to_str().unwrap()])
        .expect(0, &[first_failure, "the run was interrupted", "warning: the log is cut in line"]);
    // Killed while it made the failure small: it is there as it was seen.
    let line = text[..found].rfind('\n').unwrap() + 1;
    std::fs::write(&log, &text[..line]).unwrap();
    run(["report", out.to_str().unwrap()]).expect(
        0,
        &["[1] Blocked at", "not yet the smallest", "violated", "1 failure", "interrupted"],
    );
    run(["report", out.to_str().unwrap(), "--format", "junit"]).expect(0, &["[1] Blocked at"]);
    run(["report", out.to_str().unwrap(), "--format", "junit"])
        .expect(0, &["did not come to its end"]);
    std::fs::write(&log, "not a log").unwrap();
    run(["report", out.to_str().unwrap()]).expect(2, &["is not a log"]);
}

#[test]
fn nothing_checked_is_exit_code_4() {
    check_text(b"check a = Rotate", &["--device", "sim:music", "--cases", "0"])
        .expect(4, &["nothing"]);
}

#[test]
fn ctrl_c_ends_cleanly_with_what_was_found() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let mut child = command(["check", "examples/music-signin.capu", "--cases", "100000000"])
        .args(["--jobs", "2", "--out", out.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut seen = String::new();
    while !seen.contains("\n[1] ") {
        assert_ne!(stdout.read_line(&mut seen).unwrap(), 0, "it ended by itself: {seen}");
    }
    let interrupted = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(interrupted.success());
    stdout.read_to_string(&mut seen).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(1), "{seen}");
    assert!(seen.contains("violated") && seen.contains("the run was interrupted"), "{seen}");
    for name in ["log.jsonl", "junit.xml", "report.html"] {
        assert!(out.join(name).metadata().unwrap().len() > 0, "{name}");
    }
}

#[test]
fn help_is_there() {
    run(["--help"]).expect(0, &["check", "run", "devices", "report", "Examples:"]);
    run(["help", "spec"]).expect(0, &["Click"]);
    run(["help", "check"]).expect(0, &["--jobs", "Examples:"]);
    run(["help", "exit-codes"]).expect(0, &["violated"]);
    run(["devices"]).expect(0, &["sim:music"]);
}
