//! After a reset nothing is left of what was before: one page writes wherever a page can write, and
//! looks there again when it is loaded.

use crate::visit::Visit;
use capuchin_ui::{Environment, Event, Selector, Target, Value};
use std::collections::BTreeMap;

const TRACES: &str = r#"
<style>body { height: 3000px } @media (prefers-color-scheme: dark) { body { color: white } }</style>
<div style="position: fixed">
<button id="write" onclick="keep().then(() => say('written'))">Write</button>
<button id="read" onclick="look().then(() => say('read'))">Read</button>
<button id="push" onclick="history.pushState(1, '', '#pushed')">Push</button>
<button id="popup" onclick="window.open('/popup')">Popup</button>
<button id="full" onclick="document.documentElement.requestFullscreen()">Full</button>
<input id="field" aria-label="Field"></div>
<dl id="state"></dl>
<script>
const idb = () => new Promise((resolve, reject) => {
  const asked = indexedDB.open('things', 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore('things').put('kept', 1);
  asked.onsuccess = () => { asked.result.close(); resolve(); };
  asked.onerror = reject;
});
const keep = async () => {
  document.cookie = 'session=kept';
  document.cookie = 'lasting=kept; max-age=100000; path=/';
  localStorage.kept = 'kept';
  sessionStorage.kept = 'kept';
  window.name = 'kept';
  await idb();
  await (await caches.open('kept')).put('/kept', new Response('kept'));
  await navigator.serviceWorker.register('/worker.js');
  const root = await navigator.storage.getDirectory();
  await root.getFileHandle('kept', { create: true });
  // Those who keep something at the last moment.
  for (const type of ['beforeunload', 'pagehide', 'visibilitychange', 'unload', 'freeze']) {
    for (const target of [window, document]) target.addEventListener(type, () => {
      localStorage.last = type;
      document.cookie = 'last=' + type;
    });
  }
  setInterval(() => { localStorage.ticking = 'kept'; document.cookie = 'ticking=kept'; }, 1);
  scrollTo(0, 1000);
};
const look = async () => {
  const root = await navigator.storage.getDirectory();
  const files = [];
  for await (const name of root.keys()) files.push(name);
  const state = {
    cookies: document.cookie, local: JSON.stringify(localStorage), session: JSON.stringify(sessionStorage), name: window.name,
    databases: (await indexedDB.databases()).length, caches: (await caches.keys()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).length, controlled: !!navigator.serviceWorker.controller, files,
    history: history.length, hash: location.hash, online: navigator.onLine, width: innerWidth, height: innerHeight,
    orientation: screen.orientation.type, dark: matchMedia('(prefers-color-scheme: dark)').matches,
    still: matchMedia('(prefers-reduced-motion: reduce)').matches, language: new Intl.DateTimeFormat().resolvedOptions().locale,
    font: getComputedStyle(document.documentElement).fontSize, day: new Date().toISOString().slice(0, 16),
    scroll: scrollY, visible: document.visibilityState, focus: document.hasFocus(), full: !!document.fullscreenElement,
    geolocation: (await navigator.permissions.query({ name: 'geolocation' })).state,
    notifications: Notification.permission, opener: !!window.opener, zoom: visualViewport.scale, field: $('field').value,
  };
  $('state').innerHTML = '';
  for (const [key, value] of Object.entries(state)) {
    const line = document.createElement('dd');
    line.className = 'state';
    line.textContent = key + '=' + value;
    $('state').append(line);
  }
};
</script>"#;

const PAGES: [(&str, &str); 3] = [
    ("/", TRACES),
    ("/worker.js", "onfetch = () => {}; onactivate = event => event.waitUntil(clients.claim())"),
    ("/popup", "<p>Popup</p>"),
];

fn state(visit: &mut Visit) -> BTreeMap<String, String> {
    visit.click("read");
    let all = visit.seen.screen.texts(&Selector::class("state"));
    let lines = all.lines().filter_map(|line| line.split_once('='));
    lines.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn happens(name: &str, value: Value) -> Event {
    Event::Environment(Environment { name: name.into(), args: vec![value] })
}

fn nothing_is_left(options: &str, is_virtual: bool) {
    let mut visit = Visit::among(&PAGES, options);
    let mut fresh = state(&mut visit);
    if !is_virtual {
        fresh.remove("day");
    }
    assert_eq!(fresh["cookies"], "");
    assert_eq!(fresh["local"], "{}");
    assert_eq!(fresh["history"], "1");

    if is_virtual {
        visit.does(&happens("clock", Value::Number(90_000_000.0)));
    }
    visit.click("write").click("push").types("field", "kept").does(&Event::Rotate);
    for _ in 0..4 {
        visit.does(&Event::Settings);
    }
    visit.does(&happens("network", Value::Text("off".into())));
    // The test is worth something only if all of it was written.
    let used = state(&mut visit);
    let kept: Vec<&str> = fresh
        .iter()
        .filter(|(key, value)| used.get(*key) == Some(value))
        .map(|(key, _)| key.as_str())
        .collect();
    assert_eq!(
        kept,
        ["focus", "full", "geolocation", "notifications", "opener", "visible", "zoom"]
            .into_iter()
            .filter(|key| fresh.contains_key(*key))
            .collect::<Vec<_>>(),
        "{used:?}"
    );

    // In each of the states that a run may end in.
    let endings: [&[Event]; 4] = [
        &[],
        &[Event::Click(Target::id("popup"))],
        &[Event::ClickHome],
        &[Event::Click(Target::id("full")), happens("network", Value::Text("slow".into()))],
    ];
    for (seed, ending) in endings.iter().enumerate() {
        for event in *ending {
            visit.does(event);
        }
        visit.again(seed as u64);
        let mut now = state(&mut visit);
        if !is_virtual {
            now.remove("day");
        }
        assert_eq!(now, fresh, "after {ending:?}");
        visit.click("write").types("field", "kept");
    }
}

#[test]
fn nothing_is_left_after_a_reset() {
    nothing_is_left("", true);
}

#[test]
fn nothing_is_left_in_real_time() {
    nothing_is_left("time=real", false);
}

#[test]
fn nothing_is_left_in_a_browser_with_windows() {
    nothing_is_left("browser=chromium", true);
}

/// Also if the app was left for somebody else's page, which has another process and another clock.
#[test]
fn nothing_is_left_after_a_visit_elsewhere() {
    let other = crate::site::Site::new(&[(
        "/",
        "<script>document.cookie = localStorage.x = 'x'</script><p id='x'></p>",
    )]);
    let origin = other.origin();
    let away =
        format!("{TRACES}<a id='away' href='{origin}/' style='position:fixed;top:300px'>Away</a>");
    for options in ["", "time=real"] {
        let pages = [("/", away.as_str()), PAGES[1]];
        let mut visit = Visit::among(&pages, &format!("allow={origin} {options}"));
        let mut fresh = state(&mut visit);
        visit.click("write").does(&Event::Settings).click("away");
        assert!(visit.seen.screen.place.starts_with(&origin), "{options}");
        visit.again(2);
        let mut now = state(&mut visit);
        if !options.is_empty() {
            fresh.remove("day");
            now.remove("day");
        }
        assert_eq!(now, fresh, "{options}");
    }
}

/// A page that is loaded does not learn from its history whether its tab is new, nor how often it
/// pushed a state.
#[test]
fn a_history_begins_with_the_app() {
    let page = r#"<p id="length"></p><p id="heard">nothing</p>
        <button id="push" onclick="history.pushState(1, '')">Push</button>
        <button id="close" onclick="window.close()">Close</button>
        <script>
            document.getElementById('length').textContent = history.length;
            document.getElementById('heard').textContent = localStorage.heard ?? 'nothing';
            navigation.addEventListener('navigate', event => { localStorage.heard = event.destination.url; });
        </script>"#;
    let mut visit = Visit::to(page, "");
    let endings: [&[&str]; 5] = [&[], &["push"], &["push", "push"], &["close"], &["close"]];
    for (seed, ending) in endings.iter().enumerate() {
        for id in *ending {
            visit.tries(&Event::Click(Target::id(*id)));
        }
        visit.again(seed as u64);
        assert_eq!(visit.text("length"), "1", "after {ending:?}");
        assert_eq!(visit.text("heard"), "nothing", "after {ending:?}");
    }
}

/// Two devices of one browser have nothing in common.
#[test]
fn devices_have_nothing_in_common() {
    let site = crate::site::Site::new(&PAGES);
    let options = capuchin_web::Options::parse(&site.origin()).unwrap();
    let opener = capuchin_web::Opener::new("web:two", options);
    let mut one = Visit::with(opener.open().unwrap());
    let mut two = Visit::with(opener.open().unwrap());
    let fresh = state(&mut two);
    one.click("write").does(&Event::Settings).does(&happens("network", Value::Text("off".into())));
    assert_eq!(state(&mut two)["local"], "{}");
    two.again(1);
    assert_eq!(state(&mut two), fresh);
    assert_eq!(state(&mut one)["online"], "false", "and a reset of one is none of the other");
    assert_ne!(state(&mut one)["local"], "{}");
}
