//! Reads the head of an HTTP request, within bounds of size, number and time.
//!
//! On its own because two servers of ours read them, and whoever connects to those is a stranger:
//! any page and any program on the machine can.

use std::io::{self, BufRead, BufReader, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The longest request line.
const LONGEST_LINE: usize = 8 * 1024;
/// The longest head, with its request line.
const LONGEST_HEAD: usize = 64 * 1024;
/// The most header fields.
const MOST_FIELDS: usize = 100;
/// How long a connection may be silent before a request begins. A browser keeps some open for
/// later.
pub(crate) const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// How long a request may take to come once it has begun.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// What a request begins with.
#[derive(Debug, Default)]
pub(crate) struct RequestHead {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) fields: Vec<(String, String)>,
    is_old: bool,
}

/// Why there is no head.
#[derive(Debug)]
pub(crate) enum NoHead {
    /// Nobody asks any more.
    Closed,
    /// What was asked is answered with this status, and the connection is closed.
    Refused(&'static str),
}

impl From<io::Error> for NoHead {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                NoHead::Refused("408 Request Timeout")
            }
            _ => NoHead::Closed,
        }
    }
}

impl RequestHead {
    /// The value of a field, if it is there once.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let mut found = self.fields.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        let (_, value) = found.next()?;
        found.next().is_none().then_some(value)
    }

    /// Whether it has a field, however often.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// How long its body is; nothing if that cannot be known beforehand.
    pub(crate) fn body_length(&self) -> Option<u64> {
        match self.has("content-length") {
            _ if self.has("transfer-encoding") => None,
            true => self.field("content-length")?.parse().ok(),
            false => Some(0),
        }
    }

    /// Whether whoever asks wants the connection to end with the answer.
    pub(crate) fn is_last(&self) -> bool {
        self.is_old || self.field("connection").is_some_and(|it| it.eq_ignore_ascii_case("close"))
    }
}

/// Reads the next head. It is waited for for so long, or as long as the connection lasts.
pub(crate) fn read(
    reader: &mut BufReader<&TcpStream>,
    idle: Option<Duration>,
) -> Result<RequestHead, NoHead> {
    reader.get_ref().set_read_timeout(idle)?;
    if reader.fill_buf().map_or(true, <[u8]>::is_empty) {
        return Err(NoHead::Closed);
    }
    let mut lines = Lines { reader, deadline: Instant::now() + HEAD_TIMEOUT, left: LONGEST_HEAD };
    let first = lines.next(LONGEST_LINE, "414 URI Too Long")?;
    let bad = || NoHead::Refused("400 Bad Request");
    let words: Vec<&str> = first.split(' ').collect();
    let &[method, target, version] = words.as_slice() else { return Err(bad()) };
    let is_name = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_name(method) || !is_name(target) || !["HTTP/1.1", "HTTP/1.0"].contains(&version) {
        return Err(bad());
    }
    let is_old = version == "HTTP/1.0";
    let (method, target) = (method.to_owned(), target.to_owned());
    let mut head = RequestHead { method, target, is_old, ..RequestHead::default() };
    loop {
        let too_large = "431 Request Header Fields Too Large";
        let line = lines.next(LONGEST_HEAD, too_large)?;
        if line.is_empty() {
            return Ok(head);
        }
        let (name, value) =
            line.split_once(':').filter(|(name, _)| is_name(name)).ok_or_else(bad)?;
        if head.fields.len() == MOST_FIELDS {
            return Err(NoHead::Refused(too_large));
        }
        head.fields.push((name.to_owned(), value.trim().to_owned()));
    }
}

/// The lines of a head, as long as there is time and room for them.
struct Lines<'a, 'b> {
    reader: &'a mut BufReader<&'b TcpStream>,
    deadline: Instant,
    left: usize,
}

impl Lines<'_, '_> {
    /// The next line without its end; `status` says that it is too long.
    fn next(&mut self, longest: usize, status: &'static str) -> Result<String, NoHead> {
        let mut line = Vec::new();
        let longest = longest.min(self.left);
        while !line.ends_with(b"\n") {
            if line.len() >= longest {
                return Err(NoHead::Refused(status));
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(NoHead::Refused("408 Request Timeout"));
            }
            self.reader.get_ref().set_read_timeout(Some(left))?;
            // What has arrived, and no more: a byte now and then must not be waited for for ever.
            let arrived = self.reader.fill_buf()?;
            let end = arrived.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let taken = end.unwrap_or(arrived.len()).min(longest - line.len());
            if taken == 0 {
                return Err(NoHead::Closed);
            }
            line.extend_from_slice(&arrived[..taken]);
            self.reader.consume(taken);
        }
        self.left -= line.len();
        let line = line.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let line = String::from_utf8(line.unwrap_or_default().to_vec());
        line.map_err(|_| NoHead::Refused("400 Bad Request"))
    }
}

/// Reads a body that nobody wants, so that whoever sends it hears the answer; up to `most` bytes.
pub(crate) fn skip_body(reader: &mut BufReader<&TcpStream>, head: &RequestHead, most: u64) {
    let length = head.body_length().unwrap_or(most).min(most);
    let _ = reader.get_ref().set_read_timeout(Some(HEAD_TIMEOUT));
    let _ = io::copy(&mut reader.take(length), &mut io::sink());
}
