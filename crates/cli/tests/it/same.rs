//! Runs that must be the same to the byte: with the same seed, with any number of devices, and
//! rendered again from the log.

use crate::capuchin::run;
use std::path::Path;

/// Every file below a directory, with its content.
pub(crate) fn content(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap().display().to_string();
                files.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn the_same_seed_gives_the_same_bytes_with_any_number_of_jobs() {
    for example in ["music-signin", "courses", "score"] {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("out");
        let mut runs = Vec::new();
        for jobs in ["1", "2", "2", "5"] {
            let spec = format!("examples/{example}.capu");
            let args = ["check", &spec, "--seed", "7", "--cases", "60", "--jobs", jobs, "--fresh"];
            let ran =
                run(args.iter().copied().map(Path::new).chain([Path::new("--out"), out.as_path()]));
            assert_eq!(ran.code, 1, "{ran:#?}");
            runs.push((ran.stdout, content(&out)));
        }
        for other in &runs[1..] {
            assert_eq!(runs[0].0, other.0);
            assert_eq!(runs[0].1, other.1);
        }
        let names: Vec<&str> = runs[0].1.iter().map(|(name, _)| name.as_str()).collect();
        for name in ["log.jsonl", "junit.xml", "report.html"] {
            assert!(names.contains(&name), "{names:?}");
        }
        assert!(names.iter().any(|name| name.starts_with("failures/1-")), "{names:?}");
    }
}

#[test]
fn a_run_is_rendered_again_from_its_log() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let out = out.to_str().unwrap();
    let ran = run(["check", "examples/music-signin.capu", "--seed", "1", "--out", out]);
    let report = run(["report", out]).expect(0, &[]).stdout.clone();
    assert_eq!(ran.stdout.strip_prefix(&report).unwrap().lines().count(), 3, "all but the footer");
    let file = |name: &str| std::fs::read_to_string(Path::new(out).join(name)).unwrap();
    assert_eq!(run(["report", out, "--format", "junit"]).stdout, file("junit.xml"));
    assert_eq!(run(["report", out, "--format", "json"]).stdout, file("log.jsonl"));
    assert_eq!(run(["report", out, "--format", "html"]).stdout, file("report.html"));
    for (format, same) in [("html", file("report.html")), ("terminal", report)] {
        let copy = home.path().join("copy");
        let ran = run(["report", out, "--format", format, "-o", copy.to_str().unwrap()]);
        assert_eq!(ran.expect(0, &[]).stdout, "");
        assert_eq!(std::fs::read_to_string(copy).unwrap(), same);
    }
    run(["report", out, "-o", "nowhere/at/all"]).expect(2, &["cannot write nowhere/at/all"]);
}
