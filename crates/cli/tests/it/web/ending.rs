//! A run that is ended before its time: no browser and no profile outlives it, however it ends.

use super::app::App;
use super::home::Home;

/// Fails at once, and then goes on for as long as anybody likes.
const ENDLESS: &str = "check wrong = assert isDisplayed(\"nowhere\")\n\
                       check endless = times 100000 Click(#enter)?";

#[test]
fn killed_it_leaves_no_browser_and_what_it_found() {
    let home = Home::new();
    let app = App::plain();
    let check = home.check(ENDLESS, &app.page("music.html"), &["--cases", "3"]);
    let mut running = home.start(&check);
    running.until("endless · ");
    assert!(!home.browsers().is_empty());
    running.signal("-KILL");
    let ran = running.end();
    assert_eq!(ran.code, -1);
    home.is_clean();
    assert_eq!(home.failures(), ["1-wrong.capu"]);
    let out = home.out();
    crate::capuchin::run(["report", out.to_str().unwrap()])
        .expect(0, &["[1] Failed", "the run was interrupted"]);
}

#[test]
fn interrupted_or_terminated_it_writes_its_report_and_leaves_no_browser() {
    for name in ["-INT", "-TERM"] {
        let home = Home::new();
        let app = App::plain();
        let more = ["--cases", "3", "--jobs", "2"];
        let mut running = home.start(&home.check(ENDLESS, &app.page("music.html"), &more));
        running.until("endless · ").signal(name);
        running.end().expect(1, &["[1] Failed", "the run was interrupted", "saved in"]);
        home.is_clean();
        assert_eq!(home.failures(), ["1-wrong.capu"]);
        assert!(home.out().join("report.html").is_file());
    }
}

#[test]
fn a_second_interrupt_ends_it_at_once_and_leaves_no_browser() {
    let home = Home::new();
    // A page that never answers, and somebody who does not want to wait for it.
    let app = App::plain();
    let spec = "check first = Click(#harmless)\ncheck hangs = Click(#hang)";
    let more = ["--cases", "3", "--with", "hang=60000"];
    let mut running = home.start(&home.check(spec, &app.page("driver/hostile.html"), &more));
    running.until("hangs · ").signal("-INT").signal("-INT");
    let ran = running.end();
    assert_eq!(ran.code, 130, "{ran:#?}");
    home.is_clean();
}
