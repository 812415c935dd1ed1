//! Animations on the page's clock: what a page hears of them, it hears once, in order, and at the
//! same time every time.

use super::app::{Answer, App};
use super::home::Home;

/// Buttons that begin animations of every kind; the log says what the page heard, and after how
/// many milliseconds.
const PAGE: &str = r##"<!doctype html><title>Moving</title>
<style>
    .box { width: 20px; height: 20px; background: blue; transition: opacity 150ms linear 50ms }
    .roll { animation: roll 100ms linear 3 } .once { animation: roll 80ms } .faded { opacity: 0.2 }
    .endless { animation: roll 1s infinite } .short { animation: roll 0.01ms }
    @keyframes roll { to { transform: translateX(50px) } }
</style>
<div class="box" id="box"></div>
<button id="roll">Roll</button><button id="fade">Fade</button><button id="script">Script</button>
<button id="cancel">Cancel</button><button id="pause">Pause</button><button id="shadow">Shadow</button>
<button id="endless">Endless</button><button id="short">Short</button>
<output id="log"></output>
<script>
    const box = document.getElementById("box"), log = document.getElementById("log");
    let began = 0;
    const say = what => log.textContent += `${what} ${Math.round(performance.now() - began)}, `;
    for (const type of ["animationstart", "animationiteration", "animationend", "animationcancel", "transitionrun",
        "transitionstart", "transitionend", "transitioncancel"]) box.addEventListener(type, event => {
        if (!box.classList.contains("endless")) say(type + (event.bubbles ? "" : "!"));
    });
    const on = (id, act) => document.getElementById(id).onclick = () => { began = performance.now(); act(); };
    on("roll", () => box.classList.add("roll"));
    on("short", () => box.classList.add("short"));
    on("endless", () => { box.classList.add("endless"); say("endless"); });
    on("fade", () => box.classList.add("faded"));
    on("script", () => {
        const made = box.animate({ opacity: [1, 0.5] }, 120);
        made.finished.then(() => say("finished"));
        made.onfinish = () => say("onfinish");
        made.addEventListener("finish", () => say("finish"));
    });
    on("cancel", () => {
        box.classList.add("roll");
        setTimeout(() => box.classList.remove("roll"), 150);
    });
    on("pause", () => {
        const made = box.animate({ opacity: [1, 0.5] }, 100);
        made.onfinish = () => say("finish");
        setTimeout(() => { made.pause(); say(`${made.playState} at ${Math.round(made.currentTime)}`); }, 60);
        setTimeout(() => { say(`${made.playState} at ${Math.round(made.currentTime)}`); made.play(); }, 200);
    });
    on("shadow", () => {
        const host = document.body.appendChild(document.createElement("div"));
        const root = host.attachShadow({ mode: "open" });
        root.innerHTML = "<style>p { animation: grow 70ms } @keyframes grow { from { opacity: 0 } }</style><p>inside</p>";
        root.addEventListener("animationend", () => say("inside"));
    });
</script>"##;

#[test]
fn a_page_hears_of_its_animations_once_and_in_time() {
    let app = App::start(|_| Answer::Text("Content-Type: text/html", PAGE.to_owned()));
    let home = Home::new();
    let heard = [
        (
            "roll",
            "animationstart 0, animationiteration 100, animationiteration 200, animationend 300,",
        ),
        ("fade", "transitionrun 0, transitionstart 50, transitionend 200,"),
        ("script", "finished 120, onfinish 120, finish 120,"),
        ("cancel", "animationstart 0, animationiteration 100, animationcancel 150,"),
        ("pause", "paused at 60 60, paused at 60 200, finish 240,"),
        ("shadow", "inside 70,"),
        ("short", "animationstart 0, animationend 0,"),
    ];
    let mut spec = String::new();
    for (button, _) in heard {
        // The time after it shows what comes twice or too late.
        spec.push_str(&format!("check {button} = Click(#{button}) :>> Sleep(1000)\n"));
    }
    spec.push_str("check endless = Click(#endless) :>> Click(#fade) :>> Sleep(500)\n");
    let ran = home.done(home.run(&spec, &app.page(""), &["--screen"]));
    assert_eq!(ran.code, 0, "{ran:#?}");
    for (button, wanted) in heard {
        let (_, rest) = ran.stdout.split_once(&format!("\n{button}\n")).unwrap();
        let log = rest.lines().find(|line| line.contains("#log")).unwrap();
        assert_eq!(log.split('"').nth(1).unwrap_or_default(), wanted, "{button}");
    }
    assert!(ran.stdout.contains("an animation runs on and on") || ran.stdout.contains("endless 0"));
}
