//! Serves a directory, for apps that are files: a page that is opened from a file has no origin,
//! and much of the web does not work without one.
//!
//! Every page and every program on the machine can connect to it. It answers those who know its
//! address by the name of this machine (a page that had its own name resolved to us does not), and
//! gives them files of the directory: no hidden ones, and none that a link leads to outside of it.

use crate::request_head::{self, NoHead, RequestHead};
use crate::served_root;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// For how long a browser may keep a part of a page: longer than a run.
const CACHE_CONTROL: &str = "max-age=86400";
/// The most connections at a time; more are closed at once.
const MOST_CONNECTIONS: usize = 256;
/// How long an answer may wait to be taken. A page that is paused takes nothing.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);
/// How much of a body is read before it is said that nobody wants it.
const LONGEST_BODY: u64 = 1024 * 1024;
const TEXT: &str = "text/plain; charset=utf-8";

/// A server of files on this machine, until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
}

impl Server {
    /// Serves a directory on a port that is free. Refuses the home directory's ancestors, and the
    /// root of the file system.
    pub fn start(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        served_root::refuse_ancestors_of_home(&root).map_err(io::Error::other)?;
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let site = Arc::new(Site { root, port: address.port() });
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                // Each connection holds the site.
                if Arc::strong_count(&site) > MOST_CONNECTIONS {
                    continue;
                }
                let site = Arc::clone(&site);
                if let Ok(stream) = stream {
                    std::thread::spawn(move || _ = site.converse(&stream));
                }
            }
        });
        Ok(Server { address, is_over })
    }

    /// Its address, `http://127.0.0.1:PORT`.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // Wakes it, so that it sees that it is over.
        let _ = TcpStream::connect(self.address);
    }
}

/// What is served, and where.
struct Site {
    root: PathBuf,
    port: u16,
}

/// What is answered.
enum Answer {
    File(File, u64, &'static str),
    /// A status and why.
    No(&'static str, &'static str),
}

impl Site {
    /// Answers requests on one connection until it is closed.
    fn converse(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let mut reader = BufReader::new(stream);
        loop {
            let head = match request_head::read(&mut reader, Some(request_head::IDLE_TIMEOUT)) {
                Ok(head) => head,
                Err(NoHead::Closed) => return Ok(()),
                Err(NoHead::Refused(status)) => {
                    return send(stream, Answer::No(status, "not a request"), false, true);
                }
            };
            let is_last = head.is_last() || head.body_length() != Some(0);
            if is_last {
                request_head::skip_body(&mut reader, &head, LONGEST_BODY);
            }
            send(stream, self.answer(&head), head.method == "HEAD", is_last)?;
            if is_last {
                return Ok(());
            }
        }
    }

    fn answer(&self, head: &RequestHead) -> Answer {
        if !self.is_addressed(head) {
            return Answer::No("421 Misdirected Request", "this is the server of another host");
        }
        if !["GET", "HEAD"].contains(&head.method.as_str()) {
            return Answer::No("405 Method Not Allowed", "only GET and HEAD");
        }
        let Some(path) = path_of(&head.target) else {
            return Answer::No("400 Bad Request", "not a path");
        };
        match self.open(&path) {
            Some((file, length, kind)) => Answer::File(file, length, kind),
            None => Answer::No("404 Not Found", "there is no such file"),
        }
    }

    /// Whether the request is for this machine by its own name. A page of another name that was
    /// made to mean this machine says that other name.
    fn is_addressed(&self, head: &RequestHead) -> bool {
        let port = self.port;
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        head.field("host").is_some_and(|host| own.iter().any(|it| host.eq_ignore_ascii_case(it)))
    }

    /// Opens the file at a path below the root, if there is one and it may be served.
    fn open(&self, path: &Path) -> Option<(File, u64, &'static str)> {
        let mut file = self.root.join(path);
        if file.is_dir() {
            file.push("index.html");
        }
        // A link may lead elsewhere; within the root it may lead to whatever may be asked for.
        let file = file.canonicalize().ok()?;
        if has_hidden(file.strip_prefix(&self.root).ok()?) {
            return None;
        }
        // What is not a plain file, such as a pipe, may never end.
        let length = file.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
        Some((File::open(&file).ok()?, length, media_type(&file)))
    }
}

fn send(mut stream: &TcpStream, answer: Answer, head_only: bool, is_last: bool) -> io::Result<()> {
    let (status, kind, length) = match &answer {
        Answer::File(_, length, kind) => ("200 OK", *kind, *length),
        Answer::No(status, reason) => (*status, TEXT, reason.len() as u64),
    };
    let cached = if is_part(kind) { CACHE_CONTROL } else { "no-cache" };
    let connection = if is_last { "Connection: close\r\n" } else { "" };
    let mut response = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Cache-Control: {cached}\r\n{connection}\r\n"
    )
    .into_bytes();
    match answer {
        Answer::No(_, reason) if !head_only => response.extend_from_slice(reason.as_bytes()),
        Answer::File(file, length, _) if !head_only => {
            // Most files go with their head in one piece.
            let mut file = file.take(length);
            (&mut file).take(256 * 1024).read_to_end(&mut response)?;
            stream.write_all(&response)?;
            let sent = length.saturating_sub(file.limit());
            let more = io::copy(&mut file, &mut stream)?;
            // A file that became shorter meanwhile: only the end of the connection tells that.
            return match sent + more == length {
                true => Ok(()),
                false => Err(io::ErrorKind::UnexpectedEof.into()),
            };
        }
        _ => {}
    }
    stream.write_all(&response)
}

/// The path below the root that a request means; nothing if it is none, leads out, or is written
/// so that servers and browsers disagree on where it leads. A hidden file (`.git`, `.env`) is as
/// good as not there, but for `.well-known`, which is made for visitors.
fn path_of(target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = decode(path)?;
    if path.starts_with('/') || path.contains(['\\', '\0']) {
        return None;
    }
    let mut below = PathBuf::new();
    for part in Path::new(&path).components() {
        match part {
            Component::Normal(name) => below.push(name),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (!has_hidden(&below)).then_some(below)
}

/// Whether a path leads to something hidden or through it.
fn has_hidden(path: &Path) -> bool {
    path.iter().any(|part| part.as_encoded_bytes().starts_with(b".") && part != ".well-known")
}

fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let value = digit(rest.next()?)? * 16 + digit(rest.next()?)?;
            bytes.push(u8::try_from(value).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// Whether a file is part of a page, and no page or answer itself. A browser that keeps these loads
/// a page again in two thirds of the time.
fn is_part(kind: &str) -> bool {
    ["text/javascript", "text/css", "image/", "font/"].iter().any(|part| kind.starts_with(part))
}

fn media_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" | "htm" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "pdf" => "application/pdf",
        "xml" => "application/xml",
        "txt" | "md" => TEXT,
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests;
