//! The server of an app under test: the sample pages, or a page of the test's own. It tells the
//! test of every page that is asked for, so that something can happen exactly then.

use crate::capuchin::root;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What becomes of a request.
pub(crate) enum Answer {
    /// The file, if there is one.
    File,
    /// The port is closed, before an answer is given.
    Gone,
    /// The connection is closed, without an answer.
    Nothing,
    /// This status, and no more.
    Status(&'static str),
    /// Nothing, for as long as somebody waits for it.
    Silence,
    /// A page that goes on for as long as somebody reads it.
    Endless,
    /// This, with these headers.
    Text(&'static str, String),
}

/// A server, until it is closed or the test ends.
pub(crate) struct App {
    address: SocketAddr,
}

impl App {
    /// The sample pages.
    pub(crate) fn plain() -> Self {
        App::start(|_| Answer::File)
    }

    /// The same; `on_page` hears of every page before it is answered, and how many there have been.
    pub(crate) fn start(on_page: impl Fn(u32) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let on_page = Arc::new(on_page);
        let (closed, pages) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if closed.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (closed, pages, on_page) =
                    (Arc::clone(&closed), Arc::clone(&pages), Arc::clone(&on_page));
                std::thread::spawn(move || {
                    let Some(path) = asked(&stream) else { return };
                    let is_page = !path.contains('.') || path.ends_with(".html");
                    let answer = match is_page {
                        true => on_page(pages.fetch_add(1, Ordering::SeqCst) + 1),
                        false => Answer::File,
                    };
                    if matches!(answer, Answer::Gone) {
                        closed.store(true, Ordering::SeqCst);
                        // Wakes the listener, which sees that it is over.
                        let _ = TcpStream::connect(address);
                        return;
                    }
                    // Whoever asked may have gone.
                    let _ = match answer {
                        Answer::Silence => (&stream).read(&mut [0]).map(|_| ()),
                        Answer::Nothing => Ok(()),
                        Answer::Endless => endless(&stream),
                        answer => (&stream).write_all(&response(answer, &path)),
                    };
                });
            }
        });
        App { address }
    }

    /// The address of a page.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("web:http://{}/{path}", self.address)
    }
}

fn asked(stream: &TcpStream) -> Option<String> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next()?.ok()?;
    while !lines.next()?.ok()?.is_empty() {}
    let path = request.split(' ').nth(1)?;
    Some(path.split('?').next()?.trim_start_matches('/').to_owned())
}

fn endless(mut stream: &TcpStream) -> std::io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n")?;
    loop {
        stream.write_all("<p>more</p>".repeat(1000).as_bytes())?;
        std::thread::park_timeout(std::time::Duration::from_millis(20));
    }
}

fn response(answer: Answer, path: &str) -> Vec<u8> {
    let kind = match path.rsplit('.').next() {
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("json") => "application/json",
        _ => "text/html",
    };
    let (status, headers, body) = match answer {
        Answer::Status(status) => (status, "Content-Type: text/html".to_owned(), Vec::new()),
        Answer::Text(headers, body) => ("200 OK", headers.to_owned(), body.into_bytes()),
        _ => match std::fs::read(root().join("testing/apps/web").join(path)) {
            Ok(body) => ("200 OK", format!("Content-Type: {kind}"), body),
            Err(_) => ("404 Not Found", "Content-Type: text/html".to_owned(), b"<p>no".to_vec()),
        },
    };
    let length = body.len();
    let mut response = format!(
        "HTTP/1.1 {status}\r\n{headers}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )
    .into_bytes();
    response.extend_from_slice(&body);
    response
}
