//! Failing traces are saved as files that run as they stand.

use crate::capuchin::run;

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
            let text = std::fs::read_to_string(&file).unwrap();
            let summary = text.lines().next().unwrap().trim_start_matches("// ").to_owned();
            run(["run", file.to_str().unwrap()]).expect(1, &[&summary]);
            how_many += 1;
        }
        assert!(how_many > 0);
    }
}
