//! Serves a directory, for apps that are files: a page that is opened from a file has no origin,
//! and much of the web does not work without one.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// For how long a browser may keep a part of a page: longer than a run.
const CACHE_CONTROL: &str = "max-age=86400";

/// A server of files on this machine, until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: std::net::SocketAddr,
    is_over: Arc<AtomicBool>,
}

impl Server {
    /// Serves a directory on a port that is free.
    pub fn start(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let root = root.clone();
                if let Ok(stream) = stream {
                    std::thread::spawn(move || _ = converse(&stream, &root));
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

/// Answers requests on one connection until it is closed.
fn converse(mut stream: &TcpStream, root: &Path) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut request = String::new();
        if reader.read_line(&mut request)? == 0 {
            return Ok(());
        }
        let mut length = 0;
        let mut is_last = request.trim_end().ends_with("HTTP/1.0");
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
                break;
            }
            let Some((name, value)) = line.split_once(':') else { continue };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap_or(0);
            } else if name.eq_ignore_ascii_case("connection") {
                is_last |= value.trim().eq_ignore_ascii_case("close");
            }
        }
        io::copy(&mut io::Read::take(&mut reader, length), &mut io::sink())?;
        let mut words = request.split(' ');
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or("/"));
        let (status, kind, body) = answer(method, target, root);
        let mut response = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: {}\r\n\r\n",
            body.len(),
            if is_part(kind) { CACHE_CONTROL } else { "no-cache" },
        )
        .into_bytes();
        if method != "HEAD" {
            response.extend_from_slice(&body);
        }
        stream.write_all(&response)?;
        if is_last {
            return Ok(());
        }
    }
}

fn answer(method: &str, target: &str, root: &Path) -> (&'static str, &'static str, Vec<u8>) {
    let plain = "text/plain; charset=utf-8";
    if !["GET", "HEAD"].contains(&method) {
        return ("405 Method Not Allowed", plain, b"only GET and HEAD".to_vec());
    }
    let Some(mut file) = resolve(target, root) else {
        return ("400 Bad Request", plain, b"not a path".to_vec());
    };
    if file.is_dir() {
        file.push("index.html");
    }
    match std::fs::read(&file) {
        Ok(body) => ("200 OK", media_type(&file), body),
        Err(_) => ("404 Not Found", plain, b"there is no such file".to_vec()),
    }
}

/// The file that a request means; never one outside of the root.
fn resolve(target: &str, root: &Path) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let path = decode(path)?;
    let mut file = root.to_owned();
    for part in Path::new(path.trim_start_matches('/')).components() {
        match part {
            Component::Normal(name) => file.push(name),
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(file)
}

fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
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
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http;

    #[test]
    fn files_are_served_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("index.html"), "<p>hello").unwrap();
        std::fs::write(directory.path().join("a b.js"), "1").unwrap();
        let server = Server::start(directory.path()).unwrap();
        let get = |path: &str| http::request("GET", &format!("{}{path}", server.origin()));
        assert_eq!(get("/").unwrap().body, b"<p>hello");
        assert_eq!(get("/a%20b.js?x=1").unwrap().body, b"1");
        assert_eq!(get("/nothing").unwrap().status, 404);
        assert_eq!(get("/../secret").unwrap().status, 400);
        assert_eq!(get("/%2e%2e/secret").unwrap().status, 400);
    }
}
