//! Addresses that do not open, from the start or from the middle of a run on; and requests that a
//! browser cannot carry out, which are told apart from these by their exit code.

use super::app::{Answer, App};
use super::home::Home;

const TRACE: &str = "check a = Click(#enter)";

#[test]
fn an_address_that_does_not_open_says_what_is_wrong_with_it() {
    let home = Home::new();
    let nobody = {
        let gone = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        format!("web:http://{}/", gone.local_addr().unwrap())
    };
    let download = App::start(|_| {
        Answer::Text("Content-Disposition: attachment; filename=a.bin", "binary".to_owned())
    });
    for (device, words) in [
        (nobody.as_str(), ["ERR_CONNECTION_REFUSED", "is the app running"]),
        ("web:http://127.0.0.1:1/", ["ERR_UNSAFE_PORT", "is it the right one?"]),
        ("web:http://nowhere.invalid/", ["ERR_NAME_NOT_RESOLVED", "no host of that name"]),
        (&App::plain().page("nothing.html"), ["answers with 404", "is the address right"]),
        (&download.page("a"), ["ERR_ABORTED", "a download"]),
        ("web:htp://localhost/", ["`htp://` is no address", "http://"]),
        ("web:nothing.html", ["there is no file `nothing.html`", "http://"]),
        ("web:testing/apps/web", ["there is no index.html", "web:testing/apps/web/PAGE"]),
    ] {
        let cannot = format!("error: {device} cannot be started: ");
        let mut wanted = vec![cannot.as_str()];
        wanted.extend(words);
        home.done(home.run(TRACE, device, &[])).expect(3, &wanted);
    }
    home.done(home.check(TRACE, &nobody, &[]))
        .expect(3, &["cannot be started", "is the app running"]);
}

#[test]
fn a_key_that_no_keyboard_has_is_a_wrong_request() {
    let (home, app) = (Home::new(), App::plain());
    let (trace, page) = ("check a = Press(\"Entr\")", app.page("music.html"));
    home.done(home.run(trace, &page, &[])).expect(2, &["has no key Entr"]);
    home.done(home.check(trace, &page, &[])).expect(2, &["has no key Entr"]);
}

#[test]
fn a_server_that_goes_away_ends_the_run_and_nothing_else() {
    // One page to open the device, one for each case; then nothing any more.
    let home = Home::new();
    let app = App::start(|number| if number == 6 { Answer::Gone } else { Answer::File });
    let spec = "check holds = Click(#enter)";
    let ran = home.done(home.check(spec, &app.page("music.html"), &[]));
    ran.expect(3, &["does not answer any more", "was it stopped?", "holds  on 4 traces"]);

    let home = Home::new();
    let app = App::start(|number| if number == 14 { Answer::Gone } else { Answer::File });
    let spec = "check wrong = assert isDisplayed(\"nowhere\")\ncheck holds = Click(#enter)";
    let ran = home.done(home.check(spec, &app.page("music.html"), &["--cases", "5"]));
    ran.expect(1, &["[1] Failed", "does not answer any more", "saved in"]);
    assert_eq!(home.failures(), ["1-wrong.capu"]);
    assert!(home.out().join("report.html").is_file());
}
