//! Requests to other origins: none leaves the browser unless it is allowed, by whatever way, and
//! each is told.

use crate::site::Site;
use crate::visit::Visit;
use capuchin_ui::{Event, Target};
use std::net::{TcpListener, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Every way of a page to another origin that is no navigation: its name and a script. `OTHER` is
/// the other origin, `SOCKET` the same for sockets, `PLACE` its host and port.
const WAYS: &[(&str, &str)] = &[
    ("fetch", "fetch('OTHER/a').catch(() => say('refused'))"),
    (
        "post",
        "fetch('OTHER/a', { method: 'POST', mode: 'no-cors', body: 'secret' }).catch(() => say('refused'))",
    ),
    (
        "keepalive",
        "fetch('OTHER/a', { keepalive: true, mode: 'no-cors' }).catch(() => say('refused'))",
    ),
    (
        "xhr",
        "const ask = new XMLHttpRequest(); ask.onerror = () => say('refused'); ask.open('GET', 'OTHER/a'); ask.send()",
    ),
    (
        "sync",
        "const ask = new XMLHttpRequest(); ask.open('GET', 'OTHER/a', false); try { ask.send() } catch { say('refused') }",
    ),
    ("beacon", "navigator.sendBeacon('OTHER/a', 'secret')"),
    ("image", "new Image().src = 'OTHER/a.png'"),
    (
        "script",
        "document.head.append(Object.assign(document.createElement('script'), { src: 'OTHER/a.js' }))",
    ),
    ("module", "import('OTHER/a.js').catch(() => say('refused'))"),
    (
        "style",
        "document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'OTHER/a.css' }))",
    ),
    (
        "import",
        "document.head.append(Object.assign(document.createElement('style'), { textContent: '@import url(OTHER/a.css)' }))",
    ),
    ("font", "new FontFace('x', 'url(OTHER/a.woff)').load().catch(() => say('refused'))"),
    (
        "frame",
        "document.body.append(Object.assign(document.createElement('iframe'), { src: 'OTHER/a', title: 'x' }))",
    ),
    (
        "object",
        "document.body.append(Object.assign(document.createElement('object'), { data: 'OTHER/a' }))",
    ),
    (
        "video",
        "document.body.append(Object.assign(document.createElement('video'), { src: 'OTHER/a.mp4' }))",
    ),
    (
        "prefetch",
        "document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: 'OTHER/a' }))",
    ),
    (
        "preload",
        "document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'image', href: 'OTHER/a.png' }))",
    ),
    (
        "manifest",
        "document.head.append(Object.assign(document.createElement('link'), { rel: 'manifest', href: 'OTHER/a' }))",
    ),
    (
        "preconnect",
        "document.head.append(Object.assign(document.createElement('link'), { rel: 'preconnect', href: 'OTHER/a' }))",
    ),
    (
        "speculation",
        "document.head.append(Object.assign(document.createElement('script'), { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ urls: ['OTHER/a'], eagerness: 'immediate' }], prerender: [{ urls: ['OTHER/b'], eagerness: 'immediate' }] }) }))",
    ),
    ("events", "new EventSource('OTHER/a').onerror = event => event.target.close()"),
    ("socket", "new WebSocket('SOCKET/a').onerror = () => say('refused')"),
    (
        "worker",
        "new Worker(window.URL.createObjectURL(new Blob([`fetch('OTHER/a').catch(() => postMessage('refused'))`]))).onmessage = event => say(event.data)",
    ),
    (
        "worker-socket",
        "new Worker(window.URL.createObjectURL(new Blob([`new WebSocket('SOCKET/a').onerror = () => postMessage('refused')`]))).onmessage = event => say(event.data)",
    ),
    (
        "service-worker",
        "navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready).then(() => say('registered'), say)",
    ),
    ("redirect", "fetch('/moved').catch(() => say('refused'))"),
    (
        "ping",
        "const link = Object.assign(document.createElement('a'), { href: '#x', ping: 'OTHER/a' }); document.body.append(link); link.click()",
    ),
    (
        "hidden-form",
        "document.body.insertAdjacentHTML('beforeend', '<iframe name=f></iframe><form id=g target=f method=post action=OTHER/a><input name=a value=secret></form>'); document.getElementById('g').submit()",
    ),
];

/// Ways past every proxy. Nothing is told of the second: a page asks a server there only to learn
/// its own address.
const PAST_PROXIES: &[(&str, &str)] = &[
    (
        "transport",
        "const way = new WebTransport('https://PLACE/a'); way.ready.catch(() => say('refused')); way.closed.catch(() => {})",
    ),
    (
        "rtc",
        "const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:PLACE' }, { urls: 'turn:PLACE?transport=tcp', username: 'a', credential: 'b' }] }); peer.createDataChannel('x'); peer.createOffer().then(offer => peer.setLocalDescription(offer)); peer.onicegatheringstatechange = () => say(peer.iceGatheringState)",
    ),
];

/// Somebody else's port, which counts who comes.
struct Witness {
    origin: String,
    visits: Arc<AtomicUsize>,
}

impl Witness {
    fn new() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let datagrams = UdpSocket::bind(address).unwrap();
        let visits = Arc::new(AtomicUsize::new(0));
        let (by_stream, by_datagram) = (Arc::clone(&visits), Arc::clone(&visits));
        std::thread::spawn(move || {
            for _ in listener.incoming() {
                by_stream.fetch_add(1, Ordering::SeqCst);
            }
        });
        std::thread::spawn(move || {
            while datagrams.recv(&mut [0; 2000]).is_ok() {
                by_datagram.fetch_add(1, Ordering::SeqCst);
            }
        });
        Witness { origin: format!("http://{address}"), visits }
    }

    fn filled_in(&self, text: &str) -> String {
        let place = self.origin.replace("http://", "");
        let text = text.replace("OTHER", &self.origin).replace("PLACE", &place);
        text.replace("SOCKET", &format!("ws://{place}"))
    }

    fn page(&self, ways: &[(&str, &str)]) -> Site {
        let button = |(id, script): &(&str, &str)| {
            format!(
                "<button id=\"{id}\">{id}</button><script>on('{id}', 'click', () => {{ {script} }})</script>"
            )
        };
        let body: String = ways.iter().map(button).collect();
        let moved = format!("\r\nLocation: {}/a", self.origin);
        let service = "addEventListener('install', event => event.waitUntil(fetch('OTHER/a', { mode: 'no-cors' }).catch(() => {})))";
        let here = "<button id='here' onclick=\"say('here')\">Here</button>";
        Site::new(&[
            ("/", &self.filled_in(&format!("{here}{body}"))),
            ("/moved", &moved),
            ("/service.js", &self.filled_in(service)),
        ])
    }
}

#[test]
fn nothing_reaches_another_origin_and_all_is_told() {
    for options in ["", "browser=chromium", "time=real crash=console,requests"] {
        let witness = Witness::new();
        let site = witness.page(WAYS);
        let mut visit = Visit::at(&site.origin(), options);
        let place = witness.origin.replace("http://", "");
        let mut untold = Vec::new();
        for (id, _) in WAYS {
            visit.again(1).click(id);
            let mut told = visit.seen.lacked.clone();
            // Nobody waits for a beacon and its like: those may be told with the next event.
            told.extend(visit.does(&Event::Sleep(300)).seen.lacked.clone());
            visit.click("here");
            told.extend(visit.seen.lacked.clone());
            match told.iter().find(|lack| lack.what.contains(&place)) {
                Some(lack) => assert!(lack.reason.contains(&format!("allow={}", lack.what))),
                None => untold.push(*id),
            }
            let visits = witness.visits.load(Ordering::SeqCst);
            assert_eq!(visits, 0, "{id} with {options:?}");
        }
        // These ask for nothing by themselves in a browser without windows.
        assert_eq!(untold, ["manifest", "preconnect"], "{options:?}");
    }
}

#[test]
fn nothing_goes_past_the_proxy() {
    for options in ["", "browser=chromium"] {
        let witness = Witness::new();
        let site = witness.page(PAST_PROXIES);
        let mut visit = Visit::at(&site.origin(), options);
        for (id, _) in PAST_PROXIES {
            visit.click(id);
            let place = witness.origin.replace("http://", "https://");
            let is_told = visit.seen.lacked.iter().any(|lack| *lack.what == place);
            assert!(is_told || *id != "transport", "{:?}", visit.seen.lacked);
            visit.does(&Event::Sleep(2000));
            assert_eq!(witness.visits.load(Ordering::SeqCst), 0, "{id} with {options:?}");
        }
    }
}

#[test]
fn what_is_allowed_is_reached() {
    let other = Site::new(&[("/a.js", "say('loaded')")]);
    let page = format!(
        "<button id='load' onclick=\"import('{0}/a.js')\">Load</button>
         <button id='head' onclick=\"fetch('{0}/head').then(it => it.text()).then(text => say(text.includes('X-Secret') ? 'told' : 'not told'))\">Head</button>
         <iframe src='{0}/head' title='x'></iframe>",
        other.origin()
    );
    let place = other.origin().replace("http://", "");
    for allow in [other.origin(), place, "127.0.0.1".to_owned(), "*".to_owned()] {
        let mut visit = Visit::to(&page, &format!("allow={allow} header=X-Secret:1"));
        assert_eq!(visit.seen.lacked, [], "{allow}");
        visit.click("head");
        // A module of another origin takes its leave; a secret is for the app's own server.
        assert_eq!((visit.said().as_str(), visit.seen.lacked.len()), ("not told", 0), "{allow}");
    }
}

/// Whoever allows an origin and mistypes it would else wonder why the app does nothing.
#[test]
fn what_is_allowed_and_cannot_be_reached_is_told() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let nobody = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let page =
        format!("<button id='ask' onclick=\"fetch('{nobody}/a').catch(() => {{}})\">Ask</button>");
    for options in ["", "allow=*"] {
        let mut visit = Visit::to(&page, &format!("allow={nobody} {options}"));
        visit.click("ask");
        let told: Vec<_> = visit.seen.lacked.iter().map(|lack| lack.what.as_str()).collect();
        assert_eq!(told, [nobody.as_str()], "{options}");
        assert!(visit.seen.lacked[0].reason.contains("cannot be reached"));
    }
}

/// A page that dies of what it did not get is the app's, and it is said what it did not get.
#[test]
fn a_crash_says_what_was_blocked() {
    let witness = Witness::new();
    let script = "const lib = document.createElement('script'); lib.src = 'OTHER/lib.js'; lib.onerror = () => library.start(); document.head.append(lib)";
    let site = witness.page(&[("load", script)]);
    let mut visit = Visit::at(&site.origin(), "");
    visit.tries(&Event::Click(Target::id("load")));
    assert_eq!(visit.crash(), "ReferenceError: library is not defined");
    let report = &visit.seen.crash.as_ref().unwrap().report;
    assert!(report.contains(&format!("blocked: {}", witness.origin)), "{report}");
    assert_eq!(visit.seen.lacked.len(), 1, "{:?}", visit.seen.lacked);
}
