//! Things that pages and their servers do and that are easily got wrong: each of them once was.

use crate::visit::Visit;
use capuchin_ui::{Event, Target};

#[test]
fn half_a_character_is_a_character() {
    let body = r#"<button id="cut" onclick="say('😀x'.slice(1)); console.log('😀'.slice(1))">Cut</button>"#;
    let mut visit = Visit::to(body, "");
    visit.click("cut");
    assert_eq!(visit.said(), "\u{fffd}x");
}

#[test]
fn nobody_is_helped_with_a_failed_fetch() {
    let body = r#"<button id="save" onclick="fetch('http://127.0.0.1:1/save')">Save</button>"#;
    let mut visit = Visit::to(body, "");
    visit.tries(&Event::Click(Target::id("save")));
    assert_eq!(visit.crash(), "unhandled rejection: TypeError: Failed to fetch");
}

#[test]
fn a_window_from_a_timer_is_shown_at_once() {
    let pages = [
        (
            "/",
            r#"<button id="open" onclick="setTimeout(() => window.open('/other'), 40)">Open</button>"#,
        ),
        ("/other", "<p id='there'>There</p>"),
    ];
    let mut visit = Visit::among(&pages, "");
    visit.click("open");
    assert_eq!((visit.text("there"), &visit.seen.unsettled), ("There", &None));
}

#[test]
fn windows_without_end_come_to_an_end() {
    let body = r#"<button id="open" onclick="window.open('/')">Open</button>
        <script>if (opener) setTimeout(() => window.open('/'), 1)</script>"#;
    let mut visit = Visit::to(body, "patience=1000");
    visit.click("open");
    assert!(visit.seen.unsettled.as_ref().unwrap().contains("one window after the other"));
    visit.again(1).click("open");
}

#[test]
fn an_address_may_have_a_fragment() {
    let body = r##"<a id="on" href="#/on">On</a><p id="route"></p><script>
        const show = () => $('route').textContent = location.hash + ' ' + (window.times = (window.times || 0) + 1);
        addEventListener('hashchange', show); show()</script>"##;
    let site = crate::site::Site::new(&[("/", body)]);
    let mut visit = Visit::at(&format!("{}/#/", site.origin()), "");
    for seed in 1..4 {
        assert_eq!(visit.text("route"), "#/ 1");
        visit.click("on");
        assert_eq!(visit.text("route"), "#/on 2");
        visit.again(seed);
    }
}

#[test]
fn a_reset_command_may_leave_a_server_behind() {
    let mut visit = Visit::to("<p id='here'>Here</p>", "reset-command='sleep 30 & true'");
    assert_eq!(visit.again(1).text("here"), "Here");
}

#[test]
fn sizes_may_be_absurd() {
    let body =
        r#"<div id="huge" style="width:100px;height:100px;transform:scale(1e30)">Huge</div>"#;
    let visit = Visit::to(body, "");
    assert_eq!(visit.text("huge"), "Huge");
}

#[test]
fn a_page_that_changes_its_address_and_its_content_bears_a_mouse() {
    // The browser takes this for a navigation, and stops a page that hears of inputs from before it
    // began.
    let other = r##"<a id="all" href="#/all" style="display:block;width:400px;height:300px">All</a><div id="list"></div>
        <p id="under">Under</p><script>addEventListener('hashchange', () => $('list').innerHTML =
        '<p style="font-size:80px">' + location.hash.repeat(40) + '</p>')</script>"##;
    let pages = [("/", r#"<a id="go" href="/other">Go</a>"#), ("/other", other)];
    let mut visit = Visit::among(&pages, "");
    for seed in 1..3 {
        visit.does(&Event::Sleep(5000)).click("go").does(&Event::Sleep(1000)).click("all");
        visit.does(&Event::Hover(Target::id("all"))).does(&Event::Hover(Target::id("under")));
        visit.again(seed);
    }
}

/// Our rule against the delay of taps is the weakest, and our clock leans on nothing of the page's.
#[test]
fn what_a_page_says_of_touches_and_iterators_stands() {
    let page = r#"
        <style>.plain { touch-action: auto }</style>
        <button id="see" onclick="say(getComputedStyle(document.documentElement).touchAction)">See</button>
        <button id="forbid" onclick="document.head.insertAdjacentHTML('beforeend', '<style>html { touch-action: none }</style>')">Forbid</button>
        <button id="break" onclick="Array.prototype[Symbol.iterator] = () => { throw new Error('broken') }; say(Date.now() > 0)">Break</button>"#;
    let mut visit = Visit::to(page, "touch=yes");
    assert_eq!(visit.click("see").click("forbid").click("see").said(), "manipulation, none");
    assert_eq!(visit.click("break").said(), "true");
    let mut visit = Visit::to(page, "");
    assert_eq!(visit.click("see").said(), "auto");
}

#[test]
fn what_a_script_nests_two_thousand_deep_is_seen() {
    // Our collector once went down by recursion, and its stack did not do. (Three thousand are too
    // deep for Chromium's own layout.)
    let body = r#"<div id="top"></div><script>
        let inner = document.getElementById('top');
        for (let i = 0; i < 2000; i++) inner = inner.appendChild(document.createElement('div'));
        inner.innerHTML = '<button id="deep" onclick="say(`deep`)">Deep</button>';
    </script>"#;
    let mut visit = Visit::to(body, "");
    visit.click("deep");
    assert_eq!(visit.said(), "deep");
}
