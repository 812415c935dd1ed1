//! `--with coverage`: the code that ran is written down and summed up.

use crate::capuchin::run;

const PAGE: &str = "testing/apps/web/driver/covered/index.html";

#[test]
fn the_code_that_ran_is_in_the_run_directory() {
    let home = tempfile::tempdir().unwrap();
    let (spec, out) = (home.path().join("a.capu"), home.path().join("out"));
    // Never `never`, and never a window.
    std::fs::write(&spec, "check a = Click(#add) :>> Click(#add)").unwrap();
    let (spec, out_name) = (spec.to_str().unwrap(), out.to_str().unwrap());
    let device = format!("web:{PAGE}");
    let args =
        ["check", spec, "--device", &device, "--cases", "4", "--jobs", "2", "--out", out_name];
    let covered = "covered   4 of 6 functions, ";
    run(args.into_iter().chain(["--with", "coverage"]))
        .expect(0, &["held", covered, "20 of 23 lines", "saved in"]);

    let lcov = std::fs::read_to_string(out.join("coverage/lcov.info")).unwrap();
    assert!(lcov.starts_with("TN:\nSF:app.js\nFN:3,add\n"), "{lcov}");
    let never = lcov.lines().filter(|line| line.starts_with("FNDA:0,"));
    assert_eq!(
        never.collect::<Vec<_>>(),
        ["FNDA:0,never", "FNDA:0,document.getElementById.onclick"]
    );
    assert!(lcov.ends_with("LF:23\nLH:20\nend_of_record\n"), "{lcov}");
    let istanbul = std::fs::read_to_string(out.join("coverage/coverage-final.json")).unwrap();
    let istanbul: serde_json::Value = serde_json::from_str(&istanbul).unwrap();
    assert_eq!(istanbul["app.js"]["fnMap"]["0"]["name"], "add");
    assert!(istanbul["app.js"]["f"]["0"].as_u64().unwrap() > 0);

    // Again from the log alone.
    run(["report", out_name]).expect(0, &["held", covered]);
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("<dt>Covered</dt><dd>4 of 6 functions, "), "{page:.3000}");

    // A run that does not count leaves no counts of the one before it.
    let ran = run(args);
    ran.expect(0, &["held"]);
    assert!(!ran.stdout.contains("\ncovered ") && !out.join("coverage").exists());
}
