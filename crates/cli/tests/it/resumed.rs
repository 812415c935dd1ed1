//! `capuchin check --resume`: what the policies of `auto` have learned is kept, and gone on from.

use crate::capuchin::{Ran, command, run};
use std::fs;
use std::path::{Path, PathBuf};

const SPEC: &str = "device \"sim:music-fixed\"\nseed 1\ncases 2\n\
    val login = Click(#enter) :>> Type(#username, \"test\") :>> Type(#password, \"1234\") :>> Click(#signin)\n\
    check after = login :>> auto swifthand 20\n\
    check both = auto capuchin 15 :>> Rotate :>> auto random 10 :>> auto capuchin 5\n\
    check plain = login\n";

/// A place with a specification in it.
struct Place(tempfile::TempDir);

impl Place {
    fn new(spec: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("my.capu"), spec).unwrap();
        Place(directory)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn check(&self, more: &[&str]) -> Ran {
        let file = self.text("my.capu");
        run(["check", file.as_str()].iter().chain(more))
    }
}

fn journal(out: &Path, name: &str) -> String {
    fs::read_to_string(out.join("models").join(name)).unwrap()
}

fn performed(journal: &str) -> usize {
    journal.lines().filter(|line| line.starts_with("{\"performed\"")).count()
}

#[test]
fn what_was_learned_is_kept_and_the_next_check_goes_on_from_it() {
    let place = Place::new(SPEC);
    let (first, second) = (place.path("first"), place.path("first-resumed"));
    let out = place.text("first");
    let file = place.text("my.capu");
    let device = "--device sim:music-fixed --seed 1";
    let resume = format!("resume: capuchin check {file} {device} --resume {out}");
    // Twice: the models of a run are replaced with the rest of it.
    for _ in 0..2 {
        place.check(&["--out", &out]).expect(0, &[&resume]);
    }
    let mut names: Vec<_> =
        fs::read_dir(first.join("models")).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["after-1.jsonl", "both-1.jsonl", "both-2.jsonl"]);
    let counts = ["after-1.jsonl", "both-1.jsonl", "both-2.jsonl"]
        .map(|name| performed(&journal(&first, name)));
    assert_eq!(counts, [2 * 20, 2 * (15 + 5), 2 * 10]);

    // A kill tears the last line at most.
    let whole = journal(&first, "both-1.jsonl");
    fs::write(first.join("models/both-1.jsonl"), &whole[..whole.len() - 5]).unwrap();
    place.check(&["--resume", &out, "-q"]).expect(0, &[]);
    for name in ["after-1.jsonl", "both-1.jsonl", "both-2.jsonl"] {
        let (before, after) = (journal(&first, name), journal(&second, name));
        let kept = match name {
            "both-1.jsonl" => before.lines().count() - 1,
            _ => before.lines().count(),
        };
        // Nor is a sight kept that only the torn line was about.
        let mut kept: Vec<&str> = before.lines().take(kept).collect();
        kept.pop_if(|line| line.starts_with("{\"sight\""));
        assert!(after.lines().take(kept.len()).eq(kept), "{name}");
        assert!(performed(&after) > performed(&before), "{name}");
    }
    // And so on; nothing is left of what was torn.
    let third = place.text("third");
    place.check(&["--resume", &place.text("first-resumed"), "--out", &third, "-q"]).expect(0, &[]);
    let again = place.text("again");
    place.check(&["--resume", &place.text("first-resumed"), "--out", &again, "-q"]).expect(0, &[]);
    let [third, again] = [third, again].map(|out| journal(Path::new(&out), "after-1.jsonl"));
    assert_eq!(third, again, "it is a function of the seed and of what was known");
}

#[test]
fn a_check_that_was_killed_goes_on_from_what_it_had_learned() {
    let place = Place::new(SPEC);
    let (out, file) = (place.text("killed"), place.text("my.capu"));
    let arguments = ["check", &file, "--out", &out, "--cases", "1000000", "-q"];
    let mut child = command(arguments).stdout(std::process::Stdio::null()).spawn().unwrap();
    let learned = || fs::read_to_string(place.path("killed/models/after-1.jsonl"));
    while learned().map_or(0, |text| performed(&text)) < 50 {
        assert!(child.try_wait().unwrap().is_none(), "it has a million cases before it");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = learned().unwrap();
    place.check(&["--resume", &out, "-q"]).expect(0, &[]);
    let after = journal(&place.path("killed-resumed"), "after-1.jsonl");
    // All of it but for a line that is torn, and two cases of up to twenty moves.
    let whole = before.rfind('\n').map_or("", |end| &before[..end]);
    let moves = |text: &str| -> Vec<String> {
        let is_move = |line: &&str| line.starts_with("{\"performed\"");
        text.lines().filter(is_move).map(str::to_owned).collect()
    };
    let (before, after) = (moves(whole), moves(&after));
    assert!(after.starts_with(&before), "{} {}", before.len(), after.len());
    assert!(after.len() <= before.len() + 40, "{} {}", before.len(), after.len());
    assert_eq!(performed(&journal(&place.path("killed-resumed"), "both-2.jsonl")), 2 * 10);
}

#[test]
fn what_cannot_be_resumed_says_what_to_do() {
    let place = Place::new(SPEC);
    let out = place.text("run");
    let only = ["--only", "after", "--out", &out, "-q"];
    place.check(&only).expect(0, &[]);
    let help = "help: name the run directory of an earlier `capuchin check` of the same file";
    place.check(&["--resume", &out]).expect(2, &["cannot resume", "both-1.jsonl", help, "--only"]);
    place.check(&["--resume", &place.text("none")]).expect(2, &["after-1.jsonl", help]);
    place
        .check(&["--resume", &out, "--out", &out])
        .expect(2, &["is what is to be resumed", "choose another directory"]);
    place
        .check(&["--only", "plain", "--resume", &out])
        .expect(2, &["no check has an `auto` that learns", "leave --resume out"]);

    let file = place.path("run/models/after-1.jsonl");
    let whole = fs::read_to_string(&file).unwrap();
    let damaged = whole.replacen("\"sight\"", "\"slight\"", 1);
    fs::write(&file, damaged).unwrap();
    let refused = place.check(&["--only", "after", "--resume", &out]);
    refused.expect(2, &["cannot resume", "after-1.jsonl: line 2 does not read", help]);
    assert!(!place.path("run-resumed").exists(), "nothing was begun");
    let later = whole.replacen("\"version\":1", "\"version\":9", 1);
    fs::write(&file, later).unwrap();
    place.check(&["--only", "after", "--resume", &out]).expect(2, &["a later version"]);
}
