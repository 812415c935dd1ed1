//! What happens around the app, and the device's own buttons: the page hears of it as from a real
//! device.

use crate::site::Site;
use crate::visit::Visit;
use capuchin_ui::{Blocked, Environment, Event, Value};

const LISTENING: &str = r#"
<button id="focus" onclick="">Focus</button>
<script>
document.addEventListener('visibilitychange', () => say(document.visibilityState));
document.addEventListener('freeze', () => say('frozen'));
document.addEventListener('resume', () => say('resumed'));
screen.orientation.addEventListener('change', () => say(screen.orientation.type));
addEventListener('resize', () => say(innerWidth + 'x' + innerHeight));
for (const type of ['online', 'offline']) addEventListener(type, () => say(type));
addEventListener('contextmenu', event => { event.preventDefault(); say('menu'); });
for (const [query, name] of [['(prefers-color-scheme: dark)', 'dark'], ['(prefers-reduced-motion: reduce)', 'still']]) {
  matchMedia(query).addEventListener('change', ({ matches }) => say(name + ' ' + matches));
}
navigator.geolocation.watchPosition(({ coords }) => say('at ' + coords.latitude + ' ' + coords.longitude), () => {});
</script>"#;

#[test]
fn the_page_hears_of_what_happens_around_it() {
    let mut visit = Visit::to(LISTENING, "viewport=400x700");
    visit.said();
    visit.does(&Event::Rotate);
    let said = visit.said();
    assert!(said.contains("landscape-primary") && said.contains("700x400"), "{said}");
    let size = visit.seen.screen.viewport;
    assert_eq!((size.width, size.height), (700, 400));
    visit.does(&Event::Rotate);
    assert!(visit.said().contains("portrait-primary"));

    // Each change keeps those before it; the fifth is as at first.
    for expected in ["dark true", "still true", "", ""] {
        visit.does(&Event::Settings);
        assert_eq!(visit.said(), expected);
    }
    visit.does(&Event::Settings);
    let said = visit.said();
    assert!(said.contains("dark false") && said.contains("still false"), "{said}");

    visit.does(&Event::ClickHome);
    let said = visit.said();
    assert!(said.contains("frozen, resumed") && said.ends_with("visible"), "{said}");

    visit.click("focus").does(&Event::ClickMenu);
    assert_eq!(visit.said(), "menu");

    let text = |text: &str| [Value::Text(text.into())];
    visit.happens("network", &text("off"));
    assert_eq!(visit.said(), "offline");
    visit.happens("network", &text("slow"));
    assert_eq!(visit.said(), "online");
    visit.happens("network", &text("on"));
    assert_eq!(visit.said(), "");
    visit.happens("locUpdate", &[Value::Number(48.2), Value::Number(16.4)]);
    assert!(visit.said().ends_with("at 48.2 16.4"));
    visit.happens("reload", &[]);
    assert_eq!(visit.path(), "");

    let wrong = Event::Environment(Environment { name: "network".into(), args: text("up").into() });
    assert!(matches!(visit.tries(&wrong).blocked, Some(Blocked::Other(_))));
}

#[test]
fn without_a_network_nothing_comes() {
    let body = r#"<button id="ask" onclick="fetch('/late?1').then(() => say('came'), () => say('failed'))">Ask</button>"#;
    let mut visit = Visit::to(body, "crash=requests");
    visit.click("ask").happens("network", &[Value::Text("off".into())]).click("ask");
    assert_eq!(visit.said(), "came, failed");
    visit.happens("network", &[Value::Text("slow".into())]).click("ask");
    visit.happens("network", &[Value::Text("on".into())]).click("ask");
    assert_eq!(visit.said(), "came, came");
}

/// What an author may rely on in a phone's browser.
#[test]
fn a_phone_is_a_phone() {
    let body = r#"<meta name="viewport" content="width=device-width"><p id="about"></p><script>
      $('about').textContent = [innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints > 0, matchMedia('(pointer: coarse)').matches, matchMedia('(pointer: fine)').matches,
        matchMedia('(hover: none)').matches, /Mobile/.test(navigator.userAgent), screen.orientation.type].join(' ');
    </script>"#;
    let mut visit = Visit::to(body, "phone");
    assert_eq!(visit.text("about"), "412 915 2.625 true true false true true portrait-primary");
    visit.does(&Event::Rotate).happens("reload", &[]);
    assert_eq!(visit.text("about"), "915 412 2.625 true true false true true landscape-primary");
    let visit = Visit::to(body, "locale=de-DE timezone=Europe/Vienna");
    assert_eq!(visit.text("about"), "1024 768 1 false false true false false landscape-primary");
}

const ABOUT: &str = r#"<p id="about"></p><script>
  $('about').textContent = [new Intl.NumberFormat().format(1234.5), Intl.DateTimeFormat().resolvedOptions().timeZone, document.cookie, navigator.language].join(' ');
</script>"#;

/// In front of a person, the browser tells a page its size before the scripts of the page are
/// there.
#[test]
fn a_phone_that_has_not_been_turned_has_not_changed_its_size() {
    let meta = r#"<meta name="viewport" content="width=device-width">"#;
    let mut visit = Visit::to(&format!("{meta}{LISTENING}"), "touch=yes viewport=400x700");
    assert!(!visit.said().contains("400x700"));
    visit.does(&Event::Rotate);
    assert!(visit.said().contains("700x400"));
    visit.does(&Event::Rotate);
    assert!(visit.said().contains("400x700"));
}

#[test]
fn an_app_is_told_where_it_is() {
    let visit = Visit::to(
        ABOUT,
        "locale=de-DE timezone=Europe/Vienna cookie=who:me user-agent='Mozilla/5.0 Chrome/1'",
    );
    assert_eq!(visit.text("about"), "1.234,5 Europe/Vienna who=me de-DE");
}

/// What requests are asked with: the app's own with what the options say, anybody else's without.
#[test]
fn an_app_is_asked_in_the_words_of_the_options() {
    let body = r#"<button id="own" onclick="ask('/head')">Own</button>
      <button id="other" onclick="ask(location.origin.replace('127.0.0.1', 'localhost') + '/head')">Other</button>
      <script>const ask = url => fetch(url).then(answer => answer.text()).then(say);</script>"#;
    let mut visit = Visit::to(
        body,
        "allow=localhost header=X-One:1 header='X-Two:a: b' auth=me:secret locale=de-DE user-agent='Mine/1.0'",
    );
    let own = visit.click("own").said();
    for header in [
        "X-One: 1|",
        "X-Two: a: b|",
        "Authorization: Basic bWU6c2VjcmV0|",
        "User-Agent: Mine/1.0|",
        "Accept-Language: de-DE",
    ] {
        assert!(own.contains(header), "{header} in {own}");
    }
    let other = visit.click("other").said();
    assert!(other.contains("User-Agent: Mine/1.0|"), "{other}");
    for secret in ["X-One", "X-Two", "Authorization"] {
        assert!(!other.contains(secret), "{secret} in {other}");
    }
    visit.happens("reload", &[]).click("own");
    assert!(visit.said().contains("Authorization"));
}

#[test]
fn a_proxy_is_asked_for_everything() {
    let site = Site::new(&[("/", "<p id='who'>Behind a proxy</p>")]);
    let proxy = site.origin().replace("http://", "proxy=");
    let visit = Visit::at("http://App.test:80/", &proxy);
    assert_eq!(visit.text("who"), "Behind a proxy");
    assert_eq!(visit.seen.screen.place, "http://app.test/");
}
