//! The HTML report: of the sample log that mission keeps, and of a run whose app says the worst.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use capuchin::log::RunEvent;
use capuchin_report::html;

/// What somebody might show, type or name something, to get out of its place in the page.
const NASTY: &str = "</script></style><script>alert(1)</script><img src=x onerror=\"alert('2')\"> & \u{202e}שלום \u{1b}[0m";

fn events(log: &str) -> Vec<RunEvent> {
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn no_pictures(_: &str) -> Option<Vec<u8>> {
    None
}

/// The names of all tags, in order.
fn tags(page: &str) -> Vec<&str> {
    page.split('<')
        .skip(1)
        .map(|rest| rest.split([' ', '>', '\n']).next().unwrap_or_default())
        .collect()
}

#[test]
fn an_old_log_without_films_is_still_a_page() {
    let log = events(include_str!("../../mission/tests/log-v1.jsonl"));
    let page = html(&log, "out/run", &no_pictures);
    for wanted in [
        "<title>3 failures in 20 traces · examples/music-signin.capu</title>",
        "by 11 of 20 traces, 121 events",
        "id=\"failure-1\"",
        "<b>Type</b>(#username, &quot;test&quot;)</code></li>",
        "java.lang.RuntimeException: Unable to start activity\n    at SignInActivity",
        "in case 16 of 20, after 8 events",
        "to 5 events, in 13 runs",
        "in 1 of 20 traces",
        "reproduced in 2 of 2",
        "<span>capuchin</span> <span>run</span> <span>out/run/failures/2-signinTraces.capu</span>",
        "<span>--seed</span> <span>1</span> <span>--cases</span> <span>20</span>",
    ] {
        assert!(page.contains(wanted), "no {wanted:?} in {page}");
    }
    assert!(!page.contains("id=\"notes\""));
}

#[test]
fn a_killed_run_shows_what_it_had() {
    let log = include_str!("../../mission/tests/log-v1.jsonl");
    let log = events(&log.lines().take(3).collect::<Vec<_>>().join("\n"));
    let page = html(&log, "out", &no_pictures);
    for wanted in ["1 failure in 1 trace", "not yet the smallest", "The run was interrupted"] {
        assert!(page.contains(wanted), "no {wanted:?} in {page}");
    }
}

#[test]
fn a_check_that_held_says_on_how_much() {
    let log = events(
        r#"{"event":"run-started","version":1,"spec":"a.capu","device":"sim:a","seed":1}
{"event":"check-started","check":"a","generator":"Rotate","cases":200}
{"event":"case-finished","case":0,"verdict":"succeeded","steps":1,"unsettled":"a timer"}
{"event":"check-finished","check":"a","held":200,"violated":0,"steps":1944,"seen":[]}
{"event":"run-finished","interrupted":false}"#,
    );
    let page = html(&log, "out", &no_pictures);
    for wanted in
        ["Held on 200 traces", "on 200 traces, 1944 events", "did not come to rest", "a timer"]
    {
        assert!(page.contains(wanted), "no {wanted:?} in {page}");
    }
    assert!(!page.contains("<article"));
}

/// A run in which every text is the same.
fn filmed(text: &str) -> Vec<RunEvent> {
    let log = serde_json::json!([
        { "event": "run-started", "version": 1, "spec": text, "device": text, "seed": 1 },
        { "event": "check-started", "check": text, "generator": text, "cases": 9 },
        {
            "event": "failure-found", "number": 1, "check": text, "kind": "crashed",
            "summary": text, "detail": text, "steps": [{ "event": text }], "minimal": text,
            "found_steps": 3, "case": 0, "seed": 7, "shrink_runs": 2, "shrink_finished": true,
            "again": 2, "same": 1,
            "film": [
                {
                    "place": text, "viewport": [400, 800], "picture": "failures/1-a/00.png",
                    "next": text, "target": { "x": 100, "y": 200, "width": 40, "height": 80 },
                    "journal": [{ "kind": "navigation", "text": text }],
                },
                {
                    "place": text, "viewport": [400, 800], "picture": text, "next": text,
                    "target": { "x": 0, "y": 900, "width": 40, "height": 80 },
                    "journal": [
                        { "kind": "error", "text": text },
                        { "kind": "failed-request", "text": text },
                    ],
                },
                { "viewport": [0, 0] },
            ],
        },
        { "event": "device-failed", "error": text },
        {
            "event": "case-finished", "case": 0, "verdict": "crashed", "steps": 1, "failure": 1,
            "unsettled": text,
        },
        { "event": "run-finished", "interrupted": true },
    ]);
    serde_json::from_value(log).unwrap()
}

#[test]
fn whatever_an_app_says_stays_text() {
    let pictures = |name: &str| (name == "failures/1-a/00.png").then(|| b"png".to_vec());
    let plain = html(&filmed("plain"), "plain", &pictures);
    let nasty = html(&filmed(NASTY), NASTY, &pictures);
    // The same tags in the same order: nothing that the app said has become one, or ended one.
    // (A command has a span for each of its words.)
    let without_words = |tag: &&str| !tag.contains("span");
    let plain: Vec<&str> = tags(&plain).into_iter().filter(without_words).collect();
    assert_eq!(plain, tags(&nasty).into_iter().filter(without_words).collect::<Vec<_>>());
    assert_eq!(nasty.matches("<script").count(), 1);
    assert_eq!(nasty.matches("onerror=\"").count(), 0);
    assert!(!nasty.contains('\u{1b}'));
    assert!(nasty.contains("&lt;/script&gt;&lt;/style&gt;"));
}

#[test]
fn a_page_needs_nothing_but_itself() {
    let pictures = |_: &str| Some(b"png".to_vec());
    let page = html(&filmed("plain"), "out", &pictures);
    assert!(page.contains("src=\"data:image/png;base64,cG5n\""));
    for outside in ["http://", "https://", "<link", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn a_film_shows_where_the_finger_goes_and_what_was_said() {
    let pictures = |name: &str| (name == "failures/1-a/00.png").then(|| b"png".to_vec());
    let page = html(&filmed("plain"), "out", &pictures);
    for wanted in [
        "style=\"left:25.00%;top:25.00%;width:10.00%;height:10.00%\"",
        "↓ further down",
        "no picture",
        "1 request</span> while it started",
        "<span class=\"bad\">1 error</span>, <span class=\"bad\">1 failed request</span>",
        "<b>Flaky.</b> Reproduced in 1 of 2 reruns.",
    ] {
        assert!(page.contains(wanted), "no {wanted:?} in {page}");
    }
    assert_eq!(page.matches("class=\"frame").count(), 3);
}
