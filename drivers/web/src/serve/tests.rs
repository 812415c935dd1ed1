//! What the server gives and what it refuses, asked as a browser would not: byte by byte.

use super::*;
use std::os::unix::fs::symlink;

fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("root");
    for folder in ["", "sub", ".git", ".well-known"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    for (file, text) in [
        ("secret", "secret"),
        ("root/index.html", "<p>hello"),
        ("root/a b.js", "1"),
        ("root/sub/index.html", "below"),
        ("root/.env", "secret"),
        ("root/.git/config", "secret"),
        ("root/.well-known/x", "known"),
    ] {
        std::fs::write(directory.path().join(file), text).unwrap();
    }
    symlink(directory.path().join("secret"), root.join("out")).unwrap();
    symlink(directory.path(), root.join("up")).unwrap();
    symlink(root.join("a b.js"), root.join("inside.js")).unwrap();
    directory
}

/// Sends these bytes; the status and the body of what comes back.
fn exchange(server: &Server, request: &[u8]) -> (String, String) {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // It may answer before it has read everything.
    let _ = stream.write_all(request);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.lines().next().unwrap_or_default().trim_start_matches("HTTP/1.1 ");
    (status.to_owned(), body.to_owned())
}

fn get(server: &Server, target: &str) -> (String, String) {
    let host = server.origin().replace("http://", "");
    exchange(server, format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
}

fn serve() -> (tempfile::TempDir, Server) {
    let directory = directory();
    let server = Server::start(&directory.path().join("root")).unwrap();
    (directory, server)
}

#[test]
fn files_are_served_and_nothing_else() {
    let (_directory, server) = serve();
    for (target, status, body) in [
        ("/", "200 OK", "<p>hello"),
        ("/?a=/../b#c", "200 OK", "<p>hello"),
        ("/a%20b.js?x=1", "200 OK", "1"),
        ("/sub", "200 OK", "below"),
        ("/./sub//index.html", "200 OK", "below"),
        ("/inside.js", "200 OK", "1"),
        ("/.well-known/x", "200 OK", "known"),
        ("/nothing", "404 Not Found", "there is no such file"),
    ] {
        assert_eq!(get(&server, target), (status.to_owned(), body.to_owned()), "{target}");
    }
    for target in [
        "/../secret",
        "/%2e%2e/secret",
        "/..%2fsecret",
        "/..%2Fsecret",
        "/sub/..%2f..%2fsecret",
        "/..\\secret",
        "/..%5csecret",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/%00",
        "/a%00.js",
        "/%",
        "/%2",
        "/%+1",
        "/%zz",
        "/%ff",
        "*",
        "secret",
        "http://127.0.0.1/secret",
        "/.env",
        "/%2eenv",
        "/.git/config",
        "/sub/../.git/config",
        "/out",
        "/up/secret",
        "/up/root/index.html/../../secret",
    ] {
        let (status, body) = get(&server, target);
        assert!(status.starts_with('4'), "{target}: {status} {body}");
        assert!(!body.contains("secret") && !body.contains("root:"), "{target}: {body}");
    }
}

#[test]
fn who_asks_for_another_host_gets_nothing() {
    let (_directory, server) = serve();
    let port = server.address.port();
    let ask =
        |fields: &str| exchange(&server, format!("GET / HTTP/1.1\r\n{fields}\r\n").as_bytes());
    assert_eq!(ask(&format!("Host: localhost:{port}\r\n")).1, "<p>hello");
    for fields in [
        String::new(),
        "Host: attacker.example\r\n".to_owned(),
        format!("Host: attacker.example:{port}\r\n"),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: 127.0.0.1:{port}\r\nHost: attacker.example\r\n"),
    ] {
        assert_eq!(ask(&fields).0, "421 Misdirected Request", "{fields}");
    }
}

#[test]
fn a_request_has_bounds() {
    let (_directory, server) = serve();
    let host = format!("Host: 127.0.0.1:{}\r\n", server.address.port());
    let long = "a".repeat(100_000);
    for (request, status) in [
        (format!("GET /{long} HTTP/1.1\r\n{host}\r\n"), "414 URI Too Long"),
        (long.clone(), "414 URI Too Long"),
        (
            format!("GET / HTTP/1.1\r\n{host}X: {long}\r\n\r\n"),
            "431 Request Header Fields Too Large",
        ),
        (
            format!("GET / HTTP/1.1\r\n{host}{}\r\n", "X: y\r\n".repeat(1000)),
            "431 Request Header Fields Too Large",
        ),
        (
            format!("POST / HTTP/1.1\r\n{host}Content-Length: 3\r\n\r\nabc"),
            "405 Method Not Allowed",
        ),
        (format!("DELETE / HTTP/1.1\r\n{host}\r\n"), "405 Method Not Allowed"),
        (format!("GET / HTTP/1.1\r\n{host}Content-Length: 99999999999\r\n\r\n"), "200 OK"),
        (format!("GET / HTTP/1.1\r\n{host}nonsense\r\n\r\n"), "400 Bad Request"),
        (format!("GET  / HTTP/1.1\r\n{host}\r\n"), "400 Bad Request"),
        (format!("GET / HTTP/2.0\r\n{host}\r\n"), "400 Bad Request"),
        (format!("GET /\r\n{host}\r\n"), "400 Bad Request"),
        ("\r\n\r\n".to_owned(), "400 Bad Request"),
    ] {
        assert_eq!(exchange(&server, request.as_bytes()).0, status, "{request:.60}");
    }
    assert_eq!(exchange(&server, b"GET /\xff HTTP/1.1\r\n\r\n").0, "400 Bad Request");
    assert_eq!(exchange(&server, b"GET / HTT").0, "", "half a request has no answer");
}

#[test]
fn who_is_silent_keeps_nobody_waiting() {
    let (_directory, server) = serve();
    let silent: Vec<TcpStream> =
        (0..MOST_CONNECTIONS * 2).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    drop(silent);
    let held: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            stream.write_all(b"GET / HT").unwrap();
            stream
        })
        .collect();
    // Those that have gone make room as soon as that is noticed.
    while get(&server, "/").1 != "<p>hello" {
        std::thread::yield_now();
    }
    drop(held);
}
