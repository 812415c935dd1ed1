//! Every bug that is planted in the sample apps is found by the example that is meant for it, is
//! shrunk to the trace in the table, and is gone in the fixed variant.

use crate::capuchin::run;
use capuchin_apps::BUGS;

#[test]
fn each_example_finds_its_planted_bugs_and_holds_without_them() {
    let home = tempfile::tempdir().unwrap();
    let mut specs: Vec<&str> = BUGS.iter().map(|bug| bug.spec).collect();
    specs.dedup();
    for spec in specs {
        let out = home.path().join(spec.replace('/', "_"));
        let out = out.to_str().unwrap();
        let planted: Vec<_> = BUGS.iter().filter(|bug| bug.spec == spec).collect();
        let device = format!("sim:{}", planted[0].app);
        let spec = &format!("examples/{spec}");
        let ran = run(["check", spec, "--device", &device, "--seed", "1", "--out", out]);
        assert_eq!(ran.code, 1, "{spec}: {ran:#?}");
        let failures: Vec<(String, String, u32)> = failures(out);
        for bug in &planted {
            let found = failures.iter().find(|(summary, after, _)| {
                summary.starts_with(&format!("{:?}", bug.verdict)) && bug.minimal.contains(&after.as_str())
            });
            let Some((_, _, events)) = found else {
                panic!("{spec}: {} was not found as {:?}: {failures:#?}", bug.bug, bug.minimal)
            };
            assert!(*events <= bug.within, "{spec}: {} took {events} events", bug.bug);
        }
        assert_eq!(failures.len(), planted.len(), "{spec} finds more than is planted: {failures:#?}");

        let fixed = format!("sim:{}-fixed", planted[0].app);
        let ran = run(["check", spec, "--device", &fixed, "--seed", "1", "--out", out]);
        ran.expect(0, &["held"]);
    }
}

/// The failures of a run: summary, events of the smallest trace, and the events of all cases until it was found.
fn failures(out: &str) -> Vec<(String, String, u32)> {
    let log = std::fs::read_to_string(format!("{out}/log.jsonl")).unwrap();
    let mut events = 0;
    let mut failures = Vec::new();
    for line in log.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        match line["event"].as_str() {
            Some("case-finished") => events += line["steps"].as_u64().unwrap() as u32,
            Some("failure-found") => failures.push((text("summary"), text("after"), events)),
            _ => {}
        }
    }
    failures
}

#[test]
fn a_saved_failure_runs_as_it_stands() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    for spec in ["examples/music-signin.capu", "examples/music-player.capu"] {
        run(["check", spec, "--seed", "1", "--out", out.to_str().unwrap()]);
        let saved = std::fs::read_dir(out.join("failures")).unwrap();
        let mut how_many = 0;
        for file in saved {
            let file = file.unwrap().path();
            let text = std::fs::read_to_string(&file).unwrap();
            let summary = text.lines().next().unwrap().trim_start_matches("// ").to_owned();
            run(["run", file.to_str().unwrap()]).expect(1, &[&summary]);
            how_many += 1;
        }
        assert!(how_many > 0);
    }
}
