//! Whatever leads out of the app does not: other origins, other windows, other programs.

use crate::site::Site;
use crate::visit::Visit;
use capuchin_ui::{Device, Event, Selector, Target};
use capuchin_web::{Opener, Options};

/// Every way out of a page to another origin; `OTHER` stands for that origin.
const WAYS_OUT: &str = r#"
<a id="link" href="OTHER/">Link</a>
<form action="OTHER/" method="post"><button id="form">Form</button></form>
<button id="location" onclick="location.href = 'OTHER/'">Location</button>
<button id="replace" onclick="location.replace('OTHER/')">Replace</button>
<button id="late" onclick="setTimeout(() => location.href = 'OTHER/', 50)">Late</button>
<button id="redirect" onclick="location.href = '/moved'">Redirect</button>
<a id="tab" href="OTHER/" target="_blank">New tab</a>
<button id="window" onclick="window.open('OTHER/')">Window</button>
<button id="said-something" onclick="say('still here')">Still here?</button>
<iframe title="Somebody else's" src="OTHER/framed"></iframe>"#;

const ALL: [&str; 8] = ["link", "form", "location", "replace", "late", "redirect", "tab", "window"];

fn another_origin() -> (Site, String) {
    let other = Site::new(&[
        ("/", r#"<p id="elsewhere">Elsewhere</p><a id="on" href="/on">On</a>"#),
        ("/on", r#"<p id="further">Further</p>"#),
        ("/framed", "<p>Framed</p>"),
    ]);
    let origin = other.origin();
    (other, origin)
}

fn app(other: &str) -> Site {
    let moved = format!("\r\nLocation: {other}/");
    Site::new(&[("/", &WAYS_OUT.replace("OTHER", other)), ("/moved", &moved)])
}

#[test]
fn other_origins_are_not_visited() {
    let (_other, origin) = another_origin();
    let app = app(&origin);
    let mut visit = Visit::at(&app.origin(), "");
    for id in ALL {
        visit.click(id);
        assert_eq!(visit.path(), "", "{id}");
        let mut told = visit.seen.lacked.clone();
        visit.click("said-something");
        told.extend(visit.seen.lacked.clone());
        assert!(told.iter().any(|lack| *lack.what == origin), "{id} is told: {told:?}");
        assert_eq!(visit.said(), "still here", "{id}");
        assert!(visit.seen.screen.first(&Selector::id("elsewhere")).is_none(), "{id}");
        let journal = visit.journal();
        assert!(journal.contains("stayed here instead of going to"), "{id}: {journal}");
    }
}

/// An address often leads to another name of the same host.
#[test]
fn an_address_that_leads_to_another_origin_says_where() {
    let (_other, origin) = another_origin();
    let app = app(&origin);
    let options = Options::parse(&format!("{}/moved", app.origin())).unwrap();
    let opened = Opener::new("web:page", options).open();
    let error = opened.and_then(|mut device| device.reset(1)).unwrap_err().to_string();
    assert!(error.contains(&format!("it leads to {origin}")), "{error}");
    assert!(error.contains(&format!("allow={origin}")), "{error}");
}

#[test]
fn other_origins_are_visited_if_they_may_be() {
    let (_other, origin) = another_origin();
    let app = app(&origin);
    let mut visit = Visit::at(&app.origin(), &format!("allow={origin}"));
    for id in ALL {
        visit.again(1).click(id);
        assert_eq!(visit.text("elsewhere"), "Elsewhere", "{id}");
        visit.click("on");
        assert_eq!(visit.text("further"), "Further", "{id}");
        visit.does(&Event::ClickBack).does(&Event::ClickBack).click("said-something");
        assert_eq!(visit.said(), "still here", "{id}");
    }
}

const WINDOWS: &str = r#"
<a id="tab" href="/other" target="_blank">New tab</a>
<button id="popup" onclick="opened = window.open('/other', 'popup', 'width=200,height=200'); say(opened ? 'opened' : 'refused')">Popup</button>
<button id="blank" onclick="const made = window.open(''); made.document.body.innerHTML = '<button id=made onclick=window.close()>Made</button>'">Blank</button>
<button id="close" onclick="window.close(); say('closing')">Close</button>
<button id="here" onclick="say('here')">Here</button>
<script>addEventListener('message', event => say('heard ' + event.data))</script>"#;

const OTHER: &str = r#"
<button id="shut" onclick="window.close()">Shut</button>
<button id="tell" onclick="opener.postMessage('hello', '*')">Tell</button>
<button id="third" onclick="window.open('/third')">Third</button>"#;

const PAGES: [(&str, &str); 3] = [
    ("/", WINDOWS),
    ("/other", OTHER),
    ("/third", "<button id='last' onclick='window.close()'>Last</button>"),
];

#[test]
fn windows_that_the_app_opens_are_followed() {
    let mut visit = Visit::among(&PAGES, "");
    // Until they are closed, by themselves or by going back.
    visit.click("tab");
    assert_eq!(visit.path(), "other");
    visit.click("shut");
    assert_eq!(visit.path(), "");
    visit.click("tab").does(&Event::ClickBack).click("here");
    assert_eq!(visit.said(), "here");
    visit.click("popup").click("tell").click("third");
    assert_eq!(visit.path(), "third");
    visit.click("last").click("shut").click("here");
    assert_eq!(visit.said(), "opened, heard hello, here");
    visit.click("blank").click("made").click("here");
    assert_eq!(visit.said(), "here");
    // A reset closes all of them.
    visit.click("popup").click("third").again(2).click("here");
    assert_eq!((visit.said().as_str(), visit.path()), ("here", ""));
}

#[test]
fn windows_that_the_app_opens_are_closed_if_nobody_wants_them() {
    let mut visit = Visit::among(&PAGES, "popups=close");
    for id in ["tab", "popup", "popup", "here"] {
        visit.click(id);
        assert_eq!(visit.path(), "", "{id}");
    }
    assert!(visit.said().ends_with("here"));
    let journal = visit.journal();
    assert!(journal.contains("a new window"), "{journal}");
}

#[test]
fn an_app_that_closes_its_own_window_is_gone() {
    let mut visit = Visit::among(&PAGES, "");
    // Browsers let a window close itself if it has shown no page before this one. As far as the app
    // can tell it has not, in a new tab as in one that was used before.
    for resets in [0, 1, 2, 1] {
        for seed in 0..resets {
            visit.again(seed).click("here");
            assert_eq!(visit.said(), "here");
        }
        visit.tries(&Event::Click(Target::id("close")));
        assert_eq!(visit.crash(), "the app closed its own window", "after {resets} resets");
    }
}

const FILES: &str = r#"
<a id="link" href="/file">Server</a>
<a id="data" href="data:text/plain,hello" download="hello.txt">Data</a>
<button id="blob" onclick="const link = document.createElement('a'); link.href = window.URL.createObjectURL(new Blob(['from a blob'])); link.download = 'blob.txt'; link.click()">Blob</button>
<button id="here" onclick="say('here')">Here</button>"#;

#[test]
fn downloads_go_where_they_are_wanted() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("taken");
    let mut visit = Visit::to(FILES, &format!("downloads={}", place.display()));
    visit.click("link").click("data").click("blob").click("here");
    assert_eq!((visit.said().as_str(), visit.path()), ("here", ""));
    let journal = visit.journal();
    for (name, content) in
        [("notes.txt", "some notes"), ("hello.txt", "hello"), ("blob.txt", "from a blob")]
    {
        assert!(journal.contains(&format!("download {name}")), "{journal}");
        let file = std::fs::read_to_string(place.join(name)).unwrap_or_else(|error| {
            panic!("{name}: {error}; {:?}", std::fs::read_dir(&place).map(Iterator::count))
        });
        assert_eq!(file, content);
    }
}

#[test]
fn downloads_are_refused_if_nobody_wants_them() {
    let mut visit = Visit::to(FILES, "");
    visit.click("link").click("data").click("blob").click("here");
    assert_eq!((visit.said().as_str(), visit.path()), ("here", ""));
}

const OTHER_PROGRAMS: &str = r#"
<button id="print" onclick="print(); say('printed')">Print</button>
<a id="mail" href="mailto:nobody@example.com">Mail</a>
<a id="phone" href="tel:123">Phone</a>
<a id="strange" href="strange-scheme:x">Strange</a>
<button id="full" onclick="document.documentElement.requestFullscreen().then(() => say('full'), error => say('not full'))">Full</button>
<button id="less" onclick="document.exitFullscreen().then(() => say('less'), () => say('not full'))">Less</button>
<button id="notify" onclick="Notification.requestPermission().then(say)">Notify</button>
<button id="camera" onclick="navigator.mediaDevices.getUserMedia({ video: true }).then(() => say('seen'), error => say('not seen'))">Camera</button>
<button id="copy" onclick="navigator.clipboard.writeText('x').then(() => say('copied'), error => say('not copied'))">Copy</button>
<button id="pick" onclick="$('file').click(); say('picking')">Pick</button><input type="file" id="file" aria-label="File">
<button id="settings" onclick="location.href = 'chrome://settings'">Settings</button>
<button id="crash" onclick="location.href = 'chrome://crash'">Crash</button>
<button id="about" onclick="location.href = 'about:blank'">About</button>
<button id="data" onclick="location.href = 'data:text/html,gone'">Data</button>
<button id="files" onclick="location.href = 'file:///etc/passwd'">Files</button>
<button id="share" onclick="navigator.share ? navigator.share({ text: 'x' }).then(() => say('shared'), () => say('not shared')) : say('not shared')">Share</button>
<button id="back" onclick="history.back(); say('back')">Back</button>
<button id="ahead" onclick="history.forward(); say('ahead')">Ahead</button>
<button id="here" onclick="say('here')">Here</button>"#;

#[test]
fn other_programs_do_not_stop_it() {
    let mut visit = Visit::to(OTHER_PROGRAMS, "");
    let expected = [
        ("print", "printed"),
        ("mail", ""),
        ("phone", ""),
        ("strange", ""),
        ("full", "full"),
        ("less", "less"),
        ("settings", ""),
        ("crash", ""),
        ("data", ""),
        ("files", ""),
        ("back", "back"),
        ("ahead", "ahead"),
    ];
    for (id, said) in expected {
        visit.click(id);
        assert_eq!(visit.said(), said, "{id}");
        assert_eq!(visit.seen.unsettled, None, "{id}");
        visit.click("here");
        assert_eq!(visit.said(), "here", "{id}");
    }
    // Whether these are granted, and when, is the browser's business; nobody waits for it.
    for id in ["notify", "camera", "copy", "pick", "share"] {
        visit.click(id).click("here");
        assert!(visit.said().contains("here"), "{id}");
    }
}

#[test]
fn back_leads_through_the_app_and_not_out_of_it() {
    let pages = [
        (
            "/",
            r#"<a id="next" href="/next">Next</a><button id="push" onclick="history.pushState(1, '', '#pushed')">Push</button>
               <p id="kept"></p><script>$('kept').textContent = localStorage.kept ??= 'kept'; on(window, 'popstate', () => say('popped'));</script>"#,
        ),
        ("/next", r#"<p id="there">There</p>"#),
    ];
    let mut visit = Visit::among(&pages, "");
    visit.click("push");
    assert_eq!(visit.path(), "#pushed");
    visit.click("next").does(&Event::ClickBack);
    assert_eq!(visit.path(), "#pushed");
    visit.does(&Event::ClickBack);
    assert_eq!(visit.path(), "");
    // Out of the app is into it again, with all that it has kept.
    visit.does(&Event::ClickBack).does(&Event::ClickBack);
    assert_eq!((visit.path(), visit.text("kept")), ("", "kept"));
}
