//! Just enough HTTP to ask a browser for its address and an app's server to reset itself.
//!
//! Our own, because a client crate with TLS, redirects and pools would be most of our dependencies.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

const LIMIT: Duration = Duration::from_secs(30);

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
    stream.set_read_timeout(Some(LIMIT))?;
    let path = if path.is_empty() { "/" } else { path };
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n");
    let Some(end) = end else { return Err(io::Error::other("the answer is not HTTP")) };
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let Some(status) = status else { return Err(io::Error::other("the answer is not HTTP")) };
    Ok(Response { status, body: answer.split_off(end + 4) })
}
