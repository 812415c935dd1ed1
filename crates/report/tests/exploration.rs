//! An exploration in every report: of the sample log that mission keeps, and of maps made for it.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use capuchin::log::{Explored, Map, MapEdge, MapState, Observer, RunEvent};
use capuchin_report::{Terminal, exploration_json, html, junit};

/// What somebody might show or name something, to get out of its place in the page.
const NASTY: &str =
    "</title></svg><script>alert(1)</script> \" onload=\"alert('2') & \u{202e}שלום \u{1b}[0m";

fn sample() -> Vec<RunEvent> {
    let log = include_str!("../../mission/tests/log-v1-exploration.jsonl");
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn no_pictures(_: &str) -> Option<Vec<u8>> {
    None
}

fn terminal(events: &[RunEvent]) -> String {
    let mut bytes = Vec::new();
    let mut terminal = Terminal::new(&mut bytes);
    events.iter().for_each(|event| terminal.observe(event));
    let mut text = String::from_utf8(bytes).unwrap();
    while let Some(start) = text.find('\u{1b}') {
        let length = text[start..].find('m').unwrap();
        text.replace_range(start..=start + length, "");
    }
    text
}

/// An exploration that found nothing wrong, with this map.
fn explored(map: Map) -> Vec<RunEvent> {
    let point = |events| Explored {
        events,
        screens: events / 10,
        transitions: events / 4,
        millis: events * 7,
        ..Explored::default()
    };
    let mut events: Vec<RunEvent> = sample().drain(..2).collect();
    events.extend((0..50).map(|index| RunEvent::Explored(point(index * 40))));
    events.push(RunEvent::Learned(map));
    events.push(RunEvent::CheckFinished {
        check: "explore".into(),
        held: 17,
        violated: 0,
        undecided: 0,
        steps: 1960,
        seen: Vec::new(),
        not_reproduced: 0,
        properties: Vec::new(),
        wasted: Default::default(),
    });
    events.push(RunEvent::RunFinished { interrupted: false, covered: None, not_run: Vec::new() });
    events
}

/// A map of so many states, each of which has this name; every state has a way back to the first.
fn map(count: u32, name: &str) -> Map {
    let edge = |from: u32, to: u32| MapEdge { from, to, inputs: vec![name.to_owned(); 4] };
    let state = |index: u32| MapState {
        name: name.to_owned(),
        enabled: 12,
        untried: index % 4,
        visits: index,
        ended: index + 1 == count,
        picture: Some(format!("states/{:03}.png", index % 7)),
    };
    let ways =
        |state: u32| [(state / 3, state), (state, 0), (state, state), (state, state * 7 % count)];
    let edges = (1..count).flat_map(ways).map(|(from, to)| edge(from, to));
    Map { states: (0..count).map(state).collect(), edges: edges.collect() }
}

/// The page without its markup.
fn read(page: &str) -> String {
    let parts = page.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    parts.collect()
}

#[test]
fn the_page_says_how_to_repeat_and_how_to_resume() {
    let command = "capuchin explore sim:music --seed 7 --policy swifthand --events 1200";
    // Also if it was killed before it had told anything.
    for events in [sample(), sample().drain(..3).collect()] {
        let page = read(&html(&events, "out/", &no_pictures));
        assert!(page.contains(&format!("Repeat the exploration{command}Copy")), "{page}");
        let resume = format!("Resume the exploration{command} --resume outCopy");
        assert!(page.contains(&resume), "{page}");
    }
    // One that went on itself goes on from there when it is run again.
    let mut events = sample();
    let Some(RunEvent::ExplorationStarted(asked)) = events.get_mut(1) else { panic!("{events:?}") };
    asked.resumes = Some("first".into());
    let page = read(&html(&events, "second", &no_pictures));
    assert!(page.contains(&format!("{command} --resume firstCopy")), "{page}");
    assert!(page.contains(&format!("{command} --resume secondCopy")), "{page}");
}

#[test]
fn the_page_tells_how_far_it_got() {
    let page = html(&sample(), "out", &no_pictures);
    for wanted in [
        "<title>1 failure in 5 runs · explore</title>",
        "by 1 of 5 runs, 1,204 events",
        "<a href=\"#exploration-1\">Exploration</a>",
        "<td data-name=\"Restarts\"><b>17</b></td>",
        "<td data-name=\"Time in restarts\"><b>5.8%</b></td>",
        "<td data-name=\"Branches\"><b>62.1%</b> <small>118 of 190</small></td>",
        "<td data-name=\"Time\"><b>20.4 s</b></td>",
        "aria-label=\"Branches covered over events\"",
        "aria-label=\"Branches covered over time\"",
        ">1 of 7 untried</text>",
        ">all 4 tried</text>",
        "<title>Start → Sign in\nClick(#enter)</title>",
        "<title>2 inputs that stay here\nType(#username, &quot;test&quot;)\nRotate</title>",
        "Settings &quot;loud&quot; &amp; &lt;quiet&gt;",
        "<tr id=\"exploration-1-state-3\">",
        "in case 2, after 41 events",
        "in 1 of 5 runs",
    ] {
        assert!(page.contains(wanted), "no {wanted:?} in {page}");
    }
    // An exploration has no number of cases, and is not begun by `capuchin check`.
    for unwanted in ["of 0", "0 cases", "capuchin</span> <span>check"] {
        assert!(!page.contains(unwanted), "{unwanted}");
    }
}

#[test]
fn a_device_that_counts_no_code_is_judged_by_its_screens() {
    let page = html(&explored(map(9, "plain")), "out", &no_pictures);
    assert_eq!(page.matches("class=\"state ended\"").count(), 1);
    assert!(page.contains("the app ends") && page.contains(">9 · plain<"), "{page}");
    for wanted in ["Held in 17 runs", "screens 196", "transitions 490", ">15 s</text>"] {
        assert!(page.contains(wanted), "no {wanted:?} in {page}");
    }
    assert!(!page.contains("Branches"));
}

#[test]
fn a_page_of_a_check_has_nothing_of_it() {
    let log = include_str!("../../mission/tests/log-v1.jsonl");
    let events: Vec<RunEvent> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let page = html(&events, "out", &no_pictures);
    assert!(!page.contains("xplor") && !page.contains(".graph"));
}

#[test]
fn whatever_an_app_is_called_stays_text() {
    let tags = |page: &str| -> Vec<String> {
        let names = page.split('<').skip(1).map(|rest| rest.split([' ', '>', '\n']).next());
        // A name is set on one line or two.
        names.flatten().filter(|name| !name.contains("text")).map(str::to_owned).collect()
    };
    let plain = html(&explored(map(20, "plain")), "out", &no_pictures);
    let nasty = html(&explored(map(20, NASTY)), "out", &no_pictures);
    assert_eq!(tags(&plain), tags(&nasty));
    assert_eq!(nasty.matches("<script").count(), 1);
    assert!(!nasty.contains("onload=\"") && !nasty.contains('\u{1b}'));
}

#[test]
fn a_picture_is_in_the_page_once() {
    let pictures = |name: &str| Some(name.as_bytes().to_vec());
    let page = html(&explored(map(30, "plain")), "out", &pictures);
    assert_eq!(page.matches("data:image/png").count(), 7);
    // In the map and in the table.
    assert_eq!(page.matches("<use href=\"#exploration-1-picture-").count(), 60);
    for outside in ["http://", "https://", "<link", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_hundred_states_are_a_page_of_less_than_a_megabyte() {
    let events = explored(map(100, "Settings of the player"));
    let page = html(&events, "out", &no_pictures);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    assert_eq!(page.matches("class=\"state").count(), 101, "the states and their table");
    assert_eq!(page, html(&events, "out", &no_pictures));
}

#[test]
fn a_map_from_anywhere_is_drawn_as_far_as_it_goes() {
    for map in [
        Map::default(),
        Map { states: vec![MapState::default()], edges: Vec::new() },
        Map { edges: map(9, "a").edges, states: Vec::new() },
        map(1_000, "a"),
    ] {
        let page = html(&explored(map), "out", &no_pictures);
        assert!(page.contains("id=\"exploration-1\""));
    }
    let page = html(&explored(map(1_000, "a")), "out", &no_pictures);
    assert!(page.contains("The 300 states nearest to the first are shown, of 1,000."));
}

#[test]
fn an_exploration_that_was_killed_shows_its_curve() {
    let events: Vec<RunEvent> = sample().drain(..6).collect();
    let page = html(&events, "out", &no_pictures);
    for wanted in ["Held in 2 runs", "<td data-name=\"Events\"><b>100</b></td>", "interrupted"] {
        assert!(page.contains(wanted), "no {wanted:?} in {page}");
    }
    assert!(!page.contains("The map"));
}

#[test]
fn the_terminal_says_it_in_three_lines() {
    let text = terminal(&sample());
    let expected = "\
explore on sim:music · seed 7

explore
[1] Crashed after: Click(#enter) :>> Rotate :>> ClickBack
    java.lang.RuntimeException: Unable to start activity
    case 2, 41 → 3 events in 22 runs

violated  explore  1 of 5 runs, 1 failure: [1] 1×
explored  16 screens, 52 transitions, a model of 18 states
effort    1,204 events, 17 restarts, 588 different input prefixes
time      20.4 s (5.8% restarting)
covered   59 of 80 functions, 118 of 190 branches, 394 of 511 lines
";
    assert_eq!(text, expected);
    let text = terminal(&explored(Map::default()));
    assert!(text.contains("\nheld      explore  in 17 runs, 1,960 events\n"), "{text}");
    let nothing: Vec<RunEvent> =
        sample().drain(..2).chain(explored(Map::default()).pop()).collect();
    assert!(terminal(&nothing).contains("\nnothing   explore  no run came to its end\n"));
}

#[test]
fn a_check_is_told_as_ever() {
    let log = include_str!("../../mission/tests/log-v1.jsonl");
    let events: Vec<RunEvent> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let text = terminal(&events);
    assert!(text.contains("\nsigninTraces · 20 cases\n"), "{text}");
    let end = "\nviolated  signinTraces  11 of 20 traces, 3 failures: [1] 5×, [2] 5×, [3] 1×\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn for_a_build_server_it_is_a_suite_like_any() {
    let report = junit(&sample());
    assert_eq!(report.matches("<testsuite ").count(), 1, "{report}");
    assert_eq!(report.matches("<testcase ").count(), 1, "{report}");
    let report = junit(&explored(map(9, "a")));
    assert!(report.contains("<system-out>held in 17 runs</system-out>"), "{report}");
}

#[test]
fn the_same_in_json() {
    let events = explored(map(9, NASTY));
    let value: serde_json::Value =
        serde_json::from_str(&exploration_json(&events).unwrap()).unwrap();
    assert_eq!(value["curve"].as_array().unwrap().len(), 50);
    assert_eq!(value["map"]["states"][8]["name"], NASTY);
}
