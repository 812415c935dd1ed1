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
        .expect(1, &["sim:contract@800x400", "Failed"]);
}
