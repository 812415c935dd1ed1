//! A small server of pages that stand in the tests, with a few addresses that behave as real
//! servers do on bad days. On its own because the driver's own server has only good days.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

/// What stands on every page: `say` adds a line to a list, where the test reads it.
const FRAME: &str = r#"<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>A page</title>
<style>#said { position: fixed; right: 0; top: 0; width: 300px; pointer-events: none; margin: 0 }</style></head><body>
<ol id="said"></ol>
<script>
const $ = id => document.getElementById(id);
window.say = text => {
  const line = document.createElement('li');
  line.className = 'line';
  line.textContent = text;
  $('said').append(line);
};
const on = (id, types, then) => types.split(' ').forEach(type => (typeof id === 'string' ? $(id) : id).addEventListener(type, then));
const ran = event => say(event.type + (event.isTrusted ? '' : ' by a script'));
</script>
"#;

type Pages = BTreeMap<String, String>;

/// What a server has.
#[derive(Debug, Default)]
struct Served {
    pages: Mutex<Pages>,
    /// How often something happened that polls wait for.
    news: Mutex<u64>,
    happened: Condvar,
}

/// Pages by their paths, served until the tests end.
#[derive(Debug)]
pub(crate) struct Site {
    address: SocketAddr,
    served: Arc<Served>,
}

impl Site {
    /// Serves these: paths and what is in the body of the page there; a script if the path says so.
    pub(crate) fn new(pages: &[(&str, &str)]) -> Self {
        let page = |(path, body): &(&str, &str)| ((*path).to_owned(), (*body).to_owned());
        let pages = Mutex::new(pages.iter().map(page).collect());
        let served = Arc::new(Served { pages, ..Served::default() });
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::clone(&served);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let served = Arc::clone(&shared);
                // A browser that goes away in the middle is nothing to tell.
                std::thread::spawn(move || _ = converse(&stream, &served));
            }
        });
        Site { address, served }
    }

    /// Another body for a page, from the next time on that it is asked for.
    pub(crate) fn change(&self, path: &str, body: &str) {
        self.served.pages.lock().unwrap().insert(path.to_owned(), body.to_owned());
    }

    /// Its origin, `http://127.0.0.1:PORT`.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }
}

fn converse(mut stream: &TcpStream, served: &Served) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut request = String::new();
        if reader.read_line(&mut request)? == 0 {
            return Ok(());
        }
        let mut length = 0;
        let mut head = String::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
                break;
            }
            head.push_str(&line.replace("\r\n", "|"));
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        std::io::copy(&mut Read::take(&mut reader, length), &mut std::io::sink())?;
        let target = request.split(' ').nth(1).unwrap_or("/");
        // Who speaks to a proxy names the host as well.
        let target = target.strip_prefix("http://app.test").unwrap_or(target);
        let key = head.split('|').find_map(|line| line.strip_prefix("Sec-WebSocket-Key: "));
        if let Some(key) = key {
            return talk(stream, target, key);
        }
        if let Some(every) = target.strip_prefix("/stream") {
            return beat(stream, every.strip_prefix('?').and_then(|it| it.parse().ok()));
        }
        stream.write_all(&answer(target, &head, served))?;
    }
}

/// A socket that answers with `LATE: what it was sent`, that many milliseconds later, on
/// `/socket?LATE`; on `/chatter` it talks for ever, whatever it is sent.
fn talk(mut stream: &TcpStream, target: &str, key: &str) -> std::io::Result<()> {
    let accepted = derive_accept_key(key.as_bytes());
    let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade";
    stream.write_all(format!("{head}\r\nSec-WebSocket-Accept: {accepted}\r\n\r\n").as_bytes())?;
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, None);
    let late = target.split_once('?').map_or("", |(_, late)| late);
    loop {
        let answer = if target == "/chatter" {
            take(10);
            "tick".to_owned()
        } else {
            let Ok(Message::Text(text)) = socket.read() else { return Ok(()) };
            take(late.parse().unwrap_or(0));
            format!("{late}: {text}")
        };
        if socket.send(Message::text(answer)).is_err() {
            return Ok(());
        }
    }
}

/// A stream of events without end, one in so many milliseconds.
fn beat(mut stream: &TcpStream, every: Option<u64>) -> std::io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")?;
    loop {
        stream.write_all(b"data: beat\n\n")?;
        take(every.unwrap_or(10));
    }
}

/// Takes so many milliseconds of everybody's time: servers do.
fn take(millis: u64) {
    let (_nobody, never) = channel::<()>();
    let _ = never.recv_timeout(Duration::from_millis(millis));
}

fn answer(target: &str, head: &str, served: &Served) -> Vec<u8> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (status, kind, body) = match path {
        "/late" => {
            take(query.parse().unwrap_or(0));
            ("200 OK", "text/plain", "late".to_owned())
        }
        // A long poll: it is answered when something happens, and nothing does.
        "/poll" => {
            take(60_000);
            ("200 OK", "text/plain", "nothing".to_owned())
        }
        // Another one, which is answered when something has happened more often than it knows of.
        "/news" => {
            let known = query.parse().unwrap_or(0);
            let news = served.news.lock().unwrap();
            let news = served.happened.wait_while(news, |news| *news <= known).unwrap();
            ("200 OK", "text/plain", news.to_string())
        }
        // Something happens, so many milliseconds later.
        "/happen" => {
            take(query.parse().unwrap_or(0));
            *served.news.lock().unwrap() += 1;
            served.happened.notify_all();
            ("200 OK", "text/plain", "it did".to_owned())
        }
        "/file" => (
            "200 OK\r\nContent-Disposition: attachment; filename=\"notes.txt\"",
            "application/octet-stream",
            "some notes".to_owned(),
        ),
        // What it was asked with, for everybody.
        "/head" => ("200 OK\r\nAccess-Control-Allow-Origin: *", "text/plain", head.to_owned()),
        "/500" => ("500 Broken", "text/plain", "broken".to_owned()),
        _ => match served.pages.lock().unwrap().get(path).cloned() {
            // A page that is elsewhere: what stands for its body is the rest of the head.
            Some(head) if head.starts_with("\r\n") => {
                let response = format!("HTTP/1.1 302 Found{head}\r\nContent-Length: 0\r\n\r\n");
                return response.into_bytes();
            }
            Some(body) if path.ends_with(".js") => ("200 OK", "text/javascript", body),
            Some(body) => {
                take(if path == "/slow" { 250 } else { 0 });
                ("200 OK", "text/html", format!("{FRAME}{body}"))
            }
            None => ("404 Not Found", "text/plain", "there is no such page".to_owned()),
        },
    };
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {length}\r\nCache-Control: no-cache\r\n\r\n{body}")
        .into_bytes()
}
