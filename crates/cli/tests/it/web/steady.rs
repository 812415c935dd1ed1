//! The same again: a failing trace fails every time, with any number of jobs, and in windows of
//! another size.

use super::app::{Answer, App};
use super::home::Home;
use std::collections::BTreeSet;

/// Three brews: enough to be too hot, with this seed. What happens hangs on fetches, timers,
/// animations and chance.
const BREWS: &str = "Click(#brew) :>> Sleep(900) :>> Click(#brew) :>> Sleep(300) :>> Sleep(600) :>> Click(#brew) :>> Sleep(1500)";

#[test]
fn a_failing_trace_fails_in_the_same_way_a_hundred_times() {
    let home = Home::new();
    let app = App::plain();
    let mut spec = format!("val again = {BREWS}\n");
    for number in 1..=100 {
        spec.push_str(&format!("check \"run {number}.\" = again\n"));
    }
    let device = app.page("driver/busy.html?exact");
    let ran = home.done(home.run(&spec, &device, &["--screen", "--seed", "4"]));
    assert_eq!(ran.code, 1, "{ran:#?}");
    // Each with its verdict, its events and the screen at its end, down to the milliseconds that
    // the page counted.
    let runs: Vec<&str> = ran
        .stdout
        .split("\nrun ")
        .skip(1)
        .map(|run| run.split_once(".\n").unwrap().1.trim())
        .collect();
    assert_eq!(runs.len(), 100);
    assert!(
        runs[0].contains("Error: the machine is too hot") && runs[0].contains("Took "),
        "{}",
        runs[0]
    );
    let different: BTreeSet<&str> = runs.into_iter().collect();
    assert_eq!(different.len(), 1, "{different:#?}");
}

#[test]
fn every_screen_on_the_way_is_the_same_too() {
    let home = Home::new();
    let app = App::plain();
    // Each prefix of the trace, several times: what is on the screen after each event.
    let events: Vec<&str> = BREWS.split(" :>> ").collect();
    let mut spec = String::new();
    for round in 1..=4 {
        for length in 1..=events.len() {
            spec.push_str(&format!(
                "check \"{round} {length}.\" = {}\n",
                events[..length].join(" :>> ")
            ));
        }
    }
    let device = app.page("driver/busy.html?exact");
    let ran = home.done(home.run(&spec, &device, &["--screen", "--seed", "4"]));
    for length in 1..=events.len() {
        let seen: BTreeSet<&str> = (1..=4)
            .map(|round| {
                let name = format!("\n{round} {length}.\n");
                let (_, rest) = ran.stdout.split_once(&name).unwrap();
                let end = rest.find("\n\n1 ").into_iter();
                let ends = (1..=4).filter_map(|next| rest.find(&format!("\n\n{next} "))).chain(end);
                rest[..ends.min().unwrap_or(rest.len())].trim()
            })
            .collect();
        assert_eq!(seen.len(), 1, "{seen:#?}");
    }
}

#[test]
fn any_number_of_jobs_gives_the_same_bytes() {
    let home = Home::new();
    let app = App::plain();
    let spec = "check brews = times 4 { Click(#brew)? :>> Sleep(choose(600, 1500)) }\n\
                check wrong = Click(#brew) :>> assert isDisplayed(\"nowhere\")";
    let mut runs = Vec::new();
    for jobs in ["1", "2"] {
        let more = ["--cases", "6", "--shrink-budget", "6", "--fresh", "--jobs", jobs];
        let ran = home.done(home.check(spec, &app.page("driver/busy.html?exact"), &more));
        assert_eq!(ran.code, 1, "{ran:#?}");
        runs.push((ran.stdout, crate::same::content(&home.out())));
    }
    assert_eq!(runs[0].0, runs[1].0);
    let names =
        |run: &[(String, Vec<u8>)]| run.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&runs[0].1), names(&runs[1].1));
    for (one, other) in runs[0].1.iter().zip(&runs[1].1) {
        assert!(one == other, "{} differs", one.0);
    }
}

/// Side by side in a wide window, and far below one another in a narrow one.
const RESPONSIVE: &str = r##"<!doctype html><meta name="viewport" content="width=device-width, initial-scale=1">
<style>
    main { display: flex; gap: 20px } section { width: 300px }
    @media (max-width: 700px) { main { display: block } section { width: auto; min-height: 1200px } }
</style>
<main><section><input id="name" aria-label="Name"><button id="add">Add</button></section>
<section><ul id="list"></ul></section><section><button id="clear">Clear</button></section></main>
<script>
    add.onclick = () => list.append(Object.assign(document.createElement("li"), { textContent: document.getElementById("name").value }));
    clear.onclick = () => { if (list.children.length > 1) throw new Error("too much to clear"); list.replaceChildren(); };
</script>"##;

#[test]
fn a_failure_found_in_a_wide_window_is_one_in_a_narrow_one() {
    let responsive = App::start(|_| Answer::Text("Content-Type: text/html", RESPONSIVE.to_owned()));
    let music = App::plain();
    let adds = "check a = times 8 { Type(#name, \"x\") <+> Click(#add) <+> Click(#clear) }";
    let signs = "check a = Click(#enter) *>> Type(#username, \"test\")";
    for (spec, device) in [(adds, responsive.page("")), (signs, music.page("music.html"))] {
        let home = Home::new();
        let more = ["--cases", "12", "--viewport", "1024x768", "--fail-fast"];
        home.done(home.check(spec, &device, &more)).expect(1, &["[1] "]);
        let saved = home.out().join("failures/1-a.capu");
        let text = std::fs::read_to_string(&saved).unwrap();
        // The verdict, and what led to it.
        let verdict = |more: &[&str]| {
            let ran = home.done(home.run(&text, &device, more));
            assert_eq!(ran.code, 1, "{ran:#?}");
            ran.stdout.lines().skip(1).take(2).map(str::to_owned).collect::<Vec<_>>()
        };
        let wide = verdict(&["--viewport", "1024x768"]);
        let summary = text.lines().next().unwrap().trim_start_matches("// ");
        assert!(wide[0].starts_with(summary), "{wide:?} is not {text}");
        assert_eq!(verdict(&["--viewport", "412x915"]), wide);
        assert_eq!(verdict(&["--with", "phone"]), wide);
    }
}

#[test]
fn a_page_of_thousands_of_elements_is_a_page() {
    let home = Home::new();
    let app = App::plain();
    let spec = "Click(#b-4321) :>> assert hasText(#log, \"b-4321\") :>> Click(#harmless) :>> assert count(button) > 5000";
    let ran = home.done(home.run(spec, &app.page("driver/hostile.html?tame&big"), &[]));
    ran.expect(0, &["Succeeded"]);
}
