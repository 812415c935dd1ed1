//! Explorations of an app that does everything to end them: what is wrong is noted once and made
//! small, and the exploration goes on. One that is killed is taken up where it was.

use super::app::App;
use super::home::Home;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// What the app does wrong: the shortest ways to it, and what is said of it.
const WRONGS: [(&[&str], &str); 5] = [
    (&["Click(#hang)"], "the page hangs: no answer for 2.5 s"),
    (&["Click(#kill)", "Click(#hoard)"], "the tab ran out of memory"),
    (&["Click(#close)"], "the app closed its own window"),
    (&["Click(#throw)"], "Error: thrown on purpose"),
    (&["Click(#popup) :>> Click(#fail)"], "Error: the popup failed"),
];

/// With little patience, and little memory for each tab.
const WITH: [&str; 4] =
    ["--with", "hang=2500", "--with", "flag=--js-flags=--max-old-space-size=40"];

/// The lines of a file that is written as it happens; one that was torn is left out.
fn lines(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The failures that a run has told: what was said of each, and how to get there.
fn failures(out: &Path) -> Vec<(String, String)> {
    let log = lines(&out.join("log.jsonl"));
    let found = log.iter().filter(|event| event["event"] == "failure-found");
    found
        .map(|failure| {
            assert_eq!(failure["same"], failure["again"], "flaky: {failure}");
            let detail = text(&failure["detail"]);
            (detail.lines().next().unwrap_or_default().to_owned(), text(&failure["minimal"]))
        })
        .collect()
}

/// The inputs that were performed, and the titles of the screens that were seen.
fn history(out: &Path) -> (Vec<String>, BTreeSet<String>) {
    let journal = lines(&out.join("model.jsonl"));
    let inputs = journal.iter().filter(|line| line["performed"].is_object());
    let titles = journal.iter().filter(|line| line["sight"].is_object());
    let title =
        |line: &Value| text(&line["sight"]["title"]).trim().rsplit('\n').next().map(str::to_owned);
    (
        inputs.map(|line| text(&line["performed"]["input"])).collect(),
        titles.filter_map(title).collect(),
    )
}

/// What is no wrong, and might end an exploration all the same.
const TROUBLE: [&str; 7] = ["away", "popup", "alert", "confirm", "prompt", "guard", "leak"];

/// Explores the app with a policy; it must come across so many of the wrongs, and so many of the
/// rest.
fn survives(policy: &str, events: usize, wrongs: usize, trouble: usize) {
    let home = Home::new();
    let app = App::plain();
    let events_text = events.to_string();
    let more = [&["--policy", policy, "--events", &events_text], WITH.as_slice()].concat();
    let ran = home.done(home.explore(&app.page("trouble.html"), "out", &more));
    ran.expect(1, &["violated", &format!("effort    {events} events")]);
    assert_eq!(ran.stderr, "", "no browser is lost over it");

    let failures = failures(&home.out());
    for (said, minimal) in &failures {
        let (ways, _) = WRONGS.iter().find(|(_, wrong)| wrong == said).unwrap();
        assert!(ways.contains(&minimal.as_str()), "{minimal}: {said}");
    }
    let different: BTreeSet<&String> = failures.iter().map(|(said, _)| said).collect();
    assert_eq!(different.len(), failures.len(), "each is told once: {failures:?}");
    assert!(failures.len() >= wrongs, "{failures:?}");

    let (inputs, titles) = history(&home.out());
    assert_eq!(inputs.len(), events);
    // There was something to do after each, and the pages behind are found.
    let has_survived = |id: &&str| {
        let name = format!("Click(#{id})");
        inputs[..events - 1].contains(&name)
    };
    let survived = TROUBLE.iter().copied().filter(has_survived).count();
    assert!(survived >= trouble, "{survived} in {inputs:?}");
    assert!(titles.contains("album"), "{titles:?}");
}

#[test]
fn whatever_an_app_does_it_is_noted_and_our_own_policy_goes_on() {
    survives("capuchin", 200, 4, TROUBLE.len());
}

#[test]
fn whatever_an_app_does_it_is_noted_and_swifthand_goes_on() {
    survives("swifthand", 120, 3, 4);
}

#[test]
fn whatever_an_app_does_it_is_noted_and_chance_goes_on() {
    survives("random", 80, 2, 3);
}

#[test]
fn one_that_is_killed_goes_on_from_what_it_had_learned() {
    let home = Home::new();
    let app = App::plain();
    let device = app.page("trouble.html");
    let more = [&["--events", "100000"], WITH.as_slice()].concat();
    let mut running = home.start(&home.explore(&device, "out", &more));
    running.until("[2] ").signal("-KILL");
    assert_eq!(running.end().code, -1);
    home.is_clean();
    let known = failures(&home.out());
    assert!(known.len() >= 2, "{known:?}");

    let (first, second) = (home.path("out"), home.path("second"));
    let first = first.to_str().unwrap();
    let more = [&["--events", "80", "--resume", first], WITH.as_slice()].concat();
    let ran = home.done(home.explore(&device, "second", &more));
    assert!([0, 1].contains(&ran.code), "{ran:#?}");
    // All that was known is known, and more came to it.
    let (before, _) = history(&home.out());
    let (now, _) = history(&second);
    assert_eq!(now.len(), before.len() + 80);
    assert_eq!(now[..before.len()], before);
    let explored: Value =
        serde_json::from_str(&std::fs::read_to_string(second.join("explore.json")).unwrap())
            .unwrap();
    let (begin, end) = (&explored["curve"][0], &explored["figures"]);
    for what in ["screens", "transitions"] {
        let (begin, end) = (begin[what].as_u64().unwrap(), end[what].as_u64().unwrap());
        assert!(1 < begin && begin < end, "{what}: from {begin} to {end}");
    }
    for (said, _) in failures(&second) {
        assert!(known.iter().all(|(told, _)| *told != said), "told twice: {said}");
    }
}
