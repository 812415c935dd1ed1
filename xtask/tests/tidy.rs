//! Tidy on this repository, so that `cargo test` alone tells. Runs the command as a developer does.

use std::process::{Command, Output};

fn xtask(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(args).output().expect("xtask starts")
}

#[test]
fn this_repository_is_tidy() {
    let output = xtask(&["tidy"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    assert!(printed.contains("nothing to put right"), "{printed}");
}

#[test]
fn a_wrong_request_is_told_what_there_is() {
    for (args, told) in [
        (&["tydi"][..], "usage:"),
        (&[][..], "usage:"),
        (&["bench", "no-such-bench"][..], "no benchmark is called `no-such-bench`"),
    ] {
        let output = xtask(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(told), "{args:?}");
    }
}
