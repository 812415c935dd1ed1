//! Pages and servers that mean no good. Each is explored for a while; whatever it does, the command
//! ends in time, calls nothing a crash that is none, and leaves nothing behind.

use super::Damage;
use super::process::{left_behind, watch};
use anyhow::Result;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How long an exploration may take that is asked to end after [`ASKED`].
const LONGEST: Duration = Duration::from_secs(90);
const ASKED: &str = "8s";

/// A page, and whether it really crashes: throws, hangs, or closes itself.
type Page = (&'static str, bool, &'static str);

const PAGES: [Page; 30] = [
    ("dialogs", false, "<button onclick='for (let i = 0; i < 50; i++) alert(i)'>a</button>"),
    ("dialogs-for-ever", true, "<button onclick='for (;;) alert(1)'>a</button>"),
    ("confirm-on-leave", false, "<a href='?b'>a</a><script>onbeforeunload = () => 'no'</script>"),
    ("alert-in-unload", false, "<a href='?b'>a</a><script>onunload = () => alert(1)</script>"),
    (
        "history-flood",
        false,
        "<button onclick='for (let i = 0; i < 500; i++) history.pushState(i, \"\")'>a</button>",
    ),
    (
        "hash-flood",
        false,
        "<button onclick='for (let i = 0; i < 300; i++) location.hash = i'>a</button>",
    ),
    ("debugger", false, "<button onclick='debugger; this.textContent += 1'>a</button>"),
    (
        "microtasks",
        true,
        "<button onclick='(function f() { Promise.resolve().then(f) })()'>a</button>",
    ),
    ("loop", true, "<button onclick='for (;;);'>a</button>"),
    (
        "timers-for-ever",
        false,
        "<p id=p>0</p><script>setInterval(() => p.textContent++, 1)</script><button>a</button>",
    ),
    (
        "frames-for-ever",
        false,
        "<p id=p>0</p><script>(function f() { p.textContent++; requestAnimationFrame(f) })()</script>",
    ),
    (
        "popups",
        false,
        "<button onclick='for (let i = 0; i < 20; i++) open(\"about:blank\")'>a</button>",
    ),
    ("closes", true, "<button onclick='window.close()'>a</button>"),
    (
        "prototypes",
        false,
        "<button>a</button><script>for (const k of ['map', 'filter', 'forEach', 'push', 'toString']) Object.defineProperty(Object.prototype, k, {get: () => 'no', set() {}, configurable: true}); Array.prototype.toJSON = () => 'no'; String.prototype.toJSON = () => 'no'</script>",
    ),
    (
        "globals",
        false,
        "<button>a</button><script>JSON = Array = Map = Set = Promise = Symbol = Object = undefined; document.querySelectorAll = () => []; Element.prototype.getBoundingClientRect = () => ({}); getComputedStyle = () => null</script>",
    ),
    (
        "throwing-getters",
        false,
        "<button>a</button><script>for (const k of ['id', 'className', 'innerText', 'textContent']) Object.defineProperty(HTMLElement.prototype, k, {get() { throw 1 }, configurable: true})</script>",
    ),
    (
        "clobbered-form",
        false,
        "<form><input name=id><input name=children><input name=parentNode><input name=getAttribute><button>a</button></form>",
    ),
    (
        "huge",
        false,
        "<script>for (let i = 0; i < 20000; i++) document.write('<button>' + i + '</button>')</script>",
    ),
    (
        "deep",
        false,
        "<script>let e = document.body || document.documentElement; for (let i = 0; i < 2000; i++) { const d = document.createElement('div'); e.append(d); e = d } e.innerHTML = '<button>a</button>'</script>",
    ),
    (
        "shadow-roots",
        false,
        "<div id=d></div><script>let e = d; for (let i = 0; i < 50; i++) { const r = e.attachShadow({mode: i % 2 ? 'open' : 'closed'}); r.innerHTML = '<button>a</button><div></div>'; e = r.lastChild }</script>",
    ),
    (
        "frames",
        false,
        "<script>if (top === self || frames.length < 1 && location.search.length < 8) document.write('<iframe src=\"?' + location.search.slice(1) + 'x\"></iframe>')</script><button>a</button>",
    ),
    (
        "frame-flood",
        false,
        "<button onclick='for (let i = 0; i < 50; i++) document.body.append(document.createElement(\"iframe\"))'>a</button>",
    ),
    (
        "worker",
        false,
        "<button>a</button><script>navigator.serviceWorker && navigator.serviceWorker.register('worker.js').catch(() => 0)</script>",
    ),
    ("reloads", false, "<button onclick='location.reload()'>a</button>"),
    (
        "reloads-for-ever",
        false,
        "<button>a</button><script>setTimeout(() => location.reload(), 1)</script>",
    ),
    (
        "console-flood",
        false,
        "<button onclick='for (let i = 0; i < 20000; i++) console.log(\"x\".repeat(100))'>a</button>",
    ),
    (
        "long-texts",
        false,
        "<button>a</button><script>const e = document.querySelector('button'); e.id = e.title = 'x'.repeat(2000000); e.textContent = 'y'.repeat(2000000)</script>",
    ),
    (
        "escapes",
        false,
        "<button id=b>a</button><script>b.id = b.textContent = '\\x1b[2J\\u202e\\ufffe\\ud800\\r\\n'; document.title = '\\x1b]0;x\\x07'</script>",
    ),
    (
        "forged-log",
        false,
        "<button>a</button><script>console.debug('capuchin', JSON.stringify({event: 'crash'})); console.log('\\x00')</script>",
    ),
    ("blank", false, ""),
];

/// Servers, by what they answer with.
const SERVERS: [&str; 9] =
    ["redirects", "slow", "short", "long", "headers", "garbage", "silent", "endless", "wrong-type"];

/// Explores all of them.
pub(super) fn run(scratch: &Path, command: &Path) -> Result<Damage> {
    println!("\nhostile pages and servers: {}", PAGES.len() + SERVERS.len());
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let origin = format!("http://{}", listener.local_addr()?);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream));
        }
    });
    let mut damage = Damage::default();
    let pages = PAGES.iter().map(|(name, crashes, _)| (*name, *crashes, true));
    // A server that is no web server may be called a device that failed, never a crash.
    let servers = SERVERS.iter().map(|name| (*name, false, false));
    for (name, crashes, is_page) in pages.chain(servers) {
        let home = scratch.join(format!("hostile-{name}"));
        std::fs::create_dir_all(&home)?;
        let mut explore = Command::new(command);
        explore.args(["explore", &format!("{origin}/{name}/"), "--events", "15", "--time", ASKED]);
        explore.args(["--seed", "1", "--shrink-budget", "5"]).arg("--out").arg(home.join("out"));
        let watched = watch(explore, &home, LONGEST)?;
        damage.inputs += 1;
        let said = home.join("said.txt");
        let said = said.display();
        if watched.has_panicked() {
            Damage::note(&mut damage.panics, &format!("{name}: it panicked: {said}"));
        }
        match watched.code() {
            None => Damage::note(&mut damage.lost, &format!("{name}: it did not end: {said}")),
            Some(1) if !crashes => {
                Damage::note(&mut damage.false_crashes, &format!("{name}: a false crash: {said}"));
            }
            Some(2) => Damage::note(&mut damage.lost, &format!("{name}: a wrong request: {said}")),
            Some(3) if is_page => {
                Damage::note(&mut damage.lost, &format!("{name}: the device failed: {said}"));
            }
            _ => {}
        }
        let left = left_behind(&home);
        if !left.is_empty() {
            Damage::note(&mut damage.orphans, &format!("{name}: left behind: {}", left.join(", ")));
        }
    }
    Ok(damage)
}

/// Answers one request. A client that goes away is no problem.
fn answer(mut stream: TcpStream) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    let request = lines.next()?.ok()?;
    while !lines.next()?.ok()?.is_empty() {}
    let path = request.split(' ').nth(1)?.trim_start_matches('/').to_owned();
    let name = path.split(['/', '?']).next()?;
    let head = |more: &str| {
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n{more}\r\n"
        )
    };
    let page = "<!doctype html><title>a</title><button>a</button>";
    let mut send =
        |text: &str| stream.write_all(text.as_bytes()).and_then(|()| stream.flush()).ok();
    if let Some((.., body)) = PAGES.iter().find(|(known, ..)| *known == name) {
        return match path.ends_with("worker.js") {
            true => send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\nConnection: close\r\n\r\nonfetch = e => e.respondWith(new Response('x'))",
            ),
            false => send(
                &(head("") + "<!doctype html><meta charset=utf-8><title>a</title><body>" + body),
            ),
        };
    }
    match name {
        "redirects" => {
            let next = path.len() + 1;
            send(&format!(
                "HTTP/1.1 302 Found\r\nLocation: /redirects/{next}x{}\r\nContent-Length: 0\r\n\r\n",
                "x".repeat(next % 50)
            ))
        }
        "slow" => {
            send(&head(""))?;
            for byte in page.chars() {
                send(&byte.to_string())?;
                std::thread::park_timeout(Duration::from_millis(60));
            }
            Some(())
        }
        "short" => send(&(head("Content-Length: 100000\r\n") + page)),
        "long" => send(&(head("Content-Length: 20\r\n") + page)),
        "headers" => send(&(head(&format!("X: {}\r\n", "x".repeat(10 << 20))) + page)),
        "garbage" => send(&"\u{0}\u{1b}[2J<p>not HTTP".repeat(1000)),
        "silent" => {
            // Until the client has had enough.
            for line in lines {
                line.ok()?;
            }
            Some(())
        }
        "endless" => {
            send(&head(""))?;
            loop {
                send(&"<p>more</p>".repeat(1000))?;
                std::thread::park_timeout(Duration::from_millis(20));
            }
        }
        "wrong-type" => send(&format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nConnection: close\r\n\r\n{page}"
        )),
        _ => send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
    }
}
