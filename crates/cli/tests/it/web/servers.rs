//! A server that dies in the middle of a run, in all ways that servers have: the run says so, and
//! blames neither the app nor the browser.

use super::app::{Answer, App};
use super::home::Home;

/// A page that crashes if its server does not answer well.
const PAGE: &str = "<!doctype html><title>a</title><button id=ask onclick=\"\
    fetch('answer').then(it => { if (!it.ok) throw Error('bad'); return it.text() })\
    .then(() => this.textContent += '!')\">Ask</button>";
const ASKS: &str = "check asks = Click(#ask) :>> assert isDisplayed(\"Ask!\")";

/// One page to open the device, then a page and an answer for each case.
fn dies(kind: Kind, when: impl Fn(u32) -> bool + Send + Sync + 'static) -> App {
    App::start(move |number| match when(number) {
        true => kind(),
        false => Answer::Text("Content-Type: text/html", PAGE.to_owned()),
    })
}

type Kind = fn() -> Answer;

/// In which ways servers are gone.
const KINDS: [(&str, Kind); 3] = [
    ("refused", || Answer::Gone),
    ("reset", || Answer::Nothing),
    ("502", || Answer::Status("502 Bad Gateway")),
];

#[test]
fn a_server_that_dies_is_a_lost_device_and_no_crash() {
    // In the middle of a case, and between two.
    for ((name, kind), at) in KINDS.into_iter().zip([5, 6, 5]) {
        let home = Home::new();
        let app = dies(kind, move |number| number >= at);
        let ran = home.done(home.check(ASKS, &app.page("index.html"), &["--cases", "9"]));
        let traces = if at == 5 { "asks  on 1 trace," } else { "asks  on 2 traces," };
        ran.expect(3, &["the app's server at http://", "does not answer any more", traces]);
        assert_eq!(home.failures(), [""; 0], "{name} at {at}");
    }
}

#[test]
fn what_was_found_before_the_server_died_stands() {
    let home = Home::new();
    let app = dies(|| Answer::Gone, |number| number >= 30);
    let spec = format!("check wrong = assert isDisplayed(\"nowhere\")\n{ASKS}");
    let ran = home.done(home.check(&spec, &app.page("index.html"), &["--cases", "9"]));
    ran.expect(1, &["[1] Failed", "does not answer any more"]);
    assert_eq!(home.failures(), ["1-wrong.capu"]);
}

#[test]
fn a_server_that_comes_back_is_gone_on_with() {
    for ((name, kind), at) in KINDS[1..].iter().zip([5, 6]) {
        let home = Home::new();
        let app = dies(*kind, move |number| (at..at + 3).contains(&number));
        let ran = home.done(home.check(ASKS, &app.page("index.html"), &["--cases", "6"]));
        ran.expect(0, &["asks  on 6 traces"]);
        assert_eq!(home.failures(), [""; 0], "{name} at {at}");
    }
}
