//! A specification is data: what would start a program or read the environment is refused in a file
//! and in an earlier run, unless the user trusts it.

use crate::capuchin::run;
use capuchin_cli::Drivers;

const DEVICE: &str = "web:http://127.0.0.1:1 reset-command='touch pwned' header=X:$HOME";

#[test]
fn a_file_starts_no_program() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("a.capu");
    std::fs::write(&file, format!("device \"{DEVICE}\"\ncheck a = Rotate")).unwrap();
    let file = file.to_str().unwrap();
    let out = home.path().join("out");
    let out = out.to_str().unwrap();
    let said = [
        "the file's device would",
        "run the command `touch pwned` at every reset",
        "read the environment variable `HOME`",
        "--trust",
    ];
    run(["check", file, "--out", out]).expect(2, &said);
    run(["run", file]).expect(2, &said);
    run(["explore", "--spec", file, "--out", out]).expect(2, &said);
    // Another device is another question.
    run(["check", file, "--device", "sim:music", "--out", out]).expect(0, &["held"]);
}

#[test]
fn an_earlier_run_starts_no_program() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let out = out.to_str().unwrap();
    run(["explore", "sim:shop", "--events", "20", "--out", out]).expect(0, &["explored"]);
    let log = std::fs::read_to_string(format!("{out}/log.jsonl")).unwrap();
    std::fs::write(format!("{out}/log.jsonl"), log.replace("sim:shop", DEVICE)).unwrap();
    run(["explore", "--resume", out]).expect(2, &["run the command `touch pwned`", "--trust"]);
}

#[test]
fn the_decision_is_the_drivers() {
    let drivers = Drivers::default();
    assert!(drivers.refuse_untrusted(DEVICE).is_err());
    for harmless in ["sim:music", "web:http://a phone locale=de-DE", "http://a", "nonsense"] {
        assert!(drivers.refuse_untrusted(harmless).is_ok(), "{harmless}");
    }
    assert!(drivers.refuse_untrusted("http://a flag=--no-sandbox").is_err(), "without a scheme");
}
