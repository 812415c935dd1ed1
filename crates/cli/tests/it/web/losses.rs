//! What is lost in the middle of a run: the browser, the tab, the page, the disk. The run goes on
//! or ends, and nothing that was found is lost with it.

use super::app::{Answer, App};
use super::home::{Home, browsers_in, renderers_of, signal};
use crate::capuchin::Ran;
use std::process::Command;

/// Serves pages; kills the browser whenever `when` holds of the number of a page.
fn killing(home: &Home, when: impl Fn(u32) -> bool + Send + Sync + 'static) -> App {
    let profiles = home.path("tmp");
    App::start(move |number| {
        if when(number) {
            browsers_in(&profiles).into_iter().for_each(|browser| signal(browser, "-KILL"));
        }
        Answer::File
    })
}

#[test]
fn a_browser_that_is_killed_once_is_replaced_and_changes_nothing() {
    let spec = "check signs = Click(#enter) :>> Type(#username, string(\"[a-z]{3}\")) :>>\n\
                assert length(text(#username)) == 3";
    let undisturbed = Home::new();
    let app = App::plain();
    let more = ["--cases", "8", "--quiet"];
    let wanted = undisturbed.done(undisturbed.check(spec, &app.page("music.html"), &more));
    wanted.expect(0, &["held"]);

    let home = Home::new();
    let app = killing(&home, |number| number == 5);
    let ran = home.done(home.check(spec, &app.page("music.html"), &more));
    ran.expect(
        0,
        &["on 8 traces", "warning: ", "is lost: the browser", "going on with another one"],
    );
    // The name of the device has the port of its server in it.
    let results = |ran: &Ran| ran.stdout.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(results(&ran), results(&wanted));
}

#[test]
fn a_browser_that_is_killed_again_and_again_ends_the_run() {
    let home = Home::new();
    let app = killing(&home, |number| number >= 4);
    let ran = home.done(home.check("check a = Click(#enter)", &app.page("music.html"), &[]));
    ran.expect(3, &["is lost: the browser", "a  on 2 traces", "the device failed before the end"]);

    // What was found until then is found.
    let home = Home::new();
    let app = killing(&home, |number| number >= 14);
    let spec = "check wrong = assert isDisplayed(\"nowhere\")\ncheck a = Click(#enter)\n\
                check b = Skip\ncheck c = Skip";
    let ran = home.done(home.check(spec, &app.page("music.html"), &["--cases", "5"]));
    ran.expect(1, &["[1] Failed", "is lost: the browser", "note: not run: b, c", "saved in"]);
    let junit = std::fs::read_to_string(home.out().join("junit.xml")).unwrap();
    assert_eq!(junit.matches("name=\"not run\"").count(), 2, "{junit}");
    assert_eq!(home.failures(), ["1-wrong.capu"]);
    assert!(home.out().join("report.html").is_file());
}

#[test]
fn a_tab_that_dies_by_a_fault_of_the_browser_is_a_lost_device_and_the_run_goes_on() {
    for fault in ["-TRAP", "-SEGV"] {
        let home = Home::new();
        let profiles = home.path("tmp");
        // One page to open the device, and two for each case; this is the second one of a case.
        let app = App::start(move |number| {
            if number == 5 {
                for browser in browsers_in(&profiles) {
                    renderers_of(browser).into_iter().for_each(|tab| signal(tab, fault));
                }
            }
            Answer::File
        });
        let spec = "check a = Click(#reload)";
        let ran = home.done(home.check(spec, &app.page("driver/hostile.html"), &["--cases", "6"]));
        ran.expect(
            0,
            &["a  on 6 traces", "a fault of the browser itself", "going on with another"],
        );
        assert_eq!(home.failures(), [""; 0], "{fault}");
    }
}

#[test]
fn a_tab_that_is_killed_is_a_crash_that_was_not_reproduced_and_the_run_goes_on() {
    let home = Home::new();
    let profiles = home.path("tmp");
    // One page to open the device, and two for each case; this is the second one of a case.
    let app = App::start(move |number| {
        if number == 5 {
            for browser in browsers_in(&profiles) {
                renderers_of(browser).into_iter().for_each(|tab| signal(tab, "-KILL"));
            }
        }
        Answer::File
    });
    let spec = "check a = Click(#reload)";
    let ran = home.done(home.check(spec, &app.page("driver/hostile.html"), &["--cases", "6"]));
    ran.expect(
        0,
        &["the tab was killed", "not reproduced in 3 reruns", "flaky     a  1 of 6 traces"],
    );
    assert_eq!(home.failures().len(), 1);
}

#[test]
fn a_page_that_hangs_is_a_crash_and_the_run_goes_on() {
    let home = Home::new();
    let app = App::plain();
    let spec = "check hangs = Click(#hang)\ncheck harmless = Click(#harmless)";
    let more = ["--cases", "1", "--with", "hang=700"];
    let ran = home.done(home.check(spec, &app.page("driver/hostile.html"), &more));
    ran.expect(
        1,
        &[
            "[1] Crashed after: Click(#hang)",
            "the page hangs: no answer for 0.7 s",
            "1 of 1 trace,",
            "held",
            "harmless  on 1 trace,",
        ],
    );
}

/// The command where no file may grow beyond so many blocks of 512 bytes: what is written after
/// that fails as on a full disk.
fn cramped(command: &Command, blocks: u32) -> Command {
    let mut cramped = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    cramped.args(["-c", &script, "sh"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            cramped.env(name, value);
        }
    }
    cramped.current_dir(command.get_current_dir().unwrap());
    cramped
}

#[test]
fn a_disk_that_is_full_is_said() {
    let home = Home::new();
    let app = App::plain();
    let check = home.check("check a = Click(#enter)", &app.page("music.html"), &["--cases", "3"]);
    let ran = home.done(cramped(&check, 0));
    ran.expect(3, &["cannot be started", "room"]);
}

#[test]
fn a_run_directory_that_fills_up_changes_no_verdict() {
    let home = Home::new();
    let (sender, process) = std::sync::mpsc::channel::<u32>();
    let process = std::sync::Mutex::new(process);
    let app = App::start(move |number| {
        if number == 2 {
            // The browser runs; from now on the command itself can write next to nothing.
            let id = process.lock().unwrap().recv().unwrap().to_string();
            let limited =
                Command::new("prlimit").args(["--pid", &id, "--fsize=1500:1500"]).status();
            assert!(limited.unwrap().success());
        }
        Answer::File
    });
    let spec = "check wrong = Click(#enter) :>> assert isDisplayed(\"nowhere\")";
    let running = home.start(&home.check(spec, &app.page("music.html"), &["--cases", "3"]));
    sender.send(running.id()).unwrap();
    let ran = running.end();
    ran.expect(1, &["[1] Failed", "3 of 3 traces", "warning: cannot write", "do not depend on it"]);
    assert_eq!(home.failures(), ["1-wrong.capu"]);
    home.is_clean();
}
