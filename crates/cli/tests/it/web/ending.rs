//! A run that is ended before its time: no browser and no profile outlives it, however it ends.

use super::app::{Answer, App};
use super::home::Home;
use std::time::{Duration, Instant};

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

/// A page that hangs for longer than anybody waits for it.
const HANGS: [&str; 4] = ["--cases", "3", "--with", "hang=60000"];
/// Far less than the page hangs for, and far more than an end takes that is asked for.
const SOON: Duration = Duration::from_secs(25);

#[test]
fn the_end_of_the_time_cuts_a_hang_short_and_calls_it_nothing() {
    let (home, app, began) = (Home::new(), App::plain(), Instant::now());
    let more = [&HANGS[..], &["--time", "4s"]].concat();
    let page = app.page("driver/hostile.html");
    let ran = home.done(home.check("check hangs = Click(#hang)", &page, &more));
    ran.expect(4, &["hangs", "saved in"]);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    assert_eq!(home.failures(), [""; 0]);
    assert!(home.out().join("report.html").is_file());
}

#[test]
fn an_interrupt_cuts_a_hang_short_and_the_report_is_written() {
    let (home, app) = (Home::new(), App::plain());
    let spec = "check first = Click(#harmless)\ncheck hangs = Click(#hang)";
    let mut running = home.start(&home.check(spec, &app.page("driver/hostile.html"), &HANGS));
    running.until("hangs · ").signal("-INT");
    let began = Instant::now();
    running.end().expect(130, &["the run was interrupted", "saved in"]);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    home.is_clean();
    assert_eq!(home.failures(), [""; 0]);
}

#[test]
fn a_server_that_never_ends_its_answer_ends_no_later_than_the_time() {
    for answer in [|| Answer::Silence, || Answer::Endless] {
        let (home, began) = (Home::new(), Instant::now());
        let app = App::start(move |_| answer());
        let explore = home.explore(&app.page("index.html"), "out", &["--time", "3s"]);
        home.done(explore).expect(4, &["the time was up before the device was open"]);
        assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    }
}

/// It says so, and not that there is nothing to try.
#[test]
fn an_exploration_without_the_time_for_an_event_asks_for_more() {
    let (home, began) = (Home::new(), Instant::now());
    // What the page asks for never comes, and is awaited for as long as the patience is.
    let page = "<button>Here</button><script>fetch('/never')</script>";
    let app = App::start(move |pages| match pages {
        1 => Answer::Text("Content-Type: text/html", page.to_owned()),
        _ => Answer::Silence,
    });
    let more = ["--time", "4s", "--no-keys", "--with", "patience=60000"];
    let explore = home.explore(&app.page("index.html"), "out", &more);
    home.done(explore).expect(4, &["the time was up before the", "--time"]);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}
