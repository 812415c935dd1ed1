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
            if file.is_dir() {
                continue; // The pictures of it.
            }
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
