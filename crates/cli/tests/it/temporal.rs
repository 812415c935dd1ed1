//! Properties of whole runs on the simulated apps: what violates one is shrunk to the shortest run,
//! saved, and fails again out of its file; what is not decided is told as that.

use crate::capuchin::{Ran, run};

/// Checks a specification; `fixed`: on the app without its bugs.
fn check(home: &std::path::Path, spec: &str, fixed: bool) -> Ran {
    let file = home.join("spec.capu");
    std::fs::write(&file, spec).unwrap();
    let out = home.join("out");
    let device = spec.split('"').nth(1).unwrap();
    let device = if fixed { format!("{device}-fixed") } else { device.to_owned() };
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    run(["check", file, "--seed", "1", "--fresh", "--device", &device, "--out", out])
}

/// A reply that was begun is there until the composer is left.
const KEPT: &str = r#"device "sim:reply"
cases 60
val begun = value(#edit_area) != ""
property "a reply is kept": always (begun ==> begun until !isDisplayed(#edit_area))
check replies =
    times 8 { Click(#reply)? <+> Type(#edit_area, string("[a-z]{1,5}"))? <+> Rotate <+> Click(#discard)? }
"#;

/// Where the button says Stop, music plays, or the button says Play before a second is over.
const AGREES: &str = r#"device "sim:music"
cases 40
predicate mediaPlayerIsPlaying
property "the button agrees": isClickable(#stop) leadsTo mediaPlayerIsPlaying \/ isClickable(#play) within 1 s
check plays =
    Click(#enter) :>> Type(#username, "test") :>> Type(#password, "1234") :>> Click(#signin) :>>
    times 6 { Click(#play)? <+> Click(#stop)? <+> Sleep(choose(0, 5000)) }
"#;

#[test]
fn a_violation_is_shrunk_to_the_shortest_run_and_fails_again_out_of_its_file() {
    let home = tempfile::tempdir().unwrap();
    let shortest = "Click(#reply) :>> Type(#edit_area, \"a\") :>> Rotate";
    check(home.path(), KEPT, false)
        .expect(1, &["Failed property a reply is kept after: Click(#reply)"]);
    let file = home.path().join("out/failures/1-replies.capu");
    let saved = std::fs::read_to_string(&file).unwrap();
    let property = "property \"a reply is kept\": always (value(#edit_area) != \"\" ==> \
                    ((value(#edit_area) != \"\") until !isDisplayed(#edit_area)))";
    assert!(saved.contains(property), "{saved}");
    let trace = saved.lines().last().unwrap();
    let events = |trace: &str| {
        trace
            .split(" :>> ")
            .map(|one| one.split('(').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(events(trace), events(shortest), "{saved}");
    run(["run", file.to_str().unwrap()])
        .expect(1, &["Failed property a reply is kept", "as expected"]);
    // The check runs it again, too, and knows it again.
    let spec = home.path().join("spec.capu");
    let out = home.path().join("out");
    run(["check", spec.to_str().unwrap(), "--cases", "1", "--out", out.to_str().unwrap()])
        .expect(1, &["a reply is kept"]);
}

#[test]
fn without_the_bug_it_holds_where_it_is_decided() {
    let home = tempfile::tempdir().unwrap();
    // Who is still writing when the run ends has decided nothing.
    check(home.path(), KEPT, true).expect(0, &["held", "not decided on ", "not decided in "]);
}

#[test]
fn a_limit_may_count_the_time_of_the_app() {
    let home = tempfile::tempdir().unwrap();
    check(home.path(), AGREES, false).expect(1, &["Failed property the button agrees after:"]);
    let file = home.path().join("out/failures/1-plays.capu");
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.contains("predicate mediaPlayerIsPlaying\n"), "{saved}");
    assert!(
        saved.contains("leadsTo (mediaPlayerIsPlaying \\/ isClickable(#play)) within 1000 ms"),
        "{saved}"
    );
    run(["run", file.to_str().unwrap()]).expect(1, &["as expected"]);
    check(home.path(), AGREES, true).expect(0, &["held"]);
}

#[test]
fn what_no_case_decides_has_not_held() {
    let home = tempfile::tempdir().unwrap();
    let never = "device \"sim:reply\"\ncases 3\n\
                 property \"sent\": eventually isDisplayed(\"Nowhere\")\ncheck a = Click(#reply)\n";
    check(home.path(), never, true)
        .expect(4, &["nothing", "a  not decided on 3 traces: property sent"]);
    let out = home.path().join("out");
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("not decided") && !page.contains("Held on"));
    let junit = home.path().join("junit.xml");
    run(["report", out.to_str().unwrap(), "--format", "junit", "--out", junit.to_str().unwrap()]);
    if let Ok(junit) = std::fs::read_to_string(&junit) {
        assert!(junit.contains("skipped") && junit.contains("not decided"), "{junit}");
    }
    let trace = home.path().join("trace.capu");
    let text = "device \"sim:reply\"\nproperty eventually isDisplayed(\"Nowhere\")\n\
                Click(#reply)\n";
    std::fs::write(&trace, text).unwrap();
    run(["run", trace.to_str().unwrap()]).expect(4, &["Not decided after: Click(#reply)"]);
    // Another check that is violated decides what the run comes to.
    let both = never.to_owned() + "check b = assert isDisplayed(\"Nowhere\")\n";
    check(home.path(), &both, true).expect(1, &["not decided on 3 traces", "violated  b"]);
}
