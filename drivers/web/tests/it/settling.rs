//! When a page is at rest, what is said of one that never is, and whose time it lives in.

use crate::visit::Visit;
use capuchin_ui::{Event, Target, Value};

const ASKING: &str = r#"
<button id="late" onclick="fetch('/late?200').then(answer => answer.text()).then(say)">Fetch</button>
<button id="twice" onclick="fetch('/late?50').then(() => fetch('/late?50')).then(() => say('twice'))">Twice</button>
<button id="old" onclick="const request = new XMLHttpRequest(); request.open('GET', '/late?100'); request.onload = () => say('old'); request.send()">Old</button>
<button id="script" onclick="import('/module.js').then(module => say(module.word))">Script</button>
<button id="debounce" onclick="clearTimeout(window.timer); window.timer = setTimeout(() => say('debounced'), 300)">Debounce</button>
<button id="soon" onclick="setTimeout(() => setTimeout(() => Promise.resolve().then(() => say('soon'))))">Soon</button>
<button id="frames" onclick="requestAnimationFrame(() => requestAnimationFrame(() => say('frames')))">Frames</button>
<button id="idle" onclick="requestIdleCallback(() => say('idle'))">Idle</button>
<button id="kept" onclick="store()">Store</button>
<button id="digest" onclick="crypto.subtle.digest('SHA-256', new Uint8Array(3)).then(sum => say('digest ' + sum.byteLength))">Digest</button>
<button id="file" onclick="const reader = new FileReader(); reader.onload = () => say(reader.result); reader.readAsText(new Blob(['read']))">File</button>
<button id="cache" onclick="caches.open('x').then(cache => cache.put('/y', new Response('cached')).then(() => cache.match('/y'))).then(found => found.text()).then(say)">Cache</button>
<button id="allowed" onclick="navigator.permissions.query({ name: 'geolocation' }).then(state => say(state.state))">Permission</button>
<button id="moved" onclick="$('box').className = 'far'; $('box').addEventListener('transitionend', () => say('moved'), { once: true })">Move</button>
<div id="box">Box</div>
<style>#box { transition: translate 400ms } .far { translate: 100px }</style>
<script>
const store = () => {
  const asked = indexedDB.open('things', 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore('things');
  asked.onsuccess = () => {
    const made = asked.result.transaction('things', 'readwrite');
    made.objectStore('things').put('stored', 1);
    made.oncomplete = () => asked.result.transaction('things').objectStore('things').get(1).onsuccess = event => say(event.target.result);
  };
};
</script>"#;

#[test]
fn what_has_begun_is_awaited() {
    let mut visit =
        Visit::among(&[("/", ASKING), ("/module.js", "export const word = 'module'")], "");
    for (id, said) in [
        ("late", "late"),
        ("twice", "twice"),
        ("old", "old"),
        ("script", "module"),
        ("soon", "soon"),
        ("frames", "frames"),
        ("idle", "idle"),
        ("kept", "stored"),
        ("digest", "digest 32"),
        ("file", "read"),
        ("cache", "cached"),
        ("allowed", "granted"),
        ("moved", "moved"),
    ] {
        visit.click(id);
        assert_eq!(visit.said(), said, "{id}");
        assert_eq!(visit.seen.unsettled, None, "{id}");
    }
    // Within the time of an event it has not come yet: somebody who types goes on typing.
    visit.click("debounce").click("debounce");
    assert_eq!(visit.said(), "");
    visit.does(&Event::Sleep(300));
    assert_eq!(visit.said(), "debounced");
}

/// What happens at the very end of an event's time has happened, and no look is an old one.
#[test]
fn every_look_is_at_the_end_of_its_event() {
    let page = r#"
        <button id="end" onclick="setTimeout(() => say('end'), TAKES)">At the end</button>
        <a id="one" href='#one'>One</a> <a id="two" href='#two'>Two</a>
        <script>
        addEventListener('hashchange', () => setTimeout(() => say(location.hash), 20));
        onload = () => say('loaded');
        </script>"#;
    for takes in ["100", "101", "333", "1000"] {
        let page = page.replace("TAKES", takes);
        let mut visit = Visit::to(&page, &format!("event-takes={takes}"));
        assert_eq!(visit.said(), "loaded", "{takes}");
        for (event, said) in [
            (Event::Click(Target::id("end")), "end"),
            (Event::Click(Target::id("one")), "#one"),
            (Event::Click(Target::id("two")), "#two"),
            (Event::ClickBack, "#one"),
            (Event::Sleep(250), ""),
            (Event::Click(Target::id("end")), "end"),
        ] {
            visit.does(&event);
            assert_eq!(visit.said(), said, "{event} takes {takes}");
        }
    }
}

#[test]
fn what_has_begun_is_awaited_in_real_time() {
    let mut visit =
        Visit::among(&[("/", ASKING), ("/module.js", "export const word = 'module'")], "time=real");
    for (id, said) in [
        ("late", "late"),
        ("twice", "twice"),
        ("script", "module"),
        ("frames", "frames"),
        ("moved", "moved"),
    ] {
        visit.click(id);
        assert_eq!(visit.said(), said, "{id}");
    }
}

#[test]
fn the_script_of_a_worker_is_not_awaited_for_ever() {
    let page = r#"<p id="there">There</p><script>new Worker('/worker.js')</script>"#;
    let pages = [("/", page), ("/worker.js", "postMessage('ready')")];
    for options in ["", "time=real"] {
        let visit = Visit::among(&pages, options);
        assert_eq!(visit.seen.unsettled, None, "{options}");
    }
}

#[test]
fn a_page_that_is_on_its_way_is_awaited() {
    let pages = [
        (
            "/",
            r#"<a id="slow" href="/slow">Slow</a>
               <form action="/slow" method="post"><button id="send">Send</button></form>
               <button id="replace" onclick="location.replace('/slow')">Replace</button>
               <button id="again" onclick="location.reload()">Again</button><p id="first">First</p>"#,
        ),
        (
            "/slow",
            r#"<p id="there">There</p><script>setTimeout(() => $('there').textContent = 'Done', 50)</script>"#,
        ),
    ];
    for options in ["", "time=real"] {
        let mut visit = Visit::among(&pages, options);
        for id in ["slow", "send", "replace"] {
            visit.again(1).click(id);
            // Its own timers count in its own time only.
            let there = visit.text("there");
            assert!(there == "Done" || !options.is_empty(), "{id}: {there}");
        }
        visit.again(1).click("slow").does(&Event::ClickBack);
        assert_eq!(visit.text("first"), "First", "{options}");
        visit.click("again");
        assert_eq!(visit.text("first"), "First", "{options}");
    }
}

/// A page that is busy in one way, and what is said of it, if anything must be.
fn never_rests(visit: &mut Visit, body: &str, reason: &str) {
    let body =
        format!("{body}<button id='here' onclick='say(`here`)'>Here</button><p id='count'>0</p>");
    visit.changed(&body);
    let mut reasons = vec![visit.seen.unsettled.clone()];
    for _ in 0..3 {
        visit.click("here");
        assert_eq!(visit.said(), "here", "{body}");
        reasons.push(visit.seen.unsettled.clone());
    }
    let told = reasons.iter().flatten().any(|said| said.contains(reason));
    assert!(told || reason.is_empty(), "{body}: {reasons:?}");
}

#[test]
fn a_page_that_never_rests_is_reported_and_goes_on() {
    let mut visit = Visit::to("", "patience=1000");
    let count = "$('count').textContent++";
    for (body, reason) in [
        (format!("<script>setInterval(() => {count}, 10)</script>"), "p#count"),
        (
            format!("<script>(function loop() {{ requestAnimationFrame(loop); if ($('count')) {count} }})()</script>"),
            "p#count",
        ),
        (
            "<script>(function loop() { fetch('/late?1').then(loop) })()</script>".to_owned(),
            "",
        ),
        ("<script>fetch('/late?60000').then(say)</script>".to_owned(), "late?60000"),
        ("<style>@keyframes turn { to { rotate: 360deg } } button { animation: turn 1s infinite }</style>".to_owned(), ""),
        ("<script>Promise.resolve().then(function loop() { setTimeout(loop) })</script>".to_owned(), ""),
        ("<script>const { port1, port2 } = new MessageChannel(); port1.onmessage = () => port2.postMessage(0); port1.onmessage()</script>".to_owned(), ""),
    ] {
        never_rests(&mut visit, &body, reason);
    }
}

#[test]
fn a_page_that_never_rests_goes_on_in_real_time() {
    let mut visit = Visit::to("", "time=real patience=500");
    let beats = "<script>setInterval(() => $('count').textContent++, 5)</script>";
    never_rests(&mut visit, beats, "p#count");
    never_rests(&mut visit, "<script>fetch('/late?60000')</script>", "late?60000");
}

const CLOCKS: &str = r#"
<button id="start" onclick="start()">Start</button><button id="look" onclick="look()">Look</button>
<script>
let date, ticks, timers;
const start = () => { [date, ticks, timers] = [Date.now(), performance.now(), 0]; setInterval(() => timers++, 100); };
const look = () => {
  const passed = [Date.now() - date, performance.now() - ticks, timers * 100, event.timeStamp - ticks];
  const least = Math.min(...passed), most = Math.max(...passed);
  say(most - least <= 150 ? 'about ' + Math.round(least / 1000) + ' s' : passed.join(' '));
};
</script>"#;

#[test]
fn all_clocks_of_a_page_go_together() {
    let mut visit = Visit::to(CLOCKS, "");
    visit.click("start");
    visit.does(&Event::Sleep(5000)).click("look");
    assert_eq!(visit.said(), "about 5 s");
    visit.happens("clock", &[Value::Number(3_600_000.0)]).click("look");
    assert_eq!(visit.said(), "about 3605 s");
}

const CHANCE: &str = r#"
<button id="throw" onclick="say(Math.floor(Math.random() * 1e9) + ' ' + crypto.getRandomValues(new Uint8Array(4)).join('.') + ' ' + crypto.randomUUID())">Throw</button>
<p id="day"></p><script>$('day').textContent = new Date().toISOString()</script>"#;

#[test]
fn chance_and_the_day_are_those_of_the_seed() {
    let mut visit = Visit::to(CHANCE, "");
    let mut run = |seed| {
        visit.again(seed).does(&Event::Sleep(1234)).click("throw").click("throw");
        (visit.said(), visit.text("day").to_owned())
    };
    let (first, second, third) = (run(7), run(7), run(8));
    assert_eq!(first, second);
    // Each source of chance for itself.
    let numbers = |run: &(String, String)| -> Vec<String> {
        run.0.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (one, other) = (numbers(&first), numbers(&third));
    assert_eq!(one.len(), 6);
    assert!(one.iter().zip(&other).all(|(one, other)| one != other), "{one:?} {other:?}");
    assert!(one[..3].iter().zip(&one[3..]).all(|(one, other)| one != other), "{one:?}");
    assert!(first.1.starts_with("2024-03-01T09:00:00"), "{}", first.1);
}

/// Where other orders are asked for, the seed says which. Else that of requests that are under way
/// together is the server's.
#[test]
fn requests_overtake_each_other_only_where_asked_for() {
    let page = r#"
        <button id="ask" onclick="ask()">Ask</button>
        <script>
        const answers = [];
        const heard = name => { answers.push(name); if (answers.length === 4) say(answers.join('')); };
        const old = name => {
            const request = new XMLHttpRequest();
            request.open('GET', '/late?0');
            request.onload = () => heard(name);
            request.send();
            return request;
        };
        const ask = () => {
            answers.length = 0;
            old('a');
            fetch('/late?0').then(answer => answer.text()).then(() => heard('b'));
            old('given up').abort();
            old('c');
            const now = new XMLHttpRequest();
            now.open('GET', '/late?0', false);
            now.send();
            heard(now.status === 200 ? 'd' : 'not at once');
        };
        </script>"#;
    let orders = |options: &str| -> Vec<String> {
        let mut visit = Visit::to(page, options);
        (1..=12).map(|seed| visit.again(seed).click("ask").said()).collect()
    };
    let uneven = orders("requests=uneven");
    assert_eq!(uneven, orders("requests=uneven"));
    assert!(uneven.iter().all(|order| order.starts_with('d') && order.len() == 4), "{uneven:?}");
    let different: std::collections::BTreeSet<&String> = uneven.iter().collect();
    assert!(different.len() >= 3, "{uneven:?}");
    let even = orders("");
    assert!(even.iter().all(|order| order.starts_with('d') && order.len() == 4), "{even:?}");
}

/// When a page was loaded does not change while it is there.
#[test]
fn a_page_was_loaded_when_it_was() {
    let page = r#"
        <button id="when" onclick="say(performance.timeOrigin)">When</button>"#;
    let mut visit = Visit::to(page, "event-takes=7");
    let first = visit.click("when").said();
    for _ in 0..20 {
        assert_eq!(visit.click("when").said(), first);
    }
}

/// Nobody's time passes while a page computes, unless it computes nothing else than that.
#[test]
fn who_waits_for_the_clock_in_a_loop_sees_it_move() {
    let page = r#"
        <button id="wait" onclick="wait()">Wait</button>
        <script>
        const wait = () => {
            const [began, day] = [performance.now(), Date.now()];
            while (performance.now() < began + 40);
            while (Date.now() < day + 60);
            while (new Date() < day + 80);
            say(performance.now() - began);
        };
        </script>"#;
    let mut visit = Visit::to(page, "hang=5000");
    assert_eq!(visit.click("wait").said(), "80");
    assert_eq!(visit.again(2).click("wait").click("wait").said(), "80, 80");
}

/// A server may be slow when the app is opened, also where it is not waited for later.
#[test]
fn an_app_that_is_opened_has_time_for_its_scripts() {
    let page = r#"<script>let late</script><script src="/late?700"></script><button id="here" onclick="say('here')">Here</button>"#;
    let mut visit = Visit::to(page, "patience=200");
    assert_eq!(visit.seen.unsettled, None);
    assert_eq!(visit.click("here").said(), "here");
}

/// A stream holds the clock for as long as it is open. What has an end is awaited all the same.
#[test]
fn who_listens_to_a_stream_waits_for_what_ends() {
    let page = r#"
        <button id="listen" onclick="new EventSource('/late?60000')">Listen</button>
        <button id="ask" onclick="fetch('/late?400').then(answer => answer.text()).then(say)">Ask</button>"#;
    let mut visit = Visit::to(page, "patience=1500");
    assert_eq!(visit.click("listen").click("ask").said(), "late");
    assert_eq!(visit.click("ask").click("ask").said(), "late, late");
}

/// And what never comes is not waited for by every event.
#[test]
fn a_picture_that_never_comes_is_given_up_once() {
    let page = r#"
        <img src="/late?60000" alt="never"><button id="more" onclick="say('more')">More</button>"#;
    let mut visit = Visit::to(page, "patience=1000");
    assert!(
        visit.seen.unsettled.as_ref().unwrap().contains("GET late"),
        "{:?}",
        visit.seen.unsettled
    );
    for _ in 0..3 {
        visit.click("more");
        assert_eq!(visit.seen.unsettled, None);
    }
    assert_eq!(visit.said(), "more, more, more");
}
