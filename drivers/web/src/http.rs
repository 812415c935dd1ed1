//! Just enough HTTP to ask a browser for its address, and an app's server to reset itself or
//! whether it is there.
//!
//! Our own, because a client crate with TLS, redirects and pools would be most of our dependencies.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

/// How much of an answer is read for its status.
const LONGEST_STATUS: u64 = 200;
const HTTP_TIMEOUT: Duration = Duration::from_secs(30);

/// Sends a request without a body to an `http://` address.
pub(crate) fn request(method: &str, url: &str) -> io::Result<Response> {
    let rest = url.strip_prefix("http://").ok_or_else(|| {
        io::Error::other(format!("only http:// addresses can be asked, not {url}"))
    })?;
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let authority = if host.contains(':') { host.to_owned() } else { format!("{host}:80") };
    let address = authority
        .to_socket_addrs()?
        .next()
        .ok_or_else(|| io::Error::other(format!("{host} has no address")))?;
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(5))?;
    stream.set_read_timeout(Some(HTTP_TIMEOUT))?;
    let path = if path.is_empty() { "/" } else { path };
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )?;
    read_response(&mut BufReader::new(stream))
}

/// What a server answers to a request for this address with; nothing if it listens and only a
/// browser could ask it (`https://`). The error is why nobody answers.
pub(crate) fn status(url: &str, timeout: Duration) -> io::Result<Option<u64>> {
    let (is_plain, rest) = match url.strip_prefix("http://") {
        Some(rest) => (true, rest),
        None => (false, url.strip_prefix("https://").unwrap_or(url)),
    };
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let host = host.rsplit('@').next().unwrap_or(host);
    let has_port = host.rsplit(':').next().is_some_and(|port| port.parse::<u16>().is_ok());
    let authority = match (has_port, is_plain) {
        (true, _) => host.to_owned(),
        (false, true) => format!("{host}:80"),
        (false, false) => format!("{host}:443"),
    };
    let mut result = Err(io::Error::other(format!("{host} has no address")));
    for address in authority.to_socket_addrs()? {
        result = TcpStream::connect_timeout(&address, timeout);
        if result.is_ok() {
            break;
        }
    }
    let mut stream = result?;
    if !is_plain {
        return Ok(None);
    }
    stream.set_read_timeout(Some(timeout))?;
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n"
    )?;
    let mut line = String::new();
    let read = BufReader::new(stream.take(LONGEST_STATUS)).read_line(&mut line);
    read.map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => {
            io::Error::other(format!("no answer for {} s", timeout.as_secs_f64()))
        }
        _ => error,
    })?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.map(Some).ok_or_else(|| io::Error::other("it ends the connection without an answer"))
}

fn read_response(stream: &mut impl BufRead) -> io::Result<Response> {
    let not_http = || io::Error::other("the answer is not HTTP");
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let status = line.starts_with("HTTP/").then(|| line.split(' ').nth(1)?.parse().ok()).flatten();
    let status = status.ok_or_else(not_http)?;
    let mut length = None;
    loop {
        line.clear();
        if stream.read_line(&mut line)? == 0 {
            return Err(not_http());
        }
        match line.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
            }
            None if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let mut body = Vec::new();
    // A browser keeps the connection open, whatever it is asked; others just close it at the end.
    stream.take(length.unwrap_or(u64::MAX)).read_to_end(&mut body)?;
    Ok(Response { status, body })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_where_it_says() {
        let answer = |text: &str| {
            let response = read_response(&mut text.as_bytes()).ok()?;
            Some((response.status, String::from_utf8(response.body).unwrap()))
        };
        let found = |status, body: &str| Some((status, body.to_owned()));
        assert_eq!(answer("HTTP/1.1 200 OK\r\nContent-length: 2\r\n\r\nabcd"), found(200, "ab"));
        assert_eq!(answer("HTTP/1.0 404 Not Found\r\n\r\nto the end"), found(404, "to the end"));
        assert_eq!(answer("HTTP/1.1 204 No Content\r\nA: b\r\n\r\n"), found(204, ""));
        for wrong in ["", "nonsense", "HTTP/1.1 200 OK\r\nA: b\r\n", "SSH-2.0 200 x\r\n\r\n"] {
            assert_eq!(answer(wrong), None, "{wrong:?}");
        }
    }
}
