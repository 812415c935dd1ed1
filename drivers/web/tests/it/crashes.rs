//! What counts as a crash, what does not, and that it counts once. Where in the sources it happened
//! is in `tests/source_maps.rs`.

use crate::site::Site;
use crate::visit::Visit;
use capuchin_ui::{Crash, Event, Target};
use std::sync::Arc;

const FAULTS: &str = r#"
<button id="throw" onclick="boom()">Throw</button>
<button id="text" onclick="throw 'only a text'">Text</button>
<button id="nothing" onclick="throw undefined">Nothing</button>
<button id="object" onclick="throw { code: 42 }">Object</button>
<button id="later" onclick="setTimeout(boom, 50)">Later</button>
<button id="frame" onclick="requestAnimationFrame(boom)">Frame</button>
<button id="reject" onclick="reject()">Reject</button>
<button id="reject-text" onclick="Promise.reject('only a text')">Reject text</button>
<button id="syntax" onclick="eval('1 +')">Syntax</button>
<button id="deep" onclick="(function deep() { deep() })()">Deep</button>
<button id="inside" onclick="$('inner').contentWindow.eval('setTimeout(() => { throw new Error(`inside`) })')">Inside</button>
<button id="caught" onclick="try { boom() } catch (error) { say(error.message) }">Caught</button>
<button id="handled" onclick="reject().catch(error => say(error.message))">Handled</button>
<button id="stopped" onclick="onerror = () => true; boom()">Stopped</button>
<button id="console" onclick="console.error('something is', { wrong: 1 }, 7); say('logged')">Console</button>
<button id="warning" onclick="console.warn('careful'); say('warned')">Warning</button>
<button id="assert" onclick="console.assert(false, 'not so'); say('asserted')">Assert</button>
<button id="missing" onclick="fetch('/nothing').then(answer => say(answer.status))">Missing</button>
<button id="broken" onclick="fetch('/500').then(answer => say(answer.status))">Broken</button>
<button id="picture" onclick="document.body.append(Object.assign(new Image(), { src: '/no.png', alt: 'x', onerror: () => say('no picture') }))">Picture</button>
<button id="refused" onclick="fetch('http://127.0.0.1:1/').catch(() => say('refused'))">Refused</button>
<button id="aborted" onclick="const stop = new AbortController(); fetch('/late?5000', { signal: stop.signal }).catch(() => say('aborted')); Promise.resolve().then(() => stop.abort())">Aborted</button>
<button id="blank" onclick="document.body.innerHTML = ''">Blank</button>
<button id="unnamed" onclick="const made = document.createElement('button'); made.style = 'width:9px;height:9px'; document.body.append(made); say('made')">Unnamed</button>
<iframe id="inner" title="Inner" srcdoc="<p>Inner</p>"></iframe>
<script>
function boom() { throw new RangeError('out of range'); }
async function reject() { throw new TypeError('not that'); }
</script>"#;

fn crash(visit: &mut Visit, id: &str) -> Arc<Crash> {
    visit.again(1).tries(&Event::Click(Target::id(id)));
    visit.seen.crash.clone().unwrap_or_else(|| panic!("{id} is no crash"))
}

#[test]
fn what_nobody_catches_is_a_crash() {
    let mut visit = Visit::to(FAULTS, "");
    for (id, message) in [
        ("throw", "RangeError: out of range"),
        ("text", "only a text"),
        ("nothing", "undefined"),
        ("object", "Object"),
        ("later", "RangeError: out of range"),
        ("frame", "RangeError: out of range"),
        ("reject", "unhandled rejection: TypeError: not that"),
        ("reject-text", "unhandled rejection: only a text"),
        ("syntax", "SyntaxError: Unexpected end of input"),
        ("deep", "RangeError: Maximum call stack size exceeded"),
        ("inside", "Error: inside"),
    ] {
        let crash = crash(&mut visit, id);
        assert_eq!(crash.message, message, "{id}");
        assert!(
            crash.report.starts_with(message) && crash.report.contains("\non /"),
            "{id}: {}",
            crash.report
        );
    }
    // And nothing else is.
    visit.again(2);
    for (id, said) in [
        ("caught", "out of range"),
        ("handled", "not that"),
        ("console", "logged"),
        ("warning", "warned"),
        ("assert", "asserted"),
        ("missing", "404"),
        ("broken", "500"),
        ("picture", "no picture"),
        ("refused", "refused"),
        ("aborted", "aborted"),
        ("unnamed", "made"),
    ] {
        visit.click(id);
        assert_eq!(visit.said(), said, "{id}");
    }
    visit.click("blank");
}

#[test]
fn the_same_crash_is_one_crash() {
    let mut visit = Visit::to(FAULTS, "");
    let first = crash(&mut visit, "throw");
    assert!(first.place.starts_with("boom (index.html:"), "{}", first.place);
    // Whatever went before it, and however often.
    visit.again(2).click("caught").click("warning").does(&Event::Rotate);
    visit.tries(&Event::Click(Target::id("throw")));
    let second = visit.seen.crash.clone().unwrap();
    assert_eq!((&first.message, &first.place), (&second.message, &second.place));
    // What was said before is in the report, and it is not part of what it is.
    assert!(second.report.contains("careful") && !first.report.contains("careful"));
    // An app that has crashed has crashed; what comes later is not looked at.
    visit.tries(&Event::Click(Target::id("text")));
    assert_eq!(visit.crash(), first.message);
    // Elsewhere it is another one.
    assert_ne!(crash(&mut visit, "deep").place, first.place);
    assert_eq!(crash(&mut visit, "later").place, first.place);
}

/// A click is a crash with this switch and none without it.
fn switched(visit: &mut Visit, id: &str, message: &str) {
    let crash = crash(visit, id);
    assert!(crash.message.contains(message), "{id}: {}", crash.message);
}

#[test]
fn each_kind_can_be_switched_on() {
    let mut visit = Visit::to(FAULTS, "crash=console,requests,blank,accessibility");
    switched(&mut visit, "console", "console.error: something is");
    switched(&mut visit, "assert", "console.error: not so");
    switched(&mut visit, "missing", "a request failed: 404 nothing");
    switched(&mut visit, "broken", "a request failed: 500 500");
    switched(&mut visit, "picture", "a request failed: 404 no.png");
    switched(&mut visit, "blank", "the page is blank");
    switched(&mut visit, "unnamed", "accessibility: a button without a name");
    // What is not the app's own, or not a failure.
    visit.again(2).click("warning").click("refused").click("aborted");
    // Without a network nothing can be asked for: that is no fault of the app's.
    let off = capuchin_ui::Value::Text("off".into());
    visit.happens("network", &[off]);
    visit.tries(&Event::Click(Target::id("caught")));
    assert_eq!(visit.seen.crash, None);
}

#[test]
fn each_kind_can_be_switched_off() {
    let mut visit = Visit::to(FAULTS, "crash=-exceptions,-rejections");
    for id in ["throw", "text", "later", "reject", "syntax", "inside", "caught"] {
        visit.click(id);
    }
    assert_eq!(visit.said(), "out of range");
    let journal = visit.journal();
    assert!(journal.contains("RangeError: out of range"), "{journal}");
}

#[test]
fn an_app_may_crash_while_it_is_loaded() {
    let body = "<p id='p'>Here</p><script>say('before'); throw new Error('at once')</script>";
    let mut visit = Visit::to(body, "");
    for seed in 1..3 {
        visit.again(seed);
        assert_eq!((visit.crash(), visit.text("p")), ("Error: at once", "Here"));
    }
    let mut visit = Visit::to("<script>for (;;);</script>", "hang=500");
    assert_eq!(visit.crash(), "the page hangs while it is loaded");
    visit.again(2);
    assert_eq!(visit.crash(), "the page hangs while it is loaded");
}

const HANGS: &str = r#"
<button id="ever" onclick="for (;;);">For ever</button>
<button id="while" onclick="const end = performance.now() + 1; let n = 0; while (n < 3e7) n++; say('after a while')">A while</button>
<button id="here" onclick="say('here')">Here</button>"#;

#[test]
fn a_page_that_does_not_answer_hangs() {
    let mut visit = Visit::to(HANGS, "hang=700");
    visit.tries(&Event::Click(Target::id("ever")));
    assert_eq!(visit.crash(), "the page hangs: no answer for 0.7 s");
    visit.again(2).click("here");
    assert_eq!(visit.said(), "here");
    let mut visit = Visit::to(HANGS, "hang=700 crash=-hangs");
    visit.does(&Event::Click(Target::id("ever")));
    assert!(
        visit.seen.unsettled.as_ref().unwrap().contains("did not answer"),
        "{:?}",
        visit.seen.unsettled
    );
    visit.again(2).click("here");
    assert_eq!(visit.said(), "here");
    let mut visit = Visit::to(HANGS, "hang=5000");
    visit.click("while");
    assert_eq!(visit.said(), "after a while");
}

/// Also the first time, when nobody had reason to watch.
#[test]
fn a_hang_says_where() {
    let page = r#"
        <script>const spin = () => { for (;;); }; const turn = () => { while (true) document.title = 'x'; };</script>
        <button id="here" onclick="say('here')">Here</button>
        <button id="spin" onclick="spin()">Spin</button><button id="turn" onclick="turn()">Turn</button>"#;
    let mut visit = Visit::to(page, "hang=700");
    for (seed, name) in [(2, "spin"), (3, "turn"), (4, "spin")] {
        visit.click("here");
        visit.tries(&Event::Click(Target::id(name)));
        let report = visit.seen.crash.as_ref().unwrap().report.clone();
        assert!(report.contains(&format!("at {name}")), "{report}");
        visit.again(seed);
    }
}

/// What went before is not undone by the second look.
#[test]
fn a_hang_in_a_page_with_popups_says_where_and_leaves_a_crash_alone() {
    let page = r#"
        <script>const spin = () => { for (;;); };</script>
        <button id="open" onclick="window.open('/popup')">Open</button>
        <button id="both" onclick="setTimeout(spin, 20); throw new Error('before')">Both</button>
        <button id="spin" onclick="spin()">Spin</button>"#;
    let popup = "<button id='over' onclick='window.close()'>Over</button>";
    let mut visit = Visit::among(&[("/", page), ("/popup", popup)], "hang=700");
    visit.click("open").click("over");
    visit.tries(&Event::Click(Target::id("spin")));
    let report = visit.seen.crash.as_ref().unwrap().report.clone();
    assert!(report.contains("at spin"), "{report}");
    let mut visit = Visit::among(&[("/", page), ("/popup", popup)], "hang=700");
    visit.tries(&Event::Click(Target::id("both")));
    assert_eq!(visit.crash(), "Error: before");
}

#[test]
fn a_message_has_an_end() {
    let page = r#"<button id="long" onclick="throw new Error('long '.repeat(1e6))">Long</button>"#;
    let mut visit = Visit::to(page, "");
    visit.tries(&Event::Click(Target::id("long")));
    let crash = visit.seen.crash.as_ref().unwrap();
    assert!(crash.message.ends_with("bytes more"), "{}", crash.message.len());
    assert!(crash.report.len() < 10_000, "{}", crash.report.len());
}

const HUNGRY: &str = r#"
<button id="eat" onclick="const all = []; for (;;) all.push(new Array(100000).fill(all.length))">Eat</button>
<button id="here" onclick="say('here')">Here</button>"#;

#[test]
fn a_tab_that_dies_is_a_crash_and_no_more_than_that() {
    let mut visit = Visit::to(HUNGRY, "flag=--js-flags=--max-old-space-size=30 hang=20000");
    for seed in 2..4 {
        visit.tries(&Event::Click(Target::id("eat")));
        assert_eq!(visit.crash(), "the tab ran out of memory");
        visit.again(seed).click("here");
        assert_eq!(visit.said(), "here");
    }
}

/// A window that the app opened crashes, and with it the app.
#[test]
fn windows_crash_as_well() {
    let pages = [
        (
            "/",
            r#"<button id="open" onclick="window.open('/other')">Open</button><button id="here" onclick="say('here')">Here</button>"#,
        ),
        (
            "/other",
            r#"<button id="throw" onclick="throw new Error('in the window')">Throw</button>"#,
        ),
    ];
    let site = Site::new(&pages);
    let mut visit = Visit::at(&site.origin(), "");
    visit.click("open").tries(&Event::Click(Target::id("throw")));
    assert_eq!(visit.crash(), "Error: in the window");
    assert!(visit.seen.crash.as_ref().unwrap().report.contains("on /other"));
    visit.again(2).click("here");
    assert_eq!(visit.said(), "here");
}

/// Animations of all lengths, delays and numbers, on all timelines; the strangest are legal.
const STRANGE: &str = r#"
<style>
@keyframes grow { from { opacity: 0 } }
#scroller { height: 60px; overflow: auto; view-timeline: --mine }
.on { animation: grow var(--d) linear var(--w) var(--n) both; animation-timeline: var(--t) }
</style>
<div id="scroller"><div id="inner" style="height: 900px"></div></div>
<button id="begin" onclick="each(it => it.classList.add('on'))">Begin</button>
<button id="scroll" onclick="$('scroller').scrollTop += 200">Scroll</button>
<button id="turn" onclick="all(it => it.reverse())">Turn</button>
<button id="jump" onclick="all(it => { it.currentTime = 1e15; it.playbackRate = -2 })">Jump</button>
<button id="stop" onclick="each(it => it.classList.remove('on'))">Stop</button>
<button id="hide" onclick="$('scroller').style.display = 'none'">Hide</button>
<button id="remove" onclick="$('inner').remove()">Remove</button>
<script>
const each = act => document.querySelectorAll('#inner > i').forEach(act);
const all = act => document.getAnimations().forEach(it => { try { act(it) } catch {} });
for (const d of ['0s', '1ms', '1s', '1e30s', '1e306s', 'auto'])
  for (const w of ['0s', '1s', '-1s', '-1e30s', '-1e306s', 'calc(-infinity * 1s)'])
    for (const n of ['0', '0.5', '3', '1e300', 'infinite'])
      for (const t of ['auto', 'none', 'scroll()', 'view()']) {
        const made = document.createElement('i');
        made.style = `--d: ${d}; --w: ${w}; --n: ${n}; --t: ${t}`;
        $('inner').append(made);
      }
</script>"#;

#[test]
fn no_script_of_ours_throws_into_the_page() {
    let mut visit = Visit::to(STRANGE, "");
    for ways in [&["turn", "stop"][..], &["jump", "hide"], &["scroll", "remove"]] {
        visit.again(1).click("begin");
        for id in ways {
            visit.does(&Event::Sleep(1500)).click(id);
            assert_eq!(visit.seen.lacked, [], "{id}");
        }
        visit.does(&Event::Sleep(1500));
        assert_eq!(visit.seen.lacked, []);
    }
}

/// A polyfill may tell of an animation what it likes.
#[test]
fn an_animation_without_a_time_is_no_crash() {
    let page = r#"
        <style>@keyframes grow { from { opacity: 0 } } .on { animation: grow 100ms }</style>
        <button id="begin" onclick="this.className = 'on'">Begin</button>
        <script>
        const { getComputedTiming } = AnimationEffect.prototype;
        AnimationEffect.prototype.getComputedTiming = function () {
          return { ...getComputedTiming.call(this), activeDuration: undefined };
        };
        $('begin').addEventListener('animationend', event => say(event.elapsedTime));
        </script>"#;
    let mut visit = Visit::to(page, "");
    visit.click("begin").does(&Event::Sleep(500));
    assert_eq!((visit.said().as_str(), visit.seen.lacked.len()), ("0", 0));
}

#[test]
fn what_the_browser_refuses_is_the_apps_fault() {
    let page = r#"
        <button id="animate" onclick="this.animate([{}], { duration: 'long' })">Animate</button>
        <button id="frame" onclick="requestAnimationFrame(7)">Frame</button>
        <button id="idle" onclick="requestIdleCallback()">Idle</button>
        <button id="listen" onclick="addEventListener('click', 7)">Listen</button>
        <button id="socket" onclick="new WebSocket('nonsense://x')">Socket</button>
        <button id="fetch" onclick="fetch('http://[')">Fetch</button>
        <button id="deep" onclick="(function deep() { Math.random(); document.addEventListener('x', () => {}); deep() })()">Deep</button>"#;
    let mut visit = Visit::to(page, "");
    for id in ["animate", "frame", "idle", "listen", "socket", "fetch", "deep"] {
        let crash = crash(&mut visit, id);
        assert!(crash.message.contains("Error: "), "{id}: {}", crash.message);
        assert_eq!(visit.seen.lacked, [], "{id}");
    }
}
